//! Time, ends, events, and what a playback writes.

use crate::clips::*;
use crate::formulas::*;
use crate::sheet::Sheet;
use fire_engine::animation::{AnimationError, AnimationEvent, LoopMode, PlaybackOptions, TargetPath};
use fire_engine::math::{Mat4, Quat, Transform, Vec3};

const DURATION: f64 = 2.0;

pub fn rules(sheet: &mut Sheet) {
    sheet.section("Playing");
    times(sheet);
    seeks(sheet);
    lengths(sheet);
    writes(sheet);
    weights_of_another_number(sheet);
    events(sheet);
}

fn options(loop_mode: LoopMode, speed: f64, start_time: f64) -> PlaybackOptions {
    PlaybackOptions { loop_mode, speed, start_time, ..PlaybackOptions::default() }
}

/// Where time is after `elapsed` seconds, worked out in one go.
fn expected_time(mode: LoopMode, way: f64) -> f64 {
    match mode {
        LoopMode::Once => way.clamp(0.0, DURATION),
        LoopMode::Times(times) => {
            if way >= f64::from(times) * DURATION {
                DURATION
            } else {
                way.rem_euclid(DURATION)
            }
        }
        LoopMode::Forever if way < 0.0 => DURATION - (-way).rem_euclid(DURATION),
        LoopMode::Forever => way.rem_euclid(DURATION),
        LoopMode::PingPong => {
            let phase = way.rem_euclid(2.0 * DURATION);
            phase.min(2.0 * DURATION - phase)
        }
        other => panic!("no expectation for {other:?}"),
    }
}

fn times(sheet: &mut Sheet) {
    sheet.rule(
        "Time wraps into [0, 2) forward and (0, 2] backward, stops after once or n times, or turns back",
        &["T-ANIM-CLAMP 15"],
    );
    let modes = [
        ("once", LoopMode::Once),
        ("3 times", LoopMode::Times(3)),
        ("for ever", LoopMode::Forever),
        ("back and forth", LoopMode::PingPong),
    ];
    for (name, mode) in modes {
        for (speed, steps) in [(1.0, 7), (0.5, 11), (1.0, 8), (-1.0, 7), (-1.0, 4)] {
            if speed < 0.0 && !matches!(mode, LoopMode::Forever | LoopMode::PingPong) {
                continue;
            }
            let mut stage = Stage::new(1);
            let playback = stage.play(ramp(2.0), options(mode, speed, 0.0));
            (0..steps).for_each(|_| stage.advance(0.5));
            let elapsed = 0.5 * f64::from(steps);
            let input = format!("{name}, a clip of 2 s, speed {speed}, {elapsed} s in steps of 0.5");
            let expected = expected_time(mode, elapsed * speed);
            sheet.doubles(&input, &[expected], &[stage.time(playback)], 0.0);
        }
    }
    let mut stage = Stage::new(1);
    let playback = stage.play(ramp(1.7), PlaybackOptions::default());
    (0..60 * 3600).for_each(|_| stage.advance(1.0 / 60.0));
    let expected = 3600.0 % f64::from(1.7f32);
    sheet.doubles("an hour in steps of 1/60 s, a clip of 1.7 s", &[expected], &[stage.time(playback)], 1e-6);
}

fn seeks(sheet: &mut Sheet) {
    sheet.rule(
        "A seek stores its time clamped to the clip, so the end frame shows",
        &["T-ANIM-CLAMP 16", "D3"],
    );
    for (seek, expected) in [(-1.0, 0.0), (1.25, 1.25), (2.0, 2.0), (7.0, 2.0)] {
        let mut stage = Stage::new(1);
        let playback = stage.play(ramp(2.0), PlaybackOptions::default());
        stage.scene.seek(playback, seek).unwrap();
        stage.advance(0.0);
        let input = format!("x = seconds, a clip of 2 s that loops, seek {seek} s");
        sheet.numbers(&input, &[expected], &[stage.x(0)], 0.0);
    }
    sheet.rule("A one-shot holds its last key", &["T-ANIM-CLAMP 15"]);
    let mut stage = Stage::new(1);
    stage.play(ramp(2.0), options(LoopMode::Once, 1.0, 0.0));
    for elapsed in [1.5, 3.0, 100.0] {
        stage.advance(1.5);
        if elapsed > 50.0 {
            stage.advance(elapsed);
        }
        let input = format!("x = seconds, a clip of 2 s once, {elapsed} s");
        sheet.numbers(&input, &[f64::min(elapsed, 2.0)], &[stage.x(0)], 0.0);
    }
    sheet.rule("A clip of no duration shows its only pose", &["T-ANIM-CLAMP 17", "D3"]);
    for (name, mode) in
        [("once", LoopMode::Once), ("for ever", LoopMode::Forever), ("back and forth", LoopMode::PingPong)]
    {
        let mut stage = Stage::new(1);
        let playback = stage.play(still(3.0), options(mode, 1.0, 0.0));
        stage.advance(5.0);
        let ours = [stage.time(playback), f64::from(stage.x(0))];
        sheet.doubles(
            &format!("time and x of one key at 0 s, x = 3, {name}, after 5 s"),
            &[0.0, 3.0],
            &ours,
            0.0,
        );
    }
}

