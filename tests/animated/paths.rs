//! Each path by each interpolation.

use crate::clips::*;
use fire_engine::animation::{
    Animation, AnimationChannel, AnimationError, AnimationSampler, Interpolation, Keyframes, Pose, SlotId,
    TargetPath, sample_clip,
};
use fire_engine::math::{NormalizeError, Quat, Vec3};

const SLOT: SlotId = SlotId::new(0);

fn translation(clip: &Animation, seconds: f64) -> Vec3 {
    sampled(clip, seconds).translation(SLOT).unwrap()
}

fn rotation(clip: &Animation, seconds: f64) -> Quat {
    sampled(clip, seconds).rotation(SLOT).unwrap()
}

fn weights_at(clip: &Animation, seconds: f64) -> Vec<f32> {
    sampled(clip, seconds).weights(SLOT).unwrap().to_vec()
}

/// Defects D5 and D6: the mode is honored, for weights too.
#[test]
fn t_anim_d5_d6_step_holds_each_value_until_the_next_key() {
    let times = [0.5, 1.0, 3.0];
    let vector = clip(TargetPath::Scale, vectors(STEP, &times, &[[1.0; 3], [2.0; 3], [3.0; 3]]));
    let turn = clip(
        TargetPath::Rotation,
        rotations(STEP, &times, &[1.0, 2.0, 3.0].map(|i| about(Vec3::X, 40.0 * i))),
    );
    let morph = clip(TargetPath::Weights, weights(STEP, &times, &[1.0, -1.0, 2.0, -2.0, 3.0, -3.0]));
    for (seconds, key) in
        [(0.0, 1.0), (0.5, 1.0), (0.999_999, 1.0), (1.0, 2.0), (2.999_999, 2.0), (3.0, 3.0), (99.0, 3.0)]
    {
        assert_eq!(sampled(&vector, seconds).scale(SLOT), Some(Vec3::splat(key as f32)), "{seconds}");
        let expected = about(Vec3::X, 40.0 * key);
        assert!(rotation(&turn, seconds).abs_diff_eq(Quat::from_array(expected), 1e-6), "{seconds}");
        assert_eq!(weights_at(&morph, seconds), [key as f32, -key as f32], "{seconds}");
    }
}

/// Defects D5 and D6.
#[test]
fn t_anim_d5_d6_linear_mixes_vectors_and_weights_by_time() {
    let times = [1.0, 2.0, 4.0];
    let vector = vectors(LINEAR, &times, &[[0.0, 8.0, -2.0], [4.0, 8.0, 2.0], [0.0, 0.0, 0.0]]);
    for path in [TargetPath::Translation, TargetPath::Scale] {
        let clip = clip(path, vector.clone());
        let at = |seconds| {
            let pose = sampled(&clip, seconds);
            pose.translation(SLOT).or(pose.scale(SLOT)).unwrap().to_array()
        };
        assert_eq!(at(1.25), [1.0, 8.0, -1.0]);
        assert_eq!(at(2.5), [3.0, 6.0, 1.5]);
    }
    let morph =
        clip(TargetPath::Weights, weights(LINEAR, &times, &[0.0, 1.0, 0.5, 4.0, -1.0, 0.5, 0.0, 0.0, 0.5]));
    assert_eq!(weights_at(&morph, 1.5), [2.0, 0.0, 0.5]);
    assert_eq!(weights_at(&morph, 3.0), [2.0, -0.5, 0.5]);
}

/// T-ANIM-CUBIC, complaints 8 and 10: three elements a key, and tangents are per second.
#[test]
fn t_anim_cubic_tangents_are_scaled_by_the_interval() {
    // From 0 to 8, with slopes 2 and -4 per second: over 1 s, and stretched over 4.
    for length in [1.0f32, 4.0] {
        let key = |into: f32, value: f32, out: f32| [[into; 3], [value; 3], [out; 3]];
        let values = [key(77.0, 0.0, 2.0), key(-4.0, 8.0, 99.0)].concat();
        let clip = clip(TargetPath::Translation, vectors(CUBIC, &[0.0, length], &values));
        for step in 0..=16 {
            let t = f64::from(step) / 16.0;
            let d = f64::from(length);
            let (tt, ttt) = (t * t, t * t * t);
            let expected =
                d * (ttt - 2.0 * tt + t) * 2.0 + (3.0 * tt - 2.0 * ttt) * 8.0 + d * (ttt - tt) * -4.0;
            let found = translation(&clip, t * d);
            assert!((f64::from(found.x) - expected).abs() < 1e-6, "{t} of {length} s: {found} {expected}");
        }
    }
}

