//! One sampler at a time.

use crate::clips::*;
use crate::formulas::*;
use crate::sheet::Sheet;
use fire_engine::animation::{
    Animation, AnimationChannel, AnimationError, Interpolation, PlaybackOptions, RotationInterpolation,
    SlotId, TargetPath,
};
use fire_engine::math::Vec3;

const SLOT: SlotId = SlotId::new(0);
const PATHS: [TargetPath; 2] = [TargetPath::Translation, TargetPath::Scale];

fn vector(path: TargetPath, clip: &Animation, seconds: f64) -> [f32; 3] {
    let pose = sampled(clip, seconds);
    let found = if path == TargetPath::Scale { pose.scale(SLOT) } else { pose.translation(SLOT) };
    found.unwrap_or(Vec3::NAN).to_array()
}

fn rotation(clip: &Animation, seconds: f64) -> [f32; 4] {
    sampled(clip, seconds).rotation(SLOT).unwrap().to_array()
}

fn morph(clip: &Animation, seconds: f64) -> Vec<f32> {
    sampled(clip, seconds).weights(SLOT).unwrap().to_vec()
}

/// The same by a playback that mixes by nlerp.
fn nlerped(clip: &Animation, seconds: f64) -> [f32; 4] {
    let mut stage = Stage::new(1);
    let rotation_interpolation = RotationInterpolation::Nlerp;
    let playback =
        stage.play(clip.clone(), PlaybackOptions { rotation_interpolation, ..PlaybackOptions::default() });
    stage.scene.seek(playback, seconds).unwrap();
    stage.advance(0.0);
    stage.transform(0).rotation.to_array()
}

pub fn rules(sheet: &mut Sheet) {
    sheet.section("Sampling");
    step(sheet);
    linear_vectors(sheet);
    slerps(sheet);
    half_turns(sheet);
    cubics(sheet);
    ends(sheet);
    refusals(sheet);
}

fn step(sheet: &mut Sheet) {
    sheet.rule("STEP holds a value until the next key", &["D5", "D6"]);
    let times = [0.5, 1.0, 3.0];
    let keys = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    for path in PATHS {
        let clip = clip(path, vectors(STEP, &times, &keys));
        for (seconds, key) in [(0.5, 0), (0.999, 0), (1.0, 1), (2.999, 1), (3.0, 2)] {
            let input = format!("{path}, keys at 0.5, 1 and 3 s, {seconds} s");
            sheet.numbers(&input, &long(keys[key]), &vector(path, &clip, seconds), 0.0);
        }
    }
    let turns = [10.0, 50.0, 90.0].map(|degrees| short(about_z(degrees)));
    let clip_of_turns = clip(TargetPath::Rotation, rotations(STEP, &times, &turns));
    sheet.rotation(
        "rotation, 10°, 50° and 90° about z, 2.999 s",
        long(turns[1]),
        rotation(&clip_of_turns, 2.999),
    );
    let blend = clip(TargetPath::Weights, weights(STEP, &times, &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]));
    sheet.numbers("weights of two targets, 2.999 s", &long([0.3, 0.4]), &morph(&blend, 2.999), 0.0);
}

fn linear_vectors(sheet: &mut Sheet) {
    sheet.rule("LINEAR mixes by time (C.3)", &["D5", "D6"]);
    let (times, keys) = ([0.25f32, 1.75], [[0.1f32, -4.0, 1e-3], [0.7, 8.0, 1e3]]);
    for path in PATHS {
        let clip = clip(path, vectors(LINEAR, &times, &keys));
        for seconds in [0.25, 0.5, 1.0, 1.6] {
            let t = (seconds - 0.25) / 1.5;
            let expected: Vec<f64> =
                (0..3).map(|i| linear(f64::from(keys[0][i]), f64::from(keys[1][i]), t)).collect();
            let input = format!("{path}, (0.1 -4 0.001) at 0.25 s, (0.7 8 1000) at 1.75 s, {seconds} s");
            sheet.numbers(&input, &expected, &vector(path, &clip, seconds), 1e-6);
        }
    }
    let values = [0.0f32, 1.0, 0.5, 4.0, -1.0, 0.5];
    let clip = clip(TargetPath::Weights, weights(LINEAR, &[0.0, 2.0], &values));
    let expected: Vec<f64> =
        (0..3).map(|i| linear(f64::from(values[i]), f64::from(values[i + 3]), 0.375)).collect();
    sheet.numbers("weights (0 1 0.5) to (4 -1 0.5) in 2 s, 0.75 s", &expected, &morph(&clip, 0.75), 1e-6);
}

