//! What of the surfaces a picture shows.

use crate::assets::{Material, TextureRole, TextureSlot};

/// What of the surfaces a picture shows.
///
/// The surfaces are the same in every mode: MASK discards and BLEND covers by the base color's alpha. Colors are lit by
/// nothing. Data (everything but base color and emission) reaches the picture as the number that it is: a texel of 128
/// with a factor of 1 is a pixel of 128, and values are clamped to 0 to 1. (Blending and multisampling mix pixels in linear
/// light, data too.) A slot without a texture shows its factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ViewMode {
    /// Vertex color x base color factor x base color texture.
    #[default]
    BaseColor,
    /// The unit normal in world space, before normal mapping, as `0.5 n + 0.5`; back faces of double-sided surfaces show
    /// the normal turned around. A mesh without normals shows the normals of its triangles; points and lines without
    /// normals, and normals without a length, are mid-gray.
    Normals,
    /// Green is roughness and blue metalness, each texture x factor; red is 0.
    MetallicRoughness,
    /// Gray: `1 + strength (texture - 1)`.
    Occlusion,
    /// The normal map's texels, x and y multiplied by the normal scale around the middle; (128, 128, 255) without a map.
    NormalTexture,
    /// Emissive texture x factor x strength, an sRGB color.
    Emissive,
}

impl ViewMode {
    /// The texture that is read besides the base color's.
    #[must_use]
    pub fn slot(self, material: &Material) -> Option<TextureSlot> {
        match self {
            Self::BaseColor | Self::Normals => None,
            Self::MetallicRoughness => material.metallic_roughness_texture,
            Self::Occlusion => material.occlusion_texture,
            Self::NormalTexture => material.normal_texture,
            Self::Emissive => material.emissive_texture,
        }
    }

    /// How that texture is read.
    #[must_use]
    pub fn role(self) -> TextureRole {
        match self {
            Self::BaseColor | Self::Emissive => TextureRole::Color,
            Self::Normals | Self::MetallicRoughness | Self::Occlusion | Self::NormalTexture => {
                TextureRole::Data
            }
        }
    }

    /// The textures of a material that are read, each with how: the base color's, whose alpha counts in every mode, and
    /// the mode's own.
    pub fn textures(self, material: &Material) -> impl Iterator<Item = (TextureSlot, TextureRole)> {
        let base = material.base_color_texture.map(|slot| (slot, TextureRole::Color));
        base.into_iter().chain(self.slot(material).map(|slot| (slot, self.role())))
    }
}
