//! Cameras, lights and materials, animated as nodes are.

use crate::clips::*;
use fire_engine::animation::{
    Animation, AnimationError, BlendMode, CameraProperty, LightProperty, MaterialProperty, PlaybackOptions,
    SlotId, TargetPath, UvSlot,
};
use fire_engine::assets::{Material, MaterialFactors, MaterialId};
use fire_engine::math::{Transform, Vec3};
use fire_engine::scene::{Light, LightKind, Projection, Scene, SceneError};

const FOV: TargetPath = TargetPath::Camera(CameraProperty::FovY);
const COLOR: TargetPath = TargetPath::Light(LightProperty::Color);
const BASE: TargetPath = TargetPath::Material(MaterialProperty::BaseColorFactor);
const ROUGHNESS: TargetPath = TargetPath::Material(MaterialProperty::RoughnessFactor);

fn perspective(fov_y: f32) -> Projection {
    Projection::Perspective { fov_y, aspect: None, near: 0.1, far: Some(100.0) }
}

fn spot() -> Light {
    let kind = LightKind::Spot { range: Some(4.0), inner_cone_angle: 0.25, outer_cone_angle: 0.5 };
    Light { kind, color: Vec3::ONE, intensity: 2.0 }
}

fn described() -> MaterialFactors {
    Material { roughness_factor: 0.5, ..Material::default() }.factors()
}

/// Three nodes, the first two with a camera and a light that rest alike, and factors of materials 0 to 2.
fn stage() -> Stage {
    let mut stage = Stage::new(3);
    for node in [0, 1] {
        let mut edit = stage.scene.find_mut(stage.nodes[node]).unwrap();
        edit.set_camera(Some(perspective(1.0)));
        edit.set_light(Some(spot())).unwrap();
    }
    for material in 0..3 {
        stage.scene.set_material_factors(MaterialId::new(material), described()).unwrap();
    }
    stage
}

impl Stage {
    fn fov(&self, node: usize) -> f32 {
        match self.scene.find(self.nodes[node]).unwrap().camera() {
            Some(Projection::Perspective { fov_y, .. }) => fov_y,
            other => panic!("{other:?}"),
        }
    }

    fn light(&self, node: usize) -> Light {
        self.scene.find(self.nodes[node]).unwrap().light().unwrap()
    }

    fn factors(&self, material: u32) -> MaterialFactors {
        *self.scene.material_factors(MaterialId::new(material)).unwrap()
    }

    fn base(&self, material: u32) -> [f32; 4] {
        self.factors(material).base_color_factor.to_array()
    }
}

fn weighing(weight: f64) -> PlaybackOptions {
    PlaybackOptions { weight, ..PlaybackOptions::default() }
}

fn full() -> PlaybackOptions {
    PlaybackOptions::default()
}

fn fov_of(value: f32) -> Animation {
    clip(FOV, numbers(STEP, &[0.0], &[value]))
}

fn base_of(color: [f32; 4]) -> Animation {
    clip(BASE, numbers(STEP, &[0.0], &color))
}

fn near(found: &[f32], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((f64::from(*found) - expected).abs() < 1e-6, "{found} {expected}");
    }
}

