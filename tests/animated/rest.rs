//! What a node rests with, and when it goes back there.

use crate::clips::*;
use fire_engine::animation::{AnimationError, PlaybackOptions, TargetPath};
use fire_engine::math::{Mat4, Quat, Transform, Vec3};
use fire_engine::scene::{LocalTransform, Scene, SceneError};

fn half() -> PlaybackOptions {
    PlaybackOptions { weight: 0.5, ..PlaybackOptions::default() }
}

fn x(x: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, 0.0, 0.0))
}

fn rest(stage: &Stage, node: usize) -> f32 {
    stage.scene.find(stage.nodes[node]).unwrap().rest().transform().unwrap().translation.x
}

#[test]
fn rest_outlives_what_plays() {
    let mut stage = Stage::new(1);
    stage.put(0, x(2.0));
    let first = stage.play(still(10.0), PlaybackOptions::default());
    stage.advance(0.0);
    assert_eq!((stage.x(0), rest(&stage, 0)), (10.0, 2.0));
    stage.scene.stop(first);
    stage.advance(0.0);
    assert_eq!((stage.x(0), rest(&stage, 0)), (10.0, 2.0), "a stopped playback leaves the pose");
    // The pose that was left is no rest: this one is mixed with 2.
    stage.play(still(4.0), half());
    stage.advance(0.0);
    assert_eq!(stage.x(0), 3.0);
    stage.scene.reset_pose();
    assert_eq!(stage.x(0), 2.0);
    stage.advance(0.0);
    assert_eq!(stage.x(0), 3.0);
}

#[test]
fn setting_a_transform_moves_the_rest_of_undriven_parts_only() {
    let mut stage = Stage::new(1);
    stage.play(still(10.0), half());
    stage.advance(0.0);
    assert_eq!(stage.x(0), 5.0);
    // Read, change, write back: the driven x must not creep into the rest.
    for step in 1..=20 {
        let mut transform = stage.transform(0);
        transform.scale = Vec3::splat(step as f32);
        stage.put(0, transform);
        stage.advance(0.0);
        assert_eq!((stage.x(0), rest(&stage, 0)), (5.0, 0.0));
    }
    assert_eq!(stage.transform(0).scale, Vec3::splat(20.0));
    stage.scene.reset_pose();
    assert_eq!(stage.transform(0), Transform { scale: Vec3::splat(20.0), ..Transform::IDENTITY });
}

#[test]
fn set_rest_changes_what_fills_up_and_moves_undriven_parts() {
    let mut stage = Stage::new(1);
    let clip = clip(TargetPath::Rotation, rotations(STEP, &[0.0], &[about(Vec3::Z, 90.0)]));
    let playback = stage.play(clip, PlaybackOptions::default());
    stage.advance(0.0);
    let turned = stage.transform(0).rotation;
    let rest =
        Transform { translation: Vec3::ONE, rotation: Quat::from_rotation_z(1.0), scale: Vec3::splat(2.0) };
    let mut node = stage.scene.find_mut(stage.nodes[0]).unwrap();
    node.set_rest(rest).unwrap();
    assert_eq!(node.as_node_ref().local(), LocalTransform::Trs(Transform { rotation: turned, ..rest }));
    assert_eq!(node.as_node_ref().rest(), LocalTransform::Trs(rest));
    let broken = Transform { scale: Vec3::splat(f32::NAN), ..rest };
    assert_eq!(node.set_rest(broken), Err(SceneError::NotFinite { node: "node 0".into() }));
    stage.scene.set_weight(playback, 0.0).unwrap();
    stage.advance(0.0);
    assert_eq!(stage.transform(0), rest, "a playback of weight 0 leaves the rest, exactly");
    stage.scene.stop(playback);
    let mut node = stage.scene.find_mut(stage.nodes[0]).unwrap();
    node.set_matrix(Mat4::IDENTITY).unwrap();
    assert_eq!(node.set_rest(rest), Err(SceneError::Matrix { node: "node 0".into() }));
    assert!(matches!(node.as_node_ref().rest(), LocalTransform::Matrix(_)));
    stage.scene.reset_pose();
    assert!(matches!(stage.scene.find(stage.nodes[0]).unwrap().local(), LocalTransform::Matrix(_)));
}

#[test]
fn a_removed_node_takes_its_rest_along() {
    let mut stage = Stage::new(2);
    stage.put(0, x(7.0));
    let playbacks = [0, 1].map(|node| stage.play_on(still(1.0), &[node], half()));
    stage.advance(0.0);
    assert_eq!((stage.x(0), stage.x(1)), (4.0, 0.5));
    stage.scene.remove(stage.nodes[0]).unwrap();
    stage.nodes[0] = stage.scene.add_root("heir of the slot").unwrap();
    stage.advance(0.0);
    stage.scene.reset_pose();
    assert_eq!((stage.x(0), rest(&stage, 0)), (0.0, 0.0));
    stage.scene.stop(playbacks[0]);
    let heirs = stage.play_on(still(1.0), &[0], half());
    stage.advance(0.0);
    assert_eq!((stage.x(0), stage.x(1)), (0.5, 0.5));
    stage.scene.stop(heirs);
    stage.scene.remove(stage.nodes[0]).unwrap();
    stage.advance(0.0);
    assert_eq!(stage.x(1), 0.5);
}

