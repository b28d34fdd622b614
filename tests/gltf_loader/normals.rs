//! Normals: given, faulty and missing ones.

use crate::fixtures::{Doc, U8, holds};
use fire_engine::gltf::{LoadLimits, LoadOptions, NoFiles, NoteKind, load_from_slice_with};
use fire_engine::math::{Vec2, Vec3, Vec4};
use serde_json::json;

const UP: [f32; 9] = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0];

/// Two triangles at a right angle that share the x axis, by four vertices with UVs.
fn folded() -> Doc {
    let mut doc = Doc::triangle();
    let position = doc.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let uv = doc.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let indices = doc.accessor(U8, "SCALAR", 6, &[0, 1, 2, 0, 3, 1]);
    doc.attribute("POSITION", position);
    doc.attribute("TEXCOORD_0", uv);
    doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    doc
}

/// User report 36: missing normals are neither black nor smooth; and report 42: a mesh without a material is drawn.
#[test]
fn t_load_normals_missing_ones_of_a_lit_triangle_mesh_become_flat() {
    for material in [None, Some(json!({})), Some(json!({"doubleSided": true}))] {
        let mut doc = folded();
        if let Some(material) = material {
            doc.json["materials"] = json!([material]);
            doc.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        }
        let mesh = doc.mesh();
        assert_eq!(mesh.normals, [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Y, Vec3::Y, Vec3::Y]);
        assert_eq!((mesh.indices.as_ref(), mesh.positions.len()), (None, 6));
        let uvs = [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ZERO, Vec2::ONE, Vec2::X];
        assert_eq!(mesh.uv_sets[0], uvs);
    }
}

#[test]
fn t_load_normals_unlit_meshes_points_and_lines_get_none() {
    let mesh = folded().unlit().mesh();
    assert!(mesh.normals.is_empty() && mesh.indices.is_some() && mesh.positions.len() == 4);
    for mode in 0..4 {
        let mut doc = folded();
        doc.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        let mesh = doc.mesh();
        assert!(mesh.normals.is_empty() && mesh.positions.len() == 4, "{mode}");
    }
}

#[test]
fn t_load_normals_tangents_without_normals_are_ignored_and_reported() {
    for unlit in [false, true] {
        let mut doc = if unlit { folded().unlit() } else { folded() };
        let tangent = doc.floats("VEC4", &[1.0; 16]);
        doc.attribute("TANGENT", tangent);
        let (content, report) = doc.load().unwrap();
        assert!(content.assets.meshes()[0].tangents.is_empty());
        let note = report.iter().find(|note| note.json_path.ends_with("attributes.TANGENT")).unwrap();
        assert_eq!(note.kind, NoteKind::Ignored);
        holds(&note.message, &["without a NORMAL"]);
    }
}

