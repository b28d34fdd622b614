//! What the GPU's time of a frame is made of.

use crate::pixels::Test;
use crate::support::stage::{Stage, flat_camera, plain, square};
use crate::support::{assert_clean, check, options};
use fire_engine::math::Transform;
use fire_engine::scene::Scene;
use fire_engine::vulkan::{FrameTimings, OverlayDraw, OverlayVertex, Renderer};
use libtest_mimic::Failed;
use std::time::Duration;

pub const TESTS: &[Test] = &[
    ("timings::passes_have_gpu_times_that_sum_up_to_the_frame", passes_sum_up_to_the_frame),
    ("timings::an_earlier_frame_does_not_replace_a_later_one", an_earlier_frame_does_not_replace_a_later_one),
    ("timings::nothing_drawn_has_no_gpu_time", nothing_drawn_has_no_gpu_time),
];

/// A square of 256 pixels.
fn prepared() -> Result<(Renderer, Scene, fire_engine::vulkan::ValidationLog), Failed> {
    let mut stage = Stage::default();
    stage.put(square(), plain(0.0, 0.0, 1.0, 1.0), Transform::IDENTITY);
    stage.content.scene.update_world_transforms();
    let (options, log) = options();
    let mut renderer = Renderer::headless((256, 256), options)?;
    renderer.prepare(&stage.content.assets, &stage.content.scene)?;
    Ok((renderer, stage.content.scene, log))
}

fn cover(renderer: &mut Renderer) {
    let overlay = renderer.overlay_mut();
    let corners = [[0.0, 0.0], [512.0, 0.0], [0.0, 512.0]];
    let corner = |position| OverlayVertex { position, uv: [0.0; 2], color: [255, 255, 255, 128] };
    overlay.vertices.extend(corners.map(corner));
    overlay.indices.extend([0, 1, 2]);
    overlay.draws.push(OverlayDraw { indices: 0..3, ..OverlayDraw::default() });
}

/// Whether scene, overlay and output have a time, which are more than none and sum up to the frame's. A device without
/// timestamps has none of them.
fn passes(renderer: &Renderer) -> Result<[bool; 3], Failed> {
    let FrameTimings { gpu, gpu_scene, gpu_overlay, gpu_output, .. } = renderer.timings();
    let parts = [gpu_scene, gpu_overlay, gpu_output];
    let sum: Option<Duration> = gpu.map(|_| parts.iter().flatten().sum());
    check(gpu == sum, || format!("{parts:?} are not {gpu:?}"))?;
    check(parts.iter().flatten().all(|part| !part.is_zero()), || {
        format!("nothing takes no time: {parts:?}")
    })?;
    Ok(parts.map(|part| part.is_some()))
}

/// Only a driver that is known to have timestamps proves something.
fn has_timestamps(renderer: &Renderer) -> bool {
    let known = renderer.info().driver_name == "llvmpipe";
    if !known {
        println!("{} may have no timestamps", renderer.info().driver_name);
    }
    known || renderer.timings().gpu.is_some()
}

fn passes_sum_up_to_the_frame() -> Result<(), Failed> {
    let (mut renderer, scene, log) = prepared()?;
    let camera = flat_camera();
    let mut found = Vec::new();
    for overlay in [false, true, false] {
        renderer.overlay_mut().clear();
        if overlay {
            cover(&mut renderer);
        }
        renderer.draw_frame(&scene, &camera)?;
        renderer.wait_idle()?;
        found.push(passes(&renderer)?);
        renderer.render_to_image(&scene, &camera)?;
        found.push(passes(&renderer)?);
    }
    let timed = has_timestamps(&renderer);
    drop(renderer);
    assert_clean(&log)?;
    // A headless frame stays where it is; a picture goes to memory.
    let expected = [
        [true, false, false],
        [true, false, true],
        [true, true, false],
        [true, true, true],
        [true, false, false],
        [true, false, true],
    ];
    check(found == expected.map(|passes| passes.map(|there| there && timed)), || format!("{found:?}"))
}

fn an_earlier_frame_does_not_replace_a_later_one() -> Result<(), Failed> {
    let (mut renderer, scene, log) = prepared()?;
    let camera = flat_camera();
    renderer.draw_frame(&scene, &camera)?;
    cover(&mut renderer);
    renderer.render_to_image(&scene, &camera)?;
    let known = renderer.timings();
    renderer.overlay_mut().clear();
    // Waits for the first frame's resources, whose times are older than those that are known.
    renderer.draw_frame(&scene, &camera)?;
    let after = renderer.timings();
    assert_eq!(
        [after.gpu, after.gpu_scene, after.gpu_overlay, after.gpu_output],
        [known.gpu, known.gpu_scene, known.gpu_overlay, known.gpu_output]
    );
    // And once the frame itself is finished, its own.
    renderer.wait_idle()?;
    let timed = has_timestamps(&renderer);
    assert_eq!(passes(&renderer)?, [timed, false, false]);
    drop(renderer);
    assert_clean(&log)
}

fn nothing_drawn_has_no_gpu_time() -> Result<(), Failed> {
    let (mut renderer, scene, log) = prepared()?;
    renderer.wait_idle()?;
    assert_eq!(passes(&renderer)?, [false; 3]);
    // Nor has what failed before it was drawn.
    let mut other = Stage::default();
    other.put(square(), plain(0.0, 0.0, 1.0, 1.0), Transform::IDENTITY);
    other.put(square(), plain(0.0, 0.0, 1.0, 1.0), Transform::IDENTITY);
    other.content.scene.update_world_transforms();
    assert!(renderer.draw_frame(&other.content.scene, &flat_camera()).is_err());
    renderer.wait_idle()?;
    assert_eq!(renderer.timings().gpu, None);
    renderer.draw_frame(&scene, &flat_camera())?;
    drop(renderer);
    assert_clean(&log)
}
