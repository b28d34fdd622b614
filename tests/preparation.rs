//! Preparation: what a plan holds, and when it is made again.

use fire_engine::animation::{
    Animation, AnimationChannel, AnimationId, AnimationSampler, CameraProperty, Interpolation, Keyframes,
    LightProperty, MaterialProperty, PlaybackOptions, SlotId, TargetPath, UvSlot,
};
use fire_engine::assets::{
    AssetError, ImageData, ImageId, Material, MaterialId, Mesh, MeshId, RenderAssets, RenderObject,
    RenderObjectId, Texture, TextureId, TextureSlot,
};
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::preparation::{PreparationError, RenderPlan, RenderPreparation, ViewMode};
use fire_engine::scene::{
    ClipBinding, DrawList, Light, LightKind, Projection, Scene, SceneNodeId, Skin, advance_animations,
};
use std::sync::Arc;

fn mesh() -> Mesh {
    Mesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], ..Mesh::default() }
}

/// Each image of a plan, and whether it is read as color and as data.
fn images(plan: &RenderPlan) -> Vec<(ImageId, bool, bool)> {
    plan.images().iter().map(|used| (used.image, used.color, used.data)).collect()
}

/// A catalogue of `count` render objects on one mesh and one material.
fn assets(count: u32) -> RenderAssets {
    let mut assets = RenderAssets::new();
    let mesh = assets.add_mesh(mesh());
    let material = assets.add_material(Material::default());
    for _ in 0..count {
        assets.add_render_object(RenderObject { mesh, material });
    }
    assets
}

fn drawing(objects: &[u32]) -> (Scene, Vec<SceneNodeId>) {
    let mut scene = Scene::new();
    let nodes = objects
        .iter()
        .map(|&object| {
            let node = scene.add_root("").unwrap();
            scene.find_mut(node).unwrap().set_render_object(Some(RenderObjectId::new(object)));
            node
        })
        .collect();
    scene.update_world_transforms();
    (scene, nodes)
}

fn list_of(scene: &Scene) -> DrawList {
    let mut list = DrawList::new();
    scene.build_draw_list(&mut list);
    list
}

fn draws(objects: &[u32]) -> DrawList {
    list_of(&drawing(objects).0)
}

#[test]
fn shares_resources_excludes_unused_ones_and_keeps_the_revision() {
    let mut assets = assets(2);
    let unused = assets.add_mesh(mesh());
    let material = assets.add_material(Material::default());
    assets.add_render_object(RenderObject { mesh: unused, material });
    let mut preparation = RenderPreparation::new();
    assert!(preparation.plan().is_none());
    // Drawn in the other order, and one of them twice: the plan ascends and holds each once.
    let plan = preparation.build(&assets, &draws(&[1, 0, 1])).unwrap();
    let (mesh, material) = (MeshId::new(0), MaterialId::new(0));
    assert_eq!(plan.meshes(), [mesh]);
    assert_eq!(plan.materials(), [material]);
    let objects: Vec<_> = plan.objects().iter().map(|of| (of.object, of.mesh, of.material)).collect();
    assert_eq!(objects, [0, 1].map(|i| (RenderObjectId::new(i), mesh, material)));
    assert_eq!((plan.revision(), plan.catalogue()), (assets.revision(), assets.identity()));
    assert!(plan.textures().is_empty() && plan.images().is_empty());
}

#[test]
fn image_and_texture_dependencies_are_transitive_and_ascend() {
    let mut assets = RenderAssets::new();
    let mesh = assets.add_mesh(mesh());
    let image = assets.add_image(ImageData::rgba8(1, 1, vec![0; 4]));
    assets.add_image(ImageData::rgba8(1, 1, vec![0; 4]));
    for _ in 0..2 {
        let texture = assets.add_texture(Texture::new(image));
        let base_color_texture = Some(TextureSlot::new(texture));
        let material = assets.add_material(Material { base_color_texture, ..Material::default() });
        assets.add_render_object(RenderObject { mesh, material });
    }
    // A texture in a slot that is not drawn is not compiled.
    let undrawn = assets.add_texture(Texture::new(ImageId::new(1)));
    let emissive_texture = Some(TextureSlot::new(undrawn));
    let material = assets.add_material(Material { emissive_texture, ..Material::default() });
    assets.add_render_object(RenderObject { mesh, material });
    let mut preparation = RenderPreparation::new();
    let plan = preparation.build(&assets, &draws(&[2, 1, 0])).unwrap();
    assert_eq!(images(plan), [(ImageId::new(0), true, false)]);
    assert_eq!(plan.textures(), [TextureId::new(0), TextureId::new(1)]);
    assert_eq!(plan.materials(), [0, 1, 2].map(MaterialId::new));
}

