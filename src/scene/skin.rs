//! Skins: which nodes move the vertices of a mesh.

use super::arena::Scene;
use super::error::SceneError;
use super::id::SceneNodeId;
use super::node::{NodeMut, NodeRef};
use crate::math::Affine3x4;
use std::sync::Arc;

/// The joints that a mesh's influences ([`JointSet`](crate::assets::JointSet)) are numbers of, each with the transform from
/// the mesh's space to the joint's at the time of binding.
///
/// A vertex stands at the sum of `weight * world(joint) * inverse_bind * position` over its influences, in world space: the
/// transform of the node that carries the mesh does not matter (glTF 2.0, section 3.7.3.3). There may be any number of
/// joints, in any places of the scene, and any number of nodes may share a skin.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    name: Arc<str>,
    joints: Vec<Option<SceneNodeId>>,
    inverse_bind_matrices: Vec<Affine3x4>,
}

/// Why a skin cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// There is no joint.
    #[error("skin \"{skin}\" has no joints; give it at least one")]
    NoJoints {
        /// The skin's name.
        skin: String,
    },
    /// There are inverse bind matrices, but not one for each joint.
    #[error(
        "skin \"{skin}\" has {matrices} inverse bind matrices for {joints} joints; give one a joint or none"
    )]
    MatrixCount {
        /// The skin's name.
        skin: String,
        /// Matrices given.
        matrices: usize,
        /// Number of joints.
        joints: usize,
    },
    /// An inverse bind matrix holds NaN or infinity.
    #[error("skin \"{skin}\": the inverse bind matrix of joint {joint} is not finite; give finite numbers")]
    NotFinite {
        /// The skin's name.
        skin: String,
        /// The joint's position.
        joint: usize,
    },
}

impl Skin {
    /// A skin of `joints`, with one inverse bind matrix each, or none at all if they are the identity.
    ///
    /// A joint that is `None`, or not (or no longer) in the scene of the node that wears the skin, stands at the world's
    /// origin, as with an identity transform.
    ///
    /// # Errors
    /// [`SkinError`].
    pub fn new(
        name: impl Into<Arc<str>>,
        joints: Vec<Option<SceneNodeId>>,
        inverse_bind_matrices: Vec<Affine3x4>,
    ) -> Result<Self, SkinError> {
        let name = name.into();
        let skin = || String::from(&*name);
        if joints.is_empty() {
            return Err(SkinError::NoJoints { skin: skin() });
        }
        let (matrices, joint_count) = (inverse_bind_matrices.len(), joints.len());
        if matrices != 0 && matrices != joint_count {
            return Err(SkinError::MatrixCount { skin: skin(), matrices, joints: joint_count });
        }
        if let Some(joint) = inverse_bind_matrices.iter().position(|matrix| !matrix.is_finite()) {
            return Err(SkinError::NotFinite { skin: skin(), joint });
        }
        Ok(Self { name, joints, inverse_bind_matrices })
    }

    /// For people; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The joints; an influence's number is a position here.
    #[must_use]
    pub fn joints(&self) -> &[Option<SceneNodeId>] {
        &self.joints
    }

    /// One matrix a joint, or none if all are the identity.
    #[must_use]
    pub fn inverse_bind_matrices(&self) -> &[Affine3x4] {
        &self.inverse_bind_matrices
    }

    /// The same skin over copies of its joints; one without a copy is left out.
    pub(super) fn remapped(&self, copy: impl Fn(SceneNodeId) -> Option<SceneNodeId>) -> Self {
        let joints = self.joints.iter().map(|joint| joint.and_then(&copy)).collect();
        Self {
            name: Arc::clone(&self.name),
            joints,
            inverse_bind_matrices: self.inverse_bind_matrices.clone(),
        }
    }
}

impl<'a> NodeRef<'a> {
    /// The skin that this node wears.
    #[must_use]
    pub fn skin(&self) -> Option<&'a Arc<Skin>> {
        self.scene.skins.get(self.slot)
    }

    /// The node whose skin and weights deform what is drawn here, if that is not this one.
    #[must_use]
    pub fn deformer(&self) -> Option<NodeRef<'a>> {
        self.scene.find(self.scene.deformers.get(self.slot).copied()?)
    }
}

impl NodeMut<'_> {
    /// Puts a skin on the node, or takes it off. It deforms what is drawn here, and at the nodes that have this one as their
    /// [deformer](Self::set_deformer), if the mesh has influences. Nothing needs to be compiled for it.
    pub fn set_skin(&mut self, skin: Option<Arc<Skin>>) {
        self.scene.skins.set(self.slot, skin);
        self.scene.mark_structure();
    }

    /// Says whose skin and weights deform what is drawn here: another node's, or this one's own for `None`. If that node is
    /// removed, this one's own count again. Nothing needs to be compiled for it.
    ///
    /// A loader makes a node for each primitive of a mesh, below the node that has the mesh's skin and weights.
    ///
    /// # Errors
    /// [`SceneError::UnknownNode`] for a node that is not in this scene.
    pub fn set_deformer(&mut self, deformer: Option<SceneNodeId>) -> Result<(), SceneError> {
        if deformer.is_some_and(|node| self.scene.slot(node).is_none()) {
            return Err(SceneError::UnknownNode { what: "deformer" });
        }
        self.scene.deformers.set(self.slot, deformer);
        self.scene.mark_structure();
        Ok(())
    }
}

impl Scene {
    /// The slot whose skin and weights deform what is drawn at `slot`.
    pub(super) fn deformer_of(&self, slot: u32) -> u32 {
        self.deformers.get(slot).and_then(|&node| self.slot(node)).unwrap_or(slot)
    }

    /// For each joint of every skin that is worn its matrix, which takes positions of the mesh to world space, as of the last
    /// [`update_world_transforms`](Self::update_world_transforms). A skin's lie together, in the order of its joints;
    /// [`DrawItem::joints`](super::DrawItem::joints) says where.
    #[must_use]
    pub fn joint_matrices(&self) -> &[Affine3x4] {
        &self.palette.matrices
    }

    /// For each of [`joint_matrices`](Self::joint_matrices): whether it mirrors, so that front faces wind the other way.
    #[must_use]
    pub fn joint_mirrored(&self) -> &[bool] {
        &self.palette.mirrored
    }
}
