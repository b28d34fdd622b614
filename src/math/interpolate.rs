//! Shortest-arc interpolation of rotations.
//!
//! Both functions use only `f32`/`f64` addition, subtraction, multiplication, division and square root in one fixed
//! order, and the `libm` crate's software trigonometry, so that a pose has the same bits on every CPU.

use super::{NormalizeError, Quat, TryNormalize};

/// Cosine of the half angle above which [`slerp`] mixes linearly: the arc is so short (under 0.0029 rad) that both agree
/// beyond `f32` precision, and `sin` of it would divide noise by noise.
pub(crate) const NEARLY_PARALLEL: f64 = 1.0 - 1e-6;

/// The right operand on the left one's hemisphere, and the (then non-negative) dot product.
///
/// The test is *strict*: a dot product of exactly zero keeps the sign, and any negative value, however small, flips it.
/// Exact half turns between keys are decided by that alone.
#[inline]
pub(crate) fn nearer(left: [f32; 4], right: [f32; 4]) -> ([f32; 4], f32) {
    let dot = left[0] * right[0] + left[1] * right[1] + left[2] * right[2] + left[3] * right[3];
    if dot < 0.0 { (right.map(|c| -c), -dot) } else { (right, dot) }
}

/// Normalized linear interpolation along the shortest arc.
///
/// Returns `left` (normalized) at `amount` 0 and the same rotation as `right` at 1; `amount` is not clamped. `right` and
/// `-right` give the same motion. The angular velocity is not constant: the error against [`slerp`] reaches 8.15° when
/// the two rotations lie a half turn apart.
///
/// # Errors
/// The [`NormalizeError`] of the mixed quaternion; with two unit quaternions and `amount` in 0..=1 none can occur.
#[inline]
pub fn nlerp(left: Quat, right: Quat, amount: f32) -> Result<Quat, NormalizeError> {
    let left = left.to_array();
    let (right, _) = nearer(left, right.to_array());
    let mixed = std::array::from_fn(|i| left[i] + (right[i] - left[i]) * amount);
    Quat::from_array(mixed).try_normalized()
}

/// Spherical linear interpolation along the shortest arc, with constant angular velocity.
///
/// This is what glTF 2.0 asks of LINEAR rotation samplers (appendix C.4). Both operands are taken to be unit quaternions.
/// Returns `left` (normalized) at `amount` 0 and the same rotation as `right` at 1; `amount` is not clamped. `right` and
/// `-right` give the same motion.
///
/// Formula: Ken Shoemake, *Animating Rotation with Quaternion Curves*, SIGGRAPH 1985.
///
/// # Errors
/// The [`NormalizeError`] of the mixed quaternion: a zero or non-finite operand.
#[inline]
pub fn slerp(left: Quat, right: Quat, amount: f32) -> Result<Quat, NormalizeError> {
    let left = left.to_array();
    let (right, dot) = nearer(left, right.to_array());
    let amount = f64::from(amount);
    let dot = f64::from(dot);
    let (from, to) = if dot < NEARLY_PARALLEL {
        let half_angle = libm::acos(dot);
        let sine = (1.0 - dot * dot).sqrt();
        (libm::sin((1.0 - amount) * half_angle) / sine, libm::sin(amount * half_angle) / sine)
    } else {
        (1.0 - amount, amount)
    };
    let mixed = std::array::from_fn(|i| (f64::from(left[i]) * from + f64::from(right[i]) * to) as f32);
    Quat::from_array(mixed).try_normalized()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::FRAC_1_SQRT_2;

    const HALF_TURN_Z: Quat = Quat::from_xyzw(0.0, 0.0, 1.0, 0.0);

    fn degrees_about(axis: usize, q: Quat) -> f32 {
        let a = q.to_array();
        (2.0 * a[axis].atan2(a[3])).to_degrees()
    }

    #[test]
    fn half_way_is_a_unit_quarter_turn() {
        for mix in [nlerp, slerp] {
            let half = mix(Quat::IDENTITY, HALF_TURN_Z, 0.5).unwrap();
            assert!((half.length_squared() - 1.0).abs() < 1e-6);
            assert!((half.z - FRAC_1_SQRT_2).abs() < 1e-6 && (half.w - FRAC_1_SQRT_2).abs() < 1e-6);
        }
    }

    #[test]
    fn negated_identity_is_exactly_identity_on_the_short_arc() {
        let negated = Quat::from_xyzw(0.0, 0.0, 0.0, -1.0);
        assert_eq!(nlerp(Quat::IDENTITY, negated, 0.5), Ok(Quat::IDENTITY));
        assert_eq!(slerp(Quat::IDENTITY, negated, 0.5), Ok(Quat::IDENTITY));
    }

    #[test]
    fn q_and_minus_q_give_the_same_motion() {
        let left = Quat::from_xyzw(0.1, -0.3, 0.5, 0.8).try_normalized().unwrap();
        let right = Quat::from_xyzw(0.6, 0.2, -0.4, 0.1).try_normalized().unwrap();
        for mix in [nlerp, slerp] {
            for step in 0..=16 {
                let t = step as f32 / 16.0;
                assert_eq!(mix(left, right, t), mix(left, -right, t));
            }
        }
    }

    #[test]
    fn a_dot_of_minus_4e_8_already_flips_the_half_turn() {
        // The same numbers as two keys of a full turn written by an exporter: the sign of rounding noise decides.
        let quarter = Quat::from_xyzw(0.0, 1.0, 0.0, -4.371_139e-8);
        let turned = slerp(Quat::IDENTITY, quarter, 0.8).unwrap();
        assert!((degrees_about(1, turned) + 144.0).abs() < 1e-3, "{turned}");
        let turned = nlerp(Quat::IDENTITY, quarter, 0.8).unwrap();
        assert!((turned.y + 0.970_142_5).abs() < 1e-6 && (turned.w - 0.242_535_7).abs() < 1e-6);
        // With the noise flushed to zero the motion runs the other way: the test really is strict.
        let flushed = Quat::from_xyzw(0.0, 1.0, 0.0, 0.0);
        assert!(degrees_about(1, slerp(Quat::IDENTITY, flushed, 0.8).unwrap()) > 0.0);
    }

    #[test]
    fn slerp_has_constant_angular_velocity() {
        let right = Quat::from_rotation_z(2.4);
        for step in 0..=24 {
            let t = step as f32 / 24.0;
            let turned = slerp(Quat::IDENTITY, right, t).unwrap();
            let expected = (2.4f32 * t).to_degrees();
            assert!((degrees_about(2, turned) - expected).abs() < 1e-3, "t = {t}");
        }
    }

    #[test]
    fn slerp_of_nearly_equal_rotations_stays_between_them() {
        let right = Quat::from_rotation_x(1e-4);
        let half = slerp(Quat::IDENTITY, right, 0.5).unwrap();
        assert!((half.x - 2.5e-5).abs() < 1e-9);
        assert_eq!(slerp(right, right, 0.3).unwrap(), right.try_normalized().unwrap());
    }

    #[test]
    fn zero_and_non_finite_operands_are_named() {
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert_eq!(nlerp(zero, zero, 0.5), Err(NormalizeError::ZeroLength));
        assert_eq!(slerp(zero, zero, 0.5), Err(NormalizeError::ZeroLength));
        let nan = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);
        assert_eq!(nlerp(nan, Quat::IDENTITY, 0.5), Err(NormalizeError::NonFinite));
        assert_eq!(slerp(nan, Quat::IDENTITY, 0.5), Err(NormalizeError::NonFinite));
    }
}
