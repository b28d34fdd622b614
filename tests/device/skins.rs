//! Where joints put vertices, pixel by pixel.

use crate::pixels::Test;
use crate::support::stage::{
    BLACK, BLUE, GREEN, RED, Stage, WHITE, expect_pixel, flat_camera, plain, square,
};
use crate::support::{assert_clean, options};
use fire_engine::assets::{AlphaMode, ImageData, JointSet, Material, Mesh, Topology};
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::scene::{SceneNodeId, Skin};
use fire_engine::vulkan::{Renderer, RendererError, ViewMode};
use libtest_mimic::Failed;
use std::f32::consts::PI;
use std::sync::Arc;

pub const TESTS: &[Test] = &[
    ("skins::a_strip_between_two_joints_bends", a_strip_between_two_joints_bends),
    ("skins::inverse_bind_matrices_apply_first", inverse_bind_matrices_apply_first),
    ("skins::eight_influences_all_count", eight_influences_all_count),
    ("skins::a_chain_of_300_joints_reaches_its_end", a_chain_of_300_joints_reaches_its_end),
    ("skins::joints_are_shared_by_nodes_and_meshes", joints_are_shared_by_nodes_and_meshes),
    ("skins::t_skin_root_the_nodes_own_transform_is_ignored", t_skin_root_own_transform),
    ("skins::t_skin_root_joints_without_a_common_root", t_skin_root_no_common_root),
    ("skins::t_skin_root_a_mesh_under_its_joint", t_skin_root_mesh_under_its_joint),
    ("skins::influences_without_a_skin_follow_the_node", influences_without_a_skin_follow_the_node),
    ("skins::a_mesh_without_influences_follows_the_node", a_mesh_without_influences_follows_the_node),
    ("skins::a_thousand_skins_are_one_command", a_thousand_skins_are_one_command),
    ("skins::normals_follow_the_blended_joints", normals_follow_the_blended_joints),
    ("skins::joints_that_mirror_keep_the_front", joints_that_mirror_keep_the_front),
    ("skins::joints_that_mirror_in_part_keep_every_front", joints_that_mirror_in_part_keep_every_front),
    ("skins::normals_of_joints_that_mirror_in_part", normals_of_joints_that_mirror_in_part),
    ("skins::blended_draws_sort_by_where_the_joints_are", blended_draws_sort_by_where_the_joints_are),
    ("skins::lines_and_points_are_moved_too", lines_and_points_are_moved_too),
    ("skins::no_pose_compiles_anything", no_pose_compiles_anything),
    ("skins::too_few_joints_are_an_error_before_anything_is_drawn", too_few_joints_are_an_error),
];

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, z))
}

fn red() -> Material {
    plain(1.0, 0.0, 0.0, 1.0)
}

/// One joint a vertex.
fn rigid(joints: &[u16]) -> JointSet {
    JointSet {
        joints: joints.iter().map(|&joint| [joint, 0, 0, 0]).collect(),
        weights: vec![[1.0, 0.0, 0.0, 0.0]; joints.len()],
    }
}

/// The square, a quarter as large, moved by one joint.
fn small(joint: u16) -> Mesh {
    let mut mesh = square();
    mesh.positions.iter_mut().for_each(|position| *position *= 0.25);
    Mesh { joint_sets: vec![rigid(&[joint; 4])], ..mesh }
}

/// Roots as joints, at these places.
fn joints(stage: &mut Stage, transforms: &[Transform]) -> Vec<SceneNodeId> {
    let scene = &mut stage.content.scene;
    let add = |transform: &Transform| {
        let joint = scene.add_root("joint").unwrap();
        scene.find_mut(joint).unwrap().set_transform(*transform).unwrap();
        joint
    };
    transforms.iter().map(add).collect()
}

fn skin(joints: &[SceneNodeId]) -> Arc<Skin> {
    Arc::new(Skin::new("skin", joints.iter().copied().map(Some).collect(), Vec::new()).unwrap())
}

