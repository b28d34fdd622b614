//! Lights that nodes carry.

use crate::math::Vec3;
use std::f32::consts::FRAC_PI_2;

/// A light, in the units of KHR_lights_punctual. It stands at its node's origin and shines along the node's -Z axis in
/// world space; the node's scale has no influence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// Where it shines.
    pub kind: LightKind,
    /// Linear red, green and blue, each at least 0. glTF keeps them to 1; more is brighter.
    pub color: Vec3,
    /// At least 0. Point and spot lights: luminous intensity in candela (lm/sr); directional ones: illuminance in lux (lm/m²).
    pub intensity: f32,
}

/// Where a light shines.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum LightKind {
    /// Everywhere in one direction, from infinitely far.
    Directional,
    /// In all directions.
    Point {
        /// Distance in meters beyond which nothing is lit, above 0; `None` is infinite.
        range: Option<f32>,
    },
    /// In a cone.
    Spot {
        /// Distance in meters beyond which nothing is lit, above 0; `None` is infinite.
        range: Option<f32>,
        /// Angle in radians from the axis at which the light begins to fall off; at least 0.
        inner_cone_angle: f32,
        /// Angle in radians from the axis at which it ends; above the inner one, at most pi / 2.
        outer_cone_angle: f32,
    },
}

/// Which of a light's numbers is out of range.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LightError {
    /// The color.
    #[error("the color {0} has a component that is not a finite number of at least 0")]
    Color(Vec3),
    /// The intensity.
    #[error("the intensity {0} is not a finite number of at least 0")]
    Intensity(f32),
    /// The range.
    #[error("the range {0} is not a finite number above 0; leave it out for an infinite one")]
    Range(f32),
    /// A spot's angles.
    #[error("the cone angles {inner} and {outer} are not in order: 0 <= inner < outer <= pi / 2, in radians")]
    ConeAngles {
        /// The inner one.
        inner: f32,
        /// The outer one.
        outer: f32,
    },
}

impl Light {
    /// Checks the ranges that the fields document.
    ///
    /// # Errors
    /// The first [`LightError`].
    pub fn validate(&self) -> Result<(), LightError> {
        if !self.color.is_finite() || self.color.min_element() < 0.0 {
            return Err(LightError::Color(self.color));
        }
        if !self.intensity.is_finite() || self.intensity < 0.0 {
            return Err(LightError::Intensity(self.intensity));
        }
        let (LightKind::Point { range } | LightKind::Spot { range, .. }) = self.kind else { return Ok(()) };
        if let Some(range) = range
            && !(range.is_finite() && range > 0.0)
        {
            return Err(LightError::Range(range));
        }
        match self.kind {
            LightKind::Spot { inner_cone_angle: inner, outer_cone_angle: outer, .. }
                if !(0.0 <= inner && inner < outer && outer <= FRAC_PI_2) =>
            {
                Err(LightError::ConeAngles { inner, outer })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_checked_at_their_ends_and_nan_is_in_none() {
        let light = |kind| Light { kind, color: Vec3::ONE, intensity: 1.0 };
        let sun = light(LightKind::Directional);
        assert_eq!(sun.validate(), Ok(()));
        assert_eq!(Light { intensity: 0.0, color: Vec3::new(0.0, 4.0, 0.0), ..sun }.validate(), Ok(()));
        for bad in [-1.0, f32::NAN, f32::INFINITY] {
            assert!(matches!(Light { intensity: bad, ..sun }.validate(), Err(LightError::Intensity(_))));
            let color = Vec3::new(0.0, bad, 0.0);
            assert!(matches!(Light { color, ..sun }.validate(), Err(LightError::Color(_))));
        }
        for (range, good) in [(Some(1e-9), true), (None, true), (Some(0.0), false), (Some(f32::NAN), false)] {
            assert_eq!(light(LightKind::Point { range }).validate().is_ok(), good, "{range:?}");
            let cone = LightKind::Spot { range, inner_cone_angle: 0.0, outer_cone_angle: 1.0 };
            assert_eq!(light(cone).validate().is_ok(), good, "{range:?}");
        }
        for (inner_cone_angle, outer_cone_angle, good) in [
            (0.0, FRAC_PI_2, true),
            (0.5, 0.5, false),
            (0.6, 0.5, false),
            (-0.1, 0.5, false),
            (0.0, 0.0, false),
            (0.0, 1.571, false),
            (f32::NAN, 0.5, false),
            (0.0, f32::NAN, false),
        ] {
            let spot = LightKind::Spot { range: None, inner_cone_angle, outer_cone_angle };
            assert_eq!(light(spot).validate().is_ok(), good, "{spot:?}");
        }
    }
}
