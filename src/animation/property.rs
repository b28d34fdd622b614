//! Numbers of cameras, lights and materials that a channel can drive (KHR_animation_pointer).

/// A number of a camera. A perspective has the first four, an orthographic projection the last four; an aspect ratio or a far
/// plane that a perspective leaves open cannot be driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CameraProperty {
    /// Vertical field of view of a perspective, in radians.
    FovY,
    /// Width over height of a perspective.
    Aspect,
    /// Distance of the near plane.
    Near,
    /// Distance of the far plane.
    Far,
    /// Half the width of an orthographic view.
    XMag,
    /// Half the height of an orthographic view.
    YMag,
}

/// A part of a light. Only point and spot lights that have a range have one to drive, and only spots have angles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LightProperty {
    /// Linear red, green and blue.
    Color,
    /// Candela, or lux of a directional light.
    Intensity,
    /// Distance in meters beyond which nothing is lit.
    Range,
    /// Angle in radians from the axis at which the light begins to fall off.
    InnerConeAngle,
    /// Angle in radians from the axis at which it ends.
    OuterConeAngle,
}

/// A texture slot of a material, as glTF names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UvSlot {
    /// `baseColorTexture`.
    BaseColor,
    /// `metallicRoughnessTexture`.
    MetallicRoughness,
    /// `normalTexture`.
    Normal,
    /// `occlusionTexture`.
    Occlusion,
    /// `emissiveTexture`.
    Emissive,
}

/// A part of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MaterialProperty {
    /// Linear red, green, blue and alpha, each held from 0 to 1.
    BaseColorFactor,
    /// Held from 0 to 1.
    MetallicFactor,
    /// Held from 0 to 1.
    RoughnessFactor,
    /// Any number.
    NormalScale,
    /// Held from 0 to 1.
    OcclusionStrength,
    /// Linear red, green and blue, each held at 0 or more.
    EmissiveFactor,
    /// Held at 0 or more.
    EmissiveStrength,
    /// Held at 0 or more.
    AlphaCutoff,
    /// Offset of a slot's texture coordinates.
    UvOffset(UvSlot),
    /// Rotation of a slot's texture coordinates, in radians.
    UvRotation(UvSlot),
    /// Scale of a slot's texture coordinates.
    UvScale(UvSlot),
}

impl LightProperty {
    pub(super) const fn width(self) -> usize {
        match self {
            Self::Color => 3,
            Self::Intensity | Self::Range | Self::InnerConeAngle | Self::OuterConeAngle => 1,
        }
    }
}

impl MaterialProperty {
    pub(super) const fn width(self) -> usize {
        match self {
            Self::BaseColorFactor => 4,
            Self::EmissiveFactor => 3,
            Self::UvOffset(_) | Self::UvScale(_) => 2,
            _ => 1,
        }
    }

    /// Where the numbers are held (glTF 2.0, section 5.19): the least and the greatest.
    pub(crate) const fn range(self) -> (f32, f32) {
        match self {
            Self::BaseColorFactor
            | Self::MetallicFactor
            | Self::RoughnessFactor
            | Self::OcclusionStrength => (0.0, 1.0),
            // Brighter than 1 came with KHR_materials_emissive_strength; files from before mean the same by it.
            Self::EmissiveFactor | Self::EmissiveStrength | Self::AlphaCutoff => (0.0, f32::MAX),
            Self::NormalScale | Self::UvOffset(_) | Self::UvRotation(_) | Self::UvScale(_) => {
                (f32::MIN, f32::MAX)
            }
        }
    }
}

impl std::fmt::Display for CameraProperty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::FovY => "vertical field of view",
            Self::Aspect => "aspect ratio",
            Self::Near => "near plane",
            Self::Far => "far plane",
            Self::XMag => "xmag",
            Self::YMag => "ymag",
        })
    }
}

impl std::fmt::Display for LightProperty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Color => "color",
            Self::Intensity => "intensity",
            Self::Range => "range",
            Self::InnerConeAngle => "inner cone angle",
            Self::OuterConeAngle => "outer cone angle",
        })
    }
}

impl std::fmt::Display for UvSlot {
    /// As glTF spells it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::BaseColor => "baseColorTexture",
            Self::MetallicRoughness => "metallicRoughnessTexture",
            Self::Normal => "normalTexture",
            Self::Occlusion => "occlusionTexture",
            Self::Emissive => "emissiveTexture",
        })
    }
}

impl std::fmt::Display for MaterialProperty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::BaseColorFactor => "base color factor",
            Self::MetallicFactor => "metallic factor",
            Self::RoughnessFactor => "roughness factor",
            Self::NormalScale => "normal scale",
            Self::OcclusionStrength => "occlusion strength",
            Self::EmissiveFactor => "emissive factor",
            Self::EmissiveStrength => "emissive strength",
            Self::AlphaCutoff => "alpha cutoff",
            Self::UvOffset(slot) => return write!(f, "offset of the {slot}"),
            Self::UvRotation(slot) => return write!(f, "rotation of the {slot}"),
            Self::UvScale(slot) => return write!(f, "scale of the {slot}"),
        })
    }
}
