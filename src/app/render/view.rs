//! The camera of a picture.

use super::arguments::CameraArguments;
use crate::app::error::AppError;
use crate::app::selection;
use fire_engine::controls::{OrbitCamera, Subject, toward_eye};
use fire_engine::math::{Bounds, LookAtError, Quat, Vec2, Vec3};
use fire_engine::scene::{Camera, Content, Projection, Scene, SceneNodeId};

/// Where pictures are taken from.
#[derive(Debug, Clone, PartialEq)]
pub enum View {
    /// Through a camera of the file, which clips may move.
    File(SceneNodeId),
    /// From one place, or from around it.
    Placed {
        /// Where the camera is before it goes round.
        eye: Vec3,
        /// What it looks at.
        target: Vec3,
        /// What is upward, and the axis to go round.
        up: Vec3,
        /// How the view becomes a picture.
        projection: Projection,
        /// What it is there by.
        by: By,
    },
}

/// What says where the camera is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// `--eye`.
    Eye,
    /// `--distance`.
    Distance,
    /// The model.
    Model,
}

impl By {
    /// Nothing can be seen from there.
    fn fault(self, error: LookAtError) -> AppError {
        match self {
            Self::Eye => AppError::Eye(error),
            Self::Distance => AppError::Distance(error),
            Self::Model => AppError::Camera(error),
        }
    }
}

impl View {
    /// The view that is asked for of content whose pictures show what is in `bounds`, in pictures of that aspect. With
    /// `turns`, the camera goes once around in so many pictures.
    ///
    /// # Errors
    /// [`AppError::Unknown`] for a camera that is not there.
    pub fn new(
        arguments: &CameraArguments,
        content: &Content,
        bounds: Option<Bounds>,
        aspect: f32,
        turns: Option<u32>,
    ) -> Result<Self, AppError> {
        if let Some(camera) = &arguments.camera {
            return selection::camera(camera, content).map(Self::File);
        }
        let subject = Subject::new(bounds);
        let fov_y = radians(arguments.fovy, OrbitCamera::FOV_Y);
        let (eye, target) = match arguments.eye {
            Some(eye) => (eye, arguments.target.unwrap_or(subject.center)),
            None => {
                let yaw = radians(arguments.yaw, OrbitCamera::YAW);
                let back = toward_eye(yaw, radians(arguments.pitch, OrbitCamera::PITCH));
                let fitting =
                    |frame| subject.distance(Quat::from_rotation_y(turn(frame, turns)) * back, fov_y, aspect);
                let distance = match (arguments.distance, arguments.ortho) {
                    (Some(radii), _) => radii * subject.radius,
                    // Without perspective all distances look the same.
                    (None, Some(_)) => 2.0 * subject.radius,
                    (None, None) => (0..turns.unwrap_or(1)).map(fitting).fold(0.0, f32::max),
                };
                (subject.center + back * distance, subject.center)
            }
        };
        let (near, far) = planes(arguments, &subject, eye, target, turns.is_some());
        let projection = match arguments.ortho {
            Some(Vec2 { x: xmag, y: ymag }) => Projection::Orthographic { xmag, ymag, near, far },
            None => {
                Projection::Perspective { fov_y, aspect: None, near, far: far.is_finite().then_some(far) }
            }
        };
        let by = match (arguments.eye, arguments.distance) {
            (Some(_), _) => By::Eye,
            (None, Some(_)) => By::Distance,
            (None, None) => By::Model,
        };
        Ok(Self::Placed { eye, target, up: arguments.up.unwrap_or(Vec3::Y), projection, by })
    }

    /// Whether where the camera is, what it looks at or how far it sees depends on the model's bounds.
    pub fn needs_bounds(arguments: &CameraArguments) -> bool {
        let exact = arguments.eye.is_some()
            && arguments.target.is_some()
            && arguments.near.is_some()
            && arguments.far.is_some();
        arguments.camera.is_none() && !exact
    }

    /// The camera of a picture, for a scene in its pose.
    ///
    /// # Errors
    /// A camera that sees nothing.
    pub fn camera(
        &self,
        scene: &Scene,
        aspect: f32,
        frame: u32,
        turns: Option<u32>,
    ) -> Result<Camera, AppError> {
        match *self {
            Self::File(node) => {
                let camera = Camera::from_node(scene, node).ok_or_else(|| {
                    AppError::BlindCamera(
                        scene.find(node).map(|node| node.name().to_owned()).unwrap_or_default(),
                    )
                })?;
                Ok(Camera { projection: camera.projection.fitted(aspect), ..camera })
            }
            Self::Placed { eye, target, up, projection, by } => {
                let round = Quat::from_axis_angle(up.normalize_or(Vec3::Y), turn(frame, turns));
                let eye = target + round * (eye - target);
                Camera::look_at(eye, target, up, projection).map_err(|error| by.fault(error))
            }
        }
    }
}

