//! Motion leaves everything compiled alone and allocates nothing: 500 frames with a counting allocator.
//!
//! A cube turns, glass before it is sorted every frame and gets other factors, and another cube is turned inside out and
//! back, which rewrites the instance table. Or joints bend squares, opaque and of glass, one of them turns inside out and
//! back, and weights of morph targets come and go.

mod support;

use fire_engine::assets::{AlphaMode, JointSet, Material, Mesh, MorphTarget, RenderObject, RenderObjectId};
use fire_engine::gltf;
use fire_engine::math::{Transform, Vec3};
use fire_engine::scene::{Camera, Content, Projection, Scene, SceneNodeId, Skin};
use fire_engine::vulkan::{OverlayDraw, OverlayVertex, Renderer, ViewMode};
use libtest_mimic::Failed;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use support::stage::plain;

/// Frames between two changes of a scale's sign.
const FLIP: u32 = 50;

/// Counts what the thread under test allocates; everything else passes through unseen.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<Option<u64>> = const { Cell::new(None) };
}

fn count() {
    // The cell needs no lazy start and no destructor, so reading it cannot allocate.
    ALLOCATIONS.set(ALLOCATIONS.get().map(|count| count + 1));
}

// SAFETY: every call is passed on to the system's allocator as it came; counting touches a plain cell alone.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: by the caller's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: by the caller's contract; the memory came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: by the caller's contract; the memory came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn main() -> ExitCode {
    let needs = support::validated_driver();
    let of_motion = support::trial("500_frames_of_motion", &needs, || motion(ViewMode::BaseColor));
    let of_normals = support::trial("500_frames_of_normals", &needs, || motion(ViewMode::Normals));
    let of_deformation =
        support::trial("500_frames_of_deformation", &needs, || deformation(ViewMode::BaseColor));
    let of_normals_of_it =
        support::trial("500_frames_of_deformed_normals", &needs, || deformation(ViewMode::Normals));
    support::run(vec![of_motion, of_normals, of_deformation, of_normals_of_it]).exit_code()
}

/// A root that draws `object`.
fn place(scene: &mut Scene, object: RenderObjectId, transform: Transform) -> Result<SceneNodeId, Failed> {
    let node = scene.add_root("placed")?;
    let mut edit = scene.find_mut(node).ok_or("gone")?;
    edit.set_transform(transform)?;
    edit.set_render_object(Some(object));
    Ok(node)
}

/// One sign for some frames, the other for as many.
fn sign(number: u32) -> f32 {
    if (number / FLIP).is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn motion(view_mode: ViewMode) -> Result<(), Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/LetterCube/LetterCube.gltf");
    let (mut content, _report) = gltf::load(path)?;
    content.play_all()?;
    let cube = RenderObjectId::new(0);
    let mesh = content.assets.render_object(cube).ok_or("no cube")?.mesh;
    let glass = Material { alpha_mode: AlphaMode::Blend, ..plain(0.2, 0.4, 0.9, 0.5) };
    let mut tint = glass.factors();
    let material = content.assets.add_material(glass);
    let glass = content.assets.add_render_object(RenderObject { mesh, material });
    for x in [-0.5, 0.5] {
        place(&mut content.scene, glass, Transform::from_translation(Vec3::new(x, 0.0, 1.5)))?;
    }
    let flipping = place(&mut content.scene, cube, Transform::IDENTITY)?;
    // Cubes and glass, and while one cube is mirrored, the cubes in two commands.
    steady(view_mode, content, [2, 3], move |content, number| {
        tint.base_color_factor.a = number as f32 / 500.0;
        content.scene.set_material_factors(material, tint)?;
        let mut node = content.scene.find_mut(flipping).ok_or("gone")?;
        Ok(node.set_transform(Transform::from_scale(Vec3::new(0.5 * sign(number), 0.5, 0.5)))?)
    })
}

/// A square with a joint for its lower and one for its upper edge, and morph targets.
fn square(targets: usize) -> Mesh {
    let joints = [0, 0, 1, 1].map(|joint| [joint, 0, 0, 0]).to_vec();
    let target = MorphTarget { positions: vec![Vec3::Z; 4], normals: vec![Vec3::X; 4], ..Default::default() };
    Mesh {
        normals: vec![Vec3::Z; 4],
        joint_sets: vec![JointSet { joints, weights: vec![[1.0, 0.0, 0.0, 0.0]; 4] }],
        morph_targets: vec![target; targets],
        ..support::stage::square()
    }
}

