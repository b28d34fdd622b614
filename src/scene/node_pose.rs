//! A node's transform and weights: where it is and where it rests.

use super::animated::AnimatedNode;
use super::arena::Scene;
use super::driven::Part;
use super::error::SceneError;
use super::local::LocalTransform;
use super::node::{NodeMut, NodeRef};
use crate::math::{Affine3x4, Mat4, Transform, Vec4};

impl<'a> NodeRef<'a> {
    /// Where the node rests: the local transform as the application or the loader set it, whatever clips make of it.
    #[must_use]
    pub fn rest(&self) -> LocalTransform {
        match (self.local(), self.scene.animated.get(self.node().animated)) {
            (LocalTransform::Trs(_), Some(node)) => LocalTransform::Trs(node.rest),
            (local, _) => local,
        }
    }

    /// The weights of the node's morph targets, as they are now; none unless they were set or a clip drives them.
    #[must_use]
    pub fn weights(&self) -> &'a [f32] {
        let weights = &self.scene.weights;
        weights.set_of(self.slot).map_or(&[], |set| weights.values(set))
    }

    /// The weights at rest.
    #[must_use]
    pub fn rest_weights(&self) -> &'a [f32] {
        let weights = &self.scene.weights;
        weights.set_of(self.slot).map_or(&[], |set| weights.rest(set))
    }
}

impl Scene {
    /// The weights of all nodes' morph targets, as they are now. [`DrawItem::weights`](super::DrawItem::weights) says where a
    /// draw's lie.
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        self.weights.all()
    }
}

impl NodeMut<'_> {
    /// Sets the transform relative to the parent. A pose change: nothing needs to be compiled for it.
    ///
    /// Parts that no clip drives rest there from now on. Those that one drives show it until the next advance, and keep
    /// their rest; see [`set_rest`](Self::set_rest).
    ///
    /// # Errors
    /// [`SceneError::NotFinite`] if a component is NaN or infinite.
    pub fn set_transform(&mut self, transform: Transform) -> Result<(), SceneError> {
        if !transform.is_finite() {
            return Err(SceneError::NotFinite { node: self.name() });
        }
        self.set_local(LocalTransform::Trs(transform));
        self.animated(|node| node.rest_undriven(transform, None));
        Ok(())
    }

    /// Sets where the node rests, and moves the parts there that no clip drives.
    ///
    /// # Errors
    /// [`SceneError::NotFinite`] if a component is NaN or infinite; [`SceneError::Matrix`] if the node has a matrix, which
    /// is its own rest.
    pub fn set_rest(&mut self, rest: Transform) -> Result<(), SceneError> {
        if !rest.is_finite() {
            return Err(SceneError::NotFinite { node: self.name() });
        }
        let LocalTransform::Trs(mut pose) = self.as_node_ref().local() else {
            return Err(SceneError::Matrix { node: self.name() });
        };
        self.scene.animated_of(self.slot);
        self.animated(|node| {
            node.rest_undriven(rest, Some(&mut pose));
            node.rest = rest;
        });
        self.set_local(LocalTransform::Trs(pose));
        Ok(())
    }

    /// Takes over where another scene's node rests and what weights it has.
    pub(super) fn copy_rest(&mut self, other: &NodeRef<'_>) {
        let animated = other.scene.animated.get(other.node().animated);
        if let (Some(animated), LocalTransform::Trs(_)) = (animated, other.local()) {
            let index = self.scene.animated_of(self.slot);
            self.scene.animated.nodes[index as usize].rest = animated.rest;
        }
        self.scene.weights.put(self.slot, other.rest_weights(), false);
        self.scene.weights.put(self.slot, other.weights(), true);
    }

    /// Sets the weights of the node's morph targets, which it rests with from now on unless a clip drives them. An empty
    /// slice takes them away. A pose change.
    ///
    /// # Errors
    /// [`SceneError::WeightNotFinite`] if one is NaN or infinite.
    pub fn set_weights(&mut self, weights: &[f32]) -> Result<(), SceneError> {
        if let Some(target) = weights.iter().position(|weight| !weight.is_finite()) {
            return Err(SceneError::WeightNotFinite { node: self.name(), target });
        }
        let mut driven = false;
        self.animated(|node| driven = node.drivers[Part::Weights as usize] > 0);
        if self.scene.weights.put(self.slot, weights, driven) {
            // Whoever remembers where weights lie must look again.
            self.scene.structure_revision += 1;
        }
        self.scene.pose_dirty = true;
        Ok(())
    }

    fn animated(&mut self, edit: impl FnOnce(&mut AnimatedNode)) {
        let index = self.node().animated;
        if let Some(node) = self.scene.animated.get_mut(index) {
            edit(node);
        }
    }

    /// Sets the transform relative to the parent as an affine matrix, kept exactly.
    ///
    /// # Errors
    /// [`SceneError::NotFinite`], [`SceneError::NotAffine`] if the fourth row is not (0, 0, 0, 1), and
    /// [`SceneError::Animated`] while a clip drives a part of the transform.
    pub fn set_matrix(&mut self, matrix: Mat4) -> Result<(), SceneError> {
        if !matrix.is_finite() {
            return Err(SceneError::NotFinite { node: self.name() });
        }
        if matrix.row(3) != Vec4::W {
            return Err(SceneError::NotAffine { node: self.name() });
        }
        if self.is_transform_bound() {
            return Err(SceneError::Animated { node: self.name() });
        }
        self.set_local(LocalTransform::Matrix(Affine3x4::from_mat4(&matrix)));
        Ok(())
    }

    /// Whether a clip that plays is bound to a part of the transform.
    fn is_transform_bound(&mut self) -> bool {
        let index = self.node().animated;
        self.scene.animated.get(index).is_some_and(AnimatedNode::is_transform_bound)
    }
}
