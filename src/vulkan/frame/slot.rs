//! What one frame in flight owns.

use super::materials::FrameMaterials;
use super::targets::Targets;
use super::timestamps::Timestamps;
use super::timings::{Pass, Passes};
use crate::math::Affine3x4;
use crate::scene::Scene;
use crate::vulkan::compiled::batches::Batches;
use crate::vulkan::compiled::blend_order::BlendOrder;
use crate::vulkan::compiled::compiler::{Compiled, Compiler};
use crate::vulkan::compiled::layout::{DrawCommand, TableEntry};
use crate::vulkan::compiled::pipelines::TargetFormats;
use crate::vulkan::compiled::textures::DescriptorSets;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::{RendererError, VkResultExt};
use crate::vulkan::memory::buffer::{Buffer, BufferDescription};
use crate::vulkan::memory::object::Owned;
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::sync::Arc;
use std::time::Duration;

/// Command buffer, synchronization, targets and per-frame data of one frame in flight.
///
/// Everything here may be changed once [`wait`](Self::wait) has returned: then the GPU is done with the frame that used
/// it last.
pub(crate) struct FrameSlot {
    device: Arc<Device>,
    number: usize,
    pub(crate) commands: vk::CommandBuffer,
    pool: Owned<vk::CommandPool>,
    fence: Owned<vk::Fence>,
    /// Whether the fence was given to a submission and not waited for since.
    pending: bool,
    /// Serial number of the last submission.
    pub(crate) serial: u64,
    /// Signaled by acquisition; unused when headless.
    image_available: Owned<vk::Semaphore>,
    /// Whether that semaphore was signaled and will never be waited for, because something failed in between.
    semaphore_is_spent: bool,
    pub(crate) targets: Option<Targets>,
    /// Matrices and words about morph targets, as [`FrameLayout`](crate::vulkan::compiled::layout::FrameLayout) says.
    pose: Buffer,
    table: Buffer,
    pub(crate) draws: Buffer,
    set: DescriptorSets,
    /// Whether the set points at the present buffers.
    set_is_current: bool,
    /// The compiled material buffer that the set points at, unless it points at the slot's own.
    materials: Option<Arc<Buffer>>,
    own_materials: FrameMaterials,
    /// Which version of the batches' table and commands this slot's buffers hold.
    table_version: u64,
    timestamps: Option<Timestamps>,
}

/// Growth of a per-frame buffer: doubling keeps reallocations few.
fn grown(
    name: &str,
    usage: vk::BufferUsageFlags,
    device: &Arc<Device>,
    size: u64,
) -> Result<Buffer, RendererError> {
    let size = size.next_power_of_two().max(256);
    Buffer::new(device, &BufferDescription { name, size, usage, location: MemoryLocation::CpuToGpu })
}

impl FrameSlot {
    pub(crate) fn new(
        device: &Arc<Device>,
        compiler: &Compiler,
        number: usize,
    ) -> Result<Self, RendererError> {
        let named = |what: &str| format!("frame {number} {what}");
        let pool = device.create_command_pool(&named("pool"))?;
        let storage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let layout = &compiler.pipelines.frame_layout;
        let set_kind = (vk::DescriptorType::STORAGE_BUFFER, 3);
        Ok(Self {
            commands: device.allocate_command_buffer(&pool, &named("commands"))?,
            pool,
            fence: device.create_fence(false, &named("fence"))?,
            pending: false,
            serial: 0,
            image_available: device.create_semaphore(&named("image available"))?,
            semaphore_is_spent: false,
            targets: None,
            pose: grown(&named("pose"), storage, device, 1)?,
            table: grown(&named("table"), storage, device, 1)?,
            draws: grown(&named("draws"), vk::BufferUsageFlags::INDIRECT_BUFFER, device, 1)?,
            set: DescriptorSets::new(device, layout, set_kind, 1, &named("set"))?,
            set_is_current: false,
            materials: None,
            own_materials: FrameMaterials::default(),
            table_version: 0,
            timestamps: Timestamps::new(device, &named("timestamps"))?,
            device: Arc::clone(device),
            number,
        })
    }

    /// Waits until the GPU is done with the last frame of this slot.
    pub(crate) fn wait(&mut self) -> Result<(), RendererError> {
        if self.pending {
            // SAFETY: the fence is alive and belongs to a submission.
            unsafe { self.device.raw().wait_for_fences(&[self.fence.handle()], true, u64::MAX) }
                .at("vkWaitForFences")?;
            self.pending = false;
        }
        Ok(())
    }

