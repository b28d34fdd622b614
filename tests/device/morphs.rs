//! Where morph targets put vertices, and what they do to the other streams, pixel by pixel.

use crate::pixels::Test;
use crate::support::stage::{
    BLACK, BLUE, GREEN, RED, Stage, WHITE, expect_pixel, flat_camera, nearest, plain, quarters, square,
};
use crate::support::{assert_clean, options};
use fire_engine::assets::{Color4, ImageData, JointSet, Material, Mesh, MorphTarget, TextureSlot};
use fire_engine::math::{Transform, Vec2, Vec3};
use fire_engine::scene::{SceneNodeId, Skin};
use fire_engine::vulkan::{Renderer, ViewMode};
use libtest_mimic::Failed;
use std::sync::Arc;

pub const TESTS: &[Test] = &[
    ("morphs::weights_scale_what_a_target_moves", weights_scale_what_a_target_moves),
    ("morphs::targets_add_up", targets_add_up),
    ("morphs::empty_and_sparse_targets_leave_the_rest_alone", empty_and_sparse_targets),
    ("morphs::the_meshs_weights_apply_where_the_node_has_none", default_weights),
    ("morphs::missing_weights_are_0_and_more_than_targets_do_nothing", other_numbers_of_weights),
    ("morphs::normals_are_displaced_and_brought_to_length_1", normals_are_displaced),
    ("morphs::normals_come_before_the_nodes_transform", normals_come_before_the_nodes_transform),
    ("morphs::colors_are_clamped_after_the_sum", colors_are_clamped_after_the_sum),
    ("morphs::texture_coordinates_move", texture_coordinates_move),
    ("morphs::a_slots_texture_coordinates_move", a_slots_texture_coordinates_move),
    ("morphs::targets_apply_before_joints", targets_apply_before_joints),
    ("morphs::instances_have_weights_of_their_own_in_one_command", instances_have_weights_of_their_own),
    ("morphs::meshes_in_one_block_keep_their_own_targets", meshes_in_one_block_keep_their_own_targets),
    ("morphs::targets_in_several_blocks_are_bound_in_turn", targets_in_several_blocks),
    ("morphs::targets_stay_from_plan_to_plan", targets_stay_from_plan_to_plan),
    ("morphs::hundreds_of_targets", hundreds_of_targets),
    ("morphs::no_weight_compiles_anything", no_weight_compiles_anything),
];

fn at(x: f32, y: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, 0.0))
}

fn red() -> Material {
    plain(1.0, 0.0, 0.0, 1.0)
}

fn by(x: f32, y: f32) -> MorphTarget {
    MorphTarget { positions: vec![Vec3::new(x, y, 0.0); 4], ..MorphTarget::default() }
}

/// The square, a quarter as large, with these targets.
fn small(morph_targets: Vec<MorphTarget>) -> Mesh {
    let mut mesh = square();
    mesh.positions.iter_mut().for_each(|position| *position *= 0.25);
    Mesh { morph_targets, ..mesh }
}

fn put(stage: &mut Stage, mesh: Mesh, material: Material, weights: &[f32]) -> SceneNodeId {
    let node = stage.put(mesh, material, Transform::IDENTITY);
    stage.content.scene.find_mut(node).unwrap().set_weights(weights).unwrap();
    node
}

fn drawn(mesh: Mesh, weights: &[f32]) -> Result<ImageData, Failed> {
    let mut stage = Stage::default();
    put(&mut stage, mesh, red(), weights);
    stage.draw()
}

/// The small square stands with its middle here, and nowhere else.
fn expect_at(image: &ImageData, x: f32, y: f32) -> Result<(), Failed> {
    let (left, right) = ((x - 0.25 + 1.0) * 32.0, (x + 0.25 + 1.0) * 32.0);
    let (top, bottom) = ((1.0 - y - 0.25) * 32.0, (1.0 - y + 0.25) * 32.0);
    for row in 0..64 {
        for column in 0..64 {
            let (across, down) = (column as f32 + 0.5, row as f32 + 0.5);
            let inside = across > left && across < right && down > top && down < bottom;
            expect_pixel(image, (column, row), if inside { RED } else { BLACK }, 0)?;
        }
    }
    Ok(())
}