/// Puts the mesh at a node that wears a skin of joints at these places.
fn put(stage: &mut Stage, mesh: Mesh, material: Material, transforms: &[Transform]) -> SceneNodeId {
    let skin = skin(&joints(stage, transforms));
    let node = stage.put(mesh, material, Transform::IDENTITY);
    stage.content.scene.find_mut(node).unwrap().set_skin(Some(skin));
    node
}

fn expect_all(image: &ImageData, expected: &[((u32, u32), [u8; 4])]) -> Result<(), Failed> {
    expected.iter().try_for_each(|&(at, color)| expect_pixel(image, at, color, 0))
}

/// A strip of three rows: the lower one with the first joint, the upper one with the second, the middle one between them.
fn strip() -> Mesh {
    let rows = [(-1.0, [1.0, 0.0]), (0.0, [0.5, 0.5]), (1.0, [0.0, 1.0])];
    let corners =
        rows.iter().flat_map(|&(y, weights)| [-0.25, 0.25].map(|x| (Vec3::new(x, y, 0.0), weights)));
    let (positions, weights): (Vec<_>, Vec<_>) = corners.map(|(at, [a, b])| (at, [a, b, 0.0, 0.0])).unzip();
    Mesh {
        positions,
        indices: Some(vec![0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4]),
        joint_sets: vec![JointSet { joints: vec![[0, 1, 0, 0]; 6], weights }],
        ..Mesh::default()
    }
}

/// The second joint goes half a unit to the right, so the middle row goes a quarter.
fn a_strip_between_two_joints_bends() -> Result<(), Failed> {
    let mut stage = Stage::default();
    put(&mut stage, strip(), red(), &[Transform::IDENTITY, at(0.5, 0.0, 0.0)]);
    let image = stage.draw()?;
    // At y = -0.97, 0 and 0.97 the strip begins at x = -0.25, 0 and 0.25, half a unit wide.
    expect_all(&image, &[((22, 63), BLACK), ((25, 63), RED), ((39, 63), RED), ((42, 63), BLACK)])?;
    expect_all(&image, &[((30, 32), BLACK), ((33, 32), RED), ((47, 32), RED), ((50, 32), BLACK)])?;
    expect_all(&image, &[((38, 0), BLACK), ((41, 0), RED), ((55, 0), RED), ((58, 0), BLACK)])
}

/// A quarter turn of the joint about a point that is its origin in the bind pose.
fn inverse_bind_matrices_apply_first() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let turned = Transform { rotation: Quat::from_rotation_z(PI / 2.0), ..at(0.5, 0.0, 0.0) };
    let joint = joints(&mut stage, &[turned])[0];
    // The middle lies at (0, -0.5) as seen from the pivot, and goes to (0.5, 0) from it.
    let inverse = at(0.0, -0.5, 0.0).affine();
    let skin = Skin::new("skin", vec![Some(joint)], vec![inverse])?;
    let node = stage.put(small(0), red(), Transform::IDENTITY);
    stage.content.scene.find_mut(node).ok_or("gone")?.set_skin(Some(Arc::new(skin)));
    expect_all(&stage.draw()?, &[((32, 32), BLACK), ((54, 32), BLACK), ((57, 32), RED), ((62, 32), RED)])
}

/// Joint k goes k tenths to the right, so that an eighth of each of 0 to 7 goes 0.35.
fn eight_influences_all_count() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let set = |joints| JointSet { joints: vec![joints; 4], weights: vec![[0.125; 4]; 4] };
    let mesh = Mesh { joint_sets: vec![set([0, 1, 2, 3]), set([7, 6, 5, 4])], ..small(0) };
    let places: Vec<_> = (0..8).map(|joint| at(joint as f32 * 0.1, 0.0, 0.0)).collect();
    put(&mut stage, mesh, red(), &places);
    // From 0.1 to 0.6.
    let edges = [((34, 32), BLACK), ((36, 32), RED), ((50, 32), RED), ((52, 32), BLACK)];
    expect_all(&stage.draw()?, &edges)
}

