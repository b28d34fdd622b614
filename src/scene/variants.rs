//! Variants: other surfaces for the same geometry, chosen by name.

use super::arena::Scene;
use super::error::SceneError;
use super::id::VariantId;
use super::variant_objects::{NodeVariants, Renumbering, VariantObjects};
use std::collections::HashMap;
use std::sync::Arc;

impl Scene {
    /// Adds a variant, which changes no node yet; see [`NodeMut::set_variants`](super::NodeMut::set_variants). The name is
    /// for people: it may be empty or taken.
    pub fn add_variant(&mut self, name: &str) -> VariantId {
        let names = &mut self.variants.names;
        names.push(name.into());
        VariantId::new(u32::try_from(names.len() - 1).unwrap_or(u32::MAX))
    }

    /// The names of the variants; an id's index is its position.
    #[must_use]
    pub fn variants(&self) -> impl ExactSizeIterator<Item = &str> {
        self.variants.names.iter().map(|name| &**name)
    }

    /// The first variant of that name.
    #[must_use]
    pub fn find_variant(&self, name: &str) -> Option<VariantId> {
        let position = self.variants().position(|found| found == name)?;
        Some(VariantId::new(position as u32))
    }

    /// The variant that is shown; `None` until one is chosen.
    #[must_use]
    pub fn variant(&self) -> Option<VariantId> {
        self.variants.chosen
    }

    /// Shows a variant, or what is drawn without any for `None`. Where nodes draw something else then, that is one change
    /// of structure, and the renderer must prepare again; the variant that is shown already changes nothing.
    ///
    /// # Errors
    /// [`SceneError::UnknownVariant`]; then the scene shows what it did.
    pub fn set_variant(&mut self, variant: Option<VariantId>) -> Result<(), SceneError> {
        if let Some(variant) = variant {
            self.check_variant(variant)?;
        }
        self.variants.chosen = variant;
        let (mut changed, mut appeared) = (false, false);
        for (&slot, node) in &self.variants.nodes {
            let shown = node.shown(variant);
            let before = std::mem::replace(&mut self.nodes[slot as usize].render_object, shown);
            changed |= before != shown;
            appeared |= before.is_some() != shown.is_some();
        }
        self.mark_objects(changed, appeared);
        Ok(())
    }

    /// Takes each variant of `other` for the first one of its name here, which is added where there is none.
    pub(super) fn merge_variants(&mut self, other: &Scene) -> Renumbering {
        let mut here: HashMap<Arc<str>, VariantId> = HashMap::new();
        for (id, name) in (0..).map(VariantId::new).zip(&self.variants.names) {
            here.entry(Arc::clone(name)).or_insert(id);
        }
        let mut merge =
            |name: &Arc<str>| *here.entry(Arc::clone(name)).or_insert_with(|| self.add_variant(name));
        Renumbering::new(other.variants.names.iter().map(&mut merge).collect())
    }

    /// Sets or clears what variants change at a node.
    pub(super) fn set_node_variants(
        &mut self,
        slot: u32,
        objects: Option<VariantObjects>,
    ) -> Result<(), SceneError> {
        let objects = objects.filter(|objects| !objects.is_empty());
        if let Some(variant) = objects.as_ref().and_then(VariantObjects::largest_variant) {
            self.check_variant(variant)?;
        }
        let default = self.variants.remove(slot).unwrap_or(self.nodes[slot as usize].render_object);
        let shown = match objects {
            Some(objects) => {
                let node = NodeVariants { default, objects };
                let shown = node.shown(self.variants.chosen);
                self.variants.nodes.insert(slot, node);
                shown
            }
            None => default,
        };
        self.show(slot, shown);
        Ok(())
    }

    fn check_variant(&self, variant: VariantId) -> Result<(), SceneError> {
        let count = self.variants.names.len();
        if variant.index() < count { Ok(()) } else { Err(SceneError::UnknownVariant { variant, count }) }
    }
}
