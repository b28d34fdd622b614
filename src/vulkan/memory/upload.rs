//! Copies data into device-local buffers and images, with a command pool and a fence of its own.
//!
//! An upload is described first ([`Uploads`]) and then run ([`Uploader::run`]), which submits it and does not wait: what
//! is submitted later sees the data. Large uploads go through the staging buffer in pieces, so that the memory for it is
//! bounded; then all pieces but the last are waited for.

use std::sync::Arc;

use ash::vk;
use gpu_allocator::MemoryLocation;

use super::buffer::{Buffer, BufferDescription};
use super::image::{Image, mip_extent};
use super::object::Owned;
use super::uploads::{BufferUpload, ImageUpload, STAGING_ALIGNMENT, TexelBlock, Uploads};
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::{RendererError, VkResultExt};

/// The most staging memory that is used at once, in bytes.
const MAX_STAGING: u64 = 64 << 20;

/// Runs uploads. Holds the staging memory of the last run until the next one, or until [`finish`](Self::finish).
pub(crate) struct Uploader {
    device: Arc<Device>,
    commands: vk::CommandBuffer,
    pool: Owned<vk::CommandPool>,
    fence: Owned<vk::Fence>,
    /// What the last submission reads, from its submission until it was waited for.
    pending: Option<Buffer>,
    max_staging: u64,
}

impl Uploader {
    pub(crate) fn new(device: &Arc<Device>) -> Result<Self, RendererError> {
        Self::with_staging(device, MAX_STAGING)
    }

    /// `max_staging` has to hold a row of the largest image.
    pub(crate) fn with_staging(device: &Arc<Device>, max_staging: u64) -> Result<Self, RendererError> {
        let pool = device.create_command_pool("upload pool")?;
        Ok(Self {
            commands: device.allocate_command_buffer(&pool, "upload commands")?,
            pool,
            fence: device.create_fence(false, "upload fence")?,
            pending: None,
            device: Arc::clone(device),
            max_staging,
        })
    }

    /// Submits all uploads. Any later work on the graphics queue sees the data.
    ///
    /// After an error nothing is known about the targets' content, nothing uses them any more, and the uploader can be
    /// used again unless the device was lost.
    pub(crate) fn run(&mut self, uploads: &Uploads<'_>) -> Result<(), RendererError> {
        self.finish()?;
        if uploads.is_empty() {
            return Ok(());
        }
        let size = uploads.staging_size().min(self.max_staging);
        let staging = Buffer::new(
            &self.device,
            &BufferDescription {
                name: "staging buffer",
                size,
                usage: vk::BufferUsageFlags::TRANSFER_SRC,
                location: MemoryLocation::CpuToGpu,
            },
        )?;
        let mut piece = Piece { uploader: self, staging, used: 0, recording: false };
        for upload in &uploads.buffers {
            piece.buffer(upload)?;
        }
        for upload in &uploads.images {
            piece.image(upload)?;
        }
        piece.submit_last()
    }

    /// Waits for the last run, and gives its staging memory back.
    pub(crate) fn finish(&mut self) -> Result<(), RendererError> {
        if self.pending.is_some() {
            self.wait()?;
            self.pending = None;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), RendererError> {
        let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        let device = self.device.raw();
        // SAFETY: every submission of this pool was waited for, or the device is lost.
        unsafe {
            device
                .reset_command_pool(self.pool.handle(), vk::CommandPoolResetFlags::empty())
                .at("vkResetCommandPool")?;
            device.begin_command_buffer(self.commands, &info).at("vkBeginCommandBuffer")
        }
    }

    fn submit(&mut self) -> Result<(), RendererError> {
        let commands = [vk::CommandBufferSubmitInfo::default().command_buffer(self.commands)];
        let submits = [vk::SubmitInfo2::default().command_buffer_infos(&commands)];
        // SAFETY: the recorded copies lie within their buffers and images, which live until the submission is waited for:
        // targets by the contract of `run`'s caller, staging memory in the piece or in `pending`. The fence is unsignaled:
        // it is reset after each wait, and a failed submission leaves it as it was.
        unsafe {
            self.device.raw().end_command_buffer(self.commands).at("vkEndCommandBuffer")?;
            self.device.submit(&submits, self.fence.handle())
        }
    }

    /// Waits for the submission that was given the fence.
    fn wait(&mut self) -> Result<(), RendererError> {
        let device = self.device.raw();
        let fences = [self.fence.handle()];
        // SAFETY: the fence is alive and was given to a submission.
        unsafe {
            let waited = device.wait_for_fences(&fences, true, u64::MAX).at("vkWaitForFences");
            if waited.is_err() {
                // What the GPU may still read is dropped by the caller; a device that cannot be waited for is lost.
                let _lost = self.device.wait_idle();
            }
            let reset = device.reset_fences(&fences).at("vkResetFences");
            waited.and(reset)
        }
    }
}

impl Drop for Uploader {
    fn drop(&mut self) {
        // An error means a lost device, which reads nothing any more.
        let _lost = self.finish();
    }
}

/// The part of an upload that is recorded between two submissions.
struct Piece<'a> {
    uploader: &'a mut Uploader,
    staging: Buffer,
    used: u64,
    recording: bool,
}

