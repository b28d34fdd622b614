//! The scene room: structure, ids, pose and draw order.

#[path = "support/nodes.rs"]
mod nodes;

use fire_engine::animation::PlaybackOptions;
use fire_engine::assets::RenderObjectId;
use fire_engine::math::{Affine3x4, Mat4, Quat, Transform, Vec3};
use fire_engine::scene::{
    DrawList, Light, LightError, LightKind, LocalTransform, Scene, SceneError, advance_animations,
};
use nodes::*;

const SUN: Light = Light { kind: LightKind::Directional, color: Vec3::ONE, intensity: 100_000.0 };

#[test]
fn resolves_worlds_and_emits_draws_depth_first() {
    let mut scene = Scene::new();
    let root = scene.add_root("root").unwrap();
    let child = scene.add_child(root, "child").unwrap();
    put(&mut scene, root, moved(1.0, 0.0, 0.0));
    draw(&mut scene, root, 0);
    put(&mut scene, child, moved(0.0, 2.0, 0.0));
    draw(&mut scene, child, 1);
    scene.update_world_transforms();
    assert_eq!(at(&scene, child), Vec3::new(1.0, 2.0, 0.0));
    let list = list_of(&scene);
    assert_eq!(list.len(), 2);
    assert_eq!(list.items()[0].render_object, RenderObjectId::new(0));
    assert_eq!(list.world(1), Some(&world(&scene, child)));
    assert_eq!(list.world(2), None);
}

#[test]
fn ids_exist_at_once_and_stay_stable() {
    let mut scene = Scene::new();
    let root = scene.add_root("root").unwrap();
    let other = scene.add_root("other").unwrap();
    scene.update_world_transforms();
    // A child added late, under an early root, needs no update to be found.
    let child = scene.add_child(root, "child").unwrap();
    assert_eq!(scene.find(child).unwrap().name(), "child");
    for _ in 0..3 {
        scene.update_world_transforms();
        for (id, name) in [(root, "root"), (other, "other"), (child, "child")] {
            assert_eq!((scene.find(id).unwrap().id(), scene.find(id).unwrap().name()), (id, name));
        }
    }
    assert_eq!(scene.nodes().map(|n| n.id()).collect::<Vec<_>>(), [root, child, other]);
}

#[test]
fn ids_of_removed_nodes_are_never_reused() {
    let mut scene = Scene::new();
    let mut dead = Vec::new();
    for _ in 0..50 {
        let node = scene.add_root("").unwrap();
        assert!(!dead.contains(&node));
        assert_eq!(scene.remove(node), Ok(1));
        dead.push(node);
    }
    let heir = scene.add_root("heir").unwrap();
    assert!(dead.iter().all(|&id| id != heir && scene.find(id).is_none() && scene.find_mut(id).is_none()));
    assert_eq!(scene.remove(dead[0]), Err(SceneError::UnknownNode { what: "node" }));
    assert_eq!(scene.add_child(dead[0], ""), Err(SceneError::UnknownNode { what: "parent" }));
    assert_eq!(scene.set_parent(heir, Some(dead[0])), Err(SceneError::UnknownNode { what: "new parent" }));
    assert_eq!((scene.len(), scene.roots().count()), (1, 1));
}

#[test]
fn ids_of_another_scene_find_nothing() {
    let (mut a, mut b) = (Scene::new(), Scene::new());
    let (in_a, in_b) = (a.add_root("a").unwrap(), b.add_root("b").unwrap());
    assert!(a.find(in_b).is_none() && b.find(in_a).is_none());
    assert_eq!(b.add_child(in_a, ""), Err(SceneError::UnknownNode { what: "parent" }));
    assert_eq!(b.remove(in_a), Err(SceneError::UnknownNode { what: "node" }));
    assert_ne!(a.identity(), b.identity());
}

#[test]
fn roots_keep_their_order() {
    let mut scene = Scene::new();
    for (name, object) in [("first", 7), ("second", 3)] {
        let node = scene.add_root(name).unwrap();
        draw(&mut scene, node, object);
    }
    assert_eq!(scene.roots().map(|n| n.name().to_owned()).collect::<Vec<_>>(), ["first", "second"]);
    assert_eq!(objects(&scene), [7, 3]);
}

