//! Cameras: from a point, from a node, and what they project.

use fire_engine::math::{LookAtError, Mat4, ProjectionError, Quat, Transform, Vec2, Vec3, Vec4, look_at};
use fire_engine::scene::{Camera, Projection, Scene, SceneNodeId};

const PERSPECTIVE: Projection =
    Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: Some(100.0) };

fn scene_with_camera(transform: Transform) -> (Scene, SceneNodeId) {
    let mut scene = Scene::new();
    let node = scene.add_root("camera").unwrap();
    let mut edit = scene.find_mut(node).unwrap();
    edit.set_transform(transform).unwrap();
    edit.set_camera(Some(PERSPECTIVE));
    scene.update_world_transforms();
    (scene, node)
}

#[test]
fn node_camera_looks_down_its_negative_z_from_where_it_stands() {
    let (scene, node) = scene_with_camera(Transform {
        translation: Vec3::new(0.0, 0.0, 5.0),
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    });
    let camera = Camera::from_node(&scene, node).unwrap();
    assert_eq!(camera.view * Vec4::W, Vec4::new(0.0, 0.0, -5.0, 1.0));
    assert_eq!(camera.projection, PERSPECTIVE);
    let (eye, target) = (Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO);
    assert_eq!(camera, Camera::look_at(eye, target, Vec3::Y, PERSPECTIVE).unwrap());
}

#[test]
fn node_camera_is_the_inverse_of_its_world_without_scale() {
    let rotation = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-0.3);
    let translation = Vec3::new(3.0, -2.0, 8.0);
    let expected = Mat4::from_rotation_translation(rotation, translation).inverse();
    for scale in [Vec3::ONE, Vec3::splat(1e-20), Vec3::new(3.0, 0.5, 7.0)] {
        let (scene, node) = scene_with_camera(Transform { translation, rotation, scale });
        let camera = Camera::from_node(&scene, node).unwrap();
        assert!(camera.view.abs_diff_eq(expected, 1e-5), "{scale}");
    }
}

#[test]
fn node_camera_far_from_the_origin_keeps_its_direction() {
    let rotation = Quat::from_rotation_y(0.7);
    let (near, node) = scene_with_camera(Transform::from_rotation(rotation));
    let near = Camera::from_node(&near, node).unwrap();
    for distance in [1e5, 1e9, 1e30] {
        let translation = Vec3::splat(distance);
        let (far, node) = scene_with_camera(Transform { translation, rotation, scale: Vec3::ONE });
        let far = Camera::from_node(&far, node).unwrap();
        for row in 0..3 {
            assert_eq!(far.view.row(row).truncate(), near.view.row(row).truncate(), "{distance}");
        }
    }
}