/// T-ANIM-CUBIC, complaint 9: the mixed quaternion is normalized, and no sign is changed on the way.
#[test]
fn t_anim_cubic_rotation_is_normalized_after_mixing() {
    let (a, b) = (about(Vec3::Z, 10.0), about(Vec3::Z, 130.0).map(|c| -c));
    let (out, into) = ([0.3, -0.2, 0.9, 0.1], [0.0, 0.4, -0.7, 0.6]);
    let keys = [[9.0; 4], a, out, into, b, [9.0; 4]];
    let clip = clip(TargetPath::Rotation, rotations(CUBIC, &[0.5, 2.5], &keys));
    for step in 0..=20 {
        let t = f64::from(step) / 20.0;
        let (tt, ttt) = (t * t, t * t * t);
        let mixed: [f64; 4] = std::array::from_fn(|i| {
            (2.0 * ttt - 3.0 * tt + 1.0) * f64::from(a[i])
                + 2.0 * (ttt - 2.0 * tt + t) * f64::from(out[i])
                + (3.0 * tt - 2.0 * ttt) * f64::from(b[i])
                + 2.0 * (ttt - tt) * f64::from(into[i])
        });
        let length = mixed.iter().map(|c| c * c).sum::<f64>().sqrt();
        let found = rotation(&clip, 0.5 + 2.0 * t).to_array();
        for i in 0..4 {
            assert!((f64::from(found[i]) - mixed[i] / length).abs() < 1e-6, "{t}: {found:?} {mixed:?}");
        }
    }
}

#[test]
fn t_anim_cubic_weights_of_many_targets_keep_their_blocks_apart() {
    // Five targets; a key is five in-tangents, five values, five out-tangents.
    let block = |from: f32| (0..5).map(move |i| from + i as f32);
    let key = |into: f32, value: f32, out: f32| block(into).chain(block(value)).chain(block(out));
    let values: Vec<f32> = key(1e3, 0.0, -10.0).chain(key(20.0, 100.0, 1e3)).collect();
    let clip = clip(TargetPath::Weights, weights(CUBIC, &[0.0, 0.5], &values));
    let half = weights_at(&clip, 0.25);
    for (i, found) in half.into_iter().enumerate() {
        let i = i as f64;
        // At the middle the factors are 1/2, d/8, 1/2, -d/8.
        let expected = 0.5 * i + 0.5 / 8.0 * (-10.0 + i) + 0.5 * (100.0 + i) - 0.5 / 8.0 * (20.0 + i);
        assert!((f64::from(found) - expected).abs() < 1e-5, "{i}: {found} {expected}");
    }
    assert_eq!(weights_at(&clip, 0.5), [100.0, 101.0, 102.0, 103.0, 104.0]);
}

/// Defect D7: a single CUBICSPLINE key is its value, not its in-tangent, and only that.
#[test]
fn t_anim_cubic_d7_a_single_key_is_its_value() {
    for seconds in [0.0, 0.7, 1.0, 5.0] {
        let vector =
            clip(TargetPath::Translation, vectors(CUBIC, &[1.0], &[[9.0; 3], [1.0, 2.0, 3.0], [8.0; 3]]));
        assert_eq!(translation(&vector, seconds), Vec3::new(1.0, 2.0, 3.0));
        let turn =
            clip(TargetPath::Rotation, rotations(CUBIC, &[1.0], &[[9.0; 4], [0.0, 1.0, 0.0, 0.0], [0.0; 4]]));
        assert_eq!(rotation(&turn, seconds).to_array(), [0.0, 1.0, 0.0, 0.0]);
        let morph = clip(TargetPath::Weights, weights(CUBIC, &[1.0], &[9.0, 9.0, 0.25, 0.5, 8.0, 8.0]));
        assert_eq!(weights_at(&morph, seconds), [0.25, 0.5]);
    }
}

