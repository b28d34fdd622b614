//! Pictures that other renderers made: what they show, and how near one has to come.

use super::picture::Picture;
use super::{Requirement, check, trial};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Single-sampled and multisampled pictures: none may drop out unseen.
const PICTURES: (usize, usize) = (50, 2);

/// Draws what a shot of the manifest asks for of the model in a file.
pub type Draw = fn(&Path, &Value) -> Result<Picture, Failed>;

/// A test for every unlit picture in the folder `shared`, and one that they are all there. Comparisons of what fails (or,
/// with `KEEP_PICTURES` set, of everything) are written to `folder` in cargo's folder for tests.
pub fn trials(
    shared: &Path,
    needs: &Requirement,
    folder: &'static str,
    draw: Draw,
) -> Result<Vec<Trial>, String> {
    let manifest = read_manifest(shared)?;
    let mut trials: Vec<Trial> =
        shots(&manifest).map(|shot| shot_trial(shared, &manifest, shot, needs, folder, draw)).collect();
    let multisampled = shots(&manifest).filter(|shot| shot["antialias"] == "msaa4").count();
    let found = (trials.len() - multisampled, multisampled);
    trials.push(Trial::test("the_manifest_has_every_picture", move || {
        check(found == PICTURES, || {
            format!("{found:?} single-sampled and multisampled pictures, not {PICTURES:?}")
        })
    }));
    Ok(trials)
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

fn shot_trial(
    shared: &Path,
    manifest: &Value,
    shot: &Value,
    needs: &Requirement,
    folder: &'static str,
    draw: Draw,
) -> Trial {
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
    trial(name.clone(), needs, move || {
        let ours = draw(&model, &shot)?;
        compare(&name, &ours, &references, &shot, folder)
    })
}

/// Compares a picture with every renderer's picture; one that is matched is enough.
fn compare(
    name: &str,
    ours: &Picture,
    references: &[PathBuf],
    shot: &Value,
    folder: &str,
) -> Result<(), Failed> {
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
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
            std::fs::create_dir_all(&folder)?;
            ours.save_comparison(&reference, &folder.join(format!("{}-{file}", name.replace('/', "-"))))?;
        }
    }
    print!("{lines}");
    if passed { Ok(()) } else { Err(format!("no reference is matched:\n{lines}").into()) }
}
