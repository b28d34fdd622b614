//! Skins and deformers in the scene room.

use fire_engine::assets::RenderObjectId;
use fire_engine::math::{Affine3x4, Quat, Transform, Vec3};
use fire_engine::scene::{DrawList, Scene, SceneError, SceneNodeId, Skin, SkinError, Span};
use std::sync::Arc;

fn moved(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, z))
}

fn put(scene: &mut Scene, node: SceneNodeId, transform: Transform) {
    scene.find_mut(node).unwrap().set_transform(transform).unwrap();
}

fn draw(scene: &mut Scene, node: SceneNodeId, object: u32) {
    scene.find_mut(node).unwrap().set_render_object(Some(RenderObjectId::new(object)));
}

fn list_of(scene: &Scene) -> DrawList {
    let mut list = DrawList::new();
    scene.build_draw_list(&mut list);
    list
}

/// A node that draws object 0 and wears a skin of these joints, with identity inverse bind matrices.
fn worn(scene: &mut Scene, joints: &[SceneNodeId]) -> SceneNodeId {
    let node = scene.add_root("worn").unwrap();
    draw(scene, node, 0);
    let joints = joints.iter().copied().map(Some).collect();
    scene.find_mut(node).unwrap().set_skin(Some(Arc::new(Skin::new("skin", joints, Vec::new()).unwrap())));
    node
}

fn span(scene: &Scene, position: usize) -> Span {
    list_of(scene).items()[position].joints
}

fn origins(scene: &Scene, position: usize) -> Vec<Vec3> {
    let list = list_of(scene);
    let joints = list.items()[position].joints.of(list.joint_matrices());
    joints.iter().map(Affine3x4::translation).collect()
}

#[test]
fn joint_matrices_are_world_times_inverse_bind() {
    let mut scene = Scene::new();
    let root = scene.add_root("root").unwrap();
    let joint = scene.add_child(root, "joint").unwrap();
    put(&mut scene, root, moved(1.0, 0.0, 0.0));
    let turned = Transform { rotation: Quat::from_rotation_z(1.0), ..moved(0.0, 2.0, 0.0) };
    put(&mut scene, joint, turned);
    let inverse = moved(5.0, 6.0, 7.0).affine();
    let skin = Skin::new("", vec![Some(joint), Some(root)], vec![inverse, Affine3x4::IDENTITY]).unwrap();
    let node = scene.add_root("mesh").unwrap();
    draw(&mut scene, node, 0);
    put(&mut scene, node, moved(100.0, 0.0, 0.0));
    scene.find_mut(node).unwrap().set_skin(Some(Arc::new(skin)));
    scene.update_world_transforms();
    let expected = moved(1.0, 0.0, 0.0).affine() * turned.affine() * inverse;
    assert_eq!(scene.joint_matrices(), [expected, moved(1.0, 0.0, 0.0).affine()]);
    assert_eq!(span(&scene, 0), Span { start: 0, count: 2 });
}

/// A pose change, so nothing about the structure may change by it.
#[test]
fn moving_a_joint_changes_its_matrix_and_no_revision() {
    let mut scene = Scene::new();
    let joint = scene.add_root("joint").unwrap();
    worn(&mut scene, &[joint]);
    scene.update_world_transforms();
    let structure = scene.structure_revision();
    put(&mut scene, joint, moved(0.0, 3.0, 0.0));
    scene.update_world_transforms();
    assert_eq!((origins(&scene, 0), scene.structure_revision()), (vec![Vec3::new(0.0, 3.0, 0.0)], structure));
}

#[test]
fn nodes_that_share_a_skin_share_its_matrices_and_others_follow_behind() {
    let mut scene = Scene::new();
    let joints = [scene.add_root("a").unwrap(), scene.add_root("b").unwrap()];
    let first = worn(&mut scene, &joints);
    let skin = Arc::clone(scene.find(first).unwrap().skin().unwrap());
    let second = worn(&mut scene, &joints[..1]);
    let third = worn(&mut scene, &joints[..1]);
    scene.find_mut(third).unwrap().set_skin(Some(skin));
    scene.update_world_transforms();
    let spans = [span(&scene, 0), span(&scene, 1), span(&scene, 2)];
    assert_eq!(spans, [(0, 2), (2, 1), (0, 2)].map(|(start, count)| Span { start, count }));
    scene.find_mut(first).unwrap().set_skin(None);
    scene.find_mut(third).unwrap().set_skin(None);
    scene.update_world_transforms();
    assert_eq!((span(&scene, 0), scene.joint_matrices().len()), (Span::default(), 1));
    scene.remove(second).unwrap();
    scene.update_world_transforms();
    assert_eq!(scene.joint_matrices().len(), 0);
}

