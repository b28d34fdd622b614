//! No input breaks a camera.

use super::shared::{ASPECT, BOX, HEIGHT, cameras, jostle};
use fire_engine::controls::OrbitCamera;
use fire_engine::math::{LookAtError, NormalizeError, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI};

#[test]
fn input_that_is_no_number_and_views_without_a_height_change_nothing() {
    for camera in cameras() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut moved = camera;
            jostle(&mut moved, bad);
            for pixels in [Vec2::new(bad, 1.0), Vec2::new(1.0, bad)] {
                moved.orbit(pixels, HEIGHT);
                moved.pan(pixels, HEIGHT);
                moved.look(pixels, HEIGHT);
                moved.zoom_at(1.0, pixels, ASPECT);
            }
            moved.fly(Vec3::new(0.0, bad, 1.0), 1.0);
            assert_eq!(moved, camera, "{bad}");
        }
        let mut moved = camera;
        for none in [0.0, -0.0, -5.0] {
            moved.orbit(Vec2::ONE, none);
            moved.pan(Vec2::ONE, none);
            moved.look(Vec2::ONE, none);
            moved.zoom_at(1.0, Vec2::ONE, none);
            moved.set_aspect(none);
        }
        assert_eq!(moved, camera);
        let framed = |aspect| {
            let mut camera = camera;
            camera.frame(Some(BOX), aspect);
            camera
        };
        // Of a shape that is none, the last one is remembered.
        for none in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(framed(none), framed(ASPECT));
        }
        let mut still = camera;
        still.orbit(Vec2::ZERO, HEIGHT);
        still.pan(Vec2::ZERO, HEIGHT);
        still.zoom(0.0);
        still.zoom_at(0.0, Vec2::ONE, ASPECT);
        still.fly(Vec3::ZERO, 1.0);
        still.fly(Vec3::ONE, 0.0);
        assert!(still.target.abs_diff_eq(camera.target, 1e-5) && still.distance == camera.distance);
    }
}

#[test]
fn enormous_input_leaves_numbers() {
    for camera in cameras() {
        for by in [1e9, -1e9, 1e30, f32::MAX, f32::MIN, 1e-40, f32::MIN_POSITIVE] {
            let mut moved = camera;
            jostle(&mut moved, by);
            let numbers = [moved.yaw, moved.pitch, moved.distance];
            assert!(moved.target.is_finite() && numbers.iter().all(|number| number.is_finite()), "{moved:?}");
            assert!(
                moved.distance > 0.0 && moved.pitch.abs() < FRAC_PI_2 && moved.yaw.abs() <= PI,
                "{moved:?}"
            );
            let camera = moved.camera();
            assert!(
                camera.is_ok_and(|camera| camera.view.is_finite()) || moved.target.length() > 1e30,
                "{moved:?}"
            );
        }
    }
}

#[test]
fn fields_that_were_set_out_of_range_are_held_or_are_errors() {
    let set = |set: fn(&mut OrbitCamera)| {
        let mut camera = OrbitCamera::new(Some(BOX), ASPECT);
        set(&mut camera);
        // The moves bear it as well.
        let mut moved = camera;
        jostle(&mut moved, 3.0);
        let _ = moved.camera();
        camera.camera()
    };
    let steep = set(|camera| camera.pitch = 9.0).unwrap();
    let mut clamped = OrbitCamera::new(Some(BOX), ASPECT);
    clamped.orbit(Vec2::new(0.0, 1e6), HEIGHT);
    assert_eq!(steep, clamped.camera().unwrap());
    assert!(set(|camera| camera.yaw = 1e6).unwrap().view.is_finite());
    let (zero, non_finite) = (NormalizeError::ZeroLength, NormalizeError::NonFinite);
    assert_eq!(set(|camera| camera.distance = 0.0), Err(LookAtError::Target(zero)));
    assert_eq!(set(|camera| camera.distance = -1.0), Err(LookAtError::Target(zero)));
    assert_eq!(set(|camera| camera.distance = f32::NAN), Err(LookAtError::Target(non_finite)));
    assert!(set(|camera| camera.target = Vec3::NAN).is_err());
    assert!(set(|camera| camera.yaw = f32::NAN).is_err());
    assert!(set(|camera| camera.pitch = f32::NAN).is_err());
    let blind = set(|camera| camera.fov_y = 4.0).unwrap();
    assert!(blind.view_projection(1.0).is_err());
}