    /// Serial number of the last submission if it is known to be finished, without waiting; 0 before the first one.
    pub(crate) fn finished_serial(&mut self) -> Option<u64> {
        if self.pending {
            // SAFETY: the fence is alive and belongs to a submission. An error counts as not finished.
            let status = unsafe { self.device.raw().get_fence_status(self.fence.handle()) };
            self.pending = status != Ok(true);
        }
        (!self.pending).then_some(self.serial)
    }

    /// GPU time of each pass of the last frame, after [`wait`](Self::wait).
    pub(crate) fn gpu_times(&self) -> Option<[Option<Duration>; Pass::COUNT]> {
        self.timestamps.as_ref()?.read()
    }

    /// The semaphore for the next acquisition, with no pending use.
    #[cfg(feature = "window")]
    pub(crate) fn acquire_semaphore(&mut self) -> Result<vk::Semaphore, RendererError> {
        if self.semaphore_is_spent {
            // The slot was waited for, and nothing else ever used it.
            self.image_available =
                self.device.create_semaphore(&format!("frame {} image available", self.number))?;
            self.semaphore_is_spent = false;
        }
        Ok(self.image_available.handle())
    }

    /// Tells that the semaphore was given to an acquisition, and whether a submission waits for it.
    #[cfg(feature = "window")]
    pub(crate) fn mark_semaphore(&mut self, is_spent: bool) {
        self.semaphore_is_spent = is_spent;
    }

    /// The slot's targets at this size, made anew if it changed.
    pub(crate) fn fit_targets(
        &mut self,
        formats: TargetFormats,
        extent: vk::Extent2D,
    ) -> Result<bool, RendererError> {
        if self.targets.as_ref().is_some_and(|targets| targets.extent() == extent) {
            return Ok(false);
        }
        // The old ones go first: two sets of the largest objects need not exist at once.
        self.targets = None;
        self.targets = Some(Targets::new(&self.device, formats, extent, self.number)?);
        Ok(true)
    }

    /// Copies a frame's data to where its draws read it.
    ///
    /// The pose is copied every time, the matrices of nodes before those of joints; table and commands only when their version changed, or for transparent
    /// draws, whose order is a matter of the view.
    pub(crate) fn upload(
        &mut self,
        (worlds, joints): (&[Affine3x4], &[Affine3x4]),
        batches: &Batches,
        version: u64,
        blend: &BlendOrder,
        compiled: &Compiled,
    ) -> Result<(), RendererError> {
        let instances = batches.table.len() + blend.table.len();
        let commands = batches.commands.len() + blend.commands.len();
        let storage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let indirect = vk::BufferUsageFlags::INDIRECT_BUFFER;
        let limit = u64::from(self.device.capabilities().limits.max_storage_buffer_range);
        let words = &batches.morphs.words[..];
        let (joints_at, words_at) = (size_of_val(worlds), size_of_val(worlds) + size_of_val(joints));
        for (buffer, usage, size, what) in [
            (&mut self.pose, storage, words_at + size_of_val(words), "matrices and morph weights"),
            (&mut self.table, storage, instances * size_of::<TableEntry>(), "draws"),
            (&mut self.draws, indirect, commands * size_of::<DrawCommand>(), "draw commands"),
        ] {
            let size = size as u64;
            if usage == storage && size > limit {
                let what = format!("{size} bytes of {what} in one buffer (its limit is {limit})");
                return Err(RendererError::MissingDeviceSupport { what });
            }
            if buffer.size() < size {
                let name = buffer.name().to_owned();
                *buffer = grown(&name, usage, &self.device, size)?;
                self.set_is_current = false;
                self.table_version = 0;
            }
        }
        self.pose.write(0, bytemuck::cast_slice(worlds))?;
        self.pose.write(joints_at as u64, bytemuck::cast_slice(joints))?;
        self.pose.write(words_at as u64, bytemuck::cast_slice(words))?;
        if self.table_version != version {
            self.table.write(0, bytemuck::cast_slice(&batches.table))?;
            self.draws.write(0, bytemuck::cast_slice(&batches.commands))?;
            self.table_version = version;
        }
        if !blend.table.is_empty() {
            let at = size_of_val(&batches.table[..]) as u64;
            self.table.write(at, bytemuck::cast_slice(&blend.table))?;
            let at = size_of_val(&batches.commands[..]) as u64;
            self.draws.write(at, bytemuck::cast_slice(&blend.commands))?;
        }
        let own = self.own_materials.used();
        let same_materials = match &self.materials {
            Some(bound) => own.is_none() && Arc::ptr_eq(bound, &compiled.materials),
            None => own.is_some(),
        };
        if !self.set_is_current || !same_materials {
            self.set.write_buffers([&self.pose, &self.table, own.unwrap_or(&compiled.materials)]);
            self.materials = own.is_none().then(|| Arc::clone(&compiled.materials));
            self.set_is_current = true;
        }
        Ok(())
    }

