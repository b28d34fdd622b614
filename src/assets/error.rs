//! What can be wrong with a catalogue.

use super::{ImageId, MAX_IMAGE_DIMENSION, MAX_JOINT_SETS, MaterialId, MeshId, RenderObjectId, TextureId};

/// The first fault found in a catalogue. Each message names the object, the reason and the remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AssetError {
    /// An image has a side of 0 or above [`MAX_IMAGE_DIMENSION`].
    #[error("image {image}: {width} x {height} pixels; each side must be 1 to {MAX_IMAGE_DIMENSION}")]
    ImageDimensions {
        /// The image.
        image: ImageId,
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// A level's bytes do not fit its size and format.
    #[error("image {image}: level {level} holds {actual} bytes; its size and format need {expected}")]
    ImageBytes {
        /// The image.
        image: ImageId,
        /// The level, 0 being the largest.
        level: usize,
        /// Bytes found.
        actual: usize,
        /// Bytes needed.
        expected: usize,
    },
    /// An image has no level, or neither one nor a complete chain.
    #[error("image {image}: {actual} mip levels; give 1, or all {complete} down to 1 x 1")]
    ImageLevels {
        /// The image.
        image: ImageId,
        /// Levels found.
        actual: usize,
        /// Levels of a complete chain.
        complete: u32,
    },
    /// A texture's image does not exist.
    #[error("texture {texture}: image {image} does not exist; add the image first and use the id it returns")]
    TextureImage {
        /// The texture.
        texture: TextureId,
        /// What it refers to.
        image: ImageId,
    },
    /// A mesh has no vertex.
    #[error("mesh {mesh}: no vertices; a mesh needs at least one primitive")]
    MeshWithoutVertices {
        /// The mesh.
        mesh: MeshId,
    },
    /// The indices (or, without any, the vertices) do not form whole primitives.
    #[error("mesh {mesh}: {count} indices; its topology needs a multiple of {arity}, and not 0")]
    MeshIndexCount {
        /// The mesh.
        mesh: MeshId,
        /// Indices found.
        count: usize,
        /// Indices per primitive.
        arity: usize,
    },
    /// More indices or vertices than 32 bits can count.
    #[error("mesh {mesh}: {count} indices or vertices; at most {} can be drawn, split the mesh", u32::MAX)]
    MeshTooLarge {
        /// The mesh.
        mesh: MeshId,
        /// How many.
        count: usize,
    },
    /// An index points past the last vertex.
    #[error(
        "mesh {mesh}: index {index} at position {position} is out of range for {vertices} vertices; indices count from 0"
    )]
    MeshIndexRange {
        /// The mesh.
        mesh: MeshId,
        /// Where in the index list.
        position: usize,
        /// The index.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A stream is neither empty nor as long as the positions, or joints come without weights.
    #[error(
        "mesh {mesh}: stream {stream} has {actual} elements where {expected} are needed; give one a vertex or none"
    )]
    MeshStreamLength {
        /// The mesh.
        mesh: MeshId,
        /// The stream's name.
        stream: String,
        /// Elements found.
        actual: usize,
        /// Elements needed: the number of vertices (or of joints, for weights).
        expected: usize,
    },
    /// A stream holds NaN or infinity.
    #[error("mesh {mesh}: stream {stream} is not finite at vertex {vertex}; give finite numbers")]
    MeshNotFinite {
        /// The mesh.
        mesh: MeshId,
        /// The stream's name.
        stream: String,
        /// The vertex.
        vertex: usize,
    },
    /// A mesh has more influences a vertex than can be drawn.
    #[error(
        "mesh {mesh}: {actual} joint sets; at most {MAX_JOINT_SETS} can be drawn, keep the strongest influences"
    )]
    MeshJointSets {
        /// The mesh.
        mesh: MeshId,
        /// Number of sets.
        actual: usize,
    },
    /// The weights of a vertex's joints are no mixture.
    #[error(
        "mesh {mesh}: the weights of joints at vertex {vertex} are negative or do not sum to 1; normalize them"
    )]
    JointWeights {
        /// The mesh.
        mesh: MeshId,
        /// The vertex.
        vertex: usize,
    },
    /// A mesh has weights for other morph targets than it has.
    #[error("mesh {mesh}: {actual} morph weights for {expected} morph targets; give one a target or none")]
    MorphWeightCount {
        /// The mesh.
        mesh: MeshId,
        /// Weights found.
        actual: usize,
        /// Number of targets.
        expected: usize,
    },
    /// A morph weight is NaN or infinite.
    #[error("mesh {mesh}: the weight of morph target {target} is not finite; give finite numbers")]
    MorphWeightNotFinite {
        /// The mesh.
        mesh: MeshId,
        /// The target.
        target: usize,
    },
    /// A factor, cutoff or texture transform is NaN or infinite.
    #[error("material {material}: {field} is not finite; give finite numbers")]
    MaterialNotFinite {
        /// The material.
        material: MaterialId,
        /// The field's name.
        field: &'static str,
    },
    /// A slot's texture does not exist.
    #[error(
        "material {material}: {slot} refers to texture {texture}, which does not exist; add the texture first and use the id it returns"
    )]
    MaterialTexture {
        /// The material.
        material: MaterialId,
        /// The slot's name.
        slot: &'static str,
        /// What it refers to.
        texture: TextureId,
    },
    /// A render object's mesh does not exist.
    #[error(
        "render object {object}: mesh {mesh} does not exist; add the mesh first and use the id it returns"
    )]
    RenderObjectMesh {
        /// The render object.
        object: RenderObjectId,
        /// What it refers to.
        mesh: MeshId,
    },
    /// A render object's material does not exist.
    #[error(
        "render object {object}: material {material} does not exist; add the material first and use the id it returns"
    )]
    RenderObjectMaterial {
        /// The render object.
        object: RenderObjectId,
        /// What it refers to.
        material: MaterialId,
    },
}