#[test]
fn animated_roots_share_a_channel_and_their_render_children_inherit_the_transform() {
    let clips = [pose(Quat::from_rotation_z(1.0))];
    let mut scene = Scene::new();
    let roots = [scene.add_root("a").unwrap(), scene.add_root("b").unwrap()];
    for root in roots {
        drawn_child(&mut scene, root, 0);
        scene.play(&clips[0], &bind(root), PlaybackOptions::default()).unwrap();
    }
    put(&mut scene, roots[0], moved(3.0, 0.0, 0.0));
    let plain = scene.add_root("plain").unwrap();
    advance_animations(&mut scene, &clips, 0.0).unwrap();
    scene.update_world_transforms();
    let list = list_of(&scene);
    assert_eq!(list.len(), 2);
    assert_eq!(list.world(0).unwrap().translation().x, 3.0);
    assert_eq!(*list.world(1).unwrap(), Transform::from_rotation(Quat::from_rotation_z(1.0)).affine());
    let plain = scene.find(plain).unwrap();
    assert!(plain.render_object().is_none() && !plain.is_animated() && plain.camera().is_none());
}

#[test]
fn one_node_may_be_animated_drawn_a_camera_and_a_light_at_once() {
    let clips = [pose(Quat::from_rotation_y(1.0))];
    let mut scene = Scene::new();
    let node = scene.add_root("all").unwrap();
    draw(&mut scene, node, 4);
    scene.find_mut(node).unwrap().set_camera(Some(CAMERA));
    scene.find_mut(node).unwrap().set_light(Some(SUN)).unwrap();
    scene.play(&clips[0], &bind(node), PlaybackOptions::default()).unwrap();
    let view = scene.find(node).unwrap();
    assert!(view.is_animated());
    assert_eq!((view.render_object(), view.camera()), (Some(RenderObjectId::new(4)), Some(CAMERA)));
    assert_eq!(view.light(), Some(SUN));
}

#[test]
fn cameras_and_lights_are_listed_with_their_nodes_in_draw_order_under_their_own_names() {
    let mut scene = Scene::new();
    assert_eq!((scene.cameras().count(), scene.lights().count()), (0, 0));
    let nodes = ["a", "b", "c"].map(|name| scene.add_root(name).unwrap());
    let revision = scene.structure_revision();
    for node in [nodes[2], nodes[0]] {
        let mut edit = scene.find_mut(node).unwrap();
        edit.set_camera(Some(CAMERA));
        edit.set_light(Some(SUN)).unwrap();
    }
    scene.find_mut(nodes[2]).unwrap().set_camera_name("front");
    scene.find_mut(nodes[2]).unwrap().set_light_name("noon");
    scene.find_mut(nodes[1]).unwrap().set_light_name("nothing there to name");
    let cameras: Vec<_> = scene.cameras().map(|(node, _)| (node.name(), node.camera_name())).collect();
    assert_eq!(cameras, [("a", ""), ("c", "front")]);
    let lights: Vec<_> =
        scene.lights().map(|(node, light)| (node.name(), node.light_name(), light)).collect();
    assert_eq!(lights, [("a", "", SUN), ("c", "noon", SUN)]);
    // Another light in its place keeps the name, a bad one changes nothing, and none takes the name along.
    let dim = Light { intensity: 1.0, ..SUN };
    let mut edit = scene.find_mut(nodes[2]).unwrap();
    edit.set_light(Some(dim)).unwrap();
    assert_eq!(edit.set_light(Some(Light { intensity: -1.0, ..SUN })), Err(LightError::Intensity(-1.0)));
    assert_eq!((edit.as_node_ref().light(), edit.as_node_ref().light_name()), (Some(dim), "noon"));
    edit.set_light(None).unwrap();
    edit.set_light(Some(SUN)).unwrap();
    assert_eq!(edit.as_node_ref().light_name(), "");
    assert_eq!(scene.structure_revision(), revision);
    // What takes a removed node's place starts with nothing.
    scene.remove(nodes[0]).unwrap();
    let heir = scene.add_root("heir").unwrap();
    let heir = scene.find(heir).unwrap();
    assert_eq!((heir.light(), heir.camera(), heir.camera_name()), (None, None, ""));
}

#[test]
fn names_may_be_empty_repeated_and_changed() {
    let mut scene = Scene::new();
    let (a, b) = (scene.add_root("").unwrap(), scene.add_root("").unwrap());
    let revision = scene.structure_revision();
    scene.find_mut(b).unwrap().set_name("b");
    assert_eq!((scene.find(a).unwrap().name(), scene.find(b).unwrap().name()), ("", "b"));
    assert_eq!(scene.structure_revision(), revision);
}

