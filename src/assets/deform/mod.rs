//! Where a mesh's vertices are in a pose, worked out on the CPU: for picking, physics, export, exact boxes, and as what
//! the shaders are held to.
//!
//! The formulas are those of glTF 2.0: morph targets first (section 3.7.2.2), `value + sum(weight * displacement)`, then
//! either the skin (section 3.7.3.3), `sum(weight * joint matrix) * position`, whose mesh's own node does not count, or
//! the node's world matrix. Normals are turned by the inverse transpose of that matrix, tangents by the matrix itself.
//! All is `f32`, summed in one fixed order and never fused, so the bits are the same on every CPU.

mod check;
mod extent;
mod lanes;
mod mesh_pose;
mod morph;
mod posed;
mod skin;

pub(crate) use extent::MeshExtent;
pub use mesh_pose::{MeshPose, PosedStreams};
pub use posed::PosedVertices;
