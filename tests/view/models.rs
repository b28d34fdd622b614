//! Models to look at: the repository's own, copies of them, and such with more in them.

use crate::support::failed;
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A model of the repository.
pub fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/{name}/{name}.gltf"))
}

/// A copy of a model with its files, in a folder that may be changed. Returns the document's path.
pub fn copied(name: &str, folder: &Path) -> Result<PathBuf, Failed> {
    let own = own(name);
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(own.parent().unwrap_or(&own))? {
        let entry = entry?;
        // Only what is in them: the checkout may be read-only.
        fs::write(folder.join(entry.file_name()), fs::read(entry.path())?)?;
    }
    Ok(folder.join(format!("{name}.gltf")))
}

/// A document of the repository.
pub fn document(name: &str) -> Result<Value, Failed> {
    serde_json::from_slice(&fs::read(own(name))?).map_err(failed)
}

/// The text of the hierarchy with other corners.
pub fn with_corners(color: [f32; 3]) -> Result<String, Failed> {
    let mut document = document("Hierarchy")?;
    let materials = document["materials"].as_array_mut().ok_or("no materials")?;
    let corners = materials.iter_mut().find(|material| material["name"] == "Corners").ok_or("no corners")?;
    let [red, green, blue] = color;
    corners["pbrMetallicRoughness"]["baseColorFactor"] = json!([red, green, blue, 1.0]);
    Ok(document.to_string())
}

/// The text of the hierarchy with a camera of its own, from above, and a variant in which the corners are red.
pub fn with_camera_and_variant() -> Result<String, Failed> {
    let mut document = document("Hierarchy")?;
    let materials = document["materials"].as_array_mut().ok_or("no materials")?;
    let corners = materials.iter().position(|material| material["name"] == "Corners").ok_or("no corners")?;
    materials.push(json!({"name": "Red", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}));
    let red = materials.len() - 1;
    for mesh in document["meshes"].as_array_mut().ok_or("no meshes")? {
        for primitive in mesh["primitives"].as_array_mut().ok_or("no primitives")? {
            if primitive["material"] == corners {
                primitive["extensions"]["KHR_materials_variants"] =
                    json!({"mappings": [{"material": red, "variants": [0]}]});
            }
        }
    }
    document["extensions"]["KHR_materials_variants"] = json!({"variants": [{"name": "Warning"}]});
    document["extensionsUsed"] = json!(["KHR_materials_variants"]);
    document["cameras"] =
        json!([{"type": "perspective", "perspective": {"yfov": 0.6, "znear": 0.1, "zfar": 100}}]);
    let nodes = document["nodes"].as_array_mut().ok_or("no nodes")?;
    // A quarter turn about X: it looks down.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    nodes.push(
        json!({"name": "Above", "camera": 0, "translation": [0, 15, 0], "rotation": [-half, 0, 0, half]}),
    );
    let above = nodes.len() - 1;
    document["scenes"][0]["nodes"].as_array_mut().ok_or("no roots")?.push(json!(above));
    Ok(document.to_string())
}
