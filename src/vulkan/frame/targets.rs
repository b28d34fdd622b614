//! The images that a frame in flight draws to.

use crate::vulkan::compiled::pipelines::TargetFormats;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::image::{Image, ImageDescription};
use ash::vk;
use std::sync::Arc;

/// Color and depth of one frame in flight, with multisampled twins where the renderer multisamples.
pub(crate) struct Targets {
    /// Single-sampled: what is shown, copied or sampled.
    pub(crate) color: Image,
    pub(crate) multisampled: Option<Image>,
    pub(crate) depth: Image,
}

impl Targets {
    pub(crate) fn new(
        device: &Arc<Device>,
        formats: TargetFormats,
        extent: vk::Extent2D,
        frame: usize,
    ) -> Result<Self, RendererError> {
        let image = |name: &str, format, usage, aspect, samples| {
            let name = &format!("{name} {frame}");
            Image::new(
                device,
                &ImageDescription {
                    name,
                    extent,
                    format,
                    second_format: None,
                    usage,
                    aspect,
                    mip_levels: 1,
                    samples,
                },
            )
        };
        let attachment = vk::ImageUsageFlags::COLOR_ATTACHMENT;
        let transient = vk::ImageUsageFlags::TRANSIENT_ATTACHMENT;
        let multisampled = (formats.samples != vk::SampleCountFlags::TYPE_1)
            .then(|| {
                let usage = attachment | transient;
                image(
                    "multisampled color",
                    formats.color,
                    usage,
                    vk::ImageAspectFlags::COLOR,
                    formats.samples,
                )
            })
            .transpose()?;
        Ok(Self {
            color: image(
                "color",
                formats.color,
                attachment | vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::SAMPLED,
                vk::ImageAspectFlags::COLOR,
                vk::SampleCountFlags::TYPE_1,
            )?,
            multisampled,
            depth: image(
                "depth",
                formats.depth,
                vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT | transient,
                vk::ImageAspectFlags::DEPTH,
                formats.samples,
            )?,
        })
    }

    pub(crate) fn extent(&self) -> vk::Extent2D {
        self.color.extent()
    }
}