/// No limit cuts a skin off: each joint is a step from the one before it.
fn a_chain_of_300_joints_reaches_its_end() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let scene = &mut stage.content.scene;
    let mut chain = vec![scene.add_root("first")?];
    for _ in 1..300 {
        let next = scene.add_child(chain[chain.len() - 1], "next")?;
        scene.find_mut(next).ok_or("gone")?.set_transform(at(0.5 / 299.0, 0.0, 0.0))?;
        chain.push(next);
    }
    let skin = skin(&chain);
    for (joint, material) in [(299, red()), (0, plain(0.0, 1.0, 0.0, 1.0))] {
        let node = stage.put(small(joint), material, Transform::IDENTITY);
        stage.content.scene.find_mut(node).ok_or("gone")?.set_skin(Some(Arc::clone(&skin)));
    }
    let edges = [((25, 32), GREEN), ((38, 32), GREEN), ((42, 32), RED), ((54, 32), RED), ((57, 32), BLACK)];
    expect_all(&stage.draw()?, &edges)
}

fn joints_are_shared_by_nodes_and_meshes() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let joints = joints(&mut stage, &[at(-0.5, 0.0, 0.0), at(0.5, 0.0, 0.0)]);
    let shared = skin(&joints);
    let swapped = skin(&[joints[1], joints[0]]);
    // Two meshes with one skin, and a third with another skin of the same joints.
    for (skin, joint, y, material) in [
        (&shared, 0, 0.5, red()),
        (&shared, 1, 0.5, plain(0.0, 1.0, 0.0, 1.0)),
        (&swapped, 1, -0.5, plain(0.0, 0.0, 1.0, 1.0)),
    ] {
        let mut mesh = small(joint);
        mesh.positions.iter_mut().for_each(|position| position.y += y);
        let node = stage.put(mesh, material, Transform::IDENTITY);
        stage.content.scene.find_mut(node).ok_or("gone")?.set_skin(Some(Arc::clone(skin)));
    }
    let expected = [((16, 16), RED), ((48, 16), GREEN), ((16, 48), BLUE), ((48, 48), BLACK)];
    expect_all(&stage.draw()?, &expected)
}

/// T-SKIN-ROOT: moved, turned around and mirrored, the node changes nothing.
fn t_skin_root_own_transform() -> Result<(), Failed> {
    for transform in [
        at(0.9, -0.7, 3.0),
        Transform::from_rotation(Quat::from_rotation_y(PI)),
        Transform::from_scale(Vec3::new(-3.0, 1.0, 1.0)),
        Transform::from_scale(Vec3::ZERO),
    ] {
        let mut stage = Stage::default();
        let node = put(&mut stage, small(0), red(), &[at(0.5, 0.5, 0.0)]);
        stage.content.scene.find_mut(node).ok_or("gone")?.set_transform(transform)?;
        let image = stage.draw()?;
        expect_all(&image, &[((48, 16), RED), ((42, 22), RED), ((54, 10), RED), ((32, 32), BLACK)])?;
    }
    Ok(())
}

/// T-SKIN-ROOT: joints of two trees.
fn t_skin_root_no_common_root() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let roots = joints(&mut stage, &[at(0.25, 0.0, 0.0), at(-0.25, 0.0, 0.0)]);
    let scene = &mut stage.content.scene;
    let mut leaves = Vec::new();
    for (root, x) in roots.into_iter().zip([0.25, -0.25]) {
        let leaf = scene.add_child(root, "leaf")?;
        scene.find_mut(leaf).ok_or("gone")?.set_transform(at(x, 0.0, 0.0))?;
        leaves.push(leaf);
    }
    let skin = skin(&leaves);
    for (joint, material) in [(0, red()), (1, plain(0.0, 1.0, 0.0, 1.0))] {
        let node = stage.put(small(joint), material, Transform::IDENTITY);
        stage.content.scene.find_mut(node).ok_or("gone")?.set_skin(Some(Arc::clone(&skin)));
    }
    expect_all(&stage.draw()?, &[((48, 32), RED), ((16, 32), GREEN), ((32, 32), BLACK)])
}

