//! Clips, channels and bindings.

use crate::fixtures::{Doc, F32, U16, holds};
use fire_engine::gltf::{LoadLimits, LoadOptions, NoFiles, NoteKind, Severity, load_from_slice_with};
use fire_engine::math::Quat;
use serde_json::json;

#[test]
fn a_rotation_channel_becomes_a_clip_bound_to_its_node() {
    let mut content = Doc::turning().content();
    assert_eq!((content.animations.len(), content.bindings.len()), (1, 1));
    let clip = &content.animations[0];
    assert_eq!((clip.name(), clip.duration(), clip.slot_count()), ("Turn", 2.0, 1));
    assert_eq!(clip.samplers()[0].timestamps, [0.0, 1.0, 2.0]);
    let node = content.scene.roots().next().unwrap();
    assert_eq!(content.bindings[0].nodes, [node.id()]);
    assert!(content.scene.playbacks().is_empty() && !node.is_animated(), "nothing plays after a load");
    let id = node.id();
    content.play_all().unwrap();
    content.advance(1.0).unwrap();
    let rotation = content.scene.find(id).unwrap().local().transform().unwrap().rotation;
    assert!(rotation.dot(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)).abs() > 0.999_999);
}

/// Bound by index: names play no part (T-ANIM-NAMES, D7).
#[test]
fn channels_that_share_a_sampler_share_it_in_the_clip_and_slots_go_by_first_use() {
    let mut doc = Doc::turning();
    doc.json["nodes"] = json!([{"name": "a", "children": [1, 2]}, {"name": "b"}, {"name": "c"}]);
    let (input, output) = (doc.floats("SCALAR", &[0.0, 4.0, 5.0]), doc.quarter_turns());
    let spare = json!({"input": 1, "output": 2, "interpolation": "STEP"});
    doc.json["animations"][0]["samplers"] = json!([spare, {"input": 1, "output": 2}, {"input": input, "output": output, "interpolation": "LINEAR"}]);
    let channel =
        |sampler: u32, node: u32| json!({"sampler": sampler, "target": {"node": node, "path": "rotation"}});
    doc.json["animations"][0]["channels"] = json!([channel(2, 2), channel(1, 0), channel(2, 1)]);
    let content = doc.content();
    let clip = &content.animations[0];
    let channels: Vec<_> = clip.channels().iter().map(|c| (c.slot.index(), c.sampler)).collect();
    assert_eq!((channels.as_slice(), clip.samplers().len()), (&[(0, 0), (1, 1), (2, 0)][..], 2));
    assert_eq!(clip.duration(), 5.0);
    let names: Vec<_> = content.bindings[0]
        .nodes
        .iter()
        .map(|&id| content.scene.find(id).unwrap().name().to_owned())
        .collect();
    assert_eq!(names, ["c", "a", "b"]);
}

/// T-ANIM-NAMES, 21, D7: siblings of one name, or of none, are told apart by their index.
#[test]
fn t_anim_names_play_no_part_in_binding() {
    for name in ["Wheel", ""] {
        let mut doc = Doc::turning();
        doc.json["nodes"] = json!([{"name": name, "children": [1, 2]}, {"name": name}, {"name": name}]);
        doc.json["animations"][0]["channels"][0]["target"]["node"] = json!(2);
        let mut content = doc.content();
        assert_eq!(content.bindings[0].nodes, [content.document.nodes[2].unwrap()]);
        content.play_all().unwrap();
        let driven: Vec<_> = content.document.nodes.iter().flatten().collect();
        let driven = driven.into_iter().map(|&node| content.scene.find(node).unwrap().is_animated());
        assert_eq!(driven.collect::<Vec<_>>(), [false, false, true]);
    }
}

#[test]
fn two_clips_on_one_node_are_accepted() {
    let mut doc = Doc::turning();
    let second = doc.json["animations"][0].clone();
    doc.push("animations", second);
    let content = doc.content();
    assert_eq!((content.animations.len(), content.bindings.len()), (2, 2));
    assert_eq!(content.bindings[0].nodes, content.bindings[1].nodes);
    assert_eq!(content.bindings[1].animation.index(), 1);
}