impl Piece<'_> {
    fn device(&self) -> &ash::Device {
        self.uploader.device.raw()
    }

    fn commands(&self) -> vk::CommandBuffer {
        self.uploader.commands
    }

    fn begin(&mut self) -> Result<(), RendererError> {
        if !self.recording {
            self.uploader.begin()?;
            self.recording = true;
        }
        Ok(())
    }

    /// Makes what is recorded visible to whatever follows on the queue, and submits it.
    fn submit(&mut self) -> Result<(), RendererError> {
        let barrier = vk::MemoryBarrier2::default()
            .src_stage_mask(vk::PipelineStageFlags2::ALL_TRANSFER)
            .src_access_mask(vk::AccessFlags2::TRANSFER_WRITE)
            .dst_stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
            .dst_access_mask(vk::AccessFlags2::MEMORY_READ | vk::AccessFlags2::MEMORY_WRITE);
        let barriers = [barrier];
        let info = vk::DependencyInfo::default().memory_barriers(&barriers);
        // SAFETY: the command buffer is being recorded.
        unsafe { self.device().cmd_pipeline_barrier2(self.commands(), &info) };
        // The next recording resets the pool, also when this submission fails.
        self.recording = false;
        self.uploader.submit()
    }

    /// Submits what is recorded and waits for it, so that the staging memory is free again.
    fn flush(&mut self) -> Result<(), RendererError> {
        if self.recording {
            self.submit()?;
            self.uploader.wait()?;
        }
        self.used = 0;
        Ok(())
    }

    /// Submits the rest and leaves the staging memory with the uploader.
    fn submit_last(mut self) -> Result<(), RendererError> {
        if self.recording {
            self.submit()?;
            self.uploader.pending = Some(self.staging);
        }
        Ok(())
    }

    /// Bytes of staging memory that are free, from the next aligned offset on.
    fn free(&self) -> u64 {
        self.staging.size().saturating_sub(self.used)
    }

    /// Copies into the staging buffer and returns the offset there.
    fn stage(&mut self, data: &[u8]) -> Result<u64, RendererError> {
        let offset = self.used;
        self.staging.write(offset, data)?;
        self.used = (offset + data.len() as u64).next_multiple_of(STAGING_ALIGNMENT);
        self.begin()?;
        Ok(offset)
    }

    fn buffer(&mut self, upload: &BufferUpload<'_>) -> Result<(), RendererError> {
        let mut target = upload.offset;
        let mut data = &upload.data[..];
        while !data.is_empty() {
            if self.free() == 0 {
                self.flush()?;
            }
            let length = data.len().min(self.free() as usize);
            let (now, later) = data.split_at(length);
            let source = self.stage(now)?;
            let region = vk::BufferCopy::default().src_offset(source).dst_offset(target).size(length as u64);
            // SAFETY: recording; both ranges were checked to lie in their buffers.
            unsafe {
                self.device().cmd_copy_buffer(
                    self.commands(),
                    self.staging.handle(),
                    upload.target.handle(),
                    &[region],
                );
            }
            target += length as u64;
            data = later;
        }
        Ok(())
    }

    fn image(&mut self, upload: &ImageUpload<'_>) -> Result<(), RendererError> {
        let image = upload.target;
        self.begin()?;
        let before = if upload.region.is_some() { Step::Sampled } else { Step::Unused };
        self.transition(image, 0..image.mip_levels(), before, Step::Written);
        for (level, pixels) in (0..).zip(&upload.levels) {
            let region = upload.region.unwrap_or_else(|| mip_extent(image.extent(), level).into());
            self.level(image, level, region, pixels, upload.block)?;
        }
        if upload.levels.len() == image.mip_levels() as usize {
            self.transition(image, 0..image.mip_levels(), Step::Written, Step::Sampled);
        } else {
            self.generate_mips(image);
        }
        Ok(())
    }

    fn level(
        &mut self,
        image: &Image,
        level: u32,
        region: vk::Rect2D,
        pixels: &[u8],
        block: TexelBlock,
    ) -> Result<(), RendererError> {
        let (row, height) = block.rows(region.extent);
        let (mut y, mut data) = (0, pixels);
        while y < height {
            if self.free() < row {
                self.flush()?;
            }
            let rows = (self.free() / row).min(u64::from(height - y));
            if rows == 0 {
                return Err(RendererError::OutOfBounds {
                    name: self.staging.name().to_owned(),
                    offset: 0,
                    length: row,
                    size: self.staging.size(),
                });
            }
            let (now, later) = data.split_at((rows * row) as usize);
            let source = self.stage(now)?;
            self.copy_rows((image, level, region), source, block.side, y..y + rows as u32);
            y += rows as u32;
            data = later;
        }
        Ok(())
    }

    /// Copies rows of blocks of a region; the last block of a column may reach over the edge, where the copy stops.
    fn copy_rows(
        &mut self,
        (image, level, region): (&Image, u32, vk::Rect2D),
        source: u64,
        side: u32,
        rows: std::ops::Range<u32>,
    ) {
        let vk::Rect2D { offset, extent: vk::Extent2D { width, height } } = region;
        let (top, bottom) = (rows.start * side, (rows.end * side).min(height));
        let region = vk::BufferImageCopy::default()
            .buffer_offset(source)
            .image_subresource(layer(level))
            .image_offset(vk::Offset3D { x: offset.x, y: offset.y + top as i32, z: 0 })
            .image_extent(vk::Extent3D { width, height: bottom - top, depth: 1 });
        // SAFETY: recording; the rows lie in the level and were staged at `source`.
        unsafe {
            self.device().cmd_copy_buffer_to_image(
                self.commands(),
                self.staging.handle(),
                image.handle(),
                vk::ImageLayout::TRANSFER_DST_OPTIMAL,
                &[region],
            );
        }
    }

    /// Makes each level from the one before it. Blits of an sRGB format read and write linear values, so the mean of
    /// black and white is the gray that is half as bright.
    fn generate_mips(&self, image: &Image) {
        let levels = image.mip_levels();
        for level in 1..levels {
            self.transition(image, level - 1..level, Step::Written, Step::BlitSource);
            let blit = vk::ImageBlit::default()
                .src_subresource(layer(level - 1))
                .src_offsets(corners(mip_extent(image.extent(), level - 1)))
                .dst_subresource(layer(level))
                .dst_offsets(corners(mip_extent(image.extent(), level)));
            // SAFETY: recording; both levels exist, are in these layouts, and the format supports linear blits.
            unsafe {
                self.device().cmd_blit_image(
                    self.commands(),
                    image.handle(),
                    vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                    image.handle(),
                    vk::ImageLayout::TRANSFER_DST_OPTIMAL,
                    &[blit],
                    vk::Filter::LINEAR,
                );
            }
        }
        let last = levels.saturating_sub(1);
        self.transition(image, 0..last, Step::BlitSource, Step::Sampled);
        self.transition(image, last..levels, Step::Written, Step::Sampled);
    }

    fn transition(&self, image: &Image, levels: std::ops::Range<u32>, from: Step, to: Step) {
        if levels.is_empty() {
            return;
        }
        let (old_layout, source) = from.scope();
        let (new_layout, destination) = to.scope();
        let mut range = image.range();
        range.base_mip_level = levels.start;
        range.level_count = levels.end - levels.start;
        let barriers = [vk::ImageMemoryBarrier2::default()
            .src_stage_mask(source.0)
            .src_access_mask(source.1)
            .dst_stage_mask(destination.0)
            .dst_access_mask(destination.1)
            .old_layout(old_layout)
            .new_layout(new_layout)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(image.handle())
            .subresource_range(range)];
        let info = vk::DependencyInfo::default().image_memory_barriers(&barriers);
        // SAFETY: recording; the levels exist and are in the old layout, or their content is not kept.
        unsafe { self.device().cmd_pipeline_barrier2(self.commands(), &info) };
    }
}

