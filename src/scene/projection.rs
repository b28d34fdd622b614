//! How a view becomes a picture.

use crate::math::{Mat4, ProjectionError, orthographic, perspective, perspective_infinite};

/// How a camera maps its view to the picture (glTF 2.0, section 3.10).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Lines meet at the eye.
    Perspective {
        /// Vertical field of view in radians, between 0 and pi.
        fov_y: f32,
        /// Width over height; `None` takes the target's when drawing.
        aspect: Option<f32>,
        /// Distance of the near plane, above 0.
        near: f32,
        /// Distance of the far plane; `None` is infinite.
        far: Option<f32>,
    },
    /// Lines stay parallel.
    Orthographic {
        /// Half the width of the view, not 0.
        xmag: f32,
        /// Half the height of the view, not 0.
        ymag: f32,
        /// Distance of the near plane, at least 0.
        near: f32,
        /// Distance of the far plane, beyond near.
        far: f32,
    },
}

impl Projection {
    /// The projection matrix; `target_aspect` (width over height) is used where the projection leaves it open.
    ///
    /// # Errors
    /// [`ProjectionError`] names the argument out of range.
    pub fn matrix(&self, target_aspect: f32) -> Result<Mat4, ProjectionError> {
        match *self {
            Self::Perspective { fov_y, aspect, near, far } => {
                let aspect = aspect.unwrap_or(target_aspect);
                match far {
                    Some(far) => perspective(fov_y, aspect, near, far),
                    None => perspective_infinite(fov_y, aspect, near),
                }
            }
            Self::Orthographic { xmag, ymag, near, far } => orthographic(xmag, ymag, near, far),
        }
    }
}
