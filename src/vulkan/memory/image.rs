//! Images, their views and their mip chains.

use std::sync::Arc;

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{AllocationCreateDesc, AllocationScheme};

use super::allocation::Memory;
use super::object::Owned;
use crate::assets::level_side;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::{RendererError, VkResultExt};

/// What an image is made from: two dimensions, one layer, optimal tiling.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImageDescription<'a> {
    pub(crate) name: &'a str,
    /// In pixels, neither side 0.
    pub(crate) extent: vk::Extent2D,
    pub(crate) format: vk::Format,
    /// Another format of the same size, such as the linear one of an sRGB format, that the image can be viewed in too.
    pub(crate) second_format: Option<vk::Format>,
    pub(crate) usage: vk::ImageUsageFlags,
    pub(crate) aspect: vk::ImageAspectFlags,
    /// 1, or as many as a full chain of the extent has.
    pub(crate) mip_levels: u32,
    pub(crate) samples: vk::SampleCountFlags,
}

/// An image with memory of its own and a view of all of it, or two views in different formats.
#[derive(Debug)]
pub(crate) struct Image {
    // In the order of destruction: the view before the image, the image before its memory.
    view: Owned<vk::ImageView>,
    second_view: Option<Owned<vk::ImageView>>,
    object: Owned<vk::Image>,
    _memory: Memory,
    name: Box<str>,
    extent: vk::Extent2D,
    format: vk::Format,
    aspect: vk::ImageAspectFlags,
    mip_levels: u32,
}

impl Image {
    pub(crate) fn new(
        device: &Arc<Device>,
        description: &ImageDescription<'_>,
    ) -> Result<Self, RendererError> {
        let ImageDescription { name, extent, format, second_format, usage, aspect, mip_levels, samples } =
            *description;
        check_extent(device, name, extent)?;
        let formats = [format, second_format.unwrap_or(format)];
        let mut list = vk::ImageFormatListCreateInfo::default().view_formats(&formats);
        let mut info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(extent.into())
            .mip_levels(mip_levels)
            .array_layers(1)
            .samples(samples)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        if second_format.is_some() {
            info = info.flags(vk::ImageCreateFlags::MUTABLE_FORMAT).push_next(&mut list);
        }
        // SAFETY: all of the description is alive here; the extent is within the device's limit.
        let object = unsafe { device.create(&info, name) }?;
        let memory = image_memory(device, &object, name)?;
        let (place, offset) = memory.place();
        // SAFETY: the image is not bound yet, and the memory meets its requirements.
        unsafe { device.raw().bind_image_memory(object.handle(), place, offset) }.at("vkBindImageMemory")?;
        let view = |format| {
            let info = vk::ImageViewCreateInfo::default()
                .image(object.handle())
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(format)
                .subresource_range(whole(aspect, mip_levels));
            // SAFETY: the image is alive, bound, and made for both formats.
            unsafe { device.create(&info, &format!("{name} view")) }
        };
        let (view, second_view) = (view(format)?, second_format.map(view).transpose()?);
        let name = name.into();
        Ok(Self { view, second_view, object, _memory: memory, name, extent, format, aspect, mip_levels })
    }

    pub(crate) fn handle(&self) -> vk::Image {
        self.object.handle()
    }

    /// The view of all levels.
    pub(crate) fn view(&self) -> vk::ImageView {
        self.view.handle()
    }

    /// The view of all levels in the second format, if the image was made with one.
    pub(crate) fn second_view(&self) -> Option<vk::ImageView> {
        self.second_view.as_ref().map(Owned::handle)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn extent(&self) -> vk::Extent2D {
        self.extent
    }

    pub(crate) fn format(&self) -> vk::Format {
        self.format
    }

    pub(crate) fn mip_levels(&self) -> u32 {
        self.mip_levels
    }

    /// All levels, for barriers.
    pub(crate) fn range(&self) -> vk::ImageSubresourceRange {
        whole(self.aspect, self.mip_levels)
    }
}

/// Memory for an image; of its own where the driver prefers that, as many do for render targets.
fn image_memory(device: &Arc<Device>, image: &Owned<vk::Image>, name: &str) -> Result<Memory, RendererError> {
    let mut dedicated = vk::MemoryDedicatedRequirements::default();
    let mut requirements = vk::MemoryRequirements2::default().push_next(&mut dedicated);
    let info = vk::ImageMemoryRequirementsInfo2::default().image(image.handle());
    // SAFETY: the image is alive.
    unsafe {
        device.raw().get_image_memory_requirements2(&info, &mut requirements);
    }
    let requirements = requirements.memory_requirements;
    let wants_own = dedicated.requires_dedicated_allocation == vk::TRUE
        || dedicated.prefers_dedicated_allocation == vk::TRUE;
    Memory::new(
        device,
        &AllocationCreateDesc {
            name,
            requirements,
            location: MemoryLocation::GpuOnly,
            linear: false,
            allocation_scheme: match wants_own {
                true => AllocationScheme::DedicatedImage(image.handle()),
                false => AllocationScheme::GpuAllocatorManaged,
            },
        },
    )
}

/// Fails for an image that has no extent or is larger than the device allows.
pub(crate) fn check_extent(device: &Device, name: &str, extent: vk::Extent2D) -> Result<(), RendererError> {
    let limit = device.capabilities().limits.max_image_dimension2_d;
    let vk::Extent2D { width, height } = extent;
    let name = || name.to_owned();
    if width == 0 || height == 0 {
        return Err(RendererError::ZeroSize { name: name() });
    }
    if width > limit || height > limit {
        return Err(RendererError::ImageTooLarge { name: name(), width, height, limit });
    }
    Ok(())
}

/// Fails for a picture that the device cannot draw to.
pub(crate) fn check_target(device: &Device, name: &str, extent: vk::Extent2D) -> Result<(), RendererError> {
    check_extent(device, name, extent)?;
    let limits = &device.capabilities().limits;
    let [viewport_width, viewport_height] = limits.max_viewport_dimensions;
    let vk::Extent2D { width, height } = extent;
    for (side, limit) in [
        (width, limits.max_framebuffer_width.min(viewport_width)),
        (height, limits.max_framebuffer_height.min(viewport_height)),
    ] {
        if side > limit {
            return Err(RendererError::ImageTooLarge { name: name.to_owned(), width, height, limit });
        }
    }
    Ok(())
}

/// The extent of one level of a mip chain.
pub(crate) fn mip_extent(extent: vk::Extent2D, level: u32) -> vk::Extent2D {
    vk::Extent2D { width: level_side(extent.width, level), height: level_side(extent.height, level) }
}

fn whole(aspect: vk::ImageAspectFlags, levels: u32) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange::default().aspect_mask(aspect).level_count(levels).layer_count(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mip_chains_round_down_to_one() {
        let extent = |width, height| vk::Extent2D { width, height };
        assert_eq!(mip_extent(extent(5, 3), 1), extent(2, 1));
        assert_eq!(mip_extent(extent(5, 3), 2), extent(1, 1));
        assert_eq!(mip_extent(extent(5, 3), 40), extent(1, 1));
    }
}
