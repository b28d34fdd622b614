//! The last pass of a window's frame: from the color target to the swapchain's image.

use super::swapchain::{AcquiredImage, SwapchainPlan};
use crate::vulkan::compiled::pipelines::{Pipelines, sampled_layout};
use crate::vulkan::compiled::textures::DescriptorSets;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::frame::record::{COLOR_ATTACHMENT, barrier, barriers, set_viewport};
use crate::vulkan::frame::slot::FrameSlot;
use crate::vulkan::frame::targets::Targets;
use crate::vulkan::memory::object::Owned;
use ash::vk;
use std::sync::Arc;
use vk::{AccessFlags2 as Access, ImageLayout as Layout, PipelineStageFlags2 as Stage};

/// Copies the picture pixel by pixel; encodes sRGB itself where the surface cannot.
pub(crate) struct OutputPass {
    device: Arc<Device>,
    layout: Owned<vk::PipelineLayout>,
    sampler: Owned<vk::Sampler>,
    /// One set for each frame in flight.
    sets: DescriptorSets,
    pipeline: Option<((vk::Format, bool), Owned<vk::Pipeline>)>,
    _set_layout: Owned<vk::DescriptorSetLayout>,
}

impl OutputPass {
    pub(crate) fn new(device: &Arc<Device>, frames: u32) -> Result<Self, RendererError> {
        let set_layout = sampled_layout(device, 1, "output set layout")?;
        let layouts = [set_layout.handle()];
        let kind = (vk::DescriptorType::COMBINED_IMAGE_SAMPLER, 1);
        Ok(Self {
            // SAFETY: the layouts are alive here; the sampler's description refers to nothing.
            layout: unsafe {
                let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
                device.create(&info, "output pipeline layout")?
            },
            // SAFETY: the description refers to nothing.
            sampler: unsafe { device.create(&vk::SamplerCreateInfo::default(), "output sampler") }?,
            sets: DescriptorSets::new(device, &set_layout, kind, frames, "output set")?,
            pipeline: None,
            _set_layout: set_layout,
            device: Arc::clone(device),
        })
    }

    /// Makes the pipeline for a new swapchain's format. Returns what it replaces, which frames in flight may still use.
    pub(crate) fn fit(
        &mut self,
        pipelines: &Pipelines,
        plan: &SwapchainPlan,
    ) -> Result<Option<Owned<vk::Pipeline>>, RendererError> {
        let key = (plan.format.format, plan.format.encode_srgb);
        if self.pipeline.as_ref().is_some_and(|(made_for, _)| *made_for == key) {
            return Ok(None);
        }
        let made = pipelines.create_output(&self.layout, key.0, key.1)?;
        Ok(self.pipeline.replace((key, made)).map(|(_, old)| old))
    }

    /// Points a frame's set at its new color target; nothing uses either.
    pub(crate) fn set_source(&self, frame: usize, targets: &Targets) {
        self.sets.write_image(frame, 0, targets.color.view(), &self.sampler);
    }

    /// Records the pass. Afterwards the swapchain's image can be presented.
    pub(crate) fn record(
        &self,
        frame: usize,
        slot: &FrameSlot,
        targets: &Targets,
        image: &AcquiredImage,
    ) -> Result<(), RendererError> {
        let Some((_, pipeline)) = &self.pipeline else {
            return Err(RendererError::NotPrepared { reason: "the output pass has no pipeline".to_owned() });
        };
        let (device, commands) = (self.device.raw(), slot.commands);
        let extent = targets.extent();
        let sampled = (Layout::SHADER_READ_ONLY_OPTIMAL, Stage::FRAGMENT_SHADER, Access::SHADER_SAMPLED_READ);
        // The same stage as the acquire semaphore's wait, so that the transition comes after it.
        let acquired = (Layout::UNDEFINED, Stage::COLOR_ATTACHMENT_OUTPUT, Access::NONE);
        let presented = (Layout::PRESENT_SRC_KHR, Stage::NONE, Access::NONE);
        let whole = targets.color.range();
        let attachment = [vk::RenderingAttachmentInfo::default()
            .image_view(image.view)
            .image_layout(Layout::COLOR_ATTACHMENT_OPTIMAL)
            .load_op(vk::AttachmentLoadOp::DONT_CARE)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let rendering = vk::RenderingInfo::default()
            .render_area(extent.into())
            .layer_count(1)
            .color_attachments(&attachment);
        let sets = [self.sets.sets.get(frame).copied().unwrap_or_default()];
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        // SAFETY: recording, outside of rendering; the image was acquired, and everything else is owned by the slot or by
        // this pass, which outlive the frame. The extent is the swapchain's.
        unsafe {
            barriers(
                &self.device,
                commands,
                &[
                    barrier(targets.color.handle(), whole, COLOR_ATTACHMENT, sampled),
                    barrier(image.image, whole, acquired, COLOR_ATTACHMENT),
                ],
            );
            device.cmd_begin_rendering(commands, &rendering);
            set_viewport(&self.device, commands, extent, false);
            device.cmd_set_cull_mode(commands, vk::CullModeFlags::NONE);
            device.cmd_set_front_face(commands, vk::FrontFace::COUNTER_CLOCKWISE);
            device.cmd_bind_pipeline(commands, graphics, pipeline.handle());
            device.cmd_bind_descriptor_sets(commands, graphics, self.layout.handle(), 0, &sets, &[]);
            device.cmd_draw(commands, 3, 1, 0, 0);
            device.cmd_end_rendering(commands);
            barriers(&self.device, commands, &[barrier(image.image, whole, COLOR_ATTACHMENT, presented)]);
        }
        Ok(())
    }
}
