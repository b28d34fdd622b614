//! Small documents that together use every part of the loader: what the mutations and the fuzz targets begin from.

use crate::fixtures::{Doc, F32, U8, U16};
use image::ImageEncoder as _;
use serde_json::{Value, json};
use std::path::Path;

const I8: u32 = 5120;
const I16: u32 = 5122;

/// Every document with its name. Those that ask for what may be switched off are named `optional ...`.
pub fn all() -> Vec<(&'static str, Doc)> {
    vec![
        ("turning", turning()),
        ("quantized", quantized()),
        ("skinned", skinned()),
        ("scenes", scenes()),
        ("lists", modes(&[0, 1, 4])),
        ("strips, loops and fans", modes(&[2, 3, 5, 6])),
        ("shaped", shaped()),
        ("pointers", crate::pointers::everything()),
        ("optional compression", compressed()),
        ("LetterCube", embedded("LetterCube/LetterCube.gltf")),
        ("Hierarchy", embedded("Hierarchy/Hierarchy.gltf")),
    ]
}

fn png() -> Vec<u8> {
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    encoder.write_image(&[1, 2, 3, 4, 5, 6], 2, 1, image::ExtendedColorType::Rgb8).unwrap();
    png
}

fn jpeg() -> Vec<u8> {
    let mut jpeg = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 90);
    let pixels: Vec<u8> = (0..9 * 9 * 3).map(|i| (i * 7 % 256) as u8).collect();
    encoder.write_image(&pixels, 9, 9, image::ExtendedColorType::Rgb8).unwrap();
    jpeg
}

/// A clip, a camera, a matrix, sparse positions, indices of 8 bits, a sampler and a PNG.
fn turning() -> Doc {
    let mut doc = Doc::turning();
    doc.image(&png());
    let uv = doc.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    doc.attribute("TEXCOORD_0", uv);
    let indices = doc.accessor(U8, "SCALAR", 3, &[0, 1, 2]);
    doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    sparse(&mut doc, 0, 12);
    doc.json["cameras"] = json!([
        {"type": "perspective", "perspective": {"yfov": 1, "znear": 1, "zfar": 10}},
        {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0, "zfar": 10}},
    ]);
    doc.push("nodes", json!({"camera": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}));
    doc.push("nodes", json!({"camera": 1, "rotation": [0, 0, 0, 1], "scale": [1, -1, 0]}));
    doc.json["nodes"][0]["children"] = json!([1, 2]);
    doc.json["samplers"] = json!([{"wrapS": 33071, "minFilter": 9728}]);
    doc.json["textures"][0]["sampler"] = json!(0);
    doc
}

/// Replaces the middle one of an accessor's three elements of `size` bytes.
fn sparse(doc: &mut Doc, accessor: usize, size: usize) {
    let (indices, values) = (doc.view(&[1]), doc.view(&vec![0; size]));
    doc.json["accessors"][accessor]["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": indices, "componentType": U8},
        "values": {"bufferView": values},
    });
}

/// Integers in every attribute, strides, a JPEG in every slot, each slot with a transform.
fn quantized() -> Doc {
    let mut doc = Doc::triangle();
    let mut stream = |component: u32, shape: &str, normalized: bool, stride: usize| {
        let bytes: Vec<u8> = (0..3 * stride).map(|i| (i * 29 % 100) as u8).collect();
        let view = doc.view(&bytes);
        doc.json["bufferViews"][view as usize]["byteStride"] = json!(stride);
        doc.push(
            "accessors",
            json!({"bufferView": view, "componentType": component, "count": 3, "type": shape, "normalized": normalized}),
        )
    };
    let attributes = json!({
        "POSITION": stream(I16, "VEC3", true, 8),
        "NORMAL": stream(I8, "VEC3", true, 4),
        "TANGENT": stream(I8, "VEC4", true, 4),
        "TEXCOORD_0": stream(U16, "VEC2", true, 4),
        "TEXCOORD_1": stream(I16, "VEC2", false, 4),
        "COLOR_0": stream(U8, "VEC4", true, 4),
        "_CUSTOM": stream(U16, "SCALAR", false, 4),
    });
    let indices = doc.accessor(U16, "SCALAR", 3, &[0, 0, 1, 0, 2, 0]);
    doc.image(&jpeg());
    let slot = |index: u32| {
        json!({"index": index, "texCoord": 1, "scale": 0.5, "strength": 0.5, "extensions": {
            "KHR_texture_transform": {"offset": [0.5, 0], "rotation": 1, "scale": [2, 2], "texCoord": 0},
        }})
    };
    doc.json["materials"] = json!([{
        "pbrMetallicRoughness": {
            "baseColorFactor": [1, 0.5, 0.25, 1], "metallicFactor": 0.5, "roughnessFactor": 0.5,
            "baseColorTexture": slot(0), "metallicRoughnessTexture": slot(1),
        },
        "normalTexture": slot(1), "occlusionTexture": slot(1), "emissiveTexture": slot(0),
        "emissiveFactor": [1, 1, 1], "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true,
        "extensions": {"KHR_materials_unlit": {}, "KHR_materials_emissive_strength": {"emissiveStrength": 2}},
    }]);
    doc.json["textures"] = json!([{"source": 0}, {"source": 0, "name": "data"}]);
    doc.json["meshes"][0]["primitives"] =
        json!([{"attributes": attributes, "indices": indices, "material": 0}]);
    doc.json["extensionsUsed"] = json!([
        "KHR_mesh_quantization",
        "KHR_texture_transform",
        "KHR_materials_unlit",
        "KHR_materials_emissive_strength",
    ]);
    doc
}

