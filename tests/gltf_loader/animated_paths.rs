//! Channels of every path and interpolation, their formats, and the weights of nodes.

use crate::fixtures::{Doc, U16, holds};
use fire_engine::animation::{AnimationSampler, Interpolation, Keyframes, SlotId, TargetPath, sample_clip};
use fire_engine::math::{Quat, Vec3};
use fire_engine::scene::Content;
use serde_json::json;

/// A triangle with two morph targets, unlit, and an animation without channels.
fn morphing() -> Doc {
    let mut doc = Doc::triangle().unlit();
    let targets: Vec<_> = (0..2).map(|_| json!({"POSITION": doc.floats("VEC3", &[0.5; 9])})).collect();
    doc.json["meshes"][0]["primitives"][0]["targets"] = json!(targets);
    doc.json["animations"] = json!([{"samplers": [], "channels": []}]);
    doc
}

/// Adds a channel on node 0 with a sampler of these accessors.
fn channel(doc: &mut Doc, path: &str, interpolation: &str, input: u64, output: u64) {
    let animation = &mut doc.json["animations"][0];
    let samplers = animation["samplers"].as_array_mut().unwrap();
    samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
    let sampler = samplers.len() - 1;
    let channel = json!({"sampler": sampler, "target": {"node": 0, "path": path}});
    animation["channels"].as_array_mut().unwrap().push(channel);
}

fn samplers(content: &Content) -> &[AnimationSampler] {
    content.animations[0].samplers()
}

fn notes(doc: &Doc) -> Vec<String> {
    let (_, report) = doc.load().unwrap();
    report.iter().map(|note| format!("{}: {}", note.json_path, note.message)).collect()
}

/// Complaint 8, D5 and D6: every path by every interpolation comes through, in its own layout.
#[test]
fn t_anim_cubic_every_path_by_every_interpolation_is_imported() {
    let modes = [
        ("STEP", Interpolation::Step),
        ("LINEAR", Interpolation::Linear),
        ("CUBICSPLINE", Interpolation::CubicSpline),
    ];
    for (name, interpolation) in modes {
        let mut doc = morphing();
        let count = 2 * interpolation.elements();
        let input = doc.floats("SCALAR", &[0.0, 2.0]);
        let vectors: Vec<f32> = (0..3 * count).map(|i| i as f32).collect();
        let vector = doc.floats("VEC3", &vectors);
        let turns: Vec<f32> =
            (0..count).flat_map(|i| [0.0, 0.0, (i % 2) as f32, 1.0 - (i % 2) as f32]).collect();
        let turn = doc.floats("VEC4", &turns);
        let weights: Vec<f32> = (0..2 * count).map(|i| i as f32 / 8.0).collect();
        let weight = doc.floats("SCALAR", &weights);
        for (path, output) in
            [("translation", vector), ("scale", vector), ("rotation", turn), ("weights", weight)]
        {
            channel(&mut doc, path, name, input, output);
        }
        assert_eq!(notes(&doc), Vec::<String>::new());
        let mut content = doc.content();
        let paths: Vec<_> = content.animations[0].channels().iter().map(|channel| channel.path).collect();
        assert_eq!(
            paths,
            [TargetPath::Translation, TargetPath::Scale, TargetPath::Rotation, TargetPath::Weights]
        );
        assert!(samplers(&content).iter().all(|sampler| sampler.interpolation == interpolation));
        let vectors: Vec<Vec3> = vectors.chunks(3).map(Vec3::from_slice).collect();
        assert_eq!(samplers(&content)[0].values, Keyframes::Vec3(vectors));
        assert_eq!(samplers(&content)[3].values, Keyframes::Weights(weights.clone()));
        let mut pose = Default::default();
        sample_clip(&content.animations[0], 2.0, &mut pose).unwrap();
        let end = 2 * (count - 1 - interpolation.elements() / 2);
        assert_eq!(pose.weights(SlotId::new(0)), Some(&weights[end..end + 2]));
        content.play_all().unwrap();
        content.advance(1.0).unwrap();
        let node = content.scene.roots().next().unwrap();
        assert_eq!(node.weights().len(), 2);
        assert!(node.local().transform().unwrap().is_finite());
    }
}

