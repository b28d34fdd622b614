//! Where the time of a frame went.

use std::time::{Duration, Instant};

/// CPU time of each phase of the last drawn frame, and GPU time of an earlier one.
///
/// Waits are kept apart from work. A phase that did not happen is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct FrameTimings {
    /// Checking the draw list and grouping it into commands; almost nothing unless the structure changed.
    pub batching: Duration,
    /// Making a window's swapchain anew, with the waits that this takes.
    pub swapchain: Duration,
    /// Waiting until the GPU is done with the frame that used the same resources before.
    pub frame_wait: Duration,
    /// Copying world matrices, table and commands to memory that the GPU reads.
    pub upload: Duration,
    /// Waiting for a window's image.
    pub acquire: Duration,
    /// Resetting the command pool.
    pub pool_reset: Duration,
    /// Recording commands.
    pub recording: Duration,
    /// Submitting them.
    pub submission: Duration,
    /// Handing the image to the window system.
    pub presentation: Duration,
    /// GPU time of the last frame that is known to be finished, from timestamps; `None` where the device has none.
    pub gpu: Option<Duration>,
}

/// Adds the time since the last lap to phases, one after the other.
pub(crate) struct Laps {
    last: Instant,
}

impl Laps {
    pub(crate) fn start() -> Self {
        Self { last: Instant::now() }
    }

    /// The time since the last lap, which ends here.
    pub(crate) fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now.duration_since(std::mem::replace(&mut self.last, now))
    }
}

/// Nanoseconds between two timestamps of which `valid_bits` count, each tick lasting `period` nanoseconds.
pub(crate) fn ticks_between([start, end]: [u64; 2], valid_bits: u32, period: f32) -> Duration {
    let mask = u64::MAX.checked_shr(64 - valid_bits.min(64)).unwrap_or(0);
    let ticks = (end & mask).wrapping_sub(start & mask) & mask;
    Duration::from_nanos((ticks as f64 * f64::from(period)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_wrap_at_their_valid_bits() {
        assert_eq!(ticks_between([10, 25], 64, 2.0), Duration::from_nanos(30));
        assert_eq!(ticks_between([0xff_fff0, 0x10], 24, 1.0), Duration::from_nanos(32));
        assert_eq!(ticks_between([1, 2], 0, 1.0), Duration::ZERO);
    }
}