#[test]
fn given_normals_and_tangents_are_kept_without_a_word() {
    let mut doc = Doc::triangle().unlit();
    let normal = doc.floats("VEC3", &UP);
    let tangent = doc.floats("VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.6, 0.8, 0.0, 1.0]);
    doc.attribute("NORMAL", normal);
    doc.attribute("TANGENT", tangent);
    let (content, report) = doc.load().unwrap();
    assert!(report.is_empty(), "{report}");
    let mesh = &content.assets.meshes()[0];
    assert_eq!(mesh.normals, [Vec3::Z; 3]);
    let tangents =
        [Vec4::new(1.0, 0.0, 0.0, 1.0), Vec4::new(0.0, 1.0, 0.0, -1.0), Vec4::new(0.6, 0.8, 0.0, 1.0)];
    assert_eq!(mesh.tangents, tangents);
}

#[test]
fn normals_of_another_length_are_normalized_and_reported_once() {
    let mut doc = Doc::triangle().unlit();
    let normal = doc.floats("VEC3", &[0.0, 0.0, 4.0, 1e-30, 0.0, 0.0, 0.0, 1.0001, 0.0]);
    doc.attribute("NORMAL", normal);
    let (content, report) = doc.load().unwrap();
    // The third is as long as rounding may leave it.
    assert_eq!(content.assets.meshes()[0].normals, [Vec3::Z, Vec3::X, Vec3::Y * 1.0001]);
    assert_eq!(report.len(), 1, "{report}");
    assert_eq!(report.rows[0].kind, NoteKind::Repaired);
    holds(&report.to_string(), &["meshes[0].primitives[0].attributes.NORMAL", "2 of 3 normals"]);
}

#[test]
fn normals_without_a_direction_become_those_of_the_triangles_around_them() {
    let nan = f32::NAN;
    let mut doc = folded().unlit();
    let normal = doc.floats("VEC3", &[0.0, 0.0, 0.0, nan, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, f32::INFINITY, 0.0]);
    doc.attribute("NORMAL", normal);
    let (content, report) = doc.load().unwrap();
    let normals = &content.assets.meshes()[0].normals;
    // Vertices 0 and 1 belong to both triangles, 3 to the second, and 2 has a normal.
    let between = Vec3::new(0.0, 1.0, 1.0).normalize();
    assert!(normals[0].abs_diff_eq(between, 1e-6) && normals[1].abs_diff_eq(between, 1e-6), "{normals:?}");
    assert_eq!(normals[2..], [Vec3::X, Vec3::Y]);
    assert_eq!(report.len(), 1, "{report}");
    holds(&report.to_string(), &["attributes.NORMAL", "3 of 4 normals have no direction"]);
    // Points have no faces.
    doc.json["meshes"][0]["primitives"][0]["mode"] = json!(0);
    assert_eq!(doc.mesh().normals, [Vec3::Z, Vec3::Z, Vec3::X, Vec3::Z]);
    // Nor has a triangle without area.
    let mut doc = Doc::triangle().unlit();
    let normal = doc.floats("VEC3", &[0.0; 9]);
    doc.attribute("NORMAL", normal);
    doc.json["accessors"][0] = json!({"componentType": 5126, "count": 3, "type": "VEC3"});
    assert_eq!(doc.mesh().normals, [Vec3::Z; 3]);
}

#[test]
fn tangents_of_another_length_or_sign_are_mended_and_reported_once() {
    let mut doc = Doc::triangle().unlit();
    let normal = doc.floats("VEC3", &UP);
    let tangent = doc.floats("VEC4", &[0.0, 3.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, f32::NAN]);
    doc.attribute("NORMAL", normal);
    doc.attribute("TANGENT", tangent);
    let (content, report) = doc.load().unwrap();
    let tangents = &content.assets.meshes()[0].tangents;
    assert_eq!(tangents[..2], [Vec4::new(0.0, 1.0, 0.0, -1.0), Vec4::new(1.0, 0.0, 0.0, 1.0)]);
    assert!(tangents[2].z == 0.0 && tangents[2].truncate().length() == 1.0 && tangents[2].w == 1.0);
    assert_eq!(report.len(), 1, "{report}");
    assert_eq!(report.rows[0].kind, NoteKind::Repaired);
    holds(&report.to_string(), &["attributes.TANGENT", "3 of 3 tangents"]);
}

/// Signed bytes or shorts, normalized, and with the extension alone.
#[test]
fn quantized_normals_and_tangents_need_their_extension_and_are_normalized() {
    const I8: u32 = 5120;
    const I16: u32 = 5122;
    let doc = |component: u32, normalized: bool| {
        let mut doc = Doc::triangle().unlit();
        let vectors = |width: usize| -> Vec<u8> {
            // (0.6, 0, 0.8), rounded, and a w of -1.
            let bytes = [76_i16, 0, 102, -127];
            let shorts = [19660_i16, 0, 26214, -32767];
            let one: Vec<u8> = match component {
                I16 => shorts[..width].iter().flat_map(|v| v.to_le_bytes()).collect(),
                _ => bytes[..width].iter().map(|&v| v as u8).collect(),
            };
            one.repeat(3)
        };
        let normal = doc.accessor(component, "VEC3", 3, &vectors(3));
        let tangent = doc.accessor(component, "VEC4", 3, &vectors(4));
        for accessor in [normal, tangent] {
            doc.json["accessors"][accessor as usize]["normalized"] = json!(normalized);
        }
        doc.attribute("NORMAL", normal);
        doc.attribute("TANGENT", tangent);
        doc
    };
    for component in [I8, I16] {
        let mut doc = doc(component, true);
        holds(&doc.refusal(), &["attributes.NORMAL", "KHR_mesh_quantization"]);
        doc.json["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_mesh_quantization"]);
        doc.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        let (content, report) = doc.load().unwrap();
        let mesh = &content.assets.meshes()[0];
        let direction = Vec3::new(0.6, 0.0, 0.8);
        for (normal, tangent) in mesh.normals.iter().zip(&mesh.tangents) {
            assert!(normal.abs_diff_eq(direction, 5e-3) && (normal.length() - 1.0).abs() < 1e-6, "{normal}");
            assert!((tangent.truncate().length() - 1.0).abs() < 1e-6 && tangent.w == -1.0, "{tangent}");
        }
        // That rounding changed their length is what quantization means.
        assert!(report.iter().all(|note| !note.json_path.contains("attributes")), "{report}");
    }
    for (component, normalized, name) in
        [(I8, false, "BYTE VEC3"), (I16, false, "SHORT VEC3"), (U8, true, "normalized UNSIGNED_BYTE VEC3")]
    {
        let mut doc = doc(component, normalized);
        doc.json["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_mesh_quantization"]);
        holds(&doc.refusal(), &["unsupported", "attributes.NORMAL", name]);
    }
}

#[test]
fn the_memory_of_flat_normals_is_counted_before_it_is_taken() {
    let bytes = folded().gltf();
    let with = |decoded_bytes| {
        let limits = LoadLimits { decoded_bytes, ..LoadLimits::default() };
        load_from_slice_with("flat", &bytes, &NoFiles, &LoadOptions { limits, ..LoadOptions::default() })
    };
    // 4 vertices of 20 bytes and 6 indices of 4; then 6 vertices of 32.
    let whole = 4 * 20 + 6 * 4 + 6 * 32;
    assert!(with(whole).is_ok());
    holds(
        &with(whole - 1).unwrap_err().to_string(),
        &["meshes[0].primitives[0]", "LoadLimits::decoded_bytes"],
    );
}
