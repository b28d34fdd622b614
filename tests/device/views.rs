//! View modes: what of the surfaces is shown in place of the base color.

use crate::pixels::Test;
use crate::support::stage::{Stage, expect_pixel, flat_camera, nearest, plain, quarters, square};
use crate::support::{assert_clean, check, options};
use fire_engine::assets::{
    AlphaMode, Color4, ImageData, ImageFormat, Material, Mesh, Sampler, Texture, TextureSlot, UvTransform,
};
use fire_engine::math::{Transform, Vec2, Vec3};
use fire_engine::vulkan::{ObjectKind, Renderer, RendererError, ViewMode};
use libtest_mimic::Failed;

pub const TESTS: &[Test] = &[
    ("views::data_arrives_as_the_numbers_that_it_is", data_arrives_as_the_numbers_that_it_is),
    ("views::factors_count_without_textures", factors_count_without_textures),
    ("views::emission_is_a_color", emission_is_a_color),
    ("views::each_slot_has_its_own_uv_set_and_transform", each_slot_has_its_own_uv_set_and_transform),
    (
        "views::t_tex_srgb_an_image_that_is_color_and_data_is_read_as_both",
        t_tex_srgb_an_image_that_is_color_and_data_is_read_as_both,
    ),
    ("views::alpha_acts_as_in_the_picture", alpha_acts_as_in_the_picture),
    ("views::the_checker_lies_as_the_base_color_would", the_checker_lies_as_the_base_color_would),
    ("views::a_wireframe_is_edges_with_nothing_between", a_wireframe_is_edges_with_nothing_between),
    ("views::another_mode_is_prepared_first", another_mode_is_prepared_first),
    ("views::changing_modes_back_and_forth_is_flat", changing_modes_back_and_forth_is_flat),
    (
        "views::a_thousand_changes_with_frames_in_flight_are_flat",
        a_thousand_changes_with_frames_in_flight_are_flat,
    ),
    ("views::a_mode_that_fails_leaves_the_last_one_drawable", a_mode_that_fails_leaves_the_last_one_drawable),
];

/// A texture of one texel.
fn texel(stage: &mut Stage, color: [u8; 4]) -> Option<TextureSlot> {
    slot(stage, ImageData::rgba8(1, 1, color.to_vec()))
}

fn slot(stage: &mut Stage, image: ImageData) -> Option<TextureSlot> {
    let assets = &mut stage.content.assets;
    let image = assets.add_image(image);
    Some(TextureSlot::new(assets.add_texture(Texture { sampler: nearest(), ..Texture::new(image) })))
}

/// The middle pixel of a square with this material.
fn shows(mut stage: Stage, material: Material, view: ViewMode, expected: [u8; 3]) -> Result<(), Failed> {
    stage.put(square(), material, Transform::IDENTITY);
    let image = stage.draw_with(&flat_camera(), |options| options.view_mode = view)?;
    let [r, g, b] = expected;
    expect_pixel(&image, (32, 32), [r, g, b, 255], 1)
        .map_err(|error| format!("{view:?}: {}", error.message().unwrap_or_default()).into())
}

fn data_arrives_as_the_numbers_that_it_is() -> Result<(), Failed> {
    // Red is no part of it, and neither are vertex colors or the base color.
    let mut stage = Stage::default();
    let metallic_roughness_texture = texel(&mut stage, [200, 128, 64, 7]);
    let material = Material { metallic_roughness_texture, ..plain(0.1, 0.2, 0.3, 1.0) };
    shows(stage, material, ViewMode::MetallicRoughness, [0, 128, 64])?;

    let mut stage = Stage::default();
    let metallic_roughness_texture = texel(&mut stage, [200, 128, 64, 7]);
    let (roughness_factor, metallic_factor) = (0.5, 0.25);
    let material =
        Material { metallic_roughness_texture, roughness_factor, metallic_factor, ..Material::default() };
    shows(stage, material, ViewMode::MetallicRoughness, [0, 64, 16])?;

    // 1 + strength (texel - 1): half of the way from 255 to 55.
    for (occlusion_strength, expected) in [(1.0, 55), (0.5, 155), (0.0, 255)] {
        let mut stage = Stage::default();
        let occlusion_texture = texel(&mut stage, [55, 1, 2, 3]);
        let material = Material { occlusion_texture, occlusion_strength, ..Material::default() };
        shows(stage, material, ViewMode::Occlusion, [expected; 3])?;
    }

    // x and y move toward (or away from) the middle, z stays: 127.5 + scale (texel - 127.5).
    for (normal_scale, expected) in [(1.0, [28, 178, 240]), (0.5, [78, 153, 240]), (-1.0, [227, 77, 240])] {
        let mut stage = Stage::default();
        let normal_texture = texel(&mut stage, [28, 178, 240, 255]);
        let material = Material { normal_texture, normal_scale, ..Material::default() };
        shows(stage, material, ViewMode::NormalTexture, expected)?;
    }
    Ok(())
}

