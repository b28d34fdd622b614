//! Every file of the conformance corpus: what `inspect --json` says against what the corpus counted and measured.

use crate::program::{Said, check_harmless, check_refusal, command, facts, said};
use crate::support::{check, shared, skipped};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::path::Path;

/// Instances of the one node that has some; the corpus counts it as one draw.
const INSTANCED: [(&str, u64); 2] = [("SimpleInstancing", 125), ("gltf-GpuMeshInstancing", 2500)];

pub fn trials() -> Vec<Trial> {
    let folder = shared().map(|shared| shared.join("gltf-conformance"));
    let read = |name: &str| -> Option<Value> {
        serde_json::from_slice(&std::fs::read(folder.as_ref()?.join(name)).ok()?).ok()
    };
    let (Some(folder), Some(manifest), Some(poses)) = (&folder, read("manifest.json"), read("poses.json"))
    else {
        return vec![skipped("corpus", "../shared/gltf-conformance is absent")];
    };
    let entries = manifest["entries"].as_array().cloned().unwrap_or_default();
    let trials = entries.into_iter().map(|entry| {
        let path = entry["path"].as_str().unwrap_or("").to_owned();
        let tier = entry["expect"].as_str().unwrap_or("").to_owned();
        let (file, pose) = (folder.join(&path), poses["files"][&path].clone());
        Trial::test(format!("{tier}: {path}"), move || inspected(&tier, &file, &entry, &pose))
    });
    trials.collect()
}

fn inspected(tier: &str, file: &Path, entry: &Value, pose: &Value) -> Result<(), Failed> {
    let name = file.to_string_lossy();
    let said = said(&mut command(&["inspect", "--json", &name]))?;
    check_harmless(&said.out)?;
    check_harmless(&said.error)?;
    match (tier, said.code) {
        ("load", Some(0)) | ("load_if_supported", Some(0)) => {
            let facts = read(&said)?;
            check_counts(&facts, entry)?;
            check_clips(&facts, pose)?;
            check_poses(&facts, file, pose)
        }
        ("load", _) => Err(format!("refused: {said:?}").into()),
        (_, Some(0)) => read(&said).map(|_| ()),
        _ => check_refused(&said, tier, file, entry),
    }
}

fn read(said: &Said) -> Result<Value, Failed> {
    check(said.error.is_empty(), || format!("{said:?}"))?;
    serde_json::from_str(&said.out).map_err(|error| error.to_string().into())
}

fn check_refused(said: &Said, tier: &str, file: &Path, entry: &Value) -> Result<(), Failed> {
    check_refusal(said, &file.to_string_lossy())?;
    let object: Value = serde_json::from_str(&said.out).map_err(|error| error.to_string())?;
    check(object["error"].is_string() && object["counts"].is_null(), || format!("{object}"))?;
    if tier == "load_if_supported" {
        let refused = object["extensions"]["refused"].as_array().ok_or("no list")?;
        let required = entry["features"]["extensionsRequired"].as_array().ok_or("it requires nothing")?;
        check(refused.iter().all(|name| required.contains(name)), || format!("{refused:?} of {required:?}"))?;
        let used = entry["features"]["extensionsUsed"].as_array().into_iter().flatten();
        let mut names = required.iter().chain(used).filter_map(Value::as_str);
        check(names.any(|name| said.error.contains(name)), || format!("no extension is named: {said:?}"))?;
    }
    Ok(())
}

fn check_counts(facts: &Value, entry: &Value) -> Result<(), Failed> {
    let path = entry["path"].as_str().unwrap_or("");
    let instances = INSTANCED.iter().find(|(name, _)| path.contains(name)).map_or(1, |(_, count)| *count);
    let names = ["scenes", "nodes", "meshes", "primitives", "materials", "textures", "images", "samplers"];
    let more = ["accessors", "bufferViews", "buffers", "animations", "skins", "cameras"];
    let in_scene = ["scene_nodes", "scene_root_nodes", "scene_draws"];
    for name in names.iter().chain(&more).chain(&in_scene) {
        let (found, expected) = (facts["counts"][name].as_u64(), entry["counts"][name].as_u64());
        let times = if *name == "scene_draws" { instances } else { 1 };
        check(found.is_some(), || format!("{name} is not counted"))?;
        // Of some files, the corpus leaves the last few open.
        if let Some(expected) = expected {
            check(found == Some(expected * times), || {
                format!("{name}: {found:?}, the corpus says {expected}")
            })?;
        } else {
            check(in_scene.contains(name), || format!("the corpus does not count {name}"))?;
        }
    }
    let listed =
        [("clips", "animations"), ("meshes", "meshes"), ("materials", "materials"), ("images", "images")];
    for (list, name) in listed {
        let length = facts[list].as_array().map(Vec::len);
        check(length.map(|length| length as u64) == entry["counts"][name].as_u64(), || {
            format!("{length:?} {list} are listed")
        })?;
    }
    Ok(())
}

fn check_clips(facts: &Value, pose: &Value) -> Result<(), Failed> {
    for animation in pose["animations"].as_array().into_iter().flatten() {
        let index = animation["index"].as_u64().ok_or("no index")? as usize;
        let (found, expected) = (&facts["clips"][index]["duration"], &animation["duration"]);
        let (Some(found), Some(expected)) = (found.as_f64(), expected.as_f64()) else {
            return Err(format!("clip {index}: {found}, {expected}").into());
        };
        check((found - expected).abs() <= 1e-4 * expected.max(1.0), || {
            format!("clip {index}: {found} s, the corpus says {expected}")
        })?;
    }
    Ok(())
}

fn check_poses(facts_at_rest: &Value, file: &Path, pose: &Value) -> Result<(), Failed> {
    if !pose.is_object() {
        return Ok(());
    }
    // "within 0.5 %", where the reference itself is not sure of more.
    let is_rough = pose["cross_check"].as_str().is_some_and(|note| note.starts_with("within 0.5 %"));
    let part = if is_rough { 5e-3 } else { 1e-3 };
    same_box(&facts_at_rest["bounds"], &pose["rest"], part, "at rest")?;
    for animation in pose["animations"].as_array().into_iter().flatten() {
        let clip = animation["index"].as_u64().ok_or("no index")?.to_string();
        for sample in animation["samples"].as_array().into_iter().flatten() {
            let time = sample["t"].as_f64().ok_or("no time")?.to_string();
            let facts = facts(&[&file.to_string_lossy(), "--clip", &clip, "--time", &time])?;
            same_box(&facts["bounds"], sample, part, &format!("at {time} s of clip {clip}"))?;
        }
    }
    Ok(())
}

fn same_box(found: &Value, expected: &Value, part: f64, when: &str) -> Result<(), Failed> {
    let corner = |bounds: &Value, name: &str| -> Option<[f64; 3]> {
        let numbers: Vec<f64> = bounds[name].as_array()?.iter().filter_map(Value::as_f64).collect();
        numbers.try_into().ok()
    };
    let corners = |bounds: &Value| Some([corner(bounds, "min")?, corner(bounds, "max")?]);
    let different = || format!("{when}: {found}, the corpus says {expected}");
    match (corners(found), corners(expected)) {
        (None, None) => check(found.is_null(), different),
        (Some(found), Some(expected)) => {
            let [min, max] = expected;
            let side = (0..3).map(|axis| max[axis] - min[axis]).fold(0.0, f64::max);
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= side * part;
            let mut pairs = found.iter().flatten().zip(expected.iter().flatten());
            check(pairs.all(close), different)
        }
        _ => Err(different().into()),
    }
}
