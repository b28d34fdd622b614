//! A turning cube leaves everything compiled alone and allocates nothing: 500 frames with a counting allocator.

mod support;

use fire_engine::gltf;
use fire_engine::math::Vec3;
use fire_engine::scene::{Camera, Projection};
use fire_engine::vulkan::Renderer;
use libtest_mimic::Failed;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;
use std::process::ExitCode;

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
    let trial = support::trial("500_frames_of_a_turning_cube", &needs, turning_cube);
    support::run(vec![trial]).exit_code()
}

fn turning_cube() -> Result<(), Failed> {
    let (options, log) = support::options();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/LetterCube/LetterCube.gltf");
    let (mut content, _report) = gltf::load(path)?;
    content.play_all()?;
    let projection = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: Some(100.0) };
    let camera = Camera::look_at(Vec3::new(0.0, 0.0, 4.0), Vec3::ZERO, Vec3::Y, projection)?;
    let mut renderer = Renderer::headless((64, 64), options)?;
    let mut frame = |content: &mut fire_engine::scene::Content| -> Result<(), Failed> {
        content.advance(1.0 / 60.0)?;
        content.scene.update_world_transforms();
        renderer.prepare(&content.assets, &content.scene)?;
        renderer.draw_frame(&content.scene, &camera)?;
        Ok(())
    };
    for number in 0..500 {
        if number == 10 {
            ALLOCATIONS.set(Some(0));
        }
        frame(&mut content)?;
    }
    let counted = ALLOCATIONS.replace(None);
    let generation = renderer.preparation().generation();
    drop(renderer);
    support::assert_clean(&log)?;
    assert_eq!(generation, 1);
    assert_eq!(counted, Some(0), "allocations in 490 frames");
    Ok(())
}
