//! Recording of the scene pass and of the copy that reads it back.

use super::slot::FrameSlot;
use super::targets::Targets;
use crate::math::Mat4;
use crate::vulkan::compiled::batches::Run;
use crate::vulkan::compiled::compiler::{Compiled, Compiler};
use crate::vulkan::compiled::layout::DrawCommand;
use crate::vulkan::driver::device::Device;
use crate::vulkan::memory::buffer::{Buffer, copies_to_host};
use crate::vulkan::memory::image::Image;
use ash::vk;
use vk::{AccessFlags2 as Access, ImageLayout as Layout, PipelineStageFlags2 as Stage};

/// Before and after of an image barrier: layout, stages, accesses.
pub(crate) type Scope = (Layout, Stage, Access);

/// Written, and read by blending.
pub(crate) const COLOR_ATTACHMENT: Scope = (
    Layout::COLOR_ATTACHMENT_OPTIMAL,
    Stage::COLOR_ATTACHMENT_OUTPUT,
    Access::from_raw(Access::COLOR_ATTACHMENT_WRITE.as_raw() | Access::COLOR_ATTACHMENT_READ.as_raw()),
);
const COPY_SOURCE: Scope = (Layout::TRANSFER_SRC_OPTIMAL, Stage::COPY, Access::TRANSFER_READ);

/// A barrier for all of an image.
pub(crate) fn barrier(
    image: vk::Image,
    range: vk::ImageSubresourceRange,
    before: Scope,
    after: Scope,
) -> vk::ImageMemoryBarrier2<'static> {
    vk::ImageMemoryBarrier2::default()
        .old_layout(before.0)
        .src_stage_mask(before.1)
        .src_access_mask(before.2)
        .new_layout(after.0)
        .dst_stage_mask(after.1)
        .dst_access_mask(after.2)
        .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .image(image)
        .subresource_range(range)
}

/// Records barriers.
///
/// # Safety
///
/// `commands` is being recorded outside of rendering, and the barriers' images are alive.
pub(crate) unsafe fn barriers(
    device: &Device,
    commands: vk::CommandBuffer,
    barriers: &[vk::ImageMemoryBarrier2<'_>],
) {
    let info = vk::DependencyInfo::default().image_memory_barriers(barriers);
    // SAFETY: by this function's contract.
    unsafe { device.raw().cmd_pipeline_barrier2(commands, &info) };
}

/// What the scene pass draws, besides the slot's buffers.
pub(crate) struct ScenePass<'a> {
    pub(crate) device: &'a Device,
    pub(crate) compiler: &'a Compiler,
    pub(crate) compiled: &'a Compiled,
    pub(crate) slot: &'a FrameSlot,
    pub(crate) view_projection: Mat4,
    pub(crate) clear_color: [f32; 4],
}

