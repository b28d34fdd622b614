//! What each move keeps.

use super::shared::{ASPECT, BOX, HEIGHT, assert_close, bounds, cameras, clip, off, under};
use fire_engine::controls::{OrbitCamera, Subject};
use fire_engine::math::{Vec2, Vec3};
use fire_engine::scene::Camera;
use std::f32::consts::{FRAC_PI_2, PI};

#[test]
fn orbiting_keeps_the_distance_and_the_target_in_the_middle() {
    for camera in cameras() {
        let mut moved = camera;
        for pixels in [Vec2::new(13.0, 4.0), Vec2::new(-170.0, 33.5), Vec2::new(0.25, -90.0)] {
            moved.orbit(pixels, HEIGHT);
            assert_eq!((moved.target, moved.distance), (camera.target, camera.distance));
            assert_close((moved.eye() - moved.target).length(), moved.distance, moved.distance * 1e-5, moved);
            assert!(off(&moved, moved.target, Vec2::ZERO, ASPECT) < 1e-4, "{moved:?}");
        }
        assert_ne!(moved.eye(), camera.eye());
    }
}

#[test]
fn a_drag_turns_the_model_with_the_pointer_and_a_whole_height_is_half_a_turn() {
    let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
    (camera.yaw, camera.pitch) = (0.25, 0.1);
    // What is in front of the middle goes where the pointer goes.
    let front = camera.target + (camera.eye() - camera.target) * 0.1;
    let mut moved = camera;
    moved.orbit(Vec2::new(10.0, 10.0), HEIGHT);
    let seen = clip(&moved, ASPECT).project_point3(front);
    assert!(seen.x > 0.0 && seen.y < 0.0, "{seen}");
    moved = camera;
    moved.orbit(Vec2::new(HEIGHT, 0.0), HEIGHT);
    assert_close(moved.yaw, 0.25 - PI + if 0.25 - PI < -PI { 2.0 * PI } else { 0.0 }, 1e-6, moved);
    moved.orbit(Vec2::new(0.0, HEIGHT * 0.25), HEIGHT);
    assert_close(moved.pitch, 0.1 + PI * 0.25, 1e-6, moved);
}

#[test]
fn the_poles_stop_the_pitch_and_the_picture_does_not_flip() {
    for sign in [1.0, -1.0] {
        let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
        let before = camera;
        for _ in 0..100 {
            camera.orbit(Vec2::new(0.0, sign * 40.0), HEIGHT);
            assert_eq!(camera.yaw, before.yaw);
            assert!(camera.pitch.abs() < FRAC_PI_2, "{camera:?}");
            // +X of the picture stays the same direction, and +Y is never downward.
            let view = camera.camera().unwrap().view;
            assert!(view.row(0).abs_diff_eq(before.camera().unwrap().view.row(0), 1e-5), "{view}");
            assert!(view.row(1).y > 0.0, "{view}");
        }
        assert_close(camera.pitch.abs(), FRAC_PI_2, 2e-4, camera);
        // What others make of the eye and +Y is the same view.
        let own = camera.camera().unwrap();
        let theirs = Camera::look_at(camera.eye(), camera.target, Vec3::Y, own.projection).unwrap();
        assert!(own.view.abs_diff_eq(theirs.view, 0.02), "{own:?} {theirs:?}");
        camera.orbit(Vec2::new(0.0, -sign * 40.0), HEIGHT);
        assert_close(camera.pitch.abs(), FRAC_PI_2 - 40.0 / HEIGHT * PI, 2e-4, camera);
    }
}

#[test]
fn a_million_orbits_wrap_without_drift() {
    let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
    let (start, pitch) = (camera.yaw, camera.pitch);
    let turns = |camera: &mut OrbitCamera, pixels: f32| {
        for _ in 0..1_000_000 {
            camera.orbit(Vec2::new(pixels, 0.0), HEIGHT);
            assert!(camera.yaw.abs() <= PI);
        }
    };
    // Whole turns, then steps whose sum is known.
    turns(&mut camera, 2.0 * HEIGHT);
    assert_close(camera.yaw, start, 1e-6, camera);
    turns(&mut camera, 7.0);
    let exact = f64::from(start) - 1e6 * 7.0 / f64::from(HEIGHT) * std::f64::consts::PI;
    let apart = (f64::from(camera.yaw) - exact).rem_euclid(std::f64::consts::TAU);
    assert!(apart.min(std::f64::consts::TAU - apart) < 1e-5, "{apart}");
    turns(&mut camera, -7.0);
    assert_close(camera.yaw, start, 1e-5, camera);
    assert_eq!(camera.pitch, pitch);
}

