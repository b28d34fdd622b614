//! Affine transforms by columns, in which many points are transformed.

use super::{Affine3x4, Vec3};
use glam::Vec3A;

/// The columns of a 3x4 matrix: three axes and the translation.
///
/// A point times a row is a sum across a register; a point times the columns is a sum of registers. Every sum is in the
/// order x, y, z, translation, as in [`Affine3x4::transform_point`], and nothing is fused, so the bits are the same on
/// every CPU.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Columns(pub [Vec3A; 4]);

impl From<&Affine3x4> for Columns {
    fn from(matrix: &Affine3x4) -> Self {
        let [a, b, c] = matrix.rows;
        Self([
            Vec3A::new(a.x, b.x, c.x),
            Vec3A::new(a.y, b.y, c.y),
            Vec3A::new(a.z, b.z, c.z),
            Vec3A::new(a.w, b.w, c.w),
        ])
    }
}

impl Columns {
    #[inline]
    pub fn point(&self, point: Vec3) -> Vec3A {
        self.vector(point) + self.0[3]
    }

    /// Without the translation.
    #[inline]
    pub fn vector(&self, vector: Vec3) -> Vec3A {
        let [x, y, z, _] = self.0;
        x * vector.x + y * vector.y + z * vector.z
    }

    /// The least and the largest coordinates that [`point`](Self::point) gives for points from `low` to `high`; infinite
    /// or NaN where numbers overflow.
    #[inline]
    pub fn range(&self, low: Vec3, high: Vec3) -> [Vec3A; 2] {
        let [x, y, z, translation] = self.0;
        let (x, y, z) = ([x * low.x, x * high.x], [y * low.y, y * high.y], [z * low.z, z * high.z]);
        let least = x[0].min(x[1]) + y[0].min(y[1]) + z[0].min(z[1]) + translation;
        let largest = x[0].max(x[1]) + y[0].max(y[1]) + z[0].max(z[1]) + translation;
        [least, largest]
    }

    /// The columns of the inverse transpose of the 3x3 part, times a positive number: the cofactors with the sign of the
    /// determinant; see [`Affine3x4::normal_matrix`], of which this is the fast `f32` form. The second value is that sign,
    /// 1 where the determinant is 0.
    #[inline]
    pub fn cofactors(&self) -> ([Vec3A; 3], f32) {
        let [x, y, z, _] = self.0;
        // Cofactors are products, so the elements are brought near one first.
        let toward_one = 1.0 / at_least_normal(x.abs().max(y.abs()).max(z.abs()).max_element());
        let (x, y, z) = (x * toward_one, y * toward_one, z * toward_one);
        let yz = y.cross(z);
        let terms = x * yz;
        let sign = if terms.x + terms.y + terms.z < 0.0 { -1.0 } else { 1.0 };
        ([yz * sign, z.cross(x) * sign, x.cross(y) * sign], sign)
    }
}

/// A divisor that is no zero and whose reciprocal is finite.
#[inline]
fn at_least_normal(size: f32) -> f32 {
    size.max(f32::MIN_POSITIVE)
}

/// Length 1 in the direction of `v`, or zero if it has none. Nothing under- or overflows on the way.
#[inline]
pub(crate) fn unit(v: Vec3A) -> Vec3A {
    let v = v * (1.0 / at_least_normal(v.abs().max_element()));
    v / at_least_normal((v.x * v.x + v.y * v.y + v.z * v.z).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat4, Transform};

    #[test]
    fn columns_and_rows_give_the_same_bits() {
        let mut random = 1u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as f32 / 1e5 - 80.0
        };
        for _ in 0..1000 {
            let matrix = Affine3x4::from_mat4(&Mat4::from_cols_array(&std::array::from_fn(|_| next())));
            let point = Vec3::new(next(), next(), next());
            let found = Vec3::from(Columns::from(&matrix).point(point));
            assert_eq!(
                found.to_array().map(f32::to_bits),
                matrix.transform_point(point).to_array().map(f32::to_bits)
            );
        }
    }

    #[test]
    fn cofactors_agree_with_the_normal_matrix_of_any_size_mirrored_and_flat() {
        for size in [1e-30, 1.0, 1e30] {
            for scale in [[1.0, 2.0, 3.0], [-1.0, 2.0, 3.0], [2.0, 0.0, 3.0], [2.0, 0.0, 0.0], [0.0; 3]] {
                let turned = Transform {
                    rotation: crate::math::Quat::from_xyzw(0.1, 0.7, -0.1, 0.7).normalize(),
                    scale: Vec3::from_array(scale) * size,
                    ..Transform::IDENTITY
                }
                .affine();
                let (columns, sign) = Columns::from(&turned).cofactors();
                let expected = turned.normal_matrix();
                let normal = Vec3::new(0.5, -0.25, 1.0);
                let [x, y, z] = columns;
                let found = Vec3::from(unit(x * normal.x + y * normal.y + z * normal.z));
                let expected = (expected * normal).normalize_or_zero();
                // What is left of a line is rounding noise without a direction.
                if scale[1] != 0.0 || scale[2] != 0.0 {
                    assert!(found.abs_diff_eq(expected, 1e-5), "{scale:?} {size}: {found}, not {expected}");
                }
                assert!(found.is_finite());
                if scale[1] != 0.0 {
                    assert_eq!(sign, scale[0].signum());
                }
            }
        }
    }

    #[test]
    fn unit_of_zero_is_zero_and_of_the_smallest_and_largest_a_direction() {
        assert_eq!(unit(Vec3A::ZERO), Vec3A::ZERO);
        for size in [f32::from_bits(1), f32::MIN_POSITIVE, 1.0, f32::MAX] {
            assert_eq!(unit(Vec3A::new(0.0, -size, 0.0)), Vec3A::NEG_Y, "{size}");
        }
    }
}
