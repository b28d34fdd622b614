//! Whole lives of a renderer: preparing, drawing, resizing, dropping.

use crate::support::picture;
use crate::support::stage::{Stage, expect_pixel, flat_camera, plain, square};
use crate::support::{assert_clean, check, failed, options};
use fire_engine::assets::{JointSet, Mesh, MorphTarget, RenderObject, RenderObjectId};
use fire_engine::gltf;
use fire_engine::math::{Transform, Vec3};
use fire_engine::scene::{Camera, Content, Projection, Scene};
use fire_engine::vulkan::{FrameOutcome, Renderer, RendererError};
use libtest_mimic::Failed;
use std::path::Path;

use crate::pixels::Test;

pub const TESTS: &[Test] = &[
    ("scenarios::basic", basic),
    ("scenarios::known_poses_show_the_right_face", known_poses_show_the_right_face),
    ("scenarios::hierarchy_asset", hierarchy_asset),
    ("scenarios::prepare_twice_while_frames_are_in_flight", prepare_twice_while_frames_are_in_flight),
    ("scenarios::what_leaves_the_plan_is_freed", what_leaves_the_plan_is_freed),
    ("scenarios::untextured", untextured),
    ("scenarios::resize_100_times_is_flat", resize_100_times_is_flat),
    ("scenarios::empty_scene", empty_scene),
    ("scenarios::same_frame_same_bytes", same_frame_same_bytes),
    ("scenarios::ten_thousand_cubes_are_one_command", ten_thousand_cubes_are_one_command),
    ("scenarios::not_prepared_is_an_error_and_then_works", not_prepared_is_an_error_and_then_works),
    (
        "scenarios::faulty_assets_leave_the_prepared_scene_drawable",
        faulty_assets_leave_the_prepared_scene_drawable,
    ),
    ("scenarios::preparing_without_drawing_is_flat", preparing_without_drawing_is_flat),
    (
        "scenarios::joints_and_morph_targets_without_a_skin_and_weights_are_drawn_at_rest",
        joints_and_morph_targets_without_a_skin_and_weights_are_drawn_at_rest,
    ),
    ("scenarios::bad_cameras_and_sizes_are_errors", bad_cameras_and_sizes_are_errors),
    ("scenarios::unresolved_pose_draws_the_last_resolved_one", unresolved_pose_draws_the_last_resolved_one),
    ("scenarios::dropping_with_frames_in_flight", dropping_with_frames_in_flight),
];

fn asset(path: &str) -> Result<Content, Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(path);
    let (mut content, _report) = gltf::load(path)?;
    content.play_all()?;
    Ok(content)
}

fn cube_camera() -> Result<Camera, Failed> {
    let projection =
        Projection::Perspective { fov_y: 60f32.to_radians(), aspect: None, near: 0.1, far: Some(100.0) };
    Ok(Camera::look_at(Vec3::new(0.0, 0.0, 4.0), Vec3::ZERO, Vec3::Y, projection)?)
}

/// Three frames of the animated cube at fixed steps, through both intervals and the loop's seam.
fn basic() -> Result<(), Failed> {
    let (options, log) = options();
    let mut content = asset("LetterCube/LetterCube.gltf")?;
    let mut renderer = Renderer::headless((320, 240), options)?;
    renderer.prepare(&content.assets, &content.scene)?;
    for _ in 0..3 {
        content.advance(0.8)?;
        content.scene.update_world_transforms();
        let outcome = renderer.draw_frame(&content.scene, &cube_camera()?)?;
        assert_eq!(outcome, FrameOutcome::Presented);
    }
    assert_eq!(renderer.preparation().generation(), 1);
    drop(renderer);
    assert_clean(&log)
}

