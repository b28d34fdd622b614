//! The renderer's face: construction, preparation, and what can be asked of it.

use super::error::RendererError;
use super::info::RendererInfo;
use super::options::RendererOptions;
use super::overlay::data::{Overlay, OverlayTextureId};
use super::overlay::pass::{OVERLAY_SAMPLER, OverlayPass, OverlayTextures};
use super::target::Target;
use super::validation::ValidationLog;
use crate::assets::{ImageData, RenderAssets};
use crate::preparation::{RenderPlan, RenderPreparation};
use crate::scene::{DrawList, Scene, SceneIdentity};
use crate::trace::Stopwatch;
use crate::vulkan::compiled::batches::Batches;
use crate::vulkan::compiled::blend_order::BlendOrder;
use crate::vulkan::compiled::compiler::{Compiled, Compiler};
use crate::vulkan::compiled::layout::FrameLayout;
use crate::vulkan::compiled::pipelines::{Pipelines, TargetFormats};
use crate::vulkan::driver::device::{Device, MemoryUsage};
use crate::vulkan::driver::instance::Instance;
use crate::vulkan::driver::live_objects::LiveObjects;
use crate::vulkan::frame::retired::Retired;
use crate::vulkan::frame::slot::FrameSlot;
use crate::vulkan::frame::timings::FrameTimings;
use crate::vulkan::memory::image::check_target;
use ash::vk;
use std::sync::Arc;

/// What became of a frame.
///
/// A `match` on it may name all three: another reason why nothing was shown would be
/// [`NotPresented`](Self::NotPresented) too, so that no loop has to guess whether an outcome that it does not know was a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameOutcome {
    /// Drawn and shown; headless: drawn.
    Presented,
    /// Drawn and shown, and the swapchain is made anew before the next frame, because the window changed.
    Suboptimal,
    /// Nothing was shown: the window has no area, or changed so that the swapchain has to be made anew first.
    NotPresented,
}

/// What draws were grouped from: the list's stamp, the plan's generation, and where the matrices lie.
pub(super) type GroupedFrom = (Option<(SceneIdentity, u64)>, u64, FrameLayout);

/// How many commands the last frame recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct CommandCounts {
    /// Commands in the indirect buffer: one for each batch of equal draws.
    pub draw_indirect: u32,
    /// Calls that execute them: one for each run of commands that share state.
    pub calls: u32,
    /// Instances that the commands draw.
    pub instances: u32,
}

/// Draws scenes with Vulkan, into a window or headless.
///
/// Compiled resources follow the plan of [`preparation`](Self::preparation): they change when the catalogue, the ordered
/// render objects or the view mode change, and never because something moved. Skins and morph targets are applied by the GPU to
/// what was compiled, by the matrices and weights of each frame. An error leaves the renderer usable, except for a
/// lost device or surface: from then on every call says so.
pub struct Renderer {
    // In the order of destruction. What the GPU uses is waited for in `drop`.
    pub(super) retired: Retired,
    pub(super) frames: Vec<FrameSlot>,
    pub(super) compiled: Option<Compiled>,
    pub(super) overlay_textures: OverlayTextures,
    pub(super) overlay_pass: Option<OverlayPass>,
    pub(super) compiler: Compiler,
    pub(super) target: Target,
    pub(super) device: Arc<Device>,

    pub(super) overlay: Overlay,
    pub(super) options: RendererOptions,
    pub(super) formats: TargetFormats,
    pub(super) preparation: RenderPreparation,
    pub(super) list: DrawList,
    pub(super) batches: Batches,
    pub(super) blend: BlendOrder,
    pub(super) grouped_from: Option<GroupedFrom>,
    pub(super) mirrors_of: u64,
    /// Counts changes of the batches' table.
    pub(super) table_version: u64,
    pub(super) next_frame: usize,
    /// Serial number of the last submitted frame.
    pub(super) serial: u64,
    pub(super) timings: FrameTimings,
    /// Serial number of the frame whose GPU times these have.
    pub(super) timed_serial: u64,
    pub(super) counts: CommandCounts,
    /// Why the renderer cannot be used any more.
    pub(super) unusable: Option<RendererError>,
}

