//! Several playbacks of one property.

use crate::clips::*;
use crate::formulas::*;
use crate::sheet::Sheet;
use fire_engine::animation::{Animation, BlendMode, PlaybackOptions, SlotId, TargetPath};
use fire_engine::math::{Quat, Transform, Vec3};

fn weighing(weight: f64) -> PlaybackOptions {
    PlaybackOptions { weight, ..PlaybackOptions::default() }
}

fn turned(degrees: f64) -> Animation {
    clip(TargetPath::Rotation, rotations(STEP, &[0.0], &[short(about_z(degrees))]))
}

pub fn rules(sheet: &mut Sheet) {
    sheet.section("Mixing");
    sums(sheet);
    alone(sheet);
    turns(sheet);
    fades(sheet);
    layers(sheet);
}

fn sums(sheet: &mut Sheet) {
    sheet.rule("Weights above a sum of 1 are scaled to 1; below 1 the rest fills up", &["T-ANIM-WEIGHTS 24"]);
    for weights in [&[][..], &[0.0], &[0.25], &[0.25, 0.5], &[1.0, 1.0], &[0.5, 1.0, 0.25]] {
        let mut stage = Stage::new(1);
        stage.put(0, Transform::from_translation(Vec3::new(8.0, 0.0, 0.0)));
        let (mut sum, mut mixed) = (0.0, 0.0);
        for (&weight, x) in weights.iter().zip([1.0f32, 2.0, 3.0]) {
            stage.play(still(x), weighing(weight));
            sum += weight;
            mixed += weight * f64::from(x);
        }
        stage.advance(0.0);
        let expected = if sum > 1.0 { mixed / sum } else { mixed + (1.0 - sum) * 8.0 };
        sheet.numbers(
            &format!("x = 1, 2, 3 by weights {weights:?}, rest 8"),
            &[expected],
            &[stage.x(0)],
            1e-6,
        );
    }
}

fn alone(sheet: &mut Sheet) {
    sheet.rule("One playback of weight 1 gives exactly its sample, slerp included", &[]);
    let keys = [short(about_z(0.0)), short(about_z(150.0))];
    let turn = || clip(TargetPath::Rotation, rotations(LINEAR, &[0.0, 1.0], &keys));
    let mut stage = Stage::new(1);
    stage.play(turned(77.0), weighing(0.0));
    stage.play(turn(), weighing(1.0));
    stage.play(turned(-77.0), weighing(0.0));
    stage.advance(0.3);
    let ours = stage.transform(0).rotation;
    sheet.rotation(
        "150° in 1 s, 0.3 s, between two of weight 0",
        slerp(long(keys[0]), long(keys[1]), 0.3),
        ours.to_array(),
    );
    let exact = sampled(&turn(), 0.3).rotation(SlotId::new(0)) == Some(ours);
    sheet.words("the same bits as the clip sampled alone", "yes", if exact { "yes" } else { "no" });
}

fn turns(sheet: &mut Sheet) {
    sheet.rule("Rotations are mixed by nlerp in the order of starting, signs aligned to the first", &[]);
    for (weights, rest) in [([0.5, 0.5], 0.0), ([0.75, 0.25], 0.0), ([0.2, 0.3], 60.0), ([1.0, 1.0], 60.0)] {
        let keys = [about_z(10.0), about_z(100.0).map(|c| -c)];
        let mut stage = Stage::new(1);
        stage.put(0, Transform::from_rotation(Quat::from_array(short(about_z(rest)))));
        for (key, weight) in keys.iter().zip(weights) {
            stage.play(clip(TargetPath::Rotation, rotations(STEP, &[0.0], &[short(*key)])), weighing(weight));
        }
        stage.advance(0.0);
        let missing = f64::max(1.0 - weights[0] - weights[1], 0.0);
        let expected = weighted(&[(keys[0], weights[0]), (keys[1], weights[1]), (about_z(rest), missing)]);
        let input = format!("10° and -q of 100° by {weights:?}, rest {rest}°");
        sheet.rotation(&input, expected, stage.transform(0).rotation.to_array());
    }
}

fn fades(sheet: &mut Sheet) {
    sheet.rule("A cross-fade moves the weights evenly and ends the first", &[]);
    let mut stage = Stage::new(1);
    let first = stage.play(still(1.0), PlaybackOptions::default());
    stage.advance(0.0);
    let second = stage.play(still(5.0), PlaybackOptions::default());
    stage.scene.cross_fade(first, second, 2.0).unwrap();
    for seconds in [0.5, 1.0, 1.5, 2.0] {
        stage.advance(0.5);
        let input = format!("x = 1 to x = 5 in 2 s, {seconds} s");
        sheet.numbers(&input, &[linear(1.0, 5.0, seconds / 2.0)], &[stage.x(0)], 1e-6);
    }
    let ours = if stage.scene.playback(first).is_some() { "plays" } else { "ended" };
    sheet.words("the first after 2 s", "ended", ours);
}

fn layers(sheet: &mut Sheet) {
    sheet.rule(
        "An additive layer adds what its sample differs from its reference, rotations in the node's axes",
        &[],
    );
    let lean = clip_of(vec![
        (0, TargetPath::Translation, vectors(LINEAR, &[0.0, 2.0], &[[1.0, 0.0, 0.0], [5.0, 0.0, 0.0]])),
        (
            0,
            TargetPath::Rotation,
            rotations(LINEAR, &[0.0, 2.0], &[short(about_z(30.0)), short(about_z(70.0))]),
        ),
    ]);
    let under = unit([0.6, 0.0, 0.0, 0.8]);
    for (weight, reference) in [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 2.0)] {
        let mut stage = Stage::new(1);
        let base = clip_of(vec![
            (0, TargetPath::Translation, vectors(STEP, &[0.0], &[[10.0, 0.0, 0.0]])),
            (0, TargetPath::Rotation, rotations(STEP, &[0.0], &[short(under)])),
        ]);
        let blend = BlendMode::Additive { reference };
        stage.play(lean.clone(), PlaybackOptions { blend, start_time: 1.5, ..weighing(weight) });
        stage.play(base, PlaybackOptions::default());
        stage.advance(0.0);
        let at = |seconds: f64| (linear(1.0, 5.0, seconds / 2.0), about_z(linear(30.0, 70.0, seconds / 2.0)));
        let ((x, turn), (from_x, from_turn)) = (at(1.5), at(reference));
        let delta = product([-from_turn[0], -from_turn[1], -from_turn[2], from_turn[3]], turn);
        let part = nlerp([0.0, 0.0, 0.0, 1.0], delta, weight);
        let input =
            format!("x from 1 to 5 and 30° to 70° in 2 s, 1.5 s, weight {weight}, reference {reference} s");
        sheet.numbers(&format!("{input}, over x = 10"), &[10.0 + weight * (x - from_x)], &[stage.x(0)], 1e-6);
        let ours = stage.transform(0).rotation.to_array();
        sheet.rotation(&format!("{input}, over a turn about x"), product(under, part), ours);
    }
}
