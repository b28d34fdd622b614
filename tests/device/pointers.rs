//! What KHR_animation_pointer looks like: factors of materials and cameras that move, with nothing compiled for it.

use crate::fixtures::Doc;
use crate::pixels::Test;
use crate::square::{Square, quarters};
use crate::support::stage::{
    BLACK, BLUE, GREEN, RED, Stage, WHITE, expect_pixel, flat_camera, plain, square,
};
use crate::support::{assert_clean, check, options};
use fire_engine::assets::{MaterialId, RenderObject};
use fire_engine::math::{Transform, Vec3};
use fire_engine::scene::{Camera, Content, Scene};
use fire_engine::vulkan::{Renderer, RendererOptions, ValidationLog, ViewMode};
use libtest_mimic::Failed;
use serde_json::{Value, json};

pub const TESTS: &[Test] = &[
    ("pointers::a_base_color_factor_moves_from_frame_to_frame", a_base_color_factor_moves),
    ("pointers::an_alpha_cutoff_eats_into_the_texture", an_alpha_cutoff_eats_into_the_texture),
    ("pointers::a_texture_transform_slides_and_turns", a_texture_transform_slides_and_turns),
    ("pointers::a_field_of_view_changes_what_is_seen", a_field_of_view_changes_what_is_seen),
    ("pointers::view_modes_show_the_factors_of_their_slots", view_modes_show_the_factors_of_their_slots),
    ("pointers::blended_surfaces_fade", blended_surfaces_fade),
    ("pointers::frames_in_flight_each_have_their_own", frames_in_flight_each_have_their_own),
    (
        "pointers::scenes_with_and_without_factors_take_turns_and_nothing_grows",
        scenes_with_and_without_factors_take_turns,
    ),
    ("pointers::a_frame_catches_up_with_changes_that_others_drew", a_frame_catches_up_with_changes),
];

/// Adds a channel that drives a pointer from one value to another in 1 s.
fn animate(doc: &mut Doc, pointer: &str, shape: &str, values: &[f32], interpolation: &str) {
    let (input, output) = (doc.floats("SCALAR", &[0.0, 1.0]), doc.floats(shape, values));
    let target = json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}});
    if doc.json["animations"].is_null() {
        doc.json["animations"] = json!([{"samplers": [], "channels": []}]);
    }
    let animation = &mut doc.json["animations"][0];
    let samplers = animation["samplers"].as_array_mut();
    let sampler = samplers.map(|samplers| {
        samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
        samplers.len() - 1
    });
    if let Some(channels) = animation["channels"].as_array_mut() {
        channels.push(json!({"sampler": sampler, "target": target}));
    }
}

fn unlit(mut material: Value) -> Value {
    material["extensions"]["KHR_materials_unlit"] = json!({});
    material
}

/// A renderer of 64 x 64 pixels on black that has prepared the document, whose clip plays.
struct Show {
    content: Content,
    renderer: Renderer,
    log: ValidationLog,
    time: f64,
}

impl Show {
    fn new(doc: &mut Doc, change: impl FnOnce(&mut RendererOptions)) -> Result<Self, Failed> {
        doc.json["extensionsUsed"] = json!([
            "KHR_animation_pointer",
            "KHR_materials_unlit",
            "KHR_materials_emissive_strength",
            "KHR_texture_transform"
        ]);
        let (mut content, report) = doc.load()?;
        let about_clips = report.iter().find(|note| note.json_path.starts_with("animations"));
        check(about_clips.is_none(), || report.to_string())?;
        content.play_all()?;
        content.advance(0.0)?;
        content.scene.update_world_transforms();
        let (mut options, log) = options();
        options.clear_color = [0.0, 0.0, 0.0, 1.0];
        change(&mut options);
        let mut renderer = Renderer::headless((64, 64), options)?;
        renderer.prepare(&content.assets, &content.scene)?;
        Ok(Self { content, renderer, log, time: 0.0 })
    }

    /// Goes on to `seconds` and fails unless the pixels have these colors, give or take `tolerance`.
    fn expect(
        &mut self,
        seconds: f64,
        camera: &Camera,
        pixels: &[((u32, u32), [u8; 4])],
        tolerance: u8,
    ) -> Result<(), Failed> {
        self.content.advance(seconds - self.time)?;
        self.time = seconds;
        self.content.scene.update_world_transforms();
        self.renderer.prepare(&self.content.assets, &self.content.scene)?;
        let image = self.renderer.render_to_image(&self.content.scene, camera)?;
        for &(at, color) in pixels {
            expect_pixel(&image, at, color, tolerance)
                .map_err(|error| format!("{seconds} s: {}", error.message().unwrap_or_default()))?;
        }
        Ok(())
    }

