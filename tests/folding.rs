//! Primitive children share their parent's row, and nothing that a user sees tells.

#[path = "support/nodes.rs"]
mod nodes;

use fire_engine::animation::PlaybackOptions;
use fire_engine::math::{Mat4, Quat, Transform, Vec3};
use fire_engine::scene::{Camera, LocalTransform, Scene, SceneNodeId, advance_animations};
use nodes::*;

#[test]
fn primitive_children_are_folded_and_it_does_not_show() {
    let mut scene = Scene::new();
    let root = scene.add_root("root").unwrap();
    put(&mut scene, root, moved(1.0, 2.0, 3.0));
    let primitives = [0, 1].map(|object| drawn_child(&mut scene, root, object));
    assert_eq!(scene.world_transforms().len(), 3);
    scene.update_world_transforms();
    assert_eq!(scene.world_transforms().len(), 1, "the primitives share their parent's row");
    for primitive in primitives {
        let view = scene.find(primitive).unwrap();
        assert_eq!(view.local(), LocalTransform::Trs(Transform::IDENTITY));
        assert_eq!(view.world(), world(&scene, root));
        assert_eq!(view.parent().unwrap().id(), root);
    }
    let list = list_of(&scene);
    assert_eq!(list.worlds().len(), 1);
    assert_eq!(list.items()[0].world, list.items()[1].world);
}

/// What must hold after any edit of a folded child: it moves on its own, under an unmoved parent.
fn unfolds_by(edit: impl FnOnce(&mut Scene, SceneNodeId)) {
    let mut scene = Scene::new();
    let root = scene.add_root("root").unwrap();
    put(&mut scene, root, moved(1.0, 0.0, 0.0));
    let child = drawn_child(&mut scene, root, 0);
    let sibling = drawn_child(&mut scene, root, 1);
    scene.update_world_transforms();
    assert_eq!(scene.world_transforms().len(), 1);
    edit(&mut scene, child);
    assert_eq!(at(&scene, child), Vec3::X, "the last resolved world survives the unfolding");
    assert_eq!(objects(&scene), [0, 1]);
    scene.update_world_transforms();
    put(&mut scene, child, moved(0.0, 5.0, 0.0));
    scene.update_world_transforms();
    assert_eq!(at(&scene, child), Vec3::new(1.0, 5.0, 0.0));
    assert_eq!(at(&scene, sibling), Vec3::X);
    assert_eq!(at(&scene, root), Vec3::X);
    assert_eq!(scene.world_transforms().len(), 2, "only the edited child has a row of its own");
}

#[test]
fn folded_child_unfolds_when_it_is_moved() {
    unfolds_by(|scene, child| put(scene, child, moved(0.0, 0.0, 1.0)));
}

#[test]
fn folded_child_unfolds_when_it_gets_a_matrix() {
    unfolds_by(|scene, child| scene.find_mut(child).unwrap().set_matrix(Mat4::IDENTITY).unwrap());
}

#[test]
fn folded_child_may_carry_a_camera_which_is_no_change_of_structure() {
    unfolds_by(|scene, child| {
        let revision = scene.structure_revision();
        scene.find_mut(child).unwrap().set_camera(Some(CAMERA));
        assert_eq!(scene.structure_revision(), revision);
        let view = Camera::from_node(scene, child).unwrap().view;
        assert_eq!(view, Mat4::from_translation(Vec3::NEG_X));
    });
}

#[test]
fn folded_child_may_draw_something_else_or_nothing() {
    let mut scene = Scene::new();
    let root = scene.add_root("").unwrap();
    let child = drawn_child(&mut scene, root, 0);
    put(&mut scene, root, moved(1.0, 0.0, 0.0));
    scene.update_world_transforms();
    draw(&mut scene, child, 3);
    assert_eq!(objects(&scene), [3]);
    scene.find_mut(child).unwrap().set_render_object(None);
    assert!(objects(&scene).is_empty());
    scene.update_world_transforms();
    put(&mut scene, child, moved(0.0, 1.0, 0.0));
    scene.update_world_transforms();
    assert_eq!((at(&scene, child), at(&scene, root)), (Vec3::new(1.0, 1.0, 0.0), Vec3::X));
}

#[test]
fn folded_child_unfolds_when_a_clip_drives_it() {
    unfolds_by(|scene, child| {
        let clips = [pose(Quat::from_rotation_z(1.0))];
        scene.play(&clips[0], &bind(child), PlaybackOptions::default()).unwrap();
        advance_animations(scene, &clips, 0.0).unwrap();
        let local = scene.find(child).unwrap().local().transform().unwrap();
        assert_eq!(local.rotation, Quat::from_rotation_z(1.0));
    });
}

#[test]
fn folded_child_keeps_its_fold_and_its_world_under_a_child_of_its_own() {
    let mut scene = Scene::new();
    let root = scene.add_root("root").unwrap();
    let child = drawn_child(&mut scene, root, 0);
    put(&mut scene, root, moved(1.0, 0.0, 0.0));
    scene.update_world_transforms();
    let grandchild = drawn_child(&mut scene, child, 1);
    let late = scene.add_child(child, "late").unwrap();
    put(&mut scene, late, moved(0.0, 1.0, 0.0));
    scene.update_world_transforms();
    assert_eq!((at(&scene, grandchild), at(&scene, late)), (Vec3::X, Vec3::new(1.0, 1.0, 0.0)));
    put(&mut scene, child, moved(0.0, 0.0, 7.0));
    scene.update_world_transforms();
    assert_eq!(at(&scene, grandchild), Vec3::new(1.0, 0.0, 7.0));
    assert_eq!(at(&scene, late), Vec3::new(1.0, 1.0, 7.0));
}

#[test]
fn folded_child_moves_with_its_new_parent() {
    let mut scene = Scene::new();
    let (a, b) = (scene.add_root("a").unwrap(), scene.add_root("b").unwrap());
    put(&mut scene, a, moved(1.0, 0.0, 0.0));
    put(&mut scene, b, moved(2.0, 0.0, 0.0));
    let child = drawn_child(&mut scene, a, 0);
    scene.update_world_transforms();
    scene.set_parent(child, Some(b)).unwrap();
    assert_eq!(at(&scene, child).x, 1.0, "as of the last resolution");
    scene.update_world_transforms();
    assert_eq!(at(&scene, child).x, 2.0);
    scene.set_parent(child, None).unwrap();
    scene.update_world_transforms();
    assert_eq!(at(&scene, child).x, 0.0);
    assert_eq!(scene.world_transforms().len(), 3);
}

#[test]
fn identity_set_on_a_folded_child_is_no_change() {
    let mut scene = Scene::new();
    let root = scene.add_root("").unwrap();
    let child = drawn_child(&mut scene, root, 0);
    scene.update_world_transforms();
    let revision = scene.structure_revision();
    put(&mut scene, child, Transform::IDENTITY);
    draw(&mut scene, child, 0);
    scene.find_mut(child).unwrap().set_camera(None);
    scene.update_world_transforms();
    assert_eq!(scene.structure_revision(), revision);
    assert_eq!(scene.world_transforms().len(), 1);
}