/// T-SKIN-ROOT: the joint moves the mesh once, not twice.
fn t_skin_root_mesh_under_its_joint() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let node = put(&mut stage, small(0), red(), &[at(0.25, 0.0, 0.0)]);
    let scene = &mut stage.content.scene;
    let joint = scene.find(node).and_then(|node| node.skin()?.joints()[0]);
    scene.set_parent(node, joint)?;
    let edges = [((31, 32), BLACK), ((33, 32), RED), ((46, 32), RED), ((49, 32), BLACK)];
    expect_all(&stage.draw()?, &edges)
}

/// In the same command as a draw with a skin.
fn influences_without_a_skin_follow_the_node() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let object = stage.object(small(1), red());
    let skin = skin(&joints(&mut stage, &[at(0.0, 9.0, 0.0), at(0.5, 0.0, 0.0)]));
    let dressed = stage.place(object, at(0.0, 0.0, 0.0));
    stage.content.scene.find_mut(dressed).ok_or("gone")?.set_skin(Some(skin));
    stage.place(object, at(-0.5, 0.0, 0.0));
    expect_all(&stage.draw()?, &[((16, 32), RED), ((48, 32), RED), ((32, 32), BLACK)])
}

fn a_mesh_without_influences_follows_the_node() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let mesh = Mesh { joint_sets: vec![], ..small(0) };
    let mirror = Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let node = put(&mut stage, mesh, red(), &[mirror]);
    stage.content.scene.find_mut(node).ok_or("gone")?.set_transform(at(0.5, 0.5, 0.0))?;
    expect_all(&stage.draw()?, &[((48, 16), RED), ((32, 32), BLACK)])
}

/// Each in its own place, by a skin of its own.
fn a_thousand_skins_are_one_command() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let mut mesh = small(0);
    mesh.positions.iter_mut().for_each(|position| *position *= 0.05);
    let object = stage.object(mesh, red());
    let place = |column: u32, row: u32| at((column as f32 - 15.5) / 16.0, (row as f32 - 15.5) / 16.0, 0.0);
    for (column, row) in (0..32).flat_map(|row| (0..32).map(move |column| (column, row))) {
        let skin = skin(&joints(&mut stage, &[place(column, row)]));
        let node = stage.place(object, Transform::IDENTITY);
        stage.content.scene.find_mut(node).ok_or("gone")?.set_skin(Some(skin));
    }
    stage.content.scene.update_world_transforms();
    let (mut options, log) = options();
    options.clear_color = [0.0, 0.0, 0.0, 1.0];
    let mut renderer = Renderer::headless((320, 320), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    let counts = renderer.command_counts();
    drop(renderer);
    assert_clean(&log)?;
    assert_eq!((counts.draw_indirect, counts.calls, counts.instances), (1, 1, 1024));
    for (x, y) in (0..32).flat_map(|y| (0..32).map(move |x| (x, y))) {
        expect_all(&image, &[((10 * x + 5, 10 * y + 5), RED), ((10 * x, 10 * y), BLACK)])?;
    }
    Ok(())
}

fn normals_shown(mut stage: Stage) -> Result<ImageData, Failed> {
    stage.draw_with(&flat_camera(), |options| options.view_mode = ViewMode::Normals)
}

fn expect_normal(image: &ImageData, at: (u32, u32), normal: Vec3) -> Result<(), Failed> {
    let [r, g, b] = (normal.normalize() * 127.5 + 127.5).to_array().map(|c| c.round() as u8);
    expect_pixel(image, at, [r, g, b, 255], 1)
}