fn deformation(view_mode: ViewMode) -> Result<(), Failed> {
    let mut content = Content::default();
    let joints = [(); 2].map(|()| content.scene.add_root("joint"));
    let [lower, upper] = joints;
    let (lower, upper) = (lower?, upper?);
    let skin = Arc::new(Skin::new("skin", vec![Some(lower), Some(upper)], Vec::new())?);
    let mut morphed = Vec::new();
    let glass = Material { alpha_mode: AlphaMode::Blend, ..plain(0.2, 0.4, 0.9, 0.5) };
    for (targets, material) in [(0, Material::default()), (70, Material::default()), (3, glass)] {
        let mesh = content.assets.add_mesh(square(targets));
        let material = content.assets.add_material(material);
        let object = content.assets.add_render_object(RenderObject { mesh, material });
        for _ in 0..2 {
            let node = place(&mut content.scene, object, Transform::IDENTITY)?;
            let mut edit = content.scene.find_mut(node).ok_or("gone")?;
            edit.set_skin(Some(Arc::clone(&skin)));
            if targets > 0 {
                edit.set_weights(&vec![0.0; targets])?;
                morphed.push((node, vec![0.0; targets]));
            }
        }
    }
    // One for each mesh, whether the joints of its instances mirror or not.
    steady(view_mode, content, [3, 3], move |content, number| {
        let lean = Vec3::X * (number as f32 * 0.1).sin();
        for (joint, at) in [(lower, -lean), (upper, lean)] {
            let scale = Vec3::new(if joint == upper { sign(number) } else { 1.0 }, 1.0, 1.0);
            let mut node = content.scene.find_mut(joint).ok_or("gone")?;
            node.set_transform(Transform { translation: at, scale, ..Transform::IDENTITY })?;
        }
        for (node, weights) in &mut morphed {
            for (index, weight) in (0..).zip(weights.iter_mut()) {
                *weight = if (number + index) % 7 < number % 8 { 0.01 } else { 0.0 };
            }
            content.scene.find_mut(*node).ok_or("gone")?.set_weights(weights)?;
        }
        Ok(())
    })
}

/// Draws 500 frames, each after a change of the pose, with this range of draw commands.
fn steady(
    view_mode: ViewMode,
    mut content: Content,
    expected_commands: [u32; 2],
    mut pose: impl FnMut(&mut Content, u32) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let (mut options, log) = support::options();
    options.view_mode = view_mode;
    let projection = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: Some(100.0) };
    let camera = Camera::look_at(Vec3::new(0.0, 0.0, 4.0), Vec3::ZERO, Vec3::Y, projection)?;
    let mut renderer = Renderer::headless((64, 64), options)?;
    let mut commands = [u32::MAX, 0];
    let mut frame = |content: &mut Content, number: u32| -> Result<(), Failed> {
        pose(content, number)?;
        content.advance(1.0 / 60.0)?;
        content.scene.update_world_transforms();
        renderer.prepare(&content.assets, &content.scene)?;
        let overlay = renderer.overlay_mut();
        overlay.clear();
        let corners = [[0.0, 0.0], [number as f32 % 60.0, 0.0], [0.0, 4.0]];
        overlay.vertices.extend(corners.map(|position| OverlayVertex {
            position,
            uv: [0.0; 2],
            color: [255; 4],
        }));
        overlay.indices.extend([0, 1, 2]);
        overlay.draws.push(OverlayDraw { indices: 0..3, ..OverlayDraw::default() });
        renderer.draw_frame(&content.scene, &camera)?;
        let count = renderer.command_counts().draw_indirect;
        commands = [commands[0].min(count), commands[1].max(count)];
        Ok(())
    };
    for number in 0..500 {
        if number == 10 {
            ALLOCATIONS.set(Some(0));
        }
        frame(&mut content, number)?;
    }
    let counted = ALLOCATIONS.replace(None);
    let generation = renderer.preparation().generation();
    drop(renderer);
    support::assert_clean(&log)?;
    assert_eq!(commands, expected_commands, "fewest and most draw commands");
    assert_eq!(generation, 1);
    assert_eq!(counted, Some(0), "allocations in 490 frames");
    Ok(())
}