fn weights_scale_what_a_target_moves() -> Result<(), Failed> {
    for weight in [0.0, 1.0, 0.5, -1.0, 2.5] {
        expect_at(&drawn(small(vec![by(0.2, 0.1)]), &[weight])?, 0.2 * weight, 0.1 * weight)?;
    }
    Ok(())
}

fn targets_add_up() -> Result<(), Failed> {
    let targets = || vec![by(0.5, 0.0), by(0.0, 0.5), by(-0.25, 0.25)];
    for weights in [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.5, -1.0, 0.5], [-1.0, 0.1, -0.7]] {
        let [a, b, c] = weights;
        expect_at(&drawn(small(targets()), &weights)?, 0.5 * a - 0.25 * c, 0.5 * b + 0.25 * c)?;
    }
    Ok(())
}

fn empty_and_sparse_targets() -> Result<(), Failed> {
    let shine = MorphTarget { normals: vec![Vec3::X; 4], ..MorphTarget::default() };
    let targets = vec![MorphTarget::default(), by(0.0, 0.0), by(0.3, 0.0), shine];
    expect_at(&drawn(small(targets), &[1.0; 4])?, 0.3, 0.0)?;
    // One corner alone goes: (0.25, 0.25) to (0.75, 0.75).
    let mut corner = by(0.0, 0.0);
    corner.positions[2] = Vec3::new(0.5, 0.5, 0.0);
    let image = drawn(small(vec![corner]), &[1.0])?;
    for (at, color) in [((54, 9), RED), ((46, 17), RED), ((25, 38), RED), ((38, 38), RED), ((54, 17), BLACK)]
    {
        expect_pixel(&image, at, color, 0)?;
    }
    expect_at(&drawn(small(vec![MorphTarget::default()]), &[1.0])?, 0.0, 0.0)
}

fn default_weights() -> Result<(), Failed> {
    let mesh = || Mesh { morph_weights: vec![0.5, 1.0], ..small(vec![by(0.4, 0.0), by(0.0, 0.3)]) };
    let mut stage = Stage::default();
    stage.put(mesh(), red(), Transform::IDENTITY);
    expect_at(&stage.draw()?, 0.2, 0.3)?;
    expect_at(&drawn(mesh(), &[0.0, 0.0])?, 0.0, 0.0)?;
    expect_at(&drawn(mesh(), &[1.0, -1.0])?, 0.4, -0.3)
}

fn other_numbers_of_weights() -> Result<(), Failed> {
    let mesh = || Mesh { morph_weights: vec![1.0, 1.0], ..small(vec![by(0.4, 0.0), by(0.0, 0.3)]) };
    expect_at(&drawn(mesh(), &[1.0])?, 0.4, 0.0)?;
    expect_at(&drawn(mesh(), &[1.0, 0.5, 7.0, -3.0])?, 0.4, 0.15)?;
    expect_at(&drawn(small(vec![]), &[1.0])?, 0.0, 0.0)
}

fn expect_normal(stage: &mut Stage, normal: Vec3) -> Result<(), Failed> {
    let image = stage.draw_with(&flat_camera(), |options| options.view_mode = ViewMode::Normals)?;
    let [r, g, b] = (normal.normalize() * 127.5 + 127.5).to_array().map(|c| c.round() as u8);
    expect_pixel(&image, (32, 32), [r, g, b, 255], 1)
}

/// (0, 0, 1) + 0.5 * (2, 0, 0) + -1 * (0, 1, 0).
fn normals_are_displaced() -> Result<(), Failed> {
    let target = |normal| MorphTarget { normals: vec![normal; 4], ..MorphTarget::default() };
    let targets = vec![target(Vec3::X * 2.0), by(0.1, 0.1), target(Vec3::Y)];
    let mesh = Mesh { normals: vec![Vec3::Z; 4], ..small(targets) };
    let mut stage = Stage::default();
    put(&mut stage, mesh, red(), &[0.5, 1.0, -1.0]);
    expect_normal(&mut stage, Vec3::new(1.0, -1.0, 1.0))
}

