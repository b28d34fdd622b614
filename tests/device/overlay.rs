//! The overlay: flat triangles over the picture, in pixels.

use crate::pixels::Test;
use crate::support::stage::{
    BLACK, BLUE, GREEN, RED, Stage, WHITE, expect_pixel, flat_camera, plain, square,
};
use crate::support::{assert_clean, options};
use fire_engine::assets::{ImageData, ImageFormat, MagFilter, MinFilter, Sampler, WrapMode};
use fire_engine::math::Transform;
use fire_engine::scene::Scene;
use fire_engine::vulkan::{
    Overlay, OverlayDraw, OverlayRect, OverlayTextureId, OverlayVertex, Renderer, RendererError,
};
use libtest_mimic::Failed;

pub const TESTS: &[Test] = &[
    ("overlay::pixels_scissors_and_textures", pixels_scissors_and_textures),
    ("overlay::blends_over_the_scene_in_linear_light", blends_over_the_scene_in_linear_light),
    ("overlay::stray_references_are_errors_and_then_it_works", stray_references_are_errors_and_then_it_works),
    ("overlay::removed_textures_are_freed", removed_textures_are_freed),
    ("overlay::updates_change_their_part_and_keep_the_rest", updates_change_their_part_and_keep_the_rest),
    ("overlay::updates_leave_frames_in_flight_alone", updates_leave_frames_in_flight_alone),
    ("overlay::updates_that_do_not_fit_change_nothing", updates_that_do_not_fit_change_nothing),
    ("overlay::samplers_filter_wrap_and_shrink", samplers_filter_wrap_and_shrink),
];

/// Appends a rectangle of two triangles.
fn rectangle(
    overlay: &mut Overlay,
    [x0, y0, x1, y1]: [f32; 4],
    color: [u8; 4],
    texture: Option<OverlayTextureId>,
    scissor: Option<OverlayRect>,
) {
    let (first, start) = (overlay.vertices.len() as u32, overlay.indices.len() as u32);
    let corners =
        [([x0, y0], [0.0, 0.0]), ([x1, y0], [1.0, 0.0]), ([x1, y1], [1.0, 1.0]), ([x0, y1], [0.0, 1.0])];
    overlay.vertices.extend(corners.map(|(position, uv)| OverlayVertex { position, uv, color }));
    overlay.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    overlay.draws.push(OverlayDraw { indices: start..start + 6, texture, scissor });
}

/// A renderer of 64 x 64 pixels over black, with nothing in its scene.
fn empty_renderer(samples: u32) -> Result<(Renderer, Scene, fire_engine::vulkan::ValidationLog), Failed> {
    let (mut options, log) = options();
    options.clear_color = [0.0, 0.0, 0.0, 1.0];
    options.samples = samples;
    let mut renderer = Renderer::headless((64, 64), options)?;
    let scene = Scene::new();
    renderer.prepare(&Default::default(), &scene)?;
    Ok((renderer, scene, log))
}

fn pixels_scissors_and_textures() -> Result<(), Failed> {
    let (mut renderer, scene, log) = empty_renderer(1)?;
    let quarters = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]].concat();
    let texture = renderer.add_overlay_texture(&ImageData::rgba8(2, 2, quarters))?;
    let overlay = renderer.overlay_mut();
    // sRGB colors arrive as they are given, on exactly the pixels that are named.
    rectangle(overlay, [4.0, 4.0, 8.0, 6.0], [10, 100, 200, 255], None, None);
    let scissor = OverlayRect { x: 20, y: -10, width: 4, height: 14 };
    rectangle(overlay, [0.0, 0.0, 64.0, 64.0], [50, 60, 70, 255], None, Some(scissor));
    rectangle(overlay, [32.0, 32.0, 64.0, 64.0], [255; 4], Some(texture), None);
    let image = renderer.render_to_image(&scene, &flat_camera())?;
    for (at, color) in [
        ((4, 4), [10, 100, 200, 255]),
        ((7, 5), [10, 100, 200, 255]),
        ((3, 4), BLACK),
        ((8, 5), BLACK),
        ((4, 6), BLACK),
        ((20, 0), [50, 60, 70, 255]),
        ((23, 3), [50, 60, 70, 255]),
        ((24, 3), BLACK),
        ((20, 4), BLACK),
        ((34, 34), [255, 0, 0, 255]),
        ((61, 34), [0, 255, 0, 255]),
        ((34, 61), [0, 0, 255, 255]),
        ((61, 61), [255; 4]),
    ] {
        expect_pixel(&image, at, color, 1)?;
    }
    // It stays from frame to frame, and is gone when cleared.
    let again = renderer.render_to_image(&scene, &flat_camera())?;
    renderer.overlay_mut().clear();
    let cleared = renderer.render_to_image(&scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)?;
    assert!(again == image);
    expect_pixel(&cleared, (4, 4), BLACK, 0)
}

