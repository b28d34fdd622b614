//! Clips, their samples, and playback time: pure functions and plain values.
//!
//! Samples belong to the clip and never change; time belongs to a [`Playback`]. An [`Animation`] is validated when it is
//! built, so everything that reads it later may trust it. Its channels drive *slots*, not nodes: which node a slot means
//! is said by a binding when the clip is played, so that one clip drives any number of nodes at different times.
//!
//! Advancing a scene lives where both clips and nodes are visible: [`crate::scene::advance_animations`].

mod arc;
mod clip;
mod error;
mod id;
mod playback;
mod sampler;
mod target;

pub use clip::{Animation, AnimationChannel};
pub use error::AnimationError;
pub use id::{AnimationId, AnimationIdentity, ChannelId, PlaybackId, SlotId};
pub(crate) use playback::checked_time;
pub use playback::{Animator, Playback, PlaybackOptions};
pub use sampler::{AnimationSampler, Interpolation, Keyframes, RotationInterpolation};
pub use target::TargetPath;
