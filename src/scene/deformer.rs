//! Which skin and weights deform what a node draws.

use super::arena::Scene;
use super::error::SceneError;
use super::id::SceneNodeId;
use super::node::{NodeMut, NodeRef};
use super::skin::Skin;
use crate::math::Affine3x4;
use std::sync::Arc;

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
