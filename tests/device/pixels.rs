//! What single features look like, pixel by pixel.

use crate::support::stage::{
    BLACK, BLUE, GREEN, RED, Stage, WHITE, expect_pixel, flat_camera, nearest, plain, quarters, square,
};
use fire_engine::assets::{
    AlphaMode, Color4, ImageData, MagFilter, Material, Mesh, Sampler, Topology, UvTransform, WrapMode,
};
use fire_engine::math::{Mat4, Quat, Transform, Vec2, Vec3};
use fire_engine::vulkan::ViewMode;
use libtest_mimic::Failed;

pub type Test = (&'static str, fn() -> Result<(), Failed>);

pub const TESTS: &[Test] = &[
    ("pixels::texture_is_upright", texture_is_upright),
    ("pixels::nearer_hides_farther_whatever_the_order", nearer_hides_farther_whatever_the_order),
    ("pixels::back_faces_are_culled", back_faces_are_culled),
    ("pixels::double_sided_shows_both_faces", double_sided_shows_both_faces),
    ("pixels::mirrored_nodes_keep_their_front", mirrored_nodes_keep_their_front),
    ("pixels::mask_discards_below_the_cutoff", mask_discards_below_the_cutoff),
    ("pixels::opaque_ignores_alpha", opaque_ignores_alpha),
    ("pixels::blend_mixes_in_linear_light_farthest_first", blend_mixes_in_linear_light_farthest_first),
    ("pixels::blend_sorts_by_the_middle_of_what_is_drawn", blend_sorts_by_the_middle_of_what_is_drawn),
    ("pixels::vertex_colors_multiply", vertex_colors_multiply),
    ("pixels::materials_of_one_batch_keep_their_factors", materials_of_one_batch_keep_their_factors),
    ("pixels::second_uv_set_and_transform", second_uv_set_and_transform),
    ("pixels::four_samples_average_in_linear_light", four_samples_average_in_linear_light),
    ("pixels::mips_average_in_linear_light", mips_average_in_linear_light),
    ("pixels::magnified_texels_mix_or_stay", magnified_texels_mix_or_stay),
    ("pixels::given_mips_are_used", given_mips_are_used),
    ("pixels::no_mips_where_the_sampler_asks_for_none", no_mips_where_the_sampler_asks_for_none),
    ("pixels::pictures_have_straight_alpha", pictures_have_straight_alpha),
    ("pixels::points_and_lines", points_and_lines),
    ("pixels::many_vertices_use_wide_indices", many_vertices_use_wide_indices),
    ("pixels::anisotropy_sharpens_a_slanted_plane", anisotropy_sharpens_a_slanted_plane),
];

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, z))
}

fn texture_is_upright() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let material = stage.textured(quarters(), nearest());
    stage.put(square(), material, Transform::IDENTITY);
    let image = stage.draw()?;
    for (at, color) in [((10, 10), RED), ((50, 10), GREEN), ((10, 50), BLUE), ((50, 50), WHITE)] {
        expect_pixel(&image, at, color, 0)?;
    }
    Ok(())
}

fn nearer_hides_farther_whatever_the_order() -> Result<(), Failed> {
    for near_first in [true, false] {
        let mut stage = Stage::default();
        let near = stage.object(square(), plain(1.0, 0.0, 0.0, 1.0));
        let far = stage.object(square(), plain(0.0, 1.0, 0.0, 1.0));
        let mut placed = [(near, at(-0.5, 0.0, 0.5)), (far, at(0.5, 0.0, -0.5))];
        if !near_first {
            placed.reverse();
        }
        for (object, transform) in placed {
            stage.place(object, transform);
        }
        let image = stage.draw()?;
        expect_pixel(&image, (32, 32), RED, 0)?;
        expect_pixel(&image, (60, 32), GREEN, 0)?;
    }
    Ok(())
}

fn turned() -> Transform {
    Transform::from_rotation(Quat::from_rotation_y(std::f32::consts::PI))
}