/// The sum (1, 1, 1) under diag(-2, 1, 1), by the inverse transpose.
fn normals_come_before_the_nodes_transform() -> Result<(), Failed> {
    let target = MorphTarget { normals: vec![Vec3::new(1.0, 1.0, 0.0); 4], ..MorphTarget::default() };
    let mesh = Mesh { normals: vec![Vec3::Z; 4], ..small(vec![target]) };
    let mut stage = Stage::default();
    let node = put(&mut stage, mesh, red(), &[1.0]);
    let stretched = Transform::from_scale(Vec3::new(-2.0, 1.0, 1.0));
    stage.content.scene.find_mut(node).ok_or("gone")?.set_transform(stretched)?;
    expect_normal(&mut stage, Vec3::new(-1.0, 2.0, 2.0))
}

/// Green rises above 1 and comes back before the clamp; red and blue end outside; alpha falls to a half, which an opaque
/// material does not show.
fn colors_are_clamped_after_the_sum() -> Result<(), Failed> {
    let target = |r, g, b| MorphTarget {
        colors: vec![Color4::new(r, g, b, -0.5); 4],
        positions: vec![Vec3::X * 0.5; 4],
        ..MorphTarget::default()
    };
    let mesh = Mesh {
        colors: vec![Color4::new(0.5, 0.5, 0.5, 1.0); 4],
        ..small(vec![target(2.0, 2.0, -1.0), target(0.0, -2.0, 0.0)])
    };
    let mut stage = Stage::default();
    put(&mut stage, mesh, plain(1.0, 1.0, 1.0, 1.0), &[1.0, 1.0]);
    // 0.5 + 2 - 2 stays a half in linear light.
    let image = stage.draw()?;
    expect_pixel(&image, (60, 32), [255, 188, 0, 255], 1)?;
    expect_pixel(&image, (32, 32), BLACK, 0)
}

/// By half a texture to the right and down: each quarter shows the one across.
fn texture_coordinates_move() -> Result<(), Failed> {
    let target = MorphTarget { uv_sets: vec![vec![Vec2::new(0.5, 0.5); 4]], ..MorphTarget::default() };
    for (weight, corners) in [(1.0, [WHITE, BLUE, GREEN, RED]), (2.0, [RED, GREEN, BLUE, WHITE])] {
        let mut stage = Stage::default();
        let material = stage.textured(quarters(), nearest());
        put(&mut stage, Mesh { morph_targets: vec![target.clone()], ..square() }, material, &[weight]);
        let image = stage.draw()?;
        for (at, color) in [(10, 10), (50, 10), (10, 50), (50, 50)].into_iter().zip(corners) {
            expect_pixel(&image, at, color, 0)?;
        }
    }
    Ok(())
}

/// The slot of the view mode reads another set than the base color, and both move by themselves; then the same set.
fn a_slots_texture_coordinates_move() -> Result<(), Failed> {
    let right = vec![Vec2::new(0.5, 0.0); 4];
    let down = vec![Vec2::new(0.0, 0.5); 4];
    for (slot_set, corners) in [(1, [BLUE, WHITE, RED, GREEN]), (0, [GREEN, RED, WHITE, BLUE])] {
        let mut stage = Stage::default();
        let material = stage.textured(quarters(), nearest());
        let emissive_texture =
            material.base_color_texture.map(|slot| TextureSlot { uv_set: slot_set, ..slot });
        let material = Material { emissive_texture, emissive_factor: Vec3::ONE, ..material };
        let target = MorphTarget { uv_sets: vec![right.clone(), down.clone()], ..MorphTarget::default() };
        let uvs = square().uv_sets[0].clone();
        let mesh = Mesh { uv_sets: vec![uvs.clone(), uvs], morph_targets: vec![target], ..square() };
        put(&mut stage, mesh, material, &[1.0]);
        let image = stage.draw_with(&flat_camera(), |options| options.view_mode = ViewMode::Emissive)?;
        for (at, color) in [(10, 10), (50, 10), (10, 50), (50, 50)].into_iter().zip(corners) {
            expect_pixel(&image, at, color, 0)?;
        }
    }
    Ok(())
}