/// One object whose material has one texture in the base color, one in the occlusion, and one that is both.
fn textured_assets() -> RenderAssets {
    let mut assets = RenderAssets::new();
    let mesh = assets.add_mesh(mesh());
    let textures = [0, 1].map(|_| {
        let image = assets.add_image(ImageData::rgba8(1, 1, vec![0; 4]));
        Some(TextureSlot::new(assets.add_texture(Texture::new(image))))
    });
    for [base_color_texture, occlusion_texture] in [textures, [textures[0]; 2]] {
        let material = Material { base_color_texture, occlusion_texture, ..Material::default() };
        let material = assets.add_material(material);
        assets.add_render_object(RenderObject { mesh, material });
    }
    assets
}

#[test]
fn a_view_mode_plans_the_textures_that_it_reads_and_how() {
    let assets = textured_assets();
    let used = |image, color, data| (ImageId::new(image), color, data);
    for (view, drawn, images) in [
        (ViewMode::BaseColor, 0, vec![used(0, true, false)]),
        (ViewMode::Normals, 0, vec![used(0, true, false)]),
        (ViewMode::Emissive, 0, vec![used(0, true, false)]),
        (ViewMode::Occlusion, 0, vec![used(0, true, false), used(1, false, true)]),
        // T-TEX-SRGB: one image, both ways.
        (ViewMode::Occlusion, 1, vec![used(0, true, true)]),
    ] {
        let mut preparation = RenderPreparation::new();
        preparation.set_view(view);
        let plan = preparation.build(&assets, &draws(&[drawn])).unwrap();
        assert_eq!((plan.view(), &self::images(plan)), (view, &images));
        let textures: Vec<_> = images.iter().map(|(image, ..)| TextureId::new(image.get())).collect();
        assert_eq!(plan.textures(), textures);
    }
}

#[test]
fn another_view_mode_is_a_miss_and_the_planned_one_is_not() {
    let (assets, list) = (textured_assets(), draws(&[0]));
    let mut preparation = RenderPreparation::new();
    preparation.build(&assets, &list).unwrap();
    preparation.set_view(ViewMode::Occlusion);
    assert!(!preparation.covers(&list) && preparation.generation() == 1);
    // Changed back before anything was planned, it is as if nothing had happened.
    preparation.set_view(ViewMode::BaseColor);
    assert!(preparation.covers(&list));
    preparation.build(&assets, &list).unwrap();
    assert_eq!(preparation.generation(), 1);
    preparation.set_view(ViewMode::Occlusion);
    preparation.build(&assets, &list).unwrap();
    preparation.set_view(ViewMode::Occlusion);
    preparation.build(&assets, &list).unwrap();
    assert!(preparation.covers(&list) && preparation.generation() == 2);
}

#[test]
fn whole_catalogue_is_validated_even_what_no_node_uses() {
    let at = MeshId::new(1);
    let faults = [
        (Mesh::default(), AssetError::MeshWithoutVertices { mesh: at }),
        (
            Mesh { indices: Some(vec![0, 1, 3]), ..mesh() },
            AssetError::MeshIndexRange { mesh: at, position: 2, index: 3, vertices: 3 },
        ),
    ];
    for (faulty, expected) in faults {
        let mut assets = assets(1);
        assets.add_mesh(faulty);
        for list in [draws(&[]), draws(&[0])] {
            let error = RenderPreparation::new().build(&assets, &list).unwrap_err();
            assert_eq!(error, PreparationError::Assets(expected.clone()));
        }
    }
}