fn back_faces_are_culled() -> Result<(), Failed> {
    let mut stage = Stage::default();
    stage.put(square(), plain(1.0, 0.0, 0.0, 1.0), turned());
    expect_pixel(&stage.draw()?, (32, 32), BLACK, 0)
}

fn double_sided_shows_both_faces() -> Result<(), Failed> {
    for transform in [Transform::IDENTITY, turned()] {
        let mut stage = Stage::default();
        let material = Material { double_sided: true, ..plain(1.0, 0.0, 0.0, 1.0) };
        stage.put(square(), material, transform);
        expect_pixel(&stage.draw()?, (32, 32), RED, 0)?;
    }
    Ok(())
}

fn mirrored_nodes_keep_their_front() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let object = stage.object(square(), plain(1.0, 0.0, 0.0, 1.0));
    let half =
        |x: f32, mirror: f32| Transform { scale: Vec3::new(0.4 * mirror, 0.4, 1.0), ..at(x, 0.0, 0.0) };
    stage.place(object, half(-0.5, -1.0));
    stage.place(object, half(0.5, 1.0));
    let sheared = stage.place(object, Transform::IDENTITY);
    let matrix =
        Mat4::from_translation(Vec3::new(0.0, 0.8, 0.0)) * Mat4::from_scale(Vec3::new(0.1, -0.1, 1.0));
    stage.content.scene.find_mut(sheared).ok_or("gone")?.set_matrix(matrix)?;
    let image = stage.draw()?;
    expect_pixel(&image, (16, 32), RED, 0)?;
    expect_pixel(&image, (48, 32), RED, 0)?;
    expect_pixel(&image, (32, 6), RED, 0)
}

fn mask_discards_below_the_cutoff() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let image = ImageData::rgba8(2, 1, vec![255, 255, 255, 127, 255, 255, 255, 128]);
    let textured = stage.textured(image, nearest());
    let material = Material { alpha_mode: AlphaMode::Mask { cutoff: 0.5 }, ..textured };
    stage.put(square(), material, Transform::IDENTITY);
    let image = stage.draw()?;
    expect_pixel(&image, (10, 32), BLACK, 0)?;
    expect_pixel(&image, (50, 32), WHITE, 0)
}

fn opaque_ignores_alpha() -> Result<(), Failed> {
    let mut stage = Stage::default();
    stage.put(square(), plain(1.0, 1.0, 1.0, 0.0), Transform::IDENTITY);
    expect_pixel(&stage.draw()?, (32, 32), WHITE, 0)
}

fn blend_mixes_in_linear_light_farthest_first() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let glass = |r, g, b| Material { alpha_mode: AlphaMode::Blend, ..plain(r, g, b, 0.5) };
    // The nearer one is placed first: the order comes from the view, not from the list.
    stage.put(square(), glass(0.0, 1.0, 0.0), at(0.0, 0.0, 0.5));
    stage.put(square(), glass(1.0, 0.0, 0.0), at(0.0, 0.0, 0.0));
    stage.put(square(), plain(0.0, 0.0, 1.0, 1.0), at(0.0, 0.0, -0.5));
    let image = stage.draw()?;
    // Blue, half covered by red, half covered by green: linear (0.25, 0.5, 0.25), encoded with the sRGB curve.
    expect_pixel(&image, (32, 32), [137, 188, 137, 255], 1)
}

