//! The seven primitive modes, with indices and without.

use crate::fixtures::{Doc, U8, U16, holds};
use fire_engine::assets::{Mesh, Topology};
use fire_engine::gltf::{NoteKind, Severity};
use fire_engine::math::Vec3;
use serde_json::json;

/// An unlit primitive of five vertices, which form a strip or a fan of counter-clockwise triangles seen from +Z.
fn five(mode: u64) -> Doc {
    let mut doc = Doc::triangle().unlit();
    let corners: &[f32] = if mode == 6 {
        &[0.0, 0.0, 0.0, 1.0, -1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]
    } else {
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0]
    };
    let position = doc.floats("VEC3", corners);
    doc.attribute("POSITION", position);
    doc.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
    doc
}

/// glTF 2.0, section 3.7.2.1, gives the vertices of each primitive.
const LISTS: [(u64, Topology, &[u32]); 7] = [
    (0, Topology::Points, &[0, 1, 2, 3, 4]),
    (1, Topology::Lines, &[0, 1, 2, 3]),
    (2, Topology::Lines, &[0, 1, 1, 2, 2, 3, 3, 4, 4, 0]),
    (3, Topology::Lines, &[0, 1, 1, 2, 2, 3, 3, 4]),
    (4, Topology::Triangles, &[0, 1, 2]),
    (5, Topology::Triangles, &[0, 1, 2, 1, 3, 2, 2, 3, 4]),
    (6, Topology::Triangles, &[1, 2, 0, 2, 3, 0, 3, 4, 0]),
];

fn drawn(mesh: &Mesh) -> Vec<u32> {
    mesh.indices.clone().unwrap_or_else(|| (0..mesh.positions.len() as u32).collect())
}

#[test]
fn vertices_in_order_become_lists_of_points_lines_or_triangles() {
    for (mode, topology, list) in LISTS {
        let mesh = five(mode).mesh();
        assert_eq!((mesh.topology, &drawn(&mesh)[..], mesh.positions.len()), (topology, list, 5), "{mode}");
    }
    // What is a list already needs no indices.
    assert_eq!(five(0).content().assets.meshes()[0].indices, None);
}

#[test]
fn indices_become_lists_of_points_lines_or_triangles() {
    let order = [4_u8, 0, 3, 1, 2];
    for (mode, topology, list) in LISTS {
        for component in [U8, U16] {
            let mut doc = five(mode);
            let bytes: Vec<u8> = match component {
                U8 => order.to_vec(),
                _ => order.iter().flat_map(|&index| u16::from(index).to_le_bytes()).collect(),
            };
            let indices = doc.accessor(component, "SCALAR", 5, &bytes);
            doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
            let mesh = doc.mesh();
            let expected: Vec<u32> = list.iter().map(|&at| u32::from(order[at as usize])).collect();
            assert_eq!((mesh.topology, mesh.indices.as_ref()), (topology, Some(&expected)), "{mode}");
        }
    }
}

#[test]
fn strips_and_fans_keep_the_winding_of_every_triangle() {
    for mode in [5, 6] {
        let mut doc = five(mode);
        doc.json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("material");
        // Lit and without normals, so each triangle shows its side.
        let mesh = doc.mesh();
        assert_eq!(mesh.normals, [Vec3::Z; 9], "{mode}");
    }
}

#[test]
fn what_forms_no_whole_primitive_is_left_out_and_reported() {
    for (mode, indexed, what) in [
        (1, false, "the last 1 of 5 vertices form no whole line"),
        (1, true, "the last 1 of 5 indices form no whole line"),
        (4, false, "the last 2 of 5 vertices form no whole triangle"),
        (4, true, "the last 2 of 5 indices form no whole triangle"),
    ] {
        let mut doc = five(mode);
        if indexed {
            let indices = doc.accessor(U8, "SCALAR", 5, &[0, 1, 2, 3, 4]);
            doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        }
        let (content, report) = doc.load().unwrap();
        assert_eq!(report.len(), 1, "{report}");
        let note = &report.rows[0];
        assert_eq!((note.kind, note.json_path.as_str()), (NoteKind::Repaired, "meshes[0].primitives[0]"));
        holds(&note.message, &[what]);
        assert_eq!(
            content.assets.meshes()[0].indices.as_ref().unwrap().len() % 5,
            if mode == 1 { 4 } else { 3 }
        );
        content.validate().unwrap();
    }
}

#[test]
fn too_few_vertices_for_one_primitive_are_nothing_to_draw_and_reported() {
    for (mode, least, noun) in [
        (1, 2, "line"),
        (2, 2, "line"),
        (3, 2, "line"),
        (4, 3, "triangle"),
        (5, 3, "triangle"),
        (6, 3, "triangle"),
    ] {
        for indexed in [false, true] {
            let mut doc = five(mode);
            let accessor = if indexed {
                let indices = doc.accessor(U8, "SCALAR", 5, &[0, 1, 2, 3, 4]);
                doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
                indices
            } else {
                doc.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap()
            };
            doc.json["accessors"][accessor as usize]["count"] = json!(least);
            assert_eq!(doc.content().assets.meshes().len(), 1, "{mode} {indexed}");
            doc.json["accessors"][accessor as usize]["count"] = json!(least - 1);
            let (content, report) = doc.load().unwrap();
            assert!(content.assets.meshes().is_empty() && content.scene.len() == 1);
            assert_eq!(report.len(), 1, "{report}");
            assert_eq!(
                (report.rows[0].kind, report.rows[0].severity),
                (NoteKind::Ignored, Severity::Warning)
            );
            holds(&report.to_string(), &["meshes[0].primitives[0]", &format!("form no {noun}")]);
        }
    }
}

#[test]
fn restart_values_are_refused_in_strips_too_and_degenerate_triangles_are_kept() {
    for mode in [2, 3, 5, 6] {
        let mut doc = five(mode);
        let indices = doc.accessor(U8, "SCALAR", 5, &[0, 1, 255, 2, 3]);
        doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        holds(&doc.refusal(), &["meshes[0].primitives[0].indices", "255", "restart"]);
    }
    let mut doc = five(5);
    let indices = doc.accessor(U8, "SCALAR", 6, &[0, 1, 2, 2, 3, 4]);
    doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let (content, report) = doc.load().unwrap();
    assert!(report.is_empty(), "{report}");
    let expected = vec![0, 1, 2, 1, 2, 2, 2, 2, 3, 2, 4, 3];
    assert_eq!(content.assets.meshes()[0].indices, Some(expected));
}

#[test]
fn an_unknown_mode_is_refused() {
    holds(&five(7).refusal(), &["invalid", "meshes[0].primitives[0].mode", "7 is not a mode"]);
}