    /// Takes the factors that a scene has of its own for materials; to be called before [`upload`](Self::upload).
    pub(crate) fn upload_materials(
        &mut self,
        compiled: &Compiled,
        scene: &Scene,
    ) -> Result<(), RendererError> {
        // An error in here leaves no set that points at what is gone.
        let points_there = std::mem::replace(&mut self.set_is_current, false);
        let is_new = self.own_materials.update(&self.device, self.number, compiled, scene)?;
        self.set_is_current = points_there && !is_new;
        Ok(())
    }

    /// The set that holds pose, table and materials.
    pub(crate) fn set(&self) -> vk::DescriptorSet {
        self.set.sets.first().copied().unwrap_or_default()
    }

    /// Gives back what the last recording took.
    pub(crate) fn reset_pool(&mut self) -> Result<(), RendererError> {
        // SAFETY: the slot was waited for, so its command buffer is not in use.
        unsafe {
            self.device.raw().reset_command_pool(self.pool.handle(), vk::CommandPoolResetFlags::empty())
        }
        .at("vkResetCommandPool")
    }

    /// Begins recording, with the first timestamp.
    pub(crate) fn begin(&mut self) -> Result<(), RendererError> {
        let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the pool was reset, so the command buffer is in its initial state.
        unsafe { self.device.raw().begin_command_buffer(self.commands, &info) }.at("vkBeginCommandBuffer")?;
        if let Some(timestamps) = &self.timestamps {
            // SAFETY: recording, outside of rendering; the slot was waited for.
            unsafe { timestamps.begin(self.commands) };
        }
        Ok(())
    }

    /// Notes that a pass was recorded, outside of rendering, with a timestamp of its end.
    pub(crate) fn end_pass(&self, passes: &mut Passes, pass: Pass) {
        if let Some(timestamps) = &self.timestamps {
            // SAFETY: recording, outside of rendering; `begin` came first, and every pass before came here.
            unsafe { timestamps.mark(self.commands, passes) };
        }
        passes.push(pass);
    }

    /// Ends the recording of these passes and submits. With `window`, waits for (first) and signals (second).
    pub(crate) fn end_and_submit(
        &mut self,
        serial: u64,
        passes: Passes,
        window: Option<(vk::Semaphore, vk::Semaphore)>,
    ) -> Result<(), RendererError> {
        let device = self.device.raw();
        // SAFETY: recording, outside of rendering.
        unsafe {
            if let Some(timestamps) = &self.timestamps {
                timestamps.end(self.commands, &passes);
            }
            device.end_command_buffer(self.commands).at("vkEndCommandBuffer")?;
        }
        let semaphore =
            |semaphore, stage| [vk::SemaphoreSubmitInfo::default().semaphore(semaphore).stage_mask(stage)];
        // Acquired images are first touched by the output pass, as an attachment. Presenting comes after everything,
        // the last layout transition included, which belongs to no stage that a narrower mask could name.
        let (first, last) =
            (vk::PipelineStageFlags2::COLOR_ATTACHMENT_OUTPUT, vk::PipelineStageFlags2::ALL_COMMANDS);
        let (waits, signals) = window
            .map(|(wait, signal)| (semaphore(wait, first), semaphore(signal, last)))
            .unwrap_or_default();
        let commands = [vk::CommandBufferSubmitInfo::default().command_buffer(self.commands)];
        let mut submit = vk::SubmitInfo2::default().command_buffer_infos(&commands);
        if window.is_some() {
            submit = submit.wait_semaphore_infos(&waits).signal_semaphore_infos(&signals);
        }
        // SAFETY: the fence was waited for, or never used; it is reset just before the only call that can use it. All
        // that was recorded is owned by this slot or kept alive by the renderer until the fence is signaled.
        unsafe {
            device.reset_fences(&[self.fence.handle()]).at("vkResetFences")?;
            self.device.submit(&[submit], self.fence.handle())?;
        }
        self.pending = true;
        self.serial = serial;
        if let Some(timestamps) = &mut self.timestamps {
            timestamps.submitted(passes);
        }
        Ok(())
    }
}