/// The nearer square's node lies farther away, its vertices are what is near; one vertex that no triangle uses is far off.
fn blend_sorts_by_the_middle_of_what_is_drawn() -> Result<(), Failed> {
    for near_first in [true, false] {
        let mut stage = Stage::default();
        let glass = |r, g| Material { alpha_mode: AlphaMode::Blend, ..plain(r, g, 0.0, 0.5) };
        let shifted = |z: f32| {
            let mut mesh = square();
            mesh.positions.iter_mut().for_each(|position| position.z = z);
            mesh.positions.push(Vec3::new(0.0, 0.0, -100.0 * z));
            mesh.uv_sets.clear();
            mesh
        };
        let near = stage.object(shifted(1.0), glass(0.0, 1.0));
        let far = stage.object(shifted(-1.0), glass(1.0, 0.0));
        let mut placed = [(near, at(0.0, 0.0, -0.5)), (far, at(0.0, 0.0, 0.5))];
        if !near_first {
            placed.reverse();
        }
        for (object, transform) in placed {
            stage.place(object, transform);
        }
        // Green at 0.5 over red at -0.5 over black: linear (0.25, 0.5, 0).
        expect_pixel(&stage.draw()?, (32, 32), [137, 188, 0, 255], 1)?;
    }
    // The middle goes where the node's rotation and scale take it: turned around, what was near is far.
    let mut stage = Stage::default();
    let glass = |r, g| Material { alpha_mode: AlphaMode::Blend, double_sided: true, ..plain(r, g, 0.0, 0.5) };
    let mut mesh = square();
    mesh.positions.iter_mut().for_each(|position| position.z = 0.5);
    stage.put(mesh, glass(1.0, 0.0), turned());
    stage.put(square(), glass(0.0, 1.0), Transform::IDENTITY);
    expect_pixel(&stage.draw()?, (32, 32), [137, 188, 0, 255], 1)
}

fn vertex_colors_multiply() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let mesh = Mesh { colors: vec![Color4::new(0.5, 1.0, 0.0, 1.0); 4], ..square() };
    stage.put(mesh, plain(1.0, 0.5, 1.0, 1.0), Transform::IDENTITY);
    expect_pixel(&stage.draw()?, (32, 32), [188, 188, 0, 255], 1)
}

fn materials_of_one_batch_keep_their_factors() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let mesh = stage.content.assets.add_mesh(square());
    for (index, color) in [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)].into_iter().enumerate() {
        let material = stage.content.assets.add_material(plain(color.0, color.1, color.2, 1.0));
        let object =
            stage.content.assets.add_render_object(fire_engine::assets::RenderObject { mesh, material });
        let x = -0.66 + 0.66 * index as f32;
        stage.place(object, Transform { scale: Vec3::splat(0.3), ..at(x, 0.0, 0.0) });
    }
    let image = stage.draw()?;
    for (x, color) in [(11, RED), (32, GREEN), (53, BLUE)] {
        expect_pixel(&image, (x, 32), color, 0)?;
    }
    Ok(())
}

fn second_uv_set_and_transform() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let mut mesh = square();
    // Set 1 reads the lower right texel everywhere; the transform then moves half a texture to the left.
    mesh.uv_sets.push(vec![Vec2::new(0.75, 0.75); 4]);
    let mut material = stage.textured(quarters(), nearest());
    if let Some(slot) = &mut material.base_color_texture {
        slot.uv_set = 1;
        slot.transform = UvTransform { offset: Vec2::new(-0.5, 0.0), ..UvTransform::IDENTITY };
    }
    stage.put(mesh, material, Transform::IDENTITY);
    expect_pixel(&stage.draw()?, (32, 32), BLUE, 0)
}

fn four_samples_average_in_linear_light() -> Result<(), Failed> {
    let mut stage = Stage::default();
    // The right edge cuts through the middle of pixel column 32.
    let transform = at(-1.0 + 1.0 / 64.0, 0.0, 0.0);
    stage.put(square(), plain(1.0, 1.0, 1.0, 1.0), transform);
    let image = stage.draw_with(&flat_camera(), |options| options.samples = 4)?;
    expect_pixel(&image, (31, 32), WHITE, 0)?;
    expect_pixel(&image, (33, 32), BLACK, 0)?;
    // Two of four samples: half the light is 188 in sRGB, where averaging encoded values would give 128.
    expect_pixel(&image, (32, 32), [188, 188, 188, 255], 1)?;
    let single = stage.draw()?;
    let edge = single.pixel(32, 32).ok_or("outside")?;
    if edge != WHITE && edge != BLACK {
        return Err(format!("one sample has no partial coverage, but the edge is {edge:?}").into());
    }
    Ok(())
}