/// Defects D1 to D3: before the first key and after the last one their values hold, and one key is a constant, by every
/// path and mode.
#[test]
fn t_anim_clamp_d1_outside_the_keys_the_ends_hold() {
    for interpolation in [STEP, LINEAR, CUBIC] {
        for keys in [1, 2, 5] {
            let times: Vec<f32> = (0..keys).map(|i| 1.0 + i as f32).collect();
            let elements = interpolation.elements();
            let value = |key: usize| 10.0 + key as f32;
            // Tangents are 1000, so that none can pass for a value.
            let each =
                |key: usize| (0..elements).map(move |e| if e == elements / 2 { value(key) } else { 1e3 });
            let values: Vec<f32> = (0..keys).flat_map(each).collect();
            let vector = vectors(interpolation, &times, &values.iter().map(|&v| [v; 3]).collect::<Vec<_>>());
            let vector = clip(TargetPath::Scale, vector);
            let morph = clip(TargetPath::Weights, weights(interpolation, &times, &values));
            let (last, end) = (value(keys - 1), keys as f64);
            for (seconds, expected) in
                [(-5.0, 10.0), (0.0, 10.0), (1.0, 10.0), (end, last), (end + 0.1, last), (1e9, last)]
            {
                let what = format!("{interpolation:?}, {keys} keys, {seconds} s");
                assert_eq!(sampled(&vector, seconds).scale(SLOT), Some(Vec3::splat(expected)), "{what}");
                assert_eq!(weights_at(&morph, seconds), [expected], "{what}");
            }
        }
    }
}

#[test]
fn exact_keys_give_the_stored_value_by_every_mode() {
    // Times and values that a division would not restore.
    let times: Vec<f32> = (1..40).map(|i| (i as f32).sqrt() / 3.0).collect();
    for interpolation in [STEP, LINEAR, CUBIC] {
        let elements = interpolation.elements();
        let values: Vec<f32> = (0..times.len() * elements).map(|i| (i as f32 * 0.7).sin()).collect();
        let morph = clip(TargetPath::Weights, weights(interpolation, &times, &values));
        let turns: Vec<[f32; 4]> = values.iter().map(|&v| [v, 0.3, -v, 0.9]).collect();
        let turn = clip(TargetPath::Rotation, rotations(interpolation, &times, &turns));
        let Keyframes::Rotation(stored) = &turn.samplers()[0].values else { panic!() };
        for (key, &seconds) in times.iter().enumerate() {
            let element = key * elements + elements / 2;
            assert_eq!(weights_at(&morph, f64::from(seconds)), [values[element]]);
            assert_eq!(rotation(&turn, f64::from(seconds)), stored[element]);
        }
    }
}

#[test]
fn steep_tangents_end_at_the_largest_number_and_a_spline_through_zero_keeps_its_key() {
    let keys = [[0.0; 3], [1.0; 3], [f32::MAX; 3], [f32::MIN; 3], [1.0; 3], [0.0; 3]];
    let steep = clip(TargetPath::Translation, vectors(CUBIC, &[0.0, 1e30], &keys));
    for step in 0..=8 {
        let found = translation(&steep, 1.25e29 * f64::from(step));
        assert!(found.is_finite(), "{found}");
    }
    assert_eq!(translation(&steep, 5e29), Vec3::MAX);
    // Opposite keys without tangents meet the origin half way.
    let (one, zero) = ([0.0, 0.0, 0.0, 1.0], [0.0; 4]);
    let keys = [zero, one, zero, zero, one.map(|c| -c), zero];
    let through = clip(TargetPath::Rotation, rotations(CUBIC, &[0.0, 2.0], &keys));
    assert_eq!(rotation(&through, 1.0), Quat::IDENTITY);
    assert_eq!(rotation(&through, 1.5).to_array(), one.map(|c| -c));
}