    fn end(self) -> Result<(), Failed> {
        assert_eq!(self.renderer.preparation().generation(), 1);
        drop(self.renderer);
        assert_clean(&self.log)
    }
}

/// The sRGB byte of a linear color.
fn encoded(linear: f64) -> u8 {
    let value = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}

const MIDDLE: (u32, u32) = (32, 32);
const UPPER_LEFT: (u32, u32) = (16, 16);
const UPPER_RIGHT: (u32, u32) = (48, 16);
const LOWER_LEFT: (u32, u32) = (16, 48);
const LOWER_RIGHT: (u32, u32) = (48, 48);

fn a_base_color_factor_moves() -> Result<(), Failed> {
    let mut doc = Square::new().material(unlit(json!({"pbrMetallicRoughness": {}}))).doc;
    let pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    animate(&mut doc, pointer, "VEC4", &[1.0, 0.0, 0.25, 1.0, 0.0, 1.0, 0.25, 1.0], "LINEAR");
    let mut show = Show::new(&mut doc, |_| ())?;
    for seconds in [0.0, 0.25, 0.5, 0.9375] {
        let color = [encoded(1.0 - seconds), encoded(seconds), encoded(0.25), 255];
        show.expect(seconds, &flat_camera(), &[(MIDDLE, color)], 1)?;
    }
    // What rests is the material's own: white.
    show.content.scene.reset_pose();
    let playing: Vec<_> = show.content.scene.playbacks().iter().map(|playback| playback.id()).collect();
    playing.into_iter().for_each(|playback| assert!(show.content.scene.stop(playback)));
    show.expect(0.9375, &flat_camera(), &[(MIDDLE, WHITE)], 0)?;
    show.end()
}

/// Four texels whose alphas are 51, 102, 153 and 204: a cutoff of 0.3 hides the first, one of 0.5 the first two.
fn an_alpha_cutoff_eats_into_the_texture() -> Result<(), Failed> {
    let texels = [51, 102, 153, 204].map(|alpha| [255, 0, 0, alpha]);
    let texture = crate::square::rgba(2, 2, &texels)?;
    let material = json!({"alphaMode": "MASK", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}});
    let mut doc = Square::with_image(&texture).material(unlit(material)).doc;
    animate(&mut doc, "/materials/0/alphaCutoff", "SCALAR", &[0.0, 1.0], "LINEAR");
    let mut show = Show::new(&mut doc, |_| ())?;
    let places = [UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT];
    for (seconds, hidden) in [(0.0, 0), (0.1, 0), (0.3, 1), (0.5, 2), (0.7, 3), (0.9, 4)] {
        let pixels: Vec<_> =
            places.iter().enumerate().map(|(i, &at)| (at, if i < hidden { BLACK } else { RED })).collect();
        show.expect(seconds, &flat_camera(), &pixels, 0)?;
    }
    show.end()
}

/// The picture has red and green over blue and white. Half a texture to the right swaps the columns.
fn a_texture_transform_slides_and_turns() -> Result<(), Failed> {
    let texture = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
    let places = [UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT];
    let shown = |colors: [[u8; 4]; 4]| places.into_iter().zip(colors).collect::<Vec<_>>();
    let material = || {
        let slot = json!({"index": 0, "extensions": {"KHR_texture_transform": {}}});
        unlit(json!({"pbrMetallicRoughness": {"baseColorTexture": slot}}))
    };
    let mut doc = Square::with_image(&quarters()?).material(material()).doc;
    animate(&mut doc, &format!("{texture}/offset"), "VEC2", &[0.0, 0.0, 1.0, 0.0], "LINEAR");
    let mut show = Show::new(&mut doc, |_| ())?;
    show.expect(0.0, &flat_camera(), &shown([RED, GREEN, BLUE, WHITE]), 0)?;
    show.expect(0.5, &flat_camera(), &shown([GREEN, RED, WHITE, BLUE]), 0)?;
    show.end()?;
    // A quarter turn of the coordinates about the upper left corner: (u, v) reads (v, -u), so what is seen turns clockwise.
    let mut doc = Square::with_image(&quarters()?).material(material()).doc;
    let quarter = std::f32::consts::FRAC_PI_2;
    animate(&mut doc, &format!("{texture}/rotation"), "SCALAR", &[0.0, 2.0 * quarter], "LINEAR");
    animate(&mut doc, &format!("{texture}/scale"), "VEC2", &[1.0, 1.0, 1.0, 1.0], "STEP");
    let mut show = Show::new(&mut doc, |_| ())?;
    show.expect(0.0, &flat_camera(), &shown([RED, GREEN, BLUE, WHITE]), 0)?;
    // Upper left: (0.25, 0.25) reads (0.25, -0.25), which repeats to (0.25, 0.75): blue.
    show.expect(0.5, &flat_camera(), &shown([BLUE, RED, WHITE, GREEN]), 0)?;
    show.end()
}

