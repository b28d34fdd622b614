//! An image and how it is sampled.

use super::ImageId;

/// Magnification filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MagFilter {
    /// The nearest texel.
    Nearest,
    /// Four texels, bilinear.
    #[default]
    Linear,
}

/// Minification filter and what it does between mip levels, named as in glTF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MinFilter {
    /// The nearest texel of level 0.
    Nearest,
    /// Bilinear in level 0.
    Linear,
    /// The nearest texel of the nearest level.
    NearestMipmapNearest,
    /// Bilinear in the nearest level.
    LinearMipmapNearest,
    /// The nearest texels of two levels, mixed.
    NearestMipmapLinear,
    /// Trilinear.
    #[default]
    LinearMipmapLinear,
}

impl MinFilter {
    /// Whether levels below 0 are read.
    #[must_use]
    pub const fn uses_mips(self) -> bool {
        !matches!(self, Self::Nearest | Self::Linear)
    }
}

/// What a texture coordinate outside 0..1 reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WrapMode {
    /// The texture again.
    #[default]
    Repeat,
    /// The texture, every other copy mirrored.
    MirroredRepeat,
    /// The edge texel.
    ClampToEdge,
}

/// Filters and wrap modes of a texture. The default is trilinear and repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sampler {
    /// Filter where a texel covers several pixels.
    pub mag_filter: MagFilter,
    /// Filter where a pixel covers several texels.
    pub min_filter: MinFilter,
    /// Wrap along u, which runs to the right.
    pub wrap_u: WrapMode,
    /// Wrap along v, which runs downwards.
    pub wrap_v: WrapMode,
}

/// An image seen through a sampler. Several textures may share one image.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Texture {
    /// For messages; may be empty.
    pub name: String,
    /// The pixels.
    pub image: ImageId,
    /// How they are read.
    pub sampler: Sampler,
}

impl Texture {
    /// An unnamed texture with the default sampler.
    #[must_use]
    pub fn new(image: ImageId) -> Self {
        Self { name: String::new(), image, sampler: Sampler::default() }
    }
}
