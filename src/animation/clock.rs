//! How a playback's time moves: round, to the end, or back and forth.

/// What happens at the end of a clip (at its start, when time runs backward). A clip without length has but one moment,
/// and is at its end in every mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum LoopMode {
    /// Time stops there.
    Once,
    /// Time goes round so many times, at least once, and stops at the last end.
    Times(u32),
    /// Time goes round for ever.
    #[default]
    Forever,
    /// Time turns back, at both ends, for ever.
    PingPong,
}

/// A time within a clip, and how it came there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Clock {
    time: f64,
    duration: f64,
    /// Ends gone over since time was set, not counting one at which it stopped.
    laps: u32,
    /// On the way back from an end at which [`LoopMode::PingPong`] turned.
    returning: bool,
    /// Time was set and has not moved since: what happens at exactly this moment is still to come.
    fresh: bool,
}

/// The way of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Travel {
    pub from: f64,
    pub to: f64,
    /// Whether the step starts toward 0.
    pub backward: bool,
    /// Whether `from` itself is yet to be reached.
    pub includes_start: bool,
    /// How many ends are gone over.
    pub turns: u64,
    /// Whether time turns back there, instead of going on from the other end.
    pub bounces: bool,
    pub duration: f64,
}

impl Clock {
    pub fn new(duration: f64) -> Self {
        Self { time: 0.0, duration, laps: 0, returning: false, fresh: true }
    }

    /// At `start` seconds; beyond the end wrapped where time goes on for ever, else at the end.
    pub fn starting(duration: f64, start: f64, mode: LoopMode) -> Self {
        let mut clock = Self::new(duration);
        match mode {
            LoopMode::Forever | LoopMode::PingPong if start > duration => {
                clock.advance(start, mode);
                Self { laps: 0, fresh: true, ..clock }
            }
            _ => {
                clock.set(start);
                clock
            }
        }
    }

    #[inline]
    pub fn time(&self) -> f64 {
        self.time
    }

    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Moves to `seconds`, clamped to the clip; rounds count anew.
    pub fn set(&mut self, seconds: f64) {
        // A comparison each way, so that -0.0 becomes 0.0.
        let time = if seconds > 0.0 { seconds.min(self.duration) } else { 0.0 };
        *self = Self { time, ..Self::new(self.duration) };
    }

    /// Counts rounds anew, for another [`LoopMode`], and forgets a way back.
    pub fn reset_laps(&mut self) {
        (self.laps, self.returning) = (0, false);
    }

    /// Whether time, if it runs this way, moves no more.
    pub fn is_finished(&self, backward: bool, mode: LoopMode) -> bool {
        // No round of a clip without length is another than the last.
        if self.duration == 0.0 {
            return true;
        }
        let end = if backward { 0.0 } else { self.duration };
        match mode {
            LoopMode::Once => self.time == end,
            LoopMode::Times(times) => self.time == end && self.laps.saturating_add(1) >= times,
            LoopMode::Forever | LoopMode::PingPong => false,
        }
    }

    /// Moves on by `delta` seconds of the clip, backward if negative, and says how many ends were gone over.
    ///
    /// No movement leaves even the end where it is. Round and round, time wraps into [0, duration) forward and into
    /// (0, duration] backward.
    pub fn advance(&mut self, delta: f64, mode: LoopMode) -> u64 {
        if delta == 0.0 {
            return 0;
        }
        let backward = (delta < 0.0) != self.returning;
        // Speed times elapsed time may overflow.
        let distance = delta.abs().min(f64::MAX);
        if backward && distance < self.time {
            self.time -= distance;
            return 0;
        }
        if !backward && self.time + distance < self.duration {
            self.time += distance;
            return 0;
        }
        self.pass_ends(distance, backward, mode)
    }

    /// As [`advance`](Self::advance), where time is known to run forward, if it moves.
    #[inline]
    pub fn advance_forward(&mut self, delta: f64, mode: LoopMode) {
        let next = self.time + delta;
        if next < self.duration {
            self.time = next;
        } else {
            self.advance(delta, mode);
        }
    }

    /// Remembers that time left the moment at which it was set.
    pub fn depart(&mut self) {
        self.fresh = false;
    }

    /// Whether time was set, and neither moved since nor was held at an end.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// The way of the step that led here from `before`.
    pub fn travel(&self, before: &Self, delta: f64, turns: u64, mode: LoopMode) -> Travel {
        Travel {
            from: before.time,
            to: self.time,
            backward: (delta < 0.0) != before.returning,
            includes_start: before.fresh,
            turns,
            bounces: mode == LoopMode::PingPong,
            duration: self.duration,
        }
    }

    fn pass_ends(&mut self, distance: f64, backward: bool, mode: LoopMode) -> u64 {
        let end = if backward { 0.0 } else { self.duration };
        self.fresh = false;
        if self.duration == 0.0 {
            self.time = 0.0;
            return 0;
        }
        // How far beyond the first end. Forward within a second round the difference is exact (Sterbenz).
        let over = if backward { distance - self.time } else { self.time + distance - self.duration };
        let rest = over % self.duration;
        let turns = (((over - rest) / self.duration).round() as u64).saturating_add(1);
        let limit = match mode {
            LoopMode::Once => Some(0),
            LoopMode::Times(times) => Some(u64::from(times.saturating_sub(1).saturating_sub(self.laps))),
            LoopMode::Forever | LoopMode::PingPong => None,
        };
        let turned = mode == LoopMode::PingPong && turns % 2 == 1;
        let (time, turns) = match limit {
            Some(limit) if turns > limit => (end, limit),
            // Toward 0 from `duration`: after an even number of bounces, or whenever time wraps while running backward.
            _ if backward != turned => (self.duration - rest, turns),
            _ => (rest, turns),
        };
        self.returning ^= turned;
        self.time = time;
        self.laps = self.laps.saturating_add(u32::try_from(turns).unwrap_or(u32::MAX));
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: f64) -> Clock {
        let mut clock = Clock::new(2.0);
        clock.set(time);
        clock
    }