/// Half of scales by (3, 1, 1) and by (1, 1, 1) is the scale by (2, 1, 1), whose inverse transpose makes (1, 2, 2) of
/// (2, 2, 2). The node's own transform has no part in it.
fn normals_follow_the_blended_joints() -> Result<(), Failed> {
    let half = JointSet { joints: vec![[0, 1, 0, 0]; 4], weights: vec![[0.5, 0.5, 0.0, 0.0]; 4] };
    let mesh = Mesh { normals: vec![Vec3::ONE; 4], joint_sets: vec![half], ..small(0) };
    let mut stage = Stage::default();
    let scales = [Transform::from_scale(Vec3::new(3.0, 1.0, 1.0)), Transform::IDENTITY];
    let node = put(&mut stage, mesh, red(), &scales);
    let own = Transform::from_rotation(Quat::from_rotation_x(2.0));
    stage.content.scene.find_mut(node).ok_or("gone")?.set_transform(own)?;
    expect_normal(&normals_shown(stage)?, (32, 32), Vec3::new(1.0, 2.0, 2.0))
}

/// Each winds the other way, and is single-sided.
fn joints_that_mirror_keep_the_front() -> Result<(), Failed> {
    let mirror = |x: f32| Transform { scale: Vec3::new(-1.0, 1.0, 1.0), ..at(x, 0.0, 0.0) };
    let mut stage = Stage::default();
    put(&mut stage, strip(), red(), &[mirror(0.0), mirror(0.5)]);
    expect_all(&stage.draw()?, &[((32, 60), RED), ((40, 32), RED), ((48, 2), RED)])?;
    // Seen from behind they are culled.
    let mut stage = Stage::default();
    let turn = Transform { scale: Vec3::new(1.0, 1.0, -1.0), ..Transform::IDENTITY };
    let [behind, moved] = [turn, Transform { translation: Vec3::X * 0.5, ..turn }];
    put(&mut stage, strip(), red(), &[behind, moved]);
    expect_all(&stage.draw()?, &[((32, 60), BLACK), ((40, 32), BLACK), ((48, 2), BLACK)])
}

/// Four squares in a row, each by a joint of its own.
fn row() -> Mesh {
    let corners = square().positions;
    let place = |index: u16| Vec3::new(f32::from(index) * 0.5 - 0.75, 0.0, 0.0);
    let positions = (0..4).flat_map(|index| corners.iter().map(move |corner| *corner * 0.2 + place(index)));
    let normals = vec![Vec3::new(0.0, 1.0, 1.0); 16];
    let indices = (0..4).flat_map(|index| [0, 1, 2, 0, 2, 3].map(|corner| 4 * index + corner));
    Mesh {
        positions: positions.collect(),
        normals,
        indices: Some(indices.collect()),
        joint_sets: vec![rigid(&[0, 1, 2, 3].map(|joint| [joint; 4]).concat())],
        ..Mesh::default()
    }
}

/// Joints about the squares of [`row`]: as it is, mirrored, turned around, both.
fn four_ways() -> [Transform; 4] {
    let about = |center: f32, rotation, scale: Vec3| {
        let turned = Transform { rotation, scale, ..Transform::IDENTITY };
        let moved = turned.affine().transform_point(Vec3::X * center);
        Transform { translation: Vec3::X * center - moved, ..turned }
    };
    let (straight, around) = (Quat::IDENTITY, Quat::from_rotation_y(PI));
    let mirror = Vec3::new(1.0, -1.0, 1.0);
    [
        about(-0.75, straight, Vec3::ONE),
        about(-0.25, straight, mirror),
        about(0.25, around, Vec3::ONE),
        about(0.75, around, mirror),
    ]
}

const MIDDLES: [(u32, u32); 4] = [(8, 32), (24, 32), (40, 32), (56, 32)];

