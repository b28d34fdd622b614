//! Nodes, scenes and cameras.

use crate::fixtures::{Doc, holds};
use fire_engine::gltf::{
    LoadError, LoadLimits, LoadOptions, NoFiles, SceneChoice, load_from_slice, load_from_slice_with,
};
use fire_engine::math::{Affine3x4, Mat4, Quat, Transform, Vec3};
use fire_engine::scene::{Camera, Content, DrawList, LocalTransform, Projection};
use serde_json::json;

/// Nodes without meshes; `nodes[i]` lists the children of node i, and the scene holds node 0.
fn tree(children: &[&[u32]]) -> Doc {
    let mut doc = Doc::new();
    let nodes: Vec<_> = children
        .iter()
        .enumerate()
        .map(|(index, list)| {
            if list.is_empty() {
                json!({"name": index.to_string()})
            } else {
                json!({"name": index.to_string(), "children": list})
            }
        })
        .collect();
    doc.json["nodes"] = json!(nodes);
    doc.json["scenes"] = json!([{"nodes": [0]}]);
    doc
}

#[test]
fn selected_hierarchy_imports_names_and_exact_transforms() {
    let mut doc = tree(&[&[1], &[]]);
    doc.json["nodes"][0]["translation"] = json!([1, 2, 3]);
    doc.json["nodes"][0]["rotation"] = json!([0, 0, 0, 2]);
    doc.json["nodes"][1]["scale"] = json!([2, 3, 4]);
    let content = doc.content();
    assert!(content.assets.render_objects().is_empty() && content.animations.is_empty());
    let root = content.scene.roots().next().unwrap();
    let transform = root.local().transform().unwrap();
    assert_eq!((root.name(), transform.translation), ("0", Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(transform.rotation, Quat::IDENTITY);
    let child = root.children().next().unwrap();
    assert_eq!((child.name(), child.local().transform().unwrap().scale), ("1", Vec3::new(2.0, 3.0, 4.0)));
    assert_eq!(child.world().translation(), Vec3::new(1.0, 2.0, 3.0), "worlds are resolved after a load");
}

#[test]
fn roots_and_children_keep_their_order() {
    let mut doc = tree(&[&[2, 1], &[], &[3], &[], &[]]);
    doc.json["scenes"] = json!([{"nodes": [4, 0]}]);
    let content = doc.content();
    let names: Vec<_> = content.scene.nodes().map(|node| node.name().to_owned()).collect();
    assert_eq!(names, ["4", "0", "2", "3", "1"]);
}

#[test]
fn primitives_become_identity_children_before_the_source_children() {
    let mut doc = Doc::triangle();
    doc.json["meshes"] = json!([
        {"primitives": [{"attributes": {"POSITION": 0}}, {"attributes": {"POSITION": 0}}]},
    ]);
    doc.json["nodes"] = json!([
        {"name": "Car", "mesh": 0, "children": [1], "translation": [1, 0, 0]},
        {"mesh": 0},
    ]);
    let content = doc.content();
    let found: Vec<_> =
        content.scene.nodes().map(|n| (n.name().to_owned(), n.render_object().map(|o| o.get()))).collect();
    let imported = || "Imported primitive".to_owned();
    assert_eq!(
        found,
        [
            ("Car".to_owned(), None),
            ("Car".to_owned(), Some(0)),
            ("Car".to_owned(), Some(1)),
            (String::new(), None),
            (imported(), Some(0)),
            (imported(), Some(1)),
        ]
    );
    let first = content.scene.nodes().nth(1).unwrap();
    assert_eq!(first.local().affine(), Affine3x4::IDENTITY);
    assert_eq!(first.world().translation(), Vec3::X);
}

/// T-XF-MIRROR, 49: what mirrors stays a mirror.
#[test]
fn matrix_nodes_keep_shear_and_mirror_exactly() {
    let matrix = [-1.0, 0.25, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 7.0, 8.0, 9.0, 1.0];
    let mut doc = tree(&[&[]]);
    doc.json["nodes"][0]["matrix"] = json!(matrix);
    let content = doc.content();
    let expected = Affine3x4::from_mat4(&Mat4::from_cols_array(&matrix));
    assert_eq!(content.scene.roots().next().unwrap().local(), LocalTransform::Matrix(expected));
}

#[test]
fn unusable_transforms_name_the_node() {
    let mut doc = tree(&[&[]]);
    doc.json["nodes"][0]["rotation"] = json!([0, 0, 0, 0]);
    holds(&doc.refusal(), &["nodes[0].rotation", "length is zero"]);
    let mut doc = tree(&[&[]]);
    doc.json["nodes"][0]["matrix"] = json!([1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    holds(&doc.refusal(), &["nodes[0]", "not affine"]);
    let mut doc = tree(&[&[]]);
    doc.json["nodes"][0]["translation"] = json!([1e39, 0, 0]);
    holds(&doc.refusal(), &["nodes[0]", "not finite"]);
    let mut doc = tree(&[&[]]);
    doc.json["nodes"][0]["matrix"] = json!(Mat4::IDENTITY.to_cols_array());
    doc.json["nodes"][0]["scale"] = json!([1, 1, 1]);
    holds(&doc.refusal(), &["nodes[0]", "keep one"]);
    let mut doc = tree(&[&[]]);
    doc.json["nodes"][0]["matrix"] = json!([1, 0, 0]);
    holds(&doc.refusal(), &["could not parse", "nodes[0].matrix"]);
}

#[test]
fn a_nearly_affine_matrix_is_repaired_and_reported() {
    let mut doc = tree(&[&[]]);
    doc.json["nodes"][0]["matrix"] = json!([1, 0, 0, 1e-9, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.scene.roots().next().unwrap().local().affine(), Affine3x4::IDENTITY);
    holds(&report.to_string(), &["nodes[0].matrix", "repaired"]);
}

/// D9: a node that is flat at rest, by its scale or its matrix, is kept with what is below it, since it may grow later.
#[test]
fn t_xf_nodes_of_determinant_zero_are_kept_and_drawn_once_they_grow() {
    let mut doc = Doc::triangle().unlit();
    doc.json["nodes"] = json!([
        {"scale": [0, 0, 0], "children": [2], "mesh": 0},
        {"matrix": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "mesh": 0},
        {"mesh": 0, "translation": [1, 0, 0]},
    ]);
    doc.json["scenes"] = json!([{"nodes": [0, 1]}]);
    let (mut content, report) = doc.load().unwrap();
    assert!(report.is_empty(), "{report}");
    assert_eq!((content.scene.len(), content.document.nodes.iter().flatten().count()), (6, 3));
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    assert_eq!(list.len(), 3);
    let [grown, child] = [0, 2].map(|node| content.document.nodes[node].unwrap());
    content.scene.find_mut(grown).unwrap().set_transform(Transform::from_scale(Vec3::splat(2.0))).unwrap();
    content.scene.update_world_transforms();
    assert_eq!(content.scene.find(child).unwrap().world().translation(), Vec3::new(2.0, 0.0, 0.0));
}

/// 31: nodes that are their own ancestors.
#[test]
fn cycles_are_refused_whether_the_scene_reaches_them_or_not() {
    for children in [&[&[0][..]][..], &[&[1], &[0]], &[&[], &[2], &[3], &[1]], &[&[1], &[2], &[1]]] {
        let mut doc = tree(children);
        doc.json["scenes"] = json!([{"nodes": []}]);
        let message = doc.refusal();
        assert!(message.contains("own ancestor") || message.contains("a node has one parent"), "{message}");
    }
    holds(&tree(&[&[], &[2], &[1]]).refusal(), &["own ancestor"]);
}

#[test]
fn a_node_with_two_parents_is_refused() {
    holds(
        &tree(&[&[1, 2], &[3], &[3], &[]]).refusal(),
        &["nodes[2].children[0]", "node 3", "node 1 already"],
    );
    holds(&tree(&[&[1, 1], &[]]).refusal(), &["nodes[0].children[1]"]);
    let mut doc = tree(&[&[1], &[]]);
    doc.json["scenes"] = json!([{"nodes": [0, 1]}]);
    holds(&doc.refusal(), &["scenes[0].nodes[1]", "child of node 0"]);
    doc.json["scenes"] = json!([{"nodes": [0, 0]}]);
    holds(&doc.refusal(), &["scenes[0].nodes[1]", "listed twice"]);
}

#[test]
fn a_chain_of_100_000_nodes_loads_without_recursion() {
    const DEPTH: usize = 100_000;
    let mut doc = Doc::new();
    let link = |i: usize| {
        if i + 1 < DEPTH { json!({"children": [i + 1], "translation": [1, 0, 0]}) } else { json!({}) }
    };
    doc.json["nodes"] = (0..DEPTH).map(link).collect();
    doc.json["scenes"] = json!([{"nodes": [0]}]);
    let content = doc.content();
    assert_eq!(content.scene.len(), DEPTH);
    let last = content.scene.nodes().last().unwrap();
    assert_eq!(last.world().translation(), Vec3::new((DEPTH - 1) as f32, 0.0, 0.0));
    let limits = LoadLimits { node_depth: 1000, ..LoadLimits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    let error = load_from_slice_with("chain", &doc.gltf(), &NoFiles, &options).unwrap_err();
    holds(&error.to_string(), &["chain", "nodes[1000]", "LoadLimits::node_depth"]);
}

/// 31: no scene and no node are no reason to fail.
#[test]
fn documents_without_scenes_or_nodes_are_empty_content() {
    for json in [
        json!({"asset": {"version": "2.0"}}),
        json!({"asset": {"version": "2.0"}, "scenes": [{}]}),
        json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"name": "Empty"}]}),
    ] {
        let doc = Doc { json, binary: Vec::new() };
        let (content, report) = doc.load().unwrap();
        assert!(content.scene.is_empty() && content.assets.revision() == 0 && report.is_empty());
    }
    let doc = Doc { json: json!({"asset": {"version": "2.0"}, "nodes": [{}]}), binary: Vec::new() };
    let (content, report) = doc.load().unwrap();
    assert!(content.scene.is_empty());
    holds(&report.to_string(), &["nodes", "no scene"]);
}

#[test]
fn one_scene_is_imported_the_named_the_asked_for_or_the_first() {
    let mut doc = tree(&[&[], &[], &[]]);
    doc.json["scenes"] =
        json!([{"nodes": [0]}, {"nodes": [1], "name": "Hall"}, {"nodes": [1, 2], "name": "Hall"}]);
    let names = |scene: Option<SceneChoice>| {
        let options = LoadOptions { scene, ..LoadOptions::default() };
        load_from_slice_with("scenes", &doc.gltf(), &NoFiles, &options).map(|(content, report)| {
            assert_eq!(report.len(), 2);
            assert_eq!(content.document.scenes, ["", "Hall", "Hall"]);
            let names = content.scene.nodes().map(|n| n.name().to_owned()).collect::<Vec<_>>().join(" ");
            (content.document.scene, names)
        })
    };
    let found = |scene: usize, names: &str| (Some(scene), names.to_owned());
    assert_eq!(names(None).unwrap(), found(0, "0"));
    assert_eq!(names(Some(2.into())).unwrap(), found(2, "1 2"));
    assert_eq!(names(Some("Hall".into())).unwrap(), found(1, "1"));
    assert_eq!(names(Some("".into())).unwrap(), found(0, "0"));
    let error = names(Some(3.into())).unwrap_err();
    assert!(
        matches!(&error, LoadError::UnknownScene { scene: SceneChoice::Index(3), names, .. } if names.len() == 3)
    );
    holds(&error.to_string(), &["there is no scene 3", "has scenes 0 \"\", 1 \"Hall\", 2 \"Hall\""]);
    assert!(!error.to_string().contains("invalid"), "{error}");
    let error = names(Some("hall".into())).unwrap_err();
    holds(&error.to_string(), &["there is no scene named \"hall\"", "1 \"Hall\""]);
    doc.json["scene"] = json!(1);
    assert_eq!(doc.content().scene.roots().next().unwrap().name(), "1");
    doc.json["scene"] = json!(null);
    assert_eq!(doc.content().scene.roots().next().unwrap().name(), "0");
}

#[test]
fn the_documents_numbers_lead_to_what_became_of_them() {
    let mut doc = Doc::triangle();
    doc.json["meshes"] = json!([
        {"primitives": []},
        {"primitives": [{"attributes": {}}, {"attributes": {"POSITION": 0}}]},
    ]);
    doc.json["nodes"] =
        json!([{"name": "other"}, {"name": "leaf", "mesh": 1}, {"name": "top", "children": [1]}]);
    doc.json["scenes"] = json!([{"nodes": [2]}, {"nodes": [0]}]);
    let content = doc.content();
    let document = &content.document;
    let name = |node: usize| document.nodes[node].map(|id| content.scene.find(id).unwrap().name());
    assert_eq!([name(0), name(1), name(2)], [None, Some("leaf"), Some("top")]);
    let object = content.scene.nodes().find_map(|node| node.render_object());
    assert!(object.is_some());
    assert_eq!(document.primitives, [vec![], vec![None, object]]);
    assert_eq!((document.scene, document.scenes.len()), (Some(0), 2));
}

#[test]
fn extras_are_reachable_by_the_path_of_their_object_as_they_stand_in_the_file() {
    let mut doc = Doc::triangle().unlit();
    doc.json["nodes"][0]["extras"] = json!({"health": 100, "tags": ["a", null]});
    doc.json["meshes"][0]["primitives"][0]["extras"] = json!(7);
    doc.json["extras"] = json!("whole");
    let (content, report) = doc.load().unwrap();
    let extras = &content.document.extras;
    let found: serde_json::Value = serde_json::from_str(extras.get("nodes[0]").unwrap()).unwrap();
    assert_eq!(found, doc.json["nodes"][0]["extras"]);
    assert_eq!((extras.get("meshes[0].primitives[0]"), extras.get("")), (Some("7"), Some("\"whole\"")));
    assert_eq!((extras.len(), extras.get("nodes[1]")), (3, None));
    assert!(report.is_empty(), "{report}");
    assert!(Doc::triangle().content().document.extras.is_empty());
}

/// What lies in parts that nobody reads is no reason to refuse the file, nor to lose what follows unsaid.
#[test]
fn extras_behind_what_is_no_text_or_too_deep_are_kept_or_their_loss_is_reported() {
    let file = |middle: &[u8]| {
        let head = br#"{"asset": {"version": "2.0"}, "extras": 1, "#;
        let tail = br#", "scenes": [{"extras": 2}]}"#;
        load_from_slice(&[&head[..], middle, tail].concat(), &NoFiles).unwrap()
    };
    let (content, report) = file(b"\"custom\": {\"extras\": \"\xE9t\xE9\"}");
    let extras = &content.document.extras;
    assert_eq!((extras.get("custom"), extras.get("scenes[0]")), (Some("\"\u{FFFD}t\u{FFFD}\""), Some("2")));
    holds(&report.to_string(), &["repaired", "not UTF-8"]);
    let deep = |bottom: &str| format!("\"custom\": {}{bottom}{}", "[".repeat(200), "]".repeat(200));
    let (content, report) = file(deep("").as_bytes());
    assert_eq!(content.document.extras.get("scenes[0]"), Some("2"));
    assert!(report.is_empty(), "{report}");
    let (content, report) = file(deep("{\"extras\": 3}").as_bytes());
    assert_eq!(
        (content.document.extras.get(""), content.document.extras.get("scenes[0]")),
        (Some("1"), None)
    );
    holds(&report.to_string(), &["warning: custom[0]", "extras from here on", "recursion limit"]);
    assert!(file(b"\"custom\": {\"extras\": \"\xC3\xA9\"}").1.is_empty());
}

#[test]
fn extras_count_towards_the_limit_and_may_be_deep() {
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let text = format!("{{\"asset\": {{\"version\": \"2.0\"}}, \"extras\": {deep}}}");
    let with = |decoded_bytes| {
        let limits = LoadLimits { decoded_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_from_slice_with("extras", text.as_bytes(), &NoFiles, &options)
    };
    assert_eq!(with(4 << 20).unwrap().0.document.extras.get(""), Some(deep.as_str()));
    let error = with(1_000_000).unwrap_err();
    holds(&error.to_string(), &["extras", "LoadLimits::decoded_bytes"]);
}

#[test]
fn cameras_come_onto_their_nodes() {
    let mut doc = tree(&[&[1], &[]]);
    doc.json["cameras"] = json!([
        {"name": "Front", "type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.25}},
        {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 3, "znear": 0, "zfar": 10}},
    ]);
    doc.json["nodes"][0]["camera"] = json!(0);
    doc.json["nodes"][1]["camera"] = json!(1);
    let content = doc.content();
    let listed = |content: &Content| -> Vec<(String, String, Projection)> {
        let cameras = content.scene.cameras();
        cameras.map(|(node, camera)| (node.name().into(), node.camera_name().into(), camera)).collect()
    };
    let open = Projection::Perspective { fov_y: 0.5, aspect: None, near: 0.25, far: None };
    let flat = Projection::Orthographic { xmag: 2.0, ymag: 3.0, near: 0.0, far: 10.0 };
    assert_eq!(listed(&content), [("0".into(), "Front".into(), open), ("1".into(), String::new(), flat)]);
    doc.json["cameras"][0]["perspective"]["aspectRatio"] = json!(1.5);
    doc.json["cameras"][0]["perspective"]["zfar"] = json!(8);
    let closed = Projection::Perspective { fov_y: 0.5, aspect: Some(1.5), near: 0.25, far: Some(8.0) };
    let content = doc.content();
    assert_eq!(listed(&content)[0].2, closed);
    for (node, projection) in content.scene.cameras() {
        let camera = Camera::from_node(&content.scene, node.id()).unwrap();
        assert_eq!(camera.projection, projection, "each can be looked through");
    }
}

#[test]
fn unusable_cameras_are_left_out_and_reported_and_malformed_ones_refused() {
    let mut doc = tree(&[&[]]);
    doc.json["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 4, "znear": 0.25}}]);
    doc.json["nodes"][0]["camera"] = json!(0);
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.scene.roots().next().unwrap().camera(), None);
    holds(&report.to_string(), &["cameras[0]", "field of view"]);
    doc.json["cameras"] = json!([{"type": "perspective"}]);
    holds(&doc.refusal(), &["cameras[0]", "perspective or orthographic"]);
}

#[test]
fn roots_that_no_scene_lists_are_reported() {
    let mut doc = tree(&[&[1], &[], &[3], &[], &[]]);
    assert_eq!(doc.noted(), ["nodes[2]", "nodes[4]"]);
    // A node of another scene is covered by that scene's row.
    doc.json["scenes"] = json!([{"nodes": [0]}, {"nodes": [2, 4]}]);
    assert_eq!(doc.noted(), ["scenes[1]"]);
    doc.json["scenes"] = json!([{"nodes": [0, 2, 4]}]);
    assert!(doc.noted().is_empty());
}

#[test]
fn a_rotation_of_another_length_is_normalized_and_reported() {
    let noted = |w: f32| {
        let mut doc = tree(&[&[]]);
        doc.json["nodes"][0]["rotation"] = json!([0, 0, 0, w]);
        assert_eq!(
            doc.content().scene.roots().next().unwrap().local(),
            LocalTransform::Trs(Transform::IDENTITY)
        );
        doc.noted()
    };
    assert!(noted(1.0004).is_empty() && noted(0.9996).is_empty());
    assert_eq!(
        (noted(1.001), noted(0.999)),
        (vec!["nodes[0].rotation".to_owned()], vec!["nodes[0].rotation".to_owned()])
    );
}
