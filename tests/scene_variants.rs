//! Variants: what a scene shows under a name, and what choosing one costs.

#[path = "support/nodes.rs"]
mod nodes;

use fire_engine::animation::PlaybackOptions;
use fire_engine::assets::{Material, Mesh, RenderAssets, RenderObject, RenderObjectId};
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::preparation::RenderPreparation;
use fire_engine::scene::{
    Content, ContentError, DrawList, Scene, SceneError, SceneNodeId, VariantId, VariantObjects,
    advance_animations,
};
use nodes::*;

fn object(index: u32) -> RenderObjectId {
    RenderObjectId::new(index)
}

fn shows(objects: &[(VariantId, u32)]) -> Option<VariantObjects> {
    Some(VariantObjects::new(objects.iter().map(|&(variant, index)| (variant, object(index)))))
}

/// A wheel that no variant changes (object 0) beside a body that draws 1, and 2 in red, and 3 in blue.
fn car() -> (Scene, [SceneNodeId; 2], [VariantId; 2]) {
    let mut scene = Scene::new();
    let root = scene.add_root("car").unwrap();
    let (wheel, body) = (drawn_child(&mut scene, root, 0), drawn_child(&mut scene, root, 1));
    scene.find_mut(body).unwrap().set_camera(Some(CAMERA));
    let [red, blue] = ["red", "blue"].map(|name| scene.add_variant(name));
    scene.find_mut(body).unwrap().set_variants(shows(&[(blue, 3), (red, 2)])).unwrap();
    scene.update_world_transforms();
    (scene, [wheel, body], [red, blue])
}

#[test]
fn a_variant_changes_what_the_nodes_draw_that_it_names_and_none_goes_back() {
    let (mut scene, [_, body], [red, blue]) = car();
    assert_eq!(scene.variants().collect::<Vec<_>>(), ["red", "blue"]);
    assert_eq!((scene.find_variant("blue"), scene.find_variant("green")), (Some(blue), None));
    assert_eq!((scene.variant(), objects(&scene)), (None, vec![0, 1]));
    for (variant, drawn) in [(Some(red), 2), (Some(blue), 3), (None, 1), (Some(blue), 3)] {
        scene.set_variant(variant).unwrap();
        assert_eq!((scene.variant(), objects(&scene)), (variant, vec![0, drawn]));
        let node = scene.find(body).unwrap();
        assert_eq!((node.render_object(), node.default_object()), (Some(object(drawn)), Some(object(1))));
        assert_eq!(node.camera(), Some(CAMERA), "what else the node carries stays");
    }
    let green = scene.add_variant("green");
    scene.set_variant(Some(green)).unwrap();
    assert_eq!(objects(&scene), [0, 1], "a variant without an entry here shows the default");
}

#[test]
fn an_unknown_variant_is_refused_and_changes_nothing() {
    let (mut scene, [_, body], [red, _]) = car();
    scene.set_variant(Some(red)).unwrap();
    let revision = scene.structure_revision();
    let unknown = VariantId::new(2);
    let expected = SceneError::UnknownVariant { variant: unknown, count: 2 };
    assert_eq!(scene.set_variant(Some(unknown)), Err(expected.clone()));
    assert_eq!(scene.find_mut(body).unwrap().set_variants(shows(&[(unknown, 0)])), Err(expected));
    assert_eq!((scene.variant(), objects(&scene)), (Some(red), vec![0, 2]));
    assert_eq!(scene.structure_revision(), revision);
}

#[test]
fn choosing_is_one_change_of_structure_and_choosing_the_same_again_is_none() {
    let (mut scene, _, [red, blue]) = car();
    let mut revision = scene.structure_revision();
    for (variant, changes) in [(Some(red), 1), (Some(red), 0), (Some(blue), 1), (None, 1), (None, 0)] {
        scene.set_variant(variant).unwrap();
        scene.update_world_transforms();
        assert_eq!(scene.structure_revision(), revision + changes, "{variant:?}");
        revision += changes;
    }
}

#[test]
fn a_variant_compiles_once_on_the_way_there_and_once_on_the_way_back_and_animation_never() {
    let mut assets = RenderAssets::new();
    let mesh = assets.add_mesh(Mesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], ..Mesh::default() });
    for _ in 0..4 {
        let material = assets.add_material(Material::default());
        assets.add_render_object(RenderObject { mesh, material });
    }
    let (mut scene, _, [red, blue]) = car();
    let root = scene.roots().next().unwrap().id();
    let clips = [pose(Quat::from_rotation_z(1.0))];
    scene.play(&clips[0], &bind(root), PlaybackOptions::default()).unwrap();
    let (mut list, mut preparation) = (DrawList::new(), RenderPreparation::new());
    let mut expected = 0;
    for (variant, compiles) in
        [(None, 1), (Some(red), 1), (Some(red), 0), (None, 1), (None, 0), (Some(blue), 1), (Some(red), 1)]
    {
        scene.set_variant(variant).unwrap();
        expected += compiles;
        for frame in 0..3 {
            advance_animations(&mut scene, &clips, 0.25).unwrap();
            scene.update_world_transforms();
            scene.build_draw_list(&mut list);
            preparation.build(&assets, &list).unwrap();
            assert_eq!(preparation.generation(), expected, "{variant:?}, frame {frame}");
        }
    }
}

