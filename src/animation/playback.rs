//! Where a clip stands in time, and how much it counts.

use super::arc::RotationInterpolation;
use super::clip::Animation;
use super::clock::{Clock, LoopMode};
use super::error::AnimationError;
use super::event::{AnimationEvent, crossed};
use super::id::{AnimationId, AnimationIdentity, ChannelId, PlaybackId};
use super::target::TargetPath;

/// How a playback joins others that drive the same properties.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum BlendMode {
    /// Its samples are mixed with those of the others. Weights above a sum of 1 are scaled to 1, below 1 the rest pose
    /// fills up; rotations are mixed by nlerp in the order of starting, their signs aligned to the first.
    #[default]
    Mix,
    /// What its samples differ from the clip's own at `reference` seconds (clamped to the clip) is added to what the
    /// others give: translations, scales and weights as they are, rotations in the node's own axes.
    Additive {
        /// Seconds into the clip; finite and at least 0.
        reference: f64,
    },
}

/// How a clip is to be played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaybackOptions {
    /// Seconds into the clip; finite and at least 0. One beyond the end is wrapped where time goes on for ever, else
    /// clamped. To play once backward, start at the clip's duration.
    pub start_time: f64,
    /// Seconds of the clip for each second that passes; finite. Negative plays backward.
    pub speed: f64,
    /// What happens at the end.
    pub loop_mode: LoopMode,
    /// Whether time stands still.
    pub paused: bool,
    /// How much it counts, from 0 to 1. One of 0 costs only its time and events.
    pub weight: f64,
    /// How it joins others.
    pub blend: BlendMode,
    /// How LINEAR rotations are mixed.
    pub rotation_interpolation: RotationInterpolation,
}

impl Default for PlaybackOptions {
    /// From 0 s forward at normal speed, for ever, in full, by slerp.
    fn default() -> Self {
        Self {
            start_time: 0.0,
            speed: 1.0,
            loop_mode: LoopMode::Forever,
            paused: false,
            weight: 1.0,
            blend: BlendMode::Mix,
            rotation_interpolation: RotationInterpolation::Slerp,
        }
    }
}

/// A clip being played by a scene: the clip's name and a time, no samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Playback {
    id: PlaybackId,
    identity: AnimationIdentity,
    clock: Clock,
    speed: f64,
    weight: f64,
    blend: BlendMode,
    loop_mode: LoopMode,
    /// Few playbacks fade, and those that do not should stay small.
    fade: Option<Box<Fade>>,
    animation: AnimationId,
    rotation_interpolation: RotationInterpolation,
    paused: bool,
    /// Whether a frame has shown it.
    shown: bool,
    /// See [`is_steady`](Self::is_steady).
    steady: bool,
}

/// A weight on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Fade {
    from: f64,
    to: f64,
    elapsed: f64,
    seconds: f64,
    /// Whether the playback ends with it.
    ends: bool,
}

impl Playback {
    pub(crate) fn new(
        animation: AnimationId,
        clip: &Animation,
        options: PlaybackOptions,
    ) -> Result<Self, AnimationError> {
        let start = checked_time("start time", options.start_time)?;
        let mut blend = options.blend;
        if let BlendMode::Additive { reference } = &mut blend {
            *reference = checked_time("reference time", *reference)?.min(clip.duration());
        }
        Ok(Self {
            id: PlaybackId::next(),
            identity: clip.identity(),
            clock: Clock::starting(clip.duration(), start, options.loop_mode),
            speed: checked_speed(options.speed)?,
            weight: checked_weight(options.weight)?,
            blend,
            loop_mode: options.loop_mode,
            fade: None,
            animation,
            rotation_interpolation: options.rotation_interpolation,
            paused: options.paused,
            shown: false,
            steady: false,
        })
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

    /// Seconds into the clip. Once advanced, one that plays for ever stays in [0, duration) (the exact end is 0 again),
    /// backward in (0, duration].
    #[must_use]
    #[inline]
    pub fn time(&self) -> f64 {
        self.clock.time()
    }

    /// Length of the clip in seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.clock.duration()
    }

    /// Seconds of the clip for each second that passes.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// How much it counts now, from 0 to 1.
    #[must_use]
    #[inline]
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// How it joins others.
    #[must_use]
    #[inline]
    pub fn blend(&self) -> BlendMode {
        self.blend
    }

    /// What happens at the end.
    #[must_use]
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Whether time stands still.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Whether its weight is on its way to another.
    #[must_use]
    pub fn is_fading(&self) -> bool {
        self.fade.is_some()
    }

