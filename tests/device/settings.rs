//! What can be changed while a renderer draws.

use crate::pixels::Test;
use crate::support::stage::{BLACK, Stage, WHITE, expect_pixel, flat_camera, plain, square};
use crate::support::{assert_clean, check, options};
use fire_engine::assets::{ImageData, Sampler};
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::scene::{Scene, SceneNodeId};
use fire_engine::vulkan::{PresentMode, Renderer, RendererError, ValidationLog, ViewMode};
use libtest_mimic::Failed;

pub const TESTS: &[Test] = &[
    ("settings::the_background_changes_and_nothing_is_compiled", the_background_changes),
    ("settings::anisotropy_changes_and_nothing_is_compiled", anisotropy_changes),
    ("settings::a_thousand_anisotropies_with_frames_in_flight_are_flat", a_thousand_anisotropies_are_flat),
    ("settings::anisotropy_before_anything_is_prepared", anisotropy_before_anything_is_prepared),
    ("settings::what_options_refuse_is_refused_and_the_old_value_stays", what_options_refuse_is_refused),
    ("settings::present_modes_are_remembered_headless", present_modes_are_remembered_headless),
    ("settings::each_view_mode_that_is_offered_can_be_prepared", each_view_mode_can_be_prepared),
];

fn the_background_changes() -> Result<(), Failed> {
    let mut stage = Stage::default();
    let half = Transform::from_scale(Vec3::splat(0.5));
    stage.put(square(), plain(0.0, 1.0, 0.0, 1.0), half);
    stage.content.scene.update_world_transforms();
    let (options, log) = options();
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    // Linear 0.5 is 188 in sRGB, and what nothing covers has no color.
    for (color, expected) in [
        ([1.0, 0.0, 0.0, 1.0], [255, 0, 0, 255]),
        ([0.0, 0.5, 1.0, 1.0], [0, 188, 255, 255]),
        ([1.0, 1.0, 1.0, 0.0], [0, 0, 0, 0]),
    ] {
        renderer.set_clear_color(color)?;
        assert_eq!(renderer.clear_color(), color);
        let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
        expect_pixel(&image, (2, 2), expected, 1)?;
        expect_pixel(&image, (32, 32), [0, 255, 0, 255], 0)?;
    }
    assert_eq!(renderer.preparation().generation(), 1);
    drop(renderer);
    assert_clean(&log)
}

/// A square of fine stripes that is seen nearly from the side.
fn put_stripes(stage: &mut Stage, z: f32) -> SceneNodeId {
    let stripe = |i: u32| if (i % 8) < 4 { WHITE } else { BLACK };
    let stripes = ImageData::rgba8(64, 64, (0..64 * 64).flat_map(stripe).collect());
    let material = stage.textured(stripes, Sampler::default());
    stage.put(square(), material, tilted(z))
}

fn tilted(z: f32) -> Transform {
    Transform { translation: Vec3::Z * z, ..Transform::from_rotation(Quat::from_rotation_x(-1.5)) }
}

fn slanted(anisotropy: f32) -> Result<(Renderer, Stage, SceneNodeId, ValidationLog), Failed> {
    let mut stage = Stage::default();
    let node = put_stripes(&mut stage, 0.0);
    stage.content.scene.update_world_transforms();
    let (mut options, log) = options();
    options.anisotropy = anisotropy;
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    Ok((renderer, stage, node, log))
}

/// What it looks like to a renderer that was made for that anisotropy.
fn made_for(anisotropy: f32) -> Result<ImageData, Failed> {
    let (mut renderer, stage, _, log) = slanted(anisotropy)?;
    let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)?;
    Ok(image)
}

fn anisotropy_changes() -> Result<(), Failed> {
    let (coarse, fine) = (made_for(1.0)?, made_for(16.0)?);
    check(fine != coarse, || "anisotropy makes no difference".to_owned())?;
    let (mut renderer, mut stage, first, log) = slanted(1.0)?;
    for (anisotropy, expected) in [(1.0, &coarse), (16.0, &fine), (1.0, &coarse), (16.0, &fine)] {
        renderer.set_anisotropy(anisotropy)?;
        assert_eq!(renderer.anisotropy(), anisotropy);
        let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
        check(image == *expected, || format!("{anisotropy}: another picture than one made for it"))?;
        assert_eq!(renderer.preparation().generation(), 1);
    }
    // What is prepared afterwards is filtered likewise: what is kept, and then what is new.
    let second = put_stripes(&mut stage, -3.0);
    for remove in [None, Some(first)] {
        if let Some(node) = remove {
            stage.content.scene.remove(node)?;
            stage.content.scene.find_mut(second).ok_or("gone")?.set_transform(tilted(0.0))?;
        }
        stage.content.scene.update_world_transforms();
        renderer.prepare(&stage.content.assets, &stage.content.scene)?;
        let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
        check(image == fine, || format!("without {remove:?}: filtered in another way"))?;
    }
    drop(renderer);
    assert_clean(&log)
}

