//! Which clips play on which nodes.

use super::append::NodeMap;
use super::arena::Scene;
use super::driven::{Company, Driven};
use super::id::SceneNodeId;
use super::local::LocalTransform;
use super::node::NodeRef;
use super::rows::NONE;
use crate::animation::{
    Animation, AnimationChannel, AnimationError, AnimationId, ChannelId, Playback, PlaybackId,
    PlaybackOptions, TargetPath,
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
    /// Everything is checked here once; nothing starts if it fails. A node whose weights the clip drives and that has
    /// none gets as many as the clip has, 0 at rest; where the numbers differ, the smaller one is driven, and
    /// weights beyond it rest.
    ///
    /// # Errors
    /// [`AnimationError`]: a binding of the wrong length, a driven node that is not here, one that has a matrix where the
    /// clip drives a part of the transform, options out of their range.
    pub fn play(
        &mut self,
        animation: &Animation,
        binding: &ClipBinding,
        options: PlaybackOptions,
    ) -> Result<PlaybackId, AnimationError> {
        let playback = Playback::new(binding.animation, animation, options)?;
        self.check_binding(animation, binding)?;
        let (id, start) = (playback.id(), self.playing.driven.len());
        // By kind, so that the loop over them has no other branch to guess.
        let channels = || (0..).zip(animation.channels());
        channels()
            .filter(|(_, channel)| animation.is_linear_rotation(channel))
            .for_each(|(index, channel)| self.drive(animation, binding, index, channel));
        let linear_rotations = (self.playing.driven.len() - start) as u32;
        for path in [TargetPath::Rotation, TargetPath::Translation, TargetPath::Scale, TargetPath::Weights] {
            channels()
                .filter(|(_, channel)| channel.path == path && !animation.is_linear_rotation(channel))
                .for_each(|(index, channel)| self.drive(animation, binding, index, channel));
        }
        self.playing.push(playback, start, linear_rotations);
        Ok(id)
    }

    /// Adds a target for a channel that was checked.
    fn drive(
        &mut self,
        animation: &Animation,
        binding: &ClipBinding,
        index: u32,
        channel: &AnimationChannel,
    ) {
        let Some(slot) = self.slot(binding.nodes[channel.slot.index()]) else { return };
        let path = channel.path;
        if path == TargetPath::Weights {
            if self.weights.set_of(slot).is_none() {
                let count = animation.samplers()[channel.sampler as usize].width();
                self.weights.put(slot, &vec![0.0; count], false);
                self.structure_revision += 1;
            }
        } else {
            self.unfold(slot);
        }
        let node = self.animated_of(slot);
        self.animated.bind(node, path);
        self.playing.driven.push(Driven {
            channel: ChannelId::new(index),
            sampler: channel.sampler,
            cursor: 0,
            node,
            row: NONE,
            path,
            masked: false,
            shared: false,
        });
    }

    /// Whether every channel of a clip finds its node, or why it cannot be played.
    pub(super) fn check_binding(
        &self,
        clip: &Animation,
        binding: &ClipBinding,
    ) -> Result<(), AnimationError> {
        let name = || clip.name().to_owned();
        let (nodes, slots) = (binding.nodes.len(), clip.slot_count());
        if nodes != slots {
            return Err(AnimationError::BindingLength { clip: name(), nodes, slots });
        }
        for channel in clip.channels() {
            let (slot, path) = (channel.slot.index(), channel.path);
            let Some(node) = self.find(binding.nodes[slot]) else {
                return Err(AnimationError::UnknownNode { clip: name(), slot });
            };
            if path != TargetPath::Weights && matches!(node.local(), LocalTransform::Matrix(_)) {
                let node = node.name().to_owned();
                return Err(AnimationError::MatrixNode { clip: name(), slot, node, path });
            }
        }
        Ok(())
    }

    /// Ends a playback; returns whether it was playing here.
    ///
    /// What still drives its nodes takes over at the next [`advance_animations`](super::advance_animations). What nothing
    /// drives any more keeps its pose, until something plays there, it is set, or [`reset_pose`](Self::reset_pose) puts
    /// everything to rest.
    pub fn stop(&mut self, playback: PlaybackId) -> bool {
        let plays = self.playing.position(playback).is_some();
        if plays {
            self.stop_all_but(|other| other.id() != playback);
        }
        plays
    }

    /// Ends every playback that is not to be kept.
    pub(super) fn stop_all_but(&mut self, keep: impl Fn(&Playback) -> bool) {
        let animated = &mut self.animated;
        self.playing.retain(keep, |target| animated.release(target.node, target.path, target.masked));
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

    /// Limits a playback to those of its nodes for which `includes` is true now; the others are as if it did not drive
    /// them, so that code or other clips can. A later mask replaces it; one that includes all nodes ends it.
    ///
    /// What nothing drives any more keeps its pose, as after [`stop`](Self::stop).
    ///
    /// # Errors
    /// [`AnimationError::UnknownPlayback`].
    pub fn set_mask(
        &mut self,
        playback: PlaybackId,
        mut includes: impl FnMut(NodeRef<'_>) -> bool,
    ) -> Result<(), AnimationError> {
        let position = self.playing.position(playback).ok_or(AnimationError::UnknownPlayback)?;
        for index in self.playing.spans[position].range() {
            let Driven { node, path, masked: before, .. } = self.playing.driven[index];
            let slot = self.animated.nodes[node as usize].slot;
            let masked = slot != NONE && !includes(NodeRef::new(self, slot));
            self.playing.driven[index].masked = masked;
            let drivers = &mut self.animated.nodes[node as usize].drivers[path as usize];
            *drivers = *drivers + u32::from(before) - u32::from(masked);
        }
        self.playing.rows_of = None;
        Ok(())
    }

    /// Finds out again where all targets lie and which are shared, if something changed since the last time.
    pub(super) fn refresh_driven(&mut self) {
        let revision = Some(self.structure_revision);
        if self.playing.rows_of == revision {
            return;
        }
        for span in &mut self.playing.spans {
            let mut shared = false;
            for target in &mut self.playing.driven[span.range()] {
                let node = &self.animated.nodes[target.node as usize];
                target.row = match (node.slot, target.path) {
                    (NONE, _) => NONE,
                    _ if target.masked => NONE,
                    (slot, TargetPath::Weights) => self.weights.set_of(slot).unwrap_or(NONE),
                    (slot, _) => self.nodes[slot as usize].row,
                };
                target.shared = node.drivers[target.path as usize] > 1;
                shared |= target.shared;
            }
            span.company = match span.end - span.start {
                _ if shared => Company::Shared,
                all if all == span.linear_rotations => Company::AloneWithLinearRotations,
                _ => Company::Alone,
            };
        }
        self.playing.rows_of = revision;
    }
}
