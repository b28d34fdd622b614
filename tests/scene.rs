//! The scene room: structure, ids, pose and draw order.

use fire_engine::assets::RenderObjectId;
use fire_engine::math::{Transform, Vec3};
use fire_engine::scene::{DrawList, Scene};

#[test]
fn resolves_worlds_and_emits_draws_depth_first() {
    let mut scene = Scene::new();
    let root = scene.add_root("root").unwrap();
    let child = scene.add_child(root, "child").unwrap();
    let mut edit = scene.find_mut(root).unwrap();
    edit.set_transform(Transform::from_translation(Vec3::new(1.0, 0.0, 0.0))).unwrap();
    edit.set_render_object(Some(RenderObjectId::new(0)));
    let mut edit = scene.find_mut(child).unwrap();
    edit.set_transform(Transform::from_translation(Vec3::new(0.0, 2.0, 0.0))).unwrap();
    edit.set_render_object(Some(RenderObjectId::new(1)));
    scene.update_world_transforms();
    let world = scene.find(child).unwrap().world();
    assert_eq!(world.translation(), Vec3::new(1.0, 2.0, 0.0));
    let mut list = DrawList::new();
    scene.build_draw_list(&mut list);
    assert_eq!(list.len(), 2);
    assert_eq!(list.items()[0].render_object, RenderObjectId::new(0));
    assert_eq!(list.world(1), Some(&world));
}