/// An explicit object is what the caller sees, whatever variant shows then or later.
#[test]
fn an_explicit_object_ends_what_variants_do_to_the_node() {
    let (mut scene, [_, body], [red, blue]) = car();
    scene.set_variant(Some(red)).unwrap();
    draw(&mut scene, body, 7);
    for variant in [Some(red), Some(blue), None] {
        scene.set_variant(variant).unwrap();
        assert_eq!(objects(&scene), [0, 7]);
    }
    assert!(scene.find(body).unwrap().variants().is_none());
    // The object that is drawn already, too.
    let (mut scene, [_, body], [red, _]) = car();
    draw(&mut scene, body, 1);
    scene.set_variant(Some(red)).unwrap();
    assert_eq!(objects(&scene), [0, 1]);
}

#[test]
fn entries_given_while_a_variant_shows_show_at_once_and_cleared_ones_give_the_default_back() {
    let (mut scene, [wheel, body], [red, blue]) = car();
    scene.set_variant(Some(red)).unwrap();
    scene.find_mut(wheel).unwrap().set_variants(shows(&[(red, 5)])).unwrap();
    assert_eq!(objects(&scene), [5, 2]);
    scene.find_mut(wheel).unwrap().set_variants(shows(&[(blue, 6)])).unwrap();
    assert_eq!(objects(&scene), [0, 2]);
    scene.find_mut(body).unwrap().set_variants(None).unwrap();
    scene.find_mut(wheel).unwrap().set_variants(shows(&[])).unwrap();
    assert_eq!(objects(&scene), [0, 1]);
    assert!(scene.nodes().all(|node| node.variants().is_none()));
}

#[test]
fn a_node_may_draw_under_a_variant_only_and_folds_then() {
    let mut scene = Scene::new();
    let root = scene.add_root("").unwrap();
    let extra = scene.add_child(root, "extra").unwrap();
    let shown = scene.add_variant("shown");
    scene.find_mut(extra).unwrap().set_variants(shows(&[(shown, 4)])).unwrap();
    scene.update_world_transforms();
    assert!(objects(&scene).is_empty());
    for _ in 0..2 {
        scene.set_variant(Some(shown)).unwrap();
        put(&mut scene, root, moved(1.0, 2.0, 3.0));
        scene.update_world_transforms();
        assert_eq!((objects(&scene), at(&scene, extra)), (vec![4], Vec3::new(1.0, 2.0, 3.0)));
        scene.set_variant(None).unwrap();
        scene.update_world_transforms();
        assert!(objects(&scene).is_empty());
    }
}

#[test]
fn removed_nodes_take_their_entries_along_and_their_heirs_have_none() {
    let (mut scene, [_, body], [red, _]) = car();
    scene.remove(body).unwrap();
    let root = scene.roots().next().unwrap().id();
    let heir = drawn_child(&mut scene, root, 9);
    scene.set_variant(Some(red)).unwrap();
    assert!(scene.find(heir).unwrap().variants().is_none());
    assert_eq!(objects(&scene), [0, 9]);
}

#[test]
fn appended_copies_keep_their_variants_by_name_and_show_what_the_scene_shows() {
    let (mut source, _, [red, _]) = car();
    source.set_variant(Some(red)).unwrap();
    let mut scene = Scene::new();
    let (blue, green) = (scene.add_variant("blue"), scene.add_variant("green"));
    scene.set_variant(Some(blue)).unwrap();
    for _ in 0..2 {
        scene.append(&source, None, Transform::IDENTITY).unwrap();
    }
    assert_eq!(scene.variants().collect::<Vec<_>>(), ["blue", "green", "red"]);
    assert_eq!(objects(&scene), [0, 3, 0, 3]);
    for (variant, drawn) in [(Some(green), 1), (scene.find_variant("red"), 2), (None, 1)] {
        scene.set_variant(variant).unwrap();
        assert_eq!(objects(&scene), [0, drawn, 0, drawn]);
    }
    assert_eq!(source.variant(), Some(red), "the source is as it was");
}

#[test]
fn validation_checks_what_variants_draw_shown_or_not() {
    let mut content = Content::default();
    let node = content.scene.add_root("body").unwrap();
    let red = content.scene.add_variant("red");
    content.scene.find_mut(node).unwrap().set_variants(shows(&[(red, 8)])).unwrap();
    for variant in [None, Some(red)] {
        content.scene.set_variant(variant).unwrap();
        let error = content.validate().unwrap_err();
        let expected = ContentError::UnknownRenderObject { node: "body".into(), object: object(8), count: 0 };
        assert_eq!(error, expected);
    }
    content.scene.find_mut(node).unwrap().set_variants(None).unwrap();
    assert_eq!(content.validate(), Ok(()));
}
