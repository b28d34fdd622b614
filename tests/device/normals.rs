//! World-space normals, by pixel value: 0.5 n + 0.5.

use crate::pixels::Test;
use crate::support::stage::{Stage, expect_pixel, flat_camera, square};
use fire_engine::assets::{ImageData, Material, Mesh, Topology};
use fire_engine::math::{Mat4, Quat, Transform, Vec3};
use fire_engine::vulkan::ViewMode;
use libtest_mimic::Failed;
use std::f32::consts::{FRAC_1_SQRT_2 as HALF, PI};

pub const TESTS: &[Test] = &[
    ("normals::t_xf_normal_inverse_transpose", t_xf_normal_inverse_transpose),
    ("normals::t_xf_normal_negative_scale", t_xf_normal_negative_scale),
    ("normals::t_xf_normal_shear_and_zero_scale", t_xf_normal_shear_and_zero_scale),
    ("normals::back_faces_turn_the_normal_around", back_faces_turn_the_normal_around),
    ("normals::parity_counts_over_the_whole_chain", parity_counts_over_the_whole_chain),
    ("normals::lengths_and_sizes_do_not_matter", lengths_and_sizes_do_not_matter),
    ("normals::meshes_without_normals_show_their_faces", meshes_without_normals_show_their_faces),
    ("normals::points_and_lines_without_normals_are_gray", points_and_lines_without_normals_are_gray),
];

/// The square with one normal for all of it, which need not be that of its plane.
fn facing(normal: Vec3) -> Mesh {
    Mesh { normals: vec![normal; 4], ..square() }
}

fn expect_normal(image: &ImageData, normal: Vec3) -> Result<(), Failed> {
    let [r, g, b] = (normal.normalize_or_zero() * 127.5 + 127.5).to_array().map(|c| c.round() as u8);
    expect_pixel(image, (32, 32), [r, g, b, 255], 1)
}

fn draw(mut stage: Stage) -> Result<ImageData, Failed> {
    stage.draw_with(&flat_camera(), |options| options.view_mode = ViewMode::Normals)
}

fn expect(mesh: Mesh, double_sided: bool, transform: impl Into<Mat4>, normal: Vec3) -> Result<(), Failed> {
    let mut stage = Stage::default();
    let material = Material { double_sided, ..Material::default() };
    let node = stage.put(mesh, material, Transform::IDENTITY);
    stage.content.scene.find_mut(node).ok_or("gone")?.set_matrix(transform.into())?;
    expect_normal(&draw(stage)?, normal)
}

/// N = (1, 1, 0)/√2 under diag(2, 1, 1) is (1, 2, 0)/√5, which is still at a right angle to the tangent (1, -1, 0)/√2 under
/// the same matrix, (2, -1, 0)/√5. The matrix itself would make (2, 1, 0)/√5.
fn t_xf_normal_inverse_transpose() -> Result<(), Failed> {
    let (normal, stretched) = (Vec3::new(HALF, HALF, 0.0), Vec3::new(1.0, 2.0, 0.0));
    assert_eq!(stretched.dot(Vec3::new(2.0, -1.0, 0.0)), 0.0);
    expect(facing(normal), false, Mat4::from_scale(Vec3::new(2.0, 1.0, 1.0)), stretched)?;
    expect(facing(normal), false, Mat4::IDENTITY, normal)?;
    // Turned after that by a quarter about z.
    let turned = Mat4::from_rotation_z(PI / 2.0) * Mat4::from_scale(Vec3::new(2.0, 1.0, 1.0));
    expect(facing(normal), false, turned, Vec3::new(-2.0, 1.0, 0.0))
}

/// What points out of a body points out of its mirror image. The sides that face the viewer stay front faces, so that
/// nothing is turned around, single-sided or double-sided.
fn t_xf_normal_negative_scale() -> Result<(), Failed> {
    let normal = Vec3::new(1.0, 2.0, 3.0);
    for double_sided in [false, true] {
        for scale in [Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0)] {
            expect(facing(normal), double_sided, Mat4::from_scale(scale), normal * scale)?;
        }
        // Twice mirrored is turned.
        let twice = Vec3::new(-1.0, -1.0, 1.0);
        expect(facing(normal), double_sided, Mat4::from_scale(twice), normal * twice)?;
    }
    // The inverse of diag(-2, 1, 1), applied to (1, 1, 0).
    let stretched = Mat4::from_scale(Vec3::new(-2.0, 1.0, 1.0));
    expect(facing(Vec3::new(1.0, 1.0, 0.0)), false, stretched, Vec3::new(-1.0, 2.0, 0.0))
}

