//! What KHR_animation_pointer drives: cameras, lights, materials and single weights.

use crate::clips::*;
use crate::formulas::{cubic, linear};
use crate::sheet::Sheet;
use fire_engine::animation::{
    CameraProperty, Interpolation, LightProperty, MaterialProperty, PlaybackOptions, SlotId, TargetPath,
    UvSlot,
};
use fire_engine::assets::{Material, MaterialId};
use fire_engine::gltf::{NoFiles, load_from_slice};
use fire_engine::math::Vec3;
use fire_engine::scene::{Light, LightKind, Projection};

const FOV: TargetPath = TargetPath::Camera(CameraProperty::FovY);
const COLOR: TargetPath = TargetPath::Light(LightProperty::Color);
const BASE: TargetPath = TargetPath::Material(MaterialProperty::BaseColorFactor);
const OFFSET: TargetPath = TargetPath::Material(MaterialProperty::UvOffset(UvSlot::BaseColor));

/// One node with a camera and a light at rest, and a material.
fn stage() -> Stage {
    let mut stage = Stage::new(1);
    let camera = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: Some(100.0) };
    let light = Light { kind: LightKind::Directional, color: Vec3::ONE, intensity: 2.0 };
    let mut edit = stage.scene.find_mut(stage.nodes[0]).unwrap();
    edit.set_camera(Some(camera));
    edit.set_light(Some(light)).unwrap();
    stage.scene.set_material_factors(MaterialId::new(0), Material::default().factors()).unwrap();
    stage
}

fn play(stage: &mut Stage, path: TargetPath, values: &[f32], options: PlaybackOptions) {
    let clip = clip(path, numbers(STEP, &[0.0], values));
    match path {
        TargetPath::Material(_) => stage.play_on_materials(clip, &[0], options),
        _ => stage.play(clip, options),
    };
}

fn camera(stage: &Stage) -> [f32; 3] {
    match stage.scene.find(stage.nodes[0]).unwrap().camera() {
        Some(Projection::Perspective { fov_y, near, far: Some(far), .. }) => [fov_y, near, far],
        other => panic!("{other:?}"),
    }
}

fn color(stage: &Stage) -> [f32; 3] {
    stage.scene.find(stage.nodes[0]).unwrap().light().unwrap().color.to_array()
}

fn base(stage: &Stage) -> [f32; 4] {
    stage.scene.material_factors(MaterialId::new(0)).unwrap().base_color_factor.to_array()
}

pub fn rules(sheet: &mut Sheet) {
    sheet.section("Cameras, lights and materials (KHR_animation_pointer)");
    samples(sheet);
    mixes(sheet);
    ranges(sheet);
    single_weights(sheet);
    pointers(sheet);
}

fn samples(sheet: &mut Sheet) {
    sheet.rule(
        "Each number is interpolated for itself; before the first key and after the last one it holds",
        &["T-ANIM-CUBIC 8", "T-ANIM-CUBIC 10", "T-ANIM-CLAMP 13"],
    );
    let ours = |path: TargetPath, interpolation: Interpolation, values: &[f32], seconds| {
        let pose = sampled(&clip(path, numbers(interpolation, &[1.0, 3.0], values)), seconds);
        pose.numbers(SlotId::new(0), path).unwrap().to_vec()
    };
    let (from, to) = ([0.25, 0.5, 0.0, 1.0], [0.75, 0.0, 1.0, 0.5]);
    for (name, path) in
        [("camera fov", FOV), ("light color", COLOR), ("base color", BASE), ("uv offset", OFFSET)]
    {
        let width = path.width().unwrap();
        let ends: Vec<f32> =
            [&from[..width], &to[..width]].concat().iter().map(|&x: &f64| x as f32).collect();
        let each = |f: &dyn Fn(usize) -> f64| (0..width).map(f).collect::<Vec<f64>>();
        for seconds in [0.0, 1.5, 3.5] {
            let t = ((seconds - 1.0) / 2.0_f64).clamp(0.0, 1.0);
            let held = if t < 1.0 { from } else { to };
            let input = |mode| format!("{name}, {mode}, keys at 1 and 3 s, {seconds} s");
            sheet.numbers(&input("STEP"), &held[..width], &ours(path, STEP, &ends, seconds), 1e-6);
            let expected = each(&|i| linear(from[i], to[i], t));
            sheet.numbers(&input("LINEAR"), &expected, &ours(path, LINEAR, &ends, seconds), 1e-6);
            let zeros = vec![0.0; width];
            let (out, into) = (vec![0.5_f32; width], vec![-0.25_f32; width]);
            let spline = [&zeros, &ends[..width], &out, &into, &ends[width..], &zeros].concat();
            let expected = each(&|i| cubic(t, 2.0, from[i], 0.5, -0.25, to[i]));
            sheet.numbers(&input("CUBICSPLINE"), &expected, &ours(path, CUBIC, &spline, seconds), 1e-6);
        }
    }
}

