//! The overlay: flat triangles over the picture, in pixels.

use crate::pixels::Test;
use crate::support::stage::{BLACK, Stage, expect_pixel, flat_camera, plain, square};
use crate::support::{assert_clean, options};
use fire_engine::assets::ImageData;
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
