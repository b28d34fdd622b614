//! The arena: slots, links and edits of the structure.

use super::animated::{AnimatedNode, AnimatedNodes};
use super::components::{BySlot, Components};
use super::error::SceneError;
use super::factors::Factors;
use super::id::{SceneIdentity, SceneNodeId};
use super::light::Light;
use super::local::LocalTransform;
use super::palette::Palette;
use super::playing::Playing;
use super::projection::Projection;
use super::rows::{NONE, Rows};
use super::skin::Skin;
use super::variant_objects::Variants;
use super::weights::MorphWeights;
use crate::assets::RenderObjectId;
use crate::math::{Affine3x4, Transform};
use std::sync::Arc;

/// What a node has besides its pose. Slots keep their place for the node's life; rows move when the order is restored.
#[derive(Debug)]
pub(super) struct NodeSlot {
    pub generation: u32,
    pub alive: bool,
    /// Shared with copies of the node, and with the primitives of an imported one. `None`: empty.
    pub name: Option<Arc<str>>,
    pub parent: u32,
    pub first_child: u32,
    pub last_child: u32,
    pub previous: u32,
    pub next: u32,
    /// The row that holds this node's pose: its own, or the parent's when folded.
    pub row: u32,
    pub folded: bool,
    /// Position among the animated nodes; [`NONE`] before a clip was first bound here.
    pub animated: u32,
    pub render_object: Option<RenderObjectId>,
}

impl NodeSlot {
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("")
    }
}

/// A name as nodes keep it: an empty one takes no memory of its own.
pub(super) fn share(name: &str) -> Option<Arc<str>> {
    (!name.is_empty()).then(|| name.into())
}

/// A forest of nodes with a pose. Not `Clone`: ids would become ambiguous; see [`append`](Self::append).
#[derive(Debug)]
pub struct Scene {
    pub(super) identity: SceneIdentity,
    pub(super) nodes: Vec<NodeSlot>,
    free: Vec<u32>,
    pub(super) first_root: u32,
    last_root: u32,
    alive: usize,
    pub(super) rows: Rows,
    pub(super) weights: MorphWeights,
    pub(super) animated: AnimatedNodes,
    pub(super) cameras: Components<Projection>,
    pub(super) lights: Components<Light>,
    pub(super) factors: Factors,
    pub(super) variants: Variants,
    pub(super) skins: BySlot<Arc<Skin>>,
    /// Whose skin and weights deform what a node draws, where that is not the node itself.
    pub(super) deformers: BySlot<SceneNodeId>,
    pub(super) palette: Palette,
    /// Whether rows may be out of pre-order, or hold removed nodes.
    order_dirty: bool,
    pub(super) pose_dirty: bool,
    pub(super) structure_revision: u64,
    pub(super) mirror_revision: u64,
    pub(super) playing: Playing,
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

impl Scene {
    /// A scene without nodes, which is valid everywhere.
    #[must_use]
    pub fn new() -> Self {
        Self {
            identity: SceneIdentity::next(),
            nodes: Vec::new(),
            free: Vec::new(),
            first_root: NONE,
            last_root: NONE,
            alive: 0,
            rows: Rows::default(),
            weights: MorphWeights::default(),
            animated: AnimatedNodes::default(),
            cameras: Components::default(),
            lights: Components::default(),
            factors: Factors::default(),
            variants: Variants::default(),
            skins: BySlot::default(),
            deformers: BySlot::default(),
            palette: Palette::default(),
            order_dirty: false,
            pose_dirty: false,
            structure_revision: 0,
            mirror_revision: 0,
            playing: Playing::default(),
        }
    }