/// A quarter turn about +Y brings the left face to the front, then the back, then the right one.
fn known_poses_show_the_right_face() -> Result<(), Failed> {
    let (options, log) = options();
    let mut content = asset("LetterCube/LetterCube.gltf")?;
    let mut renderer = Renderer::headless((256, 256), options)?;
    renderer.prepare(&content.assets, &content.scene)?;
    for (face, color) in [
        ("front", [199, 54, 47]),
        ("left", [40, 124, 70]),
        ("back", [122, 63, 168]),
        ("right", [34, 98, 184]),
        ("front", [199, 54, 47]),
    ] {
        content.advance(0.0)?;
        content.scene.update_world_transforms();
        let image = renderer.render_to_image(&content.scene, &cube_camera()?)?;
        // Above the middle of the face the panel is plain; the letter and the arrow lie below and beside it.
        let found = image.pixel(128, 66).ok_or("outside")?;
        let near = found.iter().zip(color).all(|(f, e): (&u8, u8)| f.abs_diff(e) <= 2);
        if !near {
            return Err(format!("the {face} face should be {color:?}, but {found:?} is seen").into());
        }
        content.advance(0.5)?;
    }
    drop(renderer);
    assert_clean(&log)
}

/// Colors that each material of our second asset shows when unlit, as sRGB, and how many pixels at least have each (about
/// half of what a right picture has).
///
/// Pictures give theirs as painted. `baseColorFactor` and vertex colors are linear: the rotor's and the stand's were
/// shaded when painted, so these are their sides towards +Z.
const HIERARCHY_COLORS: [(&str, [u8; 3], u8, usize); 9] = [
    ("Planks: the frame", [186, 126, 70], 2, 350),
    ("Planks: a plank", [218, 166, 106], 2, 90),
    ("Corners: the factor (0.1, 0.21, 0.33)", [89, 126, 155], 2, 300),
    ("Leaf: the light half", [124, 190, 66], 2, 250),
    ("Leaf: the dark half", [62, 142, 58], 2, 220),
    ("VertexColors: an arm of the rotor", [215, 205, 186], 2, 1200),
    ("VertexColors: the hub's red", [184, 59, 50], 2, 400),
    ("VertexColors: the stand", [88, 102, 125], 2, 1700),
    // Its facets fade to lighter tips, so only the part near the waist is close.
    ("VertexColors: the gem's cyan facet", [71, 202, 218], 16, 25),
];

/// Every part of our second asset draws: the picture has each material's color as often as its parts are large.
fn hierarchy_asset() -> Result<(), Failed> {
    let (mut options, log) = options();
    options.samples = 4;
    let mut content = asset("Hierarchy/Hierarchy.gltf")?;
    content.advance(0.4)?;
    content.scene.update_world_transforms();
    let mut renderer = Renderer::headless((400, 400), options)?;
    renderer.prepare(&content.assets, &content.scene)?;
    let projection =
        Projection::Perspective { fov_y: 45f32.to_radians(), aspect: None, near: 0.1, far: None };
    let camera = Camera::look_at(Vec3::new(3.0, 2.0, 11.0), Vec3::new(0.0, -0.6, 0.0), Vec3::Y, projection)?;
    let image = renderer.render_to_image(&content.scene, &camera)?;
    picture::save(&image, &Path::new(env!("CARGO_TARGET_TMPDIR")).join("hierarchy.png"))?;
    drop(renderer);
    assert_clean(&log)?;
    for (part, color, tolerance, least) in HIERARCHY_COLORS {
        let is_close = |pixel: &&[u8]| {
            pixel.iter().zip(color).all(|(found, wanted)| found.abs_diff(wanted) <= tolerance)
        };
        let count = image.pixels().chunks_exact(4).filter(is_close).count();
        check(count >= least, || format!("{part}: {count} pixels near {color:?}, not {least}"))?;
    }
    Ok(())
}

