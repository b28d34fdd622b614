//! When enough frames were shown, and when it is time to give up.

use super::error::AppError;
use super::output::counted;
use fire_engine::vulkan::FrameOutcome;
use std::time::{Duration, Instant};

/// Attempts in a row that show nothing before giving up.
const MOST_ATTEMPTS: u32 = 600;

/// Time without a shown frame, between attempts, before giving up.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What to do after a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Draw the next one.
    Continue,
    /// Nothing was shown: try again in a moment.
    Retry,
    /// Every frame was shown.
    Done,
}

/// Frames shown so far.
#[derive(Debug, Clone)]
pub struct Progress {
    limit: Option<u64>,
    presented: u64,
    /// Attempts without a frame since the last one that was shown, and when they began.
    failing: Option<(u32, Instant)>,
}

impl Progress {
    /// `limit` frames, or as many as come.
    pub fn new(limit: Option<u64>) -> Self {
        Self { limit, presented: 0, failing: None }
    }

    /// Frames that were shown.
    pub fn presented(&self) -> u64 {
        self.presented
    }

    /// Counts a frame. A suboptimal one was shown.
    ///
    /// # Errors
    /// [`AppError::Incomplete`] or [`AppError::Stuck`] after 600 attempts in a row, or 30 s of attempts, without one that
    /// is shown.
    pub fn record(&mut self, outcome: FrameOutcome, now: Instant) -> Result<Next, AppError> {
        if outcome == FrameOutcome::NotPresented {
            let (attempts, since) = self.failing.unwrap_or((0, now));
            let attempts = attempts + 1;
            self.failing = Some((attempts, since));
            let waited = now.saturating_duration_since(since);
            if attempts >= MOST_ATTEMPTS || waited >= LONGEST_WAIT {
                let seconds = waited.as_secs_f64();
                return Err(self.incomplete(format!(
                    "the window showed nothing in {attempts} attempts over {seconds:.1} s"
                )));
            }
            return Ok(Next::Retry);
        }
        self.failing = None;
        self.presented += 1;
        Ok(if self.limit.is_some_and(|limit| self.presented >= limit) { Next::Done } else { Next::Continue })
    }

    /// The time of attempts so far no longer counts, because the window had no area meanwhile.
    #[cfg_attr(not(feature = "winit"), allow(dead_code, reason = "only a window has no area"))]
    pub fn pause(&mut self) {
        self.failing = None;
    }

    /// Whether the limit, if there is one, was reached; else why not.
    pub fn complete(&self) -> Result<(), AppError> {
        match self.limit {
            Some(limit) if self.presented < limit => Err(self.incomplete("the window was closed".to_owned())),
            _ => Ok(()),
        }
    }

    /// `Presented 1 frame.`
    pub fn summary(&self) -> String {
        format!("Presented {}.", counted(self.presented, "frame"))
    }

    fn incomplete(&self, reason: String) -> AppError {
        let presented = self.presented;
        match self.limit {
            Some(wanted) => AppError::Incomplete { presented, wanted, reason },
            None => AppError::Stuck { presented, reason },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FrameOutcome::{NotPresented, Presented, Suboptimal};

    #[test]
    fn suboptimal_frames_count_and_the_last_one_ends_it() {
        let now = Instant::now();
        let mut progress = Progress::new(Some(2));
        assert_eq!(progress.record(Suboptimal, now).unwrap(), Next::Continue);
        assert_eq!(progress.record(NotPresented, now).unwrap(), Next::Retry);
        assert!(progress.complete().is_err());
        assert_eq!(progress.record(Presented, now).unwrap(), Next::Done);
        assert!(progress.complete().is_ok());
        assert_eq!(progress.summary(), "Presented 2 frames.");
    }

    #[test]
    fn without_a_limit_any_number_will_do() {
        let mut progress = Progress::new(None);
        assert!(progress.complete().is_ok());
        for _ in 0..1000 {
            assert_eq!(progress.record(Presented, Instant::now()).unwrap(), Next::Continue);
        }
        assert_eq!(progress.summary(), "Presented 1000 frames.");
    }

    #[test]
    fn six_hundred_attempts_in_a_row_are_the_end() {
        let now = Instant::now();
        let mut progress = Progress::new(Some(3));
        for _ in 0..2 {
            for _ in 0..599 {
                assert_eq!(progress.record(NotPresented, now).unwrap(), Next::Retry);
            }
            // One that is shown begins the count anew.
            assert_eq!(progress.record(Presented, now).unwrap(), Next::Continue);
        }
        for _ in 0..599 {
            progress.record(NotPresented, now).unwrap();
        }
        let error = progress.record(NotPresented, now).unwrap_err();
        assert!(error.to_string().starts_with("presented 2 of 3 frames: "), "{error}");
    }

    #[test]
    fn half_a_minute_of_attempts_is_the_end_but_a_pause_is_not() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut progress = Progress::new(None);
        progress.record(NotPresented, at(0)).unwrap();
        progress.pause();
        progress.record(NotPresented, at(100)).unwrap();
        progress.record(NotPresented, at(129)).unwrap();
        let error = progress.record(NotPresented, at(130)).unwrap_err();
        assert!(matches!(error, AppError::Stuck { presented: 0, .. }), "{error}");
    }
}
