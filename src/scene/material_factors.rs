//! Materials whose numbers a scene has for itself.

use super::arena::Scene;
use super::error::SceneError;
use super::material_overrides::MaterialOverride;
use crate::assets::{MaterialFactors, MaterialId};

impl Scene {
    /// Gives a material factors that this scene draws it with instead of its own. They are pose: nothing is compiled for them,
    /// and the catalogue stays as it is. A clip that drives a material needs them, to know how it rests:
    /// [`Material::factors`](crate::assets::Material::factors) for as the catalogue has it. What clips made of them is
    /// forgotten until the next advance.
    ///
    /// # Errors
    /// [`SceneError::MaterialNotFinite`] if a number is NaN or infinite.
    pub fn set_material_factors(
        &mut self,
        material: MaterialId,
        factors: MaterialFactors,
    ) -> Result<(), SceneError> {
        if let Some(field) = factors.not_finite() {
            return Err(SceneError::MaterialNotFinite { material, field });
        }
        self.factors.materials.set(material, factors, None);
        self.playing.settled = false;
        Ok(())
    }

    /// What a material is drawn with here, as it is now; `None` where that is what the catalogue has.
    #[must_use]
    pub fn material_factors(&self, material: MaterialId) -> Option<&MaterialFactors> {
        self.factors.materials.get(material).map(MaterialOverride::now)
    }

    /// The same at rest: as [`set_material_factors`](Self::set_material_factors) was given it.
    #[must_use]
    pub fn rest_material_factors(&self, material: MaterialId) -> Option<&MaterialFactors> {
        self.factors.materials.get(material).map(|entry| &entry.rest)
    }

    /// Every material that has factors here, with what they are now, in the order in which they were first given.
    #[must_use]
    pub fn material_overrides(&self) -> impl ExactSizeIterator<Item = (MaterialId, &MaterialFactors)> {
        self.factors.materials.list.iter().map(|entry| (entry.material, entry.now()))
    }

    /// Counts changes of what materials are drawn with here.
    pub(crate) fn material_revision(&self) -> u64 {
        self.factors.materials.revision
    }

    /// Those of [`material_overrides`](Self::material_overrides) that are other than they were at that
    /// [`material_revision`](Self::material_revision); 0 is before all of them.
    pub(crate) fn material_overrides_since(
        &self,
        revision: u64,
    ) -> impl Iterator<Item = (MaterialId, &MaterialFactors)> {
        self.factors.materials.since(revision).map(|entry| (entry.material, entry.now()))
    }
}
