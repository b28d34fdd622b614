//! One frame, from the scene to the GPU.

use super::error::RendererError;
use super::overlay::pass::OverlayPass;
use super::renderer::{CommandCounts, FrameOutcome, Renderer};
use super::target::Target;
use crate::assets::ImageData;
use crate::math::{Mat4, Vec4};
use crate::scene::{Camera, Scene};
use crate::vulkan::compiled::batches::BlendDraw;
use crate::vulkan::compiled::facing::Mirrors;
use crate::vulkan::compiled::layout::FrameLayout;
use crate::vulkan::frame::record::{ScenePass, record_readback};
use crate::vulkan::frame::straight_alpha::{make_straight, premultiplied};
use crate::vulkan::frame::timings::{Laps, Pass, Passes};
use crate::vulkan::memory::buffer::{Buffer, BufferDescription};
use ash::vk;
use gpu_allocator::MemoryLocation;

#[cfg(feature = "window")]
use crate::vulkan::window::swapchain::{Acquired, AcquiredImage, Presented};

/// An acquired image with the semaphore that tells when it can be drawn to.
#[cfg(feature = "window")]
#[derive(Clone, Copy)]
struct WindowImage {
    image: AcquiredImage,
    available: vk::Semaphore,
}

/// Where a recorded picture goes.
#[derive(Clone, Copy)]
enum Destination<'a> {
    /// It stays in the color target.
    Nowhere,
    Memory(&'a Buffer),
    #[cfg(feature = "window")]
    Window(WindowImage),
}

/// Which matrices of the scene mirror.
fn mirrors(scene: &Scene) -> Mirrors<'_> {
    Mirrors { nodes: scene.world_mirrored(), joints: scene.joint_mirrored() }
}

impl Renderer {
    /// Draws `scene` as it was last resolved, seen through `camera`, with the overlay over it, and shows it.
    ///
    /// The scene must draw what [`prepare`](Self::prepare) was last called for; moving needs no preparation.
    ///
    /// # Errors
    /// [`RendererError::NotPrepared`], [`RendererError::SkinJoints`], [`RendererError::Camera`] and [`RendererError::InvalidOverlay`] before anything is
    /// waited for or acquired; a failure of a Vulkan call. After a lost device or surface every further call is [`RendererError::Unusable`].
    pub fn draw_frame(&mut self, scene: &Scene, camera: &Camera) -> Result<FrameOutcome, RendererError> {
        self.check_usable()?;
        let result = self.draw(scene, camera);
        self.note(result)
    }

    /// Draws `scene` as [`draw_frame`](Self::draw_frame) does, without showing it, and returns the picture: straight-alpha
    /// sRGB in [`ImageFormat::Rgba8`](crate::assets::ImageFormat::Rgba8), row 0 at the top. Waits for the GPU.
    ///
    /// # Errors
    /// As [`draw_frame`](Self::draw_frame), and [`RendererError::ZeroSize`] while a window has no area.
    pub fn render_to_image(&mut self, scene: &Scene, camera: &Camera) -> Result<ImageData, RendererError> {
        self.check_usable()?;
        let result = self.read_back(scene, camera);
        self.note(result)
    }

    fn draw(&mut self, scene: &Scene, camera: &Camera) -> Result<FrameOutcome, RendererError> {
        let (mut laps, extent) = self.open_frame(scene)?;
        let Some(extent) = extent else { return Ok(FrameOutcome::NotPresented) };
        let view_projection = self.ready_slot(scene, camera, extent, &mut laps)?;
        match &self.target {
            Target::Headless(_) => {
                self.record_and_submit(view_projection, Destination::Nowhere, &mut laps)?;
                Ok(FrameOutcome::Presented)
            }
            #[cfg(feature = "window")]
            Target::Window(_) => self.draw_to_window(view_projection, &mut laps),
        }
    }

    fn read_back(&mut self, scene: &Scene, camera: &Camera) -> Result<ImageData, RendererError> {
        let (mut laps, extent) = self.open_frame(scene)?;
        let extent = extent.ok_or_else(|| RendererError::ZeroSize { name: "window".to_owned() })?;
        let view_projection = self.ready_slot(scene, camera, extent, &mut laps)?;
        let buffer = Buffer::new(
            &self.device,
            &BufferDescription {
                name: "readback",
                size: u64::from(extent.width) * u64::from(extent.height) * 4,
                usage: vk::BufferUsageFlags::TRANSFER_DST,
                location: MemoryLocation::GpuToCpu,
            },
        )?;
        let slot = self.next_frame;
        self.record_and_submit(view_projection, Destination::Memory(&buffer), &mut laps)?;
        if let Err(error) = self.frames[slot].wait() {
            // The copy may still be running.
            self.retired.push(self.serial, buffer);
            return Err(error);
        }
        self.read_gpu_times(slot);
        let mut pixels = buffer.bytes()?.to_vec();
        make_straight(&mut pixels);
        Ok(ImageData::rgba8(extent.width, extent.height, pixels))
    }

