//! Several playbacks of one property.

use crate::clips::*;
use fire_engine::animation::{
    Animation, AnimationError, BlendMode, LoopMode, PlaybackOptions, SlotId, TargetPath,
};
use fire_engine::math::{Quat, Transform, Vec3};

fn weighing(weight: f64) -> PlaybackOptions {
    PlaybackOptions { weight, ..PlaybackOptions::default() }
}

fn turned(degrees: f64) -> Animation {
    clip(TargetPath::Rotation, rotations(STEP, &[0.0], &[about(Vec3::Z, degrees)]))
}

fn degrees(stage: &Stage) -> f64 {
    let q = stage.transform(0).rotation;
    (2.0 * f64::from(q.z).atan2(f64::from(q.w))).to_degrees()
}

#[test]
fn one_playback_at_weight_1_gives_exactly_its_sample() {
    // Values and times whose mix with anything would round.
    let keys = [[0.1, 0.2, 0.3], [1e-9, 1e9, -0.7]];
    let turn = [[0.1, -0.3, 0.5, 0.8], [0.6, 0.2, -0.4, 0.1]];
    let all = clip_of(vec![
        (0, TargetPath::Translation, vectors(LINEAR, &[0.0, 3.0], &keys)),
        (0, TargetPath::Rotation, rotations(LINEAR, &[0.0, 3.0], &turn)),
        (0, TargetPath::Scale, vectors(LINEAR, &[0.0, 3.0], &keys)),
        (0, TargetPath::Weights, weights(LINEAR, &[0.0, 3.0], &[0.1, 0.7, 0.9, -0.3])),
    ]);
    let mut alone = Stage::new(1);
    alone.play(all.clone(), PlaybackOptions::default());
    // Others of weight 0 before and after it, which makes the properties shared.
    let mut among = Stage::new(1);
    among.play(all.clone(), PlaybackOptions { start_time: 1.0, ..weighing(0.0) });
    among.play(all.clone(), PlaybackOptions::default());
    among.play(all.clone(), PlaybackOptions { start_time: 2.0, ..weighing(0.0) });
    for step in 1..40 {
        for stage in [&mut alone, &mut among] {
            stage.advance(0.07);
        }
        let pose = sampled(&all, 0.07 * f64::from(step) % 3.0);
        let time = alone.scene.playbacks()[0].time();
        let exact = sampled(&all, time);
        for stage in [&alone, &among] {
            let Transform { translation, rotation, scale } = stage.transform(0);
            assert_eq!(Some(translation), exact.translation(SlotId::new(0)));
            assert_eq!(Some(rotation), exact.rotation(SlotId::new(0)));
            assert_eq!(Some(scale), exact.scale(SlotId::new(0)));
            assert_eq!(Some(stage.weights(0)), exact.weights(SlotId::new(0)));
        }
        assert!(pose.rotation(SlotId::new(0)).is_some());
    }
}

#[test]
fn below_a_sum_of_1_the_rest_fills_up_and_above_it_weights_are_scaled() {
    for (weights_of, expected) in [
        (vec![], 8.0),
        (vec![0.0], 8.0),
        (vec![0.25], 6.0 + 0.25),
        (vec![0.25, 0.25], 4.0 + 0.25 + 0.5),
        (vec![0.5, 0.5], 1.5),
        (vec![1.0, 1.0], 1.5),
        (vec![0.5, 1.0, 0.5], 2.0),
        (vec![1.0, 0.0, 1.0], 2.0),
    ] {
        let mut stage = Stage::new(1);
        stage.put(0, Transform::from_translation(Vec3::new(8.0, 0.0, 0.0)));
        for (weight, x) in weights_of.iter().zip([1.0, 2.0, 3.0]) {
            stage.play(still(x), weighing(*weight));
        }
        stage.advance(0.0);
        assert_eq!(stage.x(0), expected, "{weights_of:?}");
    }
}

#[test]
fn rotations_are_mixed_by_nlerp_with_signs_of_the_first() {
    for sign in [1.0, -1.0] {
        let negated = |degrees| {
            let key = about(Vec3::Z, degrees).map(|c| c * sign);
            clip(TargetPath::Rotation, rotations(STEP, &[0.0], &[key]))
        };
        let mut stage = Stage::new(1);
        stage.play(turned(0.0), weighing(0.5));
        stage.play(negated(80.0), weighing(0.5));
        stage.advance(0.0);
        assert!((degrees(&stage) - 40.0).abs() < 1e-4);
        // Unequal weights: the angle of the chord's point.
        stage.scene.set_weight(stage.scene.playbacks()[1].id(), 0.25).unwrap();
        stage.scene.set_weight(stage.scene.playbacks()[0].id(), 0.75).unwrap();
        stage.advance(0.0);
        let half = 40f64.to_radians();
        let chord = (0.25 * half.sin()).atan2(0.75 + 0.25 * half.cos());
        assert!((degrees(&stage) - 2.0 * chord.to_degrees()).abs() < 1e-4);
        assert!((stage.transform(0).rotation.length() - 1.0).abs() < 1e-6);
    }
    // The rest is aligned too: 10 degrees the short way from -10, written as its opposite.
    let mut stage = Stage::new(1);
    stage.put(0, Transform::from_rotation(-Quat::from_array(about(Vec3::Z, -10.0))));
    stage.play(turned(10.0), weighing(0.5));
    stage.advance(0.0);
    assert!(degrees(&stage).abs() < 1e-4, "{}", degrees(&stage));
}