#[test]
fn a_joint_that_is_missing_or_removed_or_of_another_scene_stands_at_the_origin() {
    let (mut scene, mut other) = (Scene::new(), Scene::new());
    let joint = scene.add_root("joint").unwrap();
    let stranger = other.add_root("stranger").unwrap();
    put(&mut scene, joint, moved(1.0, 1.0, 1.0));
    let node = worn(&mut scene, &[joint, stranger]);
    let inverse = vec![moved(0.0, 0.0, 9.0).affine(); 3];
    let skin = Skin::new("", vec![Some(joint), Some(stranger), None], inverse).unwrap();
    scene.find_mut(node).unwrap().set_skin(Some(Arc::new(skin)));
    scene.update_world_transforms();
    let bound = Vec3::new(0.0, 0.0, 9.0);
    assert_eq!(origins(&scene, 0), [Vec3::new(1.0, 1.0, 10.0), bound, bound]);
    scene.remove(joint).unwrap();
    // Its slot is used again, by a node that is not the joint.
    let successor = scene.add_root("successor").unwrap();
    put(&mut scene, successor, moved(7.0, 7.0, 7.0));
    scene.update_world_transforms();
    assert_eq!(origins(&scene, 0), [bound; 3]);
}

/// Rows move when the order is restored; joints have to follow.
#[test]
fn joints_keep_their_nodes_when_the_order_changes() {
    let mut scene = Scene::new();
    let early = scene.add_root("early").unwrap();
    let joint = scene.add_root("joint").unwrap();
    put(&mut scene, joint, moved(1.0, 2.0, 3.0));
    worn(&mut scene, &[joint]);
    scene.update_world_transforms();
    for _ in 0..5 {
        scene.add_child(early, "new").unwrap();
        scene.update_world_transforms();
        assert_eq!(origins(&scene, 0), [Vec3::new(1.0, 2.0, 3.0)]);
    }
    scene.set_parent(joint, Some(early)).unwrap();
    put(&mut scene, early, moved(10.0, 0.0, 0.0));
    scene.update_world_transforms();
    assert_eq!(origins(&scene, 0), [Vec3::new(11.0, 2.0, 3.0)]);
}

/// What was last resolved is what is seen, also right after an edit.
#[test]
fn removing_nodes_before_the_next_resolution_leaves_each_joint_its_own_matrix() {
    let mut scene = Scene::new();
    let joints: Vec<_> = (0..100).map(|_| scene.add_root("joint").unwrap()).collect();
    for (x, &joint) in joints.iter().enumerate() {
        put(&mut scene, joint, moved(x as f32, 0.0, 0.0));
    }
    let first = worn(&mut scene, &joints[..50]);
    worn(&mut scene, &joints[99..]);
    let crowd = scene.add_root("crowd").unwrap();
    for _ in 0..500 {
        scene.add_child(crowd, "").unwrap();
    }
    scene.update_world_transforms();
    scene.remove(first).unwrap();
    scene.remove(crowd).unwrap();
    assert_eq!(origins(&scene, 0), [Vec3::new(99.0, 0.0, 0.0)]);
}

/// The new node has the removed one's slot.
#[test]
fn a_node_that_follows_a_removed_one_wears_nothing_even_before_the_next_resolution() {
    let mut scene = Scene::new();
    let joint = scene.add_root("joint").unwrap();
    let figure = worn(&mut scene, &[joint]);
    scene.update_world_transforms();
    assert_eq!(span(&scene, 0).count, 1);
    scene.remove(figure).unwrap();
    let next = scene.add_root("next").unwrap();
    draw(&mut scene, next, 1);
    assert_eq!(list_of(&scene).items().len(), 1);
    assert!(span(&scene, 0).is_empty());
    scene.update_world_transforms();
    assert!(span(&scene, 0).is_empty() && scene.joint_matrices().is_empty());
}

#[test]
fn a_joint_mirrors_by_the_parity_of_its_chain_and_its_inverse_bind_matrix() {
    let mut scene = Scene::new();
    let mirror = Transform { scale: Vec3::new(-1.0, 1.0, 1.0), ..Transform::IDENTITY };
    let parent = scene.add_root("parent").unwrap();
    let joint = scene.add_child(parent, "joint").unwrap();
    let matrices = vec![Affine3x4::IDENTITY, mirror.affine()];
    let skin = Arc::new(Skin::new("", vec![Some(joint); 2], matrices).unwrap());
    let node = scene.add_root("mesh").unwrap();
    draw(&mut scene, node, 0);
    scene.find_mut(node).unwrap().set_skin(Some(skin));
    scene.update_world_transforms();
    assert_eq!(scene.joint_mirrored(), [false, true]);
    let (structure, mirrors) = (scene.structure_revision(), scene.mirror_revision());
    put(&mut scene, parent, mirror);
    scene.update_world_transforms();
    assert_eq!(scene.joint_mirrored(), [true, false]);
    assert_eq!((scene.structure_revision(), scene.mirror_revision()), (structure, mirrors + 1));
    put(&mut scene, joint, mirror);
    scene.update_world_transforms();
    assert_eq!(scene.joint_mirrored(), [false, true]);
}

