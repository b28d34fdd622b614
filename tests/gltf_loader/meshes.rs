//! Primitives, their streams and their rejections.

use crate::fixtures::{Doc, U8, U16, U32, holds};
use fire_engine::assets::{Color4, Topology};
use fire_engine::gltf::NoteKind;
use fire_engine::math::{Vec2, Vec3};
use serde_json::json;

#[test]
fn non_indexed_triangles_are_accepted() {
    let content = Doc::triangle().content();
    let mesh = &content.assets.meshes()[0];
    assert_eq!((mesh.topology, mesh.indices.as_ref(), mesh.positions.len()), (Topology::Triangles, None, 3));
    assert_eq!(mesh.positions[1], Vec3::X);
    assert_eq!(&*mesh.name, "M");
}

#[test]
fn missing_uv_is_accepted() {
    assert!(Doc::triangle().content().assets.meshes()[0].uv_sets.is_empty());
}

/// User report 39 (T-LOAD-U8): bytes are indices too, and become wider ones.
#[test]
fn t_load_u8_indices_of_u8_u16_and_u32_are_accepted() {
    for (component, bytes) in
        [(U8, vec![2, 1, 0]), (U16, vec![2, 0, 1, 0, 0, 0]), (U32, vec![2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])]
    {
        let mut doc = Doc::triangle().unlit();
        let indices = doc.accessor(component, "SCALAR", 3, &bytes);
        doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        assert_eq!(doc.content().assets.meshes()[0].indices, Some(vec![2, 1, 0]), "{component}");
    }
}

/// User report 28, for indices.
#[test]
fn t_load_bounds_index_past_the_last_vertex_and_restart_values_are_refused() {
    for (component, bytes, reason) in [
        (U8, vec![0, 1, 3], "index 3 is out of range for 3 vertices"),
        (U8, vec![0, 1, 255], "restart"),
        (U16, vec![0, 0, 1, 0, 255, 255], "restart"),
        (U32, vec![0, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255], "restart"),
    ] {
        let mut doc = Doc::triangle();
        let indices = doc.accessor(component, "SCALAR", 3, &bytes);
        doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        holds(&doc.refusal(), &["meshes[0].primitives[0].indices", reason]);
    }
}

#[test]
fn indices_must_be_unsigned_scalars() {
    let mut doc = Doc::triangle();
    doc.json["meshes"][0]["primitives"][0]["indices"] = json!(0);
    holds(&doc.refusal(), &["unsupported", "meshes[0].primitives[0].indices", "FLOAT VEC3"]);
}

#[test]
fn mode_is_checked_before_attributes_and_those_before_accessor_types() {
    let mut doc = Doc::new();
    doc.push("accessors", json!({"componentType": 5125, "count": 3, "type": "VEC2"}));
    doc.json["meshes"] = json!([{"primitives": [{"mode": 7, "attributes": {"POSITION": 0}}]}]);
    holds(&doc.refusal(), &["invalid", "meshes[0].primitives[0].mode", "7 is not a mode"]);
    doc.json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": 0}}]}]);
    holds(&doc.refusal(), &["attributes.POSITION", "UNSIGNED_INT VEC2"]);
    doc.json["meshes"] = json!([{"primitives": [{"attributes": {"TEXCOORD_0": 0}}]}]);
    let (content, report) = doc.load().unwrap();
    assert!(content.assets.meshes().is_empty());
    holds(&report.to_string(), &["meshes[0].primitives[0]", "POSITION"]);
}

#[test]
fn points_and_lines_are_imported() {
    for (mode, topology, count) in [(0, Topology::Points, 3), (1, Topology::Lines, 2)] {
        let mut doc = Doc::triangle();
        doc.json["accessors"][0]["count"] = json!(count);
        doc.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        assert_eq!(doc.content().assets.meshes()[0].topology, topology);
    }
}

#[test]
fn counts_of_attributes_must_agree() {
    let mut doc = Doc::triangle();
    let uv = doc.floats("VEC2", &[0.0; 4]);
    doc.attribute("TEXCOORD_0", uv);
    holds(&doc.refusal(), &["meshes[0].primitives[0].attributes.TEXCOORD_0", "2 elements", "POSITION has 3"]);
}

#[test]
fn non_finite_positions_name_the_primitive() {
    let mut doc = Doc::triangle();
    doc.binary[0..4].copy_from_slice(&f32::NAN.to_le_bytes());
    holds(&doc.refusal(), &["meshes[0].primitives[0]", "not finite"]);
}

#[test]
fn uv_sets_keep_their_number_and_are_not_flipped() {
    let mut doc = Doc::triangle();
    let float = doc.floats("VEC2", &[0.0, 0.25, -1.0, 2.0, 1.0, 1.0]);
    let short = doc.accessor(U16, "VEC2", 3, &[0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]);
    doc.json["accessors"][short as usize]["normalized"] = json!(true);
    doc.attribute("TEXCOORD_2", float);
    doc.attribute("TEXCOORD_0", short);
    let mesh = doc.content().assets.meshes()[0].clone();
    assert_eq!(mesh.uv_sets.len(), 3);
    assert_eq!(mesh.uv_sets[0][0], Vec2::new(0.0, 1.0));
    assert!(mesh.uv_sets[1].is_empty());
    assert_eq!(mesh.uv_sets[2][..2], [Vec2::new(0.0, 0.25), Vec2::new(-1.0, 2.0)]);
}

