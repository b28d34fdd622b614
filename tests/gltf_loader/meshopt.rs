//! EXT_meshopt_compression and KHR_meshopt_compression, with streams that the library's encoder makes.

use super::fixtures::{Doc, F32, U16, holds};
use fire_engine::gltf::{LoadError, LoadLimits, LoadOptions, NoFiles, load_from_slice_with};
use fire_engine::math::{Quat, Vec3};
use serde_json::{Value, json};

const EXT: &str = "EXT_meshopt_compression";
const KHR: &str = "KHR_meshopt_compression";

/// A grid of 8 x 8 vertices.
fn positions() -> Vec<[f32; 3]> {
    (0..64).map(|i| [(i % 8) as f32, (i / 8) as f32, (i % 3) as f32]).collect()
}

fn vectors() -> Vec<Vec3> {
    positions().into_iter().map(Vec3::from_array).collect()
}

fn indices() -> Vec<u32> {
    let corner = |x: u32, y: u32| y * 8 + x;
    (0..7)
        .flat_map(|y| (0..7).map(move |x| (x, y)))
        .flat_map(|(x, y)| {
            [
                corner(x, y),
                corner(x + 1, y),
                corner(x, y + 1),
                corner(x + 1, y),
                corner(x + 1, y + 1),
                corner(x, y + 1),
            ]
        })
        .collect()
}

/// Adds a view of `count` elements of `stride` bytes on buffer 1, which has no data, and its stream in buffer 0.
fn compressed(doc: &mut Doc, name: &str, stream: &[u8], stride: usize, count: usize, mode: &str) -> u64 {
    let raw = doc.view(stream) as usize;
    let stream = doc.json["bufferViews"][raw].clone();
    let offset = doc.json["buffers"].as_array().map_or(0, |b| b[1]["byteLength"].as_u64().unwrap_or(0));
    let end = offset + (stride * count) as u64;
    doc.json["buffers"] =
        json!([{"byteLength": 0}, {"byteLength": end, "extensions": {name: {"fallback": true}}}]);
    doc.json["bufferViews"][raw] = json!({
        "buffer": 1, "byteOffset": offset, "byteLength": stride * count,
        "extensions": {name: {"buffer": 0, "byteOffset": stream["byteOffset"], "byteLength": stream["byteLength"],
            "byteStride": stride, "count": count, "mode": mode}},
    });
    raw as u64
}

/// The grid, compressed without a fallback: positions are view 0, indices view 1.
fn grid(name: &str) -> Doc {
    let mut doc = Doc::new();
    let stream = meshopt::encode_vertex_buffer_level(&positions(), 2, Some(i32::from(name == KHR))).unwrap();
    let position = compressed(&mut doc, name, &stream, 12, 64, "ATTRIBUTES");
    let stream = meshopt::encode_index_buffer(&indices(), 64).unwrap();
    let index = compressed(&mut doc, name, &stream, 2, 294, "TRIANGLES");
    doc.push("accessors", json!({"bufferView": position, "componentType": F32, "count": 64, "type": "VEC3"}));
    doc.push("accessors", json!({"bufferView": index, "componentType": U16, "count": 294, "type": "SCALAR"}));
    doc.json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}]);
    doc.json["nodes"] = json!([{"mesh": 0}]);
    doc.json["scenes"] = json!([{"nodes": [0]}]);
    let mut doc = doc.unlit();
    doc.json["extensionsUsed"] = json!(["KHR_materials_unlit", name]);
    doc.json["extensionsRequired"] = json!([name]);
    doc
}

/// Gives buffer 0 the binary data.
fn closed(mut doc: Doc) -> Doc {
    let uri = format!("data:application/octet-stream;base64,{}", super::fixtures::base64(&doc.binary));
    doc.json["buffers"][0] = json!({"byteLength": doc.binary.len(), "uri": uri});
    doc
}

fn member<'a>(doc: &'a mut Doc, name: &str, field: &str) -> &'a mut Value {
    &mut doc.json["bufferViews"][0]["extensions"][name][field]
}