#[test]
fn one_sampler_serves_translation_and_scale_and_is_read_once() {
    let mut doc = morphing();
    let (input, output) = (doc.floats("SCALAR", &[0.0]), doc.floats("VEC3", &[1.0, 2.0, 3.0]));
    channel(&mut doc, "translation", "LINEAR", input, output);
    let mut second = doc.json["animations"][0]["channels"][0].clone();
    second["target"]["path"] = json!("scale");
    doc.json["animations"][0]["channels"].as_array_mut().unwrap().push(second);
    let content = doc.content();
    assert_eq!((samplers(&content).len(), content.animations[0].channels().len()), (1, 2));
    // For rotations and weights the same accessor has the wrong shape.
    for (path, shape) in [("rotation", "VEC4"), ("weights", "SCALAR")] {
        doc.json["animations"][0]["channels"][1]["target"]["path"] = json!(path);
        let notes = notes(&doc);
        assert_eq!(notes.len(), 1);
        holds(&notes[0], &["animations[0]", "whole clip is left out", "FLOAT VEC3", shape]);
    }
}

/// glTF 2.0, section 3.11: c / 127, c / 32767, c / 255, c / 65535, and not below -1.
#[test]
fn outputs_may_be_normalized_integers_of_every_size() {
    let cases: [(u32, &[u8], [f32; 4]); 4] = [
        (5120, &[0x7f, 0x80, 0x40, 0x00], [1.0, -1.0, 64.0 / 127.0, 0.0]),
        (5121, &[0xff, 0x00, 0x40, 0x80], [1.0, 0.0, 64.0 / 255.0, 128.0 / 255.0]),
        (
            5122,
            &[0xff, 0x7f, 0x00, 0x80, 0x00, 0x40, 0x01, 0x00],
            [1.0, -1.0, 16384.0 / 32767.0, 1.0 / 32767.0],
        ),
        (
            5123,
            &[0xff, 0xff, 0x00, 0x00, 0x00, 0x40, 0x01, 0x00],
            [1.0, 0.0, 16384.0 / 65535.0, 1.0 / 65535.0],
        ),
    ];
    for (component, bytes, expected) in cases {
        let mut doc = morphing();
        let input = doc.floats("SCALAR", &[0.0, 1.0]);
        let output = doc.accessor(component, "SCALAR", 4, bytes);
        doc.json["accessors"][output as usize]["normalized"] = json!(true);
        channel(&mut doc, "weights", "LINEAR", input, output);
        let content = doc.content();
        let Keyframes::Weights(found) = &samplers(&content)[0].values else { panic!() };
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-7, "{component}: {found} {expected}");
        }
        // Without the flag they are whole numbers, which no sampler may have.
        doc.json["accessors"][output as usize]["normalized"] = json!(false);
        holds(&notes(&doc)[0], &["animations[0].samplers[0].output", "normalized integer SCALAR"]);
    }
}

#[test]
fn tangents_of_rotations_need_no_length() {
    let mut doc = morphing();
    let input = doc.floats("SCALAR", &[0.0, 1.0]);
    let one = [0.0, 0.0, 0.0, 1.0];
    let output = doc.floats("VEC4", &[[0.0; 4], one, [9.0; 4], [9.0; 4], one, [0.0; 4]].concat());
    channel(&mut doc, "rotation", "CUBICSPLINE", input, output);
    assert!(notes(&doc).is_empty());
    let long =
        doc.floats("VEC4", &[[0.0; 4], one, [9.0; 4], [9.0; 4], one.map(|c| 2.0 * c), [0.0; 4]].concat());
    doc.json["animations"][0]["samplers"][0]["output"] = json!(long);
    holds(&notes(&doc)[0], &["samplers[0].output", "1 of 2 rotations are not of length 1"]);
}

#[test]
fn a_spline_without_tangents_leaves_its_clip_out() {
    let mut doc = morphing();
    let (input, output) = (doc.floats("SCALAR", &[0.0, 1.0]), doc.floats("VEC3", &[0.0; 6]));
    channel(&mut doc, "scale", "CUBICSPLINE", input, output);
    holds(&notes(&doc)[0], &["animations[0]", "2 timestamps but 2 values", "give 3 each"]);
}

/// Complaint 23: another number of weights than of targets is reported, and the smaller number moves.
#[test]
fn t_anim_weights_of_another_number_than_the_targets_are_reported_and_clamped() {
    for (each, driven) in [(1, 1), (3, 2)] {
        let mut doc = morphing();
        let input = doc.floats("SCALAR", &[0.0, 1.0]);
        let output = doc.floats("SCALAR", &vec![0.75; 2 * each]);
        channel(&mut doc, "weights", "LINEAR", input, output);
        let notes = notes(&doc);
        assert_eq!(notes.len(), 1, "{notes:?}");
        holds(
            &notes[0],
            &["animations[0].channels[0]", &format!("{each} weights"), "2 morph targets of node 0"],
        );
        let mut content = doc.content();
        content.play_all().unwrap();
        content.advance(0.5).unwrap();
        let weights = content.scene.roots().next().unwrap().weights().to_vec();
        assert_eq!(weights.len(), 2);
        assert_eq!(weights.iter().filter(|&&weight| weight == 0.75).count(), driven);
    }
    let mut doc = Doc::turning().unlit();
    doc.json["animations"][0]["channels"][0]["target"]["path"] = json!("weights");
    let notes = notes(&doc);
    holds(&notes[0], &["animations[0].channels[0]", "no mesh with morph targets"]);
}

