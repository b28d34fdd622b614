//! Cameras.

use super::arena::Scene;
use super::id::SceneNodeId;
use super::projection::Projection;
use crate::math::{LookAtError, Mat4, ProjectionError, Vec2, Vec3, Vec4, look_at, look_to};

/// What a frame is seen through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// World space to view space.
    pub view: Mat4,
    /// View space to clip space.
    pub projection: Projection,
    /// Where in the picture that lies which is straight ahead: (0, 0) is the picture's middle, (1, 1) its upper right corner.
    /// As with a lens that is shifted, what is seen keeps its form; for a picture part of which is covered by something else.
    pub shift: Vec2,
}

impl Camera {
    /// A camera at `eye` that looks at `target`, with `up` upwards in the picture.
    ///
    /// # Errors
    /// [`LookAtError`] names the argument that leaves no direction.
    pub fn look_at(eye: Vec3, target: Vec3, up: Vec3, projection: Projection) -> Result<Self, LookAtError> {
        Ok(Self { view: look_at(eye, target, up)?, projection, shift: Vec2::ZERO })
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
        Some(Self { view: look_to(eye, -back, up).ok()?, projection, shift: Vec2::ZERO })
    }

    /// World space to clip space for a target of that aspect (width over height).
    ///
    /// # Errors
    /// [`ProjectionError`] names the argument out of range.
    pub fn view_projection(&self, target_aspect: f32) -> Result<Mat4, ProjectionError> {
        let clip = self.projection.matrix(target_aspect)? * self.view;
        if self.shift == Vec2::ZERO {
            return Ok(clip);
        }
        let aside = self.shift.extend(0.0).extend(0.0);
        let [x, y, z, w] = clip.to_cols_array_2d().map(|column| Vec4::from_array(column) + aside * column[3]);
        Ok(Mat4::from_cols(x, y, z, w))
    }
}
