//! Views of one node.

use super::animated::AnimatedNode;
use super::arena::{NodeSlot, Scene, share, some};
use super::error::SceneError;
use super::id::SceneNodeId;
use super::light::{Light, LightError};
use super::local::LocalTransform;
use super::projection::Projection;
use super::rows::NONE;
use super::variant_objects::VariantObjects;
use crate::animation::Animator;
use crate::assets::RenderObjectId;
use crate::math::{Affine3x4, Transform};
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

    /// Every camera with its node, in the order of [`nodes`](Self::nodes). [`Camera::from_node`](super::Camera::from_node)
    /// looks through one.
    pub fn cameras(&self) -> impl Iterator<Item = (NodeRef<'_>, Projection)> {
        let nodes = self.nodes().take_while(|_| !self.cameras.is_empty());
        nodes.filter_map(|node| Some((node, node.camera()?)))
    }

    /// Every light with its node, in the order of [`nodes`](Self::nodes).
    pub fn lights(&self) -> impl Iterator<Item = (NodeRef<'_>, Light)> {
        let nodes = self.nodes().take_while(|_| !self.lights.is_empty());
        nodes.filter_map(|node| Some((node, node.light()?)))
    }

    fn siblings(&self, first: u32) -> impl Iterator<Item = NodeRef<'_>> {
        std::iter::successors(some(first), |&slot| some(self.nodes[slot as usize].next))
            .map(|slot| NodeRef::new(self, slot))
    }
}

/// A shared view of a node.
#[derive(Debug, Clone, Copy)]
pub struct NodeRef<'a> {
    pub(super) scene: &'a Scene,
    pub(super) slot: u32,
}

impl<'a> NodeRef<'a> {
    pub(super) fn new(scene: &'a Scene, slot: u32) -> Self {
        Self { scene, slot }
    }

    /// The name in the form in which other nodes can share it.
    pub(crate) fn shared_name(&self) -> Option<Arc<str>> {
        self.node().name.clone()
    }

    pub(super) fn node(&self) -> &'a NodeSlot {
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

    /// What is drawn at this node, under the variant that the scene shows.
    #[must_use]
    pub fn render_object(&self) -> Option<RenderObjectId> {
        self.node().render_object
    }

    /// What is drawn at this node where no variant says otherwise.
    #[must_use]
    pub fn default_object(&self) -> Option<RenderObjectId> {
        self.scene.variants.default_of(self.slot).unwrap_or(self.node().render_object)
    }

    /// What variants draw here instead; `None` if no variant changes the node.
    #[must_use]
    pub fn variants(&self) -> Option<&'a VariantObjects> {
        self.scene.variants.objects_of(self.slot)
    }

    /// The camera that looks from this node, as it is now: what clips make of it, held where it gives a picture if it is one
    /// that does at rest.
    #[must_use]
    pub fn camera(&self) -> Option<Projection> {
        Some(self.scene.factors.camera(self.slot, self.rest_camera()?))
    }

    /// The camera at rest: as it was set.
    #[must_use]
    pub fn rest_camera(&self) -> Option<Projection> {
        self.scene.cameras.get(self.slot).map(|camera| camera.value)
    }

    /// The camera's own name; empty if it has none, or there is no camera.
    #[must_use]
    pub fn camera_name(&self) -> &'a str {
        self.scene.cameras.get(self.slot).and_then(|camera| camera.name.as_deref()).unwrap_or("")
    }

    /// The light that shines from this node, as it is now: what clips make of it, held in its ranges.
    #[must_use]
    pub fn light(&self) -> Option<Light> {
        Some(self.scene.factors.light(self.slot, self.rest_light()?))
    }

    /// The light at rest: as it was set.
    #[must_use]
    pub fn rest_light(&self) -> Option<Light> {
        self.scene.lights.get(self.slot).map(|light| light.value)
    }

    /// The light's own name; empty if it has none, or there is no light.
    #[must_use]
    pub fn light_name(&self) -> &'a str {
        self.scene.lights.get(self.slot).and_then(|light| light.name.as_deref()).unwrap_or("")
    }

    /// Whether this node is `ancestor` or lies below it.
    #[must_use]
    pub fn is_within(&self, ancestor: SceneNodeId) -> bool {
        std::iter::successors(Some(*self), NodeRef::parent).any(|node| node.id() == ancestor)
    }

    /// Whether a clip that plays is bound to this node, its camera or its light, masked or not.
    #[must_use]
    pub fn is_animated(&self) -> bool {
        self.scene.animated.get(self.node().animated).is_some_and(AnimatedNode::is_bound)
    }

    /// What is bound to this node, its camera and its light, in playback order. Walks every playing channel: for tools and
    /// tests, not for a frame.
    pub fn animators(&self) -> impl Iterator<Item = Animator> + use<'a> {
        self.scene.playing.animators_of(self.node().animated, &self.scene.factors.animated)
    }
}

