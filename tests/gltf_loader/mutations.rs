//! Thousands of damaged files: whatever happens, it is a value and it is quick.

use crate::fixtures::Doc;
use fire_engine::gltf::{LoadLimits, LoadOptions, NoFiles, load_from_slice_with};
use image::ImageEncoder as _;
use serde_json::json;
use std::time::{Duration, Instant};

/// A small generator (splitmix64), so that every run sees the same files.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// A document that touches every part of the loader.
fn rich() -> Doc {
    let mut doc = Doc::turning();
    let mut png = Vec::new();
    image::codecs::png::PngEncoder::new(&mut png)
        .write_image(&[1, 2, 3, 4, 5, 6], 2, 1, image::ExtendedColorType::Rgb8)
        .unwrap();
    doc.image(&png);
    let uv = doc.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    doc.attribute("TEXCOORD_0", uv);
    let indices = doc.accessor(5121, "SCALAR", 3, &[0, 1, 2]);
    doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let (sparse_indices, sparse_values) = (doc.view(&[1]), doc.view(&[0; 12]));
    doc.json["accessors"][0]["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": sparse_indices, "componentType": 5121},
        "values": {"bufferView": sparse_values},
    });
    doc.json["cameras"] =
        json!([{"type": "perspective", "perspective": {"yfov": 1, "znear": 1, "zfar": 10}}]);
    doc.push("nodes", json!({"camera": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}));
    doc.json["nodes"][0]["children"] = json!([1]);
    doc.json["samplers"] = json!([{"wrapS": 33071, "minFilter": 9728}]);
    doc.json["textures"][0]["sampler"] = json!(0);
    doc.push("materials", json!({}));
    doc.json["extensions"] = json!({
        "KHR_lights_punctual": {"lights": [{"type": "spot", "range": 9, "spot": {"outerConeAngle": 0.5}}]},
        "KHR_materials_variants": {"variants": [{"name": "a"}, {"name": "b"}]},
    });
    doc.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0, 1]}]}});
    let translation = doc.floats("VEC3", &[1.0; 6]);
    let instancing = json!({"attributes": {"TRANSLATION": translation}});
    doc.push("nodes", json!({"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": instancing}}));
    doc.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    doc.json["nodes"][0]["children"] = json!([1, 2]);
    doc.json["nodes"][0]["extras"] = json!({"a": [1]});
    let mut wide = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut wide);
    encoder.write_image(&[7; 16], 2, 1, image::ExtendedColorType::Rgba16).unwrap();
    let wide = doc.view(&wide);
    doc.push("images", json!({"bufferView": wide}));
    doc.push("textures", json!({"source": 1, "extensions": {"EXT_texture_webp": {"source": 0}}}));
    let data = json!({"index": 1, "texCoord": 1, "scale": 2, "strength": 0.5,
        "extensions": {"KHR_texture_transform": {"offset": [0, 1], "rotation": 1, "scale": [2, 2], "texCoord": 0}}});
    let material = &mut doc.json["materials"][0];
    for slot in ["normalTexture", "occlusionTexture"] {
        material[slot] = data.clone();
    }
    material["alphaMode"] = json!("MASK");
    material["alphaCutoff"] = json!(0.25);
    material["emissiveFactor"] = json!([1, 0, 0.5]);
    material["extensions"] = json!({"KHR_materials_emissive_strength": {"emissiveStrength": 2}});
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

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes.truncate(at),
            3 => {
                bytes.remove(at);
            }
            4 => bytes.insert(at, b"0123456789-.eE\"[]{},:\0\xFF"[random.below(23)]),
            _ => {
                // A digit somewhere after `at`, so that numbers change more often than chance would have it.
                if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                    bytes[at + digit] = b'0' + random.below(10) as u8;
                }
            }
        }
    }
}

#[test]
fn damaged_files_never_panic_or_hang() {
    let (doc, shaped) = (rich(), shaped());
    assert!(doc.load().is_ok() && shaped.load().is_ok());
    let limits = LoadLimits { decoded_bytes: 64 << 20, ..LoadLimits::default() };
    let options = LoadOptions { limits, mask_coverage_mips: true, ..LoadOptions::default() };
    let mut random = Random(2);
    let (mut loaded, mut refused) = (0, 0);
    for original in [doc.gltf(), doc.glb(), shaped.glb()] {
        for _ in 0..2500 {
            let mut bytes = original.clone();
            mutate(&mut bytes, &mut random);
            let start = Instant::now();
            match load_from_slice_with("damaged", &bytes, &NoFiles, &options) {
                Ok((content, report)) => {
                    // What loads must also hold together.
                    content.validate().unwrap();
                    let _ = report.to_string();
                    loaded += 1;
                }
                Err(error) => {
                    let message = error.to_string();
                    assert!(message.contains("damaged") && !message.contains('\n'), "{message}");
                    refused += 1;
                }
            }
            assert!(start.elapsed() < Duration::from_secs(2));
        }
    }
    // Both outcomes occur, so the mutations are neither all harmless nor all fatal at the first byte.
    assert!(loaded > 100 && refused > 1000, "{loaded} loaded, {refused} refused");
}
