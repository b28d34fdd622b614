//! What moves a mesh.

use crate::assets::Mesh;
use crate::math::Affine3x4;

/// What moves the vertices of a mesh where it is drawn once.
#[derive(Debug, Clone, Copy, Default)]
pub struct MeshPose<'a> {
    /// How much of each morph target applies; any finite number. Missing ones are 0 and surplus ones without effect. Empty:
    /// the mesh's own [`morph_weights`](Mesh::morph_weights).
    pub weights: &'a [f32],
    /// The world matrix of the node that draws it. Without effect where a skin moves the mesh.
    pub world: Affine3x4,
    /// The joint matrices of a skin, each `world(joint) * inverse bind matrix`. Without effect on a mesh that has no
    /// joints. Empty: no skin, and the world matrix moves a mesh with joints too.
    pub joints: &'a [Affine3x4],
}

impl<'a> MeshPose<'a> {
    /// At rest where `world` puts it.
    #[must_use]
    pub fn at(world: Affine3x4) -> Self {
        Self { world, ..Self::default() }
    }

    /// The weights that apply to the targets of `mesh`, one each at most.
    pub(super) fn weights_of<'m>(&self, mesh: &'m Mesh) -> &'m [f32]
    where
        'a: 'm,
    {
        let weights = if self.weights.is_empty() { &mesh.morph_weights } else { self.weights };
        &weights[..weights.len().min(mesh.morph_targets.len())]
    }

    /// Whether the joints move `mesh`.
    pub(super) fn skins(&self, mesh: &Mesh) -> bool {
        !self.joints.is_empty() && mesh.joint_sets.iter().any(|set| !set.joints.is_empty())
    }
}

/// Which streams are wanted; positions always are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PosedStreams {
    /// Normals.
    pub normals: bool,
    /// Tangents.
    pub tangents: bool,
    /// Vertex colors.
    pub colors: bool,
    /// Texture coordinates.
    pub uv_sets: bool,
}

impl PosedStreams {
    /// Positions alone.
    pub const POSITIONS: Self = Self { normals: false, tangents: false, colors: false, uv_sets: false };
    /// Everything that the mesh has.
    pub const ALL: Self = Self { normals: true, tangents: true, colors: true, uv_sets: true };
}
