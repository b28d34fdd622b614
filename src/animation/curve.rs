//! The interpolation formulas of glTF 2.0, appendix C, for one number at a time.
//!
//! Only additions, subtractions, multiplications, divisions and square roots of `f64` in one fixed order, so that a pose
//! has the same bits on every CPU. Twice the width of the samples leaves one rounding, the last.

/// `x` as a sample; beyond the largest `f32` it is that one, so that steep tangents cannot put infinity into a pose.
#[inline]
pub(crate) fn finite(x: f64) -> f32 {
    // Not `clamp`: a comparison each way, whose result for equal operands no platform can differ in.
    if x > f64::from(f32::MAX) {
        f32::MAX
    } else if x < f64::from(f32::MIN) {
        f32::MIN
    } else {
        x as f32
    }
}

/// The rotation scaled to length 1; `None` where there is no direction.
#[inline]
pub(super) fn normalized(q: [f64; 4]) -> Option<[f32; 4]> {
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    (length > 0.0).then(|| q.map(|c| (c / length) as f32))
}

/// LINEAR (C.3): the value after the fraction `amount` of the way.
#[inline]
pub(super) fn linear(from: f32, to: f32, amount: f64) -> f32 {
    ((1.0 - amount) * f64::from(from) + amount * f64::from(to)) as f32
}

/// What CUBICSPLINE (C.5) multiplies each of four elements by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hermite {
    pub value: f64,
    pub out_tangent: f64,
    pub next_value: f64,
    pub next_in_tangent: f64,
}

impl Hermite {
    /// After the fraction `t` of an interval of `length` seconds, which scales the tangents.
    #[inline]
    pub fn at(t: f64, length: f64) -> Self {
        let tt = t * t;
        let ttt = tt * t;
        Self {
            value: 2.0 * ttt - 3.0 * tt + 1.0,
            out_tangent: length * (ttt - 2.0 * tt + t),
            next_value: 3.0 * tt - 2.0 * ttt,
            next_in_tangent: length * (ttt - tt),
        }
    }

    #[inline]
    pub fn mix(&self, value: f32, out_tangent: f32, next_in_tangent: f32, next_value: f32) -> f64 {
        f64::from(value) * self.value
            + f64::from(out_tangent) * self.out_tangent
            + f64::from(next_value) * self.next_value
            + f64::from(next_in_tangent) * self.next_in_tangent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_range_is_the_largest_number_and_no_infinity() {
        assert_eq!((finite(1e300), finite(-1e300)), (f32::MAX, f32::MIN));
        assert_eq!(
            (finite(f64::from(f32::MAX)), finite(0.1), finite(-0.0).to_bits()),
            (f32::MAX, 0.1, 0x8000_0000)
        );
        // Above the largest f32, yet rounding to it.
        assert_eq!(finite(f64::from(f32::MAX) * (1.0 + 1e-12)), f32::MAX);
    }

    #[test]
    fn hermite_starts_and_ends_at_the_values_with_the_slopes_of_the_tangents() {
        let mix = |t: f64| Hermite::at(t, 2.0).mix(3.0, 0.5, -4.0, 7.0);
        assert_eq!((mix(0.0), mix(1.0)), (3.0, 7.0));
        let slope = |t: f64| (mix(t + 1e-6) - mix(t - 1e-6)) / (2e-6 * 2.0);
        assert!((slope(0.0) - 0.5).abs() < 1e-5 && (slope(1.0) + 4.0).abs() < 1e-5);
    }
}