/// The target moves by (0.25, 0) in the mesh's space, which the joint stretches to (0.5, 0).
fn targets_apply_before_joints() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let joint = stage.content.scene.add_root("joint")?;
    let stretched = Transform { scale: Vec3::new(2.0, 1.0, 1.0), ..at(0.0, 0.5) };
    stage.content.scene.find_mut(joint).ok_or("gone")?.set_transform(stretched)?;
    let joints = JointSet { joints: vec![[0; 4]; 4], weights: vec![[0.25; 4]; 4] };
    let mesh = Mesh { joint_sets: vec![joints], ..small(vec![by(0.25, 0.0)]) };
    let node = put(&mut stage, mesh, red(), &[1.0]);
    let skin = Arc::new(Skin::new("", vec![Some(joint)], Vec::new())?);
    stage.content.scene.find_mut(node).ok_or("gone")?.set_skin(Some(skin));
    let image = stage.draw()?;
    // x from 0 to 1, y from 0.25 to 0.75.
    for (at, color) in
        [((30, 16), BLACK), ((33, 16), RED), ((62, 16), RED), ((48, 6), BLACK), ((48, 23), RED)]
    {
        expect_pixel(&image, at, color, 0)?;
    }
    Ok(())
}

fn instances_have_weights_of_their_own() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let object = stage.object(small(vec![by(0.5, 0.0), by(0.0, 0.5)]), red());
    for weights in [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [0.0, 0.0]] {
        let node = stage.place(object, Transform::IDENTITY);
        stage.content.scene.find_mut(node).ok_or("gone")?.set_weights(&weights)?;
    }
    stage.content.scene.update_world_transforms();
    let (mut options, log) = options();
    options.clear_color = [0.0, 0.0, 0.0, 1.0];
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    assert_eq!(renderer.command_counts().draw_indirect, 1);
    drop(renderer);
    assert_clean(&log)?;
    for at in [(48, 16), (16, 16), (48, 48), (32, 32)] {
        expect_pixel(&image, at, RED, 0)?;
    }
    expect_pixel(&image, (16, 48), BLACK, 0)
}

/// Vertices and displacements of several meshes and layouts lie behind each other.
fn meshes_in_one_block_keep_their_own_targets() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let colored = MorphTarget { colors: vec![Color4::new(-1.0, 0.0, -1.0, 0.0); 4], ..by(0.5, 0.5) };
    let mut meshes = [
        (small(vec![by(9.0, 0.0), by(-0.5, 0.5)]), red()),
        (Mesh { colors: vec![Color4::WHITE; 4], ..small(vec![colored]) }, plain(1.0, 1.0, 1.0, 1.0)),
        (small(vec![by(0.0, 9.0), by(-0.5, -0.5)]), plain(0.0, 0.0, 1.0, 1.0)),
        (small(vec![by(9.0, 9.0), by(0.5, -0.5)]), plain(1.0, 1.0, 1.0, 1.0)),
    ];
    // Of another number of vertices.
    for stream in [&mut meshes[2].0.positions, &mut meshes[2].0.morph_targets[1].positions] {
        stream.insert(0, Vec3::ONE);
    }
    meshes[2].0.morph_targets[0].positions.push(Vec3::ZERO);
    meshes[2].0.uv_sets.clear();
    meshes[2].0.indices = Some(vec![1, 2, 3, 1, 3, 4]);
    for (mesh, material) in meshes {
        let weights: &[f32] = if mesh.morph_targets.len() == 1 { &[1.0] } else { &[0.0, 1.0] };
        put(&mut stage, mesh, material, weights);
    }
    let image = stage.draw()?;
    for (at, color) in
        [((16, 16), RED), ((48, 16), GREEN), ((16, 48), BLUE), ((48, 48), WHITE), ((32, 32), BLACK)]
    {
        expect_pixel(&image, at, color, 0)?;
    }
    Ok(())
}