fn slerps(sheet: &mut Sheet) {
    sheet.rule("LINEAR rotation is slerp along the shorter way (C.4)", &["T-ANIM-SHORT 3", "T-ANIM-SHORT 5"]);
    for degrees in [0.01, 21.0, 90.0, 150.0, 179.9, 200.0, 340.0] {
        let (a, b) = (about_z(10.0), about_z(10.0 + degrees));
        let clip = clip(TargetPath::Rotation, rotations(LINEAR, &[0.0, 2.0], &[short(a), short(b)]));
        for seconds in [0.5, 1.5] {
            let input = format!("10° and {degrees}° more about z in 2 s, {seconds} s");
            let expected = slerp(long(short(a)), long(short(b)), seconds / 2.0);
            sheet.rotation(&input, expected, rotation(&clip, seconds));
        }
    }
    sheet.rule("A negated key is the same key", &["T-ANIM-SHORT 4", "T-ANIM-SHORT 6"]);
    let (a, b) = (about_z(0.0), about_z(21.0));
    let keys = [short(a), short(b).map(|c| -c)];
    let turn = clip(TargetPath::Rotation, rotations(LINEAR, &[0.0, 1.0], &keys));
    for t in [0.25, 0.5, 0.75] {
        sheet.rotation(&format!("0° and -q of 21° in 1 s, {t} s"), about_z(21.0 * t), rotation(&turn, t));
        let expected = nlerp(a, b, t);
        sheet.rotation(&format!("the same by nlerp, {t} s"), expected, nlerped(&turn, t));
    }
    sheet.rule(
        "A full turn in quarters goes on over the change of sign",
        &["T-ANIM-SHORT 1", "T-ANIM-SHORT 3"],
    );
    let mut keys = [0.0, 90.0, 180.0, 270.0, 360.0].map(about_z);
    keys[4] = keys[4].map(|c| -c);
    let clip = clip(TargetPath::Rotation, rotations(LINEAR, &[0.0, 0.25, 0.5, 0.75, 1.0], &keys.map(short)));
    for seconds in [0.1, 0.35, 0.6, 0.8, 0.95] {
        let input = format!("0°, 90°, 180°, 270°, 360° written as 0°, {seconds} s of 1");
        sheet.rotation(&input, about_z(360.0 * seconds), rotation(&clip, seconds));
    }
}

fn half_turns(sheet: &mut Sheet) {
    sheet.rule(
        "The sign of a half turn's dot product decides its direction, however small",
        &["T-ANIM-SHORT 7"],
    );
    // As an exporter writes a full turn in two halves: the noise of its cosine is negative.
    let noise = -4.371_139e-8f32;
    let keys = [[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, noise], [0.0, 2.0 * noise, 0.0, -1.0]];
    let clip = clip(TargetPath::Rotation, rotations(LINEAR, &[0.0, 1.0, 2.0], &keys));
    for seconds in [0.25f64, 0.75, 1.25, 1.75] {
        let left = seconds as usize;
        let (a, b) = (long(keys[left]), long(keys[left + 1]));
        let input = format!("w = 1, -4.4e-8, -1 at 0, 1 and 2 s, {seconds} s");
        sheet.rotation(&input, slerp(a, b, seconds.fract()), rotation(&clip, seconds));
        sheet.rotation(&format!("{input}, nlerp"), nlerp(a, b, seconds.fract()), nlerped(&clip, seconds));
    }
}

fn cubics(sheet: &mut Sheet) {
    sheet.rule(
        "CUBICSPLINE has in-tangent, value, out-tangent a key, and tangents are per second (C.5)",
        &["T-ANIM-CUBIC 8", "T-ANIM-CUBIC 10", "D5", "D6"],
    );
    for seconds in [1.0, 4.0f32] {
        let key = |into: f32, value: f32, out: f32| [[into, 0.0, 0.0], [value, 1.0, 0.0], [out, 0.0, 3.0]];
        let keys = [key(77.0, 0.0, 2.0), key(-4.0, 8.0, 99.0)].concat();
        for path in PATHS {
            let clip = clip(path, vectors(CUBIC, &[0.0, seconds], &keys));
            for t in [0.25, 0.5, 0.875] {
                let d = f64::from(seconds);
                let expected = [
                    cubic(t, d, 0.0, 2.0, -4.0, 8.0),
                    cubic(t, d, 1.0, 0.0, 0.0, 1.0),
                    cubic(t, d, 0.0, 3.0, 0.0, 0.0),
                ];
                let input =
                    format!("{path}, x from 0 to 8 with slopes 2 and -4 in {seconds} s, {t} of the way");
                sheet.numbers(&input, &expected, &vector(path, &clip, t * d), 1e-6);
            }
        }
    }
    let values = [9.0, 9.0, 0.0, 1.0, 1.0, -2.0, 3.0, 0.5, 0.5, 0.0, 9.0, 9.0];
    let blend = clip(TargetPath::Weights, weights(CUBIC, &[0.0, 0.5], &values));
    let expected = [cubic(0.5, 0.5, 0.0, 1.0, 3.0, 0.5), cubic(0.5, 0.5, 1.0, -2.0, 0.5, 0.0)];
    sheet.numbers(
        "weights of two targets, each block of two, half of 0.5 s",
        &expected,
        &morph(&blend, 0.25),
        1e-6,
    );

    sheet.rule(
        "CUBICSPLINE rotation is normalized after mixing, without a change of sign (C.5)",
        &["T-ANIM-CUBIC 9"],
    );
    let (a, b) = (short(about_z(10.0)), short(about_z(130.0)).map(|c| -c));
    let (out, into) = ([0.3f32, -0.2, 0.9, 0.1], [0.0f32, 0.4, -0.7, 0.6]);
    let keys = [[9.0; 4], a, out, into, b, [9.0; 4]];
    let clip = clip(TargetPath::Rotation, rotations(CUBIC, &[0.0, 2.0], &keys));
    for t in [0.1, 0.5, 0.9] {
        let mixed = std::array::from_fn(|i| {
            let [a, out, into, b] = [a[i], out[i], into[i], b[i]].map(f64::from);
            cubic(t, 2.0, a, out, into, b)
        });
        sheet.rotation(
            &format!("10° to -q of 130° in 2 s, {t} of the way"),
            unit(mixed),
            rotation(&clip, 2.0 * t),
        );
    }
}