#[test]
fn every_component_of_a_factor_is_interpolated_for_itself_in_every_mode() {
    let (a, b) = ([0.0, 0.25, 0.5, 1.0], [1.0, 0.75, 0.125, 0.0]);
    let ends = [a, b].concat();
    let (into, out) = ([0.5, -0.5, 0.25, 0.0], [0.25, 0.5, -0.25, -0.5]);
    let spline = [into, a, out, into, b, out].concat();
    for seconds in [0.0, 0.5, 1.25, 1.9, 2.0, 3.0] {
        let t = (seconds / 2.0_f64).min(1.0);
        let held = |interpolation, values: &[f32]| {
            let mut stage = stage();
            let clip = clip(BASE, numbers(interpolation, &[0.0, 2.0], values));
            let options = PlaybackOptions {
                start_time: seconds,
                loop_mode: fire_engine::animation::LoopMode::Once,
                ..full()
            };
            stage.play_on_materials(clip, &[1], options);
            stage.advance(0.0);
            assert_eq!((stage.base(0), stage.base(2)), ([1.0; 4], [1.0; 4]));
            stage.base(1)
        };
        let each = |f: &dyn Fn(usize) -> f64| (0..4).map(f).collect::<Vec<f64>>();
        let long = |v: f32| f64::from(v);
        near(&held(STEP, &ends), &each(&|i| long(if t < 1.0 { a[i] } else { b[i] })));
        near(&held(LINEAR, &ends), &each(&|i| long(a[i]) * (1.0 - t) + long(b[i]) * t));
        let hermite = |i: usize| {
            let (t2, t3) = (t * t, t * t * t);
            let value = (2.0 * t3 - 3.0 * t2 + 1.0) * long(a[i])
                + 2.0 * (t3 - 2.0 * t2 + t) * long(out[i])
                + (3.0 * t2 - 2.0 * t3) * long(b[i])
                + 2.0 * (t3 - t2) * long(into[i]);
            value.clamp(0.0, 1.0)
        };
        near(&held(CUBIC, &spline), &each(&hermite));
    }
}

#[test]
fn weights_above_a_sum_of_1_are_scaled_and_below_it_the_rest_fills_up() {
    for weights in [&[1.0][..], &[0.25], &[0.25, 0.5], &[1.0, 1.0], &[0.5, 1.0, 0.25], &[0.0]] {
        let mut stage = stage();
        let (mut sum, mut fov, mut red) = (0.0, 0.0, 0.0);
        for (&weight, value) in weights.iter().zip([0.5, 1.5, 2.0]) {
            stage.play(fov_of(value), weighing(weight));
            stage.play_on_materials(base_of([value / 4.0; 4]), &[0], weighing(weight));
            stage.play(clip(COLOR, numbers(STEP, &[0.0], &[value, 0.0, 1.0])), weighing(weight));
            sum += weight;
            fov += weight * f64::from(value);
            red += weight * f64::from(value) / 4.0;
        }
        stage.advance(0.0);
        let whole = sum.max(1.0);
        let rest = 1.0 - sum.min(1.0);
        near(&[stage.fov(0)], &[fov / whole + rest]);
        near(&stage.base(0), &[red / whole + rest; 4]);
        near(&stage.light(0).color.to_array(), &[fov / whole + rest, rest, 1.0]);
        assert_eq!((stage.fov(1), stage.base(1)), (1.0, [1.0; 4]));
    }
    // One in full is its sample, bit by bit, whoever else counts nothing.
    let mut stage = stage();
    stage.play(fov_of(0.3), weighing(0.0));
    stage.play(fov_of(0.1), full());
    stage.advance(0.0);
    assert_eq!(stage.fov(0).to_bits(), 0.1_f32.to_bits());
}

#[test]
fn properties_of_one_camera_or_material_do_not_touch_each_other() {
    let mut stage = stage();
    let near_plane = TargetPath::Camera(CameraProperty::Near);
    stage.play(fov_of(0.5), weighing(0.5));
    stage.play(clip(near_plane, numbers(STEP, &[0.0], &[0.5])), full());
    let offset = |slot| TargetPath::Material(MaterialProperty::UvOffset(slot));
    stage.play_on_materials(clip(ROUGHNESS, numbers(STEP, &[0.0], &[0.25])), &[0], weighing(0.5));
    let clip = clip(offset(UvSlot::Emissive), numbers(STEP, &[0.0], &[2.0, -3.0]));
    stage.play_on_materials(clip, &[0], full());
    stage.advance(0.0);
    let camera = stage.scene.find(stage.nodes[0]).unwrap().camera();
    let expected = Projection::Perspective { fov_y: 0.75, aspect: None, near: 0.5, far: Some(100.0) };
    assert_eq!(camera, Some(expected));
    let mut expected = described();
    expected.roughness_factor = 0.375;
    expected.uv_transforms[4].offset = fire_engine::math::Vec2::new(2.0, -3.0);
    assert_eq!(stage.factors(0), expected);
}

