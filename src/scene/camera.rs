//! Cameras.

use super::{Scene, SceneNodeId};
use crate::math::{
    LookAtError, Mat4, ProjectionError, Vec3, look_at, look_to, orthographic, perspective,
    perspective_infinite,
};

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

/// What a frame is seen through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// World space to view space.
    pub view: Mat4,
    /// View space to clip space.
    pub projection: Projection,
}

impl Camera {
    /// A camera at `eye` that looks at `target`, with `up` upwards in the picture.
    ///
    /// # Errors
    /// [`LookAtError`] names the argument that leaves no direction.
    pub fn look_at(eye: Vec3, target: Vec3, up: Vec3, projection: Projection) -> Result<Self, LookAtError> {
        Ok(Self { view: look_at(eye, target, up)?, projection })
    }

    /// The camera of a node, where the last [`Scene::update_world_transforms`] put it.
    ///
    /// The size of the scale is ignored, as glTF asks (section 3.10): the view looks along the node's -Z axis in world
    /// space and is right-handed, mirrored chain or not. `None` if the node is not here, has no camera, is flattened so
    /// that no direction is left, or lies beyond 1e38 m.
    #[must_use]
    pub fn from_node(scene: &Scene, node: SceneNodeId) -> Option<Self> {
        let node = scene.find(node)?;
        let projection = node.camera()?;
        let [r0, r1, r2] = node.world().rows;
        let eye = Vec3::new(r0.w, r1.w, r2.w);
        let back = Vec3::new(r0.z, r1.z, r2.z);
        let up = Vec3::new(r0.y, r1.y, r2.y);
        Some(Self { view: look_to(eye, -back, up).ok()?, projection })
    }

    /// World space to clip space for a target of that aspect (width over height).
    ///
    /// # Errors
    /// [`ProjectionError`] names the argument out of range.
    pub fn view_projection(&self, target_aspect: f32) -> Result<Mat4, ProjectionError> {
        Ok(self.projection.matrix(target_aspect)? * self.view)
    }
}
