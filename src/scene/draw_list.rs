//! What is drawn, in order.

use super::arena::Scene;
use super::id::SceneIdentity;
use super::node::NodeRef;
use super::span::Span;
use crate::assets::RenderObjectId;
use crate::math::Affine3x4;

/// One node's render object and where its world matrix lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DrawItem {
    /// What is drawn.
    pub render_object: RenderObjectId,
    /// Index of its matrix in [`DrawList::worlds`] and [`Scene::world_transforms`]. Primitives of one node share it.
    pub world: u32,
    /// Where the joints that move its vertices lie in [`DrawList::joint_matrices`] and [`Scene::joint_matrices`]. Then `world`
    /// does not matter, unless the mesh has no influences. Empty: no skin.
    pub joints: Span,
    /// Where the weights of its morph targets lie in [`DrawList::morph_weights`] and [`Scene::morph_weights`]: missing ones are
    /// 0, more than there are targets do nothing. Empty: the mesh's own weights.
    pub weights: Span,
}

/// A buffer that [`Scene::build_draw_list`] fills. Keep it from frame to frame: then a steady frame allocates nothing.
#[derive(Debug, Default)]
pub struct DrawList {
    stamp: Option<(SceneIdentity, u64)>,
    items: Vec<DrawItem>,
    worlds: Vec<Affine3x4>,
    joint_matrices: Vec<Affine3x4>,
    morph_weights: Vec<f32>,
}

impl DrawList {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The draws: depth first, roots and children in their order, a node before its children. Nothing is merged.
    #[must_use]
    pub fn items(&self) -> &[DrawItem] {
        &self.items
    }

    /// The world matrices that the items index.
    #[must_use]
    pub fn worlds(&self) -> &[Affine3x4] {
        &self.worlds
    }

    /// The joint matrices that the items index.
    #[must_use]
    pub fn joint_matrices(&self) -> &[Affine3x4] {
        &self.joint_matrices
    }

    /// The morph weights that the items index.
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.morph_weights
    }

    /// World matrix of the draw at `position`, or `None` past the end.
    #[must_use]
    pub fn world(&self, position: usize) -> Option<&Affine3x4> {
        self.worlds.get(self.items.get(position)?.world as usize)
    }

    /// Number of draws.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing is drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The scene and [`Scene::structure_revision`] whose items these are; `None` before the first build. Equal stamps
    /// mean equal items, whatever moved.
    #[must_use]
    pub fn stamp(&self) -> Option<(SceneIdentity, u64)> {
        self.stamp
    }
}

impl Scene {
    /// Fills `list` with this scene's draws, its world and joint matrices as of the last resolution, and its weights.
    ///
    /// The items are rebuilt only when the structure differs from what the list holds; otherwise the matrices are copied.
    pub fn build_draw_list(&self, list: &mut DrawList) {
        self.build_draw_items(list);
        list.worlds.clear();
        list.worlds.extend_from_slice(&self.rows.world);
        list.joint_matrices.clear();
        list.joint_matrices.extend_from_slice(self.joint_matrices());
        list.morph_weights.clear();
        list.morph_weights.extend_from_slice(self.morph_weights());
    }

    /// The items alone, for a reader that takes the matrices from the scene. Returns whether they were rebuilt.
    pub(crate) fn build_draw_items(&self, list: &mut DrawList) -> bool {
        let stamp = Some((self.identity, self.structure_revision));
        if list.stamp == stamp {
            return false;
        }
        list.items.clear();
        list.items.extend(self.draw_items());
        list.stamp = stamp;
        true
    }

    /// Everything that is drawn, in draw order, without a list.
    pub fn draw_items(&self) -> impl Iterator<Item = DrawItem> {
        self.slots_in_order().filter_map(|slot| self.draw_item(slot))
    }

    fn draw_item(&self, slot: u32) -> Option<DrawItem> {
        let node = &self.nodes[slot as usize];
        let (render_object, deformer) = (node.render_object?, self.deformer_of(slot));
        let (joints, weights) = (self.palette.span_of(deformer), self.weights.span_of(deformer));
        Some(DrawItem { render_object, world: node.row, joints, weights })
    }
}

impl<'a> NodeRef<'a> {
    /// What is drawn at this node and below it, in draw order.
    pub fn draw_items(&self) -> impl Iterator<Item = DrawItem> + use<'a> {
        let scene = self.scene;
        scene.slots_within(self.slot).filter_map(|slot| scene.draw_item(slot))
    }
}