#[test]
fn additive_layers_add_their_difference_and_stay_in_range() {
    let mut stage = stage();
    let ramp = clip(ROUGHNESS, numbers(LINEAR, &[0.0, 1.0], &[0.1, 0.9]));
    let added =
        |weight| PlaybackOptions { blend: BlendMode::Additive { reference: 0.0 }, ..weighing(weight) };
    stage.play_on_materials(ramp, &[0], added(0.5));
    stage.play(clip(FOV, numbers(LINEAR, &[0.0, 1.0], &[0.0, 2.0])), added(1.0));
    stage.advance(0.5);
    near(&[stage.factors(0).roughness_factor, stage.fov(0)], &[0.5 + 0.5 * 0.4, 2.0]);
    // At rest what the layer adds is nothing; a base below it moves with it.
    stage.play_on_materials(clip(ROUGHNESS, numbers(STEP, &[0.0], &[0.75])), &[0], full());
    stage.advance(0.25);
    near(&[stage.factors(0).roughness_factor], &[1.0]);
    stage.play_on_materials(clip(ROUGHNESS, numbers(STEP, &[0.0], &[0.25])), &[0], full());
    stage.advance(0.0);
    near(&[stage.factors(0).roughness_factor], &[0.5 + 0.5 * 0.6]);
}

#[test]
fn a_cross_fade_leads_from_one_camera_move_to_another() {
    let mut stage = stage();
    let from = stage.play(fov_of(0.5), full());
    stage.advance(0.0);
    let to = stage.play(fov_of(1.5), full());
    stage.scene.cross_fade(from, to, 1.0).unwrap();
    for quarter in 0..=4 {
        near(&[stage.fov(0)], &[0.5 + 0.25 * f64::from(quarter)]);
        stage.advance(0.25);
    }
    assert!(stage.scene.playback(from).is_none());
    assert_eq!(stage.fov(0), 1.5);
}

#[test]
fn masks_leave_out_nodes_with_what_they_carry_and_materials_for_themselves() {
    let mut stage = stage();
    let both = clip_of(vec![
        (0, FOV, numbers(STEP, &[0.0], &[0.5])),
        (1, FOV, numbers(STEP, &[0.0], &[0.5])),
        (1, TargetPath::Translation, vectors(STEP, &[0.0], &[[3.0, 0.0, 0.0]])),
        (0, BASE, numbers(STEP, &[0.0], &[0.5; 4])),
        (1, BASE, numbers(STEP, &[0.0], &[0.5; 4])),
    ]);
    assert_eq!((both.slot_count(), both.material_slot_count()), (2, 2));
    let mut binding = stage.bind(both, &[0, 1]);
    binding.materials = vec![MaterialId::new(2), MaterialId::new(0)];
    let playback = stage.scene.play(&stage.clips[0], &binding, full()).unwrap();
    let second = stage.nodes[1];
    stage.scene.set_mask(playback, |node| node.id() != second).unwrap();
    stage.scene.set_material_mask(playback, |material| material.index() == 2).unwrap();
    stage.advance(0.0);
    assert_eq!((stage.fov(0), stage.fov(1), stage.x(1)), (0.5, 1.0, 0.0));
    assert_eq!((stage.base(2), stage.base(0)), ([0.5; 4], [1.0; 4]));
    // Masked, they are free for others.
    stage.play_on(fov_of(2.0), &[1], weighing(0.5));
    stage.advance(0.0);
    assert_eq!(stage.fov(1), 1.5);
    stage.scene.set_mask(playback, |_| true).unwrap();
    stage.scene.set_material_mask(playback, |_| true).unwrap();
    stage.advance(0.0);
    assert_eq!((stage.x(1), stage.base(0)), (3.0, [0.5; 4]));
    near(&[stage.fov(1)], &[(0.5 + 0.5 * 2.0) / 1.5]);
    assert!(stage.scene.stop(playback));
    let gone = stage.scene.set_material_mask(playback, |_| true);
    assert_eq!(gone, Err(AnimationError::UnknownPlayback));
    stage.advance(0.0);
    assert_eq!(stage.fov(1), 1.5);
}