/// A skin, morph targets, and clips of every path and interpolation.
fn skinned() -> Doc {
    let mut doc = Doc::triangle();
    let joints = doc.accessor(U8, "VEC4", 3, &[0, 1, 0, 0].repeat(3));
    let weights = doc.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(3));
    doc.attribute("JOINTS_0", joints);
    doc.attribute("WEIGHTS_0", weights);
    let deltas = doc.floats("VEC3", &[0.5; 9]);
    sparse(&mut doc, deltas as usize, 12);
    let zeros = doc.push("accessors", json!({"componentType": F32, "count": 3, "type": "VEC3"}));
    let primitive = &mut doc.json["meshes"][0]["primitives"][0];
    primitive["targets"] = json!([{"POSITION": deltas}, {"POSITION": zeros, "NORMAL": deltas}]);
    doc.json["meshes"][0]["weights"] = json!([0.5, 0]);
    let identity: Vec<f32> = (0..16).map(|i| f32::from(u8::from(i % 5 == 0))).collect();
    let bytes: Vec<u8> = identity.repeat(2).into_iter().flat_map(f32::to_le_bytes).collect();
    let inverse = doc.accessor(F32, "MAT4", 2, &bytes);
    doc.json["skins"] = json!([{"joints": [1, 2], "skeleton": 1, "inverseBindMatrices": inverse}]);
    doc.json["nodes"][0]["skin"] = json!(0);
    doc.push("nodes", json!({"children": [2], "translation": [0, 1, 0]}));
    doc.push("nodes", json!({"name": "joint"}));
    doc.json["scenes"][0]["nodes"] = json!([0, 1]);
    let times = doc.floats("SCALAR", &[0.0, 1.0, 2.0]);
    let (turns, moves) = (doc.quarter_turns(), doc.floats("VEC3", &[1.0; 9]));
    let (cubic, morphs) = (doc.floats("VEC3", &[1.0; 27]), doc.floats("SCALAR", &[0.5; 6]));
    doc.json["animations"] = json!([{
        "samplers": [
            {"input": times, "output": turns, "interpolation": "LINEAR"},
            {"input": times, "output": moves, "interpolation": "STEP"},
            {"input": times, "output": cubic, "interpolation": "CUBICSPLINE"},
            {"input": times, "output": morphs},
        ],
        "channels": [
            {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
            {"sampler": 1, "target": {"node": 1, "path": "translation"}},
            {"sampler": 2, "target": {"node": 2, "path": "scale"}},
            {"sampler": 3, "target": {"node": 0, "path": "weights"}},
            {"sampler": 0, "target": {"path": "rotation"}},
        ],
    }]);
    doc
}

/// Two scenes, lights, variants, instances and extras.
fn scenes() -> Doc {
    let mut doc = Doc::triangle();
    doc.json["materials"] = json!([{"extras": {"a": [1]}}, {"alphaMode": "BLEND"}]);
    let primitive = &mut doc.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(0);
    primitive["extensions"] =
        json!({"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0, 1]}]}});
    doc.json["extensions"] = json!({
        "KHR_lights_punctual": {"lights": [
            {"type": "spot", "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.5}, "intensity": 2, "range": 5},
            {"type": "directional", "color": [1, 0, 0]}, {"type": "point"},
        ]},
        "KHR_materials_variants": {"variants": [{"name": "one"}, {"name": "two"}]},
    });
    let (moves, turns) =
        (doc.floats("VEC3", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]), doc.quarter_turns());
    doc.json["nodes"][0]["extensions"] = json!({
        "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": moves, "ROTATION": turns, "_ID": moves}},
    });
    doc.push("nodes", json!({"extensions": {"KHR_lights_punctual": {"light": 0}}, "extras": "text"}));
    doc.push("nodes", json!({"mesh": 0, "scale": [-1, 1, 1]}));
    doc.json["scenes"] = json!([{"nodes": [0, 1], "name": "first"}, {"nodes": [2]}, {}]);
    doc.json["scene"] = json!(1);
    doc.json["extensionsUsed"] =
        json!(["KHR_lights_punctual", "KHR_materials_variants", "EXT_mesh_gpu_instancing", "NONE_unknown"]);
    doc
}

