//! What comes from a file: normalized integers, and one bad clip among good ones.

use crate::sheet::Sheet;
use fire_engine::animation::{SlotId, sample_clip};
use fire_engine::gltf::{NoFiles, load_from_slice};
use fire_engine::scene::Content;

/// One node with a mesh of one morph target, and an animation for each of these weights' accessors: two keys at 0 and 1 s.
fn content(outputs: &[(u32, &[u8])]) -> Content {
    // Two keys, three corners.
    let mut bytes: Vec<u8> = [0.0f32, 1.0].iter().flat_map(|t| t.to_le_bytes()).collect();
    bytes.extend([0; 36]);
    let mut views = vec![
        r#"{"buffer":0,"byteLength":8}"#.to_owned(),
        r#"{"buffer":0,"byteOffset":8,"byteLength":36}"#.to_owned(),
    ];
    let mut accessors = vec![
        r#"{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"}"#.to_owned(),
        r#"{"bufferView":1,"componentType":5126,"count":3,"type":"VEC3"}"#.to_owned(),
    ];
    let mut animations = Vec::new();
    for (component, data) in outputs {
        let (offset, index) = (bytes.len(), accessors.len());
        bytes.extend(*data);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let length = data.len();
        let normalized = *component != 5126;
        views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}}}"#));
        accessors.push(format!(
            r#"{{"bufferView":{index},"componentType":{component},"normalized":{normalized},"count":2,"type":"SCALAR"}}"#
        ));
        animations.push(format!(
            r#"{{"samplers":[{{"input":0,"output":{index}}}],"channels":[{{"sampler":0,"target":{{"node":0,"path":"weights"}}}}]}}"#
        ));
    }
    let data: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":1}},"targets":[{{"POSITION":1}}]}}]}}],
        "buffers":[{{"byteLength":{},"uri":"data:application/octet-stream,{data}"}}],
        "bufferViews":[{}],"accessors":[{}],"animations":[{}]}}"#,
        bytes.len(),
        views.join(","),
        accessors.join(","),
        animations.join(",")
    );
    load_from_slice(json.as_bytes(), &NoFiles).unwrap().0
}

pub fn rules(sheet: &mut Sheet) {
    sheet.section("Files");
    sheet.rule("Normalized integers are fractions, and not below -1 (3.11)", &[]);
    let cases: [(&str, u32, &[u8], [f64; 2]); 4] = [
        ("BYTE 127, -128", 5120, &[0x7f, 0x80], [1.0, -1.0]),
        ("UNSIGNED_BYTE 51, 255", 5121, &[51, 255], [51.0 / 255.0, 1.0]),
        ("SHORT 16384, -32768", 5122, &[0x00, 0x40, 0x00, 0x80], [16384.0 / 32767.0, -1.0]),
        ("UNSIGNED_SHORT 1, 65535", 5123, &[0x01, 0x00, 0xff, 0xff], [1.0 / 65535.0, 1.0]),
    ];
    for (input, component, bytes, expected) in cases {
        let content = content(&[(component, bytes)]);
        let mut pose = Default::default();
        for (seconds, expected) in [(0.0, expected[0]), (0.25, 0.75 * expected[0] + 0.25 * expected[1])] {
            sample_clip(&content.animations[0], seconds, &mut pose).unwrap();
            let ours = pose.weights(SlotId::new(0)).unwrap();
            sheet.numbers(&format!("weights {input}, at 0 and 1 s, {seconds} s"), &[expected], ours, 1e-7);
        }
    }
    sheet.rule("A clip with a fault is left out alone", &["D3"]);
    let numbers = |values: [f32; 2]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let (bad, good) = (numbers([0.0, f32::NAN]), numbers([0.25, 0.75]));
    let mut content = content(&[(5126, &bad), (5126, &good)]);
    let channels: Vec<f64> = content.animations.iter().map(|clip| clip.channels().len() as f64).collect();
    sheet.doubles("channels of a clip with a NaN, and of the next", &[0.0, 1.0], &channels, 0.0);
    content.play_all().unwrap();
    content.advance(0.5).unwrap();
    let node = content.scene.roots().next().unwrap();
    sheet.numbers("weight with both playing, 0.25 to 0.75 in 1 s, 0.5 s", &[0.5], node.weights(), 1e-7);
}
