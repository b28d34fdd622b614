//! The numbers of things in a document, against those of what was loaded.

use fire_engine::gltf::LoadReport;
use fire_engine::scene::{Content, DrawList};
use libtest_mimic::Failed;
use serde_json::Value;

/// Instances of the one node that has some.
const INSTANCED: [(&str, usize); 2] = [("SimpleInstancing", 125), ("gltf-GpuMeshInstancing", 2500)];

/// Compares what the corpus counted in the document with what became of it.
pub fn check_counts(entry: &Value, content: &Content, report: &LoadReport) -> Result<(), Failed> {
    let counts = &entry["counts"];
    let count = |value: &Value| value.as_u64().map(|count| count as usize);
    let expected = |name: &str| count(&counts[name]);
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    let path = entry["path"].as_str().unwrap_or("");
    let instances = INSTANCED.iter().find(|(name, _)| path.contains(name)).map_or(1, |(_, count)| *count);
    let (assets, document) = (&content.assets, &content.document);
    let own = &document.counts;
    let noted = |prefix: &str| report.iter().filter(|note| note.json_path.starts_with(prefix)).count();
    let primitives = || document.primitives.iter().flatten();
    for (name, actual, expected) in [
        ("scenes", document.scenes.len(), expected("scenes")),
        ("nodes", document.nodes.len(), expected("nodes")),
        ("meshes", document.primitives.len(), expected("meshes")),
        ("primitives", primitives().count(), expected("primitives")),
        ("scene_nodes", document.nodes.iter().flatten().count(), expected("scene_nodes")),
        ("scene_draws", list.len(), expected("scene_draws").map(|draws| draws * instances)),
        ("scene_root_nodes", content.scene.roots().count(), expected("scene_root_nodes")),
        ("textures", assets.textures().len(), expected("textures")),
        ("animations", content.animations.len(), expected("animations")),
        ("skins", document.skins.len(), expected("skins")),
        ("scenes", own.scenes, expected("scenes")),
        ("nodes", own.nodes, expected("nodes")),
        ("meshes", own.meshes, expected("meshes")),
        ("primitives", own.primitives, expected("primitives")),
        ("materials", own.materials, expected("materials")),
        ("textures", own.textures, expected("textures")),
        ("images", own.images, expected("images")),
        ("samplers", own.samplers, expected("samplers")),
        ("accessors", own.accessors, expected("accessors")),
        ("bufferViews", own.buffer_views, expected("bufferViews")),
        ("buffers", own.buffers, expected("buffers")),
        ("animations", own.animations, expected("animations")),
        ("skins", own.skins, expected("skins")),
        ("cameras", own.cameras, expected("cameras")),
        ("images", document.images.len(), expected("images")),
    ] {
        if let Some(expected) = expected
            && expected != actual
        {
            return Err(format!("{name}: {actual}, the corpus says {expected}").into());
        }
    }
    if document.scene != expected("default_scene").or((!document.scenes.is_empty()).then_some(0)) {
        return Err(format!("scene {:?} was imported", document.scene).into());
    }
    let kept = content.scene.nodes().filter(|node| node.render_object().is_none()).count();
    let extra = if instances > 1 { instances } else { 0 };
    if kept != document.nodes.iter().flatten().count() + extra {
        return Err(format!("{kept} nodes draw nothing themselves").into());
    }
    // Each is on a node at least, or in a row that says why not.
    let lights = entry["features"]["lights"].as_object();
    let lights = lights.map_or(0, |kinds| kinds.values().filter_map(count).sum());
    for (name, listed, rows, expected) in [
        ("cameras", content.scene.cameras().count(), noted("cameras["), expected("cameras").unwrap_or(0)),
        ("lights", content.scene.lights().count(), noted("extensions.KHR_lights_punctual"), lights),
    ] {
        if listed + rows < expected || (expected == 0 && listed + rows > 0) {
            return Err(format!("{name}: {listed} and {rows} rows, the corpus says {expected}").into());
        }
    }
    // At most one white image and one default material are appended.
    let appended = |name: &str, actual: usize| match expected(name) {
        Some(expected) if actual != expected && actual != expected + 1 => {
            Err(Failed::from(format!("{name}: {actual}, the corpus says {expected}")))
        }
        _ => Ok(()),
    };
    appended("images", assets.images().len())?;
    appended("materials", assets.materials().len())?;
    // Primitives without positions are left out, and variants draw some with several materials.
    let drawn = primitives().flatten().count();
    let varied = content.scene.variants().len() > 0;
    let objects = assets.render_objects().len();
    if assets.meshes().len() != drawn || objects < drawn || (objects > drawn && !varied) {
        return Err(format!("{} meshes, {objects} render objects", assets.meshes().len()).into());
    }
    if content.bindings.len() != content.animations.len() {
        return Err("not one binding a clip".into());
    }
    let channels: usize = content.animations.iter().map(|clip| clip.channels().len()).sum();
    let kinds = entry["features"]["animation_channels"].as_object();
    let moving = kinds.map_or(0, |kinds| kinds.values().filter_map(count).sum());
    let left_out = report.iter().any(|note| {
        note.json_path.starts_with("animations[")
            && (note.json_path.contains(".channels[")
                || note.message.contains("whole clip")
                || note.message.contains("not played"))
    });
    if channels != moving && !left_out {
        return Err(format!("{channels} channels, the corpus says {moving}").into());
    }
    Ok(())
}