fn prepare_twice_while_frames_are_in_flight() -> Result<(), Failed> {
    let (options, log) = options();
    let mut content = asset("LetterCube/LetterCube.gltf")?;
    let mut renderer = Renderer::headless((320, 240), options)?;
    renderer.prepare(&content.assets, &content.scene)?;
    let camera = cube_camera()?;
    for frame in 0..4 {
        content.advance(0.8)?;
        content.scene.update_world_transforms();
        assert_eq!(renderer.draw_frame(&content.scene, &camera)?, FrameOutcome::Presented);
        if frame == 0 {
            let material = content.assets.add_material(plain(0.25, 0.7, 1.0, 1.0));
            let mesh = fire_engine::assets::MeshId::new(0);
            let object = content.assets.add_render_object(RenderObject { mesh, material });
            let node = content.scene.add_root("Untextured fallback instance")?;
            let mut edit = content.scene.find_mut(node).ok_or("gone")?;
            edit.set_transform(Transform::from_translation(Vec3::new(1.5, 0.0, 0.0)))?;
            edit.set_render_object(Some(object));
            content.scene.update_world_transforms();
            renderer.prepare(&content.assets, &content.scene)?;
            assert_eq!(renderer.preparation().generation(), 2);
        }
    }
    assert_eq!(renderer.command_counts().instances, 2);
    drop(renderer);
    assert_clean(&log)
}

/// Going back and forth between two scenes of one catalogue does not grow anything.
fn what_leaves_the_plan_is_freed() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let image = fire_engine::assets::ImageData::rgba8(256, 256, vec![200; 256 * 256 * 4]);
    let textured = stage.textured(image, Default::default());
    let (a, b) = (stage.object(square(), textured), stage.object(square(), plain(1.0, 0.0, 0.0, 1.0)));
    let scene_of = |object: RenderObjectId| -> Result<Scene, Failed> {
        let mut scene = Scene::new();
        let node = scene.add_root("one")?;
        scene.find_mut(node).ok_or("gone")?.set_render_object(Some(object));
        scene.update_world_transforms();
        Ok(scene)
    };
    let scenes = [scene_of(a)?, scene_of(b)?];
    let mut renderer = Renderer::headless((64, 64), options)?;
    let mut steady = None;
    for round in 0..20 {
        for scene in &scenes {
            renderer.prepare(&stage.content.assets, scene)?;
            renderer.draw_frame(scene, &flat_camera())?;
            renderer.draw_frame(scene, &flat_camera())?;
        }
        renderer.wait_idle()?;
        let now = (renderer.live_objects(), renderer.memory_usage());
        match &steady {
            Some(before) if round > 2 => assert_eq!(*before, now, "round {round}"),
            _ => steady = Some(now),
        }
    }
    assert_eq!(renderer.preparation().generation(), 40);
    drop(renderer);
    assert_clean(&log)
}

fn untextured() -> Result<(), Failed> {
    let mut stage = Stage::default();
    stage.put(square(), plain(0.25, 0.7, 1.0, 1.0), Transform::IDENTITY);
    let image = stage.draw()?;
    crate::support::stage::expect_pixel(&image, (32, 32), [137, 218, 255, 255], 1)
}

/// Resident memory of this process in kibibytes.
fn resident() -> Result<u64, Failed> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    line.trim().trim_end_matches(" kB").parse().map_err(failed)
}

fn resize_100_times_is_flat() -> Result<(), Failed> {
    let (options, log) = options();
    let content = asset("LetterCube/LetterCube.gltf")?;
    let mut renderer = Renderer::headless((320, 240), options)?;
    renderer.prepare(&content.assets, &content.scene)?;
    let mut steady = None;
    for round in 0..100 {
        for (width, height) in [(200, 100), (320, 240)] {
            renderer.resize(width, height)?;
            assert_eq!(renderer.draw_frame(&content.scene, &cube_camera()?)?, FrameOutcome::Presented);
            assert_eq!(renderer.draw_frame(&content.scene, &cube_camera()?)?, FrameOutcome::Presented);
        }
        renderer.wait_idle()?;
        if round == 20 {
            steady = Some((renderer.live_objects(), renderer.memory_usage(), resident()?));
        }
    }
    let (objects, memory, before) = steady.ok_or("no steady state")?;
    assert_eq!(objects, renderer.live_objects());
    let now = renderer.memory_usage();
    // Not the bytes in use: where an object lands decides on its padding, which is up to the device's alignment.
    assert_eq!((memory.reserved_bytes, memory.allocations), (now.reserved_bytes, now.allocations));
    let grown = resident()?.saturating_sub(before);
    drop(renderer);
    assert_clean(&log)?;
    // 80 rounds of leaking even the smaller targets would be over 12 MiB.
    if grown < 4096 { Ok(()) } else { Err(format!("resident memory grew by {grown} KiB").into()) }
}

