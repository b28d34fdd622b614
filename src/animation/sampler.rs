//! Keyframes and their interpolation.

use super::arc::RotationArc;
use super::error::AnimationError;
use crate::math::{Quat, TryNormalize};

/// How values between two keyframes arise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Interpolation {
    /// Linear; rotations along the shortest arc, as the playback's [`RotationInterpolation`] says.
    #[default]
    Linear,
}

/// How LINEAR rotations are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RotationInterpolation {
    /// Spherical: constant angular velocity, as glTF 2.0 asks (appendix C.4).
    #[default]
    Slerp,
    /// Normalized linear: cheaper, up to 8.15° off between keys a half turn apart; what fireEngine 0.8 did.
    Nlerp,
}

/// The values of a sampler, one a timestamp.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Keyframes {
    /// Rotations; normalized when the clip is built.
    Rotation(Vec<Quat>),
}

impl Keyframes {
    fn len(&self) -> usize {
        match self {
            Self::Rotation(values) => values.len(),
        }
    }
}

/// Timestamps and values, independent of what they drive; channels that move alike share one.
#[derive(Debug, Clone, PartialEq)]
pub struct AnimationSampler {
    /// How values between keyframes arise.
    pub interpolation: Interpolation,
    /// Seconds from the clip's start; finite, not negative, strictly increasing.
    pub timestamps: Vec<f32>,
    /// One value a timestamp.
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

    /// Checks everything that sampling relies on, and normalizes rotations.
    pub(super) fn validate(&mut self, clip: &str, sampler: usize) -> Result<(), AnimationError> {
        let clip = || clip.to_owned();
        if self.timestamps.is_empty() && self.values.len() == 0 {
            return Err(AnimationError::EmptySampler { clip: clip(), sampler });
        }
        if self.timestamps.len() != self.values.len() {
            return Err(AnimationError::SampleCount {
                clip: clip(),
                sampler,
                timestamps: self.timestamps.len(),
                values: self.values.len(),
            });
        }
        let mut previous = None;
        for (keyframe, &seconds) in self.timestamps.iter().enumerate() {
            if !seconds.is_finite() || seconds < 0.0 || previous.is_some_and(|p| seconds <= p) {
                return Err(AnimationError::Timestamp { clip: clip(), sampler, keyframe, seconds });
            }
            previous = Some(seconds);
        }
        let Keyframes::Rotation(rotations) = &mut self.values;
        for (keyframe, rotation) in rotations.iter_mut().enumerate() {
            *rotation = rotation.try_normalized().map_err(|reason| AnimationError::Value {
                clip: clip(),
                sampler,
                keyframe,
                reason,
            })?;
        }
        Ok(())
    }

    /// What sampling a validated sampler needs for each interval.
    pub(super) fn arcs(&self) -> Vec<RotationArc> {
        let Keyframes::Rotation(rotations) = &self.values;
        RotationArc::between(&self.timestamps, rotations)
    }

    /// The rotation at `seconds`, of a validated sampler with its [`arcs`](Self::arcs).
    ///
    /// Before the first keyframe its value holds, after the last one that; an exact keyframe gives the stored value.
    /// `cursor` is where the last search ended: it makes the next one faster and never changes the result.
    #[inline]
    pub(super) fn rotation_at(
        &self,
        arcs: &[RotationArc],
        seconds: f64,
        interpolation: RotationInterpolation,
        cursor: &mut u32,
    ) -> Quat {
        let Keyframes::Rotation(values) = &self.values;
        let left = match locate(&self.timestamps, seconds, cursor) {
            Span::At(index) => return values[index],
            Span::From(left) => left,
        };
        let amount = arcs[left].amount(seconds);
        if amount == 0.0 {
            return values[left];
        }
        match interpolation {
            RotationInterpolation::Slerp => arcs[left].slerp(amount),
            RotationInterpolation::Nlerp => arcs[left].nlerp(amount),
        }
    }
}

/// Where a time lies among timestamps.
enum Span {
    /// Held before the first keyframe or after the last.
    At(usize),
    /// In the interval that this keyframe starts.
    From(usize),
}

/// Upper-bound search: the interval's right end is the first timestamp strictly greater than the time, so that a
/// keyframe belongs to the interval that it starts.
#[inline]
fn locate(timestamps: &[f32], seconds: f64, cursor: &mut u32) -> Span {
    let last = timestamps.len() - 1;
    if seconds <= f64::from(timestamps[0]) {
        return Span::At(0);
    }
    if seconds >= f64::from(timestamps[last]) {
        return Span::At(last);
    }
    let starts_before = |index: usize| f64::from(timestamps[index]) <= seconds;
    // Time mostly moves on by less than an interval: try the last interval and its successor before searching.
    let holds = |left: usize| starts_before(left) && !starts_before(left + 1);
    let mut left = (*cursor as usize).min(last - 1);
    if !holds(left) {
        left += 1;
        if left >= last || !holds(left) {
            left = timestamps.partition_point(|&t| f64::from(t) <= seconds) - 1;
        }
        *cursor = left as u32;
    }
    Span::From(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thirds() -> AnimationSampler {
        let rotations = (0..4).map(|i| Quat::from_rotation_z(i as f32)).collect();
        AnimationSampler::linear_rotation(vec![0.5, 1.0, 2.0, 4.0], rotations)
    }

    #[test]
    fn the_cursor_never_changes_the_result() {
        let sampler = thirds();
        for step in 0..100 {
            let seconds = f64::from(step) * 0.05;
            let fresh = sampler.rotation_at(&sampler.arcs(), seconds, RotationInterpolation::Slerp, &mut 0);
            for start in [0, 1, 2, 3, 99, u32::MAX] {
                let mut cursor = start;
                let found =
                    sampler.rotation_at(&sampler.arcs(), seconds, RotationInterpolation::Slerp, &mut cursor);
                assert_eq!(found, fresh, "{seconds} s from cursor {start}");
            }
        }
    }

    #[test]
    fn before_the_first_and_after_the_last_key_hold() {
        let sampler = thirds();
        let at = |s| sampler.rotation_at(&sampler.arcs(), s, RotationInterpolation::Slerp, &mut 0);
        assert_eq!(at(0.0), Quat::from_rotation_z(0.0));
        assert_eq!(at(9.0), Quat::from_rotation_z(3.0));
    }

    #[test]
    fn exact_keys_give_the_stored_value() {
        let sampler = thirds();
        for (index, seconds) in [0.5, 1.0, 2.0, 4.0].into_iter().enumerate() {
            let found = sampler.rotation_at(&sampler.arcs(), seconds, RotationInterpolation::Nlerp, &mut 0);
            assert_eq!(found, Quat::from_rotation_z(index as f32));
        }
    }

    #[test]
    fn a_single_key_is_a_constant() {
        let sampler = AnimationSampler::linear_rotation(vec![1.0], vec![Quat::from_rotation_x(0.3)]);
        for seconds in [0.0, 1.0, 2.0] {
            let found = sampler.rotation_at(&sampler.arcs(), seconds, RotationInterpolation::Slerp, &mut 5);
            assert_eq!(found, Quat::from_rotation_x(0.3));
        }
    }
}
