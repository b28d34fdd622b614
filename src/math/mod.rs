//! Vectors, quaternions and matrices, with the few contracts that glam leaves open.
//!
//! glam is the vector library. The types that this crate takes and gives are re-exported by name, and the rest of glam as
//! [`math::glam`](glam), so that a user needs no second dependency of the same version.
//! What this room adds are operations that say *why* they fail ([`TryNormalize`], [`look_at`], [`perspective`]), the
//! two shortest-arc quaternion interpolations that glTF animation needs ([`nlerp`], [`slerp`]), the decomposed
//! [`Transform`], [`Affine3x4`], the 48-byte world matrix that the GPU reads as it lies in memory, and [`Bounds`].
//!
//! Conventions, everywhere in the crate: column vectors on the right (`parent_world * local`), column-major [`Mat4`],
//! right-handed axes, the view looks down -Z, clip-space depth runs from 0 (near) to 1 (far), and clip-space +Y is up.
//! The framebuffer's downward Y is the viewport's business (a negative-height viewport), never the projection's.

mod affine;
mod bounds;
mod camera;
mod columns;
mod interpolate;
mod normalize;
mod srgb;
mod transform;

#[doc(no_inline)]
pub use ::glam;
pub use ::glam::{Affine3A, Mat3, Mat4, Quat, Vec2, Vec3, Vec4};
pub use affine::Affine3x4;
pub use bounds::Bounds;
pub use camera::{
    LookAtError, ProjectionError, look_at, look_to, orthographic, perspective, perspective_infinite,
};
pub(crate) use columns::{Columns, normal_of, unit_of};
pub(crate) use interpolate::{NEARLY_PARALLEL, nearer};
pub use interpolate::{nlerp, slerp};
pub use normalize::{NormalizeError, TryNormalize};
#[cfg(feature = "egui")]
pub(crate) use srgb::srgb_decode;
pub use srgb::{linear_to_srgb, srgb_to_linear};
pub use transform::Transform;
