//! The way from one rotation keyframe to the next, prepared when a clip is built.

use crate::math::{NEARLY_PARALLEL, Quat, nearer};

/// How LINEAR rotations are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RotationInterpolation {
    /// Spherical: constant angular velocity, as glTF 2.0 asks (appendix C.4).
    #[default]
    Slerp,
    /// Normalized linear: cheaper, up to 8.15° off between keys a half turn apart; what fireEngine 0.8 did.
    Nlerp,
}

/// One interval of a LINEAR rotation sampler. Everything that does not depend on the time is worked out once, so that
/// [`slerp`](Self::slerp) needs two polynomials and nothing else; one of these fills a cache line.
///
/// Only additions, subtractions, multiplications, divisions and square roots in one fixed order, so that a pose has the
/// same bits on every CPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RotationArc {
    from: [f32; 4],
    /// On `from`'s hemisphere: negated where the dot product is below zero, however little.
    to: [f32; 4],
    /// Seconds at which the interval starts.
    start: f64,
    /// One over its length in seconds.
    rate: f64,
    /// Angle between both as points of the 4-sphere, in radians, at most a quarter turn; 0 for nearly equal ones.
    half_angle: f64,
    /// One over its sine.
    inverse_sine: f64,
}

/// What a clip keeps for each interval of a LINEAR rotation besides its keyframes, in bytes.
pub(crate) const ROTATION_ARC_BYTES: u64 = size_of::<RotationArc>() as u64;

impl RotationArc {
    /// The intervals between unit rotations at strictly increasing times.
    pub fn between(timestamps: &[f32], rotations: &[Quat]) -> Vec<Self> {
        let intervals = timestamps.windows(2).zip(rotations.windows(2));
        intervals.map(|(times, ends)| Self::new([times[0], times[1]], [ends[0], ends[1]])).collect()
    }

    fn new([start, end]: [f32; 2], [from, to]: [Quat; 2]) -> Self {
        let from = from.to_array();
        let (to, dot) = nearer(from, to.to_array());
        let cosine = f64::from(dot);
        let (half_angle, inverse_sine) = if cosine < NEARLY_PARALLEL {
            (libm::acos(cosine), 1.0 / (1.0 - cosine * cosine).sqrt())
        } else {
            (0.0, 0.0)
        };
        let (start, end) = (f64::from(start), f64::from(end));
        Self { from, to, start, rate: 1.0 / (end - start), half_angle, inverse_sine }
    }

    /// The rotation at `seconds`; at the exact start the keyframe's, bit by bit.
    #[inline(always)]
    pub fn at(&self, seconds: f64, interpolation: RotationInterpolation) -> Quat {
        let amount = self.amount(seconds);
        if amount == 0.0 {
            return Quat::from_array(self.from);
        }
        match interpolation {
            RotationInterpolation::Slerp => self.slerp(amount),
            RotationInterpolation::Nlerp => self.nlerp(amount),
        }
    }

    /// The fraction of the interval that has passed at `seconds`.
    #[inline]
    pub fn amount(&self, seconds: f64) -> f64 {
        (seconds - self.start) * self.rate
    }

    /// The rotation after the fraction `amount`, at constant angular velocity.
    #[inline(always)]
    pub fn slerp(&self, amount: f64) -> Quat {
        if self.half_angle == 0.0 {
            return self.nlerp(amount);
        }
        let from = sine((1.0 - amount) * self.half_angle) * self.inverse_sine;
        let to = sine(amount * self.half_angle) * self.inverse_sine;
        // Unit ends give a unit mix, to the precision of their own rounding.
        let mix = |i: usize| (f64::from(self.from[i]) * from + f64::from(self.to[i]) * to) as f32;
        Quat::from_xyzw(mix(0), mix(1), mix(2), mix(3))
    }

    /// The rotation after the fraction `amount` of the chord, scaled to length 1.
    #[inline(always)]
    pub fn nlerp(&self, amount: f64) -> Quat {
        let amount = amount as f32;
        let mix = |i: usize| self.from[i] + (self.to[i] - self.from[i]) * amount;
        let mixed = [mix(0), mix(1), mix(2), mix(3)];
        let squares = mixed.map(|c| f64::from(c) * f64::from(c));
        // Between unit ends on one hemisphere the chord stays farther than 0.7 from the origin.
        let scale = 1.0 / (squares[0] + squares[1] + squares[2] + squares[3]).sqrt();
        Quat::from_array(mixed.map(|c| (f64::from(c) * scale) as f32))
    }
}

/// Sine of 0 to a quarter turn: Taylor's polynomial to the 15th power, whose error there is below 7e-12.
#[inline(always)]
fn sine(x: f64) -> f64 {
    const C: [f64; 7] = [
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5_040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
    ];
    let xx = x * x;
    let inner = C[3] + xx * (C[4] + xx * (C[5] + xx * C[6]));
    x + x * xx * (C[0] + xx * (C[1] + xx * (C[2] + xx * inner)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{NormalizeError, TryNormalize, nlerp, slerp};
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn sine_is_right_to_7e_12() {
        for step in 0..=1000 {
            let x = FRAC_PI_2 * f64::from(step) / 1000.0;
            assert!((sine(x) - libm::sin(x)).abs() < 7e-12, "{x}");
        }
    }

    /// The prepared forms against the general ones of the math room.
    fn assert_agrees(from: Quat, to: Quat) {
        let arc = RotationArc::new([1.0, 3.0], [from, to]);
        type General = fn(Quat, Quat, f32) -> Result<Quat, NormalizeError>;
        for step in 0..=32 {
            let amount = f64::from(step) / 32.0;
            assert_eq!(arc.amount(1.0 + 2.0 * amount), amount);
            for (ours, general) in [(arc.slerp(amount), slerp as General), (arc.nlerp(amount), nlerp)] {
                let expected = general(from, to, amount as f32).unwrap();
                assert!((ours - expected).length() < 2e-7, "{from} {to} {amount}: {ours} {expected}");
                assert!((ours.length() - 1.0).abs() < 2e-7, "{ours}");
            }
        }
    }

    #[test]
    fn agrees_with_the_general_interpolations() {
        let unit = |x, y, z, w| Quat::from_xyzw(x, y, z, w).try_normalized().unwrap();
        let some = [
            Quat::IDENTITY,
            unit(0.1, -0.3, 0.5, 0.8),
            unit(0.6, 0.2, -0.4, 0.1),
            unit(-0.5, 0.5, -0.5, -0.5),
            // Half turns apart from the identity, to either side of zero.
            Quat::from_xyzw(0.0, 1.0, 0.0, -4.371_139e-8),
            Quat::from_xyzw(0.0, 1.0, 0.0, 4.371_139e-8),
            // Nearly equal to it, on both sides of the threshold.
            Quat::from_rotation_x(1e-4),
            Quat::from_rotation_x(4e-3),
        ];
        for from in some {
            for to in some {
                assert_agrees(from, to);
                assert_agrees(from, -to);
            }
        }
    }
}