fn blends_over_the_scene_in_linear_light() -> Result<(), Failed> {
    for samples in [1, 4] {
        let mut stage = Stage::default();
        stage.put(square(), plain(0.0, 0.0, 1.0, 1.0), Transform::IDENTITY);
        stage.content.scene.update_world_transforms();
        let (mut options, log) = options();
        options.samples = samples;
        let mut renderer = Renderer::headless((64, 64), options)?;
        renderer.prepare(&stage.content.assets, &stage.content.scene)?;
        rectangle(renderer.overlay_mut(), [0.0, 0.0, 64.0, 32.0], [255, 0, 0, 128], None, None);
        for _ in 0..3 {
            renderer.draw_frame(&stage.content.scene, &flat_camera())?;
        }
        let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
        assert_eq!(renderer.preparation().generation(), 1);
        drop(renderer);
        assert_clean(&log)?;
        // Half the light of each, which is 188 in sRGB.
        expect_pixel(&image, (32, 16), [188, 0, 188, 255], 1)?;
        expect_pixel(&image, (32, 48), [0, 0, 255, 255], 0)?;
    }
    Ok(())
}

fn stray_references_are_errors_and_then_it_works() -> Result<(), Failed> {
    let (mut renderer, scene, log) = empty_renderer(1)?;
    let texture = renderer.add_overlay_texture(&ImageData::rgba8(1, 1, vec![255; 4]))?;
    assert!(renderer.add_overlay_texture(&ImageData::rgba8(2, 2, vec![255; 4])).is_err());
    assert!(renderer.add_overlay_texture(&ImageData::rgba8(0, 2, vec![])).is_err());
    rectangle(renderer.overlay_mut(), [0.0, 0.0, 8.0, 8.0], [255; 4], Some(texture), None);
    renderer.overlay_mut().indices[2] = 99;
    let refused = renderer.draw_frame(&scene, &flat_camera());
    assert!(matches!(refused, Err(RendererError::InvalidOverlay { .. })), "{refused:?}");
    renderer.overlay_mut().indices[2] = 2;
    renderer.draw_frame(&scene, &flat_camera())?;
    assert!(renderer.remove_overlay_texture(texture)?);
    assert!(!renderer.remove_overlay_texture(texture)?);
    let refused = renderer.draw_frame(&scene, &flat_camera());
    assert!(matches!(refused, Err(RendererError::InvalidOverlay { .. })), "{refused:?}");
    renderer.overlay_mut().clear();
    renderer.draw_frame(&scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)
}

fn removed_textures_are_freed() -> Result<(), Failed> {
    let (mut renderer, scene, log) = empty_renderer(1)?;
    let mut steady = None;
    for round in 0..20 {
        let texture = renderer.add_overlay_texture(&ImageData::rgba8(64, 64, vec![200; 64 * 64 * 4]))?;
        renderer.overlay_mut().clear();
        rectangle(renderer.overlay_mut(), [0.0, 0.0, 64.0, 64.0], [255; 4], Some(texture), None);
        renderer.draw_frame(&scene, &flat_camera())?;
        renderer.overlay_mut().clear();
        renderer.remove_overlay_texture(texture)?;
        renderer.draw_frame(&scene, &flat_camera())?;
        renderer.wait_idle()?;
        let now = renderer.live_objects();
        match &steady {
            Some(before) if round > 2 => assert_eq!(*before, now, "round {round}"),
            _ => steady = Some(now),
        }
    }
    drop(renderer);
    assert_clean(&log)
}

