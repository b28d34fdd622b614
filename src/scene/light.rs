//! Lights that nodes carry.

use crate::animation::LightProperty;
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

    /// Numbers that a clip can drive, if the light has them; only the first count.
    pub(crate) fn numbers(&self, property: LightProperty) -> Option<[f32; 4]> {
        let number = match (property, self.kind) {
            (LightProperty::Color, _) => return Some(self.color.extend(0.0).to_array()),
            (LightProperty::Intensity, _) => Some(self.intensity),
            (LightProperty::Range, LightKind::Point { range } | LightKind::Spot { range, .. }) => range,
            (LightProperty::InnerConeAngle, LightKind::Spot { inner_cone_angle, .. }) => {
                Some(inner_cone_angle)
            }
            (LightProperty::OuterConeAngle, LightKind::Spot { outer_cone_angle, .. }) => {
                Some(outer_cone_angle)
            }
            _ => None,
        };
        number.map(|number| [number, 0.0, 0.0, 0.0])
    }

    /// Sets such numbers; nothing happens where the light lacks them.
    pub(super) fn set_numbers(&mut self, property: LightProperty, [x, y, z, _]: [f32; 4]) {
        let place = match (property, &mut self.kind) {
            (LightProperty::Color, _) => {
                self.color = Vec3::new(x, y, z);
                None
            }
            (LightProperty::Intensity, _) => Some(&mut self.intensity),
            (LightProperty::Range, LightKind::Point { range } | LightKind::Spot { range, .. }) => {
                range.as_mut()
            }
            (LightProperty::InnerConeAngle, LightKind::Spot { inner_cone_angle, .. }) => {
                Some(inner_cone_angle)
            }
            (LightProperty::OuterConeAngle, LightKind::Spot { outer_cone_angle, .. }) => {
                Some(outer_cone_angle)
            }
            _ => None,
        };
        if let Some(place) = place {
            *place = x;
        }
    }

    /// What an animated light is seen as: each number that is out of its range held at the range's end.
    pub(super) fn mended(&self) -> Self {
        const LEAST: f32 = f32::from_bits(1);
        let held = |range: Option<f32>| range.map(|range| range.max(LEAST));
        let kind = match self.kind {
            LightKind::Directional => LightKind::Directional,
            LightKind::Point { range } => LightKind::Point { range: held(range) },
            LightKind::Spot { range, inner_cone_angle, outer_cone_angle } => {
                let outer = outer_cone_angle.clamp(LEAST, FRAC_PI_2);
                let inner = inner_cone_angle.clamp(0.0, outer.next_down());
                LightKind::Spot { range: held(range), inner_cone_angle: inner, outer_cone_angle: outer }
            }
        };
        Self { kind, color: self.color.max(Vec3::ZERO), intensity: self.intensity.max(0.0) }
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

    #[test]
    fn an_animated_light_is_held_in_its_ranges_and_a_sane_one_left_alone() {
        let all = [
            LightProperty::Color,
            LightProperty::Intensity,
            LightProperty::Range,
            LightProperty::InnerConeAngle,
            LightProperty::OuterConeAngle,
        ];
        let spot = |range| LightKind::Spot { range, inner_cone_angle: 0.25, outer_cone_angle: 0.5 };
        let kinds = [
            (LightKind::Directional, 2),
            (LightKind::Point { range: None }, 2),
            (LightKind::Point { range: Some(3.0) }, 3),
            (spot(None), 4),
            (spot(Some(3.0)), 5),
        ];
        for (kind, count) in kinds {
            let rest = Light { kind, color: Vec3::ONE, intensity: 1.0 };
            assert_eq!(all.iter().filter(|&&property| rest.numbers(property).is_some()).count(), count);
            for (first, second) in all.iter().flat_map(|&first| all.map(|second| (first, second))) {
                for a in [f32::MIN, -1.0, 0.0, 1e-45, 0.3, 1.5, 1.6, f32::MAX] {
                    for b in [-1.0, 0.0, 0.4, 2.0] {
                        let mut posed = rest;
                        posed.set_numbers(first, [a; 4]);
                        posed.set_numbers(second, [b, b, b, 0.0]);
                        let seen = posed.mended();
                        assert_eq!(seen.validate(), Ok(()), "{posed:?}");
                        assert!(posed.validate().is_err() || seen == posed, "{posed:?} {seen:?}");
                        let expected = rest.numbers(second).map(|_| b);
                        assert_eq!(posed.numbers(second).map(|numbers| numbers[0]), expected);
                    }
                }
            }
        }
    }
}