#[test]
fn mirrored_node_camera_stays_right_handed() {
    let (scene, node) = scene_with_camera(Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    let camera = Camera::from_node(&scene, node).unwrap();
    assert!(camera.view.determinant() > 0.0);
    assert_eq!(camera.view, Mat4::IDENTITY);
}

#[test]
fn node_camera_follows_the_last_resolution_of_its_parents() {
    let (mut scene, node) = scene_with_camera(Transform::from_translation(Vec3::Z));
    let rig = scene.add_root("rig").unwrap();
    scene.set_parent(node, Some(rig)).unwrap();
    let moved = Transform::from_translation(Vec3::new(10.0, 0.0, 0.0));
    scene.find_mut(rig).unwrap().set_transform(moved).unwrap();
    let origin = |scene: &Scene| Camera::from_node(scene, node).unwrap().view * Vec4::W;
    assert_eq!(origin(&scene), Vec4::new(0.0, 0.0, -1.0, 1.0), "stale until resolved");
    scene.update_world_transforms();
    assert_eq!(origin(&scene), Vec4::new(-10.0, 0.0, -1.0, 1.0));
}

#[test]
fn no_camera_a_removed_node_and_a_flattened_one_give_none() {
    let (mut scene, node) = scene_with_camera(Transform::from_scale(Vec3::new(1.0, 1.0, 0.0)));
    assert_eq!(Camera::from_node(&scene, node), None);
    let plain = scene.add_root("no camera").unwrap();
    assert_eq!(Camera::from_node(&scene, plain), None);
    assert_eq!(Camera::from_node(&Scene::new(), plain), None);
    scene.remove(node).unwrap();
    assert_eq!(Camera::from_node(&scene, node), None);
    // The next node in the slot has no camera either.
    let heir = scene.add_root("heir").unwrap();
    assert_eq!(scene.find(heir).unwrap().camera(), None);
}

#[test]
fn cleared_camera_is_gone() {
    let (mut scene, node) = scene_with_camera(Transform::IDENTITY);
    assert!(Camera::from_node(&scene, node).is_some());
    scene.find_mut(node).unwrap().set_camera(None);
    assert_eq!(Camera::from_node(&scene, node), None);
}

#[test]
fn missing_aspect_is_the_targets_and_a_given_one_stays() {
    let camera = Camera::look_at(Vec3::Z, Vec3::ZERO, Vec3::Y, PERSPECTIVE).unwrap();
    let (wide, square) = (camera.view_projection(2.0).unwrap(), camera.view_projection(1.0).unwrap());
    assert_eq!(wide.x_axis.x * 2.0, square.x_axis.x);
    let fixed = Projection::Perspective { fov_y: 1.0, aspect: Some(1.0), near: 0.1, far: Some(100.0) };
    assert_eq!(fixed.matrix(2.0), PERSPECTIVE.matrix(1.0));
}

#[test]
fn infinite_far_plane_and_orthographic_views_reach_depth_one() {
    let depth = |matrix: Mat4, z: f32| {
        let clip = matrix * Vec4::new(0.0, 0.0, z, 1.0);
        clip.z / clip.w
    };
    let infinite =
        Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: None }.matrix(1.0).unwrap();
    assert!(depth(infinite, -0.1).abs() < 1e-6);
    assert!((depth(infinite, -1e9) - 1.0).abs() < 1e-6);
    let parallel = Projection::Orthographic { xmag: 2.0, ymag: 1.0, near: 1.0, far: 3.0 };
    // The target's aspect does not reshape an orthographic view.
    assert_eq!(parallel.matrix(1.0), parallel.matrix(7.0));
    let parallel = parallel.matrix(1.0).unwrap();
    assert!(depth(parallel, -1.0).abs() < 1e-6 && (depth(parallel, -3.0) - 1.0).abs() < 1e-6);
}

#[test]
fn faulty_cameras_say_which_argument_it_is() {
    let up = Camera::look_at(Vec3::Y, Vec3::ZERO, Vec3::Y, PERSPECTIVE).unwrap_err();
    assert!(matches!(up, LookAtError::Up(_)), "{up}");
    assert_eq!(look_at(Vec3::Y, Vec3::ZERO, Vec3::Y), Err(up));
    let camera = Camera::look_at(Vec3::Z, Vec3::ZERO, Vec3::Y, PERSPECTIVE).unwrap();
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(camera.view_projection(bad), Err(ProjectionError::Aspect(_))), "{bad}");
    }
    let flat = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 1.0, far: 1.0 };
    assert_eq!(flat.matrix(1.0), Err(ProjectionError::Far { near: 1.0, far: 1.0 }));
}

#[test]
fn a_shifted_camera_moves_the_picture_and_nothing_in_it() {
    let perspective = Projection::Perspective { fov_y: 0.8, aspect: None, near: 0.1, far: Some(50.0) };
    let orthographic = Projection::Orthographic { xmag: 3.0, ymag: 2.0, near: 0.0, far: 50.0 };
    for projection in [perspective, orthographic] {
        let straight = Camera::look_at(Vec3::new(1.0, 2.0, 9.0), Vec3::ZERO, Vec3::Y, projection).unwrap();
        assert_eq!(straight.shift, Vec2::ZERO);
        let shifted = Camera { shift: Vec2::new(0.25, -0.5), ..straight };
        let [before, after] = [straight, shifted].map(|camera| camera.view_projection(1.5).unwrap());
        for point in [Vec3::ZERO, Vec3::new(1.0, -1.0, 3.0), Vec3::new(-2.0, 0.5, -20.0)] {
            let moved = after.project_point3(point) - before.project_point3(point);
            assert!(moved.abs_diff_eq(Vec3::new(0.25, -0.5, 0.0), 1e-6), "{projection:?} {point} {moved}");
        }
    }
}