/// An image of one color.
fn filled(width: u32, height: u32, color: [u8; 4]) -> ImageData {
    ImageData::rgba8(width, height, color.repeat((width * height) as usize))
}

/// A sampler that shows texels as squares.
fn nearest(wrap: WrapMode) -> Sampler {
    Sampler { mag_filter: MagFilter::Nearest, min_filter: MinFilter::Nearest, wrap_u: wrap, wrap_v: wrap }
}

fn updates_change_their_part_and_keep_the_rest() -> Result<(), Failed> {
    let (mut renderer, scene, log) = empty_renderer(1)?;
    let texture =
        renderer.add_overlay_texture_sampled(&filled(64, 64, RED), nearest(WrapMode::ClampToEdge))?;
    rectangle(renderer.overlay_mut(), [0.0, 0.0, 64.0, 64.0], [255; 4], Some(texture), None);
    renderer.draw_frame(&scene, &flat_camera())?;
    renderer.update_overlay_texture(texture, (10, 20), &filled(3, 2, GREEN))?;
    // A part of several colors, whose rows have to arrive in order.
    let rows = ImageData::rgba8(1, 3, [BLUE, WHITE, BLACK].concat());
    renderer.update_overlay_texture(texture, (63, 61), &rows)?;
    let image = renderer.render_to_image(&scene, &flat_camera())?;
    for y in 0..64 {
        for x in 0..64 {
            let expected = match (x, y) {
                (10..13, 20..22) => GREEN,
                (63, 61) => BLUE,
                (63, 62) => WHITE,
                (63, 63) => BLACK,
                _ => RED,
            };
            expect_pixel(&image, (x, y), expected, 0)?;
        }
    }
    renderer.update_overlay_texture(texture, (0, 0), &filled(64, 64, BLUE))?;
    let image = renderer.render_to_image(&scene, &flat_camera())?;
    assert_eq!(renderer.preparation().generation(), 1);
    drop(renderer);
    assert_clean(&log)?;
    for at in [(0, 0), (10, 20), (63, 63)] {
        expect_pixel(&image, at, BLUE, 0)?;
    }
    Ok(())
}

/// Each frame shows the color that was there when it was drawn, although the next update follows at once; under
/// synchronization validation, with mips that are made anew and without.
fn updates_leave_frames_in_flight_alone() -> Result<(), Failed> {
    for min_filter in [MinFilter::Linear, MinFilter::LinearMipmapLinear] {
        let (mut renderer, scene, log) = empty_renderer(4)?;
        let sampler = Sampler { min_filter, ..nearest(WrapMode::ClampToEdge) };
        let texture = renderer.add_overlay_texture_sampled(&filled(256, 256, RED), sampler)?;
        rectangle(renderer.overlay_mut(), [0.0, 0.0, 64.0, 64.0], [255; 4], Some(texture), None);
        for round in 0..12_u8 {
            let color = [round * 20, 255 - round * 20, 7, 255];
            renderer.update_overlay_texture(texture, (0, 0), &filled(256, 256, color))?;
            for _ in 0..3 {
                renderer.draw_frame(&scene, &flat_camera())?;
            }
            if round % 4 == 3 {
                let image = renderer.render_to_image(&scene, &flat_camera())?;
                // The update after a picture must not reach back into it.
                renderer.update_overlay_texture(texture, (0, 0), &filled(256, 256, WHITE))?;
                expect_pixel(&image, (32, 32), color, 1)?;
            }
        }
        renderer.update_overlay_texture(texture, (0, 0), &filled(256, 256, GREEN))?;
        let image = renderer.render_to_image(&scene, &flat_camera())?;
        drop(renderer);
        assert_clean(&log)?;
        expect_pixel(&image, (32, 32), GREEN, 0)?;
    }
    Ok(())
}