/// A view of a node through which it can be edited.
#[derive(Debug)]
pub struct NodeMut<'a> {
    pub(super) scene: &'a mut Scene,
    pub(super) slot: u32,
}

impl<'a> NodeMut<'a> {
    pub(super) fn new(scene: &'a mut Scene, slot: u32) -> Self {
        // It may be about to overwrite what a clip drives.
        scene.playing.settled = false;
        Self { scene, slot }
    }

    /// The shared view.
    #[must_use]
    pub fn as_node_ref(&self) -> NodeRef<'_> {
        NodeRef::new(self.scene, self.slot)
    }

    pub(super) fn node(&mut self) -> &mut NodeSlot {
        &mut self.scene.nodes[self.slot as usize]
    }

    pub(super) fn name(&self) -> String {
        self.scene.nodes[self.slot as usize].name().to_owned()
    }

    /// Renames the node.
    pub fn set_name(&mut self, name: &str) {
        self.node().name = share(name);
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

    /// Sets or clears what is drawn here, whatever variant the scene shows: what variants changed at this node is
    /// forgotten. A change of structure: the renderer must prepare again.
    pub fn set_render_object(&mut self, object: Option<RenderObjectId>) {
        self.scene.variants.remove(self.slot);
        self.scene.show(self.slot, object);
    }

    /// Sets or clears what variants draw here. Where they have no entry, the node draws what it drew before it had
    /// variants. A change of structure if another object is drawn at once.
    ///
    /// # Errors
    /// [`SceneError::UnknownVariant`] for one that the scene does not have.
    pub fn set_variants(&mut self, objects: Option<VariantObjects>) -> Result<(), SceneError> {
        self.scene.set_node_variants(self.slot, objects)
    }

    /// Sets or clears the camera that looks from here; a camera that replaces another keeps its name. No change of
    /// structure. It rests so from now on, and is seen so until a clip that drives it is next advanced.
    pub fn set_camera(&mut self, camera: Option<Projection>) {
        self.scene.factors.rest_camera(self.slot);
        self.scene.cameras.set_value(self.slot, camera);
    }

    /// Names the camera. Without a camera here, nothing is named.
    pub fn set_camera_name(&mut self, name: &str) {
        self.share_camera_name(share(name));
    }

    pub(crate) fn share_camera_name(&mut self, name: Option<Arc<str>>) {
        if let Some(camera) = self.scene.cameras.get_mut(self.slot) {
            camera.name = name;
        }
    }

    /// Sets or clears the light that shines from here; a light that replaces another keeps its name. No change of
    /// structure. It rests so from now on, and is seen so until a clip that drives it is next advanced.
    ///
    /// # Errors
    /// [`LightError`] names the number that is out of range; then nothing changes.
    pub fn set_light(&mut self, light: Option<Light>) -> Result<(), LightError> {
        light.as_ref().map_or(Ok(()), Light::validate)?;
        self.scene.factors.rest_light(self.slot);
        self.scene.lights.set_value(self.slot, light);
        Ok(())
    }

    /// Names the light. Without a light here, nothing is named.
    pub fn set_light_name(&mut self, name: &str) {
        self.share_light_name(share(name));
    }

    pub(crate) fn share_light_name(&mut self, name: Option<Arc<str>>) {
        if let Some(light) = self.scene.lights.get_mut(self.slot) {
            light.name = name;
        }
    }

    /// Gives this node everything that `original`, of any scene, carries besides its name, place and playbacks.
    pub(super) fn copy_components(&mut self, original: NodeRef<'_>) {
        let (scene, slot) = (original.scene, original.slot);
        if let Some(camera) = scene.cameras.get(slot) {
            self.scene.cameras.insert(self.slot, camera.clone());
        }
        if let Some(light) = scene.lights.get(slot) {
            self.scene.lights.insert(self.slot, light.clone());
        }
        self.scene.factors.copy_posed(self.slot, &scene.factors, slot);
    }
}