fn mixes(sheet: &mut Sheet) {
    sheet.rule(
        "Weights above a sum of 1 are scaled to 1; below 1 the camera's, light's or material's own number fills up",
        &["T-ANIM-WEIGHTS 24", "T-ANIM-CLAMP 19"],
    );
    for weights in [&[0.25][..], &[0.25, 0.5], &[1.0, 1.0]] {
        let mut stage = stage();
        let (mut sum, mut mixed) = (0.0, 0.0);
        for (&weight, value) in weights.iter().zip([0.5, 0.0]) {
            let options = PlaybackOptions { weight, ..PlaybackOptions::default() };
            for path in [FOV, COLOR, BASE] {
                play(&mut stage, path, &[value; 4][..path.width().unwrap()], options);
            }
            sum += weight;
            mixed += weight * f64::from(value);
        }
        stage.advance(0.0);
        let expected = if sum > 1.0 { mixed / sum } else { mixed + (1.0 - sum) };
        let ours = [&camera(&stage)[..1], &color(&stage), &base(&stage)].concat();
        let input = format!("fov, color, base color: 0.5, 0 by weights {weights:?}, rest 1");
        sheet.numbers(&input, &[expected; 8], &ours, 1e-6);
    }
    let mut stage = stage();
    play(&mut stage, FOV, &[0.5], PlaybackOptions::default());
    stage.advance(0.0);
    sheet.numbers(
        "fov, near and far plane while only the fov is driven",
        &[0.5, 0.1, 100.0],
        &camera(&stage),
        1e-6,
    );
    stage.scene.reset_pose();
    sheet.numbers("the same after a reset", &[1.0, 0.1, 100.0], &camera(&stage), 1e-6);
}

fn ranges(sheet: &mut Sheet) {
    sheet.rule("What no camera, light or material may be is held at the end of its range", &[]);
    let mut stage = stage();
    for (path, values) in [(FOV, &[-1.0][..]), (COLOR, &[-1.0, 0.5, 2.0]), (BASE, &[-1.0, 0.5, 2.0, 1.5])] {
        play(&mut stage, path, values, PlaybackOptions::default());
    }
    stage.advance(0.0);
    sheet.numbers("fov of -1 rad, which must be above 0", &[1e-4], &camera(&stage)[..1], 1e-6);
    sheet.numbers("light color -1 0.5 2, which must be at least 0", &[0.0, 0.5, 2.0], &color(&stage), 1e-6);
    sheet.numbers(
        "base color -1 0.5 2 1.5, which must be 0 to 1",
        &[0.0, 0.5, 1.0, 1.0],
        &base(&stage),
        1e-6,
    );
}

fn single_weights(sheet: &mut Sheet) {
    sheet.rule(
        "A single weight moves by its own keys, and those that no channel drives rest",
        &["T-ANIM-WEIGHTS 23"],
    );
    let mut stage = stage();
    stage.scene.find_mut(stage.nodes[0]).unwrap().set_weights(&[0.25, 0.5, 0.75]).unwrap();
    let clip = clip_of(vec![
        (0, TargetPath::Weight(0), weights(LINEAR, &[0.0, 1.0], &[0.0, 1.0])),
        (0, TargetPath::Weight(2), weights(STEP, &[0.0, 0.5], &[0.0, 1.0])),
    ]);
    stage.play(clip, PlaybackOptions::default());
    for (elapsed, expected) in [(0.25, [0.25, 0.5, 0.0]), (0.5, [0.75, 0.5, 1.0])] {
        stage.advance(elapsed);
        let input = format!(
            "weight 0 0 to 1 in 1 s, weight 2 stepping at 0.5 s, rest 0.25 0.5 0.75, {} s",
            expected[0]
        );
        sheet.numbers(&input, &expected, stage.weights(0), 1e-6);
    }
}

fn pointers(sheet: &mut Sheet) {
    sheet.rule(
        "A pointer leads by index; one that leads nowhere is reported, and the clip's other channels play",
        &["T-ANIM-NAMES 21", "T-ANIM-MATRIX 20", "D3"],
    );
    let cases = [
        ("/nodes/1/scale", "plays"),
        ("/cameras/0/perspective/yfov", "plays"),
        ("/materials/0/pbrMetallicRoughness/metallicFactor", "plays"),
        ("/nodes/0/scale", "node 0 has a matrix, which has no scale to drive"),
        ("/nodes/7/scale", "there is no node 7; the document has 2, numbered from 0"),
        ("/nodes/1/name", "it is not among the properties that are animated here"),
        ("nodes/1/scale", "it is no JSON pointer"),
        ("/cameras/0/perspective/zfar", "the document does not define it, so there is nothing to animate"),
    ];
    let channels: Vec<String> = cases
        .iter()
        .map(|(pointer, _)| {
            let sampler = usize::from(pointer.ends_with("yfov") || pointer.ends_with("metallicFactor"));
            format!(
                r#"{{"sampler":{sampler},"target":{{"path":"pointer","extensions":{{"KHR_animation_pointer":{{"pointer":"{pointer}"}}}}}}}}"#
            )
        })
        .collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["KHR_animation_pointer"],"extensionsRequired":["KHR_animation_pointer"],
        "scene":0,"scenes":[{{"nodes":[0,1]}}],
        "nodes":[{{"name":"twin","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}},{{"name":"twin","camera":0}}],
        "cameras":[{{"type":"perspective","perspective":{{"yfov":1,"znear":0.1}}}}],
        "materials":[{{"pbrMetallicRoughness":{{}}}}],
        "accessors":[{{"componentType":5126,"count":1,"type":"SCALAR"}},{{"componentType":5126,"count":1,"type":"VEC3"}}],
        "animations":[{{"samplers":[{{"input":0,"output":1}},{{"input":0,"output":0}}],"channels":[{}]}}]}}"#,
        channels.join(",")
    );
    let (content, report) = load_from_slice(json.as_bytes(), &NoFiles).unwrap();
    for (number, (pointer, expected)) in cases.iter().enumerate() {
        let path =
            format!("animations[0].channels[{number}].target.extensions.KHR_animation_pointer.pointer");
        let row = report.iter().find(|note| note.json_path == path);
        let ours = row.map_or("plays", |note| {
            let reason = note.message.split_once("\": ").map_or("", |(_, reason)| reason);
            reason.split_once(", which begins").map_or(reason, |(start, _)| start)
        });
        sheet.words(pointer, expected, ours);
    }
    sheet.doubles("channels that play", &[3.0], &[content.animations[0].channels().len() as f64], 0.0);
}