#[test]
fn weights_are_a_component_with_a_rest() {
    let mut stage = Stage::new(2);
    let node = stage.nodes[0];
    assert!(stage.weights(0).is_empty());
    let mut edit = stage.scene.find_mut(node).unwrap();
    edit.set_weights(&[0.25, 0.5]).unwrap();
    let refused = edit.set_weights(&[0.0, f32::INFINITY]).unwrap_err();
    assert_eq!(refused, SceneError::WeightNotFinite { node: "node 0".into(), target: 1 });
    let structure = stage.scene.structure_revision();
    let playback = stage.play(clip(TargetPath::Weights, weights(STEP, &[0.0], &[1.0, 1.0])), half());
    stage.advance(0.0);
    assert_eq!((stage.weights(0), stage.weights(1)), (&[0.625, 0.75][..], &[][..]));
    // While they are driven, setting them shows until the next advance, and the rest stays.
    stage.scene.find_mut(node).unwrap().set_weights(&[0.0, 0.0]).unwrap();
    assert_eq!(stage.weights(0), [0.0, 0.0]);
    stage.advance(0.0);
    assert_eq!(stage.weights(0), [0.625, 0.75]);
    assert_eq!(stage.scene.structure_revision(), structure, "values of weights are no change of structure");
    // Another number of them is another component, which a playback follows.
    stage.scene.find_mut(node).unwrap().set_weights(&[0.0, 0.0, 0.5]).unwrap();
    stage.advance(0.0);
    assert_eq!(stage.weights(0), [0.5, 0.5, 0.5]);
    assert_eq!(stage.scene.find(node).unwrap().rest_weights(), [0.0, 0.0, 0.5]);
    stage.scene.find_mut(node).unwrap().set_weights(&[]).unwrap();
    stage.advance(0.0);
    assert!(stage.weights(0).is_empty());
    assert!(stage.scene.stop(playback));
}

#[test]
fn a_copy_has_the_pose_the_rest_and_the_weights() {
    let mut stage = Stage::new(2);
    stage.put(0, x(2.0));
    stage.scene.find_mut(stage.nodes[0]).unwrap().set_weights(&[0.0, 0.5]).unwrap();
    let clip = clip_of(vec![
        (0, TargetPath::Translation, vectors(STEP, &[0.0], &[[10.0, 0.0, 0.0]])),
        (0, TargetPath::Weights, weights(STEP, &[0.0], &[1.0, 1.0])),
    ]);
    stage.play(clip, PlaybackOptions::default());
    stage.advance(0.0);
    let mut other = Scene::new();
    let map = other.append(&stage.scene, None, Transform::IDENTITY).unwrap();
    let copy = map.get(stage.nodes[0]).unwrap();
    let seen = |scene: &Scene| {
        let node = scene.find(copy).unwrap();
        (node.local().transform().unwrap(), node.weights().to_vec())
    };
    assert_eq!(seen(&other), (x(10.0), vec![1.0, 1.0]));
    other.reset_pose();
    assert_eq!(seen(&other), (x(2.0), vec![0.0, 0.5]));
}

#[test]
fn a_sampled_pose_is_written_without_a_playback_and_can_be_undone() {
    let mut stage = Stage::new(2);
    stage.put(0, x(2.0));
    stage.scene.find_mut(stage.nodes[1]).unwrap().set_weights(&[0.5]).unwrap();
    let both = clip_of(vec![
        (0, TargetPath::Translation, vectors(LINEAR, &[0.0, 2.0], &[[0.0; 3], [8.0, 0.0, 0.0]])),
        (1, TargetPath::Weights, weights(LINEAR, &[0.0, 2.0], &[0.0, 0.0, 1.0, 1.0])),
    ]);
    let pose = sampled(&both, 0.5);
    let binding = stage.bind(both, &[0, 1]);
    stage.scene.apply_pose(&pose, &binding).unwrap();
    assert_eq!((stage.x(0), rest(&stage, 0), stage.weights(1)), (2.0, 2.0, &[0.25][..]));
    let pose = sampled(&stage.clips[0], 1.5);
    stage.scene.apply_pose(&pose, &binding).unwrap();
    stage.scene.update_world_transforms();
    assert_eq!(stage.scene.find(stage.nodes[0]).unwrap().world().translation().x, 6.0);
    stage.scene.reset_pose();
    assert_eq!((stage.x(0), stage.weights(1)), (2.0, &[0.5][..]));
    let short = fire_engine::scene::ClipBinding { nodes: vec![stage.nodes[0]], ..binding };
    let error = stage.scene.apply_pose(&pose, &short).unwrap_err();
    assert!(matches!(error, AnimationError::BindingLength { nodes: 1, slots: 2, .. }), "{error}");
    assert_eq!(stage.x(0), 2.0);
}