#[test]
fn what_was_driven_keeps_its_pose_until_reset_and_its_rest_is_kept_apart() {
    let mut stage = stage();
    let playbacks = [
        stage.play(fov_of(0.5), full()),
        stage.play(clip(COLOR, numbers(STEP, &[0.0], &[0.0, 0.5, 1.0])), full()),
        stage.play_on_materials(base_of([0.25; 4]), &[0], full()),
    ];
    stage.advance(0.0);
    playbacks.into_iter().for_each(|playback| assert!(stage.scene.stop(playback)));
    stage.advance(0.0);
    let posed = |stage: &Stage| (stage.fov(0), stage.light(0).color, stage.base(0));
    assert_eq!(posed(&stage), (0.5, Vec3::new(0.0, 0.5, 1.0), [0.25; 4]));
    let node = stage.scene.find(stage.nodes[0]).unwrap();
    assert_eq!((node.rest_camera(), node.rest_light()), (Some(perspective(1.0)), Some(spot())));
    assert_eq!(stage.scene.rest_material_factors(MaterialId::new(0)), Some(&described()));
    stage.scene.reset_pose();
    assert_eq!(posed(&stage), (1.0, Vec3::ONE, [1.0; 4]));
}

#[test]
fn setting_a_camera_light_or_material_changes_its_rest_and_shows_until_the_next_advance() {
    let mut stage = stage();
    stage.play(fov_of(0.5), weighing(0.5));
    stage.play(clip(COLOR, numbers(STEP, &[0.0], &[0.0; 3])), weighing(0.5));
    stage.play_on_materials(base_of([0.0; 4]), &[0], weighing(0.5));
    stage.advance(0.0);
    assert_eq!((stage.fov(0), stage.light(0).color.x, stage.base(0)[0]), (0.75, 0.5, 0.5));
    let mut node = stage.scene.find_mut(stage.nodes[0]).unwrap();
    node.set_camera(Some(perspective(1.5)));
    node.set_light(Some(Light { color: Vec3::splat(0.25), ..spot() })).unwrap();
    let factors = Material { base_color_factor: [0.75; 4].into(), ..Material::default() }.factors();
    stage.scene.set_material_factors(MaterialId::new(0), factors).unwrap();
    assert_eq!((stage.fov(0), stage.light(0).color.x, stage.base(0)[0]), (1.5, 0.25, 0.75));
    stage.advance(0.0);
    assert_eq!((stage.fov(0), stage.light(0).color.x, stage.base(0)[0]), (1.0, 0.125, 0.375));
    let bad = MaterialFactors { normal_scale: f32::NAN, ..factors };
    let material = MaterialId::new(0);
    let fault = SceneError::MaterialNotFinite { material, field: "normal_scale" };
    assert_eq!(stage.scene.set_material_factors(material, bad), Err(fault));
    assert_eq!(stage.base(0)[0], 0.375);
}