    /// The time after a step, and the ends that it went over.
    fn moved(mut clock: Clock, delta: f64, mode: LoopMode) -> (f64, u64) {
        let turns = clock.advance(delta, mode);
        (clock.time(), turns)
    }

    #[test]
    fn round_and_round_wraps_half_open_each_way() {
        let forever = |from, delta| moved(at(from), delta, LoopMode::Forever);
        assert_eq!(forever(0.0, 0.5), (0.5, 0));
        assert_eq!(forever(0.0, 2.0), (0.0, 1));
        assert_eq!(forever(0.0, 2.5), (0.5, 1));
        assert_eq!(forever(2.0, 0.5), (0.5, 1));
        assert_eq!(forever(1.5, 1e9 + 1.0), (0.5, 500_000_001));
        assert_eq!(forever(0.0, 4.0), (0.0, 2));
        assert_eq!(forever(0.0, -0.5), (1.5, 1));
        assert_eq!(forever(1.0, -1.0), (2.0, 1));
        assert_eq!(forever(2.0, -2.0), (2.0, 1));
        assert_eq!(forever(1.0, -2.5), (0.5, 1));
        assert_eq!(forever(1.0, -5.0), (2.0, 3));
    }

    #[test]
    fn no_movement_moves_nothing() {
        for mode in [LoopMode::Once, LoopMode::Times(2), LoopMode::Forever, LoopMode::PingPong] {
            for time in [0.0, 1.0, 2.0] {
                assert_eq!(moved(at(time), 0.0, mode), (time, 0));
                assert_eq!(moved(at(time), -0.0, mode), (time, 0));
            }
        }
    }

    #[test]
    fn once_and_so_many_times_stop_at_the_end() {
        assert_eq!(moved(at(0.0), 1.5, LoopMode::Once), (1.5, 0));
        assert_eq!(moved(at(0.0), 1e300, LoopMode::Once), (2.0, 0));
        assert_eq!(moved(at(1.0), -1e300, LoopMode::Once), (0.0, 0));
        for times in [0, 1] {
            assert_eq!(moved(at(0.0), 5.0, LoopMode::Times(times)), (2.0, 0));
        }
        let mut clock = at(0.0);
        let mut reached = Vec::new();
        for _ in 0..5 {
            clock.advance(1.5, LoopMode::Times(3));
            reached.push((clock.time(), clock.is_finished(false, LoopMode::Times(3))));
        }
        assert_eq!(reached, [(1.5, false), (1.0, false), (0.5, false), (2.0, true), (2.0, true)]);
        // All at once, and to an exact end.
        assert_eq!(moved(at(0.0), 100.0, LoopMode::Times(3)), (2.0, 2));
        assert_eq!(moved(at(0.0), 6.0, LoopMode::Times(3)), (2.0, 2));
        assert_eq!(moved(at(0.0), 4.0, LoopMode::Times(3)), (0.0, 2));
        assert_eq!(moved(at(2.0), -5.0, LoopMode::Times(2)), (0.0, 1));
    }

    #[test]
    fn back_and_forth_reflects_however_far_a_step_goes() {
        for steps in [1, 3, 7, 64] {
            let mut clock = at(0.0);
            for step in 1..=64 * 9 {
                if step % steps == 0 {
                    clock.advance(0.125 * f64::from(steps), LoopMode::PingPong);
                    let phase = (0.125 * f64::from(step)) % 4.0;
                    let expected = if phase <= 2.0 { phase } else { 4.0 - phase };
                    assert_eq!(clock.time(), expected, "step {step} by {steps}");
                }
            }
        }
        // Backward from the start is forward, from the middle it meets 0 first.
        assert_eq!(moved(at(0.0), -0.5, LoopMode::PingPong), (0.5, 1));
        assert_eq!(moved(at(1.0), -1.5, LoopMode::PingPong), (0.5, 1));
        assert_eq!(moved(at(1.0), -3.5, LoopMode::PingPong), (1.5, 2));
    }

    #[test]
    fn huge_steps_and_tiny_clips_stay_within_the_clip() {
        let modes = [LoopMode::Once, LoopMode::Times(7), LoopMode::Forever, LoopMode::PingPong];
        for mode in modes {
            for duration in [f64::from(f32::MIN_POSITIVE), 1e-45, 2.0, f64::from(f32::MAX)] {
                for delta in [1e300, f64::MAX, -1e300, f64::MIN, 1e-300] {
                    let mut clock = Clock::new(duration);
                    clock.set(duration * 0.75);
                    clock.advance(delta, mode);
                    assert!((0.0..=duration).contains(&clock.time()), "{mode:?} {duration} {delta}");
                }
            }
        }
    }

    #[test]
    fn a_clip_of_no_length_stays_at_zero() {
        for mode in [LoopMode::Once, LoopMode::Times(2), LoopMode::Forever, LoopMode::PingPong] {
            for delta in [1.0, -1.0, f64::MAX] {
                let mut clock = Clock::new(0.0);
                assert_eq!((clock.advance(delta, mode), clock.time()), (0, 0.0));
                assert!(clock.is_finished(delta < 0.0, mode), "{mode:?}");
            }
        }
    }
}
