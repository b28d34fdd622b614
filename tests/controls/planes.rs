//! Nothing is cut off, and parallel views.

use super::shared::{ASPECT, BOX, cameras, clip, off, under};
use fire_engine::controls::{OrbitCamera, Subject};
use fire_engine::math::{Bounds, Vec2, Vec3};
use fire_engine::scene::Projection;

#[test]
fn nothing_of_the_bounds_is_cut_and_depth_tells_a_pixel_from_near_and_far() {
    let subject = Subject::new(Some(BOX));
    let radius = subject.radius;
    for camera in cameras() {
        for forward in [0.0, 0.1, 1.0, 2.0, 4.0] {
            let mut camera = camera;
            camera.fly(Vec3::Z, forward);
            let seen = camera.camera().unwrap();
            let matrix = seen.view_projection(ASPECT).unwrap();
            let view_depth = |point: Vec3| -seen.view.transform_point3(point).z;
            // Points all over the box, and where an animation may carry them.
            for step in 0..1000_u16 {
                let part = |by: u16| f32::from(step / by % 10) / 9.0 * 2.2 - 1.1;
                let point = subject.center + subject.half * Vec3::new(part(1), part(10), part(100));
                let depth = view_depth(point);
                if depth < radius / 5000.0 {
                    // Behind the eye, or within the least that is cut.
                    assert!(!camera.is_orthographic(), "{camera:?}");
                    continue;
                }
                let at = matrix.project_point3(point).z;
                assert!((0.0..1.0).contains(&at), "{camera:?} {point} {at}");
                // One pixel of a picture 1000 high farther away.
                let pixel = match seen.projection {
                    Projection::Perspective { fov_y, .. } => depth * (fov_y * 0.5).tan(),
                    Projection::Orthographic { ymag, .. } => ymag,
                } / 500.0;
                let back = seen.view.row(2).truncate();
                let farther = matrix.project_point3(point - back * pixel).z;
                assert!(
                    (farther * 16_777_216.0).round() > (at * 16_777_216.0).round(),
                    "{camera:?} {point} {at}"
                );
            }
        }
    }
}

#[test]
fn a_framed_view_leaves_most_of_the_way_to_the_eye_to_what_moves() {
    let camera = OrbitCamera::new(Some(BOX), ASPECT);
    let matrix = clip(&camera, ASPECT);
    let toward = camera.eye() - camera.target;
    for part in [0.9, 0.0, -1.0, -1e4] {
        let depth = matrix.project_point3(camera.target + toward * part).z;
        assert!((0.0..1.0).contains(&depth), "{part} {depth}");
    }
}

#[test]
fn bounds_that_change_leave_the_picture_and_move_the_near_plane() {
    let camera = OrbitCamera::new(Some(BOX), ASPECT);
    let mut moved = camera;
    // A figure has come to just before the eye.
    let beside = camera.eye() + (camera.target - camera.eye()) * 0.002;
    assert!(clip(&camera, ASPECT).project_point3(beside).z < 0.0);
    moved.set_bounds(Some(BOX.union(&Bounds { min: beside, max: beside })));
    assert_eq!((moved.eye(), moved.target, moved.distance), (camera.eye(), camera.target, camera.distance));
    assert!(clip(&moved, ASPECT).project_point3(beside).z >= 0.0);
    moved.set_bounds(Some(BOX));
    assert_eq!(moved, camera);
}

#[test]
fn parallel_lines_keep_the_size_of_what_is_at_the_targets_depth() {
    for aspect in [0.3, 1.0, 2.5] {
        for camera in cameras() {
            let mut moved = camera;
            moved.set_orthographic(!camera.is_orthographic());
            let mut camera = camera;
            camera.set_aspect(aspect);
            moved.set_aspect(aspect);
            for place in [Vec2::ZERO, Vec2::new(0.8, -0.3), Vec2::new(-0.5, 1.0)] {
                let point = under(&camera, place, aspect);
                assert!(off(&moved, point, place, aspect) < 1e-3, "{camera:?} {place}");
            }
        }
    }
}

#[test]
fn a_distance_that_was_set_below_the_limits_still_shows_the_target() {
    let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
    for distance in [1e-3, 1e-4] {
        camera.distance = distance;
        let depth = clip(&camera, ASPECT).project_point3(camera.target).z;
        assert!((0.0..1.0).contains(&depth), "{distance} {depth}");
    }
}

#[test]
fn a_parallel_view_has_the_shape_that_was_last_given() {
    let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
    camera.set_orthographic(true);
    let shape = |camera: &OrbitCamera| match camera.camera().unwrap().projection {
        Projection::Orthographic { xmag, ymag, .. } => xmag / ymag,
        perspective => panic!("{perspective:?}"),
    };
    assert!((shape(&camera) - ASPECT).abs() < 1e-6);
    camera.zoom_at(1.0, Vec2::ZERO, 0.5);
    assert!((shape(&camera) - 0.5).abs() < 1e-6);
    camera.frame(Some(BOX), 3.0);
    assert!((shape(&camera) - 3.0).abs() < 1e-6);
    camera.set_aspect(0.7);
    assert!((shape(&camera) - 0.7).abs() < 1e-6);
}
