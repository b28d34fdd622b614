//! Which render objects a scene's variants show.

use super::id::VariantId;
use crate::assets::RenderObjectId;
use std::collections::HashMap;
use std::sync::Arc;

/// What a node draws under each variant that changes it. A clone shares the list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VariantObjects {
    /// Ascending by variant, each once.
    objects: Arc<[(VariantId, RenderObjectId)]>,
    /// The largest of the objects, so that any number of nodes that share a list are checked without a walk through it.
    largest: Option<RenderObjectId>,
}

impl VariantObjects {
    /// In any order; of two entries for one variant the later one counts.
    #[must_use]
    pub fn new(objects: impl IntoIterator<Item = (VariantId, RenderObjectId)>) -> Self {
        let mut objects: Vec<_> = objects.into_iter().collect();
        // Stable, so that the last of equals is the later one.
        objects.sort_by_key(|&(variant, _)| variant);
        objects.reverse();
        objects.dedup_by_key(|&mut (variant, _)| variant);
        objects.reverse();
        let largest = objects.iter().map(|&(_, object)| object).max();
        Self { objects: objects.into(), largest }
    }

    /// What is drawn under `variant`, or `None` if that changes nothing here.
    #[must_use]
    pub fn get(&self, variant: VariantId) -> Option<RenderObjectId> {
        let position = self.objects.binary_search_by_key(&variant, |&(variant, _)| variant).ok()?;
        Some(self.objects[position].1)
    }

    /// The entries, ascending by variant.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (VariantId, RenderObjectId)> {
        self.objects.iter().copied()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    pub(super) fn largest_variant(&self) -> Option<VariantId> {
        self.objects.last().map(|&(variant, _)| variant)
    }

    pub(super) fn largest_object(&self) -> Option<RenderObjectId> {
        self.largest
    }
}

/// Lists of one scene under the ids that its variants have in another. What is shared stays shared.
pub(super) struct Renumbering {
    /// For each variant its id there.
    ids: Vec<VariantId>,
    /// By the place of the list, which the scene keeps.
    done: HashMap<*const (VariantId, RenderObjectId), VariantObjects>,
}

impl Renumbering {
    pub fn new(ids: Vec<VariantId>) -> Self {
        Self { ids, done: HashMap::new() }
    }

    pub fn of(&mut self, list: &VariantObjects) -> VariantObjects {
        let renumbered =
            || VariantObjects::new(list.iter().map(|(variant, object)| (self.ids[variant.index()], object)));
        self.done.entry(list.objects.as_ptr()).or_insert_with(renumbered).clone()
    }
}

/// A node that some variant changes.
#[derive(Debug)]
pub(super) struct NodeVariants {
    /// What is drawn where no variant says otherwise.
    pub default: Option<RenderObjectId>,
    pub objects: VariantObjects,
}

impl NodeVariants {
    pub fn shown(&self, variant: Option<VariantId>) -> Option<RenderObjectId> {
        variant.and_then(|variant| self.objects.get(variant)).or(self.default)
    }
}

/// A scene's variants and the nodes that they change, by slot.
#[derive(Debug, Default)]
pub(super) struct Variants {
    pub names: Vec<Arc<str>>,
    pub chosen: Option<VariantId>,
    pub nodes: HashMap<u32, NodeVariants>,
}

impl Variants {
    /// Forgets a node. Returns what it draws by default, if there was one.
    pub fn remove(&mut self, slot: u32) -> Option<Option<RenderObjectId>> {
        if self.nodes.is_empty() {
            return None;
        }
        self.nodes.remove(&slot).map(|node| node.default)
    }

    pub fn objects_of(&self, slot: u32) -> Option<&VariantObjects> {
        self.nodes.get(&slot).map(|node| &node.objects)
    }

    pub fn default_of(&self, slot: u32) -> Option<Option<RenderObjectId>> {
        self.nodes.get(&slot).map(|node| node.default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_entry_of_a_variant_counts() {
        let entry = |variant, object| (VariantId::new(variant), RenderObjectId::new(object));
        let objects = VariantObjects::new([entry(2, 7), entry(0, 1), entry(2, 8), entry(0, 3), entry(1, 5)]);
        assert_eq!(objects.iter().collect::<Vec<_>>(), [entry(0, 3), entry(1, 5), entry(2, 8)]);
        assert_eq!(objects.get(VariantId::new(2)), Some(RenderObjectId::new(8)));
        assert_eq!(objects.get(VariantId::new(3)), None);
    }
}