    /// Which scene this is.
    #[must_use]
    pub fn identity(&self) -> SceneIdentity {
        self.identity
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// Changes whenever nodes are added, removed or re-parented, or their render objects, skins, deformers or the numbers of
    /// their weights change, and when the arena's arrays are rearranged for it. A pose change leaves it alone, except the
    /// first one that gives a primitive child (identity, undriven) a pose of its own.
    ///
    /// Together with [`identity`](Self::identity) it names one exact draw order.
    #[must_use]
    pub fn structure_revision(&self) -> u64 {
        self.structure_revision
    }

    /// Changes whenever a resolution finds that some node's chain, or some joint's matrix, began or ceased to mirror.
    #[must_use]
    pub fn mirror_revision(&self) -> u64 {
        self.mirror_revision
    }

    /// Adds a node after the last root, at rest with the identity transform.
    ///
    /// # Errors
    /// [`SceneError::Full`] at 2^32 - 1 nodes.
    pub fn add_root(&mut self, name: &str) -> Result<SceneNodeId, SceneError> {
        self.insert(NONE, share(name)).map(|slot| self.id_of(slot))
    }

    /// Adds a node after the last child of `parent`, at rest with the identity transform. The id is valid at once.
    ///
    /// # Errors
    /// [`SceneError::UnknownNode`] for a parent that is not here, [`SceneError::Full`] at 2^32 - 1 nodes.
    pub fn add_child(&mut self, parent: SceneNodeId, name: &str) -> Result<SceneNodeId, SceneError> {
        let parent = self.slot(parent).ok_or(SceneError::UnknownNode { what: "parent" })?;
        self.insert(parent, share(name)).map(|slot| self.id_of(slot))
    }

    pub(super) fn insert(&mut self, parent: u32, name: Option<Arc<str>>) -> Result<u32, SceneError> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None if self.nodes.len() < NONE as usize => {
                self.nodes.push(NodeSlot {
                    generation: 0,
                    alive: false,
                    name: None,
                    parent: NONE,
                    first_child: NONE,
                    last_child: NONE,
                    previous: NONE,
                    next: NONE,
                    row: NONE,
                    folded: false,
                    animated: NONE,
                    render_object: None,
                });
                self.nodes.len() as u32 - 1
            }
            None => return Err(SceneError::Full),
        };
        let parent_row = self.row_of(parent);
        let row = self.rows.push(
            slot,
            parent_row,
            &LocalTransform::Trs(Transform::IDENTITY),
            Affine3x4::IDENTITY,
            false,
        );
        let node = &mut self.nodes[slot as usize];
        node.alive = true;
        node.name = name;
        node.row = row;
        (node.first_child, node.last_child) = (NONE, NONE);
        self.alive += 1;
        self.link_last(slot, parent);
        self.mark_structure();
        Ok(slot)
    }

    /// Removes a node and everything below it; returns how many nodes went. Clips that drive them fall silent there.
    ///
    /// # Errors
    /// [`SceneError::UnknownNode`] if it is not here.
    pub fn remove(&mut self, node: SceneNodeId) -> Result<usize, SceneError> {
        let top = self.slot(node).ok_or(SceneError::UnknownNode { what: "node" })?;
        self.unlink(top);
        let mut removed = 0;
        let mut next = top;
        while next != NONE {
            let slot = next;
            next = self.successor(slot, top);
            let node = &mut self.nodes[slot as usize];
            if !node.folded {
                self.rows.slot[node.row as usize] = NONE;
            }
            node.alive = false;
            node.name = None;
            node.folded = false;
            node.render_object = None;
            self.animated.forget(std::mem::replace(&mut node.animated, NONE));
            self.weights.remove(slot);
            self.cameras.remove(slot);
            self.lights.remove(slot);
            self.factors.rest_camera(slot);
            self.factors.rest_light(slot);
            self.variants.remove(slot);
            self.skins.remove(slot);
            self.palette.forget(slot);
            self.deformers.remove(slot);
            removed += 1;
        }
        // Links are read by the walk above until it ends, so slots are handed back in a second one.
        let mut next = top;
        while next != NONE {
            let slot = next;
            next = self.successor(slot, top);
            // A slot whose generations are used up is never handed out again.
            if let Some(generation) = self.nodes[slot as usize].generation.checked_add(1) {
                self.nodes[slot as usize].generation = generation;
                self.free.push(slot);
            }
        }
        self.alive -= removed;
        self.mark_structure();
        // Without this, adding and removing for ever between two updates would grow the arrays for ever.
        if self.rows.len() > 2 * self.alive + 64 {
            self.restore_order();
        }
        Ok(removed)
    }

