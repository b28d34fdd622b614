//! Where things stand: world-space bounds at rest and at times of a clip.

use fire_engine::animation::{LoopMode, PlaybackOptions};
use fire_engine::gltf::{LoadReport, NoteKind};
use fire_engine::math::Vec3;
use fire_engine::scene::{Content, DrawList};
use libtest_mimic::Failed;
use serde_json::Value;

/// Whether nothing was left out that would move a vertex at rest. Morph targets are applied here.
pub fn stands_as_authored(content: &Content) -> bool {
    content.document.skins.is_empty()
}

/// Whether every clip plays with all its channels.
pub fn moves_as_authored(report: &LoadReport) -> bool {
    !report.iter().any(|note| {
        note.kind == NoteKind::Ignored
            && note.json_path.starts_with("animations[")
            && !note.message.contains("morph targets are not applied yet")
    })
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
    for animation in pose["animations"].as_array().into_iter().flatten() {
        let index = animation["index"].as_u64().ok_or("no index")? as usize;
        let options = PlaybackOptions { loop_mode: LoopMode::Once, ..PlaybackOptions::default() };
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
        content.scene.stop(playback);
        content.scene.reset_pose();
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
    // The list is in the order of the nodes that draw; a primitive takes its parent's weights.
    let drawing = content.scene.nodes().filter(|node| node.render_object().is_some());
    for ((position, item), node) in list.items().iter().enumerate().zip(drawing) {
        let object = content.assets.render_object(item.render_object).ok_or("no object")?;
        let mesh = content.assets.mesh(object.mesh).ok_or("no mesh")?;
        let world = list.world(position).ok_or("no world")?;
        let weights = node.parent().map_or(&[][..], |parent| parent.weights());
        let mut include = |index: usize| {
            let mut vertex = mesh.positions[index];
            for (target, &weight) in mesh.morph_targets.iter().zip(weights) {
                vertex += target.positions.get(index).copied().unwrap_or_default() * weight;
            }
            let point = world.transform_point(vertex);
            (low, high) = (low.min(point), high.max(point));
        };
        match &mesh.indices {
            Some(indices) => indices.iter().for_each(|&index| include(index as usize)),
            None => (0..mesh.positions.len()).for_each(&mut include),
        }
    }
    let tolerance = (max - min).max_element().max(1e-3) * 5e-3;
    if (low - min).abs().max_element() > tolerance || (high - max).abs().max_element() > tolerance {
        return Err(format!("{when}: bounds {low} to {high}, the corpus says {min} to {max}").into());
    }
    Ok(())
}
