//! Colors and surface descriptions.

use super::{SlotKind, TextureSlot};
use crate::math::Vec3;
use bytemuck::{Pod, Zeroable};

/// A linear color with straight alpha. Components may exceed 1; the default is transparent black.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Color4 {
    /// Red, linear.
    pub r: f32,
    /// Green, linear.
    pub g: f32,
    /// Blue, linear.
    pub b: f32,
    /// Coverage, 0 transparent to 1 opaque.
    pub a: f32,
}

impl Color4 {
    /// Opaque white, the neutral factor.
    pub const WHITE: Self = Self::new(1.0, 1.0, 1.0, 1.0);

    /// A color from its linear components.
    #[must_use]
    pub const fn new(r: f32, g: f32, b: f32, a: f32) -> Self {
        Self { r, g, b, a }
    }

    /// Red, green, blue, alpha.
    #[must_use]
    pub const fn to_array(self) -> [f32; 4] {
        [self.r, self.g, self.b, self.a]
    }

    /// Whether every component is finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.to_array().iter().all(|c| c.is_finite())
    }
}

impl From<[f32; 4]> for Color4 {
    fn from([r, g, b, a]: [f32; 4]) -> Self {
        Self { r, g, b, a }
    }
}

/// How alpha decides what is seen (glTF 2.0, section 3.9.4).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AlphaMode {
    /// Alpha is ignored; the surface is opaque.
    #[default]
    Opaque,
    /// A fragment whose alpha lies below the cutoff is not drawn; the others are opaque.
    Mask {
        /// Finite; glTF's default is 0.5. A cutoff above 1 hides everything.
        cutoff: f32,
    },
    /// Fragments are mixed over what lies behind them, farthest first.
    Blend,
}

/// A metallic-roughness surface (glTF 2.0, section 3.9).
///
/// The picture today is unlit: vertex color x [`base_color_factor`](Self::base_color_factor) x base color texture. What the
/// other slots hold is shown by view modes of the renderer, each for itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// For messages; may be empty.
    pub name: String,
    /// Linear; multiplies the texture. Finite, any range.
    pub base_color_factor: Color4,
    /// sRGB colors, linear alpha.
    pub base_color_texture: Option<TextureSlot>,
    /// 0 is a dielectric, 1 a metal; multiplies the texture's blue.
    pub metallic_factor: f32,
    /// Perceptual roughness, 0 smooth to 1; multiplies the texture's green.
    pub roughness_factor: f32,
    /// Blue is metalness, green is roughness; linear.
    pub metallic_roughness_texture: Option<TextureSlot>,
    /// Tangent-space normals; linear.
    pub normal_texture: Option<TextureSlot>,
    /// Multiplies x and y of the texture's normals. Finite, any sign.
    pub normal_scale: f32,
    /// Red is the share of indirect light that arrives; linear.
    pub occlusion_texture: Option<TextureSlot>,
    /// How much of the texture's occlusion is applied, 0 none to 1 all of it.
    pub occlusion_strength: f32,
    /// Linear emission; multiplies the texture.
    pub emissive_factor: Vec3,
    /// Multiplies the emission, which may thus exceed 1 (KHR_materials_emissive_strength). At least 0.
    pub emissive_strength: f32,
    /// sRGB emission.
    pub emissive_texture: Option<TextureSlot>,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Whether back faces are drawn too.
    pub double_sided: bool,
    /// Whether the surface asks for no lighting (KHR_materials_unlit).
    pub unlit: bool,
}

impl Material {
    /// What one slot holds.
    #[must_use]
    pub const fn texture_slot(&self, kind: SlotKind) -> Option<TextureSlot> {
        match kind {
            SlotKind::BaseColor => self.base_color_texture,
            SlotKind::MetallicRoughness => self.metallic_roughness_texture,
            SlotKind::Normal => self.normal_texture,
            SlotKind::Occlusion => self.occlusion_texture,
            SlotKind::Emissive => self.emissive_texture,
        }
    }

    /// The slots that hold a texture, in glTF's order.
    pub fn texture_slots(&self) -> impl Iterator<Item = (SlotKind, TextureSlot)> {
        SlotKind::ALL.into_iter().filter_map(|kind| Some((kind, self.texture_slot(kind)?)))
    }
}

impl Default for Material {
    /// Opaque white, single-sided, untextured, a rough metal as in glTF.
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color_factor: Color4::WHITE,
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive_factor: Vec3::ZERO,
            emissive_strength: 1.0,
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn color_components_keep_their_names_and_default_to_transparent_black() {
        let color = Color4::from([0.25, 0.5, 0.75, 1.0]);
        assert_eq!((color.r, color.g, color.b, color.a), (0.25, 0.5, 0.75, 1.0));
        assert_eq!(Color4::default().to_array(), [0.0; 4]);
        assert_eq!(size_of::<Color4>(), 16);
    }
}