    /// Checks what is to be drawn, and makes the swapchain anew if that is due. Returns the picture's size, or `None` if
    /// there is no area to draw to.
    fn open_frame(&mut self, scene: &Scene) -> Result<(Laps, Option<vk::Extent2D>), RendererError> {
        self.timings = self.timings.next();
        let mut laps = Laps::start();
        self.batch(scene)?;
        self.overlay.check(|texture| self.overlay_textures.contains(texture))?;
        self.timings.batching = laps.lap();
        #[cfg(feature = "window")]
        self.configure_window()?;
        self.timings.swapchain = laps.lap();
        Ok((laps, self.target.extent()))
    }

    /// Brings list, batches and table up to date with the scene's structure; nothing to do when it only moved.
    fn batch(&mut self, scene: &Scene) -> Result<(), RendererError> {
        scene.build_draw_items(&mut self.list);
        let not_prepared = |reason: &str| Err(RendererError::NotPrepared { reason: reason.to_owned() });
        let Some(compiled) = &self.compiled else {
            return not_prepared("nothing was prepared");
        };
        let frame =
            FrameLayout { nodes: scene.world_transforms().len(), joints: scene.joint_matrices().len() };
        let from = Some((self.list.stamp(), self.preparation.generation(), frame));
        let regroup = self.grouped_from != from;
        if regroup {
            if !self.preparation.covers(&self.list) {
                return not_prepared(
                    "the scene draws other objects, or in another order, than the prepared one, or the view mode changed",
                );
            }
            self.grouped_from = None;
            self.batches.group(self.list.items(), &compiled.objects, frame)?;
            self.grouped_from = from;
        }
        if regroup || self.mirrors_of != scene.mirror_revision() {
            self.batches.sort_mirrored(mirrors(scene));
            self.mirrors_of = scene.mirror_revision();
            self.table_version += 1;
        }
        self.batches.morphs.fill(frame.first_word(), scene.morph_weights(), &compiled.deformations);
        Ok(())
    }

    /// Waits for the next slot and fills it: everything that can fail on the CPU happens here, before acquisition.
    fn ready_slot(
        &mut self,
        scene: &Scene,
        camera: &Camera,
        extent: vk::Extent2D,
        laps: &mut Laps,
    ) -> Result<Mat4, RendererError> {
        let view_projection = camera.view_projection(extent.width as f32 / extent.height as f32)?;
        laps.lap();
        let slot = &mut self.frames[self.next_frame];
        slot.wait()?;
        self.timings.frame_wait = laps.lap();
        self.read_gpu_times(self.next_frame);
        let slot = &mut self.frames[self.next_frame];
        // Work on one queue finishes in order, so whatever was submitted before this slot's frame is finished too.
        self.retired.collect(slot.serial);
        let _made_anew = slot.fit_targets(self.formats, extent)?;
        #[cfg(feature = "window")]
        if let (true, Target::Window(window), Some(targets)) = (_made_anew, &self.target, &slot.targets) {
            window.output.set_source(self.next_frame, targets);
        }
        let (worlds, joints) = (scene.world_transforms(), scene.joint_matrices());
        let Some(compiled) = &self.compiled else { return Ok(view_projection) };
        if !self.batches.blended.is_empty() || !self.blend.table.is_empty() {
            let toward_viewer: Vec4 = camera.view.row(2);
            let base = (self.batches.table.len() as u32, self.batches.commands.len() as u32);
            self.blend.sort(&self.batches.blended, mirrors(scene), base, |BlendDraw { draw, instance }| {
                let center = match instance.node() {
                    Some(node) => worlds.get(node as usize).map(|world| world.transform_point(draw.center)),
                    None => compiled
                        .deformations
                        .get(draw.mesh as usize)
                        .map(|mesh| mesh.center(instance.joints.of(joints))),
                };
                // The view looks down -Z.
                -toward_viewer.dot(center.unwrap_or(draw.center).extend(1.0))
            });
        }
        slot.upload_materials(compiled, scene)?;
        slot.upload((worlds, joints), &self.batches, self.table_version, &self.blend, compiled)?;
        if !self.overlay.is_empty() {
            let pass = match &mut self.overlay_pass {
                Some(pass) => pass,
                none => {
                    let pipelines = &self.compiler.pipelines;
                    none.insert(OverlayPass::new(&self.device, pipelines, self.frames.len())?)
                }
            };
            pass.upload(self.next_frame, &self.overlay)?;
        }
        self.timings.upload = laps.lap();
        Ok(view_projection)
    }

    /// Takes over the GPU's times of a slot that was waited for, unless those of a later frame are known.
    pub(super) fn read_gpu_times(&mut self, slot: usize) {
        let slot = &self.frames[slot];
        if slot.serial > self.timed_serial
            && let Some(times) = slot.gpu_times()
        {
            self.timed_serial = slot.serial;
            self.timings.set_gpu(times);
        }
    }