fn empty_scene() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let image = stage.draw_with(&flat_camera(), |options| options.clear_color = [1.0, 0.0, 0.0, 1.0])?;
    crate::support::stage::expect_pixel(&image, (0, 63), [255, 0, 0, 255], 0)
}

fn same_frame_same_bytes() -> Result<(), Failed> {
    let (options, log) = options();
    let mut content = asset("LetterCube/LetterCube.gltf")?;
    content.advance(0.3)?;
    content.scene.update_world_transforms();
    let camera = cube_camera()?;
    let mut renderer = Renderer::headless((320, 240), options.clone())?;
    renderer.prepare(&content.assets, &content.scene)?;
    let first = renderer.render_to_image(&content.scene, &camera)?;
    renderer.draw_frame(&content.scene, &camera)?;
    let second = renderer.render_to_image(&content.scene, &camera)?;
    drop(renderer);
    let mut renderer = Renderer::headless((320, 240), options)?;
    renderer.prepare(&content.assets, &content.scene)?;
    let third = renderer.render_to_image(&content.scene, &camera)?;
    drop(renderer);
    assert_clean(&log)?;
    if first == second && second == third { Ok(()) } else { Err("the bytes differ".into()) }
}

fn ten_thousand_cubes_are_one_command() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let object = stage.object(square(), plain(1.0, 1.0, 1.0, 1.0));
    for index in 0..10_000 {
        let (x, y) = ((index % 100) as f32, (index / 100) as f32);
        let transform = Transform {
            translation: Vec3::new(x - 49.5, y - 49.5, 0.0) / 50.0,
            scale: Vec3::splat(0.005),
            ..Transform::IDENTITY
        };
        stage.place(object, transform);
    }
    stage.content.scene.update_world_transforms();
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    renderer.draw_frame(&stage.content.scene, &flat_camera())?;
    let counts = renderer.command_counts();
    drop(renderer);
    assert_eq!((counts.draw_indirect, counts.calls, counts.instances), (1, 1, 10_000));
    assert_clean(&log)
}

fn not_prepared_is_an_error_and_then_works() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let object = stage.object(square(), plain(1.0, 1.0, 1.0, 1.0));
    stage.place(object, Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let mut renderer = Renderer::headless((64, 64), options)?;
    let unprepared = renderer.draw_frame(&stage.content.scene, &flat_camera());
    assert!(matches!(unprepared, Err(RendererError::NotPrepared { .. })), "{unprepared:?}");
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    renderer.draw_frame(&stage.content.scene, &flat_camera())?;
    stage.place(object, Transform::IDENTITY);
    let changed = renderer.draw_frame(&stage.content.scene, &flat_camera());
    assert!(matches!(changed, Err(RendererError::NotPrepared { .. })), "{changed:?}");
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    renderer.draw_frame(&stage.content.scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)
}

fn faulty_assets_leave_the_prepared_scene_drawable() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    stage.put(square(), plain(1.0, 1.0, 1.0, 1.0), Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    stage.content.assets.add_mesh(Mesh::default());
    let refused = renderer.prepare(&stage.content.assets, &stage.content.scene);
    assert!(matches!(refused, Err(RendererError::Preparation(_))), "{refused:?}");
    renderer.draw_frame(&stage.content.scene, &flat_camera())?;
    assert_eq!(renderer.preparation().generation(), 1);
    drop(renderer);
    assert_clean(&log)
}

