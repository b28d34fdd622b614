//! The complaints about animation that concern sampling and what it writes; each names its number.

use crate::clips::*;
use fire_engine::animation::{
    AnimationError, AnimationId, LoopMode, PlaybackOptions, RotationInterpolation, SlotId, TargetPath,
};
use fire_engine::math::{Mat4, Quat, Transform, Vec3};
use fire_engine::scene::ClipBinding;

const ONCE: PlaybackOptions = PlaybackOptions {
    start_time: 0.0,
    speed: 1.0,
    loop_mode: LoopMode::Once,
    paused: false,
    weight: 1.0,
    blend: fire_engine::animation::BlendMode::Mix,
    rotation_interpolation: RotationInterpolation::Slerp,
};

/// Degrees about z, from 0 to 360.
fn degrees(q: Quat) -> f64 {
    let angle = 2.0 * f64::from(q.z).atan2(f64::from(q.w)).to_degrees();
    angle.rem_euclid(360.0)
}

/// Complaints 1 and 3: a full turn in quarters whose last keys change the sign of w never runs backward.
#[test]
fn t_anim_short_a_full_turn_in_quarters_never_reverses() {
    let h = std::f32::consts::FRAC_1_SQRT_2;
    let keys = [
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, h, h],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, h, -h],
        [0.0, 0.0, 0.0, 1.0],
    ];
    let clip = clip(TargetPath::Rotation, rotations(LINEAR, &[0.0, 0.25, 0.5, 0.75, 1.0], &keys));
    for step in 0..200 {
        let seconds = f64::from(step) / 200.0;
        let found = degrees(sampled(&clip, seconds).rotation(SlotId::new(0)).unwrap());
        assert!((found - 360.0 * seconds).abs() < 1e-4, "{seconds} s: {found}");
    }
}

/// Complaints 4 to 6: q and -q are one key, also 21 degrees apart, and for the cheap interpolation too; the sign is mended
/// once, when the clip is built.
#[test]
fn t_anim_short_negated_keys_are_the_same_keys() {
    for apart in [21.0, 90.0, 179.0] {
        let (a, b) = (about(Vec3::Z, 0.0), about(Vec3::Z, apart));
        for rotation_interpolation in [RotationInterpolation::Slerp, RotationInterpolation::Nlerp] {
            let pose = |b: [f32; 4], seconds: f64| {
                let mut stage = Stage::new(1);
                let clip = clip(TargetPath::Rotation, rotations(LINEAR, &[0.0, 1.0], &[a, b]));
                stage.play(clip, PlaybackOptions { rotation_interpolation, ..ONCE });
                stage.advance(seconds);
                stage.transform(0).rotation
            };
            for step in 0..16 {
                let seconds = f64::from(step) / 16.0;
                let (plain, negated) = (pose(b, seconds), pose(b.map(|c| -c), seconds));
                assert_eq!(plain.to_array().map(f32::to_bits), negated.to_array().map(f32::to_bits));
                assert!(degrees(plain) <= apart, "{apart}: {plain}");
                if rotation_interpolation == RotationInterpolation::Slerp {
                    assert!((degrees(plain) - apart * seconds).abs() < 1e-4);
                }
            }
        }
    }
}

/// Complaint 13 and defect D4: the short channel holds its end while the clip, which loops as one, goes on.
#[test]
fn t_anim_clamp_channels_of_unequal_length_loop_with_the_clip() {
    let channel = |end: f32| vectors(LINEAR, &[0.0, end], &[[0.0; 3], [end, 0.0, 0.0]]);
    let mut stage = Stage::new(2);
    let clip =
        clip_of(vec![(0, TargetPath::Translation, channel(1.0)), (1, TargetPath::Translation, channel(2.0))]);
    stage.play_on(clip, &[0, 1], PlaybackOptions::default());
    for (step, expected) in [(0.5, [0.5, 0.5]), (1.0, [1.0, 1.5]), (1.0, [0.5, 0.5]), (1.25, [1.0, 1.75])] {
        stage.advance(step);
        assert_eq!([stage.x(0), stage.x(1)], expected);
    }
}

/// Complaint 14: nothing is invented between the last key and the first.
#[test]
fn t_anim_clamp_no_motion_is_invented_at_the_seam() {
    let times: Vec<f32> = (1..=30).map(|i| i as f32 / 30.0).collect();
    let values: Vec<[f32; 3]> = times.iter().map(|&t| [t, 0.0, 0.0]).collect();
    let mut stage = Stage::new(1);
    stage.play(clip(TargetPath::Translation, vectors(LINEAR, &times, &values)), PlaybackOptions::default());
    stage.advance(0.99);
    assert!(stage.x(0) > 0.98);
    stage.advance(0.02);
    assert_eq!(stage.x(0), values[0][0], "before the first key its value");
}

