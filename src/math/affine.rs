//! The 48-byte matrix in which worlds are kept and uploaded.

use super::{Mat3, Mat4, Vec3, Vec4};
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
        // A library's dot product adds up in an order that depends on the CPU.
        let row = |row: Vec4| row.x * point.x + row.y * point.y + row.z * point.z + row.w;
        Vec3::from_array(self.rows.map(row))
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

    /// What normals are multiplied by: the inverse transpose of the 3x3 part, times a positive number, so that directions
    /// are right and lengths are not (normalize the product).
    ///
    /// It is the cofactor matrix, whose row `i` is the cross product of the rows `i + 1` and `i + 2`, with the sign of the
    /// determinant; unlike an inverse it exists always. Its largest element is 1 or -1, so nothing over- or underflows.
    /// Where the transform flattens to a plane it gives that plane's normal, on either side; where it flattens to a line
    /// or a point there is no normal, and it is zero.
    #[must_use]
    pub fn normal_matrix(&self) -> Mat3 {
        let [a, b, c] = self.rows.map(|row| row.truncate().as_dvec3());
        let cofactors = [b.cross(c), c.cross(a), a.cross(b)];
        let largest = cofactors.iter().fold(0.0, |largest: f64, row| largest.max(row.abs().max_element()));
        if largest == 0.0 {
            return Mat3::ZERO;
        }
        let sign = if a.dot(cofactors[0]) < 0.0 { -1.0 } else { 1.0 };
        let [a, b, c] = cofactors.map(|row| (row / largest * sign).as_vec3());
        Mat3::from_cols(a, b, c).transpose()
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

    /// T-XF-NORMAL: after a stretch along x a normal stays perpendicular to its surface, which the matrix itself would
    /// not see to.
    #[test]
    fn t_xf_normal_stays_perpendicular_under_uneven_scale() {
        let stretched = Transform::from_scale(Vec3::new(2.0, 1.0, 1.0)).affine();
        let (normal, tangent) = (Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, -1.0, 0.0));
        let moved = stretched.transform_point(tangent);
        assert_eq!(moved, Vec3::new(2.0, -1.0, 0.0));
        // The inverse transpose of diag(2, 1, 1) is diag(1/2, 1, 1).
        assert_eq!(stretched.normal_matrix() * normal, Vec3::new(0.5, 1.0, 0.0));
        assert_eq!((stretched.normal_matrix() * normal).dot(moved), 0.0);
        assert_ne!(stretched.transform_point(normal).dot(moved), 0.0);
    }

    #[test]
    fn t_xf_normal_agrees_with_the_inverse_transpose_of_sheared_and_mirrored_matrices() {
        for x in [1.0, -1.0] {
            let matrix = Mat4::from_cols_array(&[
                x, 0.2, 0.0, 0.0, 0.5, 1.0, 0.1, 0.0, 0.0, -0.3, 2.0, 0.0, 7.0, 8.0, 9.0, 1.0,
            ]);
            let expected = Mat3::from_mat4(matrix).inverse().transpose();
            let found = Affine3x4::from_mat4(&matrix).normal_matrix();
            for normal in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, -2.0, 3.0)] {
                let (found, expected) = ((found * normal).normalize(), (expected * normal).normalize());
                assert!(found.abs_diff_eq(expected, 1e-6), "{normal}: {found}, not {expected}");
            }
        }
        // A mirror across the plane of y and z leaves normals in that plane as they are.
        let mirror = Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0)).affine();
        assert_eq!(mirror.normal_matrix(), Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0)));
    }

    #[test]
    fn t_xf_normal_of_singular_and_of_tiny_and_huge_matrices() {
        let scaled = |x, y, z| Transform::from_scale(Vec3::new(x, y, z)).affine().normal_matrix();
        // Flat in the plane of x and z: what had a share of y points along y.
        let flat = scaled(2.0, 0.0, 3.0);
        assert_eq!((flat * Vec3::new(1.0, 1.0, 1.0)).normalize(), Vec3::Y);
        // A line, a point: no normal, and no NaN.
        assert_eq!(scaled(2.0, 0.0, 0.0), Mat3::ZERO);
        assert_eq!(scaled(0.0, 0.0, 0.0), Mat3::ZERO);
        for size in [1e-30, 1e30] {
            assert_eq!(scaled(size, size, size), Mat3::IDENTITY);
            assert_eq!(scaled(-size, -size, -size), -Mat3::IDENTITY);
        }
        // A needle: its tip's normal is small against those of its sides, and still there.
        let tip = scaled(1.0, 1e-20, 1e-20) * Vec3::X;
        assert!(tip.x > 0.0 && tip.y == 0.0 && tip.z == 0.0, "{tip}");
    }
}