#[test]
fn a_camera_that_is_replaced_or_gone_takes_what_it_can_and_comes_back() {
    let mut stage = stage();
    stage.play(fov_of(0.5), full());
    stage.play(clip(COLOR, numbers(STEP, &[0.0], &[0.0; 3])), weighing(0.5));
    stage.advance(0.0);
    let flat = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.0, far: 9.0 };
    for camera in [Some(flat), None] {
        let mut node = stage.scene.find_mut(stage.nodes[0]).unwrap();
        node.set_camera(camera);
        node.set_light(None).unwrap();
        stage.advance(0.0);
        let node = stage.scene.find(stage.nodes[0]).unwrap();
        assert_eq!((node.camera(), node.light()), (camera, None));
    }
    stage.scene.find_mut(stage.nodes[0]).unwrap().set_camera(Some(perspective(2.0)));
    stage.advance(0.0);
    assert_eq!(stage.fov(0), 0.5);
    // A removed node is silent, and the one that takes its place is not driven.
    stage.scene.remove(stage.nodes[0]).unwrap();
    let next = stage.scene.add_root("next").unwrap();
    stage.scene.find_mut(next).unwrap().set_camera(Some(perspective(2.0)));
    stage.advance(0.0);
    let node = stage.scene.find(next).unwrap();
    assert_eq!((node.camera(), node.is_animated()), (Some(perspective(2.0)), false));
    let playing: Vec<_> = stage.scene.playbacks().iter().map(|playback| playback.id()).collect();
    playing.into_iter().for_each(|playback| assert!(stage.scene.stop(playback)));
    stage.advance(0.0);
}