#[test]
fn dangling_references_are_rejected() {
    let mut faulty = assets(0);
    let (mesh, material) = (MeshId::new(0), MaterialId::new(7));
    let object = faulty.add_render_object(RenderObject { mesh, material });
    let error = RenderPreparation::new().build(&faulty, &draws(&[0])).unwrap_err();
    assert_eq!(error, AssetError::RenderObjectMaterial { object, material }.into());
    let object = RenderObjectId::new(2);
    let error = RenderPreparation::new().build(&assets(2), &draws(&[0, 2])).unwrap_err();
    assert_eq!(error, PreparationError::UnknownRenderObject { draw: 1, object, count: 2 });
}

#[test]
fn caches_by_reference_and_misses_on_draws_and_revision() {
    let mut assets = assets(2);
    let (mut scene, nodes) = drawing(&[0]);
    let mut preparation = RenderPreparation::new();
    let first: *const _ = preparation.build(&assets, &list_of(&scene)).unwrap();
    assert_eq!(preparation.generation(), 1);
    let moved = Transform::from_translation(Vec3::X);
    scene.find_mut(nodes[0]).unwrap().set_transform(moved).unwrap();
    scene.update_world_transforms();
    assert!(std::ptr::eq(first, preparation.build(&assets, &list_of(&scene)).unwrap()));
    assert_eq!(preparation.generation(), 1);
    // A second instance of the same object: the same resources, yet another key.
    let second = scene.add_root("").unwrap();
    scene.find_mut(second).unwrap().set_render_object(Some(RenderObjectId::new(0)));
    preparation.build(&assets, &list_of(&scene)).unwrap();
    assert_eq!(preparation.generation(), 2);
    assets.add_material(Material::default());
    let plan = preparation.build(&assets, &list_of(&scene)).unwrap();
    assert_eq!(plan.revision(), assets.revision());
    assert_eq!(preparation.generation(), 3);
}

#[test]
fn revisions_are_independent_of_the_scene_and_grow_by_one_per_mesh() {
    let mut assets = assets(1);
    let before = assets.revision();
    let (mut scene, nodes) = drawing(&[0]);
    scene.remove(nodes[0]).unwrap();
    RenderPreparation::new().build(&assets, &list_of(&scene)).unwrap();
    assert_eq!(assets.revision(), before);
    for grown in 1..4 {
        assets.add_mesh(mesh());
        assert_eq!(assets.revision(), before + grown);
    }
}

#[test]
fn image_and_texture_additions_invalidate() {
    let mut assets = assets(1);
    let list = draws(&[0]);
    let mut preparation = RenderPreparation::new();
    preparation.build(&assets, &list).unwrap();
    let image = assets.add_image(ImageData::rgba8(1, 1, vec![0; 4]));
    preparation.build(&assets, &list).unwrap();
    assert_eq!(preparation.generation(), 2);
    assets.add_texture(Texture::new(image));
    preparation.build(&assets, &list).unwrap();
    assert_eq!(preparation.generation(), 3);
}

#[test]
fn order_and_count_of_draws_belong_to_the_key_and_old_plans_are_not_kept() {
    let assets = assets(2);
    let mut preparation = RenderPreparation::new();
    for (generation, objects) in (1..).zip([&[0, 1][..], &[1, 0], &[1], &[1, 1], &[], &[0, 1]]) {
        preparation.build(&assets, &draws(objects)).unwrap();
        assert_eq!(preparation.generation(), generation, "{objects:?}");
    }
    // The same ids from quite another scene are the same key.
    preparation.build(&assets, &draws(&[0, 1])).unwrap();
    assert_eq!(preparation.generation(), 6);
}

#[test]
fn empty_lists_are_valid_plans() {
    let mut preparation = RenderPreparation::new();
    let assets = RenderAssets::new();
    for _ in 0..2 {
        let plan = preparation.build(&assets, &DrawList::new()).unwrap();
        assert!(plan.objects().is_empty() && plan.meshes().is_empty());
        assert_eq!(preparation.generation(), 1);
    }
    preparation.build(&assets, &list_of(&Scene::new())).unwrap();
    assert_eq!(preparation.generation(), 1);
}

