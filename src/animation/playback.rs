//! Where a clip stands in time.

use super::{
    Animation, AnimationError, AnimationId, AnimationIdentity, ChannelId, PlaybackId, RotationInterpolation,
    TargetPath,
};

/// How a clip is to be played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaybackOptions {
    /// Seconds into the clip; finite and at least 0. One beyond the end is wrapped or clamped.
    pub start_time: f64,
    /// Whether the end leads back to the start. Otherwise the last keyframe is held.
    pub looping: bool,
    /// How LINEAR rotations are mixed.
    pub rotation_interpolation: RotationInterpolation,
}

impl Default for PlaybackOptions {
    /// From 0 s, looping, by slerp.
    fn default() -> Self {
        Self { start_time: 0.0, looping: true, rotation_interpolation: RotationInterpolation::Slerp }
    }
}

/// A clip being played by a scene: the clip's name and a time, no samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Playback {
    id: PlaybackId,
    animation: AnimationId,
    identity: AnimationIdentity,
    duration: f64,
    time: f64,
    options: PlaybackOptions,
}

impl Playback {
    pub(crate) fn new(
        animation: AnimationId,
        clip: &Animation,
        options: PlaybackOptions,
    ) -> Result<Self, AnimationError> {
        let start = checked_time("start time", options.start_time)?;
        let mut playback = Self {
            id: PlaybackId::next(),
            animation,
            identity: clip.identity(),
            duration: clip.duration(),
            time: start,
            options,
        };
        if start > playback.duration {
            playback.time = playback.after(0.0, start);
        }
        Ok(playback)
    }

    /// Its name in the scene.
    #[must_use]
    pub fn id(&self) -> PlaybackId {
        self.id
    }

    /// Which clip of the list.
    #[must_use]
    pub fn animation(&self) -> AnimationId {
        self.animation
    }

    /// The built clip that must stand at that position.
    #[must_use]
    pub fn identity(&self) -> AnimationIdentity {
        self.identity
    }

    /// Seconds into the clip. A looping playback stays in [0, duration) once advanced; the exact end is 0 again.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Length of the clip in seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Whether the end leads back to the start.
    #[must_use]
    pub fn looping(&self) -> bool {
        self.options.looping
    }

    /// How LINEAR rotations are mixed.
    #[must_use]
    pub fn rotation_interpolation(&self) -> RotationInterpolation {
        self.options.rotation_interpolation
    }

    /// Moves to `seconds`, clamped to the clip, so that the end itself can be reached.
    pub(crate) fn seek(&mut self, seconds: f64) -> Result<(), AnimationError> {
        self.time = checked_time("seek time", seconds)?.min(self.duration);
        Ok(())
    }

    /// Moves on by a checked, non-negative number of seconds. No time passing leaves even the end where it is.
    #[inline]
    pub(crate) fn advance(&mut self, elapsed: f64) {
        if elapsed > 0.0 {
            self.time = self.after(self.time, elapsed);
        }
    }

    #[inline]
    fn after(&self, time: f64, elapsed: f64) -> f64 {
        if self.options.looping && self.duration > 0.0 {
            wrapped(time, elapsed, self.duration)
        } else {
            (time + elapsed).min(self.duration)
        }
    }
}

/// `(time + elapsed) mod duration`, without a division while the step stays within one loop.
///
/// Between one and two durations the subtraction is exact (Sterbenz), so both paths agree to the last bit.
#[inline]
fn wrapped(time: f64, elapsed: f64, duration: f64) -> f64 {
    let sum = time + elapsed;
    if sum < duration {
        sum
    } else if sum < duration + duration {
        sum - duration
    } else if sum.is_finite() {
        sum % duration
    } else {
        // Only steps near f64::MAX overflow; wrapping each part first keeps even those finite.
        (time % duration + elapsed % duration) % duration
    }
}

/// `seconds` if it is finite and not negative; -0.0 passes as 0.
pub(crate) fn checked_time(what: &'static str, seconds: f64) -> Result<f64, AnimationError> {
    if seconds.is_finite() && seconds >= 0.0 {
        Ok(seconds + 0.0)
    } else {
        Err(AnimationError::Time { what, seconds })
    }
}

/// A node's animation component: one channel of one playback that drives it.
///
/// A node may have several, one per driven property and playback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Animator {
    /// The playback, which holds the time.
    pub playback: PlaybackId,
    /// The channel of the played clip.
    pub channel: ChannelId,
    /// What it drives.
    pub path: TargetPath,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_is_half_open_and_never_leaves_the_clip() {
        assert_eq!(wrapped(0.0, 0.5, 2.0), 0.5);
        assert_eq!(wrapped(0.0, 2.0, 2.0), 0.0);
        assert_eq!(wrapped(0.0, 2.5, 2.0), 0.5);
        assert_eq!(wrapped(1.5, 1e9 + 1.0, 2.0), 0.5);
        assert_eq!(wrapped(0.0, 4.0, 2.0), 0.0);
        for elapsed in [1e300, f64::MAX] {
            let time = wrapped(1.9, elapsed, 2.0);
            assert!((0.0..2.0).contains(&time), "{elapsed}");
            let time = wrapped(f64::MAX, elapsed, 2.0);
            assert!((0.0..2.0).contains(&time), "{elapsed}");
        }
    }

    #[test]
    fn times_must_be_finite_and_not_negative() {
        assert_eq!(checked_time("elapsed", -0.0).map(f64::to_bits), Ok(0));
        for bad in [-1e-9, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(checked_time("elapsed", bad).is_err(), "{bad}");
        }
    }
}
