//! The numbers of a material, apart from what is compiled for it.

use super::{AlphaMode, Color4, Material, SlotKind, UvTransform};
use crate::math::Vec3;

/// What of a material a scene may have of its own, and change from frame to frame: numbers alone. Textures, UV sets and modes
/// stay those of the [`Material`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialFactors {
    /// As [`Material::base_color_factor`].
    pub base_color_factor: Color4,
    /// As [`Material::metallic_factor`].
    pub metallic_factor: f32,
    /// As [`Material::roughness_factor`].
    pub roughness_factor: f32,
    /// As [`Material::normal_scale`].
    pub normal_scale: f32,
    /// As [`Material::occlusion_strength`].
    pub occlusion_strength: f32,
    /// As [`Material::emissive_factor`].
    pub emissive_factor: Vec3,
    /// As [`Material::emissive_strength`].
    pub emissive_strength: f32,
    /// The cutoff of [`AlphaMode::Mask`]. Other modes do not read it; theirs is glTF's default, 0.5.
    pub alpha_cutoff: f32,
    /// How each slot's texture coordinates are transformed, in the order of [`SlotKind::ALL`]; a slot without a texture does
    /// not read it.
    pub uv_transforms: [UvTransform; SlotKind::ALL.len()],
}

impl MaterialFactors {
    /// The transform of a slot's texture coordinates.
    #[must_use]
    pub const fn uv_transform(&self, slot: SlotKind) -> UvTransform {
        self.uv_transforms[slot as usize]
    }

    /// The first field that holds NaN or infinity.
    pub(crate) fn not_finite(&self) -> Option<&'static str> {
        let numbers = [
            ("base_color_factor", self.base_color_factor.is_finite()),
            ("metallic_factor", self.metallic_factor.is_finite()),
            ("roughness_factor", self.roughness_factor.is_finite()),
            ("normal_scale", self.normal_scale.is_finite()),
            ("occlusion_strength", self.occlusion_strength.is_finite()),
            ("emissive_strength", self.emissive_strength.is_finite()),
            ("emissive_factor", self.emissive_factor.is_finite()),
            ("alpha cutoff", self.alpha_cutoff.is_finite()),
        ];
        let transforms = SlotKind::ALL.map(|slot| (slot.name(), self.uv_transform(slot).is_finite()));
        numbers.into_iter().chain(transforms).find(|&(_, finite)| !finite).map(|(field, _)| field)
    }
}

impl Default for MaterialFactors {
    /// Those of [`Material::default`].
    fn default() -> Self {
        Material::default().factors()
    }
}

impl Material {
    /// Its numbers.
    #[must_use]
    pub fn factors(&self) -> MaterialFactors {
        MaterialFactors {
            base_color_factor: self.base_color_factor,
            metallic_factor: self.metallic_factor,
            roughness_factor: self.roughness_factor,
            normal_scale: self.normal_scale,
            occlusion_strength: self.occlusion_strength,
            emissive_factor: self.emissive_factor,
            emissive_strength: self.emissive_strength,
            alpha_cutoff: match self.alpha_mode {
                AlphaMode::Mask { cutoff } => cutoff,
                AlphaMode::Opaque | AlphaMode::Blend => 0.5,
            },
            uv_transforms: SlotKind::ALL
                .map(|slot| self.texture_slot(slot).map(|slot| slot.transform).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TextureId, TextureSlot};
    use super::*;
    use crate::math::Vec2;

    #[test]
    fn factors_are_the_materials_numbers_with_each_transform_in_its_slot() {
        let slot = |number: f32| {
            let transform = UvTransform { offset: Vec2::splat(number), ..UvTransform::IDENTITY };
            Some(TextureSlot { transform, ..TextureSlot::new(TextureId::new(0)) })
        };
        let material = Material {
            base_color_texture: slot(1.0),
            normal_texture: slot(3.0),
            emissive_texture: slot(5.0),
            alpha_mode: AlphaMode::Mask { cutoff: 0.25 },
            metallic_factor: 0.125,
            ..Material::default()
        };
        let factors = material.factors();
        let offsets = SlotKind::ALL.map(|slot| factors.uv_transform(slot).offset.x);
        assert_eq!(offsets, [1.0, 0.0, 3.0, 0.0, 5.0]);
        assert_eq!((factors.alpha_cutoff, factors.metallic_factor), (0.25, 0.125));
        assert_eq!((Material::default().factors().alpha_cutoff, factors.not_finite()), (0.5, None));
    }

    #[test]
    fn the_first_number_that_is_none_is_named() {
        let mut factors = Material::default().factors();
        factors.uv_transforms[SlotKind::Occlusion as usize].rotation = f32::NAN;
        assert_eq!(factors.not_finite(), Some("occlusionTexture"));
        factors.alpha_cutoff = f32::INFINITY;
        assert_eq!(factors.not_finite(), Some("alpha cutoff"));
    }
}