/// One texel black, one white, and so on.
fn checker(side: u32) -> ImageData {
    let texel = |i: u32| if (i % side + i / side).is_multiple_of(2) { WHITE } else { BLACK };
    ImageData::rgba8(side, side, (0..side * side).flat_map(texel).collect())
}

fn mips_average_in_linear_light() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let material = stage.textured(checker(256), Sampler::default());
    stage.put(square(), material, Transform::IDENTITY);
    expect_pixel(&stage.draw()?, (32, 32), [188, 188, 188, 255], 1)
}

/// Between black and white, a quarter of the way from one texel's middle to the other's: light of colors, numbers of data.
fn magnified_texels_mix_or_stay() -> Result<(), Failed> {
    let texels = || ImageData::rgba8(2, 1, [BLACK, WHITE].concat());
    let clamped = Sampler { wrap_u: WrapMode::ClampToEdge, wrap_v: WrapMode::ClampToEdge, ..nearest() };
    let linear = Sampler { mag_filter: MagFilter::Linear, ..clamped };
    // The middle of pixel 24 lies at 24.5 / 32 - 0.5 = 0.266 of the way; that of pixel 32 at 0.516.
    for (sampler, color, data) in [
        (linear, [(24, 141), (32, 190)], [(24, 68), (32, 131)]),
        (clamped, [(24, 0), (32, 255)], [(24, 0), (32, 255)]),
    ] {
        let mut stage = Stage::default();
        let base_color_texture = stage.textured(texels(), sampler).base_color_texture;
        let material =
            Material { base_color_texture, occlusion_texture: base_color_texture, ..Material::default() };
        stage.put(square(), material, Transform::IDENTITY);
        for (view, expected) in [(ViewMode::BaseColor, color), (ViewMode::Occlusion, data)] {
            let image = stage.draw_with(&flat_camera(), |options| options.view_mode = view)?;
            for (x, value) in expected {
                expect_pixel(&image, (x, 32), [value, value, value, 255], 1)?;
            }
        }
    }
    Ok(())
}

fn given_mips_are_used() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let mut image = ImageData::rgba8(256, 256, RED.repeat(256 * 256));
    for level in 1..image.full_level_count() {
        let (width, height) = image.level_dimensions(level);
        image.mips.push(GREEN.repeat((width * height) as usize));
    }
    let material = stage.textured(image, Sampler::default());
    stage.put(square(), material, Transform::IDENTITY);
    expect_pixel(&stage.draw()?, (32, 32), GREEN, 0)
}

fn no_mips_where_the_sampler_asks_for_none() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let material = stage.textured(checker(256), nearest());
    stage.put(square(), material, Transform::IDENTITY);
    let image = stage.draw()?;
    let center = image.pixel(32, 32).ok_or("outside")?;
    if center == WHITE || center == BLACK { Ok(()) } else { Err(format!("{center:?} is a mix").into()) }
}