fn lengths(sheet: &mut Sheet) {
    sheet.rule(
        "Channels of unequal length clamp inside the clip, which loops as one",
        &["T-ANIM-CLAMP 13", "D4"],
    );
    let channel = |end: f32| vectors(LINEAR, &[0.0, end], &[[0.0; 3], [end, 0.0, 0.0]]);
    let mut stage = Stage::new(2);
    let both =
        clip_of(vec![(0, TargetPath::Translation, channel(1.0)), (1, TargetPath::Translation, channel(2.0))]);
    stage.play_on(both, &[0, 1], PlaybackOptions::default());
    for step in 1..=6 {
        stage.advance(0.75);
        let time = (0.75 * f64::from(step)) % 2.0;
        let input = format!("x = seconds over 1 s and over 2 s, {} s", 0.75 * f64::from(step));
        sheet.numbers(&input, &[time.min(1.0), time], &[stage.x(0), stage.x(1)], 0.0);
    }
    sheet.rule("No motion is invented between the last key and the first", &["T-ANIM-CLAMP 14"]);
    let keys = [[1.0, 0.0, 0.0], [5.0, 0.0, 0.0]];
    for (seconds, expected) in [(1.0, 5.0), (1.001, 1.0), (1.499, 1.0), (1.5, 1.0)] {
        let mut stage = Stage::new(1);
        let clip = clip(TargetPath::Translation, vectors(LINEAR, &[0.5, 1.0], &keys));
        let playback = stage.play(clip, PlaybackOptions::default());
        if seconds == 1.0 {
            stage.scene.seek(playback, 1.0).unwrap();
            stage.advance(0.0);
        } else {
            stage.advance(seconds);
        }
        sheet.numbers(&format!("x = 1 at 0.5 s and 5 at 1 s, {seconds} s"), &[expected], &[stage.x(0)], 0.0);
    }
}

