//! Normalization that reports why it failed.

use super::{Quat, Vec2, Vec3, Vec4};

/// Why a value has no direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum NormalizeError {
    /// Every component is zero.
    #[error("the length is zero, so there is no direction")]
    ZeroLength,
    /// A component is NaN or infinite.
    #[error("a component is not finite")]
    NonFinite,
}

/// Scales a value to length 1, or says why that is impossible.
pub trait TryNormalize: Sized {
    /// Returns the value scaled to length 1.
    ///
    /// The length is formed in `f64`, where no finite `f32` components can overflow or vanish: every finite, non-zero
    /// input normalizes, from the smallest subnormal to `f32::MAX` in all components. Components that come out below 1e-18
    /// are 0.
    ///
    /// # Errors
    /// [`NormalizeError::ZeroLength`] if all components are zero, [`NormalizeError::NonFinite`] if one is NaN or
    /// infinite. Zero is tested first.
    fn try_normalized(self) -> Result<Self, NormalizeError>;
}

fn normalize<const N: usize>(components: [f32; N]) -> Result<[f32; N], NormalizeError> {
    let length = components.iter().map(|&c| f64::from(c) * f64::from(c)).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err(NormalizeError::ZeroLength);
    }
    if !length.is_finite() {
        return Err(NormalizeError::NonFinite);
    }
    Ok(components.map(|c| {
        let c = (f64::from(c) / length) as f32;
        if c.abs() < NEGLIGIBLE { c * 0.0 } else { c }
    }))
}

/// Components of a unit vector below this become 0: no precision depends on them, but products of two of them are subnormal
/// numbers, which many processors take a hundred cycles for. Bones that turn about one axis often have such.
const NEGLIGIBLE: f32 = 1e-18;

macro_rules! impl_try_normalize {
    ($($type:ty),*) => {$(
        impl TryNormalize for $type {
            #[inline]
            fn try_normalized(self) -> Result<Self, NormalizeError> {
                normalize(self.to_array()).map(Self::from_array)
            }
        }
    )*};
}

impl_try_normalize!(Vec2, Vec3, Vec4, Quat);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternion_normalizes_exactly_and_names_both_failures() {
        assert_eq!(Quat::from_xyzw(0.0, 0.0, 0.0, 4.0).try_normalized(), Ok(Quat::IDENTITY));
        assert_eq!(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0).try_normalized(), Err(NormalizeError::ZeroLength));
        assert_eq!(Quat::from_xyzw(0.0, 0.0, 0.0, f32::NAN).try_normalized(), Err(NormalizeError::NonFinite));
    }

    #[test]
    fn tiny_and_huge_magnitudes_normalize() {
        assert_eq!(Vec3::new(1e-30, 0.0, 0.0).try_normalized(), Ok(Vec3::new(1.0, 0.0, 0.0)));
        let large = Vec3::splat(1e20).try_normalized().unwrap();
        assert!((large.length_squared() - 1.0).abs() < 1e-6);
        assert_eq!(
            Quat::from_xyzw(1e-30, 0.0, 0.0, 0.0).try_normalized(),
            Ok(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0))
        );
    }

    #[test]
    fn components_whose_products_would_be_subnormal_become_zero_of_their_sign() {
        let unit = Quat::from_xyzw(1e-20, -1e-25, 1e-17, 1.0).try_normalized().unwrap();
        assert_eq!(unit, Quat::from_xyzw(0.0, 0.0, 1e-17, 1.0));
        assert!(unit.y.is_sign_negative() && unit.x.is_sign_positive());
        assert!((NEGLIGIBLE * NEGLIGIBLE).is_normal());
    }

    #[test]
    fn subnormal_and_maximal_components_normalize() {
        let subnormal = Vec3::new(0.0, f32::from_bits(1), 0.0);
        assert_eq!(subnormal.try_normalized(), Ok(Vec3::Y));
        let max = Vec4::splat(f32::MAX).try_normalized().unwrap();
        assert_eq!(max, Vec4::splat(0.5));
    }

    #[test]
    fn zero_is_tested_before_non_finite_and_negative_zero_is_zero() {
        assert_eq!(Vec3::new(0.0, -0.0, 0.0).try_normalized(), Err(NormalizeError::ZeroLength));
        assert_eq!(Vec3::new(0.0, f32::INFINITY, 0.0).try_normalized(), Err(NormalizeError::NonFinite));
        assert_eq!(Vec2::new(f32::NEG_INFINITY, f32::NAN).try_normalized(), Err(NormalizeError::NonFinite));
    }
}
