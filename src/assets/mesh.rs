//! Geometry as separate streams.

use super::Color4;
use crate::math::{Vec2, Vec3, Vec4};
use std::sync::Arc;

/// What consecutive indices form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Topology {
    /// Each index is a point of one pixel.
    Points,
    /// Each pair is a line of one pixel's width.
    Lines,
    /// Each three are a triangle, counter-clockwise seen from its front.
    #[default]
    Triangles,
}

impl Topology {
    /// Indices per primitive.
    #[must_use]
    pub const fn arity(self) -> usize {
        match self {
            Self::Points => 1,
            Self::Lines => 2,
            Self::Triangles => 3,
        }
    }
}

/// The most [`JointSet`]s that a mesh may have: 8 influences a vertex.
pub const MAX_JOINT_SETS: usize = 2;

/// Up to four influences a vertex: one JOINTS_n / WEIGHTS_n pair of glTF.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JointSet {
    /// Indices into the skin's joints, per vertex.
    pub joints: Vec<[u16; 4]>,
    /// Their weights, per vertex: none negative, and those of all sets together sum to 1 (within 0.001). One of 0 leaves its
    /// joint out.
    pub weights: Vec<[f32; 4]>,
}

/// Displacements of one morph target; an empty stream displaces nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MorphTarget {
    /// Added to positions.
    pub positions: Vec<Vec3>,
    /// Added to normals.
    pub normals: Vec<Vec3>,
    /// Added to the xyz of tangents.
    pub tangents: Vec<Vec3>,
    /// Added to colors; what the sum leaves outside 0 to 1 is clamped (glTF 2.0, section 3.7.2.2).
    pub colors: Vec<Color4>,
    /// Added to the UV sets, each under its number; a set that is missing or empty displaces nothing.
    pub uv_sets: Vec<Vec<Vec2>>,
}

/// One primitive's geometry: an optional index list over streams of equal length.
///
/// Positions are mandatory; every other stream is either empty (absent) or as long as the positions. How the streams lie
/// in GPU memory is chosen when the mesh is compiled, not here.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// For messages; may be empty. Shared, because the primitives of one source mesh all carry its name.
    pub name: Arc<str>,
    /// What the indices form.
    pub topology: Topology,
    /// Indices into the streams, or `None` when the vertices are to be taken in order.
    pub indices: Option<Vec<u32>>,
    /// Object-space positions in meters.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Unit tangents, with the bitangent's sign in w.
    pub tangents: Vec<Vec4>,
    /// Linear vertex colors.
    pub colors: Vec<Color4>,
    /// Texture coordinate sets; v runs downwards. A material's slot says which set it reads.
    pub uv_sets: Vec<Vec<Vec2>>,
    /// Skinning influences, four at a time; at most [`MAX_JOINT_SETS`]. They count where a node with a skin deforms the mesh.
    pub joint_sets: Vec<JointSet>,
    /// Morph targets, in order.
    pub morph_targets: Vec<MorphTarget>,
    /// How much of each morph target applies where nothing else says so: one weight a target, or empty for all 0.
    pub morph_weights: Vec<f32>,
}

impl Mesh {
    /// Number of indices drawn: those listed, or one per vertex.
    #[must_use]
    pub fn index_count(&self) -> usize {
        self.indices.as_ref().map_or(self.positions.len(), Vec::len)
    }

    /// The vertices that are drawn, in order, once for each index that uses them.
    pub fn drawn(&self) -> impl Iterator<Item = usize> {
        let listed = self.indices.as_deref().unwrap_or_default().iter().map(|&index| index as usize);
        let counted = if self.indices.is_some() { 0 } else { self.positions.len() };
        listed.chain(0..counted)
    }

    /// Bytes that one vertex takes in all of the streams together, without the indices.
    #[must_use]
    pub fn vertex_bytes(&self) -> usize {
        const fn size<T>(stream: &[T]) -> usize {
            if stream.is_empty() { 0 } else { size_of::<T>() }
        }
        fn sets(uv_sets: &[Vec<Vec2>]) -> usize {
            uv_sets.iter().map(|set| size(set)).sum()
        }
        let joints = self.joint_sets.iter().map(|set| size(&set.joints) + size(&set.weights));
        let targets = self.morph_targets.iter().map(|target| {
            let vectors = size(&target.positions) + size(&target.normals) + size(&target.tangents);
            vectors + size(&target.colors) + sets(&target.uv_sets)
        });
        let vectors = size(&self.positions) + size(&self.normals) + size(&self.tangents);
        vectors + size(&self.colors) + sets(&self.uv_sets) + joints.sum::<usize>() + targets.sum::<usize>()
    }
}