#[test]
fn panning_keeps_what_is_at_the_targets_depth_under_the_pointer() {
    for camera in cameras() {
        for height in [HEIGHT, 37.0] {
            let size = Vec2::new(height * ASPECT, height);
            for (from, by) in
                [(Vec2::ZERO, Vec2::new(10.0, 4.0)), (Vec2::new(0.4, -0.7), Vec2::new(-31.0, 20.5))]
            {
                let point = under(&camera, from, ASPECT);
                let mut moved = camera;
                moved.pan(by, height);
                let to = from + Vec2::new(by.x, -by.y) * 2.0 / size;
                assert!(off(&moved, point, to, ASPECT) < 1e-3, "{camera:?} {from} {by}");
                assert_eq!(
                    (moved.yaw, moved.pitch, moved.distance),
                    (camera.yaw, camera.pitch, camera.distance)
                );
            }
        }
    }
}

#[test]
fn zooming_at_the_pointer_keeps_what_is_under_it_at_the_targets_depth() {
    for camera in cameras() {
        for steps in [1.0, -1.0, 0.013, 11.0, -8.5, 1e4, -1e4] {
            for place in [Vec2::ZERO, Vec2::new(0.9, -0.8), Vec2::new(-1.0, 1.0)] {
                let point = under(&camera, place, ASPECT);
                let mut moved = camera;
                moved.zoom_at(steps, place, ASPECT);
                // At the nearest, rounding of the target's coordinates is half a pixel of a picture of 500.
                let tolerance = if steps < 100.0 { 1e-3 } else { 3e-3 };
                let off = off(&moved, point, place, ASPECT);
                assert!(off < tolerance, "{camera:?} {steps} {place} {off}");
                assert_eq!((moved.yaw, moved.pitch), (camera.yaw, camera.pitch));
                let mut plain = camera;
                plain.zoom(steps);
                assert_eq!(moved.distance, plain.distance);
                // The picture's plane is kept: the target moves across the line of sight only.
                let along = (camera.eye() - camera.target).normalize().dot(moved.target - camera.target);
                assert!(along.abs() < 1e-3 * (1.0 + camera.distance), "{along}");
            }
        }
    }
}

#[test]
fn zooming_is_exponential_and_takes_parts_of_steps() {
    let camera = OrbitCamera::new(Some(BOX), ASPECT);
    let after = |steps: &[f32]| {
        let mut camera = camera;
        steps.iter().for_each(|&steps| camera.zoom(steps));
        camera.distance / OrbitCamera::new(Some(BOX), ASPECT).distance
    };
    assert_close(after(&[5.0]), 0.5, 1e-6, "five steps halve it");
    assert_close(after(&[-5.0]), 2.0, 1e-6, "and double it");
    assert_close(after(&[0.1; 50]), 0.5, 1e-5, "in parts");
    assert_close(after(&[0.3, 0.7]), after(&[1.0]), 1e-6, "parts add up");
    assert!(after(&[1.0]) < 1.0 && after(&[1e-3]) < 1.0);
}

#[test]
fn zooming_in_and_out_returns_and_does_not_drift() {
    for steps in [1.0, 0.37, 3.0] {
        let camera = OrbitCamera::new(Some(BOX), ASPECT);
        let mut moved = camera;
        for _ in 0..20_000 {
            (0..7).for_each(|_| moved.zoom(steps));
            (0..7).for_each(|_| moved.zoom(-steps));
        }
        assert_close(moved.distance, camera.distance, camera.distance * 1e-5, steps);
        let place = Vec2::new(0.5, -0.25);
        for _ in 0..1_000 {
            (0..7).for_each(|_| moved.zoom_at(steps, place, ASPECT));
            (0..7).for_each(|_| moved.zoom_at(-steps, place, ASPECT));
        }
        assert!(moved.target.abs_diff_eq(camera.target, 1e-2), "{}", moved.target);
    }
}

