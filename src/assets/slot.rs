//! The texture slots of a material.

use super::{TextureId, UvTransform};

/// How the numbers of a texture are to be read.
///
/// An image may be used in both roles; it then needs a view of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TextureRole {
    /// Colors: 8-bit red, green and blue are sRGB; alpha is linear.
    Color,
    /// Directions and factors: every component is linear.
    Data,
}

/// Which slot of a material holds a texture, in glTF's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SlotKind {
    /// [`Material::base_color_texture`](super::Material::base_color_texture).
    BaseColor,
    /// [`Material::metallic_roughness_texture`](super::Material::metallic_roughness_texture).
    MetallicRoughness,
    /// [`Material::normal_texture`](super::Material::normal_texture).
    Normal,
    /// [`Material::occlusion_texture`](super::Material::occlusion_texture).
    Occlusion,
    /// [`Material::emissive_texture`](super::Material::emissive_texture).
    Emissive,
}

impl SlotKind {
    /// Every slot.
    pub const ALL: [Self; 5] =
        [Self::BaseColor, Self::MetallicRoughness, Self::Normal, Self::Occlusion, Self::Emissive];

    /// The field's name as glTF spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BaseColor => "baseColorTexture",
            Self::MetallicRoughness => "metallicRoughnessTexture",
            Self::Normal => "normalTexture",
            Self::Occlusion => "occlusionTexture",
            Self::Emissive => "emissiveTexture",
        }
    }

    /// What the slot's numbers mean (glTF 2.0, section 3.9).
    #[must_use]
    pub const fn role(self) -> TextureRole {
        match self {
            Self::BaseColor | Self::Emissive => TextureRole::Color,
            Self::MetallicRoughness | Self::Normal | Self::Occlusion => TextureRole::Data,
        }
    }
}

impl std::fmt::Display for SlotKind {
    /// The field's name as glTF spells it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A texture as one slot of a material uses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureSlot {
    /// What is sampled.
    pub texture: TextureId,
    /// Which of the mesh's UV sets addresses it, from 0. A mesh without that set reads coordinate (0, 0).
    pub uv_set: u32,
    /// Applied to the coordinates before sampling.
    pub transform: UvTransform,
}

impl TextureSlot {
    /// The texture through UV set 0, untransformed.
    #[must_use]
    pub const fn new(texture: TextureId) -> Self {
        Self { texture, uv_set: 0, transform: UvTransform::IDENTITY }
    }
}
