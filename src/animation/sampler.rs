//! Keyframes as they are given, and what makes them valid.

use super::arc::RotationArc;
use super::error::AnimationError;
use crate::math::{NormalizeError, Quat, TryNormalize, Vec3};

/// How values between two keyframes arise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Interpolation {
    /// The keyframe's value until the next keyframe.
    Step,
    /// Linear; rotations along the shortest arc, as the playback's [`RotationInterpolation`](super::RotationInterpolation) says.
    #[default]
    Linear,
    /// Cubic Hermite spline with a tangent into and one out of each keyframe; rotations are normalized after.
    CubicSpline,
}

impl Interpolation {
    /// How many elements a keyframe has: a value, for [`CubicSpline`](Self::CubicSpline) between two tangents.
    #[must_use]
    pub const fn elements(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }

    /// Where among a keyframe's elements its value is.
    const fn value(self) -> usize {
        match self {
            Self::Step | Self::Linear => 0,
            Self::CubicSpline => 1,
        }
    }
}

/// The elements of a sampler: [`Interpolation::elements`] for each timestamp.
///
/// Tangents are per second and need not be unit quaternions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Keyframes {
    /// Rotations; their values are normalized when the clip is built.
    Rotation(Vec<Quat>),
    /// Translations or scales.
    Vec3(Vec<Vec3>),
    /// Weights of morph targets: for each element one number a target, any number of targets.
    Weights(Vec<f32>),
    /// Numbers of cameras, lights and materials: for each element as many as the property has
    /// ([`TargetPath::width`](super::TargetPath::width)).
    Numbers(Vec<f32>),
}

/// Timestamps and values, independent of what they drive; channels that move alike share one.
#[derive(Debug, Clone, PartialEq)]
pub struct AnimationSampler {
    /// How values between keyframes arise.
    pub interpolation: Interpolation,
    /// Seconds from the clip's start; finite, not negative, strictly increasing.
    pub timestamps: Vec<f32>,
    /// One value a timestamp, for CUBICSPLINE in-tangent, value and out-tangent.
    pub values: Keyframes,
}

impl AnimationSampler {
    /// A sampler of LINEAR rotations.
    #[must_use]
    pub fn linear_rotation(timestamps: Vec<f32>, rotations: Vec<Quat>) -> Self {
        Self { interpolation: Interpolation::Linear, timestamps, values: Keyframes::Rotation(rotations) }
    }

    /// The last timestamp in seconds; 0 without keyframes.
    #[must_use]
    pub fn end(&self) -> f32 {
        self.timestamps.last().copied().unwrap_or(0.0)
    }

    /// How many numbers an element has: 4 for rotations, 3 for translations and scales, one a morph target for weights, and so
    /// many as there are for other numbers.
    #[must_use]
    pub fn width(&self) -> usize {
        match &self.values {
            Keyframes::Rotation(_) => 4,
            Keyframes::Vec3(_) => 3,
            Keyframes::Weights(values) | Keyframes::Numbers(values) => {
                values.len().checked_div(self.timestamps.len() * self.interpolation.elements()).unwrap_or(0)
            }
        }
    }

    /// Bytes of its timestamps and values.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let values = match &self.values {
            Keyframes::Rotation(values) => size_of_val(&values[..]),
            Keyframes::Vec3(values) => size_of_val(&values[..]),
            Keyframes::Weights(values) | Keyframes::Numbers(values) => size_of_val(&values[..]),
        };
        size_of_val(&self.timestamps[..]) + values
    }

    /// Position of a keyframe's value among the elements.
    #[inline]
    pub(super) fn value_at(&self, keyframe: usize) -> usize {
        keyframe * self.interpolation.elements() + self.interpolation.value()
    }

    /// Checks everything that sampling relies on, and normalizes rotations.
    pub(super) fn validate(&mut self, clip: &str, sampler: usize) -> Result<(), AnimationError> {
        self.validate_counts(clip, sampler)?;
        let mut previous = None;
        for (keyframe, &seconds) in self.timestamps.iter().enumerate() {
            if !seconds.is_finite() || seconds < 0.0 || previous.is_some_and(|p| seconds <= p) {
                return Err(AnimationError::Timestamp { clip: clip.to_owned(), sampler, keyframe, seconds });
            }
            previous = Some(seconds);
        }
        let (elements, value, width) =
            (self.interpolation.elements(), self.interpolation.value(), self.width());
        let fault = |element: usize, reason| AnimationError::Value {
            clip: clip.to_owned(),
            sampler,
            keyframe: element / elements,
            reason,
        };
        match &mut self.values {
            Keyframes::Rotation(rotations) => {
                for (element, rotation) in rotations.iter_mut().enumerate() {
                    if element % elements == value {
                        *rotation = rotation.try_normalized().map_err(|reason| fault(element, reason))?;
                    } else if !rotation.is_finite() {
                        return Err(fault(element, NormalizeError::NonFinite));
                    }
                }
            }
            Keyframes::Vec3(values) => {
                if let Some(element) = values.iter().position(|value| !value.is_finite()) {
                    return Err(fault(element, NormalizeError::NonFinite));
                }
            }
            Keyframes::Weights(values) | Keyframes::Numbers(values) => {
                if let Some(number) = values.iter().position(|value| !value.is_finite()) {
                    return Err(fault(number / width, NormalizeError::NonFinite));
                }
            }
        }
        Ok(())
    }

    fn validate_counts(&self, clip: &str, sampler: usize) -> Result<(), AnimationError> {
        let (timestamps, elements) = (self.timestamps.len(), self.interpolation.elements());
        let (values, right) = match &self.values {
            Keyframes::Rotation(values) => (values.len(), values.len() == timestamps * elements),
            Keyframes::Vec3(values) => (values.len(), values.len() == timestamps * elements),
            Keyframes::Weights(values) | Keyframes::Numbers(values) => {
                let whole = timestamps * elements;
                // As many for each element, and at least one.
                (values.len(), whole > 0 && !values.is_empty() && values.len().is_multiple_of(whole))
            }
        };
        if timestamps == 0 && values == 0 {
            return Err(AnimationError::EmptySampler { clip: clip.to_owned(), sampler });
        }
        if !right {
            let clip = clip.to_owned();
            return Err(AnimationError::SampleCount { clip, sampler, timestamps, values, elements });
        }
        Ok(())
    }

    /// What sampling a validated sampler of LINEAR rotations needs for each interval.
    pub(super) fn arcs(&self) -> Vec<RotationArc> {
        match (&self.values, self.interpolation) {
            (Keyframes::Rotation(rotations), Interpolation::Linear) => {
                RotationArc::between(&self.timestamps, rotations)
            }
            _ => Vec::new(),
        }
    }
}