/// The message of the row about animation 0, which must be the only row about an animation, and the clip empty.
#[track_caller]
fn left_out(doc: &Doc) -> String {
    let (mut content, report) = doc.load().unwrap();
    let rows: Vec<_> = report.iter().filter(|note| note.json_path.starts_with("animations")).collect();
    assert_eq!(rows.len(), 1, "{report}");
    assert_eq!((rows[0].json_path.as_str(), rows[0].severity), ("animations[0]", Severity::Warning));
    assert_eq!((content.animations[0].channels().len(), content.bindings[0].nodes.len()), (0, 0));
    content.play_all().unwrap();
    content.advance(1.0).unwrap();
    rows[0].message.clone()
}

#[test]
fn a_clip_that_drives_a_property_twice_is_left_out() {
    let mut doc = Doc::turning().unlit();
    let channel = doc.json["animations"][0]["channels"][0].clone();
    doc.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    holds(&left_out(&doc), &["channels 0 and 1 both drive the rotation"]);
}

/// T-ANIM, D3: one broken clip must not silence the others.
#[test]
fn a_bad_clip_is_left_out_and_the_others_keep_their_index_and_play() {
    let mut doc = Doc::turning().unlit();
    let mut bad = doc.json["animations"][0].clone();
    let good = bad.clone();
    let input = doc.floats("SCALAR", &[0.0, 1.0, 1.0]);
    bad["samplers"][0]["input"] = json!(input);
    bad["name"] = json!("Bad");
    doc.json["animations"] = json!([bad, good]);
    let message = left_out(&doc);
    holds(&message, &["the whole clip is left out", "keyframe 2", "strictly increasing"]);
    let mut content = doc.content();
    assert_eq!((content.animations[0].name(), content.animations[1].name()), ("Bad", "Turn"));
    let playbacks = content.play_all().unwrap();
    assert_eq!(playbacks.len(), 2);
    content.advance(1.0).unwrap();
    let rotation = content.scene.roots().next().unwrap().local().transform().unwrap().rotation;
    assert!(rotation.dot(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)).abs() > 0.999_999);
}

/// 41, 43: what is not played is said, once a clip and kind, and the rest of the clip plays.
#[test]
fn channels_of_an_unknown_path_are_counted_in_one_row_a_clip_and_kind() {
    let mut doc = Doc::turning().unlit();
    // Accessors of a wrong type and without data: what is not played is not read.
    doc.push("accessors", json!({"componentType": 5123, "count": 2, "type": "VEC2"}));
    let channel = |sampler: u32, path: &str| json!({"sampler": sampler, "target": {"node": 0, "path": path}});
    let turn = doc.json["animations"][0]["samplers"][0].clone();
    doc.json["animations"][0]["samplers"] = json!([turn, {"input": 3, "output": 3}]);
    doc.json["animations"][0]["channels"] =
        json!([channel(1, "Scale"), channel(0, "rotation"), channel(1, "Scale"), channel(1, "Rotation")]);
    let (content, report) = doc.load().unwrap();
    assert_eq!((content.animations[0].channels().len(), content.animations[0].samplers().len()), (1, 1));
    let expected = [
        "1 channel not played: \"Rotation\" is not a property that glTF animates",
        "2 channels not played: \"Scale\" is not a property that glTF animates",
    ];
    let rows: Vec<_> = report.iter().map(|note| (note.json_path.as_str(), note.message.as_str())).collect();
    assert_eq!(rows, expected.map(|message| ("animations[0]", message)));
    assert!(report.iter().all(|note| note.kind == NoteKind::Ignored && note.severity == Severity::Warning));
}