#[test]
fn failed_build_never_lets_a_stale_plan_through() {
    let mut assets = assets(1);
    let (good, bad) = (draws(&[0]), draws(&[9]));
    let mut preparation = RenderPreparation::new();
    preparation.build(&assets, &good).unwrap();
    assets.add_mesh(mesh());
    for _ in 0..2 {
        assert!(preparation.build(&assets, &bad).is_err());
        assert_eq!(preparation.generation(), 1, "a failure is not a generation");
        assert_eq!(preparation.plan().unwrap().revision(), assets.revision() - 1, "and leaves the plan");
    }
    assert_eq!(preparation.build(&assets, &good).unwrap().revision(), assets.revision());
    assert_eq!(preparation.generation(), 2);
    // After a faulty catalogue the plan of the sound one is still there for it.
    let mut faulty = RenderAssets::new();
    faulty.add_mesh(Mesh::default());
    for _ in 0..2 {
        assert!(preparation.build(&faulty, &good).is_err());
    }
    preparation.build(&assets, &good).unwrap();
    assert_eq!(preparation.generation(), 2);
}

#[test]
fn catalogues_are_told_apart_by_identity_not_by_address() {
    let list = draws(&[0]);
    let mut preparation = RenderPreparation::new();
    let mut place = assets(1);
    preparation.build(&place, &list).unwrap();
    let revision = place.revision();
    // Another catalogue at the same address, with the same revision and the same ids.
    place = assets(1);
    assert_eq!(place.revision(), revision);
    let plan = preparation.build(&place, &list).unwrap();
    assert_eq!(plan.catalogue(), place.identity());
    assert_eq!(preparation.generation(), 2);
}

#[test]
fn coverage_follows_the_ids_whatever_the_revision() {
    let mut assets = assets(2);
    let mut preparation = RenderPreparation::new();
    assert!(!preparation.covers(&draws(&[])));
    preparation.build(&assets, &draws(&[0, 1])).unwrap();
    assets.add_mesh(mesh());
    assert!(preparation.covers(&draws(&[0, 1])));
    assert!(!preparation.covers(&draws(&[1, 0])) && !preparation.covers(&draws(&[0])));
}

#[test]
fn coverage_of_a_kept_list_notices_every_change_of_its_scene() {
    let assets = assets(2);
    let (mut scene, nodes) = drawing(&[0, 1]);
    let mut list = list_of(&scene);
    let mut preparation = RenderPreparation::new();
    preparation.build(&assets, &list).unwrap();
    scene.find_mut(nodes[0]).unwrap().set_render_object(Some(RenderObjectId::new(1)));
    scene.build_draw_list(&mut list);
    assert!(!preparation.covers(&list));
    scene.find_mut(nodes[0]).unwrap().set_render_object(Some(RenderObjectId::new(0)));
    scene.build_draw_list(&mut list);
    assert!(preparation.covers(&list));
    assert_eq!(preparation.generation(), 1);
}

#[test]
fn transforms_do_not_invalidate_500_frames_of_a_turning_scene() {
    let assets = assets(1);
    let (mut scene, nodes) = drawing(&[0]);
    let keys = vec![Quat::IDENTITY, Quat::from_rotation_z(1.0), Quat::from_rotation_z(2.0)];
    let sampler = AnimationSampler::linear_rotation(vec![0.0, 1.0, 2.0], keys);
    let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Rotation, sampler: 0 };
    let clips = [Animation::new("turn", vec![sampler], vec![channel]).unwrap()];
    let binding = ClipBinding::new(AnimationId::new(0), nodes);
    scene.play(&clips[0], &binding, PlaybackOptions::default()).unwrap();
    let (mut list, mut preparation) = (DrawList::new(), RenderPreparation::new());
    scene.build_draw_list(&mut list);
    let first: *const _ = preparation.build(&assets, &list).unwrap();
    let mut last = *list.world(0).unwrap();
    for frame in 0..500 {
        advance_animations(&mut scene, &clips, 0.5 + 1.0 / 64.0).unwrap();
        scene.update_world_transforms();
        scene.build_draw_list(&mut list);
        assert_ne!(*list.world(0).unwrap(), last, "frame {frame} did not turn");
        last = *list.world(0).unwrap();
        assert!(std::ptr::eq(first, preparation.build(&assets, &list).unwrap()));
        assert_eq!(preparation.generation(), 1);
    }
}

