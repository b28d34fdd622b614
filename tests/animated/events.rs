//! Events: each crossing once, whatever the step.

use crate::clips::*;
use fire_engine::animation::{
    Animation, AnimationError, AnimationEvent, LoopMode, PlaybackId, PlaybackOptions,
};

fn event(time: f64) -> AnimationEvent {
    AnimationEvent { time, name: format!("{time}") }
}

/// 2 s with events at these times.
fn clip_with(times: &[f64]) -> Animation {
    ramp(2.0).with_events(times.iter().map(|&time| event(time)).collect()).unwrap()
}

fn options(loop_mode: LoopMode, speed: f64) -> PlaybackOptions {
    PlaybackOptions { loop_mode, speed, ..PlaybackOptions::default() }
}

struct Listener {
    stage: Stage,
    playback: PlaybackId,
}

impl Listener {
    fn new(times: &[f64], options: PlaybackOptions) -> Self {
        let mut stage = Stage::new(1);
        let playback = stage.play(clip_with(times), options);
        Self { stage, playback }
    }

    /// The times of the events that a step fires; one that is crossed n times, n times.
    fn step(&mut self, seconds: f64) -> Vec<f64> {
        self.stage.advance(seconds);
        let fired: Vec<_> = self.stage.scene.drain_animation_events().collect();
        let clip = &self.stage.clips[0];
        let times = fired.iter().flat_map(|fired| {
            assert_eq!((fired.playback, fired.animation.index()), (self.playback, 0));
            vec![clip.events()[fired.event as usize].time; fired.crossings as usize]
        });
        times.collect()
    }
}

const NOTHING: [f64; 0] = [];

#[test]
fn events_fire_when_time_reaches_them_and_once() {
    let mut l = Listener::new(&[0.5, 1.0], options(LoopMode::Forever, 1.0));
    assert_eq!(l.step(0.25), NOTHING);
    assert_eq!(l.step(0.25), [0.5]);
    assert_eq!(l.step(0.25), NOTHING, "leaving is not reaching");
    assert_eq!(l.step(0.5), [1.0]);
    assert_eq!(l.step(0.0), NOTHING);
    assert!(l.stage.scene.drain_animation_events().next().is_none(), "drained once");
}

#[test]
fn events_at_the_start_fire_with_the_first_movement() {
    let mut l = Listener::new(&[0.0, 1.0], options(LoopMode::Once, 1.0));
    assert_eq!(l.step(0.0), NOTHING);
    assert_eq!(l.step(0.5), [0.0]);
    l.stage.scene.seek(l.playback, 1.0).unwrap();
    assert_eq!(l.step(0.0), NOTHING, "a seek passes nothing");
    assert_eq!(l.step(0.25), [1.0], "what lies at the sought time is still to come");
    l.stage.scene.set_paused(l.playback, true).unwrap();
    l.stage.scene.seek(l.playback, 0.0).unwrap();
    assert_eq!(l.step(5.0), NOTHING);
    l.stage.scene.set_paused(l.playback, false).unwrap();
    assert_eq!(l.step(5.0), [0.0, 1.0]);
    assert_eq!(l.step(5.0), NOTHING, "a finished playback fires no more");
}

#[test]
fn a_seam_crosses_both_ends_once() {
    let all = [0.0, 0.5, 2.0];
    let mut l = Listener::new(&all, options(LoopMode::Forever, 1.0));
    assert_eq!(l.step(1.0), [0.0, 0.5]);
    assert_eq!(l.step(1.0), [2.0, 0.0], "onto the seam");
    assert_eq!(l.step(0.25), NOTHING);
    assert_eq!(l.step(2.0), [0.5, 2.0, 0.0], "over it");
    let mut l = Listener::new(&all, options(LoopMode::Forever, -1.0));
    assert_eq!(l.step(1.0), [0.0, 2.0]);
    assert_eq!(l.step(1.0), [0.5, 0.0, 2.0], "onto the seam backward");
    assert_eq!(l.step(1.75), [0.5]);
}

#[test]
fn ping_pong_reaches_an_end_once_a_turn() {
    let mut l = Listener::new(&[0.0, 1.0, 2.0], options(LoopMode::PingPong, 1.0));
    assert_eq!(l.step(0.5), [0.0]);
    assert_eq!(l.step(2.0), [1.0, 2.0]);
    assert_eq!(l.step(2.0), [1.0, 0.0]);
    assert_eq!(l.step(1.5), [1.0, 2.0], "onto the turn");
    assert_eq!(l.step(0.5), NOTHING);
}

#[test]
fn so_many_times_fire_so_many_times() {
    for steps in [1, 2, 7, 100] {
        let mut l = Listener::new(&[0.0, 0.5, 2.0], options(LoopMode::Times(3), 1.0));
        let mut all = Vec::new();
        for _ in 0..steps {
            all.extend(l.step(10.0 / f64::from(steps)));
        }
        let count = |time: f64| all.iter().filter(|&&t| t == time).count();
        assert_eq!([count(0.0), count(0.5), count(2.0)], [3, 3, 3], "{steps} steps");
    }
}