#[test]
fn both_extensions_load_without_a_fallback_and_without_a_note() {
    for name in [EXT, KHR] {
        let (content, report) = closed(grid(name)).load().unwrap();
        assert!(report.is_empty(), "{name}: {report}");
        let mesh = &content.assets.meshes()[0];
        assert_eq!(mesh.positions, vectors());
        let decoded = mesh.indices.as_ref().unwrap();
        // The codec keeps the triangles and their sense, and may begin each at another corner.
        let turned = |t: &[u32]| {
            let first = (0..3).min_by_key(|&i| t[i]).unwrap();
            [0, 1, 2].map(|i| t[(first + i) % 3])
        };
        let triangles = |indices: &[u32]| indices.chunks(3).map(turned).collect::<Vec<_>>();
        assert_eq!(triangles(decoded), triangles(&indices()), "{name}");
    }
}

#[test]
fn in_a_glb_the_placeholder_is_the_second_buffer() {
    let doc = grid(EXT);
    let mut json = doc.json.clone();
    json["buffers"][0] = json!({"byteLength": doc.binary.len()});
    let glb = super::fixtures::glb(json.to_string().as_bytes(), &doc.binary);
    let (content, report) =
        load_from_slice_with("grid.glb", &glb, &NoFiles, &LoadOptions::default()).unwrap();
    assert!(report.is_empty(), "{report}");
    assert_eq!(content.assets.meshes()[0].positions, vectors());
}

#[test]
fn a_fallback_that_is_not_needed_is_not_read() {
    let mut doc = closed(grid(EXT));
    doc.json["extensionsRequired"] = json!([]);
    doc.json["buffers"][1]["uri"] = json!("not-there.bin");
    assert_eq!(doc.content().assets.meshes()[0].positions.len(), 64);
    // An uncompressed view on it needs it.
    doc.push("bufferViews", json!({"buffer": 1, "byteLength": 4}));
    holds(&doc.refusal(), &["buffers[1].uri", "not-there.bin"]);
}

