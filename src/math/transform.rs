//! A local transform in its three animatable parts.

use super::{Affine3x4, Mat4, Quat, Vec3, Vec4};

/// Translation, rotation and scale, kept apart so that animation can replace one of them.
///
/// The matrix is `T * R * S`: a point is scaled first, then rotated, then translated (glTF 2.0, section 3.5.3).
/// Equality is exact, component by component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Offset in the parent's space, in meters.
    pub translation: Vec3,
    /// Unit quaternion; [`matrix`](Self::matrix) does not normalize it, so a longer one also scales.
    pub rotation: Quat,
    /// Factors along the local axes. Zero hides, a negative product mirrors.
    pub scale: Vec3,
}

impl Transform {
    /// No translation, no rotation, unit scale.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The identity, moved.
    #[must_use]
    pub const fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// The identity, rotated by a unit quaternion.
    #[must_use]
    pub const fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// The identity, scaled.
    #[must_use]
    pub const fn from_scale(scale: Vec3) -> Self {
        Self { scale, ..Self::IDENTITY }
    }

    /// `T * R * S` as a column-major 4x4 matrix.
    #[must_use]
    pub fn matrix(&self) -> Mat4 {
        self.affine().to_mat4()
    }

    /// `T * R * S` as the three affine rows that the scene keeps.
    #[must_use]
    #[inline]
    pub fn affine(&self) -> Affine3x4 {
        Affine3x4::from_transform(self)
    }

    /// Whether every component is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

impl Affine3x4 {
    /// `T * R * S` of a decomposed transform; the rotation is taken to be a unit quaternion.
    #[must_use]
    #[inline]
    pub fn from_transform(transform: &Transform) -> Self {
        let [x, y, z, w] = transform.rotation.to_array();
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let (s, t) = (transform.scale, transform.translation);
        Self {
            rows: [
                Vec4::new((1.0 - (yy + zz)) * s.x, (xy - wz) * s.y, (xz + wy) * s.z, t.x),
                Vec4::new((xy + wz) * s.x, (1.0 - (xx + zz)) * s.y, (yz - wx) * s.z, t.y),
                Vec4::new((xz - wy) * s.x, (yz + wx) * s.y, (1.0 - (xx + yy)) * s.z, t.z),
            ],
        }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::FRAC_PI_2;

    #[test]
    fn default_is_identity() {
        assert_eq!(Transform::default(), Transform::IDENTITY);
        assert_eq!(Transform::default().matrix(), Mat4::IDENTITY);
    }

    #[test]
    fn composes_scale_then_rotation_then_translation() {
        let transform = Transform {
            translation: Vec3::new(2.0, 3.0, 0.0),
            rotation: Quat::from_rotation_z(FRAC_PI_2),
            scale: Vec3::new(2.0, 2.0, 1.0),
        };
        let moved = transform.matrix() * Vec4::new(1.0, 0.0, 0.0, 1.0);
        assert!((moved - Vec4::new(2.0, 5.0, 0.0, 1.0)).abs().max_element() < 1e-5);
    }

    #[test]
    fn agrees_with_glam_on_a_general_transform() {
        let transform = Transform {
            translation: Vec3::new(-1.0, 4.0, 2.5),
            rotation: Quat::from_xyzw(0.1, 0.7, -0.2, 0.5).normalize(),
            scale: Vec3::new(-2.0, 0.5, 3.0),
        };
        let reference =
            Mat4::from_scale_rotation_translation(transform.scale, transform.rotation, transform.translation);
        assert!(transform.matrix().abs_diff_eq(reference, 1e-5));
    }
}
