//! A plan's materials as the shaders read them, kept where a scene may have other factors for them.

use super::layout::{GpuMaterial, Surface};
use crate::assets::{MaterialFactors, MaterialId, RenderAssets};
use crate::preparation::RenderPlan;
use std::collections::HashMap;

/// In the plan's order, which is that of the material buffer.
#[derive(Default)]
pub(crate) struct Surfaces {
    of: HashMap<MaterialId, u32>,
    surfaces: Vec<Surface>,
    materials: Vec<GpuMaterial>,
}

impl Surfaces {
    pub(crate) fn new(assets: &RenderAssets, plan: &RenderPlan) -> Self {
        let mut made = Self::default();
        for &id in plan.materials() {
            let Some(material) = assets.material(id) else { continue };
            let surface = Surface::new(material, plan.view());
            made.of.insert(id, made.surfaces.len() as u32);
            made.surfaces.push(surface);
            made.materials.push(GpuMaterial::new(surface, &material.factors()));
        }
        made
    }

    /// Where a material stands; `None` if the plan draws nothing with it.
    pub(crate) fn position(&self, material: MaterialId) -> Option<u32> {
        self.of.get(&material).copied()
    }

    /// With the factors that the catalogue has.
    pub(crate) fn materials(&self) -> &[GpuMaterial] {
        &self.materials
    }

    /// One with other factors; `position` is one that [`position`](Self::position) gave.
    pub(crate) fn with_factors(&self, position: u32, factors: &MaterialFactors) -> GpuMaterial {
        GpuMaterial::new(self.surfaces[position as usize], factors)
    }
}