#[test]
fn color_0_comes_in_six_forms() {
    let expected = [Color4::new(0.0, 0.2, 1.0, 1.0), Color4::WHITE, Color4::WHITE];
    for alpha in [false, true] {
        let texel = |low: u8, mid: u8, high: u8| {
            if alpha { vec![low, mid, high, high] } else { vec![low, mid, high] }
        };
        let bytes: Vec<u8> = [texel(0, 51, 255), texel(255, 255, 255), texel(255, 255, 255)].concat();
        let words: Vec<u8> = bytes.iter().flat_map(|&b| (u16::from(b) * 257).to_le_bytes()).collect();
        let floats: Vec<u8> = bytes.iter().flat_map(|&b| (f32::from(b) / 255.0).to_le_bytes()).collect();
        let shape = if alpha { "VEC4" } else { "VEC3" };
        for (component, bytes) in [(U8, &bytes), (U16, &words), (5126, &floats)] {
            let mut doc = Doc::triangle();
            let color = doc.accessor(component, shape, 3, bytes);
            doc.json["accessors"][color as usize]["normalized"] = json!(component != 5126);
            doc.attribute("COLOR_0", color);
            assert_eq!(doc.content().assets.meshes()[0].colors, expected, "{component} {shape}");
        }
    }
}

#[test]
fn integers_where_floats_are_due_are_refused_by_name() {
    let mut doc = Doc::triangle();
    let color = doc.accessor(U8, "VEC4", 3, &[0; 12]);
    doc.attribute("COLOR_0", color);
    holds(&doc.refusal(), &["unsupported", "attributes.COLOR_0", "UNSIGNED_BYTE VEC4"]);
}

#[test]
fn quantized_positions_need_their_extension() {
    let mut doc = Doc::triangle();
    let position =
        doc.accessor(5122, "VEC3", 3, &[0, 0, 0, 0, 0, 0, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 1, 0x80, 0, 0]);
    doc.json["accessors"][position as usize]["normalized"] = json!(true);
    doc.attribute("POSITION", position);
    holds(&doc.refusal(), &["attributes.POSITION", "normalized SHORT VEC3", "KHR_mesh_quantization"]);
    doc.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    let positions = doc.content().assets.meshes()[0].positions.clone();
    assert_eq!(positions[..], [Vec3::ZERO, Vec3::X, Vec3::NEG_Y]);
}

#[test]
fn one_mesh_and_render_object_per_primitive_in_order_with_one_lazy_default_material() {
    let mut doc = Doc::triangle();
    doc.json["materials"] = json!([{"name": "Red"}, {"name": "Unused"}]);
    doc.json["meshes"] = json!([
        {"primitives": [
            {"attributes": {"POSITION": 0}, "material": 0},
            {"attributes": {"POSITION": 0}},
        ]},
        {"primitives": [{"attributes": {"POSITION": 0}}]},
    ]);
    let (content, report) = doc.load().unwrap();
    let default = report.iter().filter(|note| note.message.contains("no material")).collect::<Vec<_>>();
    assert_eq!((default.len(), default[0].json_path.as_str()), (1, "meshes[0].primitives[1]"));
    assert_eq!(default[0].kind, NoteKind::Approximated);
    let materials: Vec<_> = content.assets.render_objects().iter().map(|o| o.material.get()).collect();
    assert_eq!(materials, [0, 2, 2]);
    assert_eq!(content.assets.materials().len(), 3);
    let meshes: Vec<_> = content.assets.render_objects().iter().map(|o| o.mesh.get()).collect();
    assert_eq!(meshes, [0, 1, 2]);
}

#[test]
fn custom_unknown_and_surplus_attributes_are_reported_by_name_and_nothing_else_is() {
    let mut doc = Doc::triangle().unlit();
    let normal = doc.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    doc.attribute("NORMAL", normal);
    for name in ["_TEMPERATURE", "COLOR_1", "TEXCOORD_16", "SPEED"] {
        doc.attribute(name, 0);
    }
    let (content, report) = doc.load().unwrap();
    assert_eq!(report.len(), 1, "{report}");
    assert_eq!(report.rows[0].json_path, "meshes[0].primitives[0].attributes");
    assert_eq!(report.rows[0].message, "COLOR_1, SPEED, TEXCOORD_16, _TEMPERATURE not used");
    assert_eq!(content.assets.meshes()[0].normals, [Vec3::Z; 3]);
}

#[test]
fn draco_only_data_of_an_optional_extension_is_zeros_and_reported_by_name() {
    let mut doc = Doc::triangle();
    doc.json["accessors"][0] = json!({"componentType": 5126, "count": 3, "type": "VEC3"});
    doc.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    doc.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}});
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.assets.meshes()[0].positions, [Vec3::ZERO; 3]);
    holds(
        &report.to_string(),
        &["meshes[0].primitives[0]: ignored: its data is only in KHR_draco_mesh_compression"],
    );
    doc.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    holds(&doc.refusal(), &["KHR_draco_mesh_compression"]);
}
