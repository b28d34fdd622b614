//! Skins: their joints, their matrices, and who wears them.

use crate::fixtures::{Doc, F32, U8, U16, holds};
use fire_engine::math::Vec3;
use fire_engine::scene::{Content, DrawList};
use serde_json::json;

/// An unlit triangle at node 0 that wears skin 0, whose two joints are nodes 1 (at x = 10) and 2 (at y = 10); every vertex
/// follows joint 1.
fn skinned() -> Doc {
    let mut doc = Doc::triangle().unlit();
    let joints = doc.accessor(U8, "VEC4", 3, &[1, 0, 0, 0].repeat(3));
    let weights = doc.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(3));
    doc.attribute("JOINTS_0", joints);
    doc.attribute("WEIGHTS_0", weights);
    doc.push("nodes", json!({"name": "A", "translation": [10, 0, 0]}));
    doc.push("nodes", json!({"name": "B", "translation": [0, 10, 0]}));
    doc.json["skins"] = json!([{"name": "S", "joints": [1, 2], "skeleton": 1}]);
    doc.json["nodes"][0]["skin"] = json!(0);
    doc.json["nodes"][0]["translation"] = json!([100, 100, 100]);
    doc.json["scenes"] = json!([{"nodes": [0, 1, 2]}]);
    doc
}

/// Sixteen numbers a matrix, column by column: moves by these.
fn translations(moves: &[[f32; 3]]) -> Vec<f32> {
    let matrix =
        |&[x, y, z]: &[f32; 3]| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0];
    moves.iter().flat_map(matrix).collect()
}

fn with_matrices(matrices: &[f32]) -> Doc {
    let mut doc = skinned();
    let bytes: Vec<u8> = matrices.iter().flat_map(|value| value.to_le_bytes()).collect();
    let accessor = doc.accessor(F32, "MAT4", matrices.len() / 16, &bytes);
    doc.json["skins"][0]["inverseBindMatrices"] = json!(accessor);
    doc
}

/// Where each joint of the first draw takes the origin.
fn origins(content: &Content) -> Vec<Vec3> {
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    let joints = list.items()[0].joints.of(content.scene.joint_matrices());
    joints.iter().map(|joint| joint.translation()).collect()
}

const A: Vec3 = Vec3::new(10.0, 0.0, 0.0);
const B: Vec3 = Vec3::new(0.0, 10.0, 0.0);

/// User report 48 (tinygltf#492): without inverse bind matrices they are the identity. T-SKIN-ROOT: the node that wears the
/// skin, and the skeleton, do not matter.
#[test]
fn t_skin_root_joints_move_the_mesh_whatever_the_transform_of_its_node() {
    let (content, report) = skinned().load().unwrap();
    assert!(report.is_empty(), "{report}");
    assert_eq!(origins(&content), [A, B]);
    let skin = &content.document.skins[0];
    let nodes = &content.document.nodes;
    assert_eq!((skin.name(), skin.joints(), skin.inverse_bind_matrices().len()), ("S", &nodes[1..3], 0));
    let node = content.scene.find(nodes[0].unwrap()).unwrap();
    assert!(std::sync::Arc::ptr_eq(node.skin().unwrap(), skin));
    assert_eq!(node.children().next().unwrap().deformer().unwrap().id(), node.id());
}

#[test]
fn inverse_bind_matrices_apply_before_the_joints_also_with_a_stride() {
    let moves = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let expected = [A + Vec3::new(1.0, 2.0, 3.0), B + Vec3::new(4.0, 5.0, 6.0)];
    assert_eq!(origins(&with_matrices(&translations(&moves)).content()), expected);
    let mut doc = skinned();
    let spread: Vec<f32> = translations(&moves).chunks(16).flat_map(|m| [m, &[9.0; 4]].concat()).collect();
    let bytes: Vec<u8> = spread.iter().flat_map(|value| value.to_le_bytes()).collect();
    let accessor = doc.accessor(F32, "MAT4", 2, &bytes);
    doc.json["skins"][0]["inverseBindMatrices"] = json!(accessor);
    let view = doc.json["accessors"][accessor as usize]["bufferView"].as_u64().unwrap();
    doc.json["bufferViews"][view as usize]["byteStride"] = json!(80);
    assert_eq!(origins(&doc.content()), expected);
}

