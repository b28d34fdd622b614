//! The pass that draws the overlay over the color target.

use super::data::{Overlay, OverlayRect, OverlayTextureId};
use crate::assets::{MagFilter, MinFilter, Sampler, WrapMode};
use crate::vulkan::compiled::pipelines::Pipelines;
use crate::vulkan::compiled::textures::TextureSet;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::frame::record::{COLOR_ATTACHMENT, barrier, barriers, set_viewport};
use crate::vulkan::frame::targets::Targets;
use crate::vulkan::memory::buffer::{Buffer, BufferDescription};
use crate::vulkan::memory::object::Owned;
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::collections::HashMap;
use std::sync::Arc;
use vk::ImageLayout as Layout;

/// Pipeline and per-frame buffers of the overlay; made when an overlay is first drawn.
pub(crate) struct OverlayPass {
    device: Arc<Device>,
    layout: Owned<vk::PipelineLayout>,
    pipeline: Owned<vk::Pipeline>,
    /// Vertices and indices of each frame in flight.
    frames: Vec<[Option<Buffer>; 2]>,
}

/// How textures are read unless something else is asked for: linearly, clamped at the edges, without mips.
pub(crate) const OVERLAY_SAMPLER: Sampler = Sampler {
    mag_filter: MagFilter::Linear,
    min_filter: MinFilter::Linear,
    wrap_u: WrapMode::ClampToEdge,
    wrap_v: WrapMode::ClampToEdge,
};

/// The textures of an overlay, by their ids.
#[derive(Default)]
pub(crate) struct OverlayTextures {
    made: HashMap<OverlayTextureId, TextureSet>,
    next: u32,
}

impl OverlayTextures {
    pub(crate) fn add(&mut self, set: TextureSet) -> OverlayTextureId {
        let id = OverlayTextureId(self.next);
        self.next += 1;
        self.made.insert(id, set);
        id
    }

    pub(crate) fn remove(&mut self, id: OverlayTextureId) -> Option<TextureSet> {
        self.made.remove(&id)
    }

    pub(crate) fn find(&self, id: OverlayTextureId) -> Option<&TextureSet> {
        self.made.get(&id)
    }

    pub(crate) fn contains(&self, id: OverlayTextureId) -> bool {
        self.made.contains_key(&id)
    }
}

impl OverlayPass {
    pub(crate) fn new(
        device: &Arc<Device>,
        pipelines: &Pipelines,
        frames: usize,
    ) -> Result<Self, RendererError> {
        let sets = [pipelines.texture_layout.handle()];
        let scale = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::VERTEX).size(8)];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&scale);
        // SAFETY: the set layout is alive.
        let layout = unsafe { device.create(&info, "overlay pipeline layout") }?;
        Ok(Self {
            pipeline: pipelines.create_overlay(&layout)?,
            layout,
            frames: (0..frames).map(|_| [None, None]).collect(),
            device: Arc::clone(device),
        })
    }

    /// Copies an overlay's lists to where the frame reads them; nothing uses the frame's buffers.
    pub(crate) fn upload(&mut self, frame: usize, overlay: &Overlay) -> Result<(), RendererError> {
        let Some(buffers) = self.frames.get_mut(frame) else { return Ok(()) };
        let lists: [(&[u8], _, _); 2] = [
            (
                bytemuck::cast_slice(&overlay.vertices),
                vk::BufferUsageFlags::VERTEX_BUFFER,
                "overlay vertices",
            ),
            (bytemuck::cast_slice(&overlay.indices), vk::BufferUsageFlags::INDEX_BUFFER, "overlay indices"),
        ];
        for (buffer, (bytes, usage, name)) in buffers.iter_mut().zip(lists) {
            let needed = bytes.len() as u64;
            if buffer.as_ref().is_none_or(|buffer| buffer.size() < needed) {
                let (size, location) = (needed.next_power_of_two().max(256), MemoryLocation::CpuToGpu);
                let name = &format!("frame {frame} {name}");
                *buffer =
                    Some(Buffer::new(&self.device, &BufferDescription { name, size, usage, location })?);
            }
            if let Some(buffer) = buffer {
                buffer.write(0, bytes)?;
            }
        }
        Ok(())
    }

    /// Records the pass over a written color target, which stays an attachment. The overlay was checked and uploaded;
    /// `white` is what draws without a texture show.
    pub(crate) fn record(
        &self,
        frame: usize,
        commands: vk::CommandBuffer,
        targets: &Targets,
        overlay: &Overlay,
        textures: &OverlayTextures,
        white: vk::DescriptorSet,
    ) {
        let Some([Some(vertices), Some(indices)]) = self.frames.get(frame) else { return };
        let (device, extent, color) = (self.device.raw(), targets.extent(), &targets.color);
        let attachment = [vk::RenderingAttachmentInfo::default()
            .image_view(color.view())
            .image_layout(Layout::COLOR_ATTACHMENT_OPTIMAL)
            .load_op(vk::AttachmentLoadOp::LOAD)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let rendering = vk::RenderingInfo::default()
            .render_area(extent.into())
            .layer_count(1)
            .color_attachments(&attachment);
        let scale = [2.0 / extent.width as f32, 2.0 / extent.height as f32];
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        let layout = self.layout.handle();
        // SAFETY: recording, outside of rendering; everything bound is owned by this pass, or is a texture that is retired
        // only after the frame. Draws lie within the buffers: the overlay was checked.
        unsafe {
            let written = barrier(color.handle(), color.range(), COLOR_ATTACHMENT, COLOR_ATTACHMENT);
            barriers(&self.device, commands, &[written]);
            device.cmd_begin_rendering(commands, &rendering);
            set_viewport(&self.device, commands, extent, false);
            device.cmd_set_cull_mode(commands, vk::CullModeFlags::NONE);
            device.cmd_set_front_face(commands, vk::FrontFace::COUNTER_CLOCKWISE);
            device.cmd_bind_pipeline(commands, graphics, self.pipeline.handle());
            device.cmd_bind_vertex_buffers(commands, 0, &[vertices.handle()], &[0]);
            device.cmd_bind_index_buffer(commands, indices.handle(), 0, vk::IndexType::UINT32);
            let stage = vk::ShaderStageFlags::VERTEX;
            device.cmd_push_constants(commands, layout, stage, 0, bytemuck::bytes_of(&scale));
            let whole = OverlayRect { x: 0, y: 0, width: extent.width, height: extent.height };
            for draw in &overlay.draws {
                let (x, y, width, height) =
                    draw.scissor.unwrap_or(whole).within((extent.width, extent.height));
                let count = draw.indices.end - draw.indices.start;
                if width == 0 || height == 0 || count == 0 {
                    continue;
                }
                let offset = vk::Offset2D { x: x as i32, y: y as i32 };
                let scissor = vk::Rect2D { offset, extent: vk::Extent2D { width, height } };
                let texture =
                    draw.texture.and_then(|id| textures.made.get(&id)).map_or(white, TextureSet::handle);
                device.cmd_set_scissor(commands, 0, &[scissor]);
                device.cmd_bind_descriptor_sets(commands, graphics, layout, 0, &[texture], &[]);
                device.cmd_draw_indexed(commands, count, 1, draw.indices.start, 0, 0);
            }
            device.cmd_end_rendering(commands);
        }
    }
}
