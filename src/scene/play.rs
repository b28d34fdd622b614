//! Which clips play on which nodes.

use super::append::NodeMap;
use super::arena::Scene;
use super::id::SceneNodeId;
use super::local::LocalTransform;
use super::node::NodeRef;
use super::playing::Driven;
use super::rows::NONE;
use crate::animation::{
    Animation, AnimationError, AnimationId, ChannelId, Playback, PlaybackId, PlaybackOptions,
};

/// Which node each slot of a clip means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClipBinding {
    /// The clip's position in the list of clips.
    pub animation: AnimationId,
    /// One node a slot.
    pub nodes: Vec<SceneNodeId>,
}

impl ClipBinding {
    /// The same clip on copies of the nodes, as [`Scene::append`] made them. A node without a copy stays.
    #[must_use]
    pub fn remapped(&self, map: &NodeMap) -> Self {
        Self {
            animation: self.animation,
            nodes: self.nodes.iter().map(|&node| map.get(node).unwrap_or(node)).collect(),
        }
    }
}

impl Scene {
    /// Starts a clip on the nodes of `binding`; every playback has its own time. The pose changes at the next
    /// [`advance_animations`](super::advance_animations) (an elapsed time of 0 shows the start).
    ///
    /// Everything is checked here once; nothing starts if it fails.
    ///
    /// # Errors
    /// [`AnimationError`]: a binding of the wrong length, a driven node that is not here or has a matrix, a start time
    /// that is negative or not finite.
    pub fn play(
        &mut self,
        animation: &Animation,
        binding: &ClipBinding,
        options: PlaybackOptions,
    ) -> Result<PlaybackId, AnimationError> {
        let playback = Playback::new(binding.animation, animation, options)?;
        let driven = self.bind(animation, binding)?;
        for target in &driven {
            self.unfold(target.slot);
            self.nodes[target.slot as usize].drivers += 1;
        }
        let id = playback.id();
        let playing = &mut self.playing;
        let start = playing.driven.len();
        playing.driven.extend(driven);
        playing.ranges.push(start..playing.driven.len());
        playing.playbacks.push(playback);
        playing.rows_of = None;
        Ok(id)
    }

    /// Resolves every channel of a clip to a node, or says why it cannot be played.
    pub(super) fn bind(
        &self,
        clip: &Animation,
        binding: &ClipBinding,
    ) -> Result<Vec<Driven>, AnimationError> {
        let name = || clip.name().to_owned();
        let (nodes, slots) = (binding.nodes.len(), clip.slot_count());
        if nodes != slots {
            return Err(AnimationError::BindingLength { clip: name(), nodes, slots });
        }
        let bind_channel = |(index, channel): (u32, &crate::animation::AnimationChannel)| {
            let (target, path) = (channel.slot.index(), channel.path);
            let slot = self
                .slot(binding.nodes[target])
                .ok_or_else(|| AnimationError::UnknownNode { clip: name(), slot: target })?;
            let view = NodeRef::new(self, slot);
            if let LocalTransform::Matrix(_) = view.local() {
                let node = view.name().to_owned();
                return Err(AnimationError::MatrixNode { clip: name(), slot: target, node, path });
            }
            Ok(Driven {
                channel: ChannelId::new(index),
                path,
                sampler: channel.sampler,
                cursor: 0,
                slot,
                generation: self.nodes[slot as usize].generation,
                row: NONE,
            })
        };
        (0..).zip(clip.channels()).map(bind_channel).collect()
    }

    /// Whether `animations` holds every clip that plays, at its position.
    pub(super) fn check_clips(&self, animations: &[Animation]) -> Result<(), AnimationError> {
        for playback in &self.playing.playbacks {
            let animation = playback.animation();
            match animations.get(animation.index()) {
                None => return Err(AnimationError::UnknownClip { animation, count: animations.len() }),
                Some(clip) if clip.identity() != playback.identity() => {
                    return Err(AnimationError::ClipChanged { animation, found: clip.name().to_owned() });
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Ends a playback; the nodes keep their pose. Returns whether it was playing here.
    pub fn stop(&mut self, playback: PlaybackId) -> bool {
        let Some(position) = self.playing.position(playback) else { return false };
        self.playing.playbacks.remove(position);
        let range = self.playing.ranges.remove(position);
        for target in self.playing.driven.drain(range.clone()) {
            let node = &mut self.nodes[target.slot as usize];
            if node.alive && node.generation == target.generation {
                node.drivers -= 1;
            }
        }
        for later in &mut self.playing.ranges[position..] {
            *later = later.start - range.len()..later.end - range.len();
        }
        true
    }

    /// A playback's state, or `None` if it is not playing here.
    #[must_use]
    pub fn playback(&self, playback: PlaybackId) -> Option<&Playback> {
        self.playing.position(playback).map(|position| &self.playing.playbacks[position])
    }

    /// Everything that plays, in order of starting.
    #[must_use]
    pub fn playbacks(&self) -> &[Playback] {
        &self.playing.playbacks
    }

    /// Moves a playback to `seconds`, clamped to its clip, so that the end itself is reachable: time wraps only when it
    /// advances. The pose follows at the next [`advance_animations`](super::advance_animations), by 0 s for exactly this
    /// time.
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`], or [`AnimationError::Time`] if negative or not finite.
    pub fn seek(&mut self, playback: PlaybackId, seconds: f64) -> Result<(), AnimationError> {
        let position = self.playing.position(playback).ok_or(AnimationError::UnknownPlayback)?;
        self.playing.playbacks[position].seek(seconds)
    }

    /// Looks up the rows of all driven nodes again if the structure changed since the last time.
    pub(super) fn refresh_driven_rows(&mut self) {
        let revision = Some(self.structure_revision);
        if self.playing.rows_of == revision {
            return;
        }
        for target in &mut self.playing.driven {
            let node = &self.nodes[target.slot as usize];
            let here = node.alive && node.generation == target.generation;
            target.row = if here { node.row } else { NONE };
        }
        self.playing.rows_of = revision;
    }
}
