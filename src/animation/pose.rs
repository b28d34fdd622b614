//! What a clip says at one time, without a scene.

use super::arc::RotationInterpolation;
use super::clip::Animation;
use super::error::AnimationError;
use super::id::SlotId;
use super::playback::checked_number;
use super::target::TargetPath;
use crate::math::{Quat, Transform, Vec3};
use std::ops::Range;

/// The properties that a clip drives, by slot, as [`sample_clip`] fills them; reused, it allocates no more.
#[derive(Debug, Clone, Default)]
pub struct Pose {
    /// How LINEAR rotations are mixed; slerp unless it is changed.
    pub rotation_interpolation: RotationInterpolation,
    /// The clip sampled last.
    clip: Option<Animation>,
    slots: Vec<Slot>,
    /// What is neither a part of a transform nor all weights of a node, by channel.
    others: Vec<Part>,
    /// All weights and other numbers.
    numbers: Vec<f32>,
}

/// Where a pose keeps the numbers of one property.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub slot: SlotId,
    pub path: TargetPath,
    numbers: Range<usize>,
}

/// What a clip says about one slot.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot {
    translation: Option<Vec3>,
    rotation: Option<Quat>,
    scale: Option<Vec3>,
    weights: Option<Range<usize>>,
}

impl Slot {
    pub fn drives_transform(&self) -> bool {
        self.translation.is_some() || self.rotation.is_some() || self.scale.is_some()
    }

    /// Replaces the parts that the clip drives.
    pub fn write(&self, transform: &mut Transform) {
        transform.translation = self.translation.unwrap_or(transform.translation);
        transform.rotation = self.rotation.unwrap_or(transform.rotation);
        transform.scale = self.scale.unwrap_or(transform.scale);
    }
}

impl Pose {
    pub(crate) fn clip(&self) -> Option<&Animation> {
        self.clip.as_ref()
    }

    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    pub(crate) fn weights_of(&self, slot: &Slot) -> Option<&[f32]> {
        slot.weights.clone().map(|range| &self.numbers[range])
    }

    pub(crate) fn others(&self) -> impl Iterator<Item = (&Part, &[f32])> {
        self.others.iter().map(|part| (part, &self.numbers[part.numbers.clone()]))
    }

    /// Number of slots: that of the clip sampled last.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// The translation of a slot, if the clip drives it.
    #[must_use]
    pub fn translation(&self, slot: SlotId) -> Option<Vec3> {
        self.slots.get(slot.index())?.translation
    }

    /// The rotation of a slot, if the clip drives it.
    #[must_use]
    pub fn rotation(&self, slot: SlotId) -> Option<Quat> {
        self.slots.get(slot.index())?.rotation
    }

    /// The scale of a slot, if the clip drives it.
    #[must_use]
    pub fn scale(&self, slot: SlotId) -> Option<Vec3> {
        self.slots.get(slot.index())?.scale
    }

    /// The morph weights of a slot, if the clip drives all of them.
    #[must_use]
    pub fn weights(&self, slot: SlotId) -> Option<&[f32]> {
        self.weights_of(self.slots.get(slot.index())?)
    }

    /// The numbers of any other property of a slot (for a material's, of a material slot), if the clip drives it: a single
    /// weight, or what a camera, light or material has. As the clip has them; ranges are kept where a scene takes them over.
    #[must_use]
    pub fn numbers(&self, slot: SlotId, path: TargetPath) -> Option<&[f32]> {
        let mut others = self.others();
        others.find(|(part, _)| (part.slot, part.path) == (slot, path)).map(|(_, numbers)| numbers)
    }
}

/// Puts what `clip` says at `seconds` into `pose`: for scrubbing, tools and offline rendering. Before the clip its start
/// holds, after it its end. [`Scene::apply_pose`](crate::scene::Scene::apply_pose) writes a pose to nodes.
///
/// The same bits as a playback alone with weight 1 gives.
///
/// ```
/// use fire_engine::animation::{
///     Animation, AnimationChannel, AnimationSampler, Interpolation, Keyframes, Pose, SlotId, TargetPath, sample_clip,
/// };
/// use fire_engine::math::Vec3;
///
/// let sampler = AnimationSampler {
///     interpolation: Interpolation::Linear,
///     timestamps: vec![0.0, 2.0],
///     values: Keyframes::Vec3(vec![Vec3::ZERO, Vec3::Y]),
/// };
/// let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Translation, sampler: 0 };
/// let lift = Animation::new("lift", vec![sampler], vec![channel])?;
///
/// let mut pose = Pose::default(); // kept for the next time
/// sample_clip(&lift, 1.5, &mut pose)?;
/// assert_eq!(pose.translation(SlotId::new(0)), Some(0.75 * Vec3::Y));
/// assert_eq!(pose.rotation(SlotId::new(0)), None, "the clip does not drive it");
/// # Ok::<(), fire_engine::animation::AnimationError>(())
/// ```
///
/// # Errors
/// [`AnimationError::Time`] if `seconds` is NaN or infinite; the pose is as it was.
pub fn sample_clip(clip: &Animation, seconds: f64, pose: &mut Pose) -> Result<(), AnimationError> {
    let seconds = checked_number("sample time", seconds)?;
    pose.slots.clear();
    pose.slots.resize(clip.slot_count(), Slot::default());
    pose.others.clear();
    pose.numbers.clear();
    pose.clip = Some(clip.clone());
    let (slots, numbers) = (&mut pose.slots, &mut pose.numbers);
    for channel in clip.channels() {
        let track = clip.track(channel.sampler);
        let mut sampled = || {
            let start = numbers.len();
            numbers.resize(start + track.sampler.width(), 0.0);
            track.weights_at(seconds, &mut 0, &mut numbers[start..]);
            start..numbers.len()
        };
        let slot = channel.slot.index();
        match channel.path {
            TargetPath::Translation => slots[slot].translation = Some(track.vector_at(seconds, &mut 0)),
            TargetPath::Scale => slots[slot].scale = Some(track.vector_at(seconds, &mut 0)),
            TargetPath::Rotation => {
                slots[slot].rotation = Some(track.rotation_at(seconds, pose.rotation_interpolation, &mut 0));
            }
            TargetPath::Weights => slots[slot].weights = Some(sampled()),
            path => pose.others.push(Part { slot: channel.slot, path, numbers: sampled() }),
        }
    }
    Ok(())
}