    /// Whether time reached the last end (backward: start) that its loop mode allows: never where time goes on for ever,
    /// except that a clip without length is finished from the start, in every mode. The pose there holds until the
    /// playback is stopped.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.clock.is_finished(self.speed < 0.0, self.loop_mode)
    }

    /// How LINEAR rotations are mixed.
    #[must_use]
    pub fn rotation_interpolation(&self) -> RotationInterpolation {
        self.rotation_interpolation
    }

    pub(crate) fn seek(&mut self, seconds: f64) -> Result<(), AnimationError> {
        self.clock.set(checked_number("seek time", seconds)?);
        Ok(())
    }

    pub(crate) fn set_speed(&mut self, speed: f64) -> Result<(), AnimationError> {
        self.speed = checked_speed(speed)?;
        self.note_steadiness();
        Ok(())
    }

    pub(crate) fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.note_steadiness();
    }

    pub(crate) fn set_loop_mode(&mut self, mode: LoopMode) {
        if self.loop_mode != mode {
            self.loop_mode = mode;
            self.clock.reset_laps();
            self.note_steadiness();
        }
    }

    /// Sets the weight at once and ends a fade.
    pub(crate) fn set_weight(&mut self, weight: f64) -> Result<(), AnimationError> {
        self.weight = checked_weight(weight)?;
        self.fade = None;
        self.note_steadiness();
        Ok(())
    }

    /// Lets the weight go to `weight` in checked `seconds`, and the playback end then if it `ends`.
    pub(crate) fn fade(&mut self, weight: f64, seconds: f64, ends: bool) -> Result<(), AnimationError> {
        let to = checked_weight(weight)?;
        self.fade = Some(Box::new(Fade { from: self.weight, to, elapsed: 0.0, seconds, ends }));
        if seconds == 0.0 {
            self.fade_on(0.0);
        }
        self.note_steadiness();
        Ok(())
    }

    /// Makes one that no frame has shown count from nothing.
    pub(crate) fn start_silent(&mut self) {
        if !self.shown {
            self.weight = 0.0;
        }
    }

    /// Whether it faded out and is to end.
    pub(crate) fn is_over(&self) -> bool {
        self.fade.as_ref().is_some_and(|fade| fade.ends && fade.elapsed >= fade.seconds)
    }

    /// Whether its samples can be written as they are to what it alone drives.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.weight >= 1.0 && self.blend == BlendMode::Mix
    }

    /// Whether it was shown, runs forward and never back, and its samples count in full: what most do.
    #[inline]
    pub(crate) fn is_steady(&self) -> bool {
        self.steady
    }

    /// What [`advance`](Self::advance) is for one that is steady and has no events.
    #[inline]
    pub(crate) fn advance_steady(&mut self, elapsed: f64) {
        self.clock.advance_forward(elapsed * self.speed, self.loop_mode);
    }

    /// Whether [`advance`](Self::advance) would leave it as it is and reach no event: for one that was advanced before.
    pub(crate) fn stands_still(&self, elapsed: f64) -> bool {
        let pauses = self.paused || self.speed == 0.0 || elapsed == 0.0;
        self.fade.is_none() && (pauses || (self.is_finished() && !self.clock.is_fresh()))
    }

    /// Moves on by a checked, non-negative number of seconds, and hands each event that is reached and how often to
    /// `fire`. No time passing leaves even the end where it is.
    pub(crate) fn advance(&mut self, elapsed: f64, events: &[AnimationEvent], fire: impl FnMut(u32, u64)) {
        self.shown = true;
        if self.fade.is_some() {
            self.fade_on(elapsed);
        }
        self.note_steadiness();
        let delta = elapsed * self.speed;
        if self.paused || delta == 0.0 {
            return;
        }
        let before = self.clock;
        let turns = self.clock.advance(delta, self.loop_mode);
        self.clock.depart();
        if !events.is_empty() {
            crossed(events, &self.clock.travel(&before, delta, turns, self.loop_mode), fire);
        }
    }

    /// After any change of what it depends on.
    fn note_steadiness(&mut self) {
        self.steady = self.shown
            && !self.paused
            && self.speed >= 0.0
            && self.loop_mode != LoopMode::PingPong
            && self.fade.is_none()
            && self.is_plain();
    }

    fn fade_on(&mut self, elapsed: f64) {
        let Some(fade) = &mut self.fade else { return };
        fade.elapsed += elapsed;
        if fade.elapsed < fade.seconds {
            let part = fade.elapsed / fade.seconds;
            self.weight = fade.from * (1.0 - part) + fade.to * part;
        } else {
            self.weight = fade.to;
            if !fade.ends {
                self.fade = None;
            }
        }
    }
}

/// `seconds` if it is finite and not negative; -0.0 passes as 0.
pub(crate) fn checked_time(what: &'static str, seconds: f64) -> Result<f64, AnimationError> {
    if seconds >= 0.0 { checked_number(what, seconds) } else { Err(AnimationError::Time { what, seconds }) }
}

/// `seconds` if it is finite; -0.0 passes as 0.
pub(crate) fn checked_number(what: &'static str, seconds: f64) -> Result<f64, AnimationError> {
    if seconds.is_finite() { Ok(seconds + 0.0) } else { Err(AnimationError::Time { what, seconds }) }
}

fn checked_weight(weight: f64) -> Result<f64, AnimationError> {
    if (0.0..=1.0).contains(&weight) { Ok(weight + 0.0) } else { Err(AnimationError::Weight { weight }) }
}

fn checked_speed(speed: f64) -> Result<f64, AnimationError> {
    if speed.is_finite() { Ok(speed) } else { Err(AnimationError::Speed { speed }) }
}

/// A node's animation component: one channel of one playback that drives it.
///
/// A node may have several, one per driven property and playback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    fn times_must_be_finite_and_not_negative() {
        assert_eq!(checked_time("elapsed", -0.0).map(f64::to_bits), Ok(0));
        for bad in [-1e-9, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(checked_time("elapsed", bad).is_err(), "{bad}");
        }
        assert_eq!(checked_number("seek", -1.0), Ok(-1.0));
    }

    #[test]
    fn a_playback_stays_small() {
        assert!(size_of::<Playback>() <= 96, "{}", size_of::<Playback>());
    }
}
