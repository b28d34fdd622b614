//! What of the surfaces a picture shows.

use crate::assets::{Material, SlotKind, TextureSlot};

/// What of the surfaces a picture shows.
///
/// The surfaces are the same in every mode: MASK discards and BLEND covers by the base color's alpha. Colors are lit by
/// nothing. Data (everything but base color and emission) reaches the picture as the number that it is: a texel of 128
/// with a factor of 1 is a pixel of 128, and values are clamped to 0 to 1. (Blending and multisampling mix pixels in linear
/// light, data too, and so do the mip levels of an image that is both color and data.) A slot without a texture shows its
/// factor.
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
    /// A checker where the base color's texture would lie, by its UV set and transform: u as red and v as green, each from 0
    /// to 1 in a turn of the texture, which has 8 x 8 squares, every other one half as bright. A mesh without that UV set is
    /// mid-gray.
    UvChecker,
    /// The edges of triangles as lines of one pixel in light gray, with nothing between them; points and lines likewise gray.
    /// Needs a device with `fillModeNonSolid`.
    Wireframe,
}

impl ViewMode {
    /// Every mode, in the order of the variants.
    pub const ALL: [Self; 8] = [
        Self::BaseColor,
        Self::Normals,
        Self::MetallicRoughness,
        Self::Occlusion,
        Self::NormalTexture,
        Self::Emissive,
        Self::UvChecker,
        Self::Wireframe,
    ];

    /// The slot that is shown in place of the base color, if it is one.
    #[must_use]
    pub const fn slot(self) -> Option<SlotKind> {
        match self {
            Self::BaseColor | Self::Normals | Self::UvChecker | Self::Wireframe => None,
            Self::MetallicRoughness => Some(SlotKind::MetallicRoughness),
            Self::Occlusion => Some(SlotKind::Occlusion),
            Self::NormalTexture => Some(SlotKind::Normal),
            Self::Emissive => Some(SlotKind::Emissive),
        }
    }

    /// What the material holds in that slot.
    #[must_use]
    pub fn texture_slot(self, material: &Material) -> Option<TextureSlot> {
        material.texture_slot(self.slot()?)
    }

    /// The slots whose textures are read: the base color's, whose alpha counts in every mode, and the mode's own.
    pub fn slots(self) -> impl Iterator<Item = SlotKind> {
        std::iter::once(SlotKind::BaseColor).chain(self.slot())
    }
}