/// The first two squares show their front, the others their back, whichever way they wind, in any kind of material.
fn joints_that_mirror_in_part_keep_every_front() -> Result<(), Failed> {
    let white = || plain(1.0, 1.0, 1.0, 1.0);
    for alpha_mode in [AlphaMode::Opaque, AlphaMode::Mask { cutoff: 0.5 }, AlphaMode::Blend] {
        for (double_sided, back) in [(false, BLACK), (true, WHITE)] {
            let mut stage = Stage::default();
            let material = Material { alpha_mode, double_sided, ..white() };
            put(&mut stage, row(), material, &four_ways());
            let image = stage.draw()?;
            for (at, color) in MIDDLES.into_iter().zip([WHITE, WHITE, back, back]) {
                expect_pixel(&image, at, color, 0).map_err(|error| {
                    format!("{alpha_mode:?} {double_sided}: {}", error.message().unwrap_or(""))
                })?;
            }
        }
    }
    // All joints in one state need nothing of it, and look the same.
    for (joint, shown) in [(0, WHITE), (1, WHITE), (2, BLACK), (3, BLACK)] {
        let mut stage = Stage::default();
        let mesh = Mesh { joint_sets: vec![rigid(&[0; 16])], ..row() };
        put(&mut stage, mesh, white(), &four_ways()[joint..=joint]);
        expect_pixel(&stage.draw()?, MIDDLES[joint], shown, 0)?;
    }
    Ok(())
}

/// (0, 1, 1) as it is, mirrored in y, and behind: turned about y (0, 1, -1), which a back face shows the other way round.
fn normals_of_joints_that_mirror_in_part() -> Result<(), Failed> {
    let normals = [(1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0), (1.0, 1.0)].map(|(y, z)| Vec3::new(0.0, y, z));
    for double_sided in [false, true] {
        let mut stage = Stage::default();
        put(&mut stage, row(), Material { double_sided, ..red() }, &four_ways());
        let image = normals_shown(stage)?;
        for (index, (at, normal)) in MIDDLES.into_iter().zip(normals).enumerate() {
            match (index, double_sided) {
                (2 | 3, false) => expect_pixel(&image, at, BLACK, 0)?,
                _ => expect_normal(&image, at, normal)?,
            }
        }
    }
    Ok(())
}

/// The nodes' own places would sort them the other way.
fn blended_draws_sort_by_where_the_joints_are() -> Result<(), Failed> {
    for near_first in [true, false] {
        let mut stage = Stage::default();
        let glass = |r, g| Material { alpha_mode: AlphaMode::Blend, ..plain(r, g, 0.0, 0.5) };
        let mut layers = [(glass(1.0, 0.0), 1.0), (glass(0.0, 1.0), -1.0)];
        if !near_first {
            layers.reverse();
        }
        for (material, z) in layers {
            let node = put(&mut stage, small(0), material, &[at(0.0, 0.0, z)]);
            stage.content.scene.find_mut(node).ok_or("gone")?.set_transform(at(0.0, 0.0, -3.0 * z))?;
        }
        // Red over green over black: 0.5 and 0.25 in linear light.
        expect_pixel(&stage.draw()?, (32, 32), [188, 137, 0, 255], 1)?;
    }
    Ok(())
}

fn lines_and_points_are_moved_too() -> Result<(), Failed> {
    let middle = Vec3::new(1.0 / 64.0, -1.0 / 64.0, 0.0);
    for (topology, ends) in
        [(Topology::Points, [middle; 2]), (Topology::Lines, [middle, middle + Vec3::X * 0.2])]
    {
        // One joint mirrors, which is nothing to lines and points.
        let positions = ends.to_vec();
        let mesh = Mesh { topology, positions, joint_sets: vec![rigid(&[0, 0])], ..Mesh::default() };
        let mut stage = Stage::default();
        put(&mut stage, mesh, red(), &[at(0.5, 0.25, 0.0), Transform::from_scale(-Vec3::ONE)]);
        expect_all(&stage.draw()?, &[((48, 24), RED), ((32, 32), BLACK)])?;
    }
    Ok(())
}