/// A square from -1 to 1 at 4 m: it fills what is seen when the tangent of half the angle is 1/4, and a quarter of it when
/// that is 1. The same camera stands on two nodes, of which the second looks away.
fn a_field_of_view_changes_what_is_seen() -> Result<(), Failed> {
    let mut doc = Square::new().material(unlit(json!({"pbrMetallicRoughness": {}}))).doc;
    doc.json["nodes"] = json!([
        {"mesh": 0},
        {"camera": 0, "translation": [0.0, 0.0, 4.0]},
        {"camera": 0, "translation": [0.0, 0.0, 4.0], "rotation": [0.0, 1.0, 0.0, 0.0]},
    ]);
    doc.json["scenes"] = json!([{"nodes": [0, 1, 2]}]);
    doc.json["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}]);
    let (narrow, wide) = (2.0 * 0.2_f32.atan(), 2.0 * 1.0_f32.atan());
    animate(&mut doc, "/cameras/0/perspective/yfov", "SCALAR", &[narrow, wide], "LINEAR");
    let mut show = Show::new(&mut doc, |_| ())?;
    let cameras = |show: &Show| -> Result<Vec<Camera>, Failed> {
        let nodes = [1, 2].map(|index: usize| show.content.document.nodes[index]);
        let looking = nodes.into_iter().map(|node| Camera::from_node(&show.content.scene, node?));
        looking.collect::<Option<_>>().ok_or_else(|| "no camera".into())
    };
    let seen = cameras(&show)?;
    show.expect(0.0, &seen[0], &[((1, 1), WHITE), (MIDDLE, WHITE)], 0)?;
    show.expect(0.0, &seen[1], &[((1, 1), BLACK), (MIDDLE, BLACK)], 0)?;
    // Just before the end, where time goes round: a quarter of the height is white, from 24 to 40.
    show.content.advance(1.0 - 1e-9)?;
    show.time = 1.0 - 1e-9;
    let seen = cameras(&show)?;
    let pixels =
        [((26, 26), WHITE), ((37, 37), WHITE), ((21, 32), BLACK), ((32, 42), BLACK), ((1, 1), BLACK)];
    show.expect(show.time, &seen[0], &pixels, 0)?;
    show.expect(show.time, &seen[1], &[(MIDDLE, BLACK)], 0)?;
    show.end()
}

/// Below the material: pointer, shape and values of a channel.
type Channel = (&'static str, &'static str, &'static [f32]);

/// What is not a base color is shown by the view modes: texel x factor, for a texture that is white or a number.
fn view_modes_show_the_factors_of_their_slots() -> Result<(), Failed> {
    let texture = crate::square::rgba(1, 1, &[[255, 255, 255, 255]])?;
    let slot = || json!({"index": 0});
    let material = json!({
        "pbrMetallicRoughness": {"metallicRoughnessTexture": slot()},
        "normalTexture": slot(), "occlusionTexture": slot(), "emissiveTexture": slot(),
        "extensions": {"KHR_materials_emissive_strength": {}},
    });
    let number = |value: f64| (value * 255.0).round() as u8;
    let half = 0.5;
    let cases: [(ViewMode, &[Channel], [u8; 4]); 4] = [
        (
            ViewMode::MetallicRoughness,
            &[
                ("pbrMetallicRoughness/metallicFactor", "SCALAR", &[0.0, 1.0]),
                ("pbrMetallicRoughness/roughnessFactor", "SCALAR", &[0.5, 0.0]),
            ],
            [0, number(0.25), number(half), 255],
        ),
        // A white texel is no occlusion whatever the strength, so the picture's texel is what the next case is for.
        (ViewMode::Occlusion, &[("occlusionTexture/strength", "SCALAR", &[0.0, 1.0])], WHITE),
        (
            ViewMode::NormalTexture,
            &[("normalTexture/scale", "SCALAR", &[0.0, 1.0])],
            [number(0.75), number(0.75), 255, 255],
        ),
        (
            ViewMode::Emissive,
            &[
                ("emissiveFactor", "VEC3", &[0.0, 0.25, 0.5, 1.0, 0.25, 0.5]),
                ("extensions/KHR_materials_emissive_strength/emissiveStrength", "SCALAR", &[0.0, 1.0]),
            ],
            [encoded(0.25), encoded(0.125), encoded(0.25), 255],
        ),
    ];
    for (view, channels, expected) in cases {
        let mut doc = Square::with_image(&texture).material(material.clone()).doc;
        for (pointer, shape, values) in channels {
            animate(&mut doc, &format!("/materials/0/{pointer}"), shape, values, "LINEAR");
        }
        let mut show = Show::new(&mut doc, |options| options.view_mode = view)?;
        show.expect(0.5, &flat_camera(), &[(MIDDLE, expected)], 1)
            .map_err(|error| format!("{view:?}: {}", error.message().unwrap_or_default()))?;
        show.end()?;
    }
    // A texel of 51 is 0.2, of which a strength of a half leaves 0.6.
    let texture = crate::square::rgba(1, 1, &[[51, 51, 51, 255]])?;
    let mut doc = Square::with_image(&texture).material(material).doc;
    animate(&mut doc, "/materials/0/occlusionTexture/strength", "SCALAR", &[0.0, 1.0], "LINEAR");
    let mut show = Show::new(&mut doc, |options| options.view_mode = ViewMode::Occlusion)?;
    show.expect(0.0, &flat_camera(), &[(MIDDLE, WHITE)], 1)?;
    let gray = number(0.6);
    show.expect(0.5, &flat_camera(), &[(MIDDLE, [gray, gray, gray, 255])], 1)?;
    show.end()
}

/// A blended surface over black whose alpha moves, in linear light.
fn blended_surfaces_fade() -> Result<(), Failed> {
    let material = json!({"alphaMode": "BLEND", "pbrMetallicRoughness": {}});
    let mut doc = Square::new().material(unlit(material)).doc;
    let pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    animate(&mut doc, pointer, "VEC4", &[1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0], "LINEAR");
    let mut show = Show::new(&mut doc, |_| ())?;
    for seconds in [0.0, 0.5, 0.75] {
        let gray = encoded(seconds);
        show.expect(seconds, &flat_camera(), &[(MIDDLE, [gray, gray, gray, 255])], 1)?;
    }
    show.end()
}

/// Frames that are not waited for keep what they were given, and the last one shows the last factors.
fn frames_in_flight_each_have_their_own() -> Result<(), Failed> {
    let mut doc = Square::new().material(unlit(json!({"pbrMetallicRoughness": {}}))).doc;
    let pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    animate(&mut doc, pointer, "VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0], "LINEAR");
    let mut show = Show::new(&mut doc, |_| ())?;
    let mut steady = None;
    for frame in 0..96 {
        show.content.advance(1.0 / 64.0)?;
        show.renderer.draw_frame(&show.content.scene, &flat_camera())?;
        let now = (show.renderer.live_objects(), show.renderer.memory_usage());
        match &steady {
            Some(before) => assert_eq!(*before, now, "frame {frame}"),
            None if frame == 8 => steady = Some(now),
            None => {}
        }
    }
    let image = show.renderer.render_to_image(&show.content.scene, &flat_camera())?;
    // 1.5 s of a clip of 1 s.
    expect_pixel(&image, MIDDLE, [encoded(0.5), encoded(0.5), 0, 255], 1)?;
    show.end()
}

/// Two scenes of one catalogue draw the same square, one with factors of its own and one without. The plan is one.
fn scenes_with_and_without_factors_take_turns() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let red = stage.object(square(), plain(1.0, 0.0, 0.0, 1.0));
    let assets = &mut stage.content.assets;
    let mesh = assets.render_object(red).ok_or("gone")?.mesh;
    let green = assets.add_material(plain(0.0, 1.0, 0.0, 1.0));
    let green = assets.add_render_object(RenderObject { mesh, material: green });
    let scene_of = || -> Result<Scene, Failed> {
        let mut scene = Scene::new();
        for (object, x) in [(red, -0.5), (green, 0.5)] {
            let node = scene.add_root("half")?;
            let mut edit = scene.find_mut(node).ok_or("gone")?;
            let mut transform = Transform::from_translation(Vec3::new(x, 0.0, 0.0));
            transform.scale = Vec3::new(0.5, 1.0, 1.0);
            edit.set_transform(transform)?;
            edit.set_render_object(Some(object));
        }
        scene.update_world_transforms();
        Ok(scene)
    };
    let (own, other, unrelated) = (scene_of()?, scene_of()?, scene_of()?);
    let mut scenes = [own, other, unrelated];
    // The first paints the red half blue, the second the green one, and the third one that nothing is drawn with.
    let blue = plain(0.0, 0.0, 1.0, 1.0).factors();
    for (scene, material) in scenes.iter_mut().zip([0, 1, 7]) {
        scene.set_material_factors(MaterialId::new(material), blue)?;
    }
    let expected = [[BLUE, GREEN], [RED, BLUE], [RED, GREEN]];
    let (options, log) = options();
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&stage.content.assets, &scenes[0])?;
    let mut steady = None;
    for round in 0..24 {
        // Every order of three, so that each slot comes after each other.
        let order = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 0, 1]][round % 4];
        for which in order {
            let image = renderer.render_to_image(&scenes[which], &flat_camera())?;
            for (at, color) in [(16, 32), (48, 32)].into_iter().zip(expected[which]) {
                expect_pixel(&image, at, color, 0).map_err(|error| {
                    format!("round {round}, scene {which}: {}", error.message().unwrap_or_default())
                })?;
            }
        }
        let now = (renderer.live_objects(), renderer.memory_usage());
        match &steady {
            Some(before) => assert_eq!(*before, now, "round {round}"),
            None if round == 8 => steady = Some(now),
            None => {}
        }
    }
    assert_eq!(renderer.preparation().generation(), 1);
    // Another plan: one more material comes, and the factors still go to theirs.
    let node = scenes[1].add_root("another")?;
    let white = stage.object(square(), plain(1.0, 1.0, 1.0, 1.0));
    let mut edit = scenes[1].find_mut(node).ok_or("gone")?;
    edit.set_transform(Transform::from_translation(Vec3::new(0.0, 1.5, 0.5)))?;
    edit.set_render_object(Some(white));
    scenes[1].update_world_transforms();
    renderer.prepare(&stage.content.assets, &scenes[1])?;
    for _ in 0..3 {
        let image = renderer.render_to_image(&scenes[1], &flat_camera())?;
        for (at, color) in [((16, 48), RED), ((48, 48), BLUE), ((32, 8), WHITE)] {
            expect_pixel(&image, at, color, 0)?;
        }
    }
    drop(renderer);
    assert_clean(&log)
}

