//! Every unlit picture in the reference images, within the limits of their manifest.
//!
//! Prints a table; writes comparisons of what fails (or, with `KEEP_PICTURES` set, of everything) to
//! `target/reference_pictures`.

mod support;

use fire_engine::animation::{LoopMode, PlaybackOptions};
use fire_engine::gltf;
use fire_engine::math::Vec3;
use fire_engine::scene::{Camera, Projection};
use fire_engine::vulkan::Renderer;
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use support::Requirement;
use support::picture::Picture;

/// Single-sampled and multisampled pictures: none may drop out unseen.
const PICTURES: (usize, usize) = (50, 2);

fn main() -> ExitCode {
    let Some(shared) = support::shared() else {
        return support::run(vec![support::skipped("pictures", "../shared is absent")]).exit_code();
    };
    let needs = support::validated_driver();
    let manifest = match read_manifest(&shared) {
        Ok(manifest) => manifest,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials: Vec<Trial> =
        shots(&manifest).map(|shot| shot_trial(&shared, &manifest, shot, &needs)).collect();
    let multisampled = shots(&manifest).filter(|shot| shot["antialias"] == "msaa4").count();
    let found = (trials.len() - multisampled, multisampled);
    trials.push(Trial::test("the_manifest_has_every_picture", move || {
        support::check(found == PICTURES, || {
            format!("{found:?} single-sampled and multisampled pictures, not {PICTURES:?}")
        })
    }));
    support::run(trials).exit_code()
}

fn read_manifest(shared: &Path) -> Result<Value, String> {
    let path = shared.join("reference-images/manifest.json");
    let text = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The three.js picture of each unlit shot: the one that carries the limits.
fn shots(manifest: &Value) -> impl Iterator<Item = &Value> {
    let pictures = manifest["pictures"].as_array().map(Vec::as_slice).unwrap_or_default();
    pictures.iter().filter(|picture| {
        picture["renderer"] == "three" && picture["mode"] == "unlit" && picture["limits"].is_object()
    })
}

fn shot_trial(shared: &Path, manifest: &Value, shot: &Value, needs: &Requirement) -> Trial {
    let name = shot["shot"].as_str().unwrap_or("unnamed").to_owned();
    let model = manifest["assets"][shot["asset"].as_str().unwrap_or_default()]["corpus_path"].as_str();
    let model = shared.join(model.unwrap_or_default());
    let references: Vec<PathBuf> = manifest["pictures"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|picture| picture["shot"] == shot["shot"])
        .filter_map(|picture| Some(shared.join("reference-images").join(picture["file"].as_str()?)))
        .collect();
    let shot = shot.clone();
    support::trial(name.clone(), needs, move || compare(&name, &model, &references, &shot))
}

/// Renders a shot and compares it with every renderer's picture; one that is matched is enough.
fn compare(name: &str, model: &Path, references: &[PathBuf], shot: &Value) -> Result<(), Failed> {
    let ours = render(model, shot)?;
    let limits = shot["limits"].as_object().ok_or("the shot has no limits")?;
    let mut passed = false;
    let mut lines = String::new();
    for path in references {
        let reference = Picture::load(path)?;
        let difference = ours.difference(&reference)?;
        let over: Vec<_> = limits
            .iter()
            .filter(|(limit, bound)| {
                let value = difference.named(limit).unwrap_or(f64::INFINITY);
                value > bound.as_f64().unwrap_or(0.0)
            })
            .map(|(limit, _)| limit.as_str())
            .collect();
        passed |= over.is_empty();
        let file = path.file_name().and_then(|file| file.to_str()).unwrap_or_default();
        lines += &format!(
            "{name:44} {file:34} mae {:6.3} omae {:6.3} off2 {:6.3} nbad {:6.3} {}\n",
            difference.mae,
            difference.omae,
            difference.off2,
            difference.nbad,
            if over.is_empty() { "ok".to_owned() } else { format!("over: {}", over.join(", ")) }
        );
        if !over.is_empty() || std::env::var_os("KEEP_PICTURES").is_some() {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference_pictures");
            std::fs::create_dir_all(&folder)?;
            ours.save_comparison(&reference, &folder.join(format!("{}-{file}", name.replace('/', "-"))))?;
        }
    }
    print!("{lines}");
    if passed { Ok(()) } else { Err(format!("no reference is matched:\n{lines}").into()) }
}

fn render(model: &Path, shot: &Value) -> Result<Picture, Failed> {
    let (mut content, _report) = gltf::load(model)?;
    let listed =
        |clips: &Vec<Value>| clips.iter().filter_map(Value::as_u64).map(|clip| clip as usize).collect();
    let clips: Vec<usize> = match &shot["clips"] {
        Value::String(all) if all == "all" => (0..content.animations.len()).collect(),
        clips => clips.as_array().map(listed).unwrap_or_default(),
    };
    for index in clips {
        let options = PlaybackOptions {
            loop_mode: if shot["loop"].as_bool() == Some(false) { LoopMode::Once } else { LoopMode::Forever },
            ..Default::default()
        };
        content.scene.play(&content.animations[index], &content.bindings[index], options)?;
    }
    content.advance(shot["time"].as_f64().unwrap_or(0.0))?;
    content.scene.update_world_transforms();
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN) as f32;
    let vector = |value: &Value| Vec3::new(number(&value[0]), number(&value[1]), number(&value[2]));
    let camera = &shot["camera"];
    let projection = match camera["type"].as_str() {
        Some("perspective") => Projection::Perspective {
            fov_y: number(&camera["fovy"]).to_radians(),
            aspect: Some(number(&camera["aspect"])),
            near: number(&camera["near"]),
            far: Some(number(&camera["far"])),
        },
        _ => Projection::Orthographic {
            xmag: number(&camera["xmag"]),
            ymag: number(&camera["ymag"]),
            near: number(&camera["near"]),
            far: number(&camera["far"]),
        },
    };
    let camera = Camera::look_at(
        vector(&camera["eye"]),
        vector(&camera["target"]),
        vector(&camera["up"]),
        projection,
    )?;
    let (mut options, log) = support::options();
    let clear = vector(&shot["clear"]["linear"]);
    options.clear_color = [clear.x, clear.y, clear.z, 1.0];
    options.samples = if shot["antialias"] == "msaa4" { 4 } else { 1 };
    let size = |index: usize| shot["size"][index].as_u64().unwrap_or_default() as u32;
    let mut renderer = Renderer::headless((size(0), size(1)), options)?;
    renderer.prepare(&content.assets, &content.scene)?;
    let image = renderer.render_to_image(&content.scene, &camera)?;
    drop(renderer);
    support::assert_clean(&log)?;
    Ok(Picture::from_image(&image))
}