/// Complaints 15 and 16: a one-shot stays at its end, and the end can be sought.
#[test]
fn t_anim_clamp_the_last_key_is_held_and_reachable() {
    let mut stage = Stage::new(1);
    let playback = stage.play(ramp(2.0), ONCE);
    for _ in 0..4 {
        stage.advance(0.75);
    }
    assert_eq!((stage.x(0), stage.time(playback)), (2.0, 2.0));
    assert!(stage.scene.playback(playback).unwrap().is_finished());
    let mut stage = Stage::new(1);
    let playback = stage.play(ramp(2.0), PlaybackOptions::default());
    stage.scene.seek(playback, 2.0).unwrap();
    stage.advance(0.0);
    assert_eq!((stage.x(0), stage.time(playback)), (2.0, 2.0));
}

/// Complaint 17: a clip of no duration has one pose and no NaN, by every mode and however it is played.
#[test]
fn t_anim_clamp_no_duration_gives_no_nan() {
    for interpolation in [STEP, LINEAR, CUBIC] {
        let keys = vec![[3.0; 3]; interpolation.elements()];
        for loop_mode in [LoopMode::Once, LoopMode::Times(3), LoopMode::Forever, LoopMode::PingPong] {
            for speed in [1.0, -1.0, 0.0, 1e300] {
                let mut stage = Stage::new(1);
                let clip = clip(TargetPath::Translation, vectors(interpolation, &[0.0], &keys));
                let playback = stage.play(clip, PlaybackOptions { loop_mode, speed, ..ONCE });
                for step in [0.0, 0.5, 1e300] {
                    stage.advance(step);
                    assert_eq!((stage.time(playback), stage.x(0)), (0.0, 3.0));
                }
                stage.scene.seek(playback, 1.0).unwrap();
                assert_eq!(stage.time(playback), 0.0);
            }
        }
    }
}

/// Complaint 19: what a clip does not drive keeps the node's rest.
#[test]
fn t_anim_clamp_other_parts_keep_their_rest() {
    let rest = Transform {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_rotation_y(1.0),
        scale: Vec3::new(2.0, 3.0, 4.0),
    };
    for path in [TargetPath::Translation, TargetPath::Scale] {
        let mut stage = Stage::new(1);
        stage.put(0, rest);
        stage.play(clip(path, vectors(LINEAR, &[0.0, 1.0], &[[5.0; 3], [7.0; 3]])), ONCE);
        stage.advance(0.5);
        let driven = Vec3::splat(6.0);
        let expected = match path {
            TargetPath::Scale => Transform { scale: driven, ..rest },
            _ => Transform { translation: driven, ..rest },
        };
        assert_eq!(stage.transform(0), expected);
    }
}

/// Complaint 20: a node with a matrix refuses what drives a part of it; a parent with one stays sheared above an
/// animated child.
#[test]
fn t_anim_matrix_refuses_parts_and_stays_above_them() {
    let mut stage = Stage::new(1);
    let shear = Mat4::from_cols_array(&[
        1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ]);
    stage.scene.find_mut(stage.nodes[0]).unwrap().set_matrix(shear).unwrap();
    for path in [TargetPath::Translation, TargetPath::Scale] {
        let binding = stage.bind(clip(path, vectors(STEP, &[0.0], &[[1.0; 3]])), &[0]);
        let clip = stage.clips[binding.animation.index()].clone();
        let error = stage.scene.play(&clip, &binding, ONCE).unwrap_err();
        assert!(matches!(error, AnimationError::MatrixNode { path: named, .. } if named == path), "{error}");
    }
    // Weights are no part of the transform.
    stage.play(clip(TargetPath::Weights, weights(STEP, &[0.0], &[0.5])), ONCE);
    stage.scene.find_mut(stage.nodes[0]).unwrap().set_matrix(shear).unwrap();
    let child = stage.scene.add_child(stage.nodes[0], "").unwrap();
    stage.nodes.push(child);
    stage.play_on(clip(TargetPath::Translation, vectors(STEP, &[0.0], &[[0.0, 2.0, 0.0]])), &[1], ONCE);
    stage.advance(0.0);
    stage.scene.update_world_transforms();
    assert_eq!(stage.weights(0), [0.5]);
    let world = stage.scene.find(child).unwrap().world();
    assert_eq!(world.to_mat4(), shear * Mat4::from_translation(Vec3::new(0.0, 2.0, 0.0)));
}