#[test]
fn rotations_with_a_filter_regain_their_largest_component() {
    let mut doc = grid(EXT);
    let times = doc.floats("SCALAR", &[0.0, 1.0, 2.0]);
    // The identity, and a half turn about x: "one" with the place of the left-out component in its low bits.
    let stored = [[0_i16, 0, 0, 32767], [0, 0, 0, 32764], [0, 0, 0, 32764]];
    let stream = meshopt::encode_vertex_buffer_level(&stored, 2, Some(0)).unwrap();
    let view = compressed(&mut doc, EXT, &stream, 8, 3, "ATTRIBUTES");
    doc.json["bufferViews"][view as usize]["extensions"][EXT]["filter"] = json!("QUATERNION");
    let rotations = doc.push(
        "accessors",
        json!({"bufferView": view, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC4"}),
    );
    doc.json["animations"] = json!([{
        "samplers": [{"input": times, "output": rotations}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
    }]);
    let (mut content, report) = closed(doc).load().unwrap();
    assert!(report.is_empty(), "{report}");
    content.play_all().unwrap();
    content.advance(1.0).unwrap();
    let node = content.scene.roots().next().unwrap();
    let rotation = node.local().transform().unwrap().rotation;
    assert!(rotation.dot(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)).abs() > 0.999_999, "{rotation}");
}

#[test]
fn every_rule_of_the_extension_is_checked_by_name_and_place() {
    let place = "bufferViews[0].extensions.EXT_meshopt_compression";
    for (field, value, parts) in [
        ("mode", json!("VERTICES"), &["mode \"VERTICES\"", "ATTRIBUTES"][..]),
        ("filter", json!("SMOOTH"), &["filter \"SMOOTH\""]),
        ("filter", json!("COLOR"), &["COLOR", "KHR_meshopt_compression"]),
        ("filter", json!("OCTAHEDRAL"), &["byteStride is 12", "4 or 8"]),
        ("filter", json!("QUATERNION"), &["byteStride is 12", "must be 8"]),
        ("byteStride", json!(0), &["byteStride is 0", "multiple of 4"]),
        ("byteStride", json!(10), &["byteStride is 10", "multiple of 4"]),
        ("byteStride", json!(260), &["byteStride is 260", "up to 256"]),
        ("byteStride", json!(16), &["64 elements of 16 bytes", "768"]),
        ("count", json!(0), &["count is 0"]),
        ("count", json!(65), &["65 elements of 12 bytes", "768"]),
        ("count", json!(u64::MAX), &["are not the view's byteLength"]),
        ("buffer", json!(9), &["buffer 9 does not exist"]),
        ("byteOffset", json!(1_u64 << 40), &["lie outside buffers[0]"]),
        ("byteLength", json!(1_u64 << 40), &["lie outside buffers[0]"]),
        ("byteLength", json!(40), &["40 bytes cannot hold 64 elements"]),
        ("byteLength", json!(0), &["begins with 0x00"]),
        ("byteOffset", json!(1), &["no stream of this mode"]),
        ("buffer", json!(1), &["buffers[1]", "neither a uri"]),
    ] {
        let mut doc = closed(grid(EXT));
        *member(&mut doc, EXT, field) = value;
        if field == "buffer" {
            *member(&mut doc, EXT, "byteOffset") = json!(0);
        }
        holds(&doc.refusal(), parts);
        holds(&doc.refusal(), &[place]);
    }
    let mut doc = closed(grid(EXT));
    let index = &mut doc.json["bufferViews"][1]["extensions"][EXT];
    index["filter"] = json!("EXPONENTIAL");
    holds(&doc.refusal(), &["bufferViews[1]", "only ATTRIBUTES may have a filter"]);
    let mut doc = closed(grid(EXT));
    doc.json["bufferViews"][1]["extensions"][EXT]["byteStride"] = json!(1);
    holds(&doc.refusal(), &["bufferViews[1]", "byteStride is 1", "2 or 4"]);
    let mut doc = closed(grid(EXT));
    doc.json["bufferViews"][1]["extensions"][EXT]["count"] = json!(293);
    holds(&doc.refusal(), &["bufferViews[1]", "count is 293", "multiple of 3"]);
    let mut doc = closed(grid(EXT));
    doc.json["bufferViews"][0]["byteStride"] = json!(16);
    holds(&doc.refusal(), &[place, "byteStride is 12", "own is 16"]);
    let mut doc = closed(grid(EXT));
    let both = doc.json["bufferViews"][0]["extensions"][EXT].clone();
    doc.json["bufferViews"][0]["extensions"][KHR] = both;
    holds(&doc.refusal(), &["bufferViews[0].extensions", EXT, KHR]);
}

#[test]
fn the_newer_streams_belong_to_the_newer_extension() {
    let mut doc = grid(KHR);
    for view in [0, 1] {
        let compressed = doc.json["bufferViews"][view]["extensions"][KHR].take();
        doc.json["bufferViews"][view]["extensions"] = json!({EXT: compressed});
    }
    doc.json["extensionsUsed"] = json!(["KHR_materials_unlit", EXT]);
    doc.json["extensionsRequired"] = json!([EXT]);
    holds(&closed(doc).refusal(), &["0xa1", "no stream of this mode"]);
}

#[test]
fn decoded_indices_outside_the_mesh_are_an_error() {
    let mut doc = Doc::new();
    let far: Vec<u32> = indices().iter().map(|i| i + 1).collect();
    let stream = meshopt::encode_vertex_buffer_level(&positions(), 2, Some(0)).unwrap();
    compressed(&mut doc, EXT, &stream, 12, 64, "ATTRIBUTES");
    let stream = meshopt::encode_index_sequence(&far, 65).unwrap();
    compressed(&mut doc, EXT, &stream, 4, 294, "INDICES");
    let parts = grid(EXT);
    for list in ["accessors", "meshes", "nodes", "scenes", "extensionsUsed", "materials"] {
        doc.json[list] = parts.json[list].clone();
    }
    doc.json["accessors"][1]["componentType"] = json!(super::fixtures::U32);
    holds(&closed(doc).refusal(), &["meshes[0].primitives[0]", "64"]);
}

#[test]
fn what_is_decoded_counts_towards_the_limit_before_it_is_decoded() {
    // 768 + 588 bytes decoded, and as much again as floats and indices.
    let doc = closed(grid(EXT));
    let limits = LoadLimits { decoded_bytes: 700, ..LoadLimits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    match load_from_slice_with("grid", &doc.gltf(), &NoFiles, &options) {
        Err(LoadError::Limit { field: "decoded_bytes", json_path, actual: 768.., .. }) => {
            holds(&json_path, &["bufferViews[0]"]);
        }
        other => panic!("{:?}", other.map(|(_, report)| report)),
    }
}

/// Damaged streams give an error or wrong numbers, and nothing worse.
#[test]
fn no_damage_to_a_stream_does_more_than_fail() {
    let mut refused = 0;
    let mut tried = 0;
    for name in [EXT, KHR] {
        let doc = grid(name);
        let mut attempt = |binary: Vec<u8>| {
            let damaged = Doc { json: doc.json.clone(), binary };
            tried += 1;
            refused += usize::from(closed(damaged).load().is_err());
        };
        for position in 0..doc.binary.len() {
            for change in [0x01, 0x10, 0x80, 0xFF] {
                let mut binary = doc.binary.clone();
                binary[position] ^= change;
                attempt(binary);
            }
        }
        for view in [0, 1] {
            let length = doc.json["bufferViews"][view]["extensions"][name]["byteLength"].as_u64().unwrap();
            for shorter in 0..length {
                let mut doc = closed(doc.clone());
                doc.json["bufferViews"][view]["extensions"][name]["byteLength"] = json!(shorter);
                assert!(doc.load().is_err(), "{name} {view} {shorter}");
            }
        }
    }
    assert!(tried > 2_000 && refused > tried / 4, "{refused} of {tried}");
}

/// Any bytes behind a header of the right kind, for any mode, stride and filter.
#[test]
fn random_streams_do_no_more_than_fail() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..5_000 {
        let (header, mode, stride, filter) = match random() % 8 {
            0 => (0xE1, "TRIANGLES", 2, "NONE"),
            1 => (0xE0, "TRIANGLES", 4, "NONE"),
            2 => (0xD1, "INDICES", 2, "NONE"),
            3 => (0xD0, "INDICES", 4, "NONE"),
            4 => (0xA1, "ATTRIBUTES", 8, "QUATERNION"),
            5 => (0xA0, "ATTRIBUTES", 4 + 4 * (random() as usize % 2), "OCTAHEDRAL"),
            6 => (0xA1, "ATTRIBUTES", 4 + 4 * (random() as usize % 2), "COLOR"),
            _ => (0xA0 | (random() as u8 & 1), "ATTRIBUTES", 4 + 4 * (random() as usize % 64), "EXPONENTIAL"),
        };
        let count = 3 * (1 + random() as usize % 30);
        // Small bytes are deltas and codes that go on; large ones are runs and escapes.
        let mask = [0xFF, 0x0F, 0x03, 0x00][random() as usize % 4];
        let mut stream: Vec<u8> = (0..random() % 700).map(|_| random() as u8 & mask).collect();
        stream.insert(0, header);
        let mut doc = Doc::new();
        compressed(&mut doc, KHR, &stream, stride, count, mode);
        *member(&mut doc, KHR, "filter") = json!(filter);
        // An image's bytes are asked for without a look at what they mean.
        doc.json["images"] = json!([{"bufferView": 0, "mimeType": "image/png"}]);
        doc.json["textures"] = json!([{"source": 0}]);
        doc.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
        let _ = closed(doc).load();
    }
}