impl Renderer {
    /// A renderer into memory: pictures of `width` x `height` pixels.
    ///
    /// # Errors
    /// [`RendererError`]: an option out of range, no loader, driver or suitable device (with a reason for each), or a
    /// size of 0 or above the device's limit.
    pub fn headless((width, height): (u32, u32), options: RendererOptions) -> Result<Self, RendererError> {
        options.validate()?;
        let instance = Instance::new(&options, &[])?;
        let device = Device::new(instance, &options, None)?;
        let extent = vk::Extent2D { width, height };
        check_target(&device, "target", extent)?;
        Self::new(&device, Target::Headless(extent), options)
    }

    /// A renderer to a window, whose size is given in pixels. `window` (such as an `Arc` of a winit window) is kept until
    /// the surface is gone. A size without area pauses until [`resize`](Self::resize).
    ///
    /// A renderer may move to another thread, and so must what it keeps: `Send` and `Sync`. A window that is neither, such as
    /// that of the crate `sdl2`, which holds an `Rc`, cannot be given itself. A type of your own that has copies of its raw handles
    /// can be, and unsafely promises that the window outlives the renderer.
    ///
    /// # Errors
    /// As [`headless`](Self::headless), and if no device can present to the window.
    #[cfg(feature = "window")]
    pub fn windowed(
        window: impl raw_window_handle::HasWindowHandle
        + raw_window_handle::HasDisplayHandle
        + Send
        + Sync
        + 'static,
        (width, height): (u32, u32),
        options: RendererOptions,
    ) -> Result<Self, RendererError> {
        use super::target::WindowTarget;
        use crate::vulkan::window::{output::OutputPass, presentation::Presentation, surface};
        options.validate()?;
        let window: Box<dyn surface::Window> = Box::new(window);
        let instance = Instance::new(&options, &surface::required_extensions(&*window)?)?;
        let surface = surface::Surface::new(&instance, window)?;
        let device = Device::new(instance, &options, Some(&*surface))?;
        let target = Target::Window(Box::new(WindowTarget {
            presentation: Presentation::new(&device, &surface, options.present_mode),
            output: OutputPass::new(&device, options.frames_in_flight)?,
            size: vk::Extent2D { width, height },
            stale: true,
            shown: 0,
        }));
        let mut renderer = Self::new(&device, target, options)?;
        renderer.configure_window()?;
        Ok(renderer)
    }

    fn new(device: &Arc<Device>, target: Target, options: RendererOptions) -> Result<Self, RendererError> {
        let formats = TargetFormats {
            color: vk::Format::R8G8B8A8_SRGB,
            depth: device.capabilities().depth_format,
            samples: crate::vulkan::driver::capabilities::sample_flags(options.samples),
        };
        let compiler = Compiler::new(device, Pipelines::new(device, formats)?, options.anisotropy)?;
        let frames = (0..options.frames_in_flight as usize)
            .map(|number| FrameSlot::new(device, &compiler, number))
            .collect::<Result<_, _>>()?;
        let mut preparation = RenderPreparation::new();
        preparation.set_view(options.view_mode);
        Ok(Self {
            retired: Retired::default(),
            frames,
            compiled: None,
            overlay_textures: OverlayTextures::default(),
            overlay_pass: None,
            overlay: Overlay::default(),
            compiler,
            target,
            device: Arc::clone(device),
            options,
            formats,
            preparation,
            list: DrawList::new(),
            batches: Batches::default(),
            blend: BlendOrder::default(),
            grouped_from: None,
            mirrors_of: 0,
            table_version: 0,
            next_frame: 0,
            serial: 0,
            timings: FrameTimings::default(),
            timed_serial: 0,
            counts: CommandCounts::default(),
            unusable: None,
        })
    }