#[test]
fn removal_takes_the_subtree_and_nothing_else() {
    let mut scene = Scene::new();
    let root = scene.add_root("root").unwrap();
    let (left, right) = (scene.add_child(root, "l").unwrap(), scene.add_child(root, "r").unwrap());
    let leaf = scene.add_child(left, "leaf").unwrap();
    for (node, object) in [(left, 0), (leaf, 1), (right, 2)] {
        draw(&mut scene, node, object);
    }
    scene.update_world_transforms();
    assert_eq!(scene.remove(left), Ok(2));
    assert!(scene.find(left).is_none() && scene.find(leaf).is_none());
    assert_eq!(objects(&scene), [2], "before any update");
    assert_eq!(scene.len(), 2);
    scene.update_world_transforms();
    assert_eq!(objects(&scene), [2]);
    assert_eq!(scene.remove(root), Ok(2));
    assert!(scene.is_empty() && scene.nodes().next().is_none() && scene.roots().next().is_none());
}

#[test]
fn reparenting_moves_the_subtree_to_the_end_and_refuses_cycles() {
    let mut scene = Scene::new();
    let (a, b) = (scene.add_root("a").unwrap(), scene.add_root("b").unwrap());
    let child = scene.add_child(a, "child").unwrap();
    let leaf = scene.add_child(child, "leaf").unwrap();
    put(&mut scene, a, moved(1.0, 0.0, 0.0));
    put(&mut scene, b, moved(0.0, 1.0, 0.0));
    put(&mut scene, child, moved(0.0, 0.0, 1.0));
    scene.update_world_transforms();
    scene.set_parent(child, Some(b)).unwrap();
    assert_eq!(at(&scene, leaf), Vec3::new(1.0, 0.0, 1.0), "as of the last resolution");
    scene.update_world_transforms();
    assert_eq!(at(&scene, leaf), Vec3::new(0.0, 1.0, 1.0));
    for parent in [child, leaf] {
        let error = scene.set_parent(child, Some(parent)).unwrap_err();
        assert_eq!(error, SceneError::Cycle { node: "child".into() });
    }
    scene.set_parent(a, Some(leaf)).unwrap();
    let order = |scene: &Scene| scene.nodes().map(|n| n.name().to_owned()).collect::<String>();
    assert_eq!(order(&scene), "bchildleafa");
    scene.set_parent(child, None).unwrap();
    assert_eq!(order(&scene), "bchildleafa");
    assert_eq!(scene.roots().count(), 2);
    assert!(scene.find(child).unwrap().parent().is_none());
}

