//! Every unlit picture in the reference images, within the limits of their manifest.
//!
//! Prints a table; writes comparisons of what fails (or, with `KEEP_PICTURES` set, of everything) to
//! `target/tmp/reference_pictures`.

mod support;

use fire_engine::animation::{LoopMode, PlaybackOptions};
use fire_engine::gltf;
use fire_engine::math::Vec3;
use fire_engine::scene::{Camera, Projection};
use fire_engine::vulkan::Renderer;
use libtest_mimic::Failed;
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use support::picture::Picture;
use support::reference;

fn main() -> ExitCode {
    let Some(shared) = support::shared() else {
        return support::run(vec![support::skipped("pictures", "../shared is absent")]).exit_code();
    };
    match reference::trials(&shared, &support::validated_driver(), "reference_pictures", render) {
        Ok(trials) => support::run(trials).exit_code(),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
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