/// User report 48: 51 matrices for 64 joints.
#[test]
fn too_few_inverse_bind_matrices_are_refused_and_surplus_ones_reported() {
    let doc = with_matrices(&translations(&[[0.0; 3]]));
    holds(&doc.refusal(), &["skins[0].inverseBindMatrices", "1 matrices for 2 joints"]);
    let doc = with_matrices(&translations(&[[0.0; 3]; 3]));
    assert_eq!(
        (doc.noted(), origins(&doc.content())),
        (vec!["skins[0].inverseBindMatrices".into()], vec![A, B])
    );
}

/// tinygltf's unassigned-skeleton.gltf has such: other loaders draw it.
#[test]
fn inverse_bind_matrices_with_another_fourth_row_are_repaired() {
    let moves = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    for element in [1e-6, 0.5] {
        let mut projective = translations(&moves);
        projective[19] = element;
        let doc = with_matrices(&projective);
        assert_eq!(doc.noted(), ["skins[0].inverseBindMatrices"]);
        assert_eq!(origins(&doc.content()), [A + Vec3::from(moves[0]), B + Vec3::from(moves[1])]);
    }
    let mut rowless = translations(&moves);
    rowless.iter_mut().skip(3).step_by(4).for_each(|element| *element = 0.0);
    let (content, report) = with_matrices(&rowless).load().unwrap();
    holds(&report.to_string(), &["skins[0].inverseBindMatrices", "2 matrices", "joint 0", "taken for"]);
    assert_eq!(origins(&content), [A + Vec3::from(moves[0]), B + Vec3::from(moves[1])]);
}

/// glTF 2.0, section 3.6.2.3: an accessor without a buffer view is all zeros, so each joint's vertices stand at the joint.
#[test]
fn inverse_bind_matrices_without_data_are_zeros_and_reported() {
    let mut doc = skinned();
    doc.push("accessors", json!({"componentType": F32, "type": "MAT4", "count": 2}));
    let accessor = doc.json["accessors"].as_array().unwrap().len() - 1;
    doc.json["skins"][0]["inverseBindMatrices"] = json!(accessor);
    assert_eq!(
        (doc.noted(), origins(&doc.content())),
        (vec!["skins[0].inverseBindMatrices".into()], vec![A, B])
    );
}

#[test]
fn inverse_bind_matrices_of_another_kind_are_refused() {
    let mut endless = translations(&[[0.0; 3]; 2]);
    endless[0] = f32::INFINITY;
    holds(&with_matrices(&endless).refusal(), &["skins[0]", "joint 0", "not finite"]);
    let mut vectors = skinned();
    vectors.json["skins"][0]["inverseBindMatrices"] = json!(2);
    holds(&vectors.refusal(), &["skins[0].inverseBindMatrices", "FLOAT VEC4; it must be FLOAT MAT4"]);
    let mut positions = with_matrices(&translations(&[[0.0; 3]; 3]));
    let matrices = positions.json["skins"][0]["inverseBindMatrices"].clone();
    positions.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = matrices;
    holds(&positions.refusal(), &["FLOAT MAT4, which POSITION may not be"]);
}

#[test]
fn a_skin_without_joints_is_refused() {
    let mut doc = skinned();
    doc.json["skins"][0]["joints"] = json!([]);
    doc.json["nodes"][0].as_object_mut().unwrap().remove("skin");
    holds(&doc.refusal(), &["skins[0]", "no joints"]);
}

/// Or a shader would read what is not the skin's.
#[test]
fn a_vertex_that_follows_a_joint_beyond_the_skins_is_refused_unless_its_weight_is_zero() {
    let mut doc = skinned();
    doc.json["skins"][0]["joints"] = json!([1]);
    holds(&doc.refusal(), &["nodes[0].skin", "follows joint 1, but the skin has 1"]);
    let mut unweighted = skinned();
    let joints = unweighted.accessor(U8, "VEC4", 3, &[1, 200, 77, 99].repeat(3));
    unweighted.attribute("JOINTS_0", joints);
    assert_eq!(unweighted.mesh().joint_sets[0].joints, [[1, 0, 0, 0]; 3]);
}