    /// Makes everything that `scene` draws from `assets` ready on the GPU.
    ///
    /// If catalogue, revision, view mode and the ordered render objects are those of the last call, nothing happens. Otherwise what
    /// is already compiled stays, what is new is uploaded, and what is no longer drawn is freed when the frames that use
    /// it are finished. Nothing waits for a frame, except if more than 64 MiB are uploaded or the last upload is not done.
    ///
    /// # Errors
    /// [`RendererError::Preparation`] for faulty assets or draws, before any Vulkan call;
    /// [`RendererError::UnsupportedContent`] by name; or a failed allocation or upload. Then nothing has changed: the last
    /// prepared scene can still be drawn, in the view mode that it was prepared for, and the generation is what it was.
    pub fn prepare(&mut self, assets: &RenderAssets, scene: &Scene) -> Result<(), RendererError> {
        self.check_usable()?;
        self.collect_retired();
        scene.build_draw_items(&mut self.list);
        let Some(next) = self.preparation.plan_next(assets, &self.list)? else { return Ok(()) };
        let _span = span!(DEBUG, "prepare");
        let watch = Stopwatch::start();
        let same_catalogue = |plan: &&RenderPlan| plan.catalogue() == next.plan().catalogue();
        let old = self.preparation.plan().filter(same_catalogue).and(self.compiled.as_ref());
        let compiled = self.compiler.compile(assets, next.plan(), old);
        let compiled = self.note(compiled)?;
        self.preparation.commit(next);
        event!(
            DEBUG,
            generation = self.preparation.generation(),
            meshes = self.preparation.plan().map_or(0, |plan| plan.meshes().len()),
            textures = self.preparation.plan().map_or(0, |plan| plan.textures().len()),
            uploaded_meshes = compiled.uploaded.meshes,
            uploaded_images = compiled.uploaded.images,
            bytes = compiled.uploaded.bytes,
            ms = watch.ms(),
            "prepared"
        );
        if let Some(old) = self.compiled.replace(compiled) {
            self.retired.push(self.serial, old);
        }
        Ok(())
    }

    /// The cache that decides what is compiled; its generation counts how often something was.
    #[must_use]
    pub fn preparation(&self) -> &RenderPreparation {
        &self.preparation
    }

    /// What is drawn over every frame, in pixels of the picture. It stays until it is changed.
    pub fn overlay_mut(&mut self) -> &mut Overlay {
        &mut self.overlay
    }

    /// Uploads a texture for [`OverlayDraw::texture`](super::OverlayDraw::texture): sRGB colors and straight alpha,
    /// sampled linearly and clamped at its edges;
    /// [`add_overlay_texture_sampled`](Self::add_overlay_texture_sampled) samples in other ways.
    ///
    /// # Errors
    /// An image without pixels, with too few bytes or above the device's limit; a failed allocation or upload.
    pub fn add_overlay_texture(&mut self, image: &ImageData) -> Result<OverlayTextureId, RendererError> {
        self.add_overlay_texture_sampled(image, OVERLAY_SAMPLER)
    }

    /// Frees a texture when the frames that use it are finished; returns whether it was there. The overlay must not use
    /// it any more.
    ///
    /// # Errors
    /// [`RendererError::DeviceLost`], and [`RendererError::Unusable`] after it.
    pub fn remove_overlay_texture(&mut self, texture: OverlayTextureId) -> Result<bool, RendererError> {
        self.check_usable()?;
        let finished = self.compiler.finish_uploads();
        self.note(finished)?;
        let removed = self.overlay_textures.remove(texture);
        let was_there = removed.is_some();
        self.retired.push(self.serial, removed);
        Ok(was_there)
    }

    /// Device, driver, queue families and presentation.
    #[must_use]
    pub fn info(&self) -> RendererInfo {
        RendererInfo::new(&self.device, self.target.describe())
    }

    /// Phases of the last frame. A copy of numbers that are there already: cheap enough for every frame.
    #[must_use]
    pub fn timings(&self) -> FrameTimings {
        self.timings
    }

