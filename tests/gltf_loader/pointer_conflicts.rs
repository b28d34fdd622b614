//! Pointers to what other channels of the same clip drive.

use crate::fixtures::holds;
use crate::pointers::{components, drive, driven, rows, stage, target};
use fire_engine::animation::{Keyframes, TargetPath};
use serde_json::{Value, json};

fn plain(node: u32, path: &str) -> Value {
    json!({"node": node, "path": path})
}

#[test]
fn a_pointer_to_what_another_channel_drives_is_left_out_alone_however_it_is_named() {
    let fov = "/cameras/0/perspective/yfov";
    // The channel that is left out comes last.
    let pairs = [
        ([plain(0, "scale"), target("/nodes/0/scale")], "VEC3", "the scale of node 0"),
        ([target("/nodes/0/scale"), target("/nodes/0/scale")], "VEC3", "the scale of node 0"),
        (
            [target("/nodes/0/weights/1"), target("/nodes/0/weights/1")],
            "SCALAR",
            "the weight of morph target 1 of node 0",
        ),
        (
            [target("/materials/0/alphaCutoff"), target("/materials/0/alphaCutoff")],
            "SCALAR",
            "alpha cutoff of material 0",
        ),
        ([target(fov), target(fov)], "SCALAR", "the camera's vertical field of view of camera 0"),
        (
            [target("/meshes/0/weights/1"), target("/meshes/0/weights/1")],
            "SCALAR",
            "morph target 1 of mesh 0",
        ),
    ];
    for (targets, shape, reason) in pairs {
        let is_plain = targets[0].get("node").is_some();
        // A channel without a pointer counts, wherever it stands.
        for order in if is_plain { &[[0, 1], [1, 0]][..] } else { &[[0, 1]] } {
            let mut doc = stage();
            let (input, value) =
                (doc.floats("SCALAR", &[0.0, 1.0]), doc.floats(shape, &[0.5; 6][..2 * components(shape)]));
            let other = doc.floats(shape, &[0.25; 6][..2 * components(shape)]);
            for &which in order {
                drive(&mut doc, targets[which].clone(), input, [value, other][which]);
            }
            let turn = doc.floats("VEC4", &[0.0, 0.0, 0.0, 1.0].repeat(2));
            drive(&mut doc, plain(1, "rotation"), input, turn);
            let rows = rows(&doc);
            assert_eq!(rows.len(), 1, "{rows:?}");
            let dropped = order.iter().position(|&which| which == 1).unwrap();
            let place = format!("animations[0].channels[{dropped}]: left out");
            holds(&rows[0], &[&place, "another channel drives", reason]);
            let content = doc.content();
            let kept = driven(&content);
            // The camera is on two nodes.
            let expected = if targets[0] == target(fov) { 3 } else { 2 };
            assert_eq!((kept.len(), kept.last()), (expected, Some(&(TargetPath::Rotation, 1))), "{kept:?}");
            let clip = &content.animations[0];
            let values = match &clip.samplers()[clip.channels()[0].sampler as usize].values {
                Keyframes::Vec3(values) => values[0].x,
                Keyframes::Weights(values) | Keyframes::Numbers(values) => values[0],
                other => panic!("{other:?}"),
            };
            assert_eq!(values, 0.5, "the first of the pair counts");
        }
    }
}

#[test]
fn all_weights_and_a_pointer_to_one_of_them_leave_the_pointer_out() {
    for order in [[0, 1], [1, 0]] {
        let mut doc = stage();
        let input = doc.floats("SCALAR", &[0.0, 1.0]);
        let outputs = [doc.floats("SCALAR", &[0.5; 4]), doc.floats("SCALAR", &[0.5; 2])];
        let targets = [plain(0, "weights"), target("/nodes/0/weights/1")];
        for which in order {
            drive(&mut doc, targets[which].clone(), input, outputs[which]);
        }
        let rows = rows(&doc);
        holds(
            &rows[0],
            &[&format!("channels[{}]: left out", order[1]), "the weight of morph target 1 of node 0"],
        );
        assert_eq!((rows.len(), driven(&doc.content())), (1, vec![(TargetPath::Weights, 0)]));
    }
}

/// A node that has no weights of its own shows the mesh's; one whose own are driven does not.
#[test]
fn weights_of_a_mesh_are_driven_on_the_nodes_whose_own_are_not() {
    let mut doc = stage();
    let mesh = json!({"mesh": 0});
    let nodes = doc.json["nodes"].as_array_mut().unwrap();
    nodes.extend([mesh.clone(), mesh.clone(), mesh]);
    doc.json["scenes"] = json!([{"nodes": [0, 1, 2, 3, 5, 6, 7]}]);
    let input = doc.floats("SCALAR", &[0.0, 1.0]);
    let one = doc.floats("SCALAR", &[0.5; 2]);
    let all = doc.floats("SCALAR", &[0.25; 4]);
    drive(&mut doc, target("/meshes/0/weights/0"), input, one);
    drive(&mut doc, plain(0, "weights"), input, all);
    let turn = doc.floats("VEC4", &[0.0, 0.0, 0.0, 1.0].repeat(2));
    drive(&mut doc, plain(1, "rotation"), input, turn);
    // Another weight than the mesh's.
    drive(&mut doc, target("/nodes/5/weights/1"), input, one);
    drive(&mut doc, target("/nodes/6/weights/0"), input, one);
    let found = rows(&doc);
    assert_eq!(found.len(), 1, "{found:?}");
    let parts = ["channels[0]: the weight of morph target 0 of mesh 0 is not driven on node 0 and another,"];
    holds(&found[0], &parts);
    let mut content = doc.content();
    const FIRST: TargetPath = TargetPath::Weight(0);
    let expected = [
        (FIRST, 5),
        (FIRST, 7),
        (TargetPath::Weights, 0),
        (TargetPath::Rotation, 1),
        (TargetPath::Weight(1), 5),
        (FIRST, 6),
    ];
    assert_eq!(driven(&content), expected);
    content.play_all().unwrap();
    content.advance(0.5).unwrap();
    let weights = [0, 3, 5, 6, 7].map(|node| {
        let id = content.document.nodes[node].unwrap();
        content.scene.find(id).unwrap().weights().to_vec()
    });
    assert_eq!(weights, [[0.25, 0.25], [0.5, 0.25], [0.5, 0.5], [0.5, 0.0], [0.5, 0.0]]);
    // Where that leaves no node, nothing of the pointer's channel is left, and the rest plays all the same.
    doc.json["scenes"] = json!([{"nodes": [0, 1, 2, 3]}]);
    let channels = doc.json["animations"][0]["channels"].as_array_mut().unwrap();
    channels.truncate(3);
    let found = rows(&doc);
    assert_eq!(found.len(), 1, "{found:?}");
    holds(&found[0], &["channels[0]: ", "is not driven on node 0, where another channel"]);
    assert_eq!(driven(&doc.content()), [(TargetPath::Weights, 0), (TargetPath::Rotation, 1)]);
}
