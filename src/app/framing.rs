//! Where the camera stands: so that all of the content is in view.

use super::error::AppError;
use fire_engine::math::Vec3;
use fire_engine::scene::{Camera, Content, Projection};

/// Vertical field of view, in radians: 45 degrees.
const FOV_Y: f32 = std::f32::consts::FRAC_PI_4;

/// From the content's middle toward the eye: in front, a little to the right and above.
const TOWARD_EYE: Vec3 = Vec3::new(0.55, 0.45, 1.0);

/// How much of empty space is left around the content.
const MARGIN: f32 = 1.05;

/// A sphere around content, and the camera that sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Framing {
    center: Vec3,
    radius: f32,
}

impl Framing {
    /// The sphere around the world-space boxes of every mesh that `content` draws, in its present, resolved pose. Content
    /// without vertices gets the unit sphere.
    ///
    /// A rotation about the middle stays inside. Clips that carry nodes away may leave the view.
    pub fn of(content: &Content) -> Self {
        // Once a mesh, not once a node: many nodes may draw one large mesh.
        let boxes: Vec<_> = content.assets.meshes().iter().map(|mesh| bounds(&mesh.positions)).collect();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for node in content.scene.nodes() {
            let object = node.render_object().and_then(|id| content.assets.render_object(id));
            let Some((from, to)) = object.and_then(|object| boxes.get(object.mesh.index())) else { continue };
            let world = node.world();
            for corner in 0..8 {
                let pick = |axis: usize| if corner >> axis & 1 == 0 { from[axis] } else { to[axis] };
                let point = world.transform_point(Vec3::new(pick(0), pick(1), pick(2)));
                (low, high) = (low.min(point), high.max(point));
            }
        }
        if !(low.is_finite() && high.is_finite()) {
            return Self { center: Vec3::ZERO, radius: 1.0 };
        }
        // Halves first: a sum could overflow.
        let radius = (high * 0.5 - low * 0.5).length();
        Self { center: low * 0.5 + high * 0.5, radius: if radius > 0.0 { radius } else { 1.0 } }
    }

    /// The camera for a picture of `width` x `height` pixels.
    ///
    /// # Errors
    /// [`AppError::Camera`] if the content is so large or far away that directions are lost in rounding.
    pub fn camera(&self, (width, height): (u32, u32)) -> Result<Camera, AppError> {
        let aspect = width.max(1) as f32 / height.max(1) as f32;
        // The sphere must fit in the narrower direction.
        let half_angle = ((FOV_Y * 0.5).tan() * aspect.min(1.0)).atan();
        let distance = MARGIN * self.radius / half_angle.sin();
        let eye = self.center + TOWARD_EYE.normalize() * distance;
        let projection = Projection::Perspective {
            fov_y: FOV_Y,
            aspect: None,
            near: (distance - self.radius) * 0.1,
            far: Some(distance + self.radius * 10.0),
        };
        Ok(Camera::look_at(eye, self.center, Vec3::Y, projection)?)
    }
}

/// Smallest and largest coordinates.
fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    positions.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &position| {
        (low.min(position), high.max(position))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::model::load_model;

    #[test]
    fn the_cube_is_inside_its_sphere() {
        let (content, _) = load_model(None).unwrap();
        let framing = Framing::of(&content);
        assert_eq!(framing.center, Vec3::ZERO);
        assert!((framing.radius - 3.0_f32.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn the_sphere_is_in_view_whatever_the_shape_of_the_picture() {
        let framing = Framing { center: Vec3::new(5.0, -3.0, 2.0), radius: 4.0 };
        for size in [(800, 600), (600, 800), (2000, 100), (100, 2000), (0, 0)] {
            let camera = framing.camera(size).unwrap();
            let aspect = size.0.max(1) as f32 / size.1.max(1) as f32;
            let clip = camera.view_projection(aspect).unwrap();
            let mut widest = 0.0_f32;
            for axis in [Vec3::X, Vec3::Y] {
                // A point on the sphere's silhouette, to the side or above as the camera sees it.
                let side = camera.view.inverse().transform_vector3(axis);
                let point = clip.project_point3(framing.center + side * framing.radius);
                assert!(point.x.abs() <= 1.0 && point.y.abs() <= 1.0, "{size:?} {point}");
                assert!((0.0..=1.0).contains(&point.z), "{size:?} {point}");
                widest = widest.max(point.x.abs()).max(point.y.abs());
            }
            assert!(widest > 0.8, "{size:?} {widest}");
        }
    }

    #[test]
    fn nothing_at_all_gets_a_camera_too() {
        let framing = Framing::of(&Content::default());
        assert_eq!(framing, Framing { center: Vec3::ZERO, radius: 1.0 });
        assert!(framing.camera((1, 1)).is_ok());
    }

    #[test]
    fn an_extent_beyond_the_numbers_is_an_error() {
        let framing = Framing { center: Vec3::ZERO, radius: f32::MAX };
        assert!(matches!(framing.camera((1, 1)), Err(AppError::Camera(_))));
    }
}
