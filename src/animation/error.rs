//! What can be wrong with a clip, a binding or a step in time.

use super::id::AnimationId;
use super::target::TargetPath;

/// A fault in a clip, in how it is bound, or in the arguments of playback. Nothing was changed when one is returned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnimationError {
    /// A sampler has no keyframe.
    #[error("animation \"{clip}\", sampler {sampler}: no keyframes; give at least one")]
    EmptySampler {
        /// Name of the clip.
        clip: String,
        /// Index of the sampler.
        sampler: usize,
    },
    /// Timestamps and values do not fit in number.
    #[error(
        "animation \"{clip}\", sampler {sampler}: {timestamps} timestamps but {values} values; give {elements} each (for weights, so many a morph target)"
    )]
    SampleCount {
        /// Name of the clip.
        clip: String,
        /// Index of the sampler.
        sampler: usize,
        /// Number of timestamps.
        timestamps: usize,
        /// Number of values, tangents included.
        values: usize,
        /// Values that each timestamp needs.
        elements: usize,
    },
    /// A timestamp is not finite, negative, or not above the one before it.
    #[error(
        "animation \"{clip}\", sampler {sampler}, keyframe {keyframe}: timestamp {seconds} s; timestamps must be finite, at least 0 and strictly increasing"
    )]
    Timestamp {
        /// Name of the clip.
        clip: String,
        /// Index of the sampler.
        sampler: usize,
        /// Index of the keyframe.
        keyframe: usize,
        /// The timestamp.
        seconds: f32,
    },
    /// A value or tangent is not finite, or a rotation has no direction.
    #[error(
        "animation \"{clip}\", sampler {sampler}, keyframe {keyframe}: {reason}; give finite numbers, and rotations that are not zero"
    )]
    Value {
        /// Name of the clip.
        clip: String,
        /// Index of the sampler.
        sampler: usize,
        /// Index of the keyframe.
        keyframe: usize,
        /// Why it cannot be used.
        reason: crate::math::NormalizeError,
    },
    /// A channel names a sampler that the clip does not have.
    #[error(
        "animation \"{clip}\", channel {channel}: sampler {sampler} does not exist; the clip has {count}"
    )]
    ChannelSampler {
        /// Name of the clip.
        clip: String,
        /// Index of the channel.
        channel: usize,
        /// The missing sampler.
        sampler: usize,
        /// Number of samplers.
        count: usize,
    },
    /// A channel's sampler holds values that its path cannot take.
    #[error(
        "animation \"{clip}\", channel {channel}: sampler {sampler} holds {found}, which cannot drive the {path}; use a sampler of its kind"
    )]
    ChannelKind {
        /// Name of the clip.
        clip: String,
        /// Index of the channel.
        channel: usize,
        /// Its sampler.
        sampler: usize,
        /// What the sampler holds.
        found: &'static str,
        /// What the channel drives.
        path: TargetPath,
    },
    /// Two channels drive the same property of the same slot.
    #[error(
        "animation \"{clip}\": channels {first} and {second} both drive the {path} of slot {slot}; keep one"
    )]
    DuplicateTarget {
        /// Name of the clip.
        clip: String,
        /// The earlier channel.
        first: usize,
        /// The later channel.
        second: usize,
        /// What both drive.
        path: TargetPath,
        /// On which slot.
        slot: usize,
    },
    /// A channel names a slot at or above the limit of 2^20, which no file needs.
    #[error(
        "animation \"{clip}\", channel {channel}: slot {slot} is not below the limit of 1048576; number the slots from 0"
    )]
    SlotLimit {
        /// Name of the clip.
        clip: String,
        /// Index of the channel.
        channel: usize,
        /// The slot.
        slot: usize,
    },
    /// A binding has not as many nodes as the clip has slots.
    #[error(
        "animation \"{clip}\": the binding names {nodes} nodes, the clip has {slots} slots; give one node a slot"
    )]
    BindingLength {
        /// Name of the clip.
        clip: String,
        /// Nodes in the binding.
        nodes: usize,
        /// Slots of the clip.
        slots: usize,
    },
    /// A bound node is not in the scene.
    #[error(
        "animation \"{clip}\", slot {slot}: its node is not in this scene (removed, or from another scene)"
    )]
    UnknownNode {
        /// Name of the clip.
        clip: String,
        /// The slot.
        slot: usize,
    },
    /// A bound node has a matrix where the clip drives one part of a transform.
    #[error(
        "animation \"{clip}\", slot {slot}: node \"{node}\" has a matrix, which has no {path} to drive; give it a Transform"
    )]
    MatrixNode {
        /// Name of the clip.
        clip: String,
        /// The slot.
        slot: usize,
        /// Name of the node.
        node: String,
        /// What the clip drives.
        path: TargetPath,
    },
    /// A bound node carries no such camera or light as the clip drives, or one that lacks the number.
    #[error(
        "animation \"{clip}\", slot {slot}: node \"{node}\" has no {path} to drive; bind a node whose camera or light has one"
    )]
    MissingProperty {
        /// Name of the clip.
        clip: String,
        /// The slot.
        slot: usize,
        /// Name of the node.
        node: String,
        /// What the clip drives.
        path: TargetPath,
    },
    /// A binding has not as many materials as the clip has slots for them.
    #[error(
        "animation \"{clip}\": the binding names {materials} materials, the clip has slots for {slots}; give one material a slot"
    )]
    MaterialBindingLength {
        /// Name of the clip.
        clip: String,
        /// Materials in the binding.
        materials: usize,
        /// Material slots of the clip.
        slots: usize,
    },
    /// The scene does not know how a bound material rests.
    #[error(
        "animation \"{clip}\", material slot {slot}: the scene has no factors of material {material}; give it some with Scene::set_material_factors"
    )]
    UnknownMaterial {
        /// Name of the clip.
        clip: String,
        /// The slot.
        slot: usize,
        /// Index of the material.
        material: usize,
    },
    /// A clip that is playing, or that a binding names, is not in the given list.
    #[error("clip {animation} is not among the {count} given; pass the list that the scene was loaded with")]
    UnknownClip {
        /// Which clip.
        animation: AnimationId,
        /// Length of the list.
        count: usize,
    },
    /// The clip at that position is not the one that was played or bound.
    #[error(
        "clip {animation} is \"{found}\", not the clip that is playing; pass the list that the scene was loaded with"
    )]
    ClipChanged {
        /// Which position.
        animation: AnimationId,
        /// Name of the clip that stands there.
        found: String,
    },
    /// An event lies outside its clip, or at no time.
    #[error(
        "animation \"{clip}\", event {event}: {seconds} s; it must lie in the clip, from 0 to {duration} s"
    )]
    EventTime {
        /// Name of the clip.
        clip: String,
        /// Index of the event as given.
        event: usize,
        /// Its time.
        seconds: f64,
        /// Length of the clip.
        duration: f64,
    },
    /// An elapsed, start, fade or reference time is negative, NaN or infinite; or a time to seek or sample is no number.
    #[error("{what} is {seconds} s; it must be finite{}", if *.seconds < 0.0 { " and at least 0" } else { "" })]
    Time {
        /// Which argument.
        what: &'static str,
        /// Its value.
        seconds: f64,
    },
    /// A playback's weight is not from 0 to 1.
    #[error("the weight is {weight}; it must be from 0 to 1")]
    Weight {
        /// The weight.
        weight: f64,
    },
    /// A playback's speed is NaN or infinite.
    #[error("the speed is {speed}; it must be finite (negative plays backward)")]
    Speed {
        /// The speed.
        speed: f64,
    },
    /// A playback was to be cross-faded with itself.
    #[error("a playback cannot fade to itself; start a second one of the same clip")]
    FadeToItself,
    /// The scene has no such playback.
    #[error("this scene has no such playback: it was stopped, or belongs to another scene")]
    UnknownPlayback,
}