/// Radians that a camera has gone round at a picture.
fn turn(frame: u32, turns: Option<u32>) -> f32 {
    turns.map_or(0.0, |turns| (f64::from(frame) / f64::from(turns) * std::f64::consts::TAU) as f32)
}

fn radians(degrees: Option<f32>, default: f32) -> f32 {
    degrees.map_or(default, f32::to_radians)
}

/// The near and far plane: as they are asked for, else around the model as it is seen from the eye, wherever that goes
/// with its distance.
fn planes(
    arguments: &CameraArguments,
    subject: &Subject,
    eye: Vec3,
    target: Vec3,
    turns: bool,
) -> (f32, f32) {
    let distance = (eye - subject.center).length();
    let behind = (distance + subject.radius) * Subject::MARGIN;
    let far = arguments.far.unwrap_or_else(|| behind.max(arguments.near.unwrap_or(0.0) * 2.0));
    let near = arguments.near.unwrap_or_else(|| {
        let back = (eye - target).normalize_or_zero();
        let nearest = match turns {
            true => distance - subject.radius,
            false => subject.nearest(eye, back),
        };
        // Of an eye within the model not much is cut off.
        let least = subject.radius.min(far) * 1e-3;
        (nearest / Subject::MARGIN).max(least).min(far * 0.5)
    });
    (near, far)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::values::choice;

    const BOX: Bounds = Bounds { min: Vec3::new(-4.0, 1.0, -0.5), max: Vec3::new(8.0, 2.0, 0.5) };

    fn seen(arguments: &CameraArguments, aspect: f32, frame: u32, turns: Option<u32>) -> Vec<Vec3> {
        let content = Content::default();
        let view = View::new(arguments, &content, Some(BOX), aspect, turns).unwrap();
        let camera = view.camera(&content.scene, aspect, frame, turns).unwrap();
        let clip = camera.view_projection(aspect).unwrap();
        let subject = Subject::new(Some(BOX));
        subject.corners().map(|corner| clip.project_point3(subject.center + corner)).collect()
    }

    fn widest(points: &[Vec3]) -> f32 {
        points.iter().map(|point| point.x.abs().max(point.y.abs())).fold(0.0, f32::max)
    }

    #[test]
    fn the_model_fills_the_picture_from_everywhere() {
        for (yaw, pitch) in [(0.0, 0.0), (30.0, 20.0), (180.0, -60.0), (-90.0, 89.9)] {
            for aspect in [0.2, 1.0, 5.0] {
                let arguments =
                    CameraArguments { yaw: Some(yaw), pitch: Some(pitch), ..CameraArguments::default() };
                let points = seen(&arguments, aspect, 0, None);
                assert!(points.iter().all(|point| (0.0..=1.0).contains(&point.z)), "{points:?}");
                let widest = widest(&points);
                assert!(widest < 1.0, "{yaw} {pitch} {aspect} {widest}");
                assert!(widest > 0.85, "{yaw} {pitch} {aspect} {widest}");
            }
        }
    }

    #[test]
    fn a_turntable_keeps_its_distance_and_everything_in_view() {
        let arguments = CameraArguments::default();
        let all: Vec<f32> = (0..12).map(|frame| widest(&seen(&arguments, 1.0, frame, Some(12)))).collect();
        assert!(all.iter().all(|widest| *widest < 1.0), "{all:?}");
        assert!(all.iter().any(|widest| *widest > 0.85), "{all:?}");
        let still = seen(&arguments, 1.0, 0, Some(12));
        assert!(widest(&still) != widest(&seen(&arguments, 1.0, 3, Some(12))));
    }

    #[test]
    fn angles_and_distance_put_the_eye_where_they_say() {
        let arguments = CameraArguments {
            yaw: Some(90.0),
            pitch: Some(0.0),
            distance: Some(3.0),
            ..CameraArguments::default()
        };
        let view = View::new(&arguments, &Content::default(), Some(BOX), 1.0, None).unwrap();
        let View::Placed { eye, target, .. } = view else { panic!("{view:?}") };
        // The box is 12 x 1 x 1 around (2, 1.5, 0): its sphere has the radius of half its diagonal.
        let radius = (12.0_f32 * 12.0 + 1.0 + 1.0).sqrt() * 0.5;
        assert_eq!(target, Vec3::new(2.0, 1.5, 0.0));
        assert!(eye.abs_diff_eq(Vec3::new(2.0 + 3.0 * radius, 1.5, 0.0), 1e-4), "{eye}");
    }

    #[test]
    fn an_exact_camera_is_exact() {
        let arguments = CameraArguments {
            eye: Some(Vec3::new(1.0, 2.0, 3.0)),
            target: Some(Vec3::ZERO),
            ortho: Some(Vec2::new(2.0, 1.0)),
            near: Some(0.0),
            far: Some(9.0),
            ..CameraArguments::default()
        };
        assert!(!View::needs_bounds(&arguments));
        let content = Content::default();
        let view = View::new(&arguments, &content, None, 3.0, None).unwrap();
        let projection = Projection::Orthographic { xmag: 2.0, ymag: 1.0, near: 0.0, far: 9.0 };
        let expected = Camera::look_at(Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO, Vec3::Y, projection).unwrap();
        let camera = view.camera(&content.scene, 3.0, 5, None).unwrap();
        assert_eq!(camera.projection, expected.projection);
        assert!(camera.view.abs_diff_eq(expected.view, 1e-6));
    }

    #[test]
    fn planes_that_are_not_given_make_a_picture_wherever_the_eye_is() {
        for eye in [Vec3::new(2.0, 1.5, 0.1), Vec3::new(500.0, 0.0, 0.0), Vec3::new(2.0, 1.5, 7.0)] {
            for (near, far) in [
                (None, None),
                (Some(0.01), None),
                (Some(1e4), None),
                (None, Some(0.02)),
                (None, Some(f32::INFINITY)),
            ] {
                let arguments = CameraArguments { eye: Some(eye), near, far, ..CameraArguments::default() };
                let content = Content::default();
                let view = View::new(&arguments, &content, Some(BOX), 1.0, None).unwrap();
                let camera = view.camera(&content.scene, 1.0, 0, None).unwrap();
                assert!(camera.view_projection(1.0).is_ok(), "{eye} {near:?} {far:?} {camera:?}");
            }
        }
    }

    #[test]
    fn nothing_at_all_and_things_beyond_the_numbers_are_no_panic() {
        let content = Content::default();
        let arguments = CameraArguments::default();
        let camera = |bounds| {
            View::new(&arguments, &content, bounds, 1.0, None)
                .and_then(|view| view.camera(&content.scene, 1.0, 0, None))
        };
        assert!(camera(None).is_ok());
        assert!(camera(Some(Bounds { min: Vec3::ONE, max: Vec3::ONE })).is_ok());
        let vast = Bounds { min: Vec3::splat(-3e38), max: Vec3::splat(3e38) };
        assert!(matches!(camera(Some(vast)), Err(AppError::Camera(_))), "{:?}", camera(Some(vast)));
    }

    #[test]
    fn what_is_at_fault_is_what_was_given() {
        let content = Content::default();
        let near = Bounds { min: Vec3::splat(1.0), max: Vec3::splat(3.0) };
        let fault = |arguments: CameraArguments, bounds| {
            let view = View::new(&arguments, &content, Some(bounds), 1.0, None).unwrap();
            view.camera(&content.scene, 1.0, 0, None).unwrap_err().to_string()
        };
        let plain = CameraArguments::default();
        // Numbers are eight meters apart there, so that all of the model is one point.
        let far = Bounds { min: Vec3::splat(1e8), max: Vec3::splat(1e8) };
        let told = fault(plain.clone(), far);
        assert!(told.contains("positions and scales") && !told.contains("--"), "{told}");
        let told = fault(CameraArguments { distance: Some(1e-30), ..plain.clone() }, near);
        assert!(told.ends_with("change --distance"), "{told}");
        let told = fault(CameraArguments { eye: Some(Vec3::splat(2.0)), ..plain }, near);
        assert!(told.contains("--eye"), "{told}");
    }

    #[test]
    fn a_camera_of_the_file_keeps_what_it_sees_in_the_picture() {
        let mut content = Content::default();
        let node = content.scene.add_root("front").unwrap();
        let projection =
            Projection::Perspective { fov_y: 1.0, aspect: Some(2.0), near: 0.1, far: Some(10.0) };
        content.scene.find_mut(node).unwrap().set_camera(Some(projection));
        content.scene.update_world_transforms();
        let named =
            |name: &str| CameraArguments { camera: Some(choice(name).unwrap()), ..Default::default() };
        for name in ["0", "front"] {
            let view = View::new(&named(name), &content, None, 1.0, None).unwrap();
            assert_eq!(view, View::File(node));
            let camera = view.camera(&content.scene, 1.0, 0, None).unwrap();
            assert_eq!(camera.projection, projection.fitted(1.0));
        }
        let error = View::new(&named("back"), &content, None, 1.0, None).unwrap_err().to_string();
        assert_eq!(error, "no camera \"back\"; there are: 0 \"front\"");
        content
            .scene
            .find_mut(node)
            .unwrap()
            .set_transform(fire_engine::math::Transform { scale: Vec3::ZERO, ..Default::default() })
            .unwrap();
        content.scene.update_world_transforms();
        let blind = View::File(node).camera(&content.scene, 1.0, 0, None).unwrap_err().to_string();
        assert!(blind.contains("\"front\""), "{blind}");
    }
}
