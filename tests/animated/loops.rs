//! Speed, direction, pause and the loop modes, seen from a scene.

use crate::clips::*;
use fire_engine::animation::{LoopMode, PlaybackOptions};

fn looping(loop_mode: LoopMode, speed: f64, start_time: f64) -> PlaybackOptions {
    PlaybackOptions { loop_mode, speed, start_time, ..PlaybackOptions::default() }
}

/// The time after each of some steps over a clip of 2 s.
fn times(options: PlaybackOptions, steps: &[f64]) -> Vec<f64> {
    let mut stage = Stage::new(1);
    let playback = stage.play(ramp(2.0), options);
    let mut seen = Vec::new();
    for &step in steps {
        stage.advance(step);
        assert_eq!(f64::from(stage.x(0)), stage.time(playback), "the pose is that of the time");
        seen.push(stage.time(playback));
    }
    seen
}

#[test]
fn speed_scales_time_and_its_sign_is_the_direction() {
    assert_eq!(times(looping(LoopMode::Forever, 2.0, 0.0), &[0.25, 0.5, 0.25]), [0.5, 1.5, 0.0]);
    assert_eq!(times(looping(LoopMode::Forever, -1.0, 0.0), &[0.0, 0.5, 1.5, 0.5]), [0.0, 1.5, 2.0, 1.5]);
    assert_eq!(times(looping(LoopMode::Once, -0.5, 2.0), &[1.0, 2.0, 2.0, 9.0]), [1.5, 0.5, 0.0, 0.0]);
    assert_eq!(times(looping(LoopMode::Forever, 0.0, 1.0), &[1.0, 100.0]), [1.0, 1.0]);
    assert_eq!(times(looping(LoopMode::Once, f64::MAX, 0.0), &[f64::MAX]), [2.0]);
}

#[test]
fn so_many_times_then_the_end_is_held() {
    assert_eq!(
        times(looping(LoopMode::Times(2), 1.0, 0.0), &[1.5, 1.0, 1.0, 1.0, 1.0]),
        [1.5, 0.5, 1.5, 2.0, 2.0]
    );
    assert_eq!(times(looping(LoopMode::Times(3), -1.0, 1.0), &[0.5, 1.0, 2.0, 2.0]), [0.5, 1.5, 1.5, 0.0]);
    assert_eq!(times(looping(LoopMode::Times(0), 1.0, 0.0), &[3.0]), [2.0]);
}

#[test]
fn back_and_forth_turns_at_both_ends() {
    let options = looping(LoopMode::PingPong, 1.0, 0.0);
    assert_eq!(times(options, &[1.5, 0.5, 0.5, 1.5, 0.25]), [1.5, 2.0, 1.5, 0.0, 0.25]);
    assert_eq!(times(options, &[3.0, 4.0, 8.0]), [1.0, 1.0, 1.0]);
    assert_eq!(times(looping(LoopMode::PingPong, 1.0, 5.0), &[0.0, 0.5]), [1.0, 1.5]);
}

#[test]
fn turning_around_goes_back_the_way_it_came() {
    for mode in [LoopMode::Forever, LoopMode::PingPong] {
        let mut stage = Stage::new(1);
        let playback = stage.play(ramp(2.0), looping(mode, 1.0, 0.0));
        stage.advance(2.75);
        let there = stage.time(playback);
        stage.scene.set_speed(playback, -1.0).unwrap();
        stage.advance(0.5);
        stage.scene.set_speed(playback, 1.0).unwrap();
        stage.advance(0.5);
        assert_eq!(stage.time(playback), there);
    }
}

#[test]
fn a_seek_and_another_mode_count_rounds_anew() {
    let mut stage = Stage::new(1);
    let playback = stage.play(ramp(2.0), looping(LoopMode::Times(2), 1.0, 0.0));
    stage.advance(10.0);
    assert!(stage.scene.playback(playback).unwrap().is_finished());
    stage.scene.seek(playback, 0.5).unwrap();
    stage.advance(2.0);
    assert_eq!(stage.time(playback), 0.5, "the first seam of two rounds");
    stage.advance(2.0);
    assert_eq!(stage.time(playback), 2.0);
    stage.scene.set_loop_mode(playback, LoopMode::Times(2)).unwrap();
    assert!(stage.scene.playback(playback).unwrap().is_finished(), "the same mode changes nothing");
    stage.scene.set_loop_mode(playback, LoopMode::PingPong).unwrap();
    stage.advance(0.5);
    assert_eq!(stage.time(playback), 1.5);
    // On the way back; for ever goes forward again.
    stage.scene.set_loop_mode(playback, LoopMode::Forever).unwrap();
    stage.advance(0.25);
    assert_eq!(stage.time(playback), 1.75);
    // A seek on the way back starts forth.
    stage.scene.set_loop_mode(playback, LoopMode::PingPong).unwrap();
    stage.advance(0.5);
    stage.scene.seek(playback, 1.0).unwrap();
    stage.advance(0.5);
    assert_eq!(stage.time(playback), 1.5);
}

#[test]
fn pause_holds_time_and_keeps_the_pose_written() {
    let mut stage = Stage::new(1);
    let options = PlaybackOptions { paused: true, start_time: 0.5, ..PlaybackOptions::default() };
    let playback = stage.play(ramp(2.0), options);
    stage.advance(1.0);
    assert_eq!((stage.time(playback), stage.x(0)), (0.5, 0.5));
    stage.scene.seek(playback, 1.0).unwrap();
    stage.advance(1.0);
    assert_eq!(stage.x(0), 1.0, "a paused playback can be scrubbed");
    stage.scene.set_paused(playback, false).unwrap();
    stage.advance(0.25);
    assert_eq!(stage.x(0), 1.25);
    assert!(!stage.scene.playback(playback).unwrap().is_paused());
}

#[test]
fn seek_takes_any_finite_time_and_clamps_it() {
    let mut stage = Stage::new(1);
    let playback = stage.play(ramp(2.0), PlaybackOptions::default());
    for (seconds, expected) in [(-1.0, 0.0), (-0.0, 0.0), (0.5, 0.5), (2.0, 2.0), (1e300, 2.0)] {
        stage.scene.seek(playback, seconds).unwrap();
        assert_eq!(stage.time(playback).to_bits(), f64::to_bits(expected));
    }
}