#[test]
fn a_deformer_gives_its_skin_and_weights_and_its_removal_ends_that() {
    let mut scene = Scene::new();
    let joint = scene.add_root("joint").unwrap();
    let source = scene.add_root("source").unwrap();
    let skin = Arc::new(Skin::new("", vec![Some(joint)], Vec::new()).unwrap());
    scene.find_mut(source).unwrap().set_skin(Some(skin));
    scene.find_mut(source).unwrap().set_weights(&[0.5, 0.25]).unwrap();
    let primitive = scene.add_root("primitive").unwrap();
    draw(&mut scene, primitive, 0);
    scene.update_world_transforms();
    let item = |scene: &Scene| list_of(scene).items()[0];
    assert!(item(&scene).joints.is_empty() && item(&scene).weights.is_empty());
    scene.find_mut(primitive).unwrap().set_deformer(Some(source)).unwrap();
    scene.update_world_transforms();
    assert_eq!(item(&scene).joints.count, 1);
    assert_eq!(item(&scene).weights.of(scene.morph_weights()), [0.5, 0.25]);
    assert_eq!(scene.find(primitive).unwrap().deformer().unwrap().id(), source);
    scene.remove(source).unwrap();
    scene.update_world_transforms();
    assert!(item(&scene).joints.is_empty() && item(&scene).weights.is_empty());
    assert!(scene.find(primitive).unwrap().deformer().is_none());
    let error = scene.find_mut(primitive).unwrap().set_deformer(Some(source));
    assert_eq!(error, Err(SceneError::UnknownNode { what: "deformer" }));
}

/// Spans are part of the structure; their values are not.
#[test]
fn weights_change_the_structure_only_by_their_number() {
    let mut scene = Scene::new();
    let [first, second] = [0, 1].map(|object| {
        let node = scene.add_root("node").unwrap();
        draw(&mut scene, node, object);
        node
    });
    scene.find_mut(first).unwrap().set_weights(&[1.0]).unwrap();
    scene.find_mut(second).unwrap().set_weights(&[2.0, 3.0]).unwrap();
    scene.update_world_transforms();
    let revision = scene.structure_revision();
    scene.find_mut(first).unwrap().set_weights(&[9.0]).unwrap();
    scene.update_world_transforms();
    assert_eq!(scene.structure_revision(), revision);
    let weights = |scene: &Scene, position: usize| {
        let list = list_of(scene);
        list.items()[position].weights.of(list.morph_weights()).to_vec()
    };
    assert_eq!([weights(&scene, 0), weights(&scene, 1)], [vec![9.0], vec![2.0, 3.0]]);
    scene.find_mut(first).unwrap().set_weights(&[4.0, 5.0, 6.0]).unwrap();
    assert_ne!(scene.structure_revision(), revision);
    assert_eq!([weights(&scene, 0), weights(&scene, 1)], [vec![4.0, 5.0, 6.0], vec![2.0, 3.0]]);
}

#[test]
fn an_appended_figure_follows_its_own_joints() {
    let mut figure = Scene::new();
    let joint = figure.add_root("joint").unwrap();
    put(&mut figure, joint, moved(0.0, 1.0, 0.0));
    let source = worn(&mut figure, &[joint]);
    let primitive = figure.add_child(source, "primitive").unwrap();
    draw(&mut figure, primitive, 1);
    figure.find_mut(primitive).unwrap().set_deformer(Some(source)).unwrap();
    let mut scene = Scene::new();
    let maps = [1.0, 2.0].map(|x| scene.append(&figure, None, moved(x, 0.0, 0.0)).unwrap());
    put(&mut scene, maps[1].get(joint).unwrap(), moved(0.0, 5.0, 0.0));
    scene.update_world_transforms();
    let at = |position| origins(&scene, position);
    assert_eq!([at(0), at(1)], [vec![Vec3::new(1.0, 1.0, 0.0)], vec![Vec3::new(1.0, 1.0, 0.0)]]);
    assert_eq!([at(2), at(3)], [vec![Vec3::new(2.0, 5.0, 0.0)], vec![Vec3::new(2.0, 5.0, 0.0)]]);
    assert_eq!(scene.joint_matrices().len(), 2);
    scene.remove(maps[0].root()).unwrap();
    scene.update_world_transforms();
    assert_eq!(scene.joint_matrices().len(), 1);
}

#[test]
fn faulty_skins_are_refused_by_name() {
    let skin = |joints: usize, matrices: &[Affine3x4]| Skin::new("s", vec![None; joints], matrices.to_vec());
    let name = || "s".to_owned();
    assert_eq!(skin(0, &[]), Err(SkinError::NoJoints { skin: name() }));
    let count = SkinError::MatrixCount { skin: name(), matrices: 1, joints: 2 };
    assert_eq!(skin(2, &[Affine3x4::IDENTITY]), Err(count));
    let mut endless = Affine3x4::IDENTITY;
    endless.rows[1].x = f32::NAN;
    assert_eq!(skin(1, &[endless]), Err(SkinError::NotFinite { skin: name(), joint: 0 }));
    assert!(skin(1, &[]).is_ok());
}
