//! Channels on single morph weights, which several may drive at once.

use crate::clips::*;
use fire_engine::animation::{Animation, AnimationError, BlendMode, PlaybackOptions, SlotId, TargetPath};

fn one(weight: u16, value: f32) -> Animation {
    clip(TargetPath::Weight(weight), weights(STEP, &[0.0], &[value]))
}

fn weighing(weight: f64) -> PlaybackOptions {
    PlaybackOptions { weight, ..PlaybackOptions::default() }
}

/// One node of three weights that rest at these.
fn stage() -> Stage {
    let mut stage = Stage::new(1);
    stage.scene.find_mut(stage.nodes[0]).unwrap().set_weights(&[0.25, 0.5, 0.75]).unwrap();
    stage
}

#[test]
fn one_weight_moves_and_the_others_rest() {
    for (weight, expected) in [(0, [0.125, 0.5, 0.75]), (1, [0.25, 0.125, 0.75]), (2, [0.25, 0.5, 0.125])] {
        let mut stage = stage();
        stage.play(one(weight, 0.125), PlaybackOptions::default());
        stage.advance(0.0);
        assert_eq!(stage.weights(0), expected);
        let animators: Vec<_> = stage.scene.find(stage.nodes[0]).unwrap().animators().collect();
        assert_eq!(animators.iter().map(|a| a.path).collect::<Vec<_>>(), [TargetPath::Weight(weight)]);
    }
    // One that there is not moves nothing.
    let mut stage = stage();
    stage.play(one(3, 0.125), PlaybackOptions::default());
    stage.advance(0.0);
    assert_eq!(stage.weights(0), [0.25, 0.5, 0.75]);
}

#[test]
fn several_channels_of_one_clip_each_move_their_own_by_their_own_keys() {
    let mut stage = stage();
    let clip = clip_of(vec![
        (0, TargetPath::Weight(2), weights(LINEAR, &[0.0, 1.0], &[0.0, 1.0])),
        (0, TargetPath::Weight(0), weights(STEP, &[0.0, 0.5], &[0.0, 0.5])),
    ]);
    stage.play(clip, PlaybackOptions::default());
    stage.advance(0.25);
    assert_eq!(stage.weights(0), [0.0, 0.5, 0.25]);
    stage.advance(0.5);
    assert_eq!(stage.weights(0), [0.5, 0.5, 0.75]);
}

#[test]
fn single_weights_mix_with_whole_sets_number_by_number() {
    let mut stage = stage();
    let whole = clip(TargetPath::Weights, weights(STEP, &[0.0], &[1.0, 1.0, 1.0]));
    stage.play(whole, weighing(0.5));
    stage.play(one(1, 0.0), weighing(0.25));
    let layer = clip(TargetPath::Weight(2), weights(LINEAR, &[0.0, 1.0], &[0.0, 1.0]));
    let added = PlaybackOptions { blend: BlendMode::Additive { reference: 0.0 }, ..weighing(1.0) };
    stage.play(layer, added);
    stage.advance(0.5);
    let expected = [0.5 + 0.5 * 0.25, 0.5 + 0.25 * 0.5, 0.5 + 0.5 * 0.75 + 0.5];
    assert_eq!(stage.weights(0), expected.map(|weight| weight as f32));
}

#[test]
fn a_node_without_weights_gets_as_many_as_the_clip_moves() {
    let mut stage = Stage::new(1);
    let clip = clip_of(vec![
        (0, TargetPath::Weight(0), weights(STEP, &[0.0], &[0.5])),
        (0, TargetPath::Weight(4), weights(STEP, &[0.0], &[1.0])),
    ]);
    stage.play(clip, PlaybackOptions::default());
    stage.advance(0.0);
    assert_eq!(stage.weights(0), [0.5, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_pose_has_them_by_number_and_writes_them_alone() {
    let mut stage = stage();
    let binding = stage.bind(one(1, 0.125), &[0]);
    let pose = sampled(&stage.clips[0], 0.0);
    let slot = SlotId::new(0);
    assert_eq!((pose.weights(slot), pose.numbers(slot, TargetPath::Weight(1))), (None, Some(&[0.125][..])));
    stage.scene.apply_pose(&pose, &binding).unwrap();
    assert_eq!(stage.weights(0), [0.25, 0.125, 0.75]);
    stage.scene.reset_pose();
    assert_eq!(stage.weights(0), [0.25, 0.5, 0.75]);
}

#[test]
fn one_weight_twice_or_beside_all_of_them_is_refused() {
    use fire_engine::animation::AnimationChannel;
    let build = |first, second, width: usize| {
        let sampler = |count: usize| weights(STEP, &[0.0], &vec![0.5; count]);
        let channel = |path, sampler| AnimationChannel { slot: SlotId::new(0), path, sampler };
        let samplers = vec![sampler(1), sampler(width)];
        Animation::new("clip", samplers, vec![channel(first, 0), channel(second, 1)])
    };
    let twice = build(TargetPath::Weight(1), TargetPath::Weight(1), 1);
    assert!(matches!(twice, Err(AnimationError::DuplicateTarget { first: 0, second: 1, .. })));
    let beside = build(TargetPath::Weight(1), TargetPath::Weights, 3);
    assert!(matches!(beside, Err(AnimationError::DuplicateTarget { .. })));
    let wide = build(TargetPath::Weight(0), TargetPath::Weight(1), 2);
    assert!(matches!(wide, Err(AnimationError::ChannelKind { channel: 1, .. })));
    let last = build(TargetPath::Weight(0), TargetPath::Weight(u16::MAX), 1);
    assert!(matches!(last, Err(AnimationError::ChannelKind { channel: 1, .. })));
    assert!(build(TargetPath::Weight(0), TargetPath::Weight(u16::MAX - 1), 1).is_ok());
}