#[test]
fn chain_of_100_000_nodes_needs_no_recursion() {
    const DEPTH: usize = 100_000;
    // A small stack, so that any recursion over the chain would overflow it.
    let work = || {
        let mut scene = Scene::new();
        let root = scene.add_root("").unwrap();
        let mut last = root;
        for _ in 1..DEPTH {
            last = scene.add_child(last, "").unwrap();
            put(&mut scene, last, moved(1.0, 0.0, 0.0));
        }
        draw(&mut scene, last, 0);
        scene.update_world_transforms();
        assert_eq!(at(&scene, last).x, (DEPTH - 1) as f32);
        assert_eq!(list_of(&scene).len(), 1);
        let mut copies = Scene::new();
        let map = copies.append(&scene, None, moved(0.0, 5.0, 0.0)).unwrap();
        copies.update_world_transforms();
        assert_eq!(at(&copies, map.get(last).unwrap()), Vec3::new((DEPTH - 1) as f32, 5.0, 0.0));
        assert_eq!(scene.set_parent(root, Some(last)), Err(SceneError::Cycle { node: String::new() }));
        assert_eq!(copies.remove(map.root()), Ok(DEPTH + 1));
        assert_eq!(scene.remove(root), Ok(DEPTH));
        assert!(objects(&scene).is_empty());
    };
    std::thread::Builder::new().stack_size(128 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn matrices_are_kept_exactly_with_shear_and_mirror() {
    let mut scene = Scene::new();
    let parent = scene.add_root("parent").unwrap();
    let child = scene.add_child(parent, "child").unwrap();
    put(&mut scene, child, moved(1.0, 1.0, 1.0));
    #[rustfmt::skip]
    let sheared = Mat4::from_cols_array(&[
        -1.0, 0.1, 0.0, 0.0,
        0.7, 1.0, 0.3, 0.0,
        0.0, 0.0, 2.0, 0.0,
        5.0, 6.0, 7.0, 1.0,
    ]);
    scene.find_mut(parent).unwrap().set_matrix(sheared).unwrap();
    scene.update_world_transforms();
    assert_eq!(scene.find(parent).unwrap().local(), LocalTransform::Matrix(Affine3x4::from_mat4(&sheared)));
    assert_eq!(world(&scene, parent).to_mat4(), sheared);
    assert!(at(&scene, child).abs_diff_eq(sheared.transform_point3(Vec3::ONE), 1e-6));
    assert_eq!(scene.world_mirrored(), [true, true]);
    // Back to parts, and to a matrix again.
    put(&mut scene, parent, moved(1.0, 0.0, 0.0));
    scene.update_world_transforms();
    assert_eq!(at(&scene, child), Vec3::new(2.0, 1.0, 1.0));
    assert_eq!(scene.world_mirrored(), [false, false]);
}

#[test]
fn transforms_that_are_not_finite_or_affine_are_refused_and_change_nothing() {
    let mut scene = Scene::new();
    let node = scene.add_root("node").unwrap();
    put(&mut scene, node, moved(1.0, 0.0, 0.0));
    let mut edit = scene.find_mut(node).unwrap();
    let not_finite = Err(SceneError::NotFinite { node: "node".into() });
    assert_eq!(edit.set_transform(moved(f32::NAN, 0.0, 0.0)), not_finite);
    assert_eq!(edit.set_transform(Transform::from_scale(Vec3::splat(f32::INFINITY))), not_finite);
    assert_eq!(edit.set_matrix(Mat4::from_scale(Vec3::splat(f32::NAN))), not_finite);
    let mut projective = Mat4::IDENTITY;
    projective.x_axis.w = 0.5;
    assert_eq!(edit.set_matrix(projective), Err(SceneError::NotAffine { node: "node".into() }));
    assert_eq!(edit.as_node_ref().local(), LocalTransform::Trs(moved(1.0, 0.0, 0.0)));
}

/// T-XF-MIRROR, 49: a negative determinant anywhere above turns the front faces, two of them do not. D11, D12: nothing
/// about it is decided once and for all, so a scale that changes sign later turns them too.
#[test]
fn t_xf_mirror_parity_follows_the_chain_and_its_changes_bump_its_own_revision() {
    let mut scene = Scene::new();
    let root = scene.add_root("").unwrap();
    let child = scene.add_child(root, "").unwrap();
    let mirror = |x| Transform::from_scale(Vec3::new(x, 1.0, 1.0));
    put(&mut scene, child, mirror(-1.0));
    scene.update_world_transforms();
    assert_eq!(scene.world_mirrored(), [false, true]);
    let (structure, mirrors) = (scene.structure_revision(), scene.mirror_revision());
    // Turning moves no parity.
    put(&mut scene, root, Transform::from_rotation(Quat::from_rotation_z(1.0)));
    scene.update_world_transforms();
    assert_eq!(scene.mirror_revision(), mirrors);
    // A scale that changes sign does, once, for the node and all below.
    put(&mut scene, root, mirror(-0.5));
    scene.update_world_transforms();
    assert_eq!(scene.world_mirrored(), [true, false]);
    assert_eq!((scene.structure_revision(), scene.mirror_revision()), (structure, mirrors + 1));
    scene.update_world_transforms();
    put(&mut scene, root, mirror(-0.25));
    scene.update_world_transforms();
    assert_eq!(scene.mirror_revision(), mirrors + 1);
    // Neither does an edit of the structure around mirrors that stay.
    scene.add_root("").unwrap();
    scene.update_world_transforms();
    assert_eq!(scene.mirror_revision(), mirrors + 1);
    assert_eq!(scene.world_mirrored(), [true, false, false]);
    // An even number of mirrors is none.
    put(&mut scene, root, Transform::from_scale(Vec3::new(-1.0, -1.0, 1.0)));
    scene.update_world_transforms();
    assert_eq!(scene.world_mirrored(), [false, true, false]);
}

#[test]
fn t_xf_mirror_is_seen_at_scales_whose_product_underflows() {
    let mut scene = Scene::new();
    let (parts, matrix) = (scene.add_root("").unwrap(), scene.add_root("").unwrap());
    let scale = Vec3::new(-1e-20, 1e-20, 1e-20);
    put(&mut scene, parts, Transform::from_scale(scale));
    scene.find_mut(matrix).unwrap().set_matrix(Mat4::from_scale(scale)).unwrap();
    scene.update_world_transforms();
    assert_eq!(scene.world_mirrored(), [true, true]);
}

/// D9: a node that is flat at rest may grow later.
#[test]
fn t_xf_zero_scale_is_a_valid_pose() {
    let mut scene = Scene::new();
    let root = scene.add_root("").unwrap();
    let child = scene.add_child(root, "").unwrap();
    put(&mut scene, child, moved(3.0, 3.0, 3.0));
    put(&mut scene, root, Transform::from_scale(Vec3::ZERO));
    scene.update_world_transforms();
    assert_eq!(at(&scene, child), Vec3::ZERO);
    assert_eq!(scene.world_mirrored(), [false, false]);
    put(&mut scene, root, Transform::IDENTITY);
    scene.update_world_transforms();
    assert_eq!(at(&scene, child), Vec3::splat(3.0));
}

#[test]
fn appended_copies_have_their_own_nodes_and_play_through_a_remapped_binding() {
    let clips = [pose(Quat::from_rotation_z(1.0))];
    let mut source = Scene::new();
    let root = source.add_root("wheel").unwrap();
    let primitive = drawn_child(&mut source, root, 3);
    put(&mut source, root, moved(1.0, 0.0, 0.0));
    let sheared = source.add_child(root, "sheared").unwrap();
    source.find_mut(sheared).unwrap().set_matrix(Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0))).unwrap();
    source.find_mut(sheared).unwrap().set_camera(Some(CAMERA));
    source.find_mut(sheared).unwrap().set_camera_name("view");
    source.find_mut(sheared).unwrap().set_light(Some(SUN)).unwrap();
    source.update_world_transforms();
    let mut scene = Scene::new();
    let under = scene.add_root("garage").unwrap();
    put(&mut scene, under, moved(0.0, 0.0, 9.0));
    let binding = bind(root);
    let maps = [0.0, 1.0].map(|y| scene.append(&source, Some(under), moved(0.0, y, 0.0)).unwrap());
    assert_eq!(maps[0].get(under), None);
    scene.update_world_transforms();
    for (y, map) in (0..).zip(&maps) {
        let copy = map.get(primitive).unwrap();
        assert_eq!(at(&scene, copy), Vec3::new(1.0, y as f32, 9.0));
        assert_eq!(scene.find(map.get(root).unwrap()).unwrap().name(), "wheel");
        let copied = scene.find(map.get(sheared).unwrap()).unwrap();
        assert_eq!(copied.local(), source.find(sheared).unwrap().local());
        assert_eq!((copied.camera(), copied.camera_name()), (Some(CAMERA), "view"));
        assert_eq!((copied.light(), copied.light_name()), (Some(SUN), ""));
        assert_eq!(scene.find(map.root()).unwrap().parent().unwrap().id(), under);
    }
    assert_eq!(objects(&scene), [3, 3]);
    // The original ids are no nodes here; remapped, the clip drives the second copy alone.
    assert!(scene.play(&clips[0], &binding, PlaybackOptions::default()).is_err());
    scene.play(&clips[0], &binding.remapped(&maps[1]), PlaybackOptions::default()).unwrap();
    advance_animations(&mut scene, &clips, 0.0).unwrap();
    let rotation = |map: &fire_engine::scene::NodeMap| {
        scene.find(map.get(root).unwrap()).unwrap().local().transform().unwrap().rotation
    };
    assert_eq!(rotation(&maps[0]), Quat::IDENTITY);
    assert_eq!(rotation(&maps[1]), Quat::from_rotation_z(1.0));
}