#[test]
fn a_joint_outside_the_imported_scene_is_reported_and_stands_at_the_origin() {
    let mut doc = skinned();
    doc.json["scenes"] = json!([{"nodes": [0, 1]}]);
    let (content, report) = doc.load().unwrap();
    holds(&report.to_string(), &["skins[0].joints[1]: ignored: node 2 is not in the imported scene"]);
    assert_eq!(origins(&content), [A, Vec3::ZERO]);
}

#[test]
fn a_skin_that_moves_nothing_is_reported_where_it_stands() {
    let mut unused = skinned();
    unused.json["nodes"][0].as_object_mut().unwrap().remove("skin");
    assert_eq!(unused.noted(), ["skins[0]"]);
    let mut meshless = skinned();
    meshless.json["nodes"][1]["skin"] = json!(0);
    assert_eq!(meshless.noted(), ["nodes[1].skin"]);
    let mut jointless = skinned();
    let attributes = jointless.json["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap();
    attributes.retain(|name, _| name == "POSITION");
    assert_eq!(jointless.noted(), ["nodes[0].skin"]);
}

/// The corpus's Fox has 24 of them in one hierarchy; nothing limits their number.
#[test]
fn three_hundred_joints_are_all_there() {
    let mut doc = skinned();
    let joints: Vec<u64> = (0..300).map(|x| doc.push("nodes", json!({"translation": [x, 0, 0]}))).collect();
    doc.json["skins"][0]["joints"] = json!(joints);
    doc.json["scenes"][0]["nodes"].as_array_mut().unwrap().extend(joints.iter().map(|joint| json!(joint)));
    let origins = origins(&doc.content());
    assert!(origins.len() == 300 && origins.iter().zip(0..).all(|(at, x)| at.x == x as f32));
}

/// All that 16 bits can number.
#[test]
fn sixty_five_thousand_joints_are_all_there() {
    let mut doc = skinned();
    let chain = |x: u32| json!({"translation": [x, 0, 0]});
    doc.json["nodes"].as_array_mut().unwrap().extend((0..65_536).map(chain));
    let joints: Vec<u32> = (3..65_539).collect();
    doc.json["skins"][0]["joints"] = json!(joints);
    doc.json["scenes"][0]["nodes"].as_array_mut().unwrap().extend(joints.iter().map(|joint| json!(joint)));
    let last: Vec<u8> = [65_535_u16, 0, 0, 0].iter().flat_map(|joint| joint.to_le_bytes()).collect();
    let accessor = doc.accessor(U16, "VEC4", 3, &last.repeat(3));
    doc.attribute("JOINTS_0", accessor);
    let content = doc.content();
    let origins = origins(&content);
    assert_eq!((origins.len(), origins[65_535].x), (65_536, 65_535.0));
    let bounds = content.scene.bounds(&content.assets).unwrap();
    assert!(bounds.min.x > 65_534.0 && bounds.max.x < 65_537.0, "{bounds:?}");
    doc.json["skins"][0]["joints"].as_array_mut().unwrap().pop();
    holds(&doc.refusal(), &["nodes[0].skin", "follows joint 65535, but the skin has 65535"]);
}

#[test]
fn a_joint_may_be_there_twice_or_carry_the_mesh_or_stand_above_it() {
    let mut doc = skinned();
    doc.json["skins"][0]["joints"] = json!([1, 1]);
    assert_eq!(origins(&doc.content()), [A, A]);
    doc.json["skins"][0]["joints"] = json!([2, 0]);
    assert_eq!(origins(&doc.content()), [B, Vec3::splat(100.0)]);
    doc.json["skins"][0]["joints"] = json!([1, 2]);
    doc.json["nodes"][1]["children"] = json!([0]);
    doc.json["scenes"] = json!([{"nodes": [1, 2]}]);
    let (content, report) = doc.load().unwrap();
    assert!(report.is_empty(), "{report}");
    assert_eq!(origins(&content), [A, B]);
}

#[test]
fn weights_that_do_not_sum_to_one_are_normalized_and_reported() {
    let mut doc = skinned();
    let weights = doc.floats("VEC4", &[0.5, 1.5, 0.0, 0.0].repeat(3));
    doc.attribute("WEIGHTS_0", weights);
    assert_eq!(doc.mesh().joint_sets[0].weights, [[0.25, 0.75, 0.0, 0.0]; 3]);
    assert_eq!(doc.noted(), ["meshes[0].primitives[0].attributes"]);
}