/// Joints that move, and begin to mirror, all of them and in part.
fn no_pose_compiles_anything() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let joints = joints(&mut stage, &four_ways());
    let node = stage.put(row(), red(), Transform::IDENTITY);
    let worn = skin(&joints);
    let scene = &mut stage.content.scene;
    scene.find_mut(node).ok_or("gone")?.set_skin(Some(Arc::clone(&worn)));
    scene.update_world_transforms();
    let (mut options, log) = options();
    options.clear_color = [0.0, 0.0, 0.0, 1.0];
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    // Each of the frames in flight makes its targets.
    for _ in 0..4 {
        renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    }
    let (live, memory) = (renderer.live_objects(), renderer.memory_usage());
    let [as_is, mirrored, ..] = four_ways();
    let all = [RED; 4];
    for (transforms, shown) in [
        ([as_is; 4], all),
        (four_ways(), [RED, RED, BLACK, BLACK]),
        ([mirrored; 4], all),
        ([as_is, mirrored, as_is, mirrored], all),
        (four_ways(), [RED, RED, BLACK, BLACK]),
    ] {
        for (&joint, transform) in joints.iter().zip(transforms) {
            stage.content.scene.find_mut(joint).ok_or("gone")?.set_transform(transform)?;
        }
        stage.content.scene.update_world_transforms();
        renderer.prepare(&stage.content.assets, &stage.content.scene)?;
        let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
        for (at, color) in MIDDLES.into_iter().zip(shown) {
            expect_pixel(&image, at, color, 0)?;
        }
        assert_eq!(renderer.command_counts().calls, 1);
    }
    // Taking the skin off, and putting another one on, is no more than a pose to what is compiled.
    for dressed in [false, true] {
        let scene = &mut stage.content.scene;
        scene.find_mut(node).ok_or("gone")?.set_skin(dressed.then(|| Arc::clone(&worn)));
        scene.update_world_transforms();
        renderer.prepare(&stage.content.assets, scene)?;
        let image = renderer.render_to_image(scene, &flat_camera())?;
        let third = if dressed { BLACK } else { RED };
        expect_all(
            &image,
            &[(MIDDLES[0], RED), (MIDDLES[1], RED), (MIDDLES[2], third), (MIDDLES[3], third)],
        )?;
    }
    assert_eq!(renderer.preparation().generation(), 1);
    assert_eq!((renderer.live_objects(), renderer.memory_usage()), (live, memory));
    drop(renderer);
    assert_clean(&log)
}

fn too_few_joints_are_an_error() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let scene_joints = joints(&mut stage, &[Transform::IDENTITY; 4]);
    let node = stage.put(small(3), red(), Transform::IDENTITY);
    let object =
        stage.content.scene.find(node).and_then(|node| node.render_object()).ok_or("nothing drawn")?;
    let (options, log) = options();
    let mut renderer = Renderer::headless((64, 64), options)?;
    for count in [3, 4, 1, 4] {
        let scene = &mut stage.content.scene;
        scene.find_mut(node).ok_or("gone")?.set_skin(Some(skin(&scene_joints[..count])));
        scene.update_world_transforms();
        renderer.prepare(&stage.content.assets, scene)?;
        for _ in 0..2 {
            let drawn = renderer.render_to_image(scene, &flat_camera());
            match count {
                4 => expect_pixel(&drawn?, (32, 32), RED, 0)?,
                _ => {
                    let worn = count as u32;
                    assert_eq!(drawn.err(), Some(RendererError::SkinJoints { object, worn, needed: 4 }));
                    let drawn = renderer.draw_frame(scene, &flat_camera());
                    assert_eq!(drawn, Err(RendererError::SkinJoints { object, worn, needed: 4 }));
                }
            }
        }
    }
    drop(renderer);
    assert_clean(&log)
}