/// However a way is divided into steps, the same crossings are reported, and so many as a count by hand gives.
#[test]
fn any_division_of_the_way_reports_the_same_crossings() {
    let times = [0.0, 0.3, 0.7, 1.9, 2.0];
    for mode in [LoopMode::Once, LoopMode::Times(4), LoopMode::Forever, LoopMode::PingPong] {
        for speed in [1.0, -1.0, 0.5] {
            // 64 s in steps of a power of two, so that all divisions reach the same times.
            let counts = |step: f64| {
                let mut l = Listener::new(&times, options(mode, speed));
                let mut counts = [0; 5];
                for _ in 0..(64.0 / step) as usize {
                    for time in l.step(step) {
                        counts[times.iter().position(|&t| t == time).unwrap()] += 1;
                    }
                }
                (counts, l.stage.time(l.playback))
            };
            let fine = counts(0.0625);
            for step in [0.125, 0.5, 1.0, 4.0, 16.0, 64.0] {
                assert_eq!(counts(step), fine, "{mode:?} at {speed} in steps of {step} s");
            }
            let rounds = 64.0 * f64::abs(speed) / 2.0;
            let expected = match mode {
                LoopMode::Once if speed > 0.0 => 1.0,
                LoopMode::Once => 0.0,
                LoopMode::Times(times) if speed > 0.0 => f64::from(times),
                // Backward from 0 the first round ends where it starts.
                LoopMode::Times(times) => f64::from(times - 1),
                LoopMode::Forever | LoopMode::PingPong => rounds,
                other => panic!("no expectation for {other:?}"),
            };
            assert_eq!(f64::from(fine.0[1]), expected, "{mode:?} at {speed}");
        }
    }
}

#[test]
fn huge_steps_over_short_clips_are_counted_in_bounded_memory() {
    for mode in [LoopMode::Forever, LoopMode::PingPong] {
        let mut stage = Stage::new(1);
        stage.play(clip_with(&[0.5, 1.0, 1.5]), options(mode, 1.0));
        stage.advance(2e9 + 0.75);
        let fired: Vec<_> = stage.scene.drain_animation_events().collect();
        assert!(fired.len() <= 9, "{} entries", fired.len());
        let crossings = |event: u32| -> u64 {
            fired.iter().filter(|fired| fired.event == event).map(|fired| fired.crossings).sum()
        };
        assert_eq!([0, 1, 2].map(crossings), [1_000_000_001, 1_000_000_000, 1_000_000_000]);
    }
}

#[test]
fn events_that_nobody_drains_are_merged_and_none_is_lost() {
    let mut stage = Stage::new(1);
    let playbacks =
        [1.0, 2.0].map(|speed| stage.play(clip_with(&[0.25, 1.25]), options(LoopMode::Forever, speed)));
    let seconds = 100_000;
    for _ in 0..seconds {
        stage.advance(1.0);
    }
    let fired: Vec<_> = stage.scene.drain_animation_events().collect();
    assert!(fired.len() <= 1 << 16);
    for (playback, rate) in playbacks.into_iter().zip([1, 2]) {
        for event in [0, 1] {
            let own = fired.iter().filter(|fired| (fired.playback, fired.event) == (playback, event));
            assert_eq!(own.map(|fired| fired.crossings).sum::<u64>(), seconds / 2 * rate);
        }
    }
    stage.advance(1.0);
    assert!(stage.scene.drain_animation_events().all(|fired| fired.crossings == 1));
}

#[test]
fn events_fire_at_any_weight_and_playbacks_in_order() {
    let mut stage = Stage::new(1);
    let playbacks = [0.0, 1.0].map(|weight| {
        let options = PlaybackOptions { weight, ..PlaybackOptions::default() };
        stage.play(clip_with(&[0.5]), options)
    });
    stage.advance(1.0);
    let fired: Vec<_> = stage.scene.drain_animation_events().map(|fired| fired.playback).collect();
    assert_eq!(fired, playbacks);
    stage.scene.stop(playbacks[0]);
    stage.advance(2.0);
    let fired: Vec<_> = stage.scene.drain_animation_events().map(|fired| fired.playback).collect();
    assert_eq!(fired, playbacks[1..]);
}

#[test]
fn events_are_sorted_and_must_lie_in_the_clip() {
    let clip = clip_with(&[2.0, 0.5, -0.0]);
    assert_eq!(
        clip.events().iter().map(|event| event.time.to_bits()).collect::<Vec<_>>(),
        [0.0f64, 0.5, 2.0].map(f64::to_bits)
    );
    assert_eq!(clip.events()[2].name, "2");
    let plain = ramp(2.0);
    assert!(plain.events().is_empty() && plain.identity() != plain.with_events(vec![]).unwrap().identity());
    for bad in [-0.1, 2.1, f64::NAN, f64::INFINITY] {
        match plain.with_events(vec![event(1.0), event(bad)]).unwrap_err() {
            AnimationError::EventTime { event: 1, duration: 2.0, .. } => {}
            other => panic!("{other}"),
        }
    }
}