#[test]
fn a_sampled_pose_has_the_bits_of_a_playback_and_is_undone() {
    let spline: Vec<f32> = (0..24).map(|i| (i as f32 * 0.37) % 1.0).collect();
    let channels = || {
        clip_of(vec![
            (0, FOV, numbers(LINEAR, &[0.0, 1.0], &[0.3, 1.9])),
            (0, TargetPath::Light(LightProperty::Intensity), numbers(CUBIC, &[0.0, 1.0], &spline[..6])),
            (0, BASE, numbers(CUBIC, &[0.0, 1.0], &spline)),
        ])
    };
    let mut binding_stage = stage();
    let mut binding = binding_stage.bind(channels(), &[0]);
    binding.materials = vec![MaterialId::new(1)];
    for step in 0..=16 {
        let seconds = f64::from(step) / 16.0;
        let mut played = stage();
        let mut own = played.bind(channels(), &[0]);
        own.materials = vec![MaterialId::new(1)];
        let playback = played.scene.play(&played.clips[0], &own, full()).unwrap();
        played.scene.seek(playback, seconds).unwrap();
        played.advance(0.0);
        let pose = sampled(&binding_stage.clips[0], seconds);
        let slot = SlotId::new(0);
        assert_eq!(pose.numbers(slot, FOV).map(<[f32]>::len), Some(1));
        assert_eq!(pose.numbers(slot, BASE).map(<[f32]>::len), Some(4));
        assert_eq!((pose.numbers(slot, COLOR), pose.numbers(SlotId::new(1), FOV)), (None, None));
        binding_stage.scene.apply_pose(&pose, &binding).unwrap();
        let bits = |stage: &Stage| {
            let numbers = [stage.fov(0), stage.light(0).intensity].into_iter().chain(stage.base(1));
            numbers.map(f32::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(bits(&binding_stage), bits(&played), "{seconds}");
    }
    binding_stage.scene.reset_pose();
    assert_eq!((binding_stage.fov(0), binding_stage.base(1)), (1.0, [1.0; 4]));
}

#[test]
fn numbers_beyond_their_range_never_reach_what_is_seen() {
    let mut stage = stage();
    let wild = |path, low: f32, high: f32| clip(path, numbers(LINEAR, &[0.0, 1.0], &[low, high]));
    for property in [CameraProperty::FovY, CameraProperty::Near, CameraProperty::Far] {
        stage.play(wild(TargetPath::Camera(property), -10.0, 10.0), full());
    }
    for property in [
        LightProperty::Intensity,
        LightProperty::Range,
        LightProperty::InnerConeAngle,
        LightProperty::OuterConeAngle,
    ] {
        stage.play(wild(TargetPath::Light(property), -3.0, 3.0), full());
    }
    stage.play_on_materials(wild(ROUGHNESS, -1.0, 2.0), &[0], full());
    for _ in 0..64 {
        stage.advance(1.0 / 64.0);
        let node = stage.scene.find(stage.nodes[0]).unwrap();
        assert!(node.camera().unwrap().matrix(1.5).is_ok(), "{:?}", node.camera());
        assert_eq!(node.light().unwrap().validate(), Ok(()));
        assert!((0.0..=1.0).contains(&stage.factors(0).roughness_factor));
    }
}

#[test]
fn what_cannot_be_driven_is_refused_by_name_and_nothing_starts() {
    let mut stage = stage();
    let flat = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.0, far: 9.0 };
    stage.scene.find_mut(stage.nodes[1]).unwrap().set_camera(Some(flat));
    let clip_name = || "clip".to_owned();
    let mut refused = |clip: Animation, nodes: &[usize], materials: &[u32]| {
        let mut binding = stage.bind(clip, nodes);
        binding.materials = materials.iter().map(|&material| MaterialId::new(material)).collect();
        let played = stage.scene.play(&stage.clips[binding.animation.index()], &binding, full());
        assert!(
            stage.scene.playbacks().is_empty() && !stage.scene.find(stage.nodes[0]).unwrap().is_animated()
        );
        played.unwrap_err()
    };
    let aspect = TargetPath::Camera(CameraProperty::Aspect);
    for (node, path) in [(1, FOV), (2, FOV), (2, COLOR), (0, aspect)] {
        let fault =
            refused(clip(path, numbers(STEP, &[0.0], &[0.5; 3][..path.width().unwrap()])), &[node], &[]);
        let name = format!("node {node}");
        let expected = AnimationError::MissingProperty { clip: clip_name(), slot: 0, node: name, path };
        assert_eq!(fault, expected);
    }
    let fault = refused(base_of([0.5; 4]), &[], &[9]);
    assert_eq!(fault, AnimationError::UnknownMaterial { clip: clip_name(), slot: 0, material: 9 });
    assert!(fault.to_string().contains("set_material_factors"));
    let fault = refused(base_of([0.5; 4]), &[], &[]);
    assert_eq!(fault, AnimationError::MaterialBindingLength { clip: clip_name(), materials: 0, slots: 1 });
    let fault = refused(fov_of(0.5), &[0], &[0]);
    assert_eq!(fault, AnimationError::MaterialBindingLength { clip: clip_name(), materials: 1, slots: 0 });
}

#[test]
fn samplers_of_another_kind_or_width_are_refused_when_the_clip_is_built() {
    use fire_engine::animation::AnimationChannel;
    let build = |path, sampler| {
        let channel = AnimationChannel { slot: SlotId::new(0), path, sampler: 0 };
        Animation::new("clip", vec![sampler], vec![channel])
    };
    let refused = |path, sampler| matches!(build(path, sampler), Err(AnimationError::ChannelKind { .. }));
    assert!(build(BASE, numbers(STEP, &[0.0], &[0.5; 4])).is_ok());
    assert!(refused(BASE, numbers(STEP, &[0.0], &[0.5; 3])));
    assert!(refused(FOV, numbers(STEP, &[0.0], &[0.5; 2])));
    assert!(refused(FOV, weights(STEP, &[0.0], &[0.5])));
    assert!(refused(COLOR, vectors(STEP, &[0.0], &[[0.5; 3]])));
    assert!(refused(TargetPath::Weights, numbers(STEP, &[0.0], &[0.5])));
    assert!(refused(TargetPath::Translation, numbers(STEP, &[0.0], &[0.5; 3])));
    assert!(matches!(
        build(FOV, numbers(LINEAR, &[0.0, 1.0], &[0.5, f32::NAN])),
        Err(AnimationError::Value { keyframe: 1, .. })
    ));
}

#[test]
fn nothing_of_it_is_a_change_of_structure_and_animators_tell_of_it() {
    let mut stage = stage();
    let child = stage.scene.add_child(stage.nodes[0], "primitive").unwrap();
    let mut edit = stage.scene.find_mut(child).unwrap();
    edit.set_render_object(Some(fire_engine::assets::RenderObjectId::new(0)));
    edit.set_camera(Some(perspective(1.0)));
    stage.nodes.push(child);
    stage.scene.update_world_transforms();
    let rows = stage.scene.world_transforms().len();
    let revisions = |scene: &Scene| (scene.structure_revision(), scene.mirror_revision());
    let before = revisions(&stage.scene);
    let playback = stage.play_on(fov_of(0.5), &[3], full());
    stage.play_on_materials(base_of([0.5; 4]), &[0], full());
    stage.advance(0.0);
    stage.scene.update_world_transforms();
    assert_eq!(stage.fov(3), 0.5);
    assert_eq!((revisions(&stage.scene), stage.scene.world_transforms().len()), (before, rows));
    let animators: Vec<_> = stage.scene.find(child).unwrap().animators().collect();
    assert_eq!(animators.len(), 1);
    assert_eq!((animators[0].playback, animators[0].path), (playback, FOV));
    assert!(stage.scene.find(child).unwrap().is_animated());
    assert!(!stage.scene.find(stage.nodes[0]).unwrap().is_animated());
    stage.scene.stop(playback);
    stage.scene.reset_pose();
    assert!(!stage.scene.find(child).unwrap().is_animated());
    assert_eq!(revisions(&stage.scene), before);
}

#[test]
fn a_copy_looks_as_its_original_and_is_driven_for_itself() {
    let mut stage = stage();
    let binding = stage.bind(fov_of(0.5), &[0]);
    stage.scene.play(&stage.clips[0], &binding, full()).unwrap();
    stage.play_on_materials(base_of([0.25; 4]), &[0], full());
    stage.advance(0.0);
    let mut scene = Scene::new();
    scene.set_material_factors(MaterialId::new(1), Material::default().factors()).unwrap();
    let maps = [0, 1].map(|_| scene.append(&stage.scene, None, Transform::IDENTITY).unwrap());
    let copies = maps.each_ref().map(|map| map.get(stage.nodes[0]).unwrap());
    let seen = |scene: &Scene, copy| scene.find(copy).unwrap().camera();
    for copy in copies {
        assert_eq!(seen(&scene, copy), Some(perspective(0.5)));
        assert_eq!(scene.find(copy).unwrap().rest_camera(), Some(perspective(1.0)));
    }
    // Materials are shared, and those that had factors here keep them.
    assert_eq!(scene.material_factors(MaterialId::new(0)).unwrap().base_color_factor.a, 0.25);
    assert_eq!(scene.material_factors(MaterialId::new(1)).unwrap().roughness_factor, 1.0);
    scene.reset_pose();
    let copied = binding.remapped(&maps[1]);
    scene.play(&stage.clips[0], &copied, full()).unwrap();
    fire_engine::scene::advance_animations(&mut scene, &stage.clips, 0.0).unwrap();
    assert_eq!(copies.map(|copy| seen(&scene, copy)), [1.0, 0.5].map(|fov| Some(perspective(fov))));
}

#[test]
fn what_code_sets_under_a_paused_clip_yields_to_it_at_the_next_advance() {
    let mut stage = stage();
    let paused = PlaybackOptions { paused: true, ..full() };
    stage.play_on(fov_of(0.75), &[0], paused);
    stage.play_on_materials(base_of([0.25; 4]), &[1], paused);
    for round in 0..3 {
        // What stands still is not written again, until somebody else wrote to it.
        stage.advance(0.5);
        stage.advance(0.0);
        stage.advance(0.5);
        assert_eq!((stage.fov(0), stage.base(1)), (0.75, [0.25; 4]), "{round}");
        match round {
            0 => {
                stage.scene.find_mut(stage.nodes[0]).unwrap().set_camera(Some(perspective(0.5)));
                assert_eq!(stage.fov(0), 0.5);
            }
            1 => {
                stage.scene.set_material_factors(MaterialId::new(1), described()).unwrap();
                assert_eq!(stage.base(1), [1.0; 4]);
            }
            _ => {}
        }
    }
}