/// What KHR_animation_pointer drives is pose: neither the plan nor the structure nor the catalogue hears of it.
#[test]
fn cameras_lights_weights_and_materials_do_not_invalidate_100_frames() {
    let assets = assets(1);
    let (mut scene, nodes) = drawing(&[0]);
    let mut edit = scene.find_mut(nodes[0]).unwrap();
    edit.set_camera(Some(Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.0, far: 1.0 }));
    edit.set_light(Some(Light { kind: LightKind::Directional, color: Vec3::ONE, intensity: 1.0 })).unwrap();
    edit.set_weights(&[0.0, 0.0]).unwrap();
    let material = MaterialId::new(0);
    scene.set_material_factors(material, assets.material(material).unwrap().factors()).unwrap();
    let sampler = |values| AnimationSampler {
        interpolation: Interpolation::Linear,
        timestamps: vec![0.0, 1.0],
        values,
    };
    let number = |width: usize| sampler(Keyframes::Numbers([vec![0.25; width], vec![0.75; width]].concat()));
    let channels = [
        (TargetPath::Camera(CameraProperty::XMag), number(1)),
        (TargetPath::Light(LightProperty::Color), number(3)),
        (TargetPath::Weight(1), sampler(Keyframes::Weights(vec![0.25, 0.75]))),
        (TargetPath::Material(MaterialProperty::BaseColorFactor), number(4)),
        (TargetPath::Material(MaterialProperty::UvOffset(UvSlot::BaseColor)), number(2)),
    ];
    let (paths, samplers): (Vec<_>, Vec<_>) = channels.into_iter().unzip();
    let channel = |(path, sampler)| AnimationChannel { slot: SlotId::new(0), path, sampler };
    let channels = paths.into_iter().zip(0..).map(channel).collect();
    let clips = [Animation::new("factors", samplers, channels).unwrap()];
    let binding = ClipBinding { materials: vec![material], ..ClipBinding::new(AnimationId::new(0), nodes) };
    let (mut list, mut preparation) = (DrawList::new(), RenderPreparation::new());
    scene.build_draw_list(&mut list);
    preparation.build(&assets, &list).unwrap();
    let before = (scene.structure_revision(), assets.revision());
    let playback = scene.play(&clips[0], &binding, PlaybackOptions::default()).unwrap();
    let mut seen = Vec::new();
    for _ in 0..100 {
        advance_animations(&mut scene, &clips, 1.0 / 128.0).unwrap();
        scene.update_world_transforms();
        scene.build_draw_list(&mut list);
        assert!(preparation.covers(&list));
        preparation.build(&assets, &list).unwrap();
        let (_, light) = scene.lights().next().unwrap();
        let factors = scene.material_factors(material).unwrap();
        seen.push((light.color, factors.base_color_factor.a, scene.cameras().next().unwrap().1));
    }
    scene.stop(playback);
    scene.reset_pose();
    seen.dedup();
    assert_eq!(seen.len(), 100, "something moves in every frame");
    assert_eq!((scene.structure_revision(), assets.revision()), before);
    assert_eq!(preparation.generation(), 1);
}

