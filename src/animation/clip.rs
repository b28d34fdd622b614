//! The clip: validated once, immutable from then on.

use super::arc::RotationArc;
use super::{
    AnimationError, AnimationIdentity, AnimationSampler, Keyframes, RotationInterpolation, SlotId, TargetPath,
};
use crate::math::Quat;
use std::collections::HashMap;
use std::sync::Arc;

/// Applies a sampler to one property of one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnimationChannel {
    /// What the binding maps to a node.
    pub slot: SlotId,
    /// The property driven.
    pub path: TargetPath,
    /// Index of the clip's sampler; several channels may share one.
    pub sampler: u32,
}

/// Above this many slots a clip is refused: a binding is as long as the highest slot, so a stray index would cost memory.
const SLOT_LIMIT: usize = 1 << 20;

/// A clip: named samplers and channels over numbered slots.
///
/// Validated when built and immutable afterwards; a clone shares the samples and the [`identity`](Self::identity).
#[derive(Debug, Clone)]
pub struct Animation {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    identity: AnimationIdentity,
    name: String,
    samplers: Vec<AnimationSampler>,
    /// For each sampler what its intervals need.
    arcs: Vec<Vec<RotationArc>>,
    channels: Vec<AnimationChannel>,
    slot_count: usize,
    duration: f64,
}

impl Animation {
    /// Builds a clip. A clip without channels is valid and lasts 0 s.
    ///
    /// Rotations are normalized here, so that sampling need not.
    ///
    /// # Errors
    /// An [`AnimationError`] naming the sampler and keyframe, or the channel, that breaks a rule: keyframes present and as
    /// many values as timestamps; timestamps finite, not negative and strictly increasing; rotations normalizable; each
    /// channel's sampler present and of its path's kind; each property of a slot driven once.
    pub fn new(
        name: impl Into<String>,
        mut samplers: Vec<AnimationSampler>,
        channels: Vec<AnimationChannel>,
    ) -> Result<Self, AnimationError> {
        let name = name.into();
        for (index, sampler) in samplers.iter_mut().enumerate() {
            sampler.validate(&name, index)?;
        }
        let mut slot_count = 0;
        let mut driven = HashMap::new();
        for (index, channel) in channels.iter().enumerate() {
            let Some(sampler) = samplers.get(channel.sampler as usize) else {
                return Err(AnimationError::ChannelSampler {
                    clip: name,
                    channel: index,
                    sampler: channel.sampler as usize,
                    count: samplers.len(),
                });
            };
            match (channel.path, &sampler.values) {
                (TargetPath::Rotation, Keyframes::Rotation(_)) => {}
            }
            let slot = channel.slot.index();
            if slot >= SLOT_LIMIT {
                return Err(AnimationError::SlotLimit { clip: name, channel: index, slot });
            }
            if let Some(first) = driven.insert((channel.slot, channel.path), index) {
                let path = channel.path;
                return Err(AnimationError::DuplicateTarget { clip: name, first, second: index, path, slot });
            }
            slot_count = slot_count.max(slot + 1);
        }
        let duration =
            channels.iter().map(|channel| samplers[channel.sampler as usize].end()).fold(0.0, f32::max);
        Ok(Self {
            inner: Arc::new(Inner {
                identity: AnimationIdentity::next(),
                name,
                arcs: samplers.iter().map(AnimationSampler::arcs).collect(),
                samplers,
                channels,
                slot_count,
                duration: f64::from(duration),
            }),
        })
    }

    /// Which built clip this is.
    #[must_use]
    pub fn identity(&self) -> AnimationIdentity {
        self.inner.identity
    }

    /// Its name; may be empty or shared with another clip.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Length in seconds: the last timestamp of any channel. The clip loops as one at this length; a channel that ends
    /// sooner holds its last value.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.inner.duration
    }

    /// Its samplers.
    #[must_use]
    pub fn samplers(&self) -> &[AnimationSampler] {
        &self.inner.samplers
    }

    /// The rotation of a sampler at `seconds`; see [`AnimationSampler::rotation_at`].
    #[inline]
    pub(crate) fn rotation_at(
        &self,
        sampler: u32,
        seconds: f64,
        interpolation: RotationInterpolation,
        cursor: &mut u32,
    ) -> Quat {
        let (sampler, inner) = (sampler as usize, &*self.inner);
        inner.samplers[sampler].rotation_at(&inner.arcs[sampler], seconds, interpolation, cursor)
    }

    /// Its channels.
    #[must_use]
    pub fn channels(&self) -> &[AnimationChannel] {
        &self.inner.channels
    }

    /// Number of slots: one above the highest that a channel drives.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.inner.slot_count
    }
}
