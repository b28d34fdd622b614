//! What is framed, and from where.

use super::shared::{ASPECT, BOX, HEIGHT, assert_close, bounds, clip, corners, jostle};
use fire_engine::controls::{OrbitCamera, Subject};
use fire_engine::math::{Bounds, LookAtError, NormalizeError, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI};

#[test]
fn a_new_camera_looks_from_the_angles_that_it_says() {
    let camera = OrbitCamera::new(Some(BOX), 1.0);
    assert_eq!(camera.target, Vec3::new(2.0, 1.5, 0.0));
    let [yaw, pitch, fov_y] = [camera.yaw, camera.pitch, camera.fov_y].map(f32::to_degrees);
    assert!((yaw - 30.0).abs() < 1e-4 && (pitch - 20.0).abs() < 1e-4 && (fov_y - 45.0).abs() < 1e-4);
    // From the front, to the right and above.
    let toward = camera.eye() - camera.target;
    assert!(toward.x > 0.0 && toward.y > 0.0 && toward.z > 0.0, "{toward}");
    assert_close(toward.length(), camera.distance, 1e-4, toward);
    let mut camera = camera;
    (camera.yaw, camera.pitch) = (FRAC_PI_2, 0.0);
    let expected = camera.target + Vec3::X * camera.distance;
    assert!(camera.eye().abs_diff_eq(expected, 1e-4), "{}", camera.eye());
}

#[test]
fn all_corners_are_in_view_and_tight_from_everywhere_in_pictures_of_any_shape() {
    for half in [Vec3::new(6.0, 0.5, 0.5), Vec3::ONE, Vec3::new(0.0, 3.0, 1.0), Vec3::new(1e-6, 2e-6, 1e-6)] {
        for center in [Vec3::ZERO, Vec3::new(0.3, -0.2, 0.5) * half.max_element()] {
            for (yaw, pitch) in [(0.0, 0.0), (0.52, 0.35), (PI, -1.0), (-1.5, 1.57)] {
                for aspect in [0.2, 0.5, 1.0, 1.78, 5.0] {
                    for orthographic in [false, true] {
                        let mut camera = OrbitCamera::new(None, 1.0);
                        (camera.yaw, camera.pitch) = (yaw, pitch);
                        camera.set_orthographic(orthographic);
                        camera.frame(bounds(center, half), aspect);
                        let widest = |camera: &OrbitCamera| {
                            let matrix = clip(camera, aspect);
                            let points = corners(bounds(center, half)).into_iter();
                            let points = points.map(|corner| matrix.project_point3(corner));
                            points.fold(0.0_f32, |widest, point| {
                                assert!((0.0..1.0).contains(&point.z), "{camera:?} {aspect} {point}");
                                widest.max(point.x.abs()).max(point.y.abs())
                            })
                        };
                        assert!(widest(&camera) < 1.0, "{camera:?} {aspect}");
                        // Without the margin it touches an edge.
                        camera.distance /= Subject::MARGIN;
                        assert_close(widest(&camera), 1.0, 1e-4, (camera, aspect));
                    }
                }
            }
        }
    }
}

#[test]
fn framing_keeps_the_angles_and_forgets_where_it_was() {
    let fresh = OrbitCamera::new(Some(BOX), ASPECT);
    let mut camera = fresh;
    camera.pan(Vec2::new(70.0, -400.0), HEIGHT);
    camera.zoom(9.0);
    camera.fly(Vec3::ONE, 3.0);
    assert_ne!(camera, fresh);
    camera.frame(Some(BOX), ASPECT);
    assert_eq!(camera, fresh);
}

#[test]
fn degenerate_boxes_give_a_camera_or_an_error_and_never_nan() {
    let at = Vec3::new(5.0, -1.0, 2.0);
    let line = Some(Bounds { min: at, max: at + Vec3::Y });
    let tiny = bounds(Vec3::ZERO, Vec3::splat(1e-6));
    let faint = bounds(Vec3::ZERO, Vec3::splat(1e-25));
    let large = bounds(Vec3::ZERO, Vec3::splat(1e36));
    for seen in [None, bounds(at, Vec3::ZERO), line, tiny, faint, large, bounds(at * 1e4, Vec3::ONE)] {
        for aspect in [0.2, 1.0, 5.0] {
            let camera = OrbitCamera::new(seen, aspect);
            let matrix = clip(&camera, aspect);
            for corner in corners(seen) {
                let point = matrix.project_point3(corner);
                let inside = point.x.abs() <= 1.0 && point.y.abs() <= 1.0 && (0.0..1.0).contains(&point.z);
                assert!(inside, "{seen:?} {aspect} {point}");
            }
        }
    }
    // What is not finite is as nothing; what is beyond where a camera can be is an error.
    let nan = Bounds { min: Vec3::NAN, max: Vec3::NAN };
    for unknown in [Bounds::EVERYWHERE, nan, Bounds { min: Vec3::ZERO, ..Bounds::EVERYWHERE }] {
        assert_eq!(OrbitCamera::new(Some(unknown), 1.0), OrbitCamera::new(None, 1.0));
    }
    for size in [5e37, 3e38, f32::MAX] {
        let mut camera = OrbitCamera::new(bounds(Vec3::ZERO, Vec3::splat(size)), 1.0);
        let expected = Err(LookAtError::Eye(NormalizeError::NonFinite));
        assert_eq!(camera.camera(), expected, "{size}");
        for _ in 0..3 {
            jostle(&mut camera, 30.0);
            assert!(camera.target.is_finite() && camera.distance.is_finite(), "{camera:?}");
        }
        // And a way back.
        camera.frame(Some(BOX), 1.0);
        clip(&camera, 1.0);
    }
}