    /// Moves a node, with everything below it, to the end of another's children, or of the roots for `None`.
    ///
    /// The local transform stays, so the world transform follows the new parent.
    ///
    /// # Errors
    /// [`SceneError::UnknownNode`] for an id that is not here, [`SceneError::Cycle`] if the parent lies below the node.
    pub fn set_parent(&mut self, node: SceneNodeId, parent: Option<SceneNodeId>) -> Result<(), SceneError> {
        let slot = self.slot(node).ok_or(SceneError::UnknownNode { what: "node" })?;
        let parent = match parent {
            Some(id) => self.slot(id).ok_or(SceneError::UnknownNode { what: "new parent" })?,
            None => NONE,
        };
        let mut ancestor = parent;
        while ancestor != NONE {
            if ancestor == slot {
                return Err(SceneError::Cycle { node: self.nodes[slot as usize].name().to_owned() });
            }
            ancestor = self.nodes[ancestor as usize].parent;
        }
        self.unfold(slot);
        self.unlink(slot);
        self.link_last(slot, parent);
        self.mark_structure();
        Ok(())
    }

    pub(super) fn slots_in_order(&self) -> impl Iterator<Item = u32> {
        std::iter::successors(some(self.first_root), |&slot| some(self.successor(slot, NONE)))
    }

