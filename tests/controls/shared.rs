//! Cameras to test, and what their pictures show.

use fire_engine::controls::{OrbitCamera, Subject};
use fire_engine::math::{Bounds, Mat4, Vec2, Vec3};

pub const BOX: Bounds = Bounds { min: Vec3::new(-4.0, 1.0, -0.5), max: Vec3::new(8.0, 2.0, 0.5) };
pub const ASPECT: f32 = 1.6;
pub const HEIGHT: f32 = 500.0;

pub fn bounds(center: Vec3, half: Vec3) -> Option<Bounds> {
    Some(Bounds { min: center - half, max: center + half })
}

/// Cameras from many sides, near and far, of both kinds.
pub fn cameras() -> Vec<OrbitCamera> {
    let mut cameras = Vec::new();
    for (yaw, pitch) in [(0.0, 0.0), (0.5, 0.3), (-3.0, -1.2), (2.0, 1.57), (1.0, -1.57)] {
        for steps in [0.0, 7.3, -12.0] {
            for orthographic in [false, true] {
                let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
                (camera.yaw, camera.pitch) = (yaw, pitch);
                camera.set_orthographic(orthographic);
                camera.zoom(steps);
                cameras.push(camera);
            }
        }
    }
    cameras
}

pub fn clip(camera: &OrbitCamera, aspect: f32) -> Mat4 {
    let camera = camera.camera().unwrap();
    let matrix = camera.view_projection(aspect).unwrap();
    assert!(matrix.is_finite(), "{camera:?}");
    matrix
}

pub fn corners(bounds: Option<Bounds>) -> Vec<Vec3> {
    let subject = Subject::new(bounds);
    subject.corners().map(|corner| subject.center + corner).collect()
}

/// The point at the target's depth that a place of the picture shows: from the picture's own matrix.
pub fn under(camera: &OrbitCamera, place: Vec2, aspect: f32) -> Vec3 {
    // Twice as exact as what is tested.
    let matrix = clip(camera, aspect).as_dmat4();
    let depth = matrix.project_point3(camera.target.as_dvec3()).z;
    matrix.inverse().project_point3(place.as_dvec2().extend(depth)).as_vec3()
}

/// How far a point is from a place of the picture, in half heights.
pub fn off(camera: &OrbitCamera, point: Vec3, place: Vec2, aspect: f32) -> f32 {
    (clip(camera, aspect).project_point3(point).truncate() - place).length()
}

pub fn assert_close(a: f32, b: f32, tolerance: f32, what: impl std::fmt::Debug) {
    assert!((a - b).abs() <= tolerance, "{a} {b} {what:?}");
}

/// Every move, by a number that is large or none.
pub fn jostle(camera: &mut OrbitCamera, by: f32) {
    let both = Vec2::new(by, by);
    for height in [HEIGHT, by] {
        camera.orbit(both, height);
        camera.pan(both, height);
        camera.look(both, height);
    }
    camera.zoom(by);
    for aspect in [ASPECT, by] {
        camera.zoom_at(by, both, aspect);
    }
    camera.fly(Vec3::splat(by), 0.1);
    camera.fly(Vec3::ONE, by);
    camera.set_aspect(by);
}
