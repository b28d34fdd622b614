//! Tests of presentation, on a window under X11 and on a surface without a window where the driver has them.

use std::sync::Arc;

use ash::{ext, khr, vk};

use super::presentation::Presentation;
use super::surface::Surface;
use super::swapchain::{Acquired, AcquiredImage, Presented};
use super::swapchain_selection::present_mode;
use crate::vulkan::driver::device::Device;
use crate::vulkan::driver::instance::Instance;
use crate::vulkan::error::{RendererError, VkResultExt};
use crate::vulkan::memory::device_tests::assert_clean;
use crate::vulkan::memory::object::Owned;
use crate::vulkan::options::{PresentMode, RendererOptions, Validation};

/// The tests that need a driver with surfaces that have no window; [`headless_surface`] tells.
pub(crate) const HEADLESS_SURFACE_TESTS: &[(&str, fn())] =
    &[("presentation_without_a_window", presentation_without_a_window)];

/// The tests that need a driver and an X11 display.
#[cfg(all(feature = "winit", target_os = "linux"))]
pub(crate) const X11_TESTS: &[(&str, fn())] =
    &[("presentation_to_x11_windows_and_other_present_modes", presentation_to_x11_windows)];

/// What the renderer's frames are in small: two slots with their own commands, fence and semaphore.
struct Frames {
    slots: Vec<Slot>,
    next: usize,
    device: Arc<Device>,
}

struct Slot {
    pool: Owned<vk::CommandPool>,
    commands: vk::CommandBuffer,
    fence: Owned<vk::Fence>,
    acquired: Owned<vk::Semaphore>,
}

impl Frames {
    fn new(device: &Arc<Device>) -> Self {
        let slot = || {
            let pool = device.create_command_pool("frame pool").expect("a pool");
            Slot {
                commands: device.allocate_command_buffer(&pool, "frame commands").expect("commands"),
                pool,
                fence: device.create_fence(true, "frame fence").expect("a fence"),
                acquired: device.create_semaphore("image acquired").expect("a semaphore"),
            }
        };
        Self { slots: vec![slot(), slot()], next: 0, device: Arc::clone(device) }
    }

    /// Clears an image and presents it; `None` when nothing was acquired.
    fn draw(&mut self, presentation: &mut Presentation) -> Option<Presented> {
        let slot = &self.slots[self.next];
        let raw = self.device.raw();
        let fence = [slot.fence.handle()];
        // SAFETY: the fence is signaled or pending.
        unsafe { raw.wait_for_fences(&fence, true, u64::MAX) }.expect("waited");
        let acquired = presentation.acquire(slot.acquired.handle()).expect("acquired");
        let Some(Acquired::Image(image)) = acquired else {
            return None;
        };
        let extent = presentation.plan().expect("a swapchain").extent;
        let stage = vk::PipelineStageFlags2::COLOR_ATTACHMENT_OUTPUT;
        let semaphore =
            |semaphore| [vk::SemaphoreSubmitInfo::default().semaphore(semaphore).stage_mask(stage)];
        let (wait, signal) = (semaphore(slot.acquired.handle()), semaphore(image.render_finished));
        let commands = [vk::CommandBufferSubmitInfo::default().command_buffer(slot.commands)];
        let submit = vk::SubmitInfo2::default()
            .wait_semaphore_infos(&wait)
            .signal_semaphore_infos(&signal)
            .command_buffer_infos(&commands);
        // SAFETY: the slot's last work was waited for; everything lives until the device is idle.
        unsafe {
            raw.reset_command_pool(slot.pool.handle(), vk::CommandPoolResetFlags::empty()).expect("reset");
            record_clear(raw, slot.commands, &image, extent);
            raw.reset_fences(&fence).expect("reset");
            self.device.submit(&[submit], fence[0]).expect("submitted");
        }
        self.next = (self.next + 1) % self.slots.len();
        Some(presentation.present(image.index).expect("presented"))
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.device.wait_idle().expect("idle");
    }
}