    /// The slot and all below it, in pre-order.
    pub(super) fn slots_within(&self, top: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(top), move |&slot| some(self.successor(slot, top)))
    }

    pub(super) fn slot(&self, id: SceneNodeId) -> Option<u32> {
        let node = self.nodes.get(id.slot as usize)?;
        let found = id.scene == self.identity && node.alive && node.generation == id.generation;
        found.then_some(id.slot)
    }

    pub(super) fn id_of(&self, slot: u32) -> SceneNodeId {
        let generation = self.nodes[slot as usize].generation;
        SceneNodeId { scene: self.identity, slot, generation }
    }

    fn row_of(&self, slot: u32) -> u32 {
        self.nodes.get(slot as usize).map_or(NONE, |node| node.row)
    }

    /// The next slot in pre-order, within the subtree of `top` (or the whole forest for [`NONE`]).
    fn successor(&self, slot: u32, top: u32) -> u32 {
        let node = &self.nodes[slot as usize];
        if node.first_child != NONE {
            return node.first_child;
        }
        let mut slot = slot;
        while slot != NONE && slot != top {
            let node = &self.nodes[slot as usize];
            if node.next != NONE {
                return node.next;
            }
            slot = node.parent;
        }
        NONE
    }

    fn link_last(&mut self, slot: u32, parent: u32) {
        let previous = match self.nodes.get_mut(parent as usize) {
            Some(parent) => std::mem::replace(&mut parent.last_child, slot),
            None => std::mem::replace(&mut self.last_root, slot),
        };
        match (self.nodes.get_mut(previous as usize), parent) {
            (Some(previous), _) => previous.next = slot,
            (None, NONE) => self.first_root = slot,
            (None, parent) => self.nodes[parent as usize].first_child = slot,
        }
        let node = &mut self.nodes[slot as usize];
        (node.parent, node.previous, node.next) = (parent, previous, NONE);
    }

    fn unlink(&mut self, slot: u32) {
        let node = &self.nodes[slot as usize];
        let (parent, previous, next) = (node.parent, node.previous, node.next);
        match (self.nodes.get_mut(previous as usize), parent) {
            (Some(previous), _) => previous.next = next,
            (None, NONE) => self.first_root = next,
            (None, parent) => self.nodes[parent as usize].first_child = next,
        }
        match (self.nodes.get_mut(next as usize), parent) {
            (Some(next), _) => next.previous = previous,
            (None, NONE) => self.last_root = previous,
            (None, parent) => self.nodes[parent as usize].last_child = previous,
        }
        let node = &mut self.nodes[slot as usize];
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    /// Whether a channel of something that plays is bound to the node's transform or weights.
    fn is_moved(&self, slot: u32) -> bool {
        self.animated.get(self.nodes[slot as usize].animated).is_some_and(AnimatedNode::moves)
    }

    /// Gives a folded node a row of its own.
    pub(super) fn unfold(&mut self, slot: u32) {
        let node = &self.nodes[slot as usize];
        if !node.folded {
            return;
        }
        let shared = node.row;
        let (world, mirrored) = (self.rows.world[shared as usize], self.rows.mirrored[shared as usize]);
        let identity = LocalTransform::Trs(Transform::IDENTITY);
        let row = self.rows.push(slot, shared, &identity, world, mirrored);
        let node = &mut self.nodes[slot as usize];
        (node.row, node.folded) = (row, false);
        self.mark_structure();
    }

    /// Draws something else, or nothing, at a node.
    pub(super) fn show(&mut self, slot: u32, object: Option<RenderObjectId>) {
        let before = std::mem::replace(&mut self.nodes[slot as usize].render_object, object);
        self.mark_objects(before != object, before.is_some() != object.is_some());
    }

    /// Notes that nodes draw something else; `appeared`: that some now draw where they did not, or the reverse, on which
    /// folding depends.
    pub(super) fn mark_objects(&mut self, changed: bool, appeared: bool) {
        if appeared {
            self.mark_structure();
        } else if changed {
            self.structure_revision += 1;
        }
    }

    pub(super) fn mark_structure(&mut self) {
        self.order_dirty = true;
        self.pose_dirty = true;
        self.structure_revision += 1;
    }

    /// Rebuilds the rows in pre-order and folds primitive children, if an edit asked for it. One linear pass.
    pub(super) fn restore_order(&mut self) {
        if !std::mem::take(&mut self.order_dirty) {
            return;
        }
        let mut rows = Rows::with_capacity(self.rows.len());
        let mut next = self.first_root;
        while next != NONE {
            let slot = next;
            next = self.successor(slot, NONE);
            let node = &self.nodes[slot as usize];
            let (parent, old) = (node.parent, node.row);
            let parent_row = self.row_of(parent);
            if node.folded || self.foldable(slot) {
                let node = &mut self.nodes[slot as usize];
                (node.row, node.folded) = (parent_row, true);
                continue;
            }
            let local = self.rows.local(old);
            let (world, mirrored) = (self.rows.world[old as usize], self.rows.mirrored[old as usize]);
            self.nodes[slot as usize].row = rows.push(slot, parent_row, &local, world, mirrored);
        }
        self.rows = rows;
        let mut palette = std::mem::take(&mut self.palette);
        palette.lay_out(&self.skins, |joint| Some(self.nodes[self.slot(joint)? as usize].row));
        // What was resolved last stays what is seen until the next resolution.
        self.mirror_revision += u64::from(palette.resolve(&self.rows));
        self.palette = palette;
        // Rows moved, so whoever remembers a row must look again.
        self.structure_revision += 1;
    }

    /// Whether the node can share its parent's row: what a loader makes of every primitive.
    fn foldable(&self, slot: u32) -> bool {
        let node = &self.nodes[slot as usize];
        node.parent != NONE
            && node.render_object.is_some()
            && node.first_child == NONE
            && !self.is_moved(slot)
            && self.rows.local(node.row) == LocalTransform::Trs(Transform::IDENTITY)
    }
}

/// `slot` unless it is [`NONE`].
pub(super) fn some(slot: u32) -> Option<u32> {
    (slot != NONE).then_some(slot)
}