fn factors_count_without_textures() -> Result<(), Failed> {
    let material = || Material {
        roughness_factor: 0.5,
        metallic_factor: 0.25,
        occlusion_strength: 0.5,
        normal_scale: 2.0,
        emissive_factor: Vec3::new(1.0, 0.5, 0.0),
        ..Material::default()
    };
    for (view, expected) in [
        (ViewMode::MetallicRoughness, [0, 128, 64]),
        (ViewMode::Occlusion, [255; 3]),
        (ViewMode::NormalTexture, [128, 128, 255]),
        // Half the light is 188 in sRGB.
        (ViewMode::Emissive, [255, 188, 0]),
    ] {
        shows(Stage::default(), material(), view, expected)?;
    }
    Ok(())
}

/// The square's u runs to the right and its v down: 64 pixels a turn, so 8 a square.
fn the_checker_lies_as_the_base_color_would() -> Result<(), Failed> {
    let transformed = |scale| {
        move |stage: &mut Stage| {
            let transform = UvTransform { scale, ..UvTransform::default() };
            let slot = texel(stage, [255; 4]).map(|slot| TextureSlot { transform, ..slot });
            Material { base_color_texture: slot, ..Material::default() }
        }
    };
    let drawn = |mesh: Mesh, material: &dyn Fn(&mut Stage) -> Material| {
        let mut stage = Stage::default();
        let material = material(&mut stage);
        stage.put(mesh, material, Transform::IDENTITY);
        stage.draw_with(&flat_camera(), |options| options.view_mode = ViewMode::UvChecker)
    };
    // Pixel centers are at halves: 20.5 / 64 of red, 44.5 / 64 of green; square (2, 5) is an odd one.
    let plain = drawn(square(), &transformed(Vec2::ONE))?;
    expect_pixel(&plain, (20, 44), [41, 89, 64, 255], 1)?;
    // Square (2, 4) is not, nor is (0, 0).
    expect_pixel(&plain, (20, 36), [82, 145, 128, 255], 1)?;
    expect_pixel(&plain, (0, 0), [2, 2, 128, 255], 1)?;
    // A texture that is twice as wide has half a turn: u = 10.25 / 64 is in square 1 of its own.
    let wide = drawn(square(), &transformed(Vec2::new(0.5, 1.0)))?;
    expect_pixel(&wide, (20, 36), [20, 73, 64, 255], 1)?;
    let none = drawn(Mesh { uv_sets: vec![], ..square() }, &transformed(Vec2::ONE))?;
    expect_pixel(&none, (20, 36), [128, 128, 128, 255], 1)
}

/// The square of two triangles, 48 pixels wide in the middle of 64: five edges, of which the diagonal rises to the right.
fn a_wireframe_is_edges_with_nothing_between() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let scale = Vec3::splat(0.75);
    stage.put(square(), plain(1.0, 0.0, 0.0, 1.0), Transform { scale, ..Transform::IDENTITY });
    let image = stage.draw_with(&flat_camera(), |options| {
        options.view_mode = ViewMode::Wireframe;
        options.clear_color = [0.0, 0.0, 0.0, 1.0];
    })?;
    let is_edge = |x: u32, y: u32| {
        let at = ((y * image.width + x) * 4) as usize;
        image.pixels()[at] > 128
    };
    let near = |x: u32, y: u32| (x - 1..=x + 1).any(|x| (y - 1..=y + 1).any(|y| is_edge(x, y)));
    for (x, y) in [(8, 32), (56, 32), (32, 8), (32, 56), (32, 32), (20, 44)] {
        check(near(x, y), || format!("no edge at ({x}, {y})"))?;
    }
    for (x, y) in [(20, 20), (44, 44), (4, 4), (60, 32)] {
        check(!near(x, y), || format!("an edge at ({x}, {y})"))?;
    }
    // An edge is one pixel wide.
    let across = (0..64).filter(|&x| is_edge(x, 20)).count();
    check((3..=4).contains(&across), || format!("{across} pixels of three edges"))?;
    let middle = (0..64 * 64).filter(|&at| is_edge(at % 64, at / 64)).count();
    check(middle < 300, || format!("{middle} pixels of edges"))
}