fn t_xf_normal_shear_and_zero_scale() -> Result<(), Failed> {
    // x' = x + y: the plane with normal (1, 0, 0), spanned by y and z, goes to the one spanned by (1, 1, 0) and z.
    let mut shear = Mat4::IDENTITY;
    shear.y_axis.x = 1.0;
    expect(facing(Vec3::X), false, shear, Vec3::new(1.0, -1.0, 0.0))?;
    // Flattened, the plane that all lies in still has its normal, and what stood across it has none.
    let flat = Mat4::from_scale(Vec3::new(1.0, 1.0, 0.0));
    expect(facing(Vec3::new(1.0, 0.0, 1.0)), false, flat, Vec3::Z)?;
    expect(facing(Vec3::X), false, flat, Vec3::ZERO)
}

fn back_faces_turn_the_normal_around() -> Result<(), Failed> {
    let normal = Vec3::new(1.0, 2.0, 3.0);
    let turned = Mat4::from_rotation_y(PI);
    expect(facing(normal), true, turned, -Vec3::new(-1.0, 2.0, -3.0))?;
    // Mirrored as well.
    let mirrored = turned * Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    expect(facing(normal), true, mirrored, -Vec3::new(1.0, 2.0, -3.0))?;
    // Mirrored along the view alone, the front is seen from behind.
    expect(facing(normal), true, Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0)), -Vec3::new(1.0, 2.0, -3.0))
}

/// T-XF-MIRROR: two mirrors in a chain cancel out for the front face; a third one counts again.
fn parity_counts_over_the_whole_chain() -> Result<(), Failed> {
    let normal = Vec3::new(1.0, 2.0, 3.0);
    for mirrors in 0..4 {
        let mut stage = Stage::default();
        let object = stage.object(facing(normal), Material::default());
        let scene = &mut stage.content.scene;
        let mut node = scene.add_root("root")?;
        let mut expected = normal;
        for level in 0..mirrors {
            let axis = [Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0)][level % 2];
            scene.find_mut(node).ok_or("gone")?.set_transform(Transform::from_scale(axis))?;
            expected *= axis;
            node = scene.add_child(node, "below")?;
        }
        scene.find_mut(node).ok_or("gone")?.set_render_object(Some(object));
        expect_normal(&draw(stage)?, expected)?;
    }
    Ok(())
}

fn lengths_and_sizes_do_not_matter() -> Result<(), Failed> {
    let normal = Vec3::new(1.0, 2.0, 3.0);
    for length in [1e-30, 1e-3, 1e3, 1e30] {
        expect(facing(normal * length), false, Mat4::IDENTITY, normal)?;
    }
    expect(facing(Vec3::ZERO), false, Mat4::IDENTITY, Vec3::ZERO)?;
    for size in [1e-25_f32, 1e-12, 1e12, 1e25] {
        let mut mesh = facing(normal);
        mesh.positions.iter_mut().for_each(|position| *position *= 1.0 / size);
        expect(mesh, false, Mat4::from_scale(Vec3::splat(size)), normal)?;
    }
    Ok(())
}

fn meshes_without_normals_show_their_faces() -> Result<(), Failed> {
    let tilted = Mat4::from_quat(Quat::from_rotation_y(0.5) * Quat::from_rotation_x(-0.3));
    let normal = tilted.transform_vector3(Vec3::Z);
    expect(square(), false, tilted, normal)?;
    // Mirrored, and from behind: toward the viewer in each case.
    expect(square(), false, tilted * Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)), normal)?;
    expect(square(), true, tilted * Mat4::from_rotation_y(PI), normal)?;
    // Not a rotation: the plane x' = x, z' = z + x.
    let mut shear = Mat4::IDENTITY;
    shear.x_axis.z = 1.0;
    expect(square(), false, shear, Vec3::new(-1.0, 0.0, 1.0))
}

fn points_and_lines_without_normals_are_gray() -> Result<(), Failed> {
    let center = Vec3::new(1.0 / 64.0, -1.0 / 64.0, 0.0);
    let far = center.with_x(0.9);
    let draw_as = |topology, normals| {
        let positions = match topology {
            Topology::Points => vec![center, far],
            _ => vec![center.with_x(-0.9), far],
        };
        let mut stage = Stage::default();
        stage.put(
            Mesh { topology, positions, normals, ..Mesh::default() },
            Material::default(),
            Transform::IDENTITY,
        );
        draw(stage)
    };
    for topology in [Topology::Points, Topology::Lines] {
        expect_normal(&draw_as(topology, vec![])?, Vec3::ZERO)?;
        expect_normal(&draw_as(topology, vec![-Vec3::Z; 2])?, -Vec3::Z)?;
    }
    Ok(())
}