/// The first mesh's targets fill a block of 72,000 floats, the next one's go to another, and meshes without targets, with
/// joints and plain, stand between.
fn targets_in_several_blocks() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let joint = stage.content.scene.add_root("joint")?;
    stage.content.scene.find_mut(joint).ok_or("gone")?.set_transform(at(-0.5, -0.5))?;
    let skin = Arc::new(Skin::new("", vec![Some(joint)], Vec::new())?);
    let joints = JointSet { joints: vec![[0; 4]; 4], weights: vec![[0.25; 4]; 4] };
    let mut many = vec![by(9.0, 0.0); 6000];
    many[5999] = by(-0.5, 0.5);
    let mut weights = vec![0.0; 6000];
    weights[5999] = 1.0;
    put(&mut stage, small(many), red(), &weights);
    let skinned = Mesh { joint_sets: vec![joints], ..small(vec![]) };
    let node = put(&mut stage, skinned, plain(0.0, 0.0, 1.0, 1.0), &[]);
    stage.content.scene.find_mut(node).ok_or("gone")?.set_skin(Some(skin));
    stage.put(small(vec![]), plain(1.0, 1.0, 1.0, 1.0), at(0.5, -0.5));
    put(&mut stage, small(vec![by(0.5, 0.5)]), plain(0.0, 1.0, 0.0, 1.0), &[1.0]);
    let image = stage.draw()?;
    for (at, color) in
        [((16, 16), RED), ((48, 16), GREEN), ((16, 48), BLUE), ((48, 48), WHITE), ((32, 32), BLACK)]
    {
        expect_pixel(&image, at, color, 0)?;
    }
    Ok(())
}

/// What another scene draws is taken over, and what is new is added behind it.
fn targets_stay_from_plan_to_plan() -> Result<(), Failed> {
    let mut stage = Stage::default();
    put(&mut stage, small(vec![by(0.5, 0.5)]), red(), &[1.0]);
    let (mut options, log) = options();
    options.clear_color = [0.0, 0.0, 0.0, 1.0];
    let mut renderer = Renderer::headless((64, 64), options)?;
    let mut expected = vec![((48, 16), RED)];
    let corners = [(-0.5, 0.5, (16, 16)), (-0.5, -0.5, (16, 48)), (0.5, -0.5, (48, 48))];
    for round in 0..=corners.len() {
        stage.content.scene.update_world_transforms();
        renderer.prepare(&stage.content.assets, &stage.content.scene)?;
        let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
        for &(at, color) in &expected {
            expect_pixel(&image, at, color, 0)?;
        }
        if let Some(&(x, y, pixel)) = corners.get(round) {
            put(&mut stage, small(vec![by(0.0, 9.0), by(x, y)]), plain(0.0, 1.0, 0.0, 1.0), &[0.0, 1.0]);
            expected.push((pixel, GREEN));
        }
    }
    // The first leaves, and the others stay.
    let first = stage.content.scene.roots().next().ok_or("no root")?.id();
    stage.content.scene.remove(first)?;
    stage.content.scene.update_world_transforms();
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    expected[0].1 = BLACK;
    for &(at, color) in &expected {
        expect_pixel(&image, at, color, 0)?;
    }
    drop(renderer);
    assert_clean(&log)
}

/// Each moves a little, so that the sum shows that every one counts.
fn hundreds_of_targets() -> Result<(), Failed> {
    let targets: Vec<_> = (0..500).map(|_| by(0.001, 0.0)).collect();
    expect_at(&drawn(small(targets.clone()), &[1.0; 500])?, 0.5, 0.0)?;
    let mut last = [0.0; 500];
    last[499] = 400.0;
    expect_at(&drawn(small(targets), &last)?, 0.4, 0.0)
}

/// Weights that come, change and go, of more and more targets.
fn no_weight_compiles_anything() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let targets = vec![by(0.25, 0.0), by(0.0, 0.25), by(-0.5, -0.5)];
    let node = put(&mut stage, small(targets), red(), &[0.0; 3]);
    let (mut options, log) = options();
    options.clear_color = [0.0, 0.0, 0.0, 1.0];
    let mut renderer = Renderer::headless((64, 64), options)?;
    for (weights, x, y) in [
        ([0.0, 0.0, 0.0], 0.0, 0.0),
        ([1.0, 0.0, 0.0], 0.25, 0.0),
        ([1.0, 2.0, 0.0], 0.25, 0.5),
        ([1.0, 1.0, 1.0], -0.25, -0.25),
        ([0.0, 0.0, 0.0], 0.0, 0.0),
    ] {
        let scene = &mut stage.content.scene;
        scene.find_mut(node).ok_or("gone")?.set_weights(&weights)?;
        scene.update_world_transforms();
        renderer.prepare(&stage.content.assets, scene)?;
        expect_at(&renderer.render_to_image(scene, &flat_camera())?, x, y)?;
    }
    assert_eq!(renderer.preparation().generation(), 1);
    drop(renderer);
    assert_clean(&log)
}