/// # Safety
///
/// The commands are not in use, and the image is acquired.
unsafe fn record_clear(
    raw: &ash::Device,
    commands: vk::CommandBuffer,
    image: &AcquiredImage,
    extent: vk::Extent2D,
) {
    let stage = vk::PipelineStageFlags2::COLOR_ATTACHMENT_OUTPUT;
    let write = vk::AccessFlags2::COLOR_ATTACHMENT_WRITE;
    let barrier = |from, to, source, destination| {
        [vk::ImageMemoryBarrier2::default()
            .src_stage_mask(stage)
            .src_access_mask(source)
            .dst_stage_mask(stage)
            .dst_access_mask(destination)
            .old_layout(from)
            .new_layout(to)
            .image(image.image)
            .subresource_range(
                vk::ImageSubresourceRange::default()
                    .aspect_mask(vk::ImageAspectFlags::COLOR)
                    .level_count(1)
                    .layer_count(1),
            )]
    };
    let (undefined, attachment, present) = (
        vk::ImageLayout::UNDEFINED,
        vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
        vk::ImageLayout::PRESENT_SRC_KHR,
    );
    let first = barrier(undefined, attachment, vk::AccessFlags2::NONE, write);
    let last = barrier(attachment, present, write, vk::AccessFlags2::NONE);
    let colors = [vk::RenderingAttachmentInfo::default()
        .image_view(image.view)
        .image_layout(attachment)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE)];
    let rendering =
        vk::RenderingInfo::default().render_area(extent.into()).layer_count(1).color_attachments(&colors);
    // SAFETY: by this function's contract.
    unsafe {
        raw.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default()).expect("begun");
        let info = vk::DependencyInfo::default().image_memory_barriers(&first);
        raw.cmd_pipeline_barrier2(commands, &info);
        raw.cmd_begin_rendering(commands, &rendering);
        raw.cmd_end_rendering(commands);
        let info = vk::DependencyInfo::default().image_memory_barriers(&last);
        raw.cmd_pipeline_barrier2(commands, &info);
        raw.end_command_buffer(commands).expect("ended");
    }
}

fn options() -> RendererOptions {
    RendererOptions {
        validation: Validation::Required,
        present_mode: PresentMode::Mailbox,
        ..RendererOptions::default()
    }
}

/// Draws, recreates a hundred times, pauses, goes on and drops everything.
fn exercise(instance: Arc<Instance>, surface: Arc<Surface>, options: &RendererOptions) {
    let counters = Arc::clone(instance.counters());
    let device = Device::new(instance, options, Some(&*surface)).expect("a device");
    let mut presentation = Presentation::new(&device, &surface, options.present_mode);
    let mut frames = Frames::new(&device);
    let window = vk::Extent2D { width: 320, height: 240 };
    assert!(presentation.is_paused());
    assert_eq!(frames.draw(&mut presentation), None);
    assert!(presentation.configure(window).expect("configured"));
    eprintln!("{}: {}", device.capabilities().device_name, presentation.describe());
    for _ in 0..8 {
        assert!(frames.draw(&mut presentation).is_some());
    }
    device.wait_idle().expect("idle");
    let settle = |presentation: &mut Presentation, frames: &mut Frames| {
        for _ in 0..4 {
            frames.draw(presentation);
        }
        device.wait_idle().expect("idle");
    };
    assert!(presentation.configure(window).expect("configured"));
    settle(&mut presentation, &mut frames);
    let before = device.live_objects();
    for _ in 0..100 {
        assert!(presentation.configure(window).expect("configured"));
        assert!(frames.draw(&mut presentation).is_some());
    }
    assert!(presentation.configure(window).expect("configured"));
    settle(&mut presentation, &mut frames);
    assert_eq!(device.live_objects(), before);
    for (width, height) in [(0, 0), (120, 0), (0, 120)] {
        let empty = vk::Extent2D { width, height };
        assert!(!presentation.configure(empty).expect("paused"));
        assert!(presentation.is_paused());
        assert_eq!(frames.draw(&mut presentation), None);
    }
    assert!(presentation.configure(window).expect("configured"));
    assert!(frames.draw(&mut presentation).is_some());
    let offered = presentation.present_modes();
    assert!(offered.contains(&PresentMode::Fifo), "{offered:?}");
    for mode in PresentMode::ALL {
        presentation.set_present_mode(mode);
        assert!(presentation.configure(window).expect("configured"));
        let used = presentation.plan().expect("a swapchain").present_mode;
        let expected = if offered.contains(&mode) { mode } else { PresentMode::Fifo };
        assert_eq!(used, present_mode(expected), "{mode:?} of {offered:?}");
        assert!(frames.draw(&mut presentation).is_some());
    }
    // The surface and its swapchains keep what they need, in whichever order the owners go.
    drop(surface);
    drop(frames);
    drop(device);
    drop(presentation);
    assert!(counters.snapshot().is_empty(), "{}", counters.snapshot());
    assert_clean(&options.validation_log);
}

fn headless_instance(options: &RendererOptions) -> Result<Arc<Instance>, RendererError> {
    Instance::new(options, &[khr::surface::NAME, ext::headless_surface::NAME])
}

