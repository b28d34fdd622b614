//! What is drawn, in order.

use super::arena::Scene;
use super::id::SceneIdentity;
use crate::assets::RenderObjectId;
use crate::math::Affine3x4;

/// One node's render object and where its world matrix lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawItem {
    /// What is drawn.
    pub render_object: RenderObjectId,
    /// Index of its matrix in [`DrawList::worlds`] and [`Scene::world_transforms`]. Primitives of one node share it.
    pub world: u32,
}

/// A buffer that [`Scene::build_draw_list`] fills. Keep it from frame to frame: then a steady frame allocates nothing.
#[derive(Debug, Default)]
pub struct DrawList {
    stamp: Option<(SceneIdentity, u64)>,
    items: Vec<DrawItem>,
    worlds: Vec<Affine3x4>,
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
    /// Fills `list` with this scene's draws and its world matrices as of the last resolution.
    ///
    /// The items are rebuilt only when the structure differs from what the list holds; otherwise the matrices are copied.
    pub fn build_draw_list(&self, list: &mut DrawList) {
        self.build_draw_items(list);
        list.worlds.clear();
        list.worlds.extend_from_slice(&self.rows.world);
    }

    /// The items alone, for a reader that takes the matrices from the scene. Returns whether they were rebuilt.
    pub(crate) fn build_draw_items(&self, list: &mut DrawList) -> bool {
        let stamp = Some((self.identity, self.structure_revision));
        if list.stamp == stamp {
            return false;
        }
        list.items.clear();
        list.items.extend(self.slots_in_order().filter_map(|slot| {
            let node = &self.nodes[slot as usize];
            Some(DrawItem { render_object: node.render_object?, world: node.row })
        }));
        list.stamp = stamp;
        true
    }
}