    fn record_and_submit(
        &mut self,
        view_projection: Mat4,
        destination: Destination<'_>,
        laps: &mut Laps,
    ) -> Result<(), RendererError> {
        let frame = self.next_frame;
        laps.lap();
        self.frames[frame].reset_pool()?;
        self.timings.pool_reset = laps.lap();
        self.frames[frame].begin()?;
        let slot = &self.frames[frame];
        let mut passes = Passes::default();
        let (Some(compiled), Some(targets)) = (&self.compiled, &slot.targets) else {
            return Err(RendererError::NotPrepared { reason: "nothing was prepared".to_owned() });
        };
        let pass = ScenePass {
            device: &self.device,
            compiler: &self.compiler,
            compiled,
            slot,
            view_projection,
            clear_color: premultiplied(self.options.clear_color),
        };
        pass.record(targets, self.batches.runs.iter().chain(&self.blend.runs));
        slot.end_pass(&mut passes, Pass::Scene);
        if let Some(overlay_pass) = self.overlay_pass.as_ref().filter(|_| !self.overlay.is_empty()) {
            let white = compiled.white();
            overlay_pass.record(frame, slot.commands, targets, &self.overlay, &self.overlay_textures, white);
            slot.end_pass(&mut passes, Pass::Overlay);
        }
        let _semaphores = match destination {
            Destination::Nowhere => None,
            Destination::Memory(buffer) => {
                record_readback(&self.device, slot, targets, buffer);
                slot.end_pass(&mut passes, Pass::Output);
                None
            }
            #[cfg(feature = "window")]
            Destination::Window(WindowImage { image, available }) => {
                let Target::Window(window) = &self.target else {
                    return Err(RendererError::NotPrepared { reason: "there is no window".to_owned() });
                };
                window.output.record(frame, slot, targets, &image)?;
                slot.end_pass(&mut passes, Pass::Output);
                Some((available, image.render_finished))
            }
        };
        self.timings.recording = laps.lap();
        self.frames[frame].end_and_submit(self.serial + 1, passes, _semaphores)?;
        self.timings.submission = laps.lap();
        self.serial += 1;
        self.next_frame = (frame + 1) % self.frames.len();
        self.counts = CommandCounts {
            draw_indirect: (self.batches.commands.len() + self.blend.commands.len()) as u32,
            calls: (self.batches.runs.len() + self.blend.runs.len()) as u32,
            instances: self.batches.instance_count() as u32,
        };
        event!(
            TRACE,
            serial = self.serial,
            calls = self.counts.calls,
            instances = self.counts.instances,
            "frame submitted"
        );
        Ok(())
    }
}

#[cfg(feature = "window")]
impl Renderer {
    /// Makes the swapchain anew if it is stale; a window without an area is left without one.
    pub(super) fn configure_window(&mut self) -> Result<(), RendererError> {
        let Target::Window(window) = &mut self.target else { return Ok(()) };
        if window.stale {
            let has_area = window.presentation.configure(window.size)?;
            if let (true, Some(plan)) = (has_area, window.presentation.plan())
                && let Some(old) = window.output.fit(&self.compiler.pipelines, plan)?
            {
                self.retired.push(self.serial, old);
            }
            // Without an area the window is asked again at the next frame: not every system tells when it has one.
            window.stale = !has_area;
        }
        Ok(())
    }

    fn draw_to_window(
        &mut self,
        view_projection: Mat4,
        laps: &mut Laps,
    ) -> Result<FrameOutcome, RendererError> {
        let Target::Window(window) = &mut self.target else { return Ok(FrameOutcome::NotPresented) };
        let frame = self.next_frame;
        let available = self.frames[frame].acquire_semaphore()?;
        laps.lap();
        let acquired = window.presentation.acquire(available);
        self.timings.acquire = laps.lap();
        let image = match acquired? {
            None => return Ok(FrameOutcome::NotPresented),
            // The semaphore is untouched.
            Some(Acquired::OutOfDate) => {
                window.stale = true;
                return Ok(FrameOutcome::NotPresented);
            }
            Some(Acquired::Image(image)) => image,
        };
        // Until the image is presented, any failure leaves it acquired: it goes back with its swapchain, and the
        // semaphore, whose signal nothing will wait for, gets a successor.
        window.stale = true;
        self.frames[frame].mark_semaphore(true);
        let drawn = WindowImage { image, available };
        self.record_and_submit(view_projection, Destination::Window(drawn), laps)?;
        self.frames[frame].mark_semaphore(false);
        let Target::Window(window) = &mut self.target else { return Ok(FrameOutcome::NotPresented) };
        laps.lap();
        let presented = window.presentation.present(image.index);
        self.timings.presentation = laps.lap();
        let outcome = match presented? {
            Presented::OutOfDate => FrameOutcome::NotPresented,
            Presented::Suboptimal => FrameOutcome::Suboptimal,
            Presented::Shown if image.suboptimal => FrameOutcome::Suboptimal,
            Presented::Shown => FrameOutcome::Presented,
        };
        window.stale = outcome != FrameOutcome::Presented;
        window.shown += u64::from(outcome != FrameOutcome::NotPresented);
        Ok(outcome)
    }
}
