//! When to draw.

use super::app::NextFrame;
use std::time::{Duration, Instant};

/// How long to wait after a frame that was not shown.
const RETRY_AFTER: Duration = Duration::from_millis(10);

/// The least time between frames of a window that is covered entirely. Rare, but not never: not every window system tells
/// that the window can be seen again, and a run of so many frames should come to its end.
const COVERED_PACE: Duration = Duration::from_millis(100);

/// What the event loop has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Draw,
    SleepUntil(Instant),
    /// Until something happens.
    Sleep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    Now,
    NotBefore(Instant),
    OnEvent { latest: Option<Instant> },
}

/// When the next frame is due, and whether there is anything to draw to.
#[derive(Debug)]
pub(super) struct Schedule {
    due: Due,
    has_area: bool,
    is_covered: bool,
    /// When the last frame began.
    last: Option<Instant>,
}

impl Schedule {
    /// The first frame is due at once.
    pub(super) fn new(has_area: bool) -> Self {
        Self { due: Due::Now, has_area, is_covered: false, last: None }
    }

    /// Something happened that a waiting application may want to show.
    pub(super) fn happened(&mut self) {
        if matches!(self.due, Due::OnEvent { .. }) {
            self.due = Due::Now;
        }
    }

    /// The window has another size.
    pub(super) fn resized(&mut self, has_area: bool) {
        self.has_area = has_area;
        self.due = Due::Now;
    }

    /// Nothing of the window can be seen, or something again.
    pub(super) fn covered(&mut self, is_covered: bool) {
        self.is_covered = is_covered;
    }

    /// A frame that began at `began` ended at `now`.
    pub(super) fn drawn(&mut self, next: NextFrame, began: Instant, now: Instant) {
        self.last = Some(began);
        self.due = match next {
            NextFrame::Continue | NextFrame::Done => Due::Now,
            NextFrame::Retry => Due::NotBefore(now + RETRY_AFTER),
            NextFrame::Wait(latest) => Due::OnEvent { latest },
        };
    }

    /// What there is to do at `now`.
    pub(super) fn turn(&self, now: Instant) -> Turn {
        let due = match self.due {
            _ if !self.has_area => return Turn::Sleep,
            Due::OnEvent { latest: None } => return Turn::Sleep,
            Due::Now => None,
            Due::NotBefore(time) | Due::OnEvent { latest: Some(time) } => Some(time),
        };
        let paced = self.last.filter(|_| self.is_covered).map(|last| last + COVERED_PACE);
        match due.max(paced) {
            Some(time) if now < time => Turn::SleepUntil(time),
            _ => Turn::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A schedule, a time, and the time that many milliseconds later.
    fn start() -> (Schedule, impl Fn(u64) -> Instant) {
        let start = Instant::now();
        (Schedule::new(true), move |milliseconds| start + Duration::from_millis(milliseconds))
    }

    #[test]
    fn an_application_that_continues_always_draws() {
        let (mut schedule, at) = start();
        assert_eq!(schedule.turn(at(0)), Turn::Draw);
        schedule.drawn(NextFrame::Continue, at(0), at(16));
        assert_eq!(schedule.turn(at(16)), Turn::Draw);
    }

    #[test]
    fn a_frame_that_was_not_shown_is_tried_again_after_10_ms_whatever_happens() {
        let (mut schedule, at) = start();
        schedule.drawn(NextFrame::Retry, at(0), at(5));
        schedule.happened();
        assert_eq!(schedule.turn(at(14)), Turn::SleepUntil(at(15)));
        assert_eq!(schedule.turn(at(15)), Turn::Draw);
        schedule.resized(true);
        assert_eq!(schedule.turn(at(6)), Turn::Draw);
    }

    #[test]
    fn waiting_ends_with_an_event_or_at_its_time() {
        let (mut schedule, at) = start();
        schedule.drawn(NextFrame::Wait(None), at(0), at(1));
        assert_eq!(schedule.turn(at(1_000_000)), Turn::Sleep);
        schedule.happened();
        assert_eq!(schedule.turn(at(2)), Turn::Draw);

        schedule.drawn(NextFrame::Wait(Some(at(500))), at(2), at(3));
        assert_eq!(schedule.turn(at(3)), Turn::SleepUntil(at(500)));
        assert_eq!(schedule.turn(at(500)), Turn::Draw);
        schedule.happened();
        assert_eq!(schedule.turn(at(4)), Turn::Draw);

        // A time that has passed already.
        schedule.drawn(NextFrame::Wait(Some(at(1))), at(4), at(5));
        assert_eq!(schedule.turn(at(5)), Turn::Draw);
    }

    #[test]
    fn a_window_without_an_area_sleeps_until_it_has_one() {
        let (mut schedule, at) = start();
        schedule.drawn(NextFrame::Wait(Some(at(1))), at(0), at(0));
        schedule.resized(false);
        schedule.happened();
        assert_eq!(schedule.turn(at(100)), Turn::Sleep);
        schedule.resized(true);
        assert_eq!(schedule.turn(at(100)), Turn::Draw);
        assert_eq!(Schedule::new(false).turn(at(0)), Turn::Sleep);
    }

    #[test]
    fn a_covered_window_draws_its_first_frame_and_then_every_100_ms() {
        let (mut schedule, at) = start();
        schedule.covered(true);
        assert_eq!(schedule.turn(at(0)), Turn::Draw);
        schedule.drawn(NextFrame::Continue, at(0), at(16));
        assert_eq!(schedule.turn(at(16)), Turn::SleepUntil(at(100)));
        assert_eq!(schedule.turn(at(100)), Turn::Draw);
        schedule.drawn(NextFrame::Wait(Some(at(900))), at(100), at(116));
        assert_eq!(schedule.turn(at(116)), Turn::SleepUntil(at(900)));
        schedule.happened();
        assert_eq!(schedule.turn(at(150)), Turn::SleepUntil(at(200)));
        schedule.covered(false);
        assert_eq!(schedule.turn(at(150)), Turn::Draw);
    }
}