/// Defect D2: what has no keys, or broken ones, is no clip.
#[test]
fn t_anim_d2_faulty_samplers_are_refused_with_their_place() {
    let refuse = |path, sampler: AnimationSampler| {
        let channel = AnimationChannel { slot: SLOT, path, sampler: 0 };
        Animation::new("bad", vec![sampler], vec![channel]).unwrap_err()
    };
    let counts = |error: AnimationError| match error {
        AnimationError::SampleCount { timestamps, values, elements, .. } => (timestamps, values, elements),
        other => panic!("{other}"),
    };
    let (path, two) = (TargetPath::Translation, [0.0, 1.0]);
    assert_eq!(counts(refuse(path, vectors(CUBIC, &two, &[[0.0; 3]; 2]))), (2, 2, 3));
    assert_eq!(counts(refuse(path, vectors(LINEAR, &two, &[[0.0; 3]; 6]))), (2, 6, 1));
    assert_eq!(counts(refuse(TargetPath::Rotation, rotations(CUBIC, &two, &[[0.5; 4]; 5]))), (2, 5, 3));
    assert_eq!(counts(refuse(TargetPath::Weights, weights(LINEAR, &two, &[0.0; 3]))), (2, 3, 1));
    assert_eq!(counts(refuse(TargetPath::Weights, weights(CUBIC, &two, &[0.0; 10]))), (2, 10, 3));
    assert_eq!(counts(refuse(TargetPath::Weights, weights(STEP, &two, &[]))), (2, 0, 1));
    assert_eq!(counts(refuse(TargetPath::Weights, weights(STEP, &[], &[1.0]))), (0, 1, 1));
    assert!(matches!(refuse(path, vectors(STEP, &[], &[])), AnimationError::EmptySampler { sampler: 0, .. }));

    let keyframe = |error: AnimationError| match error {
        AnimationError::Value { keyframe, reason, .. } => (keyframe, reason),
        other => panic!("{other}"),
    };
    let nan = [0.0, f32::NAN, 0.0];
    let spline = |bad: usize| {
        let mut values = [[1.0; 3]; 6];
        values[bad] = nan;
        vectors(CUBIC, &two, &values)
    };
    assert_eq!(keyframe(refuse(path, spline(2))), (0, NormalizeError::NonFinite));
    assert_eq!(keyframe(refuse(path, spline(3))), (1, NormalizeError::NonFinite));
    let mut values = [0.0; 12];
    values[6] = f32::INFINITY;
    assert_eq!(keyframe(refuse(TargetPath::Weights, weights(CUBIC, &two, &values))).0, 1);
    // A tangent may be zero, a value may not.
    let mut values = [[0.0; 4]; 6];
    (values[1], values[4]) = ([0.5; 4], [0.0, 2.0, 0.0, 0.0]);
    let turn = clip(TargetPath::Rotation, rotations(CUBIC, &two, &values));
    assert_eq!(rotation(&turn, 1.0).to_array(), [0.0, 1.0, 0.0, 0.0]);
    values[4] = [0.0; 4];
    let error = refuse(TargetPath::Rotation, rotations(CUBIC, &two, &values));
    assert!(error.to_string().contains("animation \"bad\", sampler 0, keyframe 1"), "{error}");
    assert_eq!(keyframe(error), (1, NormalizeError::ZeroLength));
}

#[test]
fn a_channel_takes_only_values_of_its_kind() {
    let samplers = || {
        [
            vectors(STEP, &[0.0], &[[0.0; 3]]),
            rotations(STEP, &[0.0], &[[1.0; 4]]),
            weights(STEP, &[0.0], &[1.0]),
        ]
    };
    let fits = |path: TargetPath, sampler: usize| {
        let channel = AnimationChannel { slot: SLOT, path, sampler: 0 };
        match Animation::new("", vec![samplers()[sampler].clone()], vec![channel]) {
            Ok(_) => true,
            Err(AnimationError::ChannelKind { path: named, .. }) => {
                assert_eq!(named, path);
                false
            }
            Err(other) => panic!("{other}"),
        }
    };
    let paths = [TargetPath::Translation, TargetPath::Scale, TargetPath::Rotation, TargetPath::Weights];
    let table = paths.map(|path| [0, 1, 2].map(|sampler| fits(path, sampler)));
    let (yes, no) = (true, false);
    assert_eq!(table, [[yes, no, no], [yes, no, no], [no, yes, no], [no, no, yes]]);
}

#[test]
fn sampling_without_a_playback_takes_any_finite_time_and_reuses_the_pose() {
    let both = clip_of(vec![
        (0, TargetPath::Translation, vectors(LINEAR, &[0.0, 1.0], &[[0.0; 3], [2.0; 3]])),
        (2, TargetPath::Weights, weights(LINEAR, &[0.0, 1.0], &[0.0, 1.0, 1.0, 0.0])),
    ]);
    let mut pose = Pose::default();
    sample_clip(&both, 0.25, &mut pose).unwrap();
    assert_eq!((pose.slot_count(), pose.translation(SLOT)), (3, Some(Vec3::splat(0.5))));
    assert_eq!(pose.weights(SlotId::new(2)), Some(&[0.25, 0.75][..]));
    assert!(pose.rotation(SLOT).is_none() && pose.weights(SlotId::new(1)).is_none());
    assert!(pose.scale(SlotId::new(3)).is_none());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = sample_clip(&both, bad, &mut pose).unwrap_err();
        assert!(matches!(error, AnimationError::Time { what: "sample time", .. }), "{error}");
    }
    assert_eq!(pose.translation(SLOT), Some(Vec3::splat(0.5)), "a refused time leaves the pose");
    sample_clip(&clip(TargetPath::Scale, vectors(STEP, &[0.0], &[[3.0; 3]])), 0.0, &mut pose).unwrap();
    assert_eq!((pose.slot_count(), pose.translation(SLOT)), (1, None));
    assert_eq!(Interpolation::default().elements(), 1);
}
