//! Where a texture is read.

use crate::math::Vec2;

/// Offset, rotation and scale of texture coordinates: `uv' = T * R * S * uv` (KHR_texture_transform).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// Added last, in texture widths and heights.
    pub offset: Vec2,
    /// Radians. The coordinates turn counter-clockwise in the picture, whose u runs right and v down, so what is seen of
    /// the texture turns clockwise.
    pub rotation: f32,
    /// Applied first.
    pub scale: Vec2,
}

impl UvTransform {
    /// Leaves coordinates as they are.
    pub const IDENTITY: Self = Self { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE };

    /// The two rows `[a, b, t]` with `u' = a u + b v + t`.
    ///
    /// The rotation is `[cos, sin; -sin, cos]`, as the extension's prose and its example ask, and as three.js and the
    /// Khronos sample renderer have it. The GLSL in the extension's text, read column by column as GLSL is, turns the
    /// other way.
    #[must_use]
    pub fn rows(&self) -> [[f32; 3]; 2] {
        let (sin, cos) = self.rotation.sin_cos();
        [
            [cos * self.scale.x, sin * self.scale.y, self.offset.x],
            [-sin * self.scale.x, cos * self.scale.y, self.offset.y],
        ]
    }

    /// Whether every component is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.offset.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

impl Default for UvTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uv_transform_scales_then_rotates_then_offsets() {
        let transform = UvTransform {
            offset: Vec2::new(0.5, 0.25),
            rotation: std::f32::consts::FRAC_PI_2,
            scale: Vec2::new(2.0, 3.0),
        };
        let [u, v] = transform.rows().map(|[a, b, t]| a * 1.0 + b * 1.0 + t);
        assert!((u - 3.5).abs() < 1e-6 && (v + 1.75).abs() < 1e-6, "{u} {v}");
        // The extension's example: the lower left quadrant of the image, turned clockwise by a quarter.
        let quadrant = UvTransform {
            offset: Vec2::new(0.0, 1.0),
            rotation: std::f32::consts::FRAC_PI_2,
            scale: Vec2::splat(0.5),
        };
        for (uv, expected) in [([0.0, 0.0], [0.0, 1.0]), ([1.0, 0.0], [0.0, 0.5]), ([0.0, 1.0], [0.5, 1.0])] {
            let [u, v] = quadrant.rows().map(|[a, b, t]| a * uv[0] + b * uv[1] + t);
            assert!((u - expected[0]).abs() < 1e-6 && (v - expected[1]).abs() < 1e-6, "{uv:?}: {u} {v}");
        }
        assert_eq!(UvTransform::default().rows(), [[1.0, 0.0, 0.0], [-0.0, 1.0, 0.0]]);
    }
}
