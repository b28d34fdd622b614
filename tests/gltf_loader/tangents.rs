//! Tangents that a normal texture needs and the file lacks.

use crate::fixtures::{Doc, U8, U16, holds};
use fire_engine::gltf::{LoadLimits, LoadOptions, NoFiles, NoteKind, Severity, load_from_slice_with};
use fire_engine::math::{Vec3, Vec4};
use serde_json::json;

/// Two quads side by side facing +Z, the right one with the left one's picture mirrored, and a normal texture that reads
/// TEXCOORD_1.
fn mirrored() -> Doc {
    let mut doc = Doc::triangle();
    let (mut positions, mut uvs) = (Vec::new(), Vec::new());
    for y in [0.0_f32, 1.0] {
        for x in [-1.0_f32, 0.0, 1.0] {
            positions.extend([x, y, 0.0]);
            uvs.extend([x.abs(), 1.0 - y]);
        }
    }
    let (position, uv) = (doc.floats("VEC3", &positions), doc.floats("VEC2", &uvs));
    let normal = doc.floats("VEC3", &[0.0, 0.0, 1.0].repeat(6));
    let indices = doc.accessor(U8, "SCALAR", 12, &[0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4]);
    for (name, accessor) in [("POSITION", position), ("NORMAL", normal), ("TEXCOORD_1", uv)] {
        doc.attribute(name, accessor);
    }
    doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    doc.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    doc.json["materials"] = json!([{"normalTexture": {"index": 0, "texCoord": 1}}]);
    doc.json["textures"] = json!([{}]);
    doc
}

/// User report 38: without MikkTSpace NormalTangentTest and NormalTangentMirrorTest look wrong.
#[test]
fn missing_tangents_are_computed_and_a_mirrored_seam_splits() {
    let (content, report) = mirrored().load().unwrap();
    let mesh = &content.assets.meshes()[0];
    assert_eq!(mesh.indices, Some(vec![0, 1, 4, 0, 4, 3, 6, 2, 5, 6, 5, 7]));
    assert_eq!((mesh.positions.len(), mesh.uv_sets[1].len(), mesh.tangents.len()), (8, 8, 8));
    for (vertex, position) in mesh.positions.iter().enumerate() {
        let left = position.x < 0.0 || (position.x == 0.0 && vertex < 6);
        let expected = if left { Vec4::new(-1.0, 0.0, 0.0, -1.0) } else { Vec4::new(1.0, 0.0, 0.0, 1.0) };
        assert_eq!(mesh.tangents[vertex], expected);
    }
    assert!(report.iter().all(|note| !note.json_path.starts_with("meshes")), "{report}");
}

#[test]
fn a_set_that_the_texture_transform_names_is_the_one_that_is_read() {
    let mut doc = mirrored();
    doc.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    doc.json["materials"][0]["normalTexture"] =
        json!({"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": {"texCoord": 1}}});
    assert_eq!(doc.mesh().tangents.len(), 8);
}

#[test]
fn a_mesh_without_the_set_gets_no_tangents_and_says_so() {
    let mut doc = mirrored();
    doc.json["materials"][0]["normalTexture"]["texCoord"] = json!(2);
    let (content, report) = doc.load().unwrap();
    assert!(content.assets.meshes()[0].tangents.is_empty());
    let note = report.iter().find(|note| note.message.contains("tangents")).unwrap();
    assert_eq!((note.severity, note.kind), (Severity::Info, NoteKind::Approximated));
    assert_eq!(note.json_path, "meshes[0].primitives[0]");
    holds(&note.message, &["TEXCOORD_2", "normal texture"]);
}

#[test]
fn given_tangents_unlit_materials_lines_and_materials_without_a_normal_texture_need_none() {
    let mut given = mirrored();
    let tangent = given.floats("VEC4", &[0.0, 1.0, 0.0, 1.0].repeat(6));
    given.attribute("TANGENT", tangent);
    assert_eq!(given.mesh().tangents, [Vec4::new(0.0, 1.0, 0.0, 1.0); 6]);
    let mut unlit = mirrored();
    unlit.json["extensionsUsed"] = json!(["KHR_materials_unlit"]);
    unlit.json["materials"][0]["extensions"] = json!({"KHR_materials_unlit": {}});
    let mut lines = mirrored();
    lines.json["meshes"][0]["primitives"][0]["mode"] = json!(1);
    let mut plain = mirrored();
    plain.json["materials"] = json!([{}]);
    for doc in [unlit, lines, plain] {
        let mesh = doc.mesh();
        assert!(mesh.tangents.is_empty() && mesh.positions.len() == 6);
    }
}

#[test]
fn t_load_normals_without_normals_the_tangents_follow_the_flat_ones() {
    let mut doc = mirrored();
    doc.json["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap().remove("NORMAL");
    let ignored = doc.floats("VEC4", &[0.0, 1.0, 0.0, 1.0].repeat(6));
    doc.attribute("TANGENT", ignored);
    let mesh = doc.mesh();
    assert_eq!((mesh.indices.as_ref(), mesh.positions.len()), (None, 12));
    assert_eq!(mesh.normals, [Vec3::Z; 12]);
    assert_eq!(mesh.tangents[..6], [Vec4::new(-1.0, 0.0, 0.0, -1.0); 6]);
    assert_eq!(mesh.tangents[6..], [Vec4::new(1.0, 0.0, 0.0, 1.0); 6]);
}

#[test]
fn a_vertex_in_which_too_many_triangles_meet_leaves_the_mesh_without_tangents() {
    let mut doc = mirrored();
    let indices: Vec<u8> = [0_u16, 1, 4].repeat(1025).iter().flat_map(|index| index.to_le_bytes()).collect();
    let indices = doc.accessor(U16, "SCALAR", 3 * 1025, &indices);
    doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let (content, report) = doc.load().unwrap();
    assert!(content.assets.meshes()[0].tangents.is_empty());
    holds(&report.to_string(), &["meshes[0].primitives[0]", "up to 1025 in one", "no tangents"]);
}

#[test]
fn the_memory_of_tangents_is_counted_before_it_is_taken_and_what_is_not_needed_is_given_back() {
    let mut doc = mirrored();
    let with = |doc: &Doc, decoded_bytes| {
        let limits = LoadLimits { decoded_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_from_slice_with("tangents", &doc.gltf(), &NoFiles, &options)
            .map(|_| ())
            .map_err(|e| e.to_string())
    };
    // 6 vertices of 12 + 12 + 8 bytes, 12 indices; at worst 12 vertices of 16 bytes more, and 768 of work for each of
    // 4 triangles.
    let read = 6 * 32 + 12 * 4;
    let most = 12 * 48 + 4 * 768;
    assert_eq!(with(&doc, read + most), Ok(()));
    holds(&with(&doc, read + most - 1).unwrap_err(), &["meshes[0].primitives[0]", "decoded_bytes"]);
    // Then 8 vertices of 48 bytes are kept, which is 8 * 48 - 6 * 32 more. The next primitive starts from there.
    let primitive = doc.json["meshes"][0]["primitives"][0].clone();
    doc.json["meshes"][0]["primitives"] = json!([primitive, primitive]);
    let kept = 8 * 48 - 6 * 32;
    let twice = 2 * read + kept + most;
    assert_eq!(with(&doc, twice), Ok(()));
    holds(&with(&doc, twice - 1).unwrap_err(), &["meshes[0].primitives[1]", "decoded_bytes"]);
}