#[test]
fn zooming_ends_before_the_target_and_far_away_and_never_jumps() {
    let radius = Subject::new(Some(BOX)).radius;
    let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
    for _ in 0..1_000 {
        camera.zoom(1.0);
        assert!(camera.distance > 0.0 && camera.eye() != camera.target);
    }
    assert_close(camera.distance, radius * 1e-3, radius * 1e-6, "nearest");
    let nearest = camera.distance;
    camera.zoom(1e30);
    assert_eq!(camera.distance, nearest);
    camera.zoom(-1e30);
    assert_close(camera.distance, radius * 1e3, radius * 1e-3, "farthest");
    // Beyond the limits, as after a file became smaller or larger, a step changes nothing or leads back.
    for (steps, back) in [(1.0, -1.0), (-1.0, 1.0)] {
        let mut beyond = OrbitCamera::new(Some(BOX), ASPECT);
        beyond.distance *= if steps > 0.0 { 1e-5 } else { 1e5 };
        let before = beyond.distance;
        beyond.zoom(steps);
        assert_eq!(beyond.distance, before);
        beyond.zoom(back);
        assert_close(beyond.distance / before, 2.0_f32.powf(-back / 5.0), 1e-5, beyond);
    }
    // Where coordinates are coarse it ends earlier: the eye is apart from the target.
    let mut far = OrbitCamera::new(bounds(Vec3::new(3e6, 0.0, 0.0), Vec3::ONE), ASPECT);
    far.zoom(1e3);
    assert!((far.eye() - far.target).length() > 1.0, "{far:?}");
}

#[test]
fn looking_around_keeps_the_eye_and_moves_the_picture_against_the_motion() {
    for camera in cameras() {
        let mut moved = camera;
        for pixels in
            [Vec2::new(13.0, 4.0), Vec2::new(-170.0, 33.5), Vec2::new(0.25, -90.0), Vec2::new(0.0, 900.0)]
        {
            moved.look(pixels, HEIGHT);
            assert!(moved.eye().abs_diff_eq(camera.eye(), 1e-5 * (10.0 + camera.distance)), "{moved:?}");
            assert_eq!(moved.distance, camera.distance);
        }
    }
    let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
    let middle = camera.target;
    camera.look(Vec2::new(20.0, 10.0), HEIGHT);
    // To the right and down: what was in the middle is to the left and up.
    let seen = clip(&camera, ASPECT).project_point3(middle);
    assert!(seen.x < 0.0 && seen.y > 0.0, "{seen}");
    let pitch = camera.pitch;
    camera.look(Vec2::new(0.0, HEIGHT / 9.0), HEIGHT);
    assert_close(camera.pitch - pitch, FRAC_PI_2 / 9.0, 1e-6, camera);
}

#[test]
fn flying_goes_by_speed_and_seconds_along_the_picture_whatever_the_rate_of_frames() {
    for camera in cameras() {
        let view = camera.camera().unwrap().view;
        for (motion, row, sign) in [(Vec3::X, 0, 1.0), (Vec3::Y, 1, 1.0), (Vec3::Z, 2, -1.0)] {
            let mut moved = camera;
            moved.fly(motion, 0.5);
            let expected = view.row(row).truncate() * sign * camera.speed() * 0.5;
            let tolerance = 1e-5 * (10.0 + camera.distance);
            assert!((moved.eye() - camera.eye()).abs_diff_eq(expected, tolerance), "{camera:?} {motion}");
            assert!((moved.target - camera.target).abs_diff_eq(expected, tolerance), "{camera:?} {motion}");
        }
        let flown = |frames: u16| {
            let mut moved = camera;
            (0..frames).for_each(|_| moved.fly(Vec3::new(0.5, -1.0, 1.0), 2.0 / f32::from(frames)));
            moved.eye()
        };
        assert!(flown(1).abs_diff_eq(flown(1000), 1e-4 * (10.0 + camera.distance)), "{camera:?}");
    }
    // The same picture goes by at the same speed, however large the model.
    let speed = |scale: f32| OrbitCamera::new(bounds(Vec3::ZERO, Vec3::splat(scale)), ASPECT).speed();
    assert!(speed(1.0) > 0.0);
    assert_close(speed(1000.0) / speed(1.0), 1000.0, 1e-2, "scale");
    let mut near = OrbitCamera::new(Some(BOX), ASPECT);
    let before = near.speed();
    near.zoom(5.0);
    assert_close(near.speed() / before, 0.5, 1e-5, near);
}
