//! Affine transforms by columns, in which many points are transformed.

use super::{Affine3x4, Mat4, Vec3, Vec4};
use glam::Vec3A;

/// The columns of a 3x4 matrix: three axes and the translation.
///
/// A point times a row is a sum across a register; a point times the columns is a sum of registers. Every sum is in the
/// order x, y, z, translation, as in [`Affine3x4::transform_point`], and nothing is fused, so the bits are the same on
/// every CPU.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Columns(pub [Vec3A; 4]);

impl From<&Affine3x4> for Columns {
    #[inline]
    fn from(matrix: &Affine3x4) -> Self {
        let [a, b, c] = matrix.rows;
        let columns = Mat4::from_cols(a, b, c, Vec4::ZERO).transpose();
        Self([columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis].map(Vec3A::from_vec4))
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

    /// The magnitudes of what [`point`](Self::point) adds up, for a point whose coordinates are at most `far` from 0:
    /// rounding is in proportion to it.
    #[inline]
    pub fn magnitude(&self, far: Vec3) -> Vec3A {
        let [x, y, z, translation] = self.0;
        x.abs() * far.x + y.abs() * far.y + z.abs() * far.z + translation.abs()
    }
}

/// A normal turned by the inverse transpose of the matrix of these axes, to length 1, and the sign of that matrix's
/// determinant (1 where it is 0). Zero where no direction is left.
///
/// The inverse transpose is the cofactor matrix over the determinant, of which only the sign counts; see
/// [`Affine3x4::normal_matrix`], whose fast `f32` form this is. Written without branches and for scalars, so that a loop
/// over many is vectorized.
#[inline(always)]
pub(crate) fn normal_of(axes: [[f32; 3]; 3], normal: [f32; 3]) -> ([f32; 3], f32) {
    // Cofactors are products, so the elements are brought near one first.
    let sizes = axes.map(largest);
    let toward_one = 1.0 / at_least_normal(larger(larger(sizes[0], sizes[1]), sizes[2]));
    let [x, y, z] = axes.map(|axis| axis.map(|element| element * toward_one));
    let cofactors = [cross(y, z), cross(z, x), cross(x, y)];
    let determinant = dot(x, cofactors[0]);
    let sign = if determinant < 0.0 { -1.0 } else { 1.0 };
    let [x, y, z] = cofactors;
    let turned = |i: usize| (x[i] * normal[0] + y[i] * normal[1] + z[i] * normal[2]) * sign;
    (unit_of([turned(0), turned(1), turned(2)]), sign)
}

/// Length 1 in the direction of `v`, or zero if it has none. Nothing under- or overflows on the way.
#[inline(always)]
pub(crate) fn unit_of(v: [f32; 3]) -> [f32; 3] {
    let toward_one = 1.0 / at_least_normal(largest(v));
    let v = v.map(|component| component * toward_one);
    let length = at_least_normal(dot(v, v).sqrt());
    v.map(|component| component / length)
}

#[inline(always)]
fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The largest magnitude.
#[inline(always)]
fn largest(v: [f32; 3]) -> f32 {
    larger(larger(v[0].abs(), v[1].abs()), v[2].abs())
}

/// One instruction, where `f32::max` minds NaN.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// A divisor that is no zero and whose reciprocal is finite.
#[inline(always)]
fn at_least_normal(size: f32) -> f32 {
    larger(size, f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Transform;

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
    fn fast_normals_agree_with_the_normal_matrix_of_any_size_mirrored_and_flat() {
        for size in [1e-30, 1.0, 1e30] {
            for scale in [[1.0, 2.0, 3.0], [-1.0, 2.0, 3.0], [2.0, 0.0, 3.0], [2.0, 0.0, 0.0], [0.0; 3]] {
                let turned = Transform {
                    rotation: crate::math::Quat::from_xyzw(0.1, 0.7, -0.1, 0.7).normalize(),
                    scale: Vec3::from_array(scale) * size,
                    ..Transform::IDENTITY
                }
                .affine();
                let axes = Columns::from(&turned).0.map(|column| column.to_array());
                let normal = Vec3::new(0.5, -0.25, 1.0);
                let (found, sign) = normal_of([axes[0], axes[1], axes[2]], normal.to_array());
                let found = Vec3::from_array(found);
                let expected = (turned.normal_matrix() * normal).normalize_or_zero();
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
        assert_eq!(unit_of([0.0; 3]), [0.0; 3]);
        for size in [f32::from_bits(1), f32::MIN_POSITIVE, 1.0, f32::MAX] {
            assert_eq!(unit_of([0.0, -size, 0.0]), [0.0, -1.0, 0.0], "{size}");
        }
    }
}