fn writes(sheet: &mut Sheet) {
    sheet.rule("Parts that a clip does not drive keep their rest", &["T-ANIM-CLAMP 19"]);
    let mut stage = Stage::new(1);
    let rest = Transform {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_array(short(about_z(40.0))),
        scale: Vec3::ONE,
    };
    stage.put(0, rest);
    stage.play(clip(TargetPath::Scale, vectors(STEP, &[0.0], &[[2.0; 3]])), PlaybackOptions::default());
    stage.advance(1.0);
    let Transform { translation, rotation, scale } = stage.transform(0);
    sheet.numbers("translation, with a scale channel alone", &[1.0, 2.0, 3.0], &translation.to_array(), 0.0);
    sheet.rotation("rotation, 40° about z", about_z(40.0), rotation.to_array());
    sheet.numbers("scale", &[2.0; 3], &scale.to_array(), 0.0);

    sheet.rule(
        "A node with a matrix refuses what drives a part; above an animated child it stays a matrix",
        &["T-ANIM-MATRIX 20"],
    );
    let mut stage = Stage::new(1);
    let shear = Mat4::from_cols_array_2d(&[
        [1.0, 0.0, 0.0, 0.0],
        [0.5, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]);
    stage.scene.find_mut(stage.nodes[0]).unwrap().set_matrix(shear).unwrap();
    let binding = stage.bind(still(1.0), &[0]);
    let refused = stage.scene.play(&stage.clips[0].clone(), &binding, PlaybackOptions::default());
    let ours = match refused {
        Err(AnimationError::MatrixNode { path, .. }) => format!("refused: no {path} to drive"),
        other => format!("{other:?}"),
    };
    sheet.words("a translation channel on a matrix", "refused: no translation to drive", &ours);
    let child = stage.scene.add_child(stage.nodes[0], "").unwrap();
    stage.nodes.push(child);
    let up = clip(TargetPath::Translation, vectors(STEP, &[0.0], &[[0.0, 2.0, 0.0]]));
    stage.play_on(up, &[1], PlaybackOptions::default());
    stage.advance(0.0);
    stage.scene.update_world_transforms();
    let world = stage.scene.find(child).unwrap().world().translation().to_array();
    sheet.numbers(
        "child animated to (0 2 0) under a shear of x by y/2, in the world",
        &[1.0, 2.0, 0.0],
        &world,
        0.0,
    );

    sheet.rule("Nodes are bound by what they are, not by name", &["T-ANIM-NAMES 21"]);
    let mut stage = Stage::new(0);
    for name in ["wheel", "wheel", ""] {
        let node = stage.scene.add_root(name).unwrap();
        stage.nodes.push(node);
    }
    stage.play_on(still(4.0), &[1], PlaybackOptions::default());
    stage.advance(0.0);
    let ours = [0, 1, 2].map(|node| stage.x(node));
    sheet.numbers(
        "x of \"wheel\", \"wheel\", \"\"; the second is bound, x = 4",
        &[0.0, 4.0, 0.0],
        &ours,
        0.0,
    );

    sheet.rule("A scale of zero is a pose: no NaN, below it either, and it ends", &["T-ANIM-SCALE0 22"]);
    let mut stage = Stage::new(1);
    let child = stage.scene.add_child(stage.nodes[0], "").unwrap();
    stage.nodes.push(child);
    stage.put(1, Transform::from_translation(Vec3::X));
    stage.play(
        clip(TargetPath::Scale, vectors(STEP, &[0.0, 1.0], &[[0.0; 3], [1.0; 3]])),
        options(LoopMode::Once, 1.0, 0.0),
    );
    for (seconds, expected) in [(0.5, 0.0), (1.0, 1.0)] {
        stage.advance(0.5);
        stage.scene.update_world_transforms();
        let world = stage.scene.find(child).unwrap().world().translation().x;
        let input = format!("world x of a child at (1 0 0), parent's scale 0 then 1 at 1 s, {seconds} s");
        sheet.numbers(&input, &[expected], &[world], 0.0);
    }
}

fn weights_of_another_number(sheet: &mut Sheet) {
    sheet.rule(
        "Weights: the smaller number of clip and node is driven; only what plays there counts",
        &["T-ANIM-WEIGHTS 23", "T-ANIM-WEIGHTS 24"],
    );
    let mut stage = Stage::new(4);
    for (node, rest) in [(0, &[0.1, 0.2][..]), (1, &[0.1]), (2, &[0.1, 0.2, 0.3])] {
        stage.scene.find_mut(stage.nodes[node]).unwrap().set_weights(rest).unwrap();
    }
    let two = || weights(LINEAR, &[0.0, 1.0], &[0.0, 1.0, 1.0, 0.0]);
    let clip = clip_of((0..4).map(|slot| (slot, TargetPath::Weights, two())).collect());
    stage.play_on(clip, &[0, 1, 2, 3], PlaybackOptions::default());
    stage.advance(0.25);
    for (node, rest, expected) in [
        (0, "of rest 0.1 0.2", &[0.25, 0.75][..]),
        (1, "of rest 0.1", &[0.25]),
        (2, "of rest 0.1 0.2 0.3", &[0.25, 0.75, f64::from(0.3f32)]),
        (3, "without weights of its own", &[0.25, 0.75]),
    ] {
        sheet.numbers(
            &format!("(0 1) to (1 0) in 1 s, 0.25 s, node {rest}"),
            expected,
            stage.weights(node),
            0.0,
        );
    }
}

fn events(sheet: &mut Sheet) {
    sheet
        .rule("An event fires once each time that time reaches it, over seams and in steps of any size", &[]);
    let marked = || {
        let times = [0.0, 0.5, 2.0];
        let events = times.map(|time| AnimationEvent { time, name: String::new() });
        ramp(2.0).with_events(events.to_vec()).unwrap()
    };
    for (name, mode, speed, expected) in [
        ("for ever", LoopMode::Forever, 1.0, [13.0, 12.0, 12.0]),
        // From 0 backward the first step is over the seam.
        ("for ever backward", LoopMode::Forever, -1.0, [13.0, 12.0, 13.0]),
        ("back and forth", LoopMode::PingPong, 1.0, [7.0, 12.0, 6.0]),
        ("3 times", LoopMode::Times(3), 1.0, [3.0, 3.0, 3.0]),
    ] {
        for step in [0.0625, 1.0, 24.0] {
            let mut stage = Stage::new(1);
            stage.play(marked(), options(mode, speed, 0.0));
            let mut counts = [0.0; 3];
            for _ in 0..(24.0 / step) as usize {
                stage.advance(step);
                for fired in stage.scene.drain_animation_events() {
                    counts[fired.event as usize] += fired.crossings as f64;
                }
            }
            let input = format!("events at 0, 0.5 and 2 s of 2, {name}, 24 s in steps of {step}");
            sheet.doubles(&input, &expected, &counts, 0.0);
        }
    }
}
