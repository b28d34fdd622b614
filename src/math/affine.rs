//! The 48-byte matrix in which worlds are kept and uploaded.

use super::{Mat4, Vec3, Vec4};
use bytemuck::{Pod, Zeroable};
use glam::{BVec4A, Vec4Swizzles};

/// The upper three rows of an affine 4x4 matrix; the fourth is (0, 0, 0, 1) and not stored.
///
/// Row-major on purpose: a shader reads three `vec4` and forms a point by three dot products, and a product of two of
/// them is nine vector multiplications. Products use no fused multiply-add, so that they have the same bits on every CPU.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Affine3x4 {
    /// Row `i` is (x axis, y axis, z axis, translation) component `i`.
    pub rows: [Vec4; 3],
}

impl Affine3x4 {
    /// Leaves every point where it is.
    pub const IDENTITY: Self = Self { rows: [Vec4::X, Vec4::Y, Vec4::Z] };

    /// The upper three rows of `matrix`; its fourth row is ignored.
    #[must_use]
    pub fn from_mat4(matrix: &Mat4) -> Self {
        Self { rows: [matrix.row(0), matrix.row(1), matrix.row(2)] }
    }

    /// The whole column-major 4x4 matrix.
    #[must_use]
    pub fn to_mat4(&self) -> Mat4 {
        let [r0, r1, r2] = self.rows;
        Mat4::from_cols(r0, r1, r2, Vec4::W).transpose()
    }

    /// Applies the transform to a point.
    #[must_use]
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        let point = point.extend(1.0);
        Vec3::from_array(self.rows.map(|row| row.dot(point)))
    }

    /// Where the origin goes.
    #[must_use]
    pub fn translation(&self) -> Vec3 {
        Vec3::new(self.rows[0].w, self.rows[1].w, self.rows[2].w)
    }

    /// Determinant of the 3x3 part: negative when the transform mirrors, zero when it flattens.
    #[must_use]
    pub fn determinant(&self) -> f32 {
        let [a, b, c] = self.rows;
        a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x)
    }

    /// Whether the transform mirrors: a negative determinant, also where its `f32` value would underflow.
    #[must_use]
    pub fn mirrors(&self) -> bool {
        let [a, b, c] = self.rows.map(|row| row.truncate().as_dvec3());
        a.dot(b.cross(c)) < 0.0
    }

    /// Whether every element is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.rows.iter().all(|row| row.is_finite())
    }
}

impl Default for Affine3x4 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl std::ops::Mul for Affine3x4 {
    type Output = Self;

    /// `self * right`: `right` applies first.
    #[inline]
    fn mul(self, right: Self) -> Self {
        let [r0, r1, r2] = right.rows;
        // The translation column as a vector: writing one lane would go through memory.
        let last = BVec4A::new(false, false, false, true);
        Self {
            rows: self.rows.map(|left| {
                let moved = Vec4::select(last, left, Vec4::ZERO);
                r0 * left.xxxx() + r1 * left.yyyy() + r2 * left.zzzz() + moved
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Quat, Transform};

    #[test]
    fn is_48_bytes_in_row_order() {
        assert_eq!(size_of::<Affine3x4>(), 48);
        let moved = Transform::from_translation(Vec3::new(2.0, 3.0, 4.0)).affine();
        let flat: [f32; 12] = bytemuck::cast(moved);
        assert_eq!((flat[3], flat[7], flat[11]), (2.0, 3.0, 4.0));
    }

    #[test]
    fn column_major_storage_of_the_4x4_form() {
        let matrix = Transform::from_translation(Vec3::new(2.0, 3.0, 4.0)).matrix();
        assert_eq!(matrix.to_cols_array()[12..15], [2.0, 3.0, 4.0]);
        assert_eq!(matrix.row(3), Vec4::W);
        assert_eq!(matrix.col(3), Vec4::new(2.0, 3.0, 4.0, 1.0));
    }

    #[test]
    fn product_applies_the_right_factor_first() {
        let moved = Transform::from_translation(Vec3::new(2.0, 3.0, 4.0)).affine();
        let scaled = Transform::from_scale(Vec3::new(2.0, 3.0, 4.0)).affine();
        assert_eq!((moved * scaled).transform_point(Vec3::ONE), Vec3::new(4.0, 6.0, 8.0));
    }

    #[test]
    fn product_agrees_with_the_4x4_product() {
        let a = Transform {
            translation: Vec3::new(1.0, -2.0, 3.0),
            rotation: Quat::from_xyzw(0.3, 0.1, -0.5, 0.8).normalize(),
            scale: Vec3::new(1.0, 2.0, -0.5),
        };
        let sheared = Mat4::from_cols_array(&[
            1.0, 0.2, 0.0, 0.0, 0.5, 1.0, 0.1, 0.0, 0.0, 0.0, 2.0, 0.0, 7.0, 8.0, 9.0, 1.0,
        ]);
        let product = a.affine() * Affine3x4::from_mat4(&sheared);
        assert!(product.to_mat4().abs_diff_eq(a.matrix() * sheared, 1e-5));
        assert_eq!(Affine3x4::from_mat4(&sheared).to_mat4(), sheared);
    }

    #[test]
    fn determinant_sign_sees_mirrors_and_zero_scale() {
        let scale = |x, y, z| Transform::from_scale(Vec3::new(x, y, z)).affine().determinant();
        assert_eq!(scale(-1.0, 2.0, 3.0), -6.0);
        assert_eq!(scale(-1.0, -2.0, 3.0), 6.0);
        assert_eq!(scale(0.0, 2.0, 3.0), 0.0);
        let mirrors = |x| Transform::from_scale(Vec3::new(x, 1e-20, 1e-20)).affine().mirrors();
        assert!(mirrors(-1e-20) && !mirrors(1e-20) && !mirrors(0.0));
    }
}
