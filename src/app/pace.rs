//! How far the clips move from one frame to the next. The program's only clock is read by its callers.

use std::time::Instant;

/// Longest step in seconds: after a stall the animation goes on instead of jumping.
const LONGEST_STEP: f64 = 0.25;

/// Seconds between frames with `--smoke`.
const SMOKE_STEP: f64 = 0.8;

/// Seconds between frames that are written to files.
const PICTURE_STEP: f64 = 1.0 / 30.0;

/// Where the steps come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// The time since the last frame; the first step is 0.
    Clock {
        /// When the last frame began.
        last: Option<Instant>,
    },
    /// Always the same, after a first step of its own.
    Fixed {
        /// The step before the next frame, in seconds.
        next: f64,
        /// Every later one.
        step: f64,
    },
}

impl Pace {
    /// By the clock.
    pub fn clock() -> Self {
        Self::Clock { last: None }
    }

    /// 0.8 s before every frame, the first included.
    pub fn smoke() -> Self {
        Self::Fixed { next: SMOKE_STEP, step: SMOKE_STEP }
    }

    /// A thirtieth of a second between frames; the first shows the start.
    pub fn pictures() -> Self {
        Self::Fixed { next: 0.0, step: PICTURE_STEP }
    }

    /// Seconds to advance before the frame that begins at `now`.
    pub fn step(&mut self, now: Instant) -> f64 {
        match self {
            Self::Clock { last } => {
                let elapsed = last.map_or(0.0, |last| now.saturating_duration_since(last).as_secs_f64());
                *last = Some(now);
                elapsed.min(LONGEST_STEP)
            }
            Self::Fixed { next, step } => std::mem::replace(next, *step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_clock_starts_at_the_first_frame_and_stalls_are_clamped() {
        let start = Instant::now();
        let mut pace = Pace::clock();
        let mut step = |milliseconds| pace.step(start + Duration::from_millis(milliseconds));
        assert_eq!(step(500), 0.0);
        assert_eq!(step(516), 0.016);
        assert_eq!(step(766), 0.25);
        assert_eq!(step(100_000), 0.25);
        assert_eq!(step(100_010), 0.01);
        assert_eq!(step(99_000), 0.0, "a clock that went back");
    }

    #[test]
    fn fixed_steps_ignore_the_clock() {
        let start = Instant::now();
        let later = start + Duration::from_secs(9);
        let mut smoke = Pace::smoke();
        assert_eq!([smoke.step(start), smoke.step(later)], [0.8, 0.8]);
        let mut pictures = Pace::pictures();
        assert_eq!([start, start, later].map(|now| pictures.step(now)), [0.0, 1.0 / 30.0, 1.0 / 30.0]);
    }
}