fn updates_that_do_not_fit_change_nothing() -> Result<(), Failed> {
    let (mut renderer, scene, log) = empty_renderer(1)?;
    let texture = renderer.add_overlay_texture(&filled(8, 4, RED))?;
    rectangle(renderer.overlay_mut(), [0.0, 0.0, 64.0, 64.0], [255; 4], Some(texture), None);
    for (origin, width, height) in [
        ((8, 0), 1, 1),
        ((0, 4), 1, 1),
        ((7, 3), 2, 1),
        ((7, 3), 1, 2),
        ((u32::MAX, 0), 1, 1),
        ((0, 0), 9, 4),
    ] {
        let refused = renderer.update_overlay_texture(texture, origin, &filled(width, height, BLUE));
        let Err(RendererError::InvalidOverlay { reason }) = &refused else {
            return Err(format!("{origin:?}: {refused:?}").into());
        };
        assert!(reason.contains("8x4") && reason.contains(&format!("{width}x{height}")), "{reason}");
    }
    let short = ImageData::rgba8(2, 2, vec![0; 15]);
    let refused = renderer.update_overlay_texture(texture, (0, 0), &short);
    assert!(matches!(refused, Err(RendererError::OutOfBounds { length: 15, size: 16, .. })), "{refused:?}");
    let refused = renderer.update_overlay_texture(texture, (0, 0), &ImageData::rgba8(0, 1, vec![]));
    assert!(matches!(refused, Err(RendererError::ZeroSize { .. })), "{refused:?}");
    let wide = ImageData { format: ImageFormat::Rgba16, ..ImageData::rgba8(1, 1, vec![0; 8]) };
    let refused = renderer.update_overlay_texture(texture, (0, 0), &wide);
    assert!(matches!(refused, Err(RendererError::UnsupportedContent { .. })), "{refused:?}");
    let image = renderer.render_to_image(&scene, &flat_camera())?;
    expect_pixel(&image, (32, 32), RED, 0)?;
    renderer.overlay_mut().clear();
    renderer.remove_overlay_texture(texture)?;
    let refused = renderer.update_overlay_texture(texture, (0, 0), &filled(1, 1, BLUE));
    assert!(matches!(refused, Err(RendererError::InvalidOverlay { .. })), "{refused:?}");
    drop(renderer);
    assert_clean(&log)
}

fn samplers_filter_wrap_and_shrink() -> Result<(), Failed> {
    let (mut renderer, scene, log) = empty_renderer(1)?;
    let quarters = ImageData::rgba8(2, 2, [RED, GREEN, BLUE, WHITE].concat());
    let squares = renderer.add_overlay_texture_sampled(&quarters, nearest(WrapMode::Repeat))?;
    // Black and white columns, which shrunk to nothing are half as bright.
    let columns = ImageData::rgba8(64, 64, [BLACK, WHITE].concat().repeat(32 * 64));
    let mips = Sampler { min_filter: MinFilter::LinearMipmapLinear, ..nearest(WrapMode::ClampToEdge) };
    let shrunk = renderer.add_overlay_texture_sampled(&columns, mips)?;
    let overlay = renderer.overlay_mut();
    rectangle(overlay, [0.0, 0.0, 32.0, 32.0], [255; 4], Some(squares), None);
    for vertex in &mut overlay.vertices {
        vertex.uv = vertex.uv.map(|value| value * 2.0);
    }
    rectangle(overlay, [40.0, 0.0, 44.0, 4.0], [255; 4], Some(shrunk), None);
    let image = renderer.render_to_image(&scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)?;
    // Texels of 8 pixels, twice in each direction, without anything between them.
    for (at, color) in [((7, 7), RED), ((8, 7), GREEN), ((7, 8), BLUE), ((8, 8), WHITE), ((16, 16), RED)] {
        expect_pixel(&image, at, color, 0)?;
    }
    expect_pixel(&image, (31, 31), WHITE, 0)?;
    expect_pixel(&image, (41, 1), [188, 188, 188, 255], 2)
}