/// Complaint 21: nodes of one name, or of none, are told apart, since a binding names nodes and no names.
#[test]
fn t_anim_names_do_not_bind() {
    let mut stage = Stage::new(0);
    for name in ["wheel", "wheel", "", ""] {
        let node = stage.scene.add_root(name).unwrap();
        stage.nodes.push(node);
    }
    let at = |x: f32| vectors(STEP, &[0.0], &[[x, 0.0, 0.0]]);
    let clip = clip_of(vec![(0, TargetPath::Translation, at(1.0)), (1, TargetPath::Translation, at(2.0))]);
    stage.play_on(clip, &[1, 3], ONCE);
    stage.advance(0.0);
    assert_eq!([0, 1, 2, 3].map(|node| stage.x(node)), [0.0, 1.0, 0.0, 2.0]);
}

/// Complaint 22: a scale of zero, of a node and of its parent, is a pose like any other, and ends.
#[test]
fn t_anim_scale0_hides_without_nan() {
    let times = [0.0, 1.0, 2.0];
    let blink = || clip(TargetPath::Scale, vectors(STEP, &times, &[[0.0; 3], [1.0; 3], [0.0; 3]]));
    let mut stage = Stage::new(1);
    let child = stage.scene.add_child(stage.nodes[0], "").unwrap();
    stage.nodes.push(child);
    stage.put(1, Transform::from_translation(Vec3::X));
    stage.play_on(blink(), &[0], ONCE);
    stage.play_on(blink(), &[1], ONCE);
    for (seconds, shown) in [(0.0, 0.0), (1.0, 1.0), (0.5, 1.0), (0.5, 0.0)] {
        stage.advance(seconds);
        stage.scene.update_world_transforms();
        for &node in &stage.nodes {
            let world = stage.scene.find(node).unwrap().world().to_mat4();
            assert!(world.is_finite());
            assert_eq!(world.x_axis.x, shown);
        }
    }
}

/// Complaint 23: where a clip has more or fewer weights than a node, the smaller number is driven; a node without any gets
/// those of the clip, at rest 0.
#[test]
fn t_anim_weights_of_another_number_are_clamped_to_each_node() {
    let mut stage = Stage::new(4);
    let mut set = |node: usize, weights: &[f32]| {
        let id = stage.nodes[node];
        stage.scene.find_mut(id).unwrap().set_weights(weights).unwrap();
    };
    set(0, &[0.1, 0.2]);
    set(1, &[0.1]);
    set(2, &[0.1, 0.2, 0.3]);
    let two = || weights(LINEAR, &[0.0, 1.0], &[0.0, 1.0, 1.0, 0.0]);
    let clip = clip_of((0..4).map(|slot| (slot, TargetPath::Weights, two())).collect());
    let playback = stage.play_on(clip, &[0, 1, 2, 3], ONCE);
    assert_eq!(stage.weights(3), [0.0, 0.0]);
    for weight in [1.0, 0.5] {
        stage.scene.set_weight(playback, weight).unwrap();
        stage.scene.seek(playback, 0.25).unwrap();
        stage.advance(0.0);
        let mixed = |sample: f32, rest: f32| {
            let (sample, rest) = (f64::from(sample), f64::from(rest));
            (sample * weight + rest * (1.0 - weight)) as f32
        };
        assert_eq!(stage.weights(0), [mixed(0.25, 0.1), mixed(0.75, 0.2)]);
        assert_eq!(stage.weights(1), [mixed(0.25, 0.1)]);
        assert_eq!(stage.weights(2), [mixed(0.25, 0.1), mixed(0.75, 0.2), 0.3]);
        assert_eq!(stage.weights(3), [mixed(0.25, 0.0), mixed(0.75, 0.0)]);
    }
}

