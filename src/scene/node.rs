//! Views of one node.

use super::arena::{NodeSlot, Scene, share, some};
use super::error::SceneError;
use super::id::SceneNodeId;
use super::local::LocalTransform;
use super::projection::Projection;
use super::rows::NONE;
use crate::animation::Animator;
use crate::assets::RenderObjectId;
use crate::math::{Affine3x4, Mat4, Transform, Vec4};
use std::sync::Arc;

impl Scene {
    /// A view of the node, or `None` if the id names none here.
    #[must_use]
    pub fn find(&self, node: SceneNodeId) -> Option<NodeRef<'_>> {
        self.slot(node).map(|slot| NodeRef::new(self, slot))
    }

    /// A view of the node through which it can be edited, or `None` if the id names none here.
    #[must_use]
    pub fn find_mut(&mut self, node: SceneNodeId) -> Option<NodeMut<'_>> {
        self.slot(node).map(|slot| NodeMut::new(self, slot))
    }

    /// Adds a child, or a root for `None`, under a name that may be shared with other nodes (`None`: no name), and hands
    /// it out for editing.
    ///
    /// # Errors
    /// As [`add_child`](Self::add_child).
    pub(crate) fn add_node(
        &mut self,
        parent: Option<SceneNodeId>,
        name: Option<Arc<str>>,
    ) -> Result<NodeMut<'_>, SceneError> {
        let parent = match parent {
            Some(parent) => self.slot(parent).ok_or(SceneError::UnknownNode { what: "parent" })?,
            None => NONE,
        };
        let slot = self.insert(parent, name)?;
        Ok(NodeMut::new(self, slot))
    }

    /// The roots in order.
    pub fn roots(&self) -> impl Iterator<Item = NodeRef<'_>> {
        self.siblings(self.first_root)
    }

    /// Every node, depth first, parents before children, in draw order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeRef<'_>> {
        self.slots_in_order().map(|slot| NodeRef::new(self, slot))
    }

    fn siblings(&self, first: u32) -> impl Iterator<Item = NodeRef<'_>> {
        std::iter::successors(some(first), |&slot| some(self.nodes[slot as usize].next))
            .map(|slot| NodeRef::new(self, slot))
    }
}

/// A shared view of a node.
#[derive(Debug, Clone, Copy)]
pub struct NodeRef<'a> {
    scene: &'a Scene,
    slot: u32,
}

impl<'a> NodeRef<'a> {
    pub(super) fn new(scene: &'a Scene, slot: u32) -> Self {
        Self { scene, slot }
    }

    /// The name in the form in which other nodes can share it.
    pub(crate) fn shared_name(&self) -> Option<Arc<str>> {
        self.node().name.clone()
    }

    fn node(&self) -> &'a NodeSlot {
        &self.scene.nodes[self.slot as usize]
    }

    /// The node's name in its scene.
    #[must_use]
    pub fn id(&self) -> SceneNodeId {
        self.scene.id_of(self.slot)
    }

    /// For people; may be empty or shared with other nodes.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.node().name()
    }

    /// The parent, or `None` for a root.
    #[must_use]
    pub fn parent(&self) -> Option<NodeRef<'a>> {
        some(self.node().parent).map(|slot| NodeRef::new(self.scene, slot))
    }

    /// The children in order.
    pub fn children(&self) -> impl Iterator<Item = NodeRef<'a>> + use<'a> {
        self.scene.siblings(self.node().first_child)
    }

    /// The transform relative to the parent.
    #[must_use]
    pub fn local(&self) -> LocalTransform {
        let node = self.node();
        if node.folded {
            return LocalTransform::Trs(Transform::IDENTITY);
        }
        self.scene.rows.local(node.row)
    }

    /// The transform to world space as of the last [`Scene::update_world_transforms`]; the identity before the first.
    #[must_use]
    pub fn world(&self) -> Affine3x4 {
        self.scene.rows.world[self.node().row as usize]
    }

    /// What is drawn at this node.
    #[must_use]
    pub fn render_object(&self) -> Option<RenderObjectId> {
        self.node().render_object
    }

    /// The camera that looks from this node.
    #[must_use]
    pub fn camera(&self) -> Option<Projection> {
        self.scene.cameras.get(&self.slot).copied()
    }

    /// Whether a playing clip drives this node.
    #[must_use]
    pub fn is_animated(&self) -> bool {
        self.node().drivers > 0
    }

    /// What drives this node, in playback order. Walks every playing channel: for tools and tests, not for a frame.
    pub fn animators(&self) -> impl Iterator<Item = Animator> + use<'a> {
        self.scene.playing.animators_of(self.slot, self.node().generation)
    }
}

/// A view of a node through which it can be edited.
#[derive(Debug)]
pub struct NodeMut<'a> {
    scene: &'a mut Scene,
    slot: u32,
}

impl<'a> NodeMut<'a> {
    pub(super) fn new(scene: &'a mut Scene, slot: u32) -> Self {
        Self { scene, slot }
    }

    /// The shared view.
    #[must_use]
    pub fn as_ref(&self) -> NodeRef<'_> {
        NodeRef::new(self.scene, self.slot)
    }

    fn node(&mut self) -> &mut NodeSlot {
        &mut self.scene.nodes[self.slot as usize]
    }

    fn name(&self) -> String {
        self.scene.nodes[self.slot as usize].name().to_owned()
    }

    /// Renames the node.
    pub fn set_name(&mut self, name: &str) {
        self.node().name = share(name);
    }

    /// Sets the transform relative to the parent. A pose change: nothing needs to be compiled for it.
    ///
    /// # Errors
    /// [`SceneError::NotFinite`] if a component is NaN or infinite.
    pub fn set_transform(&mut self, transform: Transform) -> Result<(), SceneError> {
        if !transform.is_finite() {
            return Err(SceneError::NotFinite { node: self.name() });
        }
        self.set_local(LocalTransform::Trs(transform));
        Ok(())
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
        if self.node().drivers > 0 {
            return Err(SceneError::Animated { node: self.name() });
        }
        self.set_local(LocalTransform::Matrix(Affine3x4::from_mat4(&matrix)));
        Ok(())
    }

    /// Writes a transform that a scene already holds, or that was checked.
    pub(super) fn set_local(&mut self, local: LocalTransform) {
        if self.node().folded {
            if local == LocalTransform::Trs(Transform::IDENTITY) {
                return;
            }
            self.scene.unfold(self.slot);
        }
        let row = self.node().row;
        self.scene.rows.set_local(row, &local);
        self.scene.pose_dirty = true;
    }

    /// Sets or clears what is drawn here. A change of structure: the renderer must prepare again.
    pub fn set_render_object(&mut self, object: Option<RenderObjectId>) {
        if self.node().render_object != object {
            self.node().render_object = object;
            self.scene.mark_structure();
        }
    }

    /// Sets or clears the camera that looks from here. No change of structure.
    pub fn set_camera(&mut self, camera: Option<Projection>) {
        match camera {
            Some(projection) => self.scene.cameras.insert(self.slot, projection),
            None => self.scene.cameras.remove(&self.slot),
        };
    }
}