#[test]
fn the_order_of_starting_decides_and_nothing_else() {
    let bits = |order: [usize; 3]| {
        let mut stage = Stage::new(1);
        for index in order {
            stage.play(turned([5.0, 77.0, 150.0][index]), weighing(0.4));
        }
        stage.advance(0.0);
        stage.transform(0).rotation.to_array().map(f32::to_bits)
    };
    assert_eq!(bits([0, 1, 2]), bits([0, 1, 2]));
    let near = |a: [u32; 4], b: [u32; 4]| {
        let [a, b] = [a, b].map(|q| Quat::from_array(q.map(f32::from_bits)));
        (a.dot(b).abs() - 1.0).abs() < 1e-6
    };
    assert!(near(bits([0, 1, 2]), bits([2, 1, 0])));
}

#[test]
fn weights_speeds_and_times_out_of_range_are_refused_and_change_nothing() {
    let mut stage = Stage::new(1);
    let playback = stage.play(ramp(2.0), PlaybackOptions::default());
    let binding = stage.bind(still(0.0), &[0]);
    for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(stage.scene.set_weight(playback, bad), Err(AnimationError::Weight { .. })), "{bad}");
        assert!(matches!(stage.scene.fade(playback, bad, 1.0), Err(AnimationError::Weight { .. })));
        let refused = stage.scene.play(&stage.clips[1], &binding, weighing(bad));
        assert!(matches!(refused, Err(AnimationError::Weight { .. })), "{refused:?}");
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(stage.scene.set_speed(playback, bad), Err(AnimationError::Speed { .. })));
        let options = PlaybackOptions { speed: bad, ..PlaybackOptions::default() };
        assert!(stage.scene.play(&stage.clips[1], &binding, options).is_err());
        assert!(matches!(stage.scene.fade(playback, 0.5, bad), Err(AnimationError::Time { .. })));
        let options =
            PlaybackOptions { blend: BlendMode::Additive { reference: bad }, ..PlaybackOptions::default() };
        assert!(stage.scene.play(&stage.clips[1], &binding, options).is_err());
        assert!(matches!(stage.scene.seek(playback, bad), Err(AnimationError::Time { .. })));
    }
    assert_eq!(stage.scene.playbacks().len(), 1);
    let other = stage.play(still(1.0), PlaybackOptions::default());
    stage.scene.stop(other);
    let unknown = Err(AnimationError::UnknownPlayback);
    assert_eq!(stage.scene.set_weight(other, 0.5), unknown);
    assert_eq!(stage.scene.set_speed(other, 1.0), unknown);
    assert_eq!(stage.scene.set_paused(other, true), unknown);
    assert_eq!(stage.scene.set_loop_mode(other, LoopMode::Once), unknown);
    assert_eq!(stage.scene.cross_fade(playback, other, 1.0), unknown);
    assert_eq!(stage.scene.cross_fade(other, playback, 1.0), unknown);
    assert_eq!(stage.scene.cross_fade(playback, playback, 1.0), Err(AnimationError::FadeToItself));
    assert!(stage.scene.cross_fade(playback, playback, -1.0).is_err());
    assert!(!stage.scene.playback(playback).unwrap().is_fading());
}

#[test]
fn cross_fade_moves_evenly_and_ends_the_first() {
    let mut stage = Stage::new(1);
    let walk = stage.play(still(0.0), PlaybackOptions::default());
    stage.advance(0.0);
    let run = stage.play(still(8.0), PlaybackOptions::default());
    stage.scene.cross_fade(walk, run, 2.0).unwrap();
    stage.advance(0.0);
    assert_eq!(stage.x(0), 0.0, "the new one starts from nothing");
    for expected in [2.0, 4.0, 6.0] {
        stage.advance(0.5);
        assert_eq!(stage.x(0), expected);
    }
    // Turned back half way: the weights go on from where they are.
    stage.scene.cross_fade(run, walk, 1.0).unwrap();
    stage.advance(0.0);
    assert_eq!(stage.x(0), 6.0);
    stage.advance(0.5);
    assert_eq!(stage.x(0), 3.0);
    stage.advance(7.0);
    assert_eq!(stage.x(0), 0.0);
    assert!(stage.scene.playback(run).is_none(), "faded out");
    let walk = stage.scene.playback(walk).unwrap();
    assert!(walk.weight() == 1.0 && !walk.is_fading());
}