/// A primitive of each mode, with and without indices.
fn modes(modes: &[u32]) -> Doc {
    let mut doc = Doc::new();
    let corners: Vec<f32> = (0..18).map(|i| (i * i % 7) as f32).collect();
    let position = doc.floats("VEC3", &corners);
    let indices = doc.accessor(U16, "SCALAR", 6, &[0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0]);
    let mut primitives: Vec<Value> = Vec::new();
    for mode in modes {
        primitives.push(json!({"attributes": {"POSITION": position}, "mode": mode}));
        primitives.push(json!({"attributes": {"POSITION": position}, "mode": mode, "indices": indices}));
    }
    doc.json["meshes"] = json!([{"primitives": primitives}]);
    doc.json["nodes"] = json!([{"mesh": 0}]);
    doc.json["scenes"] = json!([{"nodes": [0]}]);
    doc
}

/// A document whose geometry has everything that is converted or computed: a lit strip without normals under a normal
/// texture, with joints and morph targets.
fn shaped() -> Doc {
    let mut doc = Doc::triangle();
    doc.textured();
    doc.json["textures"] = json!([{}]);
    doc.json["materials"] = json!([{"normalTexture": {"index": 0}}, {}]);
    let position = doc.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.5]);
    let uv = doc.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let normal = doc.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let joints = doc.accessor(5121, "VEC4", 4, &[0; 16]);
    let weights = doc.floats("VEC4", &[0.25; 16]);
    let indices = doc.accessor(5121, "SCALAR", 5, &[0, 1, 2, 3, 0]);
    let (sparse_indices, sparse_values) = (doc.view(&[2]), doc.view(&[0x3F; 12]));
    let moves = doc.push(
        "accessors",
        json!({"componentType": 5126, "count": 4, "type": "VEC3", "sparse": {
            "count": 1,
            "indices": {"bufferView": sparse_indices, "componentType": 5121},
            "values": {"bufferView": sparse_values},
        }}),
    );
    doc.json["meshes"] = json!([{"weights": [0.5, 0.25], "primitives": [
        {"mode": 5, "indices": indices, "material": 0, "targets": [{"POSITION": moves}, {}],
            "attributes": {"POSITION": position, "TEXCOORD_0": uv, "JOINTS_0": joints, "WEIGHTS_0": weights}},
        {"mode": 6, "material": 0, "targets": [{"POSITION": position, "NORMAL": moves}, {"TEXCOORD_0": uv}],
            "attributes": {"POSITION": position, "TEXCOORD_0": uv, "NORMAL": normal}},
        {"mode": 2, "indices": indices, "attributes": {"POSITION": position}},
    ]}]);
    doc
}

/// Compressed views with a fallback, and images in other formats with a PNG beside them.
fn compressed() -> Doc {
    let mut doc = Doc::triangle();
    let (stream, webp, ktx) =
        (doc.view(&[0xA0; 64]), doc.view(b"RIFF\x24\0\0\0WEBPVP8L"), doc.view(b"\xABKTX 20\xBB\r\n\x1A\n"));
    let at = doc.json["bufferViews"][stream as usize]["byteOffset"].clone();
    doc.json["bufferViews"][0]["extensions"] = json!({"EXT_meshopt_compression": {
        "buffer": 0, "byteOffset": at, "byteLength": 64, "byteStride": 12, "count": 3, "mode": "ATTRIBUTES", "filter": "NONE",
    }});
    let png = doc.view(&png());
    doc.textured();
    doc.json["images"] = json!([
        {"bufferView": png, "mimeType": "image/png"},
        {"bufferView": webp, "mimeType": "image/webp"},
        {"bufferView": ktx, "mimeType": "image/ktx2"},
    ]);
    doc.json["textures"] = json!([
        {"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}},
        {"source": 0, "extensions": {"KHR_texture_basisu": {"source": 2}}},
    ]);
    doc.json["materials"][0]["normalTexture"] = json!({"index": 1});
    doc.json["extensionsUsed"] = json!(["EXT_meshopt_compression", "EXT_texture_webp", "KHR_texture_basisu"]);
    doc
}

/// One of the project's models, with its files inside.
fn embedded(path: &str) -> Doc {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(path);
    let read =
        |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut json: Value = serde_json::from_slice(&read(&path)).unwrap();
    let mut binary = Vec::new();
    let buffers = json["buffers"].as_array().unwrap();
    assert_eq!(buffers.len(), 1, "{}", path.display());
    let uri = buffers[0]["uri"].as_str().unwrap();
    match uri.split_once(";base64,") {
        Some((_, text)) => binary.extend(crate::fixtures::from_base64(text)),
        None => binary.extend(read(&path.with_file_name(uri))),
    }
    let mut doc = Doc { json: json.take(), binary };
    doc.json.as_object_mut().unwrap().remove("buffers");
    for index in 0..doc.json["images"].as_array().map_or(0, Vec::len) {
        let uri = doc.json["images"][index]["uri"].as_str().unwrap().to_owned();
        let view = doc.view(&read(&path.with_file_name(uri)));
        doc.json["images"][index] = json!({"bufferView": view, "mimeType": "image/png"});
    }
    doc
}
