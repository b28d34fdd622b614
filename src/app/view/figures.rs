//! How fast frames are shown.

use std::time::{Duration, Instant};

/// So many of the last frames count.
const FRAMES: usize = 240;

/// The times between the last frames that followed each other without a pause.
#[derive(Debug, Clone)]
pub struct Figures {
    times: Vec<f32>,
    next: usize,
    last: Option<Instant>,
    sorted: Vec<f32>,
}

impl Figures {
    /// No frame yet.
    pub fn new() -> Self {
        Self { times: Vec::with_capacity(FRAMES), next: 0, last: None, sorted: Vec::with_capacity(FRAMES) }
    }

    /// A frame was shown at `now`.
    pub fn record(&mut self, now: Instant) {
        if let Some(last) = self.last.replace(now) {
            let milliseconds = now.saturating_duration_since(last).as_secs_f32() * 1e3;
            if self.times.len() < FRAMES {
                self.times.push(milliseconds);
            } else {
                self.times[self.next] = milliseconds;
            }
            self.next = (self.next + 1) % FRAMES;
        }
    }

    /// No frame was wanted for a while: the time until the next is no frame's.
    pub fn pause(&mut self) {
        self.last = None;
    }

    /// The times in milliseconds, oldest first.
    pub fn milliseconds(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        let split = if self.times.len() < FRAMES { 0 } else { self.next };
        (0..self.times.len()).map(move |index| self.times[(split + index) % self.times.len()])
    }

    /// Frames a second; `None` before there are two.
    pub fn rate(&self) -> Option<f32> {
        let total: f32 = self.times.iter().sum();
        (total > 0.0).then(|| self.times.len() as f32 * 1e3 / total)
    }

    /// The time in milliseconds that this share of the frames stay within, such as 0.5 or 0.99.
    pub fn quantile(&mut self, share: f32) -> Option<f32> {
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.times);
        self.sorted.sort_unstable_by(f32::total_cmp);
        let last = self.sorted.len().checked_sub(1)?;
        let position = (share.clamp(0.0, 1.0) * self.sorted.len() as f32).ceil() as usize;
        self.sorted.get(position.saturating_sub(1).min(last)).copied()
    }
}

/// `1.23 ms`, or a dash.
pub fn milliseconds(time: Option<Duration>) -> String {
    time.map_or_else(|| "\u{2013}".to_owned(), |time| format!("{:.2} ms", time.as_secs_f64() * 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(figures: &mut Figures, start: Instant, milliseconds: &[u64]) -> Instant {
        let mut now = start;
        for step in milliseconds {
            now += Duration::from_millis(*step);
            figures.record(now);
        }
        now
    }

    #[test]
    fn the_first_frame_has_no_time() {
        let mut figures = Figures::new();
        assert_eq!((figures.rate(), figures.quantile(0.99)), (None, None));
        after(&mut figures, Instant::now(), &[5]);
        assert_eq!((figures.rate(), figures.milliseconds().len()), (None, 0));
    }

    #[test]
    fn rates_and_quantiles_are_of_the_times_between_frames() {
        let mut figures = Figures::new();
        let steps: Vec<u64> = [1].into_iter().chain((1..=100).rev()).collect();
        after(&mut figures, Instant::now(), &steps);
        assert_eq!(figures.milliseconds().len(), 100);
        assert!((figures.rate().unwrap() - 1e3 / 50.5).abs() < 1e-2);
        for (share, expected) in [(0.0, 1.0), (0.01, 1.0), (0.5, 50.0), (0.99, 99.0), (1.0, 100.0)] {
            let found = figures.quantile(share).unwrap();
            assert!((found - expected).abs() < 1e-2, "{share}: {found}");
        }
    }

    #[test]
    fn only_the_last_frames_count_and_pauses_do_not() {
        let mut figures = Figures::new();
        let now = after(&mut figures, Instant::now(), &[50; FRAMES]);
        figures.pause();
        let steps: Vec<u64> = [60_000].into_iter().chain([10; FRAMES - 1]).collect();
        after(&mut figures, now, &steps);
        let times: Vec<f32> = figures.milliseconds().collect();
        assert_eq!(times.len(), FRAMES);
        assert!((times[0] - 50.0).abs() < 1e-2 && (times[1] - 10.0).abs() < 1e-2, "{:?}", &times[..3]);
        assert!(figures.quantile(1.0).unwrap() < 51.0);
    }

    #[test]
    fn times_are_written_with_their_unit() {
        assert_eq!(milliseconds(None), "–");
        assert_eq!(milliseconds(Some(Duration::from_micros(1234))), "1.23 ms");
    }
}