#[test]
fn cross_fade_of_no_time_is_a_cut_and_fades_go_on_under_a_pause() {
    let mut stage = Stage::new(1);
    let first = stage.play(still(1.0), PlaybackOptions::default());
    let second = stage.play(still(2.0), PlaybackOptions::default());
    stage.scene.cross_fade(first, second, 0.0).unwrap();
    assert!(stage.scene.playback(first).is_none());
    stage.advance(0.0);
    assert_eq!(stage.x(0), 2.0);
    stage.scene.set_paused(second, true).unwrap();
    stage.scene.fade(second, 0.5, 1.0).unwrap();
    stage.advance(0.5);
    assert_eq!((stage.x(0), stage.scene.playback(second).unwrap().weight()), (1.5, 0.75));
    stage.scene.set_weight(second, 1.0).unwrap();
    stage.advance(0.5);
    assert_eq!(stage.x(0), 2.0, "setting a weight ends the fade");
}

#[test]
fn a_faded_out_clip_leaves_nodes_that_the_next_does_not_drive_at_rest() {
    let mut stage = Stage::new(2);
    stage.put(1, Transform::from_translation(Vec3::new(3.0, 0.0, 0.0)));
    let at = |slot| (slot, TargetPath::Translation, vectors(STEP, &[0.0], &[[1.0, 0.0, 0.0]]));
    let both = stage.play_on(clip_of(vec![at(0), at(1)]), &[0, 1], PlaybackOptions::default());
    stage.advance(0.0);
    assert_eq!(stage.x(1), 1.0);
    let one = stage.play(still(5.0), PlaybackOptions::default());
    stage.scene.cross_fade(both, one, 1.0).unwrap();
    stage.advance(0.5);
    assert_eq!((stage.x(0), stage.x(1)), (3.0, 2.0));
    stage.advance(1.0);
    assert_eq!((stage.x(0), stage.x(1)), (5.0, 3.0));
    assert!(!stage.scene.find(stage.nodes[1]).unwrap().is_animated());
}

#[test]
fn additive_layers_add_what_differs_from_their_reference() {
    let lean = || {
        clip_of(vec![
            (0, TargetPath::Translation, vectors(LINEAR, &[0.0, 2.0], &[[1.0, 0.0, 0.0], [5.0, 0.0, 0.0]])),
            (
                0,
                TargetPath::Rotation,
                rotations(LINEAR, &[0.0, 2.0], &[about(Vec3::X, 30.0), about(Vec3::X, 70.0)]),
            ),
            (0, TargetPath::Scale, vectors(LINEAR, &[0.0, 2.0], &[[1.0; 3], [3.0; 3]])),
            (0, TargetPath::Weights, weights(LINEAR, &[0.0, 2.0], &[0.0, 1.0])),
        ])
    };
    for (base, weight, reference) in
        [(true, 1.0, 0.0), (true, 0.5, 0.0), (false, 1.0, 0.0), (true, 1.0, 99.0)]
    {
        let mut stage = Stage::new(1);
        let rest = Quat::from_array(about(Vec3::Z, 20.0));
        stage.put(0, Transform { translation: Vec3::new(0.0, 9.0, 0.0), rotation: rest, scale: Vec3::ONE });
        stage.scene.find_mut(stage.nodes[0]).unwrap().set_weights(&[0.25]).unwrap();
        let blend = BlendMode::Additive { reference };
        // Started first, yet on top.
        stage.play(lean(), PlaybackOptions { blend, start_time: 1.0, ..weighing(weight) });
        if base {
            stage.play(turned(90.0), PlaybackOptions::default());
        }
        for _ in 0..3 {
            // Every frame anew, not on top of the last one.
            stage.advance(0.0);
        }
        // 1 s in of 2 s: half way; with the end as reference, half way back.
        let part = if reference == 0.0 { weight } else { -weight } as f32;
        let Transform { translation, rotation, scale } = stage.transform(0);
        assert_eq!(translation, Vec3::new(2.0 * part, 9.0, 0.0));
        assert_eq!(scale, Vec3::splat(1.0 + part));
        assert_eq!(stage.weights(0), [0.25 + 0.5 * part]);
        let under = if base { Quat::from_array(about(Vec3::Z, 90.0)) } else { rest };
        let expected = under * Quat::from_array(about(Vec3::X, 20.0 * f64::from(part)));
        // A part of a small turn by nlerp is the part of its angle to a few 1e-5.
        assert!((rotation.dot(expected).abs() - 1.0).abs() < 1e-6, "{rotation} {expected}");
    }
}

#[test]
fn additive_weight_0_adds_nothing_and_two_layers_add_up() {
    let mut stage = Stage::new(1);
    let additive = |weight| PlaybackOptions {
        blend: BlendMode::Additive { reference: 0.0 },
        start_time: 1.0,
        paused: true,
        ..weighing(weight)
    };
    stage.play(still(10.0), PlaybackOptions::default());
    let first = stage.play(ramp(2.0), additive(0.0));
    stage.play(ramp(2.0), additive(0.5));
    stage.advance(1.0);
    assert_eq!(stage.x(0), 10.5);
    stage.scene.set_weight(first, 1.0).unwrap();
    stage.advance(1.0);
    assert_eq!(stage.x(0), 11.5);
}