fn ends(sheet: &mut Sheet) {
    sheet.rule(
        "Outside the keys the first and the last value hold; one key is a constant",
        &["D1", "D2", "D3", "D7"],
    );
    for interpolation in [STEP, LINEAR, CUBIC] {
        for keys in [1, 3] {
            let times: Vec<f32> = (0..keys).map(|i| 1.0 + i as f32).collect();
            let elements = interpolation.elements();
            let element =
                |i: usize| if i % elements == elements / 2 { (10 + i / elements) as f32 } else { 1e3 };
            let values: Vec<f32> = (0..keys * elements).map(element).collect();
            let clip = clip(TargetPath::Weights, weights(interpolation, &times, &values));
            for seconds in [0.0, 1.0, keys as f64, 99.0] {
                let expected = if seconds > 1.0 { 9.0 + keys as f64 } else { 10.0 };
                let input = format!(
                    "{}, {keys} key(s) from 10, tangents 1000, first at 1 s, {seconds} s",
                    name(interpolation)
                );
                sheet.numbers(&input, &[expected], &morph(&clip, seconds), 0.0);
            }
        }
    }
    let spline = [[9.0; 4], short(about_z(30.0)), [9.0; 4]];
    let one = clip(TargetPath::Rotation, rotations(CUBIC, &[1.0], &spline));
    sheet.rotation("CUBICSPLINE rotation of one key, 30° about z, 0 s", about_z(30.0), rotation(&one, 0.0));
}

fn name(interpolation: Interpolation) -> &'static str {
    match interpolation {
        STEP => "STEP",
        LINEAR => "LINEAR",
        _ => "CUBICSPLINE",
    }
}

fn refusals(sheet: &mut Sheet) {
    sheet.rule(
        "What cannot be sampled is refused when a clip is built, with its place",
        &["D2", "T-ANIM-WEIGHTS 23"],
    );
    let mut refused = |input: &str, expected: &str, path: TargetPath, sampler| {
        let channel = AnimationChannel { slot: SLOT, path, sampler: 0 };
        let ours = match Animation::new("clip", vec![sampler], vec![channel]) {
            Ok(_) => "accepted".to_owned(),
            Err(AnimationError::EmptySampler { .. }) => "no keyframes".to_owned(),
            Err(AnimationError::Timestamp { keyframe, .. }) => format!("timestamp of keyframe {keyframe}"),
            Err(AnimationError::Value { keyframe, .. }) => format!("value of keyframe {keyframe}"),
            Err(AnimationError::SampleCount { timestamps, values, .. }) => {
                format!("{values} values for {timestamps} timestamps")
            }
            Err(other) => other.to_string(),
        };
        sheet.words(input, expected, &ours);
    };
    let (path, two) = (TargetPath::Translation, [0.0, 1.0]);
    refused("no keys", "no keyframes", path, vectors(LINEAR, &[], &[]));
    refused("times 1, 1", "timestamp of keyframe 1", path, vectors(LINEAR, &[1.0, 1.0], &[[0.0; 3]; 2]));
    refused("time NaN", "timestamp of keyframe 0", path, vectors(LINEAR, &[f32::NAN], &[[0.0; 3]]));
    refused("time -1", "timestamp of keyframe 0", path, vectors(LINEAR, &[-1.0], &[[0.0; 3]]));
    refused(
        "CUBICSPLINE without tangents",
        "2 values for 2 timestamps",
        path,
        vectors(CUBIC, &two, &[[0.0; 3]; 2]),
    );
    refused("an infinite tangent", "value of keyframe 1", path, vectors(CUBIC, &two, &infinite_tangent()));
    let zero = rotations(LINEAR, &two, &[[0.0, 0.0, 0.0, 1.0], [0.0; 4]]);
    refused("a rotation of length 0", "value of keyframe 1", TargetPath::Rotation, zero);
    let three = weights(LINEAR, &two, &[0.0; 3]);
    refused("three weights for two keys", "3 values for 2 timestamps", TargetPath::Weights, three);
}

fn infinite_tangent() -> [[f32; 3]; 6] {
    let mut values = [[0.0; 3]; 6];
    values[5][1] = f32::INFINITY;
    values
}