/// What happens to a level of an image during an upload.
#[derive(Clone, Copy)]
enum Step {
    Unused,
    Written,
    BlitSource,
    Sampled,
}

impl Step {
    /// The layout, and the stages and accesses that touch the level in it.
    fn scope(self) -> (vk::ImageLayout, (vk::PipelineStageFlags2, vk::AccessFlags2)) {
        use vk::{AccessFlags2 as Access, ImageLayout as Layout, PipelineStageFlags2 as Stage};
        match self {
            // Memory is given back only when the frames that used it are finished, so there is nothing to wait for.
            Self::Unused => (Layout::UNDEFINED, (Stage::NONE, Access::NONE)),
            Self::Written => {
                (Layout::TRANSFER_DST_OPTIMAL, (Stage::COPY | Stage::BLIT, Access::TRANSFER_WRITE))
            }
            Self::BlitSource => (Layout::TRANSFER_SRC_OPTIMAL, (Stage::BLIT, Access::TRANSFER_READ)),
            Self::Sampled => {
                (Layout::SHADER_READ_ONLY_OPTIMAL, (Stage::ALL_COMMANDS, Access::SHADER_SAMPLED_READ))
            }
        }
    }
}

fn layer(level: u32) -> vk::ImageSubresourceLayers {
    vk::ImageSubresourceLayers::default()
        .aspect_mask(vk::ImageAspectFlags::COLOR)
        .mip_level(level)
        .layer_count(1)
}

fn corners(extent: vk::Extent2D) -> [vk::Offset3D; 2] {
    [vk::Offset3D::default(), vk::Offset3D { x: extent.width as i32, y: extent.height as i32, z: 1 }]
}