#[test]
fn append_refuses_a_bad_parent_or_transform_and_copies_nothing() {
    let mut source = Scene::new();
    let foreign = source.add_root("").unwrap();
    let mut scene = Scene::new();
    let error = scene.append(&source, Some(foreign), Transform::IDENTITY).unwrap_err();
    assert_eq!(error, SceneError::UnknownNode { what: "parent" });
    assert!(matches!(
        scene.append(&source, None, moved(f32::NAN, 0.0, 0.0)),
        Err(SceneError::NotFinite { .. })
    ));
    assert!(scene.is_empty());
    let map = scene.append(&Scene::new(), None, Transform::IDENTITY).unwrap();
    assert_eq!((scene.len(), map.get(foreign)), (1, None));
}

#[test]
fn empty_scene_is_valid_everywhere() {
    let mut scene = Scene::new();
    advance_animations(&mut scene, &[], 1.0).unwrap();
    scene.update_world_transforms();
    let list = list_of(&scene);
    assert!(list.is_empty() && list.worlds().is_empty() && list.stamp().is_some());
    assert!(scene.world_transforms().is_empty() && scene.playbacks().is_empty());
    assert_eq!((scene.len(), scene.structure_revision(), scene.mirror_revision()), (0, 0, 0));
}

#[test]
fn draw_list_built_between_edit_and_update_has_the_new_order_and_the_last_resolved_worlds() {
    let mut scene = Scene::new();
    let (a, b) = (scene.add_root("a").unwrap(), scene.add_root("b").unwrap());
    for (node, object, x) in [(a, 0, 1.0), (b, 1, 2.0)] {
        draw(&mut scene, node, object);
        put(&mut scene, node, moved(x, 0.0, 0.0));
    }
    scene.update_world_transforms();
    put(&mut scene, a, moved(50.0, 0.0, 0.0));
    scene.set_parent(a, Some(b)).unwrap();
    let new = scene.add_child(b, "new").unwrap();
    draw(&mut scene, new, 2);
    put(&mut scene, new, moved(70.0, 0.0, 0.0));
    let list = list_of(&scene);
    let seen: Vec<_> = list.items().iter().map(|item| item.render_object.get()).collect();
    assert_eq!(seen, [1, 0, 2]);
    let x = |i| list.world(i).unwrap().translation().x;
    assert_eq!([x(0), x(1), x(2)], [2.0, 1.0, 0.0], "a new node is at the origin until resolved");
    scene.update_world_transforms();
    let list = list_of(&scene);
    let x = |i| list.world(i).unwrap().translation().x;
    assert_eq!([x(0), x(1), x(2)], [2.0, 52.0, 72.0]);
}