/// Whether a driver has surfaces without a window; the error says what is missing.
pub(crate) fn headless_surface() -> Result<(), String> {
    let options = RendererOptions { validation: Validation::Off, ..RendererOptions::default() };
    match headless_instance(&options) {
        Err(RendererError::MissingInstanceSupport { .. }) => {
            Err(format!("no driver offers {}", ext::headless_surface::NAME.to_string_lossy()))
        }
        // Whatever else is wrong, the test is to fail of it.
        _ => Ok(()),
    }
}

fn presentation_without_a_window() {
    let options = options();
    let instance = headless_instance(&options).expect("an instance");
    let functions = ext::headless_surface::Instance::new(instance.entry(), instance.raw());
    // SAFETY: the extension is enabled, and the surface is handed to its owner at once.
    let surface = unsafe {
        let handle = functions
            .create_headless_surface(&vk::HeadlessSurfaceCreateInfoEXT::default(), None)
            .at("vkCreateHeadlessSurfaceEXT")
            .expect("a surface");
        Surface::adopt(&instance, handle, None)
    };
    exercise(instance, surface, &options);
}

#[cfg(all(feature = "winit", target_os = "linux"))]
fn presentation_to_x11_windows() {
    use winit::event_loop::EventLoop;
    use winit::platform::x11::EventLoopBuilderExtX11;
    use winit::window::Window;

    let events = EventLoop::builder().with_x11().with_any_thread(true).build().expect("an event loop");
    // One test for both windows: a process has no second event loop.
    let window = || {
        #[allow(deprecated, reason = "a test without an application's event loop")]
        let window = events.create_window(Window::default_attributes().with_title("presentation test"));
        window.expect("a window")
    };
    change_a_renderers_present_mode(window());
    let window = window();
    let options = options();
    let extensions = super::surface::required_extensions(&window).expect("a known window system");
    let instance = Instance::new(&options, &extensions).expect("an instance");
    let surface = Surface::new(&instance, Box::new(window)).expect("a surface");
    exercise(instance, surface, &options);
}

/// With frames in flight, and again with a mode that changes twice before a frame.
#[cfg(all(feature = "winit", target_os = "linux"))]
fn change_a_renderers_present_mode(window: winit::window::Window) {
    use crate::assets::RenderAssets;
    use crate::math::Vec3;
    use crate::scene::{Camera, Projection, Scene};
    use crate::vulkan::renderer::{FrameOutcome, Renderer};

    let options = options();
    let log = options.validation_log.clone();
    let projection = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.1, far: 10.0 };
    let camera = Camera::look_at(Vec3::Z, Vec3::ZERO, Vec3::Y, projection).expect("a camera");
    let scene = Scene::new();
    let size = window.inner_size();
    let mut renderer = Renderer::windowed(window, (size.width, size.height), options).expect("a renderer");
    renderer.prepare(&RenderAssets::new(), &scene).expect("prepared");
    let offered = renderer.present_modes();
    assert_eq!((renderer.present_mode(), offered[0]), (PresentMode::Mailbox, PresentMode::Fifo));
    let shows = |renderer: &mut Renderer, mode: PresentMode| {
        // The window is new, and may still change when it is first shown.
        let outcomes = [(); 4].map(|()| renderer.draw_frame(&scene, &camera).expect("drawn"));
        assert!(outcomes.contains(&FrameOutcome::Presented), "{mode:?}: {outcomes:?}");
        let used = if offered.contains(&mode) { mode } else { PresentMode::Fifo };
        let (said, name) = (renderer.info().presentation, format!("{:?}", present_mode(used)));
        assert!(said.split(", ").any(|part| part == name), "{mode:?} of {offered:?}: {said}");
    };
    shows(&mut renderer, PresentMode::Mailbox);
    let mut objects = Vec::new();
    for mode in PresentMode::ALL.into_iter().cycle().take(9) {
        renderer.set_present_mode(mode).expect("set");
        assert_eq!(renderer.present_mode(), mode);
        shows(&mut renderer, mode);
        renderer.wait_idle().expect("idle");
        objects.push((mode, renderer.live_objects()));
    }
    // A mode has as many images as it had before.
    assert_eq!(objects[4..8], objects[..4]);
    renderer.set_present_mode(PresentMode::Immediate).expect("set");
    renderer.set_present_mode(PresentMode::Fifo).expect("set");
    shows(&mut renderer, PresentMode::Fifo);
    let timings = renderer.timings();
    assert_eq!((timings.gpu_output.is_some(), timings.gpu_overlay), (timings.gpu.is_some(), None));
    assert_eq!(renderer.preparation().generation(), 1);
    drop(renderer);
    assert_clean(&log);
}
