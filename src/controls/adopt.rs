//! Taking over from another camera.

use super::orbit::{FARTHEST, OrbitCamera, steep};
use crate::math::{TryNormalize, Vec3};
use crate::scene::{Camera, Projection};

/// Below this, the horizontal part of a line of sight says less about the yaw than what is to the right.
const STEEP: f32 = 1e-3;

/// How near to the eye a target may be, in radii of the subject, where its middle is beside or behind the camera.
const NEAREST_TARGET: f32 = 0.1;

impl OrbitCamera {
    /// Takes over where another camera is and looks, such as one of a file, so that the next frame looks the same.
    ///
    /// What cannot be kept: a roll, for +Y is upward here; a mirror image; and near and far planes that cut something off, as
    /// [`camera`](Self::camera) chooses its own. A projection with an aspect of its own should come
    /// [fitted](Projection::fitted) to the picture. The target is put on the line of sight, as deep in the picture as the
    /// middle of what was framed.
    ///
    /// Of an orthographic camera this becomes [orthographic](Self::is_orthographic), with the field of view that it had. Its
    /// [`eye`](Self::eye) may be elsewhere along the line of sight, which is not seen.
    ///
    /// Nothing happens if the view or the projection gives no picture, or one larger than numbers are. Views are taken to be without scale, as those of
    /// [`Camera::look_at`] and [`Camera::from_node`] are.
    pub fn adopt(&mut self, camera: &Camera) {
        if let Some(adopted) = self.adopting(camera) {
            *self = adopted;
        }
    }

    fn adopting(&self, camera: &Camera) -> Option<Self> {
        camera.view_projection(1.0).ok().filter(|matrix| matrix.is_finite())?;
        let row = |at| camera.view.row(at).truncate().try_normalized().ok();
        let (right, up, back) = (row(0)?, row(1)?, row(2)?);
        let [x, y, z] = camera.view.w_axis.truncate().to_array();
        let eye = -(right * x + up * y + back * z);

        let level = back.x.hypot(back.z);
        let yaw = if level > STEEP { back.x.atan2(back.z) } else { (-right.z).atan2(right.x) };
        let pitch = steep(back.y.atan2(level));
        let mut adopted = Self { yaw, pitch, yaw_rest: 0.0, ..*self };
        // Rather than that camera's: what is held short of a pole keeps its eye.
        let back = adopted.axes().back;
        let depth = back.dot(eye - self.subject.center);
        match camera.projection {
            Projection::Perspective { fov_y, aspect, .. } => {
                adopted.orthographic = false;
                adopted.fov_y = fov_y;
                adopted.set_aspect(aspect.unwrap_or(self.aspect));
                adopted.distance = depth.max(self.subject.radius * NEAREST_TARGET).min(FARTHEST);
                adopted.target = eye - back * adopted.distance;
            }
            Projection::Orthographic { xmag, ymag, .. } => {
                adopted.orthographic = true;
                adopted.set_aspect((xmag / ymag).abs());
                adopted.distance = ymag.abs() / self.tangent();
                adopted.target = eye - back * depth;
            }
        }
        let sound = |vector: Vec3, number: f32| vector.is_finite() && number.is_finite() && number > 0.0;
        sound(adopted.target, adopted.distance).then_some(adopted)
    }
}