    /// Commands of the last frame.
    #[must_use]
    pub fn command_counts(&self) -> CommandCounts {
        self.counts
    }

    /// What the validation layer said so far. A clone outlives the renderer and hears of its dropping.
    #[must_use]
    pub fn validation_log(&self) -> &ValidationLog {
        &self.options.validation_log
    }

    /// How many Vulkan objects of each kind exist now.
    #[must_use]
    pub fn live_objects(&self) -> LiveObjects {
        self.device.live_objects()
    }

    /// What the GPU memory allocator holds. Allocates, so not for every frame.
    #[must_use]
    pub fn memory_usage(&self) -> MemoryUsage {
        self.device.memory_usage()
    }

    /// Size in pixels of the pictures that are drawn; (0, 0) while the window has no area.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.target.extent().map_or((0, 0), |extent| (extent.width, extent.height))
    }

    /// Tells the size in pixels of the window, or changes that of headless pictures. Even the same size makes a window's
    /// swapchain anew before the next frame; a size without area pauses.
    ///
    /// # Errors
    /// Headless, a size of 0 or above the device's limit, the old one staying; [`RendererError::Unusable`].
    pub fn resize(&mut self, width: u32, height: u32) -> Result<(), RendererError> {
        self.check_usable()?;
        let extent = vk::Extent2D { width, height };
        match &mut self.target {
            Target::Headless(size) => {
                check_target(&self.device, "target", extent)?;
                *size = extent;
            }
            #[cfg(feature = "window")]
            Target::Window(window) => {
                window.size = extent;
                window.stale = true;
            }
        }
        Ok(())
    }

    /// Waits until the GPU is done with everything that was drawn.
    ///
    /// # Errors
    /// [`RendererError::DeviceLost`], and [`RendererError::Unusable`] after it; memory that ran out.
    pub fn wait_idle(&mut self) -> Result<(), RendererError> {
        self.check_usable()?;
        let waited = self.frames.iter_mut().try_for_each(FrameSlot::wait);
        self.note(waited)?;
        (0..self.frames.len()).for_each(|slot| self.read_gpu_times(slot));
        self.retired.collect(self.serial);
        Ok(())
    }

    /// How many frames the window has shown.
    #[cfg(feature = "winit")]
    pub(crate) fn shown_frames(&self) -> u64 {
        match &self.target {
            Target::Headless(_) => 0,
            Target::Window(window) => window.shown,
        }
    }

    /// Drops what no frame uses any more, without waiting.
    pub(super) fn collect_retired(&mut self) {
        // Work on one queue finishes in order, so one finished frame means that all before it are.
        let finished = self.frames.iter_mut().filter_map(FrameSlot::finished_serial).max();
        self.retired.collect(finished.unwrap_or(0));
    }

    pub(super) fn check_usable(&self) -> Result<(), RendererError> {
        match &self.unusable {
            Some(reason) => Err(RendererError::Unusable { reason: reason.to_string() }),
            None => Ok(()),
        }
    }

    /// Remembers an error after which nothing works any more.
    pub(super) fn note<T>(&mut self, result: Result<T, RendererError>) -> Result<T, RendererError> {
        if let Err(error) = &result
            && error.is_fatal()
        {
            self.unusable = Some(error.clone());
        }
        result
    }
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Renderer({:?}, {})", self.device, self.target.describe())
    }
}

impl Drop for Renderer {
    fn drop(&mut self) {
        // Everything below may be in use by a frame. A device that cannot be waited for is lost and uses nothing.
        let _lost = self.device.wait_idle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_travel_between_threads() {
        fn assert_travels<T: Send + Sync>() {}
        assert_travels::<Arc<Device>>();
        assert_travels::<crate::vulkan::memory::buffer::Buffer>();
        assert_travels::<crate::vulkan::memory::image::Image>();
        assert_travels::<crate::vulkan::memory::upload::Uploader>();
        #[cfg(feature = "window")]
        assert_travels::<crate::vulkan::window::presentation::Presentation>();
        assert_travels::<FrameSlot>();
    }
}
