//! A sampler at a time.

use super::arc::{RotationArc, RotationInterpolation};
use super::curve::{Hermite, finite, linear, normalized};
use super::locate::{Span, locate};
use super::sampler::{AnimationSampler, Interpolation, Keyframes};
use crate::math::{Quat, Vec3};

/// A validated sampler with what is worked out once for its intervals.
///
/// Before the first keyframe its value holds, after the last one that; an exact keyframe gives the stored value. The
/// functions are pure; a cursor, where the last search ended, only makes the next one faster.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Track<'a> {
    pub(super) sampler: &'a AnimationSampler,
    /// One an interval for LINEAR rotations, else none.
    pub(super) arcs: &'a [RotationArc],
    /// Tracks of a clip with the same timestamps have the same number.
    pub(super) timeline: u32,
}

/// Where a time lies among the timestamps that were asked for last: most clips have the same ones for all of their channels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Located {
    timeline: u32,
    span: Span,
}

impl Located {
    /// Nowhere yet.
    pub const NOWHERE: Self = Self { timeline: u32::MAX, span: Span::At(0) };

    /// Of the same clip and time at each call.
    #[inline(always)]
    pub fn among(&mut self, track: &Track<'_>, seconds: f64, cursor: &mut u32) -> Span {
        if self.timeline != track.timeline {
            let span = locate(&track.sampler.timestamps, seconds, cursor);
            *self = Self { timeline: track.timeline, span };
        }
        self.span
    }
}

impl Track<'_> {
    /// The rotation at `seconds`; the identity if the sampler holds something else.
    pub fn rotation_at(&self, seconds: f64, interpolation: RotationInterpolation, cursor: &mut u32) -> Quat {
        let Keyframes::Rotation(values) = &self.sampler.values else { return Quat::IDENTITY };
        if self.sampler.interpolation == Interpolation::Linear {
            return self.linear_rotation_at(seconds, interpolation, cursor);
        }
        match locate(&self.sampler.timestamps, seconds, cursor) {
            Span::At(keyframe) => values[self.sampler.value_at(keyframe)],
            Span::From(left) if self.sampler.interpolation == Interpolation::Step => values[left],
            Span::From(left) => self.cubic_rotation(values, left, seconds),
        }
    }

    /// As [`rotation_at`](Self::rotation_at), of a sampler known to hold LINEAR rotations. Always inlined: most of what a
    /// frame samples goes through the one loop that calls it, where a call would cost a third more.
    #[inline(always)]
    pub fn linear_rotation_at(
        &self,
        seconds: f64,
        interpolation: RotationInterpolation,
        cursor: &mut u32,
    ) -> Quat {
        self.linear_rotation_in(locate(&self.sampler.timestamps, seconds, cursor), seconds, interpolation)
    }

    /// As [`linear_rotation_at`](Self::linear_rotation_at), where it is known where the time lies.
    #[inline(always)]
    pub fn linear_rotation_in(&self, span: Span, seconds: f64, interpolation: RotationInterpolation) -> Quat {
        match span {
            Span::At(keyframe) => match &self.sampler.values {
                Keyframes::Rotation(values) => values[keyframe],
                _ => Quat::IDENTITY,
            },
            // Between keyframes all that is needed lies in the arc.
            Span::From(left) => self.arcs[left].at(seconds, interpolation),
        }
    }

    fn cubic_rotation(&self, values: &[Quat], left: usize, seconds: f64) -> Quat {
        let stored = values[3 * left + 1];
        let Some(hermite) = self.hermite(left, seconds) else { return stored };
        let [value, out, into, next] = [3 * left + 1, 3 * left + 2, 3 * left + 3, 3 * left + 4]
            .map(|element| values[element].to_array());
        let mixed: [f64; 4] = std::array::from_fn(|i| hermite.mix(value[i], out[i], into[i], next[i]));
        // A spline through the origin has no direction there.
        normalized(mixed).map_or(stored, Quat::from_array)
    }

    /// The factors within the interval that `left` starts; `None` at its exact start.
    #[inline]
    fn hermite(&self, left: usize, seconds: f64) -> Option<Hermite> {
        let timestamps = &self.sampler.timestamps;
        let (start, end) = (f64::from(timestamps[left]), f64::from(timestamps[left + 1]));
        let length = end - start;
        let passed = seconds - start;
        (passed != 0.0).then(|| Hermite::at(passed / length, length))
    }

    /// The translation or scale at `seconds`; zero if the sampler holds something else.
    pub fn vector_at(&self, seconds: f64, cursor: &mut u32) -> Vec3 {
        self.vector_in(locate(&self.sampler.timestamps, seconds, cursor), seconds)
    }

    /// As [`vector_at`](Self::vector_at), where it is known where the time lies.
    #[inline]
    pub fn vector_in(&self, span: Span, seconds: f64) -> Vec3 {
        let Keyframes::Vec3(values) = &self.sampler.values else { return Vec3::ZERO };
        let mut vector = [0.0; 3];
        self.numbers_in(|element, i| values[element][i], span, seconds, &mut vector);
        Vec3::from_array(vector)
    }

    /// Writes the first weights, or other numbers, at `seconds`, as many as both have, and says how many. None if the sampler
    /// holds something else.
    pub fn weights_at(&self, seconds: f64, cursor: &mut u32, weights: &mut [f32]) -> usize {
        let (Keyframes::Weights(values) | Keyframes::Numbers(values)) = &self.sampler.values else {
            return 0;
        };
        let width = self.sampler.width();
        let count = weights.len().min(width);
        let span = locate(&self.sampler.timestamps, seconds, cursor);
        self.numbers_in(|element, i| values[element * width + i], span, seconds, &mut weights[..count]);
        count
    }

    /// The numbers of a property that has at most four; 0 for those that the sampler does not have.
    pub fn factor_at(&self, seconds: f64, cursor: &mut u32) -> [f32; 4] {
        let mut numbers = [0.0; 4];
        self.weights_at(seconds, cursor, &mut numbers);
        numbers
    }

    /// Each number on its own, given by its element and its place there.
    #[inline(always)]
    fn numbers_in(&self, number: impl Fn(usize, usize) -> f32, span: Span, seconds: f64, out: &mut [f32]) {
        let copy = |keyframe: usize, out: &mut [f32]| {
            let element = self.sampler.value_at(keyframe);
            out.iter_mut().enumerate().for_each(|(i, out)| *out = number(element, i));
        };
        let timestamps = &self.sampler.timestamps;
        let left = match span {
            Span::At(keyframe) => return copy(keyframe, out),
            Span::From(left) => left,
        };
        match self.sampler.interpolation {
            Interpolation::Step => copy(left, out),
            Interpolation::Linear => {
                let (start, end) = (f64::from(timestamps[left]), f64::from(timestamps[left + 1]));
                let amount = (seconds - start) / (end - start);
                for (i, out) in out.iter_mut().enumerate() {
                    *out = linear(number(left, i), number(left + 1, i), amount);
                }
            }
            Interpolation::CubicSpline => {
                let Some(hermite) = self.hermite(left, seconds) else { return copy(left, out) };
                let value = 3 * left + 1;
                for (i, out) in out.iter_mut().enumerate() {
                    let [value, tangent, into, next] =
                        [value, value + 1, value + 2, value + 3].map(|element| number(element, i));
                    *out = finite(hermite.mix(value, tangent, into, next));
                }
            }
        }
    }
}