fn a_thousand_anisotropies_are_flat() -> Result<(), Failed> {
    let (mut renderer, stage, _, log) = slanted(1.0)?;
    let mut steady = None;
    for round in 0..1000u32 {
        renderer.set_anisotropy(if round.is_multiple_of(2) { 16.0 } else { 1.0 })?;
        // Some change again before anything is drawn.
        if round % 3 > 0 {
            renderer.draw_frame(&stage.content.scene, &flat_camera())?;
        }
        if round % 100 == 99 {
            renderer.wait_idle()?;
            let now = renderer.live_objects();
            match &steady {
                Some(before) => assert_eq!(*before, now, "round {round}"),
                None => steady = Some(now),
            }
        }
    }
    // Without any frame nothing piles up either.
    for round in 0..1000u32 {
        renderer.set_anisotropy(if round.is_multiple_of(2) { 16.0 } else { 1.0 })?;
    }
    renderer.wait_idle()?;
    assert_eq!(steady, Some(renderer.live_objects()));
    assert_eq!(renderer.preparation().generation(), 1);
    drop(renderer);
    assert_clean(&log)
}

fn anisotropy_before_anything_is_prepared() -> Result<(), Failed> {
    let (unused, stage, ..) = slanted(1.0)?;
    drop(unused);
    let (options, log) = options();
    let mut renderer = Renderer::headless((64, 64), options)?;
    renderer.set_anisotropy(16.0)?;
    // More than any device filters with is its limit, and so no change where that was reached.
    renderer.set_anisotropy(1e30)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    let at_limit = renderer.live_objects();
    renderer.set_anisotropy(2e30)?;
    assert_eq!((renderer.anisotropy(), renderer.live_objects()), (2e30, at_limit));
    renderer.set_anisotropy(16.0)?;
    let image = renderer.render_to_image(&stage.content.scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)?;
    check(image == made_for(16.0)?, || "another picture".to_owned())
}

fn what_options_refuse_is_refused() -> Result<(), Failed> {
    let (mut options, log) = options();
    (options.anisotropy, options.samples, options.clear_color) = (2.0, 4, [0.25; 4]);
    options.present_mode = PresentMode::Mailbox;
    let mut renderer = Renderer::headless((8, 8), options.clone())?;
    for anisotropy in [0.5, 0.0, -1.0, f32::NAN, f32::INFINITY] {
        options.anisotropy = anisotropy;
        let refused = renderer.set_anisotropy(anisotropy).map_err(|error| error.to_string());
        assert_eq!(refused, options.validate().map_err(|error| error.to_string()), "{anisotropy}");
        assert!(refused.is_err(), "{anisotropy}");
    }
    options.anisotropy = 2.0;
    for component in [-0.1, 1.5, f32::NAN, f32::INFINITY] {
        for place in 0..4 {
            let mut color = [0.5; 4];
            color[place] = component;
            options.clear_color = color;
            let refused = renderer.set_clear_color(color);
            let named = matches!(refused, Err(RendererError::InvalidOption { option: "clear_color", .. }));
            assert!(named, "{refused:?}");
            let said = |result: Result<(), RendererError>| result.map_err(|error| error.to_string());
            assert_eq!(said(refused), said(options.validate()));
        }
    }
    let kept = (renderer.anisotropy(), renderer.samples(), renderer.clear_color(), renderer.present_mode());
    assert_eq!(kept, (2.0, 4, [0.25; 4], PresentMode::Mailbox));
    let image = {
        let scene = Scene::new();
        renderer.prepare(&Default::default(), &scene)?;
        renderer.render_to_image(&scene, &flat_camera())?
    };
    drop(renderer);
    assert_clean(&log)?;
    // Straight alpha, so the color is the one that was given: linear 0.25 is 137 in sRGB.
    expect_pixel(&image, (4, 4), [137, 137, 137, 64], 2)
}

fn present_modes_are_remembered_headless() -> Result<(), Failed> {
    let (options, log) = options();
    let mut renderer = Renderer::headless((8, 8), options)?;
    let scene = Scene::new();
    renderer.prepare(&Default::default(), &scene)?;
    assert_eq!((renderer.present_mode(), renderer.present_modes()), (PresentMode::Fifo, vec![]));
    for mode in PresentMode::ALL {
        renderer.set_present_mode(mode)?;
        assert_eq!(renderer.present_mode(), mode);
        renderer.draw_frame(&scene, &flat_camera())?;
    }
    drop(renderer);
    assert_clean(&log)
}

fn each_view_mode_can_be_prepared() -> Result<(), Failed> {
    let mut stage = Stage::default();
    stage.put(square(), plain(0.0, 1.0, 0.0, 1.0), Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let (options, log) = options();
    let mut renderer = Renderer::headless((8, 8), options)?;
    let offered = renderer.view_modes();
    for view in ViewMode::ALL {
        renderer.set_view_mode(view);
        let prepared = renderer.prepare(&stage.content.assets, &stage.content.scene);
        assert_eq!(renderer.supports_view_mode(view), prepared.is_ok(), "{view:?}: {prepared:?}");
        assert_eq!(offered.contains(&view), prepared.is_ok(), "{view:?}");
    }
    // What no device lacks.
    assert!(offered.len() >= 7 && offered[0] == ViewMode::BaseColor, "{offered:?}");
    drop(renderer);
    assert_clean(&log)
}