/// Two clips on a joint, mixed, sought, masked and faded; then another skin, and none.
#[test]
fn skins_mixes_seeks_and_masks_do_not_invalidate_100_frames() {
    let assets = assets(1);
    let (mut scene, nodes) = drawing(&[0]);
    let joint = scene.add_root("joint").unwrap();
    let skin = |name: &str| Arc::new(Skin::new(name, vec![Some(joint)], vec![]).unwrap());
    scene.find_mut(nodes[0]).unwrap().set_skin(Some(skin("first")));
    let clips = [1.0, 2.0].map(|angle| {
        let keys = vec![Quat::IDENTITY, Quat::from_rotation_z(angle)];
        let sampler = AnimationSampler::linear_rotation(vec![0.0, 1.0], keys);
        let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Rotation, sampler: 0 };
        Animation::new("turn", vec![sampler], vec![channel]).unwrap()
    });
    let [first, second] = [0, 1].map(|clip| {
        let binding = ClipBinding::new(AnimationId::new(clip), vec![joint]);
        let options = PlaybackOptions { weight: 0.5, ..PlaybackOptions::default() };
        scene.play(&clips[clip as usize], &binding, options).unwrap()
    });
    scene.update_world_transforms();
    let (mut list, mut preparation) = (DrawList::new(), RenderPreparation::new());
    scene.build_draw_list(&mut list);
    preparation.build(&assets, &list).unwrap();
    let (revision, mut seen) = (scene.structure_revision(), Vec::new());
    for frame in 0..100 {
        match frame {
            30 => scene.set_mask(second, |_| false).unwrap(),
            60 => scene.set_mask(second, |_| true).unwrap(),
            80 => scene.cross_fade(first, second, 0.1).unwrap(),
            _ if frame < 60 => scene.seek(first, f64::from(frame) / 128.0).unwrap(),
            _ => {}
        }
        advance_animations(&mut scene, &clips, 1.0 / 256.0).unwrap();
        scene.update_world_transforms();
        scene.build_draw_list(&mut list);
        assert!(preparation.covers(&list));
        preparation.build(&assets, &list).unwrap();
        seen.push(list.joint_matrices()[0]);
    }
    seen.dedup();
    assert_eq!(seen.len(), 100, "the joint moves in every frame");
    assert_eq!((scene.structure_revision(), preparation.generation()), (revision, 1));
    for skin in [Some(skin("second")), None] {
        scene.find_mut(nodes[0]).unwrap().set_skin(skin);
        scene.update_world_transforms();
        scene.build_draw_list(&mut list);
        assert!(preparation.covers(&list));
        preparation.build(&assets, &list).unwrap();
        assert_eq!(preparation.generation(), 1);
    }
    assert!(list.joint_matrices().is_empty() && list.items()[0].joints.is_empty());
}

#[test]
fn folding_and_unfolding_primitives_is_no_new_generation() {
    let assets = assets(2);
    let mut scene = Scene::new();
    let root = scene.add_root("").unwrap();
    let primitives = [0, 1].map(|object| {
        let node = scene.add_child(root, "").unwrap();
        scene.find_mut(node).unwrap().set_render_object(Some(RenderObjectId::new(object)));
        node
    });
    let (mut list, mut preparation) = (DrawList::new(), RenderPreparation::new());
    let mut build = |scene: &Scene| {
        scene.build_draw_list(&mut list);
        assert!(preparation.generation() == 0 || preparation.covers(&list));
        preparation.build(&assets, &list).unwrap();
        assert_eq!(preparation.generation(), 1);
    };
    build(&scene);
    scene.update_world_transforms();
    build(&scene);
    // The first move gives a folded child a row of its own, which rearranges the arrays and not the draws.
    let revision = scene.structure_revision();
    scene.find_mut(primitives[0]).unwrap().set_transform(Transform::from_scale(Vec3::splat(2.0))).unwrap();
    assert_ne!(scene.structure_revision(), revision);
    build(&scene);
    scene.update_world_transforms();
    build(&scene);
    let revision = scene.structure_revision();
    scene.find_mut(primitives[0]).unwrap().set_transform(Transform::IDENTITY).unwrap();
    scene.update_world_transforms();
    assert_eq!(scene.structure_revision(), revision, "later moves do not even do that");
    build(&scene);
    // Nodes that draw nothing come and go; the order of the drawn ids stays.
    let plain = scene.add_root("").unwrap();
    scene.set_parent(root, Some(plain)).unwrap();
    build(&scene);
    scene.update_world_transforms();
    build(&scene);
}
