//! Copies of one scene inside another.

use super::arena::Scene;
use super::error::SceneError;
use super::id::SceneNodeId;
use super::local::LocalTransform;
use super::skin::Skin;
use crate::math::Transform;
use std::collections::HashMap;
use std::sync::Arc;

/// Which node of the copied scene became which node here.
#[derive(Debug, Clone)]
pub struct NodeMap {
    root: SceneNodeId,
    copies: HashMap<SceneNodeId, SceneNodeId>,
}

impl NodeMap {
    /// The node that was made to hold the copy, with the transform given to [`Scene::append`].
    #[must_use]
    pub fn root(&self) -> SceneNodeId {
        self.root
    }

    /// The copy of `original`, or `None` if that was not part of the copied scene.
    #[must_use]
    pub fn get(&self, original: SceneNodeId) -> Option<SceneNodeId> {
        self.copies.get(&original).copied()
    }
}

impl Scene {
    /// Copies every node of `other` (names, transforms and weights with their rest, render objects, variants, skins,
    /// cameras, lights; not what plays) under one new node with `transform`, itself a child of `parent` or a root for `None`.
    ///
    /// Render-object ids are copied as they are: both scenes draw from one catalogue. Variants are taken for the ones of
    /// the same name here, and added where there is none; the copy shows the variant that this scene shows. Materials that
    /// have factors in `other` alone get them here, and so does everything that is drawn with them.
    /// [`super::ClipBinding::remapped`] with the returned map plays a clip on the copy.
    ///
    /// # Errors
    /// [`SceneError::UnknownNode`] for a parent that is not here, [`SceneError::NotFinite`] for the transform,
    /// [`SceneError::Full`] at 2^32 - 1 nodes (what was copied until then stays).
    pub fn append(
        &mut self,
        other: &Scene,
        parent: Option<SceneNodeId>,
        transform: Transform,
    ) -> Result<NodeMap, SceneError> {
        if !transform.is_finite() {
            return Err(SceneError::NotFinite { node: String::new() });
        }
        let mut holder = self.add_node(parent, None)?;
        holder.set_local(LocalTransform::Trs(transform));
        let root = holder.as_node_ref().id();
        let mut variants = self.merge_variants(other);
        self.factors.materials.merge(&other.factors.materials);
        let mut copies = HashMap::with_capacity(other.len());
        for node in other.nodes() {
            let parent = node.parent().and_then(|parent| copies.get(&parent.id()).copied()).unwrap_or(root);
            let mut copy = self.add_node(Some(parent), node.shared_name())?;
            copy.set_local(node.local());
            copy.copy_rest(&node);
            copy.set_render_object(node.default_object());
            copy.set_variants(node.variants().map(|objects| variants.of(objects)))?;
            copy.copy_components(node);
            copies.insert(node.id(), copy.as_node_ref().id());
        }
        self.copy_deformation(other, &copies);
        Ok(NodeMap { root, copies })
    }

    /// Skins and deformers name nodes anywhere, so they follow when all of those have copies. Nodes that share a skin share
    /// its copy.
    fn copy_deformation(&mut self, other: &Scene, copies: &HashMap<SceneNodeId, SceneNodeId>) {
        let copy_of = |node| copies.get(&node).copied();
        let slot_of = |slot| self.slot(copy_of(other.id_of(slot))?);
        let mut skins: HashMap<*const Skin, Arc<Skin>> = HashMap::new();
        let worn: Vec<_> = other
            .skins
            .in_order()
            .into_iter()
            .filter_map(|(slot, skin)| {
                let copy = skins.entry(Arc::as_ptr(skin)).or_insert_with(|| Arc::new(skin.remapped(copy_of)));
                Some((slot_of(slot)?, Arc::clone(copy)))
            })
            .collect();
        let deformers: Vec<_> = other
            .deformers
            .in_order()
            .into_iter()
            .filter_map(|(slot, &deformer)| Some((slot_of(slot)?, copy_of(deformer)?)))
            .collect();
        worn.into_iter().for_each(|(slot, skin)| self.skins.insert(slot, skin));
        deformers.into_iter().for_each(|(slot, deformer)| self.deformers.insert(slot, deformer));
    }
}
