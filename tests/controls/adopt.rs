//! Taking over from other cameras.

use super::shared::{ASPECT, BOX, cameras, clip, corners};
use fire_engine::controls::{OrbitCamera, Subject};
use fire_engine::math::{Mat4, Vec3};
use fire_engine::scene::{Camera, Projection};

fn views() -> Vec<(Vec3, Vec3)> {
    vec![
        (Vec3::new(2.0, 1.5, 20.0), Vec3::new(2.0, 1.5, 0.0)),
        (Vec3::new(-7.0, 3.0, -4.0), Vec3::new(1.0, 0.0, 2.0)),
        // Within the model, away from its middle, and from far away.
        (Vec3::new(2.5, 1.5, 0.1), Vec3::new(30.0, -20.0, 4.0)),
        (Vec3::new(400.0, -900.0, 30.0), Vec3::ZERO),
        // Nearly upward.
        (Vec3::new(1.0, -8.0, 0.0), Vec3::new(1.001, 5.0, 0.002)),
    ]
}

#[test]
fn adopting_a_perspective_without_roll_gives_the_same_view() {
    for (eye, target) in views() {
        let projection =
            Projection::Perspective { fov_y: 0.6, aspect: Some(ASPECT), near: 0.2, far: Some(50.0) };
        let theirs = Camera::look_at(eye, target, Vec3::Y, projection).unwrap();
        for mut camera in cameras() {
            camera.adopt(&theirs);
            let own = camera.camera().unwrap();
            assert!(own.view.abs_diff_eq(theirs.view, 2e-5 * (10.0 + eye.length())), "{own:?} {theirs:?}");
            assert!(camera.eye().abs_diff_eq(eye, 1e-5 * (10.0 + eye.length())), "{camera:?}");
            assert!(!camera.is_orthographic() && camera.fov_y == 0.6);
            // The same picture, whatever the depth.
            let (own, theirs) =
                (own.view_projection(ASPECT).unwrap(), theirs.view_projection(ASPECT).unwrap());
            for step in [0.5, 1.0, 7.0] {
                let point = eye + (target - eye).normalize() * step + Vec3::new(0.02, 0.01, -0.03);
                let [a, b] = [own, theirs].map(|matrix| matrix.project_point3(point).truncate());
                assert!(a.abs_diff_eq(b, 2e-3), "{a} {b} {eye}");
            }
            // Orbiting goes around something that is there to be looked at.
            let radius = Subject::new(Some(BOX)).radius;
            assert!((radius * 0.09..eye.length() * 2.0).contains(&camera.distance), "{camera:?}");
        }
    }
}

#[test]
fn adopting_puts_the_target_as_deep_as_the_middle_of_what_was_framed() {
    let projection = Projection::Perspective { fov_y: 0.6, aspect: None, near: 0.2, far: None };
    let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
    camera.adopt(
        &Camera::look_at(Vec3::new(3.0, 1.0, 9.0), Vec3::new(3.0, 1.0, 8.0), Vec3::Y, projection).unwrap(),
    );
    assert!(camera.target.abs_diff_eq(Vec3::new(3.0, 1.0, 0.0), 1e-4), "{camera:?}");
    // With the middle behind, it is a little before the eye.
    camera.adopt(
        &Camera::look_at(Vec3::new(3.0, 1.0, 9.0), Vec3::new(3.0, 1.0, 99.0), Vec3::Y, projection).unwrap(),
    );
    assert!(camera.target.z > 9.0 && camera.target.z < 11.0, "{camera:?}");
}

#[test]
fn adopting_an_orthographic_camera_gives_the_same_picture_at_every_depth() {
    for (eye, target) in views() {
        let projection = Projection::Orthographic { xmag: 3.0, ymag: 2.0, near: 0.0, far: 5000.0 };
        let theirs = Camera::look_at(eye, target, Vec3::Y, projection).unwrap();
        for mut camera in cameras() {
            let fov_y = camera.fov_y;
            camera.adopt(&theirs);
            assert!(camera.is_orthographic() && camera.fov_y == fov_y);
            let [own, theirs] =
                [camera.camera().unwrap(), theirs].map(|camera| camera.view_projection(1.5).unwrap());
            for point in corners(Some(BOX)) {
                let [a, b] = [own, theirs].map(|matrix| matrix.project_point3(point));
                assert!(a.truncate().abs_diff_eq(b.truncate(), 1e-4 * (1.0 + eye.length())), "{a} {b}");
                assert!((0.0..1.0).contains(&a.z), "{a}");
            }
            // Zoomed far in, all is still drawn.
            camera.zoom(30.0);
            let zoomed = clip(&camera, 1.5);
            assert!(
                corners(Some(BOX)).iter().all(|&point| (0.0..1.0).contains(&zoomed.project_point3(point).z))
            );
        }
    }
}

#[test]
fn adopting_straight_down_keeps_what_is_up_in_the_picture() {
    for sign in [1.0, -1.0] {
        for up in [Vec3::Z, Vec3::NEG_Z, Vec3::X, Vec3::new(1.0, 0.0, 2.0)] {
            let projection = Projection::Perspective { fov_y: 0.6, aspect: None, near: 0.2, far: None };
            let theirs = Camera::look_at(Vec3::Y * sign * 9.0, Vec3::ZERO, up, projection).unwrap();
            let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
            camera.adopt(&theirs);
            let own = camera.camera().unwrap();
            assert!(own.view.abs_diff_eq(theirs.view, 2e-3), "{own:?} {theirs:?}");
        }
    }
}

#[test]
fn adopting_a_rolled_camera_keeps_its_eye_and_line_of_sight() {
    let projection = Projection::Perspective { fov_y: 0.6, aspect: None, near: 0.2, far: None };
    let (eye, target) = (Vec3::new(5.0, 3.0, 9.0), Vec3::new(2.0, 1.5, 0.0));
    for up in [Vec3::X, Vec3::NEG_Y, Vec3::new(1.0, 1.0, 0.0)] {
        let mut camera = OrbitCamera::new(None, ASPECT);
        camera.adopt(&Camera::look_at(eye, target, up, projection).unwrap());
        let level = Camera::look_at(eye, target, Vec3::Y, projection).unwrap();
        assert!(camera.camera().unwrap().view.abs_diff_eq(level.view, 1e-4), "{camera:?}");
    }
}

#[test]
fn adopting_what_gives_no_picture_changes_nothing() {
    let fine = Projection::Perspective { fov_y: 0.6, aspect: None, near: 0.2, far: None };
    let sound = Camera::look_at(Vec3::Z, Vec3::ZERO, Vec3::Y, fine).unwrap();
    let wide = Projection::Perspective { fov_y: 4.0, aspect: None, near: 0.2, far: None };
    let flat = Projection::Orthographic { xmag: 1.0, ymag: 0.0, near: 0.0, far: 1.0 };
    let vast = Projection::Orthographic { xmag: 1.0, ymag: f32::MAX, near: 0.0, far: 1.0 };
    let camera = OrbitCamera::new(Some(BOX), ASPECT);
    for other in [
        Camera { view: Mat4::NAN, ..sound },
        Camera { view: Mat4::ZERO, ..sound },
        Camera { projection: wide, ..sound },
        Camera { projection: flat, ..sound },
        Camera { projection: vast, ..sound },
    ] {
        let mut adopting = camera;
        adopting.adopt(&other);
        assert_eq!(adopting, camera, "{other:?}");
    }
    let mut adopting = camera;
    adopting.adopt(&sound);
    assert_ne!(adopting, camera);
}
