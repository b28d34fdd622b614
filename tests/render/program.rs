//! The program under test.

use crate::support::check;
use crate::support::process::{Ended, Running, empty_folder};
use image::{Rgba, RgbaImage};
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `fire-engine render` in `folder`.
pub fn render(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fire-engine"));
    command.current_dir(folder).arg("render").args(arguments);
    command
}

/// A model of the repository.
pub fn own(name: &str) -> String {
    format!("{}/assets/{name}/{name}.gltf", env!("CARGO_MANIFEST_DIR"))
}

/// Runs it to its end.
pub fn ended(command: &mut Command) -> Result<Ended, Failed> {
    let logs = empty_folder("render.logs");
    Running::start(command, &logs).end(300)
}

/// Runs `render` with those arguments, which must end with that exit code.
pub fn ends(code: i32, folder: &Path, arguments: &[&str]) -> Result<Ended, Failed> {
    let ended = ended(&mut render(folder, arguments))?;
    check(ended.code == Some(code), || format!("exit code is not {code} for {arguments:?}: {ended:?}"))?;
    Ok(ended)
}

/// Draws under the validation layer and returns the picture.
pub fn picture(folder: &Path, arguments: &[&str]) -> Result<RgbaImage, Failed> {
    let common = ["--validate", "--size", "64x48", "-o", "picture.png"];
    ends(0, folder, &[&common[..], arguments].concat())?;
    open(&folder.join("picture.png"))
}

/// A picture from a file, alpha included.
pub fn open(path: &Path) -> Result<RgbaImage, Failed> {
    let image = image::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(image.into_rgba8())
}

/// The names in a folder, sorted.
pub fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Pixels of exactly that color.
pub fn count(image: &RgbaImage, color: [u8; 4]) -> usize {
    image.pixels().filter(|pixel| **pixel == Rgba(color)).count()
}

/// Writes a model of one triangle per color, drawn by a node each, its data in `triangles.bin` beside it. Node `n` stands at
/// x = 3 n, and clip `n` carries node `n` up by one meter a second for two seconds.
pub fn triangles(path: &Path, colors: &[[f32; 3]]) -> Result<PathBuf, Failed> {
    // A buffer of three positions in the plane z = 0 and of the keyframes 0 s and 2 s, at 0 and 2 m.
    let positions: [f32; 9] = [-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 0.0];
    let times: [f32; 2] = [0.0, 2.0];
    let mut bytes: Vec<u8> = positions.iter().chain(&times).flat_map(|number| number.to_le_bytes()).collect();
    for index in 0..colors.len() {
        let x = 3.0 * index as f32;
        bytes.extend([x, 0.0, 0.0, x, 2.0, 0.0].iter().flat_map(|number: &f32| number.to_le_bytes()));
    }
    let views = |count: usize| -> Vec<serde_json::Value> {
        let moves = (0..count)
            .map(|index| serde_json::json!({"buffer": 0, "byteOffset": 44 + 24 * index, "byteLength": 24}));
        [
            serde_json::json!({"buffer": 0, "byteLength": 36}),
            serde_json::json!({"buffer": 0, "byteOffset": 36, "byteLength": 8}),
        ]
        .into_iter()
        .chain(moves)
        .collect()
    };
    let accessors: Vec<serde_json::Value> = [
        serde_json::json!({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0]}),
        serde_json::json!({"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [2]}),
    ]
    .into_iter()
    .chain((0..colors.len()).map(|index| {
        serde_json::json!({"bufferView": 2 + index, "componentType": 5126, "count": 2, "type": "VEC3"})
    }))
    .collect();
    let each = |make: &dyn Fn(usize) -> serde_json::Value| (0..colors.len()).map(make).collect::<Vec<_>>();
    let document = serde_json::json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_materials_unlit"],
        "scene": 0,
        "scenes": [{"nodes": (0..colors.len() + 1).collect::<Vec<_>>()}],
        "nodes": each(&|index| serde_json::json!({"mesh": index, "translation": [3 * index, 0, 0], "name": format!("node {index}")}))
            .into_iter()
            .chain([serde_json::json!({"camera": 0, "name": "front", "translation": [0, 0, 5]})])
            .collect::<Vec<_>>(),
        "cameras": [{"name": "own", "type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0, "zfar": 10}}],
        "meshes": each(&|index| serde_json::json!({"primitives": [{"attributes": {"POSITION": 0}, "material": index}]})),
        "materials": each(&|index| serde_json::json!({
            "extensions": {"KHR_materials_unlit": {}},
            "doubleSided": true,
            "pbrMetallicRoughness": {"baseColorFactor": [colors[index][0], colors[index][1], colors[index][2], 1]}
        })),
        "animations": each(&|index| serde_json::json!({
            "name": format!("rise {index}"),
            "samplers": [{"input": 1, "output": 2 + index}],
            "channels": [{"sampler": 0, "target": {"node": index, "path": "translation"}}]
        })),
        "accessors": accessors,
        "bufferViews": views(colors.len()),
        "buffers": [{"uri": "triangles.bin", "byteLength": bytes.len()}]
    });
    std::fs::write(path.with_file_name("triangles.bin"), bytes)?;
    std::fs::write(path, document.to_string())?;
    Ok(path.to_owned())
}
