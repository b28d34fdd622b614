//! Clips, their samples, and playback time: pure functions and plain values.
//!
//! Samples belong to the clip and never change; time belongs to a [`Playback`]. An [`Animation`] is validated when it is
//! built, so everything that reads it later may trust it. Its channels drive *slots*, not nodes: which node a slot means
//! is said by a binding when the clip is played, so that one clip drives any number of nodes at different times. Materials
//! have slots of their own, counted apart.
//!
//! Every [`TargetPath`] by every [`Interpolation`] follows glTF 2.0, appendix C; `docs/animation-conformance.md` shows it
//! rule by rule. Sampling and mixing use only additions, subtractions, multiplications, divisions and square roots in one
//! fixed order, so the same calls give the same bits on every CPU (x86-64 is tested, aarch64 is not). [`sample_clip`]
//! needs no playback.
//!
//! Advancing a scene lives where both clips and nodes are visible: [`crate::scene::advance_animations`].

mod arc;
mod clip;
mod clock;
mod curve;
mod error;
mod event;
mod id;
mod locate;
mod mix;
mod playback;
mod pose;
mod property;
mod sampler;
mod target;
mod track;

pub(crate) use arc::ROTATION_ARC_BYTES;
pub use arc::RotationInterpolation;
pub use clip::{Animation, AnimationChannel};
pub use clock::LoopMode;
pub use error::AnimationError;
pub use event::{AnimationEvent, FiredEvent};
pub use id::{AnimationId, AnimationIdentity, ChannelId, PlaybackId, SlotId};
pub(crate) use mix::{Mix, MixedNumber, added, turned};
pub(crate) use playback::checked_time;
pub use playback::{Animator, BlendMode, Playback, PlaybackOptions};
pub use pose::{Pose, sample_clip};
pub use property::{CameraProperty, LightProperty, MaterialProperty, UvSlot};
pub use sampler::{AnimationSampler, Interpolation, Keyframes};
pub use target::TargetPath;
pub(crate) use track::Located;
