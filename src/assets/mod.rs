//! What is drawn: meshes, images, textures, materials and the render objects that pair a mesh with a material.
//!
//! Descriptions only: nothing here knows a GPU, a file format or a scene. [`RenderAssets`] is an append-only catalogue
//! with a process-unique [`identity`](RenderAssets::identity) and a [`revision`](RenderAssets::revision) that grows with
//! every addition; both are what preparation keys on. Moving a node never touches either.
//! [`PosedVertices`] are a mesh's vertices as a pose moves them, worked out on the CPU.

mod block_formats;
mod catalogue;
mod deform;
mod error;
mod factors;
mod flat_normals;
mod gather;
mod geometry_error;
mod id;
mod image;
mod joints;
mod material;
mod mesh;
mod slot;
mod streams;
mod tangents;
mod texture;
mod uv;
mod validate;

pub use block_formats::BlockFormats;
pub use catalogue::{CatalogueIdentity, RenderAssets, RenderObject};
pub(crate) use deform::MeshExtent;
pub use deform::{MeshPose, PosedStreams, PosedVertices};
pub use error::AssetError;
pub use factors::MaterialFactors;
pub use geometry_error::GeometryError;
pub use id::{ImageId, MaterialId, MeshId, RenderObjectId, TextureId};
pub(crate) use image::level_side;
pub use image::{ImageData, ImageFormat, MAX_IMAGE_DIMENSION};
pub(crate) use joints::ByJoint;
pub use material::{AlphaMode, Color4, Material};
pub use mesh::{JointSet, MAX_JOINT_SETS, Mesh, MorphTarget, Topology};
pub use slot::{SlotKind, TextureRole, TextureSlot};
pub use texture::{MagFilter, MinFilter, Sampler, Texture, WrapMode};
pub use uv::UvTransform;