impl ScenePass<'_> {
    /// Records the pass: the color target is left as an attachment, written.
    pub(crate) fn record<'r>(&self, targets: &Targets, runs: impl Iterator<Item = &'r Run>) {
        let (device, commands) = (self.device.raw(), self.slot.commands);
        let extent = targets.extent();
        let unused_color = (Layout::UNDEFINED, Stage::COLOR_ATTACHMENT_OUTPUT, Access::NONE);
        let depth_stages = Stage::EARLY_FRAGMENT_TESTS | Stage::LATE_FRAGMENT_TESTS;
        let depth_access = Access::DEPTH_STENCIL_ATTACHMENT_READ | Access::DEPTH_STENCIL_ATTACHMENT_WRITE;
        let color = |image: &Image| barrier(image.handle(), image.range(), unused_color, COLOR_ATTACHMENT);
        let depth = barrier(
            targets.depth.handle(),
            targets.depth.range(),
            (Layout::UNDEFINED, depth_stages, Access::NONE),
            (Layout::DEPTH_ATTACHMENT_OPTIMAL, depth_stages, depth_access),
        );
        let mut needed = [color(&targets.color), depth, color(&targets.color)];
        let count = match &targets.multisampled {
            Some(image) => {
                needed[2] = color(image);
                3
            }
            None => 2,
        };
        let color = vk::RenderingAttachmentInfo::default()
            .image_layout(Layout::COLOR_ATTACHMENT_OPTIMAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .clear_value(vk::ClearValue { color: vk::ClearColorValue { float32: self.clear_color } });
        let color = [match &targets.multisampled {
            // Resolving an sRGB attachment averages linear values.
            Some(image) => color
                .image_view(image.view())
                .store_op(vk::AttachmentStoreOp::DONT_CARE)
                .resolve_mode(vk::ResolveModeFlags::AVERAGE)
                .resolve_image_view(targets.color.view())
                .resolve_image_layout(Layout::COLOR_ATTACHMENT_OPTIMAL),
            None => color.image_view(targets.color.view()).store_op(vk::AttachmentStoreOp::STORE),
        }];
        let depth = vk::RenderingAttachmentInfo::default()
            .image_view(targets.depth.view())
            .image_layout(Layout::DEPTH_ATTACHMENT_OPTIMAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::DONT_CARE)
            .clear_value(vk::ClearValue {
                depth_stencil: vk::ClearDepthStencilValue { depth: 1.0, stencil: 0 },
            });
        let rendering = vk::RenderingInfo::default()
            .render_area(extent.into())
            .layer_count(1)
            .color_attachments(&color)
            .depth_attachment(&depth);
        // SAFETY: recording; targets and all that the runs bind are alive until the frame is finished (the slot owns the
        // targets, the renderer keeps or retires the compiled plan). Draw commands lie within the slot's buffer and index
        // into what was uploaded with them.
        unsafe {
            barriers(self.device, commands, &needed[..count]);
            device.cmd_begin_rendering(commands, &rendering);
            set_viewport(self.device, commands, extent, true);
            self.draw(runs);
            device.cmd_end_rendering(commands);
        }
    }

    /// Binds what changes from run to run, and nothing else.
    ///
    /// # Safety
    ///
    /// As for [`record`](Self::record), inside rendering.
    unsafe fn draw<'r>(&self, runs: impl Iterator<Item = &'r Run>) {
        let (device, commands) = (self.device.raw(), self.slot.commands);
        let layout = self.compiler.pipelines.scene_layout.handle();
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        let camera = self.view_projection.to_cols_array();
        let mut bound: Option<Run> = None;
        // A run of more commands than the device takes at once is cut.
        let longest = self.device.capabilities().limits.max_draw_indirect_count.max(1);
        let stride = size_of::<DrawCommand>() as u32;
        // SAFETY: by this function's contract.
        unsafe {
            for run in runs {
                let state = run.state;
                let last = bound.replace(*run).map(|run| (run.state, run.mirrored));
                let changed = |field: fn(&crate::vulkan::compiled::batches::DrawState) -> u32| {
                    last.is_none_or(|(last, _)| field(&last) != field(&state))
                };
                if last.is_none() {
                    let sets = [self.slot.set()];
                    device.cmd_bind_descriptor_sets(commands, graphics, layout, 0, &sets, &[]);
                    let bytes = bytemuck::bytes_of(&camera);
                    device.cmd_push_constants(commands, layout, vk::ShaderStageFlags::VERTEX, 0, bytes);
                }
                if changed(|state| state.pipeline)
                    && let Some(pipeline) = self.compiler.pipelines.scene(state.pipeline)
                {
                    device.cmd_bind_pipeline(commands, graphics, pipeline);
                }
                if changed(|state| u32::from(state.double_sided)) {
                    device.cmd_set_cull_mode(
                        commands,
                        match state.double_sided {
                            true => vk::CullModeFlags::NONE,
                            false => vk::CullModeFlags::BACK,
                        },
                    );
                }
                if last.is_none_or(|(_, mirrored)| mirrored != run.mirrored) {
                    device.cmd_set_front_face(
                        commands,
                        match run.mirrored {
                            true => vk::FrontFace::CLOCKWISE,
                            false => vk::FrontFace::COUNTER_CLOCKWISE,
                        },
                    );
                }
                if changed(|state| state.vertex_block)
                    && let Some(block) = self.compiled.vertex_blocks.get(state.vertex_block as usize)
                {
                    device.cmd_bind_vertex_buffers(commands, 0, &[block.buffer().handle()], &[0]);
                }
                if changed(|state| state.index_block)
                    && let Some(block) = self.compiled.index_blocks.get(state.index_block as usize)
                {
                    let index_type = Compiler::index_type(block);
                    device.cmd_bind_index_buffer(commands, block.buffer().handle(), 0, index_type);
                }
                if changed(|state| state.texture_set)
                    && let Some(set) = self.compiled.bound_sets.get(state.texture_set as usize)
                {
                    device.cmd_bind_descriptor_sets(commands, graphics, layout, 1, &[set.handle()], &[]);
                }
                if changed(|state| state.delta_set)
                    && let Some(set) = self.compiled.delta_sets.get(state.delta_set)
                {
                    device.cmd_bind_descriptor_sets(commands, graphics, layout, 2, &[set], &[]);
                }
                let mut first = run.first_command;
                let end = run.first_command + run.command_count;
                while first < end {
                    let count = (end - first).min(longest);
                    let offset = u64::from(first) * u64::from(stride);
                    device.cmd_draw_indexed_indirect(
                        commands,
                        self.slot.draws.handle(),
                        offset,
                        count,
                        stride,
                    );
                    first += count;
                }
            }
        }
    }
}

/// The whole target as viewport and scissor; `upward` makes +Y in clip space the top of the picture.
///
/// # Safety
///
/// `commands` is being recorded.
pub(crate) unsafe fn set_viewport(
    device: &Device,
    commands: vk::CommandBuffer,
    extent: vk::Extent2D,
    upward: bool,
) {
    let (width, height) = (extent.width as f32, extent.height as f32);
    let (y, height) = if upward { (height, -height) } else { (0.0, height) };
    let viewport = vk::Viewport { x: 0.0, y, width, height, min_depth: 0.0, max_depth: 1.0 };
    // SAFETY: by this function's contract.
    unsafe {
        device.raw().cmd_set_viewport(commands, 0, &[viewport]);
        device.raw().cmd_set_scissor(commands, 0, &[extent.into()]);
    }
}

/// Records a copy of the written color target into a buffer for the CPU to read.
pub(crate) fn record_readback(device: &Device, slot: &FrameSlot, targets: &Targets, buffer: &Buffer) {
    let image = &targets.color;
    let region = vk::BufferImageCopy::default()
        .image_subresource(
            vk::ImageSubresourceLayers::default().aspect_mask(vk::ImageAspectFlags::COLOR).layer_count(1),
        )
        .image_extent(image.extent().into());
    let source = barrier(image.handle(), image.range(), COLOR_ATTACHMENT, COPY_SOURCE);
    // SAFETY: recording, outside of rendering; the buffer holds all pixels and is kept until the frame is waited for.
    unsafe {
        barriers(device, slot.commands, &[source]);
        device.raw().cmd_copy_image_to_buffer(
            slot.commands,
            image.handle(),
            Layout::TRANSFER_SRC_OPTIMAL,
            buffer.handle(),
            &[region],
        );
        copies_to_host(device, slot.commands);
    }
}