/// sRGB texels arrive as they are, and factors multiply light: 137 is a quarter of it, and twice that is 188; twice 10 is
/// 18.
fn emission_is_a_color() -> Result<(), Failed> {
    for (emissive_factor, emissive_strength, expected) in [
        (Vec3::ONE, 1.0, [137, 188, 10]),
        (Vec3::ONE, 2.0, [188, 255, 18]),
        (Vec3::new(1.0, 0.5, 0.0), 2.0, [188, 188, 0]),
        (Vec3::ZERO, 5.0, [0, 0, 0]),
    ] {
        let mut stage = Stage::default();
        let emissive_texture = texel(&mut stage, [137, 188, 10, 0]);
        let material =
            Material { emissive_texture, emissive_factor, emissive_strength, ..Material::default() };
        shows(stage, material, ViewMode::Emissive, expected)?;
    }
    Ok(())
}

/// The base color reads set 0; each slot reads set 1, which holds the lower right corner everywhere, moved half a texture
/// to the left. Whoever mixes up sets or transforms reads another quarter.
fn each_slot_has_its_own_uv_set_and_transform() -> Result<(), Failed> {
    for view in ViewMode::ALL {
        for mirrored_sets in [false, true] {
            let mut stage = Stage::default();
            let texture = slot(&mut stage, quarters()).ok_or("a slot")?;
            let moved = UvTransform { offset: Vec2::new(-0.5, 0.0), ..UvTransform::IDENTITY };
            let set = u32::from(!mirrored_sets);
            let used = Some(TextureSlot { uv_set: set, transform: moved, ..texture });
            let base_color_texture = Some(TextureSlot { uv_set: 1 - set, ..texture });
            let mut material = Material { base_color_texture, ..Material::default() };
            match view {
                ViewMode::BaseColor => material.base_color_texture = used,
                ViewMode::MetallicRoughness => material.metallic_roughness_texture = used,
                ViewMode::Occlusion => material.occlusion_texture = used,
                ViewMode::NormalTexture => material.normal_texture = used,
                ViewMode::Emissive => {
                    material.emissive_texture = used;
                    material.emissive_factor = Vec3::ONE;
                }
                _ => continue,
            }
            let mut mesh = square();
            mesh.uv_sets.push(vec![Vec2::new(0.75, 0.75); 4]);
            mesh.colors = vec![Color4::WHITE; 4];
            if mirrored_sets {
                mesh.uv_sets.swap(0, 1);
            }
            stage.put(mesh, material, Transform::IDENTITY);
            let image = stage.draw_with(&flat_camera(), |options| options.view_mode = view)?;
            // The lower left quarter is blue.
            let expected = match view {
                ViewMode::Occlusion => [0, 0, 0, 255],
                _ => [0, 0, 255, 255],
            };
            expect_pixel(&image, (32, 32), expected, 0)
                .map_err(|error| format!("{view:?}: {}", error.message().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// A texel of 128 comes back as 128 both ways; read the wrong way it would be 188 as a color and 55 as data. The image
/// exists once, and has a second view only while both ways are drawn.
fn t_tex_srgb_an_image_that_is_color_and_data_is_read_as_both() -> Result<(), Failed> {
    let (mut options, log) = options();
    options.view_mode = ViewMode::MetallicRoughness;
    let mut stage = Stage::default();
    let base_color_texture = texel(&mut stage, [128, 128, 128, 255]);
    let metallic_roughness_texture = base_color_texture;
    let material = Material { base_color_texture, metallic_roughness_texture, ..Material::default() };
    stage.put(square(), material, Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let mut renderer = Renderer::headless((64, 64), options)?;
    let mut counts = Vec::new();
    for (view, expected) in [
        (ViewMode::MetallicRoughness, [0, 128, 128, 255]),
        (ViewMode::BaseColor, [128, 128, 128, 255]),
        (ViewMode::MetallicRoughness, [0, 128, 128, 255]),
    ] {
        renderer.set_view_mode(view);
        renderer.prepare(&stage.content.assets, &stage.content.scene)?;
        // Both frames in flight have their targets.
        renderer.draw_frame(&stage.content.scene, &flat_camera())?;
        let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
        expect_pixel(&image, (32, 32), expected, 0)?;
        // What the last mode alone needed goes with the frames that used it.
        renderer.wait_idle()?;
        let live = renderer.live_objects();
        counts.push([ObjectKind::Image, ObjectKind::ImageView].map(|kind| live.count(kind)));
    }
    drop(renderer);
    assert_clean(&log)?;
    let [both, one, again] = counts[..] else { return Err("three counts".into()) };
    assert_eq!((both, both[0], both[1]), (again, one[0], one[1] + 1), "images and views");
    Ok(())
}

fn alpha_acts_as_in_the_picture() -> Result<(), Failed> {
    for view in ViewMode::ALL {
        // The left half lies below the cutoff.
        let mut stage = Stage::default();
        let image = ImageData::rgba8(2, 1, vec![255, 255, 255, 127, 255, 255, 255, 128]);
        let base_color_texture = slot(&mut stage, image);
        let alpha_mode = AlphaMode::Mask { cutoff: 0.5 };
        let material =
            Material { base_color_texture, alpha_mode, emissive_factor: Vec3::ONE, ..Material::default() };
        stage.put(square(), material, Transform::IDENTITY);
        let image = stage.draw_with(&flat_camera(), |options| options.view_mode = view)?;
        // On the diagonal, which is an edge.
        expect_pixel(&image, (10, 53), [0, 0, 0, 255], 0)?;
        let shown = image.pixel(50, 13).ok_or("outside")?;
        assert!(shown != [0, 0, 0, 255], "{view:?}: {shown:?}");
    }
    // Half of white emission over black.
    let glass =
        Material { alpha_mode: AlphaMode::Blend, emissive_factor: Vec3::ONE, ..plain(1.0, 0.0, 0.0, 0.5) };
    shows(Stage::default(), glass, ViewMode::Emissive, [188; 3])?;
    let opaque = Material { emissive_factor: Vec3::ONE, ..plain(1.0, 0.0, 0.0, 0.5) };
    shows(Stage::default(), opaque, ViewMode::Emissive, [255; 3])
}

fn another_mode_is_prepared_first() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let material = Material { emissive_factor: Vec3::X, ..plain(0.0, 1.0, 0.0, 1.0) };
    stage.put(square(), material, Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let (assets, scene) = (&stage.content.assets, &stage.content.scene);
    let mut renderer = Renderer::headless((64, 64), options)?;
    assert_eq!(renderer.view_mode(), ViewMode::BaseColor);
    renderer.prepare(assets, scene)?;
    let before = renderer.render_to_image(scene, &flat_camera())?;
    renderer.set_view_mode(ViewMode::BaseColor);
    renderer.draw_frame(scene, &flat_camera())?;

    renderer.set_view_mode(ViewMode::Emissive);
    let refused = renderer.draw_frame(scene, &flat_camera());
    assert!(matches!(refused, Err(RendererError::NotPrepared { .. })), "{refused:?}");
    // Back again, nothing has to be prepared.
    renderer.set_view_mode(ViewMode::BaseColor);
    assert!(before == renderer.render_to_image(scene, &flat_camera())?);
    renderer.prepare(assets, scene)?;
    assert_eq!(renderer.preparation().generation(), 1);

    renderer.set_view_mode(ViewMode::Emissive);
    renderer.prepare(assets, scene)?;
    renderer.prepare(assets, scene)?;
    assert_eq!(renderer.preparation().generation(), 2);
    let image = renderer.render_to_image(scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)?;
    expect_pixel(&before, (32, 32), [0, 255, 0, 255], 0)?;
    expect_pixel(&image, (32, 32), [255, 0, 0, 255], 0)
}

/// Textures, streams and sets of one mode alone go when it is left, and come back with it.
fn changing_modes_back_and_forth_is_flat() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let image = || ImageData::rgba8(64, 64, vec![200; 64 * 64 * 4]);
    let shared = stage.textured(image(), Sampler::default()).base_color_texture;
    let other = stage.textured(image(), Sampler::default()).base_color_texture;
    for (base, rest) in [(shared, other), (other, shared), (shared, shared)] {
        let material = Material {
            base_color_texture: base,
            metallic_roughness_texture: rest,
            normal_texture: rest,
            occlusion_texture: rest,
            emissive_texture: rest,
            ..Material::default()
        };
        let mesh = fire_engine::assets::Mesh { normals: vec![Vec3::Z; 4], ..square() };
        stage.put(mesh, material, Transform::IDENTITY);
    }
    stage.content.scene.update_world_transforms();
    let mut renderer = Renderer::headless((64, 64), options)?;
    let mut steady: Vec<_> = Vec::new();
    for round in 0..6 {
        for (index, view) in ViewMode::ALL.into_iter().enumerate() {
            renderer.set_view_mode(view);
            renderer.prepare(&stage.content.assets, &stage.content.scene)?;
            renderer.draw_frame(&stage.content.scene, &flat_camera())?;
            renderer.wait_idle()?;
            let now = (renderer.live_objects(), renderer.memory_usage().allocations);
            match steady.get(index) {
                Some(before) if round > 2 => assert_eq!(*before, now, "round {round}, {view:?}"),
                Some(_) => steady[index] = now,
                None => steady.push(now),
            }
        }
    }
    drop(renderer);
    assert_clean(&log)
}

/// Nothing is waited for but frames: at each change the last frame may still read what the old mode needed.
fn a_thousand_changes_with_frames_in_flight_are_flat() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let base_color_texture = texel(&mut stage, [128, 128, 128, 255]);
    let mut material = Material { base_color_texture, ..Material::default() };
    material.metallic_roughness_texture = base_color_texture;
    material.occlusion_texture = texel(&mut stage, [9; 4]);
    let mesh = fire_engine::assets::Mesh { normals: vec![Vec3::Z; 4], ..square() };
    stage.put(mesh, material, Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let (assets, scene) = (&stage.content.assets, &stage.content.scene);
    let mut renderer = Renderer::headless((16, 16), options)?;
    let (mut early, mut late) = (0, 0);
    for change in 0..1_000 {
        renderer.set_view_mode(ViewMode::ALL[change % ViewMode::ALL.len()]);
        renderer.prepare(assets, scene)?;
        renderer.draw_frame(scene, &flat_camera())?;
        let most = if change < 100 { &mut early } else { &mut late };
        *most = renderer.memory_usage().allocations.max(*most);
    }
    assert_eq!(renderer.preparation().generation(), 1_000);
    renderer.set_view_mode(ViewMode::BaseColor);
    renderer.prepare(assets, scene)?;
    let image = renderer.render_to_image(scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)?;
    // How many old forms wait for a frame is a matter of timing; a leak would be hundreds.
    assert!(late < early + 50, "{early} allocations at most, then {late}");
    expect_pixel(&image, (8, 8), [128, 128, 128, 255], 0)
}

/// The emission is stored in blocks that the device lacks.
fn a_mode_that_fails_leaves_the_last_one_drawable() -> Result<(), Failed> {
    let (options, log) = options();
    let mut stage = Stage::default();
    let mut renderer = Renderer::headless((64, 64), options)?;
    let offered = renderer.info().block_formats;
    let blocks = [ImageFormat::Bc7, ImageFormat::Etc2Rgba8, ImageFormat::Astc4x4];
    let Some(format) = blocks.into_iter().find(|&format| !offered.admits(format)) else { return Ok(()) };
    let image = ImageData { format, ..ImageData::rgba8(4, 4, vec![0; 16]) };
    let emissive_texture = slot(&mut stage, image);
    let material = Material { emissive_texture, ..plain(0.0, 1.0, 0.0, 1.0) };
    stage.put(square(), material, Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let (assets, scene) = (&stage.content.assets, &stage.content.scene);
    renderer.prepare(assets, scene)?;
    for _ in 0..2 {
        renderer.set_view_mode(ViewMode::Emissive);
        let refused = renderer.prepare(assets, scene);
        assert!(matches!(refused, Err(RendererError::MissingDeviceSupport { .. })), "{refused:?}");
        let refused = renderer.draw_frame(scene, &flat_camera());
        assert!(matches!(refused, Err(RendererError::NotPrepared { .. })), "{refused:?}");
        renderer.set_view_mode(ViewMode::BaseColor);
        let image = renderer.render_to_image(scene, &flat_camera())?;
        expect_pixel(&image, (32, 32), [0, 255, 0, 255], 0)?;
    }
    assert_eq!(renderer.preparation().generation(), 1);
    drop(renderer);
    assert_clean(&log)
}
