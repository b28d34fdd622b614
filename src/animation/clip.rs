//! The clip: validated once, immutable from then on.

use super::arc::RotationArc;
use super::error::AnimationError;
use super::event::AnimationEvent;
use super::id::{AnimationIdentity, SlotId};
use super::sampler::{AnimationSampler, Interpolation, Keyframes};
use super::target::TargetPath;
use super::track::Track;
use std::collections::HashMap;
use std::sync::Arc;

/// Applies a sampler to one property of one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnimationChannel {
    /// What the binding maps to a node, or for a [`TargetPath::Material`], counted apart, to a material.
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
    identity: AnimationIdentity,
    inner: Arc<Inner>,
    /// By time.
    events: Arc<[AnimationEvent]>,
}

#[derive(Debug)]
struct Inner {
    name: String,
    samplers: Vec<AnimationSampler>,
    /// For each sampler what its intervals need, if they are LINEAR rotations.
    arcs: Vec<Vec<RotationArc>>,
    /// For each sampler the number of its timestamps' list; equal lists have one number.
    timelines: Vec<u32>,
    channels: Vec<AnimationChannel>,
    slot_count: usize,
    material_slot_count: usize,
    duration: f64,
}

impl Animation {
    /// Builds a clip. A clip without channels is valid and lasts 0 s.
    ///
    /// Rotations are normalized here, so that sampling need not.
    ///
    /// # Errors
    /// An [`AnimationError`] naming the sampler and keyframe, or the channel, that breaks a rule: keyframes present and as
    /// many values as the interpolation asks, for weights so many a target; timestamps finite, not negative and strictly
    /// increasing; values finite, rotations normalizable; each channel's sampler present and of its path's kind; each property
    /// of a slot driven once (one of the weights and all of them at once is twice).
    pub fn new(
        name: impl Into<String>,
        mut samplers: Vec<AnimationSampler>,
        channels: Vec<AnimationChannel>,
    ) -> Result<Self, AnimationError> {
        let name = name.into();
        for (index, sampler) in samplers.iter_mut().enumerate() {
            sampler.validate(&name, index)?;
        }
        let (mut slot_count, mut material_slot_count) = (0, 0);
        let mut driven = HashMap::with_capacity(channels.len());
        for (index, channel) in channels.iter().enumerate() {
            let Some(sampler) = samplers.get(channel.sampler as usize) else {
                return Err(AnimationError::ChannelSampler {
                    clip: name,
                    channel: index,
                    sampler: channel.sampler as usize,
                    count: samplers.len(),
                });
            };
            if let Some(found) = misfit(sampler, channel.path) {
                let (path, sampler) = (channel.path, channel.sampler as usize);
                return Err(AnimationError::ChannelKind { clip: name, channel: index, sampler, found, path });
            }
            let slot = channel.slot.index();
            if slot >= SLOT_LIMIT {
                return Err(AnimationError::SlotLimit { clip: name, channel: index, slot });
            }
            if let Some(first) = driven.insert((channel.slot, channel.path), index) {
                let path = channel.path;
                return Err(AnimationError::DuplicateTarget { clip: name, first, second: index, path, slot });
            }
            let count = if channel.path.is_material() { &mut material_slot_count } else { &mut slot_count };
            *count = (*count).max(slot + 1);
        }
        for (second, channel) in channels.iter().enumerate() {
            let whole = (channel.slot, TargetPath::Weights);
            if let (TargetPath::Weight(_), Some(&first)) = (channel.path, driven.get(&whole)) {
                let (path, slot) = (channel.path, channel.slot.index());
                return Err(AnimationError::DuplicateTarget { clip: name, first, second, path, slot });
            }
        }
        let duration =
            channels.iter().map(|channel| samplers[channel.sampler as usize].end()).fold(0.0, f32::max);
        Ok(Self {
            identity: AnimationIdentity::next(),
            events: Arc::new([]),
            inner: Arc::new(Inner {
                name,
                arcs: samplers.iter().map(AnimationSampler::arcs).collect(),
                timelines: timelines(&samplers),
                samplers,
                channels,
                slot_count,
                material_slot_count,
                duration: f64::from(duration),
            }),
        })
    }