/// What a channel refers to is checked whether it is played or not.
#[test]
fn channels_that_are_not_played_still_need_a_node_a_sampler_and_accessors_that_exist() {
    let mut doc = Doc::turning();
    doc.json["animations"][0]["channels"][0]["target"] = json!({"node": 9, "path": "translation"});
    holds(&doc.refusal(), &["animations[0].channels[0].target.node", "node 9"]);
    doc.json["animations"][0]["channels"][0] =
        json!({"sampler": 9, "target": {"node": 0, "path": "weights"}});
    holds(&doc.refusal(), &["animations[0].channels[0].sampler", "sampler 9"]);
    doc.json["animations"][0]["channels"][0]["sampler"] = json!(0);
    doc.json["animations"][0]["samplers"][0]["output"] = json!(9);
    holds(&doc.refusal(), &["animations[0].samplers[0].output", "accessor 9"]);
}

#[test]
fn clips_with_bad_key_times_counts_rotations_or_formats_are_left_out_with_their_place() {
    let broken = |times: &[f32], rotations: &[f32]| {
        let mut doc = Doc::turning().unlit();
        let (input, output) = (doc.floats("SCALAR", times), doc.floats("VEC4", rotations));
        doc.json["animations"][0]["samplers"][0] = json!({"input": input, "output": output});
        let (content, report) = doc.load().unwrap();
        assert!(content.animations[0].channels().is_empty());
        report.to_string()
    };
    let unit = [0.0, 0.0, 0.0, 1.0];
    holds(&broken(&[0.0, 1.0], &unit), &["animations[0]", "2 timestamps but 1 values"]);
    holds(
        &broken(&[1.0, 1.0], &[unit, unit].concat()),
        &["animations[0]", "keyframe 1", "strictly increasing"],
    );
    holds(&broken(&[-1.0], &unit), &["animations[0]", "at least 0"]);
    holds(&broken(&[f32::NAN], &unit), &["animations[0]", "finite"]);
    holds(&broken(&[0.0], &[0.0; 4]), &["animations[0]", "length is zero"]);
    let mut doc = Doc::turning().unlit();
    let vector = doc.accessor(U16, "VEC2", 3, &[0; 12]);
    doc.json["animations"][0]["samplers"][0]["input"] = json!(vector);
    holds(&left_out(&doc), &["animations[0].samplers[0].input", "UNSIGNED_SHORT VEC2", "FLOAT SCALAR"]);
}

#[test]
fn rotations_are_normalized_and_may_be_normalized_integers() {
    let mut doc = Doc::turning().unlit();
    let output = doc.floats("VEC4", &[0.0, 0.0, 0.0, 4.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0]);
    doc.json["animations"][0]["samplers"][0]["output"] = json!(output);
    let rotations = |doc: &Doc| doc.content().animations[0].samplers()[0].values.clone();
    let expected = rotations(&doc);
    let output = doc.accessor(5120, "VEC4", 3, &[0, 0, 0, 127, 0, 127, 0, 0, 0, 0, 127, 0]);
    doc.json["accessors"][output as usize]["normalized"] = json!(true);
    doc.json["animations"][0]["samplers"][0]["output"] = json!(output);
    assert_eq!(rotations(&doc), expected);
    doc.json["accessors"][output as usize]["normalized"] = json!(false);
    holds(&left_out(&doc), &["animations[0].samplers[0].output", "BYTE VEC4"]);
}

#[test]
fn a_sampler_with_too_long_an_accessor_is_refused_and_a_clip_whose_times_are_all_zero_left_out() {
    let mut doc = Doc::turning();
    doc.json["accessors"][1]["count"] = json!(3000);
    holds(&doc.refusal(), &["accessors[1]", "do not fit"]);
    let mut doc = Doc::turning().unlit();
    doc.json["accessors"][1] = json!({"componentType": F32, "count": 3, "type": "SCALAR"});
    holds(&left_out(&doc), &["strictly increasing"]);
}

