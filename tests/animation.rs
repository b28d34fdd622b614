//! The animation room: which clips can be built, and what is wrong with the others.

use fire_engine::animation::{
    Animation, AnimationChannel, AnimationError, AnimationSampler, SlotId, TargetPath,
};
use fire_engine::math::{NormalizeError, Quat};

fn sampler(timestamps: &[f32], rotations: &[Quat]) -> AnimationSampler {
    AnimationSampler::linear_rotation(timestamps.to_vec(), rotations.to_vec())
}

fn channel(slot: u32, sampler: u32) -> AnimationChannel {
    AnimationChannel { slot: SlotId::new(slot), path: TargetPath::Rotation, sampler }
}

fn clip_of(sampler: AnimationSampler) -> Result<Animation, AnimationError> {
    Animation::new("clip", vec![sampler], vec![channel(0, 0)])
}

const ONE: Quat = Quat::IDENTITY;

#[test]
fn complete_timeline_is_accepted_and_measured() {
    let clip = clip_of(sampler(&[0.0, 1.0, 2.0], &[ONE; 3])).unwrap();
    assert_eq!((clip.name(), clip.duration(), clip.slot_count()), ("clip", 2.0, 1));
    assert_eq!(clip.channels(), [channel(0, 0)]);
    assert_eq!(clip.samplers()[0].timestamps, [0.0, 1.0, 2.0]);
}

#[test]
fn clip_without_channels_is_valid_and_lasts_no_time() {
    let clip = Animation::new("", vec![], vec![]).unwrap();
    assert_eq!((clip.duration(), clip.slot_count()), (0.0, 0));
    // A sampler that no channel uses does not lengthen the clip.
    let clip = Animation::new("", vec![sampler(&[9.0], &[ONE])], vec![]).unwrap();
    assert_eq!(clip.duration(), 0.0);
}

#[test]
fn timelines_with_differing_counts_are_rejected() {
    let error = clip_of(sampler(&[0.0, 1.0], &[ONE])).unwrap_err();
    assert!(matches!(error, AnimationError::SampleCount { timestamps: 2, values: 1, .. }), "{error}");
    let error = clip_of(sampler(&[], &[ONE])).unwrap_err();
    assert!(matches!(error, AnimationError::SampleCount { timestamps: 0, values: 1, .. }), "{error}");
    let error = clip_of(sampler(&[], &[])).unwrap_err();
    assert!(matches!(error, AnimationError::EmptySampler { sampler: 0, .. }), "{error}");
}

#[test]
fn timelines_with_equal_descending_negative_or_infinite_timestamps_are_rejected() {
    let cases: [(&[f32], usize); 7] = [
        (&[0.0, 1.0, 1.0], 2),
        (&[0.0, 2.0, 1.0], 2),
        (&[-0.5, 0.0, 1.0], 0),
        (&[0.0, 1.0, f32::INFINITY], 2),
        (&[f32::NEG_INFINITY, 0.0, 1.0], 0),
        (&[0.0, f32::NAN, 1.0], 1),
        (&[f32::NAN, 0.0, 1.0], 0),
    ];
    for (timestamps, at) in cases {
        match clip_of(sampler(timestamps, &[ONE; 3])).unwrap_err() {
            AnimationError::Timestamp { keyframe, .. } => assert_eq!(keyframe, at, "{timestamps:?}"),
            other => panic!("{timestamps:?}: {other}"),
        }
    }
}

#[test]
fn timelines_with_zero_or_non_finite_quaternions_are_rejected() {
    for (w, expected) in [
        (0.0, NormalizeError::ZeroLength),
        (f32::NAN, NormalizeError::NonFinite),
        (f32::INFINITY, NormalizeError::NonFinite),
    ] {
        let bad = Quat::from_xyzw(0.0, 0.0, 0.0, w);
        match clip_of(sampler(&[0.0, 1.0], &[ONE, bad])).unwrap_err() {
            AnimationError::Value { keyframe: 1, reason, .. } => assert_eq!(reason, expected),
            other => panic!("{w}: {other}"),
        }
    }
}

#[test]
fn unit_length_is_not_required_and_rotations_are_normalized_once() {
    let clip = clip_of(sampler(&[0.0], &[Quat::from_xyzw(0.0, 0.0, 0.0, 4.0)])).unwrap();
    assert_eq!(clip.samplers()[0], sampler(&[0.0], &[ONE]));
}

#[test]
fn errors_name_the_clip_the_sampler_and_the_remedy() {
    let samplers = vec![sampler(&[0.0], &[ONE]), sampler(&[0.0, 0.0], &[ONE; 2])];
    let message = Animation::new("walk", samplers, vec![]).unwrap_err().to_string();
    for part in ["\"walk\"", "sampler 1", "keyframe 1", "strictly increasing"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn channels_may_share_a_sampler_but_not_a_target() {
    let shared = vec![sampler(&[0.0, 1.0], &[ONE; 2])];
    let clip = Animation::new("", shared.clone(), vec![channel(0, 0), channel(1, 0)]).unwrap();
    assert_eq!(clip.slot_count(), 2);
    let error = Animation::new("", shared, vec![channel(3, 0), channel(3, 0)]).unwrap_err();
    assert!(matches!(error, AnimationError::DuplicateTarget { first: 0, second: 1, slot: 3, .. }), "{error}");
}

#[test]
fn channels_with_a_dangling_sampler_or_a_stray_slot_are_rejected() {
    let samplers = || vec![sampler(&[0.0], &[ONE])];
    let error = Animation::new("", samplers(), vec![channel(0, 1)]).unwrap_err();
    assert!(matches!(error, AnimationError::ChannelSampler { sampler: 1, count: 1, .. }), "{error}");
    let error = Animation::new("", samplers(), vec![channel(u32::MAX, 0)]).unwrap_err();
    assert!(matches!(error, AnimationError::SlotLimit { channel: 0, .. }), "{error}");
}

#[test]
fn clip_length_is_that_of_its_longest_channel() {
    let samplers = vec![sampler(&[0.0, 0.5], &[ONE; 2]), sampler(&[1.0, 3.0], &[ONE; 2])];
    let clip = Animation::new("", samplers, vec![channel(0, 1), channel(1, 0)]).unwrap();
    assert_eq!(clip.duration(), 3.0);
}

#[test]
fn identity_belongs_to_a_built_clip_and_its_clones() {
    let build = || clip_of(sampler(&[0.0], &[ONE])).unwrap();
    let clip = build();
    assert_eq!(clip.identity(), clip.clone().identity());
    assert_ne!(clip.identity(), build().identity());
}
