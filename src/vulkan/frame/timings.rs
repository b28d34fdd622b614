//! Where the time of a frame went.

use std::time::{Duration, Instant};

/// CPU time of each phase of the last drawn frame, and GPU time of an earlier one.
///
/// Waits are kept apart from work. A phase that did not happen is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
    /// GPU time of the last frame that is known to be finished, from timestamps; `None` where the device has none, and
    /// before the first frame is finished. The parts below are of the same frame, and their sum is this.
    ///
    /// A window's frame may wait in its midst for the image that it goes to; that counts to the pass that waits, which one
    /// being the driver's choice.
    pub gpu: Option<Duration>,
    /// The part of it from the frame's beginning to the end of the scene's pass, the resolve of samples included.
    pub gpu_scene: Option<Duration>,
    /// The part of the overlay's pass; `None` also if the frame had no overlay.
    pub gpu_overlay: Option<Duration>,
    /// The part that took the picture to a window's image, or to memory for
    /// [`render_to_image`](crate::vulkan::Renderer::render_to_image); `None` also for a headless frame, which stays where it is.
    pub gpu_output: Option<Duration>,
}

impl FrameTimings {
    /// Of the next frame, before it starts: the GPU's times arrive later than their frame, so the last known ones stay.
    pub(crate) fn next(&self) -> Self {
        let Self { gpu, gpu_scene, gpu_overlay, gpu_output, .. } = *self;
        Self { gpu, gpu_scene, gpu_overlay, gpu_output, ..Self::default() }
    }

    /// Takes over what the GPU needed for a frame.
    pub(crate) fn set_gpu(&mut self, passes: [Option<Duration>; Pass::COUNT]) {
        [self.gpu_scene, self.gpu_overlay, self.gpu_output] = passes;
        self.gpu = Some(passes.iter().flatten().sum());
    }
}

/// The passes of a frame, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    Scene,
    Overlay,
    /// To a window's image, or to memory.
    Output,
}

impl Pass {
    pub(crate) const COUNT: usize = 3;
}

/// The passes that a frame has, in the order in which they were recorded; none more than once.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Passes {
    recorded: [Option<Pass>; Pass::COUNT],
}

impl Passes {
    pub(crate) fn count(&self) -> usize {
        self.iter().count()
    }

    pub(crate) fn push(&mut self, pass: Pass) {
        if let Some(free) = self.recorded.iter_mut().find(|entry| entry.is_none()) {
            *free = Some(pass);
        }
    }

    fn iter(&self) -> impl Iterator<Item = Pass> {
        self.recorded.iter().copied().flatten()
    }

    /// How long each took, from the time between the frame's beginning and its end.
    pub(crate) fn durations(&self, ends: impl Iterator<Item = Duration>) -> [Option<Duration>; Pass::COUNT] {
        let mut durations = [None; Pass::COUNT];
        let mut last = Duration::ZERO;
        for (pass, end) in self.iter().zip(ends) {
            // Each is rounded once, from the beginning, so that no sum of parts differs from the whole. A driver whose
            // clock goes backwards gets a zero.
            durations[pass as usize] = Some(end.saturating_sub(last));
            last = last.max(end);
        }
        durations
    }
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

    fn recorded(passes: &[Pass]) -> Passes {
        let mut recorded = Passes::default();
        passes.iter().for_each(|&pass| recorded.push(pass));
        recorded
    }

    #[test]
    fn parts_of_the_gpu_time_sum_up_to_it() {
        let [a, b, c] = [3, 10, 14].map(Duration::from_nanos);
        let mut timings = FrameTimings::default();
        let all = recorded(&[Pass::Scene, Pass::Overlay, Pass::Output]);
        timings.set_gpu(all.durations([a, b, c].into_iter()));
        let parts = [timings.gpu_scene, timings.gpu_overlay, timings.gpu_output];
        assert_eq!(parts, [Some(a), Some(b - a), Some(c - b)]);
        assert_eq!(timings.gpu, Some(c));
        // A pass that did not happen is none, those of an earlier frame included.
        let two = recorded(&[Pass::Scene, Pass::Output]);
        timings.set_gpu(two.durations([a, c].into_iter()));
        assert_eq!((timings.gpu_scene, timings.gpu_overlay), (Some(a), None));
        assert_eq!((timings.gpu_output, timings.gpu), (Some(c - a), Some(c)));
        assert_eq!(timings.next(), timings);
        timings.recording = a;
        assert_eq!(timings.next(), FrameTimings { recording: Duration::ZERO, ..timings });
    }

    #[test]
    fn a_clock_that_goes_backwards_makes_no_negative_time() {
        let all = recorded(&[Pass::Scene, Pass::Overlay, Pass::Output]);
        let ends = [7, 5, 9].map(Duration::from_nanos);
        let expected = [7, 0, 2].map(|nanos| Some(Duration::from_nanos(nanos)));
        assert_eq!(all.durations(ends.into_iter()), expected);
    }

    #[test]
    fn no_more_passes_are_counted_than_there_are() {
        let passes = recorded(&[Pass::Scene; Pass::COUNT + 2]);
        assert_eq!((passes.count(), Passes::default().count()), (Pass::COUNT, 0));
    }
}