#[test]
fn channels_without_a_usable_node_are_left_out_and_reported() {
    let mut doc = Doc::turning().unlit();
    doc.json["nodes"] = json!([{"name": "in"}, {"name": "out"}, {"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}]);
    doc.json["scenes"] = json!([{"nodes": [0, 2]}]);
    doc.json["animations"][0]["channels"] = json!([
        {"sampler": 0, "target": {"path": "rotation"}},
        {"sampler": 0, "target": {"path": "pointer"}},
        {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
        {"sampler": 0, "target": {"node": 2, "path": "rotation"}},
        {"sampler": 0, "target": {"node": 0, "path": "rotation"}},
    ]);
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.animations[0].channels().len(), 1);
    assert_eq!(content.scene.find(content.bindings[0].nodes[0]).unwrap().name(), "in");
    let paths: Vec<_> = report.iter().map(|note| note.json_path.clone()).collect();
    let channels = (0..4).map(|i| format!("animations[0].channels[{i}]"));
    let expected: Vec<_> = std::iter::once("nodes[1]".to_owned()).chain(channels).collect();
    assert_eq!(paths, expected);
}

#[test]
fn a_clip_whose_every_channel_is_left_out_keeps_its_place() {
    let mut doc = Doc::turning();
    let second = doc.json["animations"][0].clone();
    doc.push("animations", second);
    doc.json["animations"][0]["channels"] = json!([{"sampler": 0, "target": {"path": "rotation"}}]);
    let mut content = doc.content();
    assert_eq!(content.animations[0].channels().len(), 0);
    assert_eq!(content.animations[1].channels().len(), 1);
    content.play_all().unwrap();
    content.advance(0.5).unwrap();
}

#[test]
fn rotations_of_another_length_are_reported_once_a_sampler_and_only_if_rounding_does_not_explain_them() {
    let path = "animations[0].samplers[0].output";
    let noted = |output: &dyn Fn(&mut Doc) -> u64| {
        let mut doc = Doc::turning().unlit();
        let output = output(&mut doc);
        doc.json["animations"][0]["samplers"][0]["output"] = json!(output);
        doc.noted()
    };
    let scaled = |scale: f32| {
        noted(&|doc| doc.floats("VEC4", &[0.0, 0.0, 0.0, scale, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, scale]))
    };
    assert!(scaled(1.0004).is_empty() && scaled(0.9996).is_empty());
    assert_eq!((scaled(1.001), scaled(0.999)), (vec![path.to_owned()], vec![path.to_owned()]));
    let bytes = |x: u8, w: u8| {
        noted(&|doc| {
            let output = doc.accessor(5120, "VEC4", 3, &[x, x, x, w, 0, 0, 0, 127, 0, 0, 0, 127]);
            doc.json["accessors"][output as usize]["normalized"] = json!(true);
            output
        })
    };
    // 63 / 127 four times: a rounded half each.
    assert!(bytes(63, 63).is_empty());
    assert_eq!(bytes(0, 120), [path]);
}

/// What is worked out for each interval takes four times the room of the keys, which any number of samplers may share.
#[test]
fn what_is_worked_out_for_linear_rotations_is_charged() {
    let mut doc = Doc::turning();
    let times: Vec<f32> = (0..1000).map(|key| key as f32).collect();
    let rotations = [0.0, 0.0, 0.0, 1.0].repeat(1000);
    let (input, output) = (doc.floats("SCALAR", &times), doc.floats("VEC4", &rotations));
    let load = |interpolation: &str, decoded_bytes| {
        let mut doc = doc.clone();
        let sampler = json!({"input": input, "output": output, "interpolation": interpolation});
        doc.json["animations"][0]["samplers"] = json!([sampler]);
        let limits = LoadLimits { decoded_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_from_slice_with("turning", &doc.gltf(), &NoFiles, &options).map_err(|error| error.to_string())
    };
    // Keys of 20 bytes, and less than 10,000 bytes of everything else.
    assert!(load("STEP", 30_000).is_ok() && load("LINEAR", 94_000).is_ok());
    let error = load("LINEAR", 66_000).err().unwrap();
    holds(&error, &["animations[0].samplers[0].output", "decoded_bytes"]);
}
