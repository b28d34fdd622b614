//! Where things stand: world-space bounds at rest and at times of a clip.

use fire_engine::animation::PlaybackOptions;
use fire_engine::gltf::{LoadReport, NoteKind};
use fire_engine::math::Vec3;
use fire_engine::scene::{Content, DrawList};
use libtest_mimic::Failed;
use serde_json::Value;

/// Whether nothing was left out that would move a vertex at rest.
pub fn stands_as_authored(report: &LoadReport) -> bool {
    let moves = ["skins[", ".weights"];
    !report.iter().any(|note| moves.iter().any(|part| note.json_path.contains(part)))
}

/// Whether every clip plays with all its channels.
pub fn moves_as_authored(report: &LoadReport) -> bool {
    !report.iter().any(|note| note.kind == NoteKind::Ignored && note.json_path.starts_with("animations["))
}

/// Compares world-space bounds at rest and, for clips that play `whole`, at the listed times; returns how many boxes were
/// compared.
pub fn check_poses(pose: &Value, content: &mut Content, whole: bool) -> Result<usize, Failed> {
    let mut compared = 0;
    compare(&pose["rest"], content, "at rest")?;
    compared += 1;
    if !whole {
        return Ok(compared);
    }
    // Later clips may drive other nodes, so only the first can be compared without going back to rest.
    if let Some(animation) = pose["animations"].as_array().and_then(|animations| animations.first()) {
        let index = animation["index"].as_u64().ok_or("no index")? as usize;
        let options = PlaybackOptions { looping: false, ..PlaybackOptions::default() };
        let clip = &content.animations[index];
        let playback =
            content.scene.play(clip, &content.bindings[index], options).map_err(|error| error.to_string())?;
        for sample in animation["samples"].as_array().into_iter().flatten() {
            let time = sample["t"].as_f64().ok_or("no time")?;
            content.scene.seek(playback, time).map_err(|error| error.to_string())?;
            content.advance(0.0).map_err(|error| error.to_string())?;
            content.scene.update_world_transforms();
            compare(sample, content, &format!("animation {index} at {time} s"))?;
            compared += 1;
        }
    }
    Ok(compared)
}

fn compare(sample: &Value, content: &Content, when: &str) -> Result<(), Failed> {
    let vector = |name: &str| -> Option<Vec3> {
        let mut parts = sample[name].as_array()?.iter().filter_map(Value::as_f64).map(|v| v as f32);
        Some(Vec3::new(parts.next()?, parts.next()?, parts.next()?))
    };
    let (Some(min), Some(max)) = (vector("min"), vector("max")) else { return Ok(()) };
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    for (position, item) in list.items().iter().enumerate() {
        let object = content.assets.render_object(item.render_object).ok_or("no object")?;
        let mesh = content.assets.mesh(object.mesh).ok_or("no mesh")?;
        let world = list.world(position).ok_or("no world")?;
        let mut include = |vertex: &Vec3| {
            let point = world.transform_point(*vertex);
            (low, high) = (low.min(point), high.max(point));
        };
        match &mesh.indices {
            Some(indices) => indices.iter().for_each(|&index| include(&mesh.positions[index as usize])),
            None => mesh.positions.iter().for_each(&mut include),
        }
    }
    let tolerance = (max - min).max_element().max(1e-3) * 5e-3;
    if (low - min).abs().max_element() > tolerance || (high - max).abs().max_element() > tolerance {
        return Err(format!("{when}: bounds {low} to {high}, the corpus says {min} to {max}").into());
    }
    Ok(())
}