fn pictures_have_straight_alpha() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let glass = Material { alpha_mode: AlphaMode::Blend, ..plain(1.0, 0.0, 0.0, 0.5) };
    let half = Transform { scale: Vec3::new(0.5, 1.0, 1.0), ..at(-0.5, 0.0, 0.0) };
    stage.put(square(), glass, half);
    let image = stage.draw_with(&flat_camera(), |options| options.clear_color = [0.0; 4])?;
    expect_pixel(&image, (16, 32), [255, 0, 0, 128], 1)?;
    expect_pixel(&image, (60, 32), [0; 4], 0)?;
    // The edge of something opaque: half covered, and as white as the rest of it.
    let mut stage = Stage::default();
    stage.put(square(), plain(1.0, 1.0, 1.0, 1.0), at(-1.0 + 1.0 / 64.0, 0.0, 0.0));
    let image = stage.draw_with(&flat_camera(), |options| {
        options.clear_color = [0.0; 4];
        options.samples = 4;
    })?;
    expect_pixel(&image, (31, 32), WHITE, 0)?;
    expect_pixel(&image, (32, 32), [255, 255, 255, 128], 1)?;
    // A clear color that is half covered itself comes back as it was given.
    let image =
        Stage::default().draw_with(&flat_camera(), |options| options.clear_color = [1.0, 0.0, 0.0, 0.5])?;
    expect_pixel(&image, (32, 32), [255, 0, 0, 128], 1)
}

fn points_and_lines() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let center = Vec3::new(1.0 / 64.0, -1.0 / 64.0, 0.0);
    let point = Mesh { topology: Topology::Points, positions: vec![center], ..Mesh::default() };
    stage.put(point, plain(1.0, 0.0, 0.0, 1.0), Transform::IDENTITY);
    let y = 0.5 + 1.0 / 64.0;
    let ends = vec![Vec3::new(-0.9, y, 0.0), Vec3::new(0.9, y, 0.0)];
    let line = Mesh { topology: Topology::Lines, positions: ends, ..Mesh::default() };
    stage.put(line, plain(0.0, 1.0, 0.0, 1.0), Transform::IDENTITY);
    let image = stage.draw()?;
    expect_pixel(&image, (32, 32), RED, 0)?;
    expect_pixel(&image, (34, 32), BLACK, 0)?;
    expect_pixel(&image, (10, 15), GREEN, 0)?;
    expect_pixel(&image, (10, 13), BLACK, 0)
}

fn many_vertices_use_wide_indices() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let mut mesh = square();
    mesh.uv_sets.clear();
    let first = 70_000;
    let mut positions = vec![Vec3::splat(9.0); first];
    positions.append(&mut mesh.positions);
    mesh.positions = positions;
    mesh.indices = mesh.indices.map(|indices| indices.into_iter().map(|i| i + first as u32).collect());
    stage.put(mesh, plain(1.0, 0.0, 0.0, 1.0), Transform::IDENTITY);
    // A small one beside it, so that both index types are bound in one frame.
    stage.put(
        square(),
        plain(0.0, 0.0, 1.0, 1.0),
        Transform { scale: Vec3::splat(0.1), ..at(0.0, 0.0, 0.1) },
    );
    let image = stage.draw()?;
    expect_pixel(&image, (5, 5), RED, 0)?;
    expect_pixel(&image, (32, 32), BLUE, 0)
}

fn anisotropy_sharpens_a_slanted_plane() -> Result<(), Failed> {
    let contrast = |anisotropy: f32| -> Result<u32, Failed> {
        let mut stage = Stage::default();
        // Stripes that run away from the viewer: isotropic mips wash them out first.
        let stripe = |i: u32| if ((i % 64) / 4).is_multiple_of(2) { WHITE } else { BLACK };
        let image = ImageData::rgba8(64, 64, (0..64 * 64).flat_map(stripe).collect());
        let material = stage.textured(image, Sampler::default());
        let tilted = Transform::from_rotation(Quat::from_rotation_x(-1.5));
        stage.put(square(), material, tilted);
        let image = stage.draw_with(&flat_camera(), |options| options.anisotropy = anisotropy)?;
        let row: Vec<u8> = (8..56).filter_map(|x| Some(image.pixel(x, 32)?[0])).collect();
        Ok(row.windows(2).map(|pair| u32::from(pair[0].abs_diff(pair[1]))).sum())
    };
    let (off, on) = (contrast(1.0)?, contrast(16.0)?);
    if on > off { Ok(()) } else { Err(format!("contrast {on} with anisotropy, {off} without").into()) }
}
