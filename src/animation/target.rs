//! What a channel can drive.

use super::property::{CameraProperty, LightProperty, MaterialProperty};

/// Which property a channel drives: of a node, of what the node carries, or of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TargetPath {
    /// The translation of the node's local transform.
    Translation,
    /// The rotation of the node's local transform.
    Rotation,
    /// The scale of the node's local transform.
    Scale,
    /// The weights of the node's morph targets.
    Weights,
    /// The weight of one of the node's morph targets, by its number. Those that no channel drives rest meanwhile.
    Weight(u16),
    /// A number of the node's camera.
    Camera(CameraProperty),
    /// A part of the node's light.
    Light(LightProperty),
    /// A part of a material. The channel's slot is one of the clip's material slots.
    Material(MaterialProperty),
}

impl TargetPath {
    /// How many numbers it has, each of which is mixed on its own; `None` for rotations, and for weights, of which there may
    /// be any number.
    #[must_use]
    pub const fn width(self) -> Option<usize> {
        match self {
            Self::Translation | Self::Scale => Some(3),
            Self::Rotation | Self::Weights => None,
            Self::Weight(_) | Self::Camera(_) => Some(1),
            Self::Light(property) => Some(property.width()),
            Self::Material(property) => Some(property.width()),
        }
    }

    /// The least and the greatest that each of its numbers is held at, for materials, and for colors and intensities of
    /// lights; `None` for everything else. What depends on other numbers, as the planes of a camera do, is held together.
    #[must_use]
    pub const fn range(self) -> Option<(f32, f32)> {
        match self {
            Self::Light(LightProperty::Color | LightProperty::Intensity) => Some((0.0, f32::MAX)),
            Self::Material(property) => Some(property.range()),
            _ => None,
        }
    }

    /// Whether it is a material's, and its channel's slot a material slot.
    #[must_use]
    pub const fn is_material(self) -> bool {
        matches!(self, Self::Material(_))
    }

    /// Whether it is a part of a node's transform.
    #[must_use]
    pub const fn is_transform(self) -> bool {
        matches!(self, Self::Translation | Self::Rotation | Self::Scale)
    }
}

impl std::fmt::Display for TargetPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights => "weights",
            Self::Weight(target) => return write!(f, "weight of morph target {target}"),
            Self::Camera(property) => return write!(f, "camera's {property}"),
            Self::Light(property) => return write!(f, "light's {property}"),
            Self::Material(property) => return write!(f, "material's {property}"),
        })
    }
}