/// Each change is first drawn by one frame in flight; the next one, which was written before it, has to show it too.
fn a_frame_catches_up_with_changes() -> Result<(), Failed> {
    let mut stage = Stage::default();
    for x in [-0.5, 0.5] {
        let half = Transform { scale: Vec3::new(0.5, 1.0, 1.0), ..Transform::from_translation(Vec3::X * x) };
        stage.put(square(), plain(1.0, 1.0, 1.0, 1.0), half);
    }
    let Content { assets, mut scene, .. } = stage.content;
    scene.update_world_transforms();
    for frames_in_flight in [2, 3] {
        let (mut options, log) = options();
        options.frames_in_flight = frames_in_flight;
        let mut renderer = Renderer::headless((64, 64), options)?;
        renderer.prepare(&assets, &scene)?;
        for frame in 0..40_usize {
            // Left, nothing, right, nothing, nothing, both: 6 is a multiple of either number of frames, 5 is of none.
            let colors = [RED, GREEN, BLUE, WHITE];
            let step = frame % if frame < 20 { 6 } else { 5 };
            for (material, changes) in [(0, [0, 5]), (1, [2, 5])] {
                if changes.contains(&step) {
                    let [r, g, b, _] =
                        colors[(frame + material) % 4].map(|channel| f32::from(channel) / 255.0);
                    let factors = plain(r, g, b, 1.0).factors();
                    scene.set_material_factors(MaterialId::new(material as u32), factors)?;
                }
            }
            let image = renderer.render_to_image(&scene, &flat_camera())?;
            for (at, material) in [((16, 32), 0), ((48, 32), 1)] {
                let now = scene.material_factors(MaterialId::new(material)).map(|now| now.base_color_factor);
                let [r, g, b, a] =
                    now.map_or([1.0; 4], |color| color.to_array()).map(|channel| (channel * 255.0) as u8);
                expect_pixel(&image, at, [r, g, b, a], 0).map_err(|error| {
                    format!("frame {frame} of {frames_in_flight}: {}", error.message().unwrap_or_default())
                })?;
            }
        }
        drop(renderer);
        assert_clean(&log)?;
    }
    Ok(())
}