    /// The same clip with these events instead of its own; it shares the samples but has an identity of its own, so put
    /// it into the list of clips before playing.
    ///
    /// # Errors
    /// [`AnimationError::EventTime`] for one outside [0, [`duration`](Self::duration)].
    pub fn with_events(&self, mut events: Vec<AnimationEvent>) -> Result<Self, AnimationError> {
        let duration = self.duration();
        for (index, event) in events.iter_mut().enumerate() {
            if !(0.0..=duration).contains(&event.time) {
                let (clip, seconds) = (self.name().to_owned(), event.time);
                return Err(AnimationError::EventTime { clip, event: index, seconds, duration });
            }
            event.time += 0.0;
        }
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        Ok(Self {
            identity: AnimationIdentity::next(),
            inner: Arc::clone(&self.inner),
            events: events.into(),
        })
    }

    /// Its events by time, those of one time as they were given; none unless [`with_events`](Self::with_events) set some.
    #[must_use]
    pub fn events(&self) -> &[AnimationEvent] {
        &self.events
    }

    /// Which built clip this is.
    #[must_use]
    pub fn identity(&self) -> AnimationIdentity {
        self.identity
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

    /// A sampler, ready to be asked.
    #[inline]
    pub(crate) fn track(&self, sampler: u32) -> Track<'_> {
        let sampler = sampler as usize;
        Track {
            sampler: &self.inner.samplers[sampler],
            arcs: &self.inner.arcs[sampler],
            timeline: self.inner.timelines[sampler],
        }
    }

    /// Whether a channel drives a rotation by LINEAR keyframes.
    pub(crate) fn is_linear_rotation(&self, channel: &AnimationChannel) -> bool {
        let sampler = &self.inner.samplers[channel.sampler as usize];
        channel.path == TargetPath::Rotation && sampler.interpolation == Interpolation::Linear
    }

    /// Its channels.
    #[must_use]
    pub fn channels(&self) -> &[AnimationChannel] {
        &self.inner.channels
    }

    /// Number of slots that mean nodes: one above the highest that a channel drives.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.inner.slot_count
    }

    /// Number of slots that mean materials: one above the highest that a channel drives.
    #[must_use]
    pub fn material_slot_count(&self) -> usize {
        self.inner.material_slot_count
    }
}

/// What a sampler holds, in words, where that cannot drive `path`.
fn misfit(sampler: &AnimationSampler, path: TargetPath) -> Option<&'static str> {
    let (fits, found) = match &sampler.values {
        Keyframes::Rotation(_) => (path == TargetPath::Rotation, "rotations"),
        Keyframes::Vec3(_) => {
            (matches!(path, TargetPath::Translation | TargetPath::Scale), "vectors of three")
        }
        Keyframes::Weights(_) => match path {
            // The last number stands for all weights where channels are played.
            TargetPath::Weight(u16::MAX) => (false, "one of more weights than can be told apart"),
            TargetPath::Weight(_) => (sampler.width() == 1, "several weights each"),
            _ => (path == TargetPath::Weights, "weights"),
        },
        Keyframes::Numbers(_) => {
            let named =
                matches!(path, TargetPath::Camera(_) | TargetPath::Light(_) | TargetPath::Material(_));
            (
                named && path.width() == Some(sampler.width()),
                "numbers of another kind, or another number of them",
            )
        }
    };
    (!fits).then_some(found)
}

/// Numbers for the lists of timestamps, equal ones alike.
fn timelines(samplers: &[AnimationSampler]) -> Vec<u32> {
    let mut known: HashMap<&[u32], u32> = HashMap::new();
    let lists = samplers.iter().map(|sampler| bytemuck::cast_slice(&sampler.timestamps));
    lists
        .map(|list| {
            let next = known.len() as u32;
            *known.entry(list).or_insert(next)
        })
        .collect()
}