/// Complaint 23: a node's weights are its own, else its mesh's, else 0; as many as the mesh has targets.
#[test]
fn t_anim_weights_of_nodes_come_from_the_node_or_the_mesh_or_are_0() {
    let weights = |mesh: serde_json::Value, node: serde_json::Value| {
        let mut doc = morphing();
        if !mesh.is_null() {
            doc.json["meshes"][0]["weights"] = mesh;
        }
        if !node.is_null() {
            doc.json["nodes"][0]["weights"] = node;
        }
        let content = doc.content();
        let node = content.scene.roots().next().unwrap();
        assert_eq!(node.weights(), node.rest_weights());
        assert!(node.children().all(|primitive| primitive.weights().is_empty()));
        node.weights().to_vec()
    };
    let none = || serde_json::Value::Null;
    assert_eq!(weights(none(), none()), [0.0, 0.0]);
    assert_eq!(weights(json!([0.25, 0.5]), none()), [0.25, 0.5]);
    assert_eq!(weights(json!([0.25, 0.5]), json!([1.0, 0.0])), [1.0, 0.0]);
    assert_eq!(weights(json!([0.25]), none()), [0.25, 0.0]);
    assert_eq!(weights(none(), json!([0.25, 0.5, 0.75])), [0.25, 0.5]);
    assert!(Doc::triangle().content().scene.roots().next().unwrap().weights().is_empty());
}

/// Complaints 19 and 20: scale moves and the node's rotation stays; a matrix has no scale, but it has weights.
#[test]
fn t_anim_matrix_nodes_take_weights_and_nothing_else() {
    let mut doc = morphing();
    let input = doc.floats("SCALAR", &[0.0, 1.0]);
    let (vector, weight) = (doc.floats("VEC3", &[2.0; 6]), doc.floats("SCALAR", &[0.5; 4]));
    channel(&mut doc, "scale", "LINEAR", input, vector);
    channel(&mut doc, "weights", "LINEAR", input, weight);
    doc.json["nodes"][0]["rotation"] = json!([0.0, 1.0, 0.0, 0.0]);
    let mut content = doc.content();
    content.play_all().unwrap();
    content.advance(0.5).unwrap();
    let local = content.scene.roots().next().unwrap().local().transform().unwrap();
    assert_eq!((local.scale, local.rotation), (Vec3::splat(2.0), Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)));
    doc.json["nodes"][0].as_object_mut().unwrap().remove("rotation");
    doc.json["nodes"][0]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    let notes = notes(&doc);
    assert_eq!(notes, ["animations[0].channels[0]: node 0 has a matrix, which has no scale to drive"]);
    let mut content = doc.content();
    content.play_all().unwrap();
    content.advance(0.5).unwrap();
    assert_eq!(content.scene.roots().next().unwrap().weights(), [0.5, 0.5]);
}

/// Nodes that share a mesh of many targets each have weights, which count towards the limit of decoded data.
#[test]
fn weights_of_many_nodes_are_charged() {
    let mut doc = morphing();
    let target = doc.json["meshes"][0]["primitives"][0]["targets"][0].clone();
    doc.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![target; 1000]);
    let input = doc.accessor(U16, "SCALAR", 1, &[0, 0]);
    assert!(input > 0);
    let nodes: Vec<_> = (0..2000).map(|_| json!({"mesh": 0})).collect();
    doc.json["scenes"] = json!([{"nodes": (0..2000).collect::<Vec<_>>()}]);
    doc.json["nodes"] = json!(nodes);
    let limits = |decoded_bytes| fire_engine::gltf::LoadLimits { decoded_bytes, ..Default::default() };
    let load = |limits| {
        let options = fire_engine::gltf::LoadOptions { limits, ..Default::default() };
        fire_engine::gltf::load_from_slice_with(
            "many nodes",
            &doc.gltf(),
            &fire_engine::gltf::NoFiles,
            &options,
        )
    };
    // 8 MB of weights, and some hundred kilobytes of targets.
    let error = load(limits(6_000_000)).err().map(|error| error.to_string()).unwrap();
    holds(&error, &["decoded", "nodes["]);
    assert!(load(limits(20_000_000)).is_ok());
}