/// Complaint 24: a clip costs what it drives. Thousands of clips of one channel each on a node of their own start, play,
/// give way to others and end in time that grows with their number, not with its square.
#[test]
fn t_anim_weights_many_clips_of_one_channel_stay_linear() {
    let mut stage = Stage::new(20_000);
    stage.clips = vec![still(1.0), still(3.0)];
    let play = |stage: &mut Stage, node: usize, clip: u32, weight| {
        let nodes = vec![stage.nodes[node]];
        let binding = ClipBinding::new(AnimationId::new(clip), nodes);
        let options = PlaybackOptions { weight, ..ONCE };
        stage.scene.play(&stage.clips[clip as usize], &binding, options).unwrap()
    };
    let first: Vec<_> = (0..stage.nodes.len())
        .map(|node| play(&mut stage, node, 0, if node % 2 == 0 { 1.0 } else { 0.5 }))
        .collect();
    for _ in 0..10 {
        stage.advance(0.1);
    }
    assert_eq!([0, 1, 19_998, 19_999].map(|node| stage.x(node)), [1.0, 0.5, 1.0, 0.5]);
    for (node, first) in first.into_iter().enumerate() {
        let second = play(&mut stage, node, 1, 1.0);
        stage.scene.cross_fade(first, second, 1.0).unwrap();
    }
    stage.advance(0.5);
    assert_eq!([0, 1, 19_998, 19_999].map(|node| stage.x(node)), [2.0, 1.75, 2.0, 1.75]);
    stage.advance(1.0);
    assert_eq!(stage.scene.playbacks().len(), 20_000);
    assert_eq!([0, 1, 19_998, 19_999].map(|node| stage.x(node)), [3.0; 4]);
}

/// Stopping one does not move all the others: where it did, this took minutes.
#[test]
fn a_hundred_thousand_clips_are_stopped_one_by_one_in_no_time() {
    const COUNT: usize = 100_000;
    let mut stage = Stage::new(COUNT);
    stage.clips = vec![still(1.0), still(2.0)];
    let mut playing = Vec::new();
    for node in 0..COUNT {
        let binding = ClipBinding::new(AnimationId::new((node % 2) as u32), vec![stage.nodes[node]]);
        playing.push(stage.scene.play(&stage.clips[node % 2], &binding, ONCE).unwrap());
    }
    stage.advance(0.0);
    let start = std::time::Instant::now();
    // From the front, then from the back, then from the middle.
    let (first, rest) = playing.split_at(COUNT / 3);
    let (middle, last) = rest.split_at(COUNT / 3);
    let order = first.iter().chain(last.iter().rev()).chain(middle[100..].iter());
    for &playback in order {
        assert!(stage.scene.stop(playback) && !stage.scene.stop(playback));
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    let left: Vec<_> = stage.scene.playbacks().iter().map(|playback| playback.id()).collect();
    assert_eq!(left, middle[..100]);
    stage.advance(0.0);
    assert_eq!(stage.scene.playbacks().len(), 100);
}

/// What was stopped is gone at once for whoever asks, wherever it is asked, and what is left keeps its order.
#[test]
fn what_is_stopped_is_nowhere_to_be_seen_and_the_others_keep_their_order() {
    let mut stage = Stage::new(1);
    let mut playing: Vec<_> =
        (0..6).map(|i| stage.play(ramp(8.0), PlaybackOptions { start_time: f64::from(i), ..ONCE })).collect();
    stage.advance(0.0);
    let node = stage.nodes[0];
    let check = |stage: &Stage, playing: &[fire_engine::animation::PlaybackId]| {
        let listed: Vec<_> = stage.scene.playbacks().iter().map(|playback| playback.id()).collect();
        let bound: Vec<_> =
            stage.scene.find(node).unwrap().animators().map(|animator| animator.playback).collect();
        assert_eq!((&*listed, &*bound), (playing, playing));
        assert_eq!(stage.scene.find(node).unwrap().is_animated(), !playing.is_empty());
    };
    for at in [4, 0, 2] {
        let gone = playing.remove(at);
        assert!(stage.scene.stop(gone) && stage.scene.playback(gone).is_none());
        assert_eq!(stage.scene.seek(gone, 1.0), Err(AnimationError::UnknownPlayback));
        assert_eq!(stage.scene.set_mask(gone, |_| true), Err(AnimationError::UnknownPlayback));
        check(&stage, &playing);
        // What is changed meanwhile is seen where all are listed.
        stage.scene.seek(playing[1], 7.0).unwrap();
        assert_eq!(stage.scene.playbacks()[1].time(), 7.0);
        playing.push(stage.play(ramp(8.0), ONCE));
        check(&stage, &playing);
    }
    let (from, to) = (playing[0], playing[1]);
    stage.scene.cross_fade(from, to, 0.0).unwrap();
    playing.remove(0);
    check(&stage, &playing);
    // The clips of what was stopped need not be there any more.
    let first = stage.scene.playbacks()[0].animation();
    playing.drain(1..).for_each(|playback| assert!(stage.scene.stop(playback)));
    stage.clips.truncate(first.index() + 1);
    stage.advance(0.0);
    check(&stage, &playing);
    assert_eq!(stage.x(0), stage.time(playing[0]) as f32);
    stage.scene.stop(playing.remove(0));
    check(&stage, &playing);
    stage.clips.clear();
    stage.advance(1.0);
}