/// The square with a joint and a morph target that would move it out of sight.
fn joints_and_morph_targets_without_a_skin_and_weights_are_drawn_at_rest() -> Result<(), Failed> {
    let joints = JointSet { joints: vec![[0; 4]; 4], weights: vec![[1.0, 0.0, 0.0, 0.0]; 4] };
    let away = MorphTarget { positions: vec![Vec3::X * 9.0; 4], ..MorphTarget::default() };
    let dressed = Mesh {
        joint_sets: vec![joints],
        morph_targets: vec![away],
        normals: vec![Vec3::Z; 4],
        tangents: vec![Vec3::X.extend(1.0); 4],
        ..square()
    };
    let [plain_picture, picture] = [square(), dressed].map(|mesh| {
        let mut stage = Stage::default();
        stage.put(mesh, plain(1.0, 0.5, 0.25, 1.0), Transform::IDENTITY);
        stage.draw()
    });
    let picture = picture?;
    expect_pixel(&picture, (32, 32), [255, 188, 137, 255], 1)?;
    assert!(picture == plain_picture?);
    Ok(())
}

/// Retired resources are freed by preparing alone, without a frame in between.
fn preparing_without_drawing_is_flat() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let pixels = || fire_engine::assets::ImageData::rgba8(512, 512, vec![200; 512 * 512 * 4]);
    let scenes = [stage.textured(pixels(), Default::default()), stage.textured(pixels(), Default::default())]
        .map(|material| {
            let object = stage.object(square(), material);
            let mut scene = Scene::new();
            let node = scene.add_root("one").unwrap();
            scene.find_mut(node).unwrap().set_render_object(Some(object));
            scene
        });
    let mut renderer = Renderer::headless((64, 64), options)?;
    let mut most = 0;
    for round in 0..12 {
        for scene in &scenes {
            renderer.prepare(&stage.content.assets, scene)?;
        }
        let now = renderer.memory_usage().allocations;
        if round < 3 {
            most = most.max(now);
        }
        assert!(now <= most, "{now} allocations in round {round}, {most} before");
    }
    drop(renderer);
    assert_clean(&log)
}

fn bad_cameras_and_sizes_are_errors() -> Result<(), Failed> {
    let (options, log) = options();
    let scene = Scene::new();
    for size in [(0, 0), (120, 0), (0, 120), (1 << 30, 1)] {
        assert!(Renderer::headless(size, options.clone()).is_err(), "{size:?}");
    }
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&Default::default(), &scene)?;
    let projection = Projection::Perspective { fov_y: -1.0, aspect: None, near: 0.1, far: None };
    let bad = Camera { projection, ..flat_camera() };
    assert!(matches!(renderer.draw_frame(&scene, &bad), Err(RendererError::Camera(_))));
    assert!(renderer.resize(0, 64).is_err());
    assert_eq!(renderer.size(), (64, 64));
    renderer.draw_frame(&scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)
}

fn unresolved_pose_draws_the_last_resolved_one() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let small = Transform { scale: Vec3::splat(0.25), ..Transform::IDENTITY };
    let node = stage.put(square(), plain(1.0, 1.0, 1.0, 1.0), small);
    stage.content.scene.update_world_transforms();
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    let before = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    let mut edit = stage.content.scene.find_mut(node).ok_or("gone")?;
    edit.set_transform(Transform { translation: Vec3::X * 0.5, ..small })?;
    let unresolved = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    stage.content.scene.update_world_transforms();
    let resolved = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)?;
    assert!(before == unresolved && before != resolved);
    Ok(())
}

fn dropping_with_frames_in_flight() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    stage.put(square(), plain(1.0, 1.0, 1.0, 1.0), Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    for frames in 0..4 {
        let mut renderer = Renderer::headless((64, 64), options.clone())?;
        renderer.prepare(&stage.content.assets, &stage.content.scene)?;
        for _ in 0..frames {
            renderer.draw_frame(&stage.content.scene, &flat_camera())?;
        }
    }
    assert_clean(&log)
}
