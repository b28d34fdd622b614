//! What the GPU holds for a plan, and the draws over it as few commands.

pub(crate) mod arena;
pub(crate) mod batches;
pub(crate) mod blend_order;
pub(crate) mod compiler;
pub(crate) mod deformation;
pub(crate) mod delta_sets;
pub(crate) mod deltas;
pub(crate) mod estimate;
pub(crate) mod facing;
pub(crate) mod images;
pub(crate) mod layout;
pub(crate) mod meshes;
pub(crate) mod morphs;
pub(crate) mod pipelines;
pub(crate) mod ranges;
pub(crate) mod shaders;
pub(crate) mod surfaces;
pub(crate) mod textures;
pub(crate) mod vertices;
