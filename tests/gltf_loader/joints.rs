//! Joints and weights of vertices.

use crate::fixtures::{Doc, F32, U8, U16, U32, holds};
use fire_engine::assets::JointSet;
use fire_engine::gltf::{NoteKind, Severity};
use serde_json::json;

const JOINTS: [u8; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

fn joints() -> Vec<[u16; 4]> {
    vec![[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
}

/// An unlit triangle with a set of joints and weights in these types.
fn skinned(joints: (u32, &[u8]), weights: (u32, &[u8])) -> Doc {
    let mut doc = Doc::triangle().unlit();
    set(&mut doc, 0, joints, weights);
    doc
}

fn set(doc: &mut Doc, number: usize, joints: (u32, &[u8]), weights: (u32, &[u8])) {
    let joints = doc.accessor(joints.0, "VEC4", 3, joints.1);
    let accessor = doc.accessor(weights.0, "VEC4", 3, weights.1);
    doc.json["accessors"][accessor as usize]["normalized"] = json!(weights.0 != F32);
    doc.attribute(&format!("JOINTS_{number}"), joints);
    doc.attribute(&format!("WEIGHTS_{number}"), accessor);
}

fn words(bytes: &[u8], factor: u16) -> Vec<u8> {
    bytes.iter().flat_map(|&byte| (u16::from(byte) * factor).to_le_bytes()).collect()
}

fn float_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn joints_and_weights_come_in_six_forms() {
    let weights = [51_u8, 204, 0, 0].repeat(3);
    let floats = float_bytes(&[0.2, 0.8, 0.0, 0.0].repeat(3));
    // Joints without a weight are none.
    let expected = JointSet {
        joints: joints().into_iter().map(|[a, b, ..]| [a, b, 0, 0]).collect(),
        weights: vec![[0.2, 0.8, 0.0, 0.0]; 3],
    };
    for joints in [(U8, JOINTS.to_vec()), (U16, words(&JOINTS, 1))] {
        for weights in [(U8, weights.clone()), (U16, words(&weights, 257)), (F32, floats.clone())] {
            let doc = skinned((joints.0, &joints.1), (weights.0, &weights.1));
            let (content, report) = doc.load().unwrap();
            assert!(report.is_empty(), "{report}");
            let sets = &content.assets.meshes()[0].joint_sets;
            assert_eq!(sets[..], *std::slice::from_ref(&expected), "{} {}", joints.0, weights.0);
        }
    }
}

/// User reports 53 and 55: more than four influences, and more than 256 joints.
#[test]
fn several_sets_and_joints_beyond_a_byte_are_kept() {
    let weights = float_bytes(&[0.25; 12]);
    let far: Vec<u8> =
        [299_u16, 65535, 0, 0].repeat(3).iter().flat_map(|joint| joint.to_le_bytes()).collect();
    let mut doc = skinned((U8, &JOINTS), (F32, &weights));
    set(&mut doc, 1, (U16, &far), (F32, &weights));
    let mesh = doc.mesh();
    assert_eq!(mesh.joint_sets.len(), 2);
    assert_eq!(mesh.joint_sets[0].joints, joints());
    assert_eq!(mesh.joint_sets[1].joints, [[299, 65535, 0, 0]; 3]);
}

/// User report 40: a skinned model without indices (Fox) crashed when it was loaded, and again when it was let go.
#[test]
fn a_skinned_mesh_without_indices_or_normals_is_loaded_and_let_go() {
    let weights = float_bytes(&[1.0, 0.0, 0.0, 0.0].repeat(3));
    let mut doc = skinned((U8, &JOINTS), (F32, &weights));
    doc.json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("material");
    let mesh = doc.mesh();
    assert_eq!((mesh.indices.as_ref(), mesh.normals.len(), mesh.joint_sets.len()), (None, 3, 1));
    drop(doc.content());
}

#[test]
fn joints_without_weights_and_weights_without_joints_are_left_out_and_reported() {
    let weights = float_bytes(&[0.25; 12]);
    let mut doc = skinned((U8, &JOINTS), (F32, &weights));
    set(&mut doc, 1, (U8, &JOINTS), (F32, &weights));
    set(&mut doc, 2, (U8, &JOINTS), (F32, &weights));
    let attributes = doc.json["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap();
    attributes.remove("WEIGHTS_0");
    attributes.remove("JOINTS_2");
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.assets.meshes()[0].joint_sets.len(), 1);
    let rows: Vec<_> =
        report.iter().map(|note| (note.kind, note.severity, note.json_path.as_str())).collect();
    let lonely = |path| (NoteKind::Ignored, Severity::Warning, path);
    let expected = [
        lonely("meshes[0].primitives[0].attributes.JOINTS_0"),
        lonely("meshes[0].primitives[0].attributes.WEIGHTS_2"),
    ];
    assert_eq!(rows, expected);
    holds(&report.to_string(), &["WEIGHTS_0", "JOINTS_2"]);
}

#[test]
fn sets_beyond_the_sixteenth_are_reported_by_name() {
    let weights = float_bytes(&[0.25; 12]);
    let mut doc = skinned((U8, &JOINTS), (F32, &weights));
    set(&mut doc, 16, (U8, &JOINTS), (F32, &weights));
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.assets.meshes()[0].joint_sets.len(), 1);
    holds(&report.to_string(), &["meshes[0].primitives[0].attributes", "JOINTS_16, WEIGHTS_16 not used"]);
}

#[test]
fn joints_and_weights_in_other_forms_are_refused_by_name() {
    let (floats, long) = (float_bytes(&[0.25; 12]), [0; 48]);
    let mut normalized = skinned((U8, &JOINTS), (F32, &floats));
    normalized.json["accessors"][1]["normalized"] = json!(true);
    let mut whole = skinned((U8, &JOINTS), (U8, &JOINTS));
    whole.json["accessors"][2]["normalized"] = json!(false);
    let mut short = skinned((U8, &JOINTS), (F32, &floats));
    short.json["accessors"][2]["count"] = json!(2);
    let mut three = skinned((U8, &JOINTS), (F32, &floats));
    three.json["accessors"][1]["type"] = json!("VEC3");
    let nan = float_bytes(&[f32::NAN; 12]);
    for (doc, parts) in [
        (skinned((U32, &long), (F32, &floats)), ["attributes.JOINTS_0", "UNSIGNED_INT VEC4"]),
        (skinned((F32, &long), (F32, &floats)), ["attributes.JOINTS_0", "export it as UNSIGNED_SHORT VEC4"]),
        (normalized, ["attributes.JOINTS_0", "normalized UNSIGNED_BYTE VEC4"]),
        (whole, ["attributes.WEIGHTS_0", "UNSIGNED_BYTE VEC4"]),
        (short, ["attributes.WEIGHTS_0", "2 elements"]),
        (three, ["attributes.JOINTS_0", "UNSIGNED_BYTE VEC3"]),
        (skinned((U8, &JOINTS), (F32, &nan)), ["meshes[0].primitives[0]", "joint_sets[0].weights"]),
    ] {
        holds(&doc.refusal(), &parts);
    }
}