#[test]
fn one_draw_list_serves_several_scenes_in_turn() {
    let (mut a, mut b) = (Scene::new(), Scene::new());
    for (scene, object) in [(&mut a, 1), (&mut b, 2)] {
        let node = scene.add_root("").unwrap();
        draw(scene, node, object);
        put(scene, node, moved(object as f32, 0.0, 0.0));
        scene.update_world_transforms();
    }
    assert_eq!(a.structure_revision(), b.structure_revision());
    let mut list = DrawList::new();
    assert_eq!(list.stamp(), None);
    for (scene, object) in [(&a, 1), (&b, 2), (&a, 1)] {
        scene.build_draw_list(&mut list);
        assert_eq!(list.items()[0].render_object.get(), object);
        assert_eq!(list.world(0).unwrap().translation().x, object as f32);
        assert_eq!(list.stamp(), Some((scene.identity(), scene.structure_revision())));
    }
    Scene::new().build_draw_list(&mut list);
    assert!(list.is_empty() && list.world(0).is_none());
}

#[test]
fn worlds_lie_in_draw_order_after_an_update() {
    let mut scene = Scene::new();
    let roots: Vec<_> = (0..4).map(|_| scene.add_root("").unwrap()).collect();
    for (i, &root) in roots.iter().enumerate() {
        let child = scene.add_child(root, "").unwrap();
        put(&mut scene, child, moved(1.0, 0.0, 0.0));
        draw(&mut scene, child, i as u32);
    }
    scene.set_parent(roots[3], Some(roots[0])).unwrap();
    scene.remove(roots[1]).unwrap();
    scene.update_world_transforms();
    let list = list_of(&scene);
    assert!(list.items().is_sorted_by_key(|item| item.world));
    assert_eq!(list.worlds(), scene.world_transforms());
    assert_eq!(scene.world_transforms().len(), scene.len());
}

#[test]
fn pose_changes_leave_the_structure_revision_alone() {
    let clips = [pose(Quat::from_rotation_z(1.0))];
    let mut scene = Scene::new();
    let node = scene.add_root("").unwrap();
    draw(&mut scene, node, 0);
    scene.play(&clips[0], &bind(node), PlaybackOptions::default()).unwrap();
    scene.update_world_transforms();
    let revision = scene.structure_revision();
    for step in 0..10 {
        put(&mut scene, node, moved(step as f32, 0.0, 0.0));
        advance_animations(&mut scene, &clips, 0.1).unwrap();
        scene.update_world_transforms();
        assert_eq!(at(&scene, node).x, step as f32);
    }
    assert_eq!(scene.structure_revision(), revision);
}
