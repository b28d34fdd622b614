//! Where the camera stands: so that all of the content is in view.

use super::error::AppError;
use fire_engine::controls::{OrbitCamera, Subject};
use fire_engine::math::{Bounds, Vec3};
use fire_engine::scene::{Camera, Content, Projection};

/// From the content's middle toward the eye: in front, a little to the right and above.
const TOWARD_EYE: Vec3 = Vec3::new(0.55, 0.45, 1.0);

/// Content, and the camera that sees the sphere around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Framing(Subject);

impl Framing {
    /// The sphere around the box of everything that `content` draws, in its present, resolved pose: where joints and morph
    /// targets carry a figure, not where its mesh lies. Of content without vertices
    /// it is around a box from -1 to 1.
    ///
    /// A rotation about the middle stays inside. Clips that carry nodes away may leave the view.
    pub fn of(content: &Content) -> Self {
        Self(Subject::new(content.scene.bounds(&content.assets).filter(Bounds::is_finite)))
    }

    /// The camera for a picture of `width` x `height` pixels.
    ///
    /// # Errors
    /// [`AppError::Camera`] if the content is so large or far away that directions are lost in rounding.
    pub fn camera(&self, (width, height): (u32, u32)) -> Result<Camera, AppError> {
        let Subject { center, radius, .. } = self.0;
        let aspect = width.max(1) as f32 / height.max(1) as f32;
        // The sphere must fit in the narrower direction.
        let half_angle = ((OrbitCamera::FOV_Y * 0.5).tan() * aspect.min(1.0)).atan();
        let distance = Subject::MARGIN * radius / half_angle.sin();
        let eye = center + TOWARD_EYE.normalize() * distance;
        let projection = Projection::Perspective {
            fov_y: OrbitCamera::FOV_Y,
            aspect: None,
            near: (distance - radius) * 0.1,
            far: Some(distance + radius * 10.0),
        };
        Ok(Camera::look_at(eye, center, Vec3::Y, projection)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::model::load_model;
    use fire_engine::assets::{JointSet, Material, Mesh, RenderObject};
    use fire_engine::math::Transform;
    use fire_engine::scene::Skin;
    use std::sync::Arc;

    fn sphere(center: Vec3, radius: f32) -> Framing {
        Framing(Subject { center, half: Vec3::ZERO, radius })
    }

    #[test]
    fn the_cube_is_inside_its_sphere() {
        let (content, _) = load_model(None).unwrap();
        let framing = Framing::of(&content);
        assert_eq!(framing.0.center, Vec3::ZERO);
        assert!((framing.0.radius - 3.0_f32.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn the_sphere_is_in_view_whatever_the_shape_of_the_picture() {
        let framing = sphere(Vec3::new(5.0, -3.0, 2.0), 4.0);
        for size in [(800, 600), (600, 800), (2000, 100), (100, 2000), (0, 0)] {
            let camera = framing.camera(size).unwrap();
            let aspect = size.0.max(1) as f32 / size.1.max(1) as f32;
            let clip = camera.view_projection(aspect).unwrap();
            let mut widest = 0.0_f32;
            for axis in [Vec3::X, Vec3::Y] {
                // A point on the sphere's silhouette, to the side or above as the camera sees it.
                let side = camera.view.inverse().transform_vector3(axis);
                let point = clip.project_point3(framing.0.center + side * framing.0.radius);
                assert!(point.x.abs() <= 1.0 && point.y.abs() <= 1.0, "{size:?} {point}");
                assert!((0.0..=1.0).contains(&point.z), "{size:?} {point}");
                widest = widest.max(point.x.abs()).max(point.y.abs());
            }
            assert!(widest > 0.8, "{size:?} {widest}");
        }
    }

    /// T-CULL-ANIM: a skin carries its mesh away from where the mesh itself, and the node that draws it, lie.
    #[test]
    fn a_figure_is_framed_where_its_joints_carry_it() {
        let mut content = Content::default();
        let set = JointSet { joints: vec![[0; 4]; 3], weights: vec![[1.0, 0.0, 0.0, 0.0]; 3] };
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let mesh = content.assets.add_mesh(Mesh { positions, joint_sets: vec![set], ..Mesh::default() });
        let material = content.assets.add_material(Material::default());
        let object = content.assets.add_render_object(RenderObject { mesh, material });
        let (joint, figure) = (content.scene.add_root("joint").unwrap(), content.scene.add_root("").unwrap());
        let away = Transform::from_translation(Vec3::new(100.0, 0.0, 0.0));
        content.scene.find_mut(joint).unwrap().set_transform(away).unwrap();
        let mut edit = content.scene.find_mut(figure).unwrap();
        edit.set_render_object(Some(object));
        edit.set_skin(Some(Arc::new(Skin::new("", vec![Some(joint)], vec![]).unwrap())));
        content.scene.update_world_transforms();
        let framing = Framing::of(&content);
        assert!(framing.0.center.abs_diff_eq(Vec3::new(100.5, 0.5, 0.0), 1e-3), "{framing:?}");
        assert!((framing.0.radius - 0.5_f32.sqrt()).abs() < 1e-3, "{framing:?}");
    }

    #[test]
    fn nothing_at_all_gets_a_camera_too() {
        let framing = Framing::of(&Content::default());
        assert_eq!(framing, Framing(Subject::new(None)));
        assert!(framing.camera((1, 1)).is_ok());
    }

    #[test]
    fn an_extent_beyond_the_numbers_is_an_error() {
        let framing = sphere(Vec3::ZERO, f32::MAX);
        assert!(matches!(framing.camera((1, 1)), Err(AppError::Camera(_))));
    }
}
