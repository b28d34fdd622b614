//! What can be changed about something that plays.

use super::arena::Scene;
use crate::animation::{AnimationError, FiredEvent, LoopMode, Playback, PlaybackId};

impl Scene {
    fn playing(&mut self, playback: PlaybackId) -> Result<&mut Playback, AnimationError> {
        self.playing.get_mut(playback).ok_or(AnimationError::UnknownPlayback)
    }

    /// Moves a playback to `seconds`, clamped to its clip, so that the end itself is reachable: time wraps only when it
    /// advances. The pose follows at the next [`advance_animations`](super::advance_animations), by 0 s for exactly this
    /// time. Rounds count anew, and a back-and-forth starts forth.
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`], or [`AnimationError::Time`] if not finite.
    pub fn seek(&mut self, playback: PlaybackId, seconds: f64) -> Result<(), AnimationError> {
        self.playing(playback)?.seek(seconds)
    }

    /// Sets how many seconds of its clip a playback moves on for each second that passes; negative is backward.
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`], or [`AnimationError::Speed`] if not finite.
    pub fn set_speed(&mut self, playback: PlaybackId, speed: f64) -> Result<(), AnimationError> {
        self.playing(playback)?.set_speed(speed)
    }

    /// Stops a playback's time where it is, or lets it go on. It keeps counting, and a fade goes on.
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`].
    pub fn set_paused(&mut self, playback: PlaybackId, paused: bool) -> Result<(), AnimationError> {
        self.playing(playback)?.set_paused(paused);
        Ok(())
    }

    /// Sets what happens at the end of a playback's clip. If that is another than before, rounds count anew.
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`].
    pub fn set_loop_mode(&mut self, playback: PlaybackId, mode: LoopMode) -> Result<(), AnimationError> {
        self.playing(playback)?.set_loop_mode(mode);
        Ok(())
    }

    /// Sets how much a playback counts, from 0 to 1, at once; a fade of it ends.
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`], or [`AnimationError::Weight`] for another number.
    pub fn set_weight(&mut self, playback: PlaybackId, weight: f64) -> Result<(), AnimationError> {
        self.playing(playback)?.set_weight(weight)
    }

    /// Lets a playback's weight go to `weight` evenly within `seconds` of the time that
    /// [`advance_animations`](super::advance_animations) is given, whatever its speed; 0 s at once. It replaces a fade.
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`]; [`AnimationError::Weight`] unless from 0 to 1; [`AnimationError::Time`] unless
    /// `seconds` is finite and at least 0.
    pub fn fade(&mut self, playback: PlaybackId, weight: f64, seconds: f64) -> Result<(), AnimationError> {
        let playback = self.playing(playback)?;
        playback.fade(weight, crate::animation::checked_time("fade time", seconds)?, false)
    }

    /// Lets `from` fade out and `to` fade in within `seconds`, then stops `from`.
    ///
    /// `to` starts from the weight that it has, or from 0 if it was not advanced since it was started, so that it can be
    /// played just before. A clip that should not jump at its seam can fade to a second playback of itself.
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`] for either, [`AnimationError::FadeToItself`], [`AnimationError::Time`] unless
    /// `seconds` is finite and at least 0. Then nothing changed.
    pub fn cross_fade(
        &mut self,
        from: PlaybackId,
        to: PlaybackId,
        seconds: f64,
    ) -> Result<(), AnimationError> {
        let seconds = crate::animation::checked_time("fade time", seconds)?;
        if from == to {
            return Err(AnimationError::FadeToItself);
        }
        self.playing(to)?;
        self.playing(from)?.fade(0.0, seconds, true)?;
        let to = self.playing(to)?;
        to.start_silent();
        to.fade(1.0, seconds, false)?;
        if seconds == 0.0 {
            self.stop(from);
        }
        Ok(())
    }

    /// Hands out and forgets the events that playbacks reached since the last time, oldest first: within a step by
    /// playback, then by time.
    ///
    /// An event fires when time reaches it, by any step in either direction, over the ends of the clip too, and whatever
    /// the playback's weight. Leaving it does not, except for the first step after a start or a seek, for which an event
    /// at exactly that time is still to come. A seek itself passes nothing.
    ///
    /// One entry is one crossing, unless a single step goes round its clip more than twice, or more than 65,536 entries
    /// wait: then [`FiredEvent::crossings`] counts those of the same event and playback, so that memory stays bounded by
    /// what plays and the numbers stay right.
    pub fn drain_animation_events(&mut self) -> impl Iterator<Item = FiredEvent> {
        self.playing.events.drain()
    }
}
