//! Images in the formats in which the device samples them.

use crate::assets::{ImageData, ImageFormat, ImageId, RenderAssets, TextureRole};
use crate::preparation::{ImageUse, RenderPlan};
use crate::vulkan::driver::capabilities::{supports_mip_blits, supports_textures};
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::image::{Image, ImageDescription};
use crate::vulkan::memory::uploads::Uploads;
use ash::vk;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Linear data with 16 bits; no format has sRGB colors of that size.
const WIDE: vk::Format = vk::Format::R16G16B16A16_UNORM;

/// One way to read an image.
#[derive(Clone)]
pub(crate) struct SampledView {
    image: Arc<Image>,
    /// Whether it is the image's second view.
    second: bool,
}

impl SampledView {
    /// The only view of an image, or the first.
    pub(crate) fn first(image: &Arc<Image>) -> Self {
        Self { image: Arc::clone(image), second: false }
    }

    pub(crate) fn image(&self) -> &Image {
        &self.image
    }

    pub(crate) fn handle(&self) -> vk::ImageView {
        let second = self.second.then(|| self.image.second_view()).flatten();
        second.unwrap_or_else(|| self.image.view())
    }
}

impl PartialEq for SampledView {
    fn eq(&self, other: &Self) -> bool {
        self.second == other.second && Arc::ptr_eq(&self.image, &other.image)
    }
}

/// An image that is not on the GPU yet, with its pixels.
pub(crate) struct NewImage<'a> {
    image: Arc<Image>,
    /// One or all.
    levels: Vec<Cow<'a, [u8]>>,
}

impl NewImage<'_> {
    pub(crate) fn upload<'u>(
        &'u self,
        device: &Device,
        uploads: &mut Uploads<'u>,
    ) -> Result<(), RendererError> {
        let levels = self.levels.iter().map(|level| Cow::from(&level[..]));
        match &self.levels[..] {
            [only] => uploads.image(device, &self.image, &only[..]),
            _ => uploads.image_levels(&self.image, levels),
        }
    }
}

/// A plan's images by how they are read.
#[derive(Default)]
pub(crate) struct Images {
    views: HashMap<(ImageId, TextureRole), SampledView>,
}

impl Images {
    /// The plan's images, and of those the new ones with their pixels. An image is taken over from `old` if it was read
    /// in the same ways there.
    pub(crate) fn compile<'a>(
        device: &Arc<Device>,
        assets: &'a RenderAssets,
        plan: &RenderPlan,
        old: Option<&Self>,
    ) -> Result<(Self, Vec<NewImage<'a>>), RendererError> {
        let mut images = Self::default();
        let mut new = Vec::new();
        for &used in plan.images() {
            let roles = [(TextureRole::Color, used.color), (TextureRole::Data, used.data)];
            let kept = roles.map(|(role, _)| old.and_then(|old| old.view(used.image, role)));
            if kept.iter().zip(roles).all(|(kept, (_, wanted))| kept.is_some() == wanted) {
                let kept = roles.iter().zip(kept).filter_map(|(&(role, _), view)| Some((role, view?)));
                images.views.extend(kept.map(|(role, view)| ((used.image, role), view.clone())));
                continue;
            }
            let Some(data) = assets.image(used.image) else { continue };
            images.add(device, used, data, &mut new)?;
        }
        Ok((images, new))
    }

    /// The view of an image for a role that the plan has for it.
    pub(crate) fn view(&self, image: ImageId, role: TextureRole) -> Option<&SampledView> {
        self.views.get(&(image, role))
    }

    fn add<'a>(
        &mut self,
        device: &Arc<Device>,
        used: ImageUse,
        data: &'a ImageData,
        new: &mut Vec<NewImage<'a>>,
    ) -> Result<(), RendererError> {
        let ImageUse { image: id, color, data: mut linear } = used;
        let name = format!("image {id} {}", data.name);
        let given = || data.mips.iter().map(|level| Cow::from(&level[..])).collect();
        if linear && data.format == ImageFormat::Rgba16 {
            let features = device.format_features(WIDE);
            if supports_textures(features) && supports_mip_blits(features) {
                let image = Arc::new(create(device, &name, [WIDE, WIDE], data, true)?);
                self.views.insert((id, TextureRole::Data), SampledView::first(&image));
                new.push(NewImage { image, levels: given() });
                linear = false;
            }
        }
        if !color && !linear {
            return Ok(());
        }
        let [srgb, unorm] = formats(device, data, &name)?;
        // Levels of an image that is both are made as those of colors: in light.
        let wanted = [if color { srgb } else { unorm }, if linear { unorm } else { srgb }];
        let image = Arc::new(create(device, &name, wanted, data, true)?);
        if color {
            self.views.insert((id, TextureRole::Color), SampledView::first(&image));
        }
        if linear {
            let view = SampledView { image: Arc::clone(&image), second: color };
            self.views.insert((id, TextureRole::Data), view);
        }
        let levels = match data.format {
            ImageFormat::Rgba16 => data.mips.iter().map(|level| Cow::from(narrowed(level))).collect(),
            _ => given(),
        };
        new.push(NewImage { image, levels });
        Ok(())
    }
}

/// The formats for colors and for linear data; 16 bits are stored as 8.
fn formats(device: &Device, data: &ImageData, name: &str) -> Result<[vk::Format; 2], RendererError> {
    let (formats, kind) = match data.format {
        ImageFormat::Rgba8 | ImageFormat::Rgba16 => {
            return Ok([vk::Format::R8G8B8A8_SRGB, vk::Format::R8G8B8A8_UNORM]);
        }
        ImageFormat::Bc7 => ([vk::Format::BC7_SRGB_BLOCK, vk::Format::BC7_UNORM_BLOCK], "BC7"),
        ImageFormat::Etc2Rgba8 => {
            ([vk::Format::ETC2_R8G8B8A8_SRGB_BLOCK, vk::Format::ETC2_R8G8B8A8_UNORM_BLOCK], "ETC2")
        }
        ImageFormat::Astc4x4 => ([vk::Format::ASTC_4X4_SRGB_BLOCK, vk::Format::ASTC_4X4_UNORM_BLOCK], "ASTC"),
    };
    if device.capabilities().block_formats.admits(data.format) {
        return Ok(formats);
    }
    let what = format!(
        "{kind} blocks, which `{name}` holds; make the image in one of RendererInfo::block_formats, or in \
         pixels"
    );
    Err(RendererError::MissingDeviceSupport { what })
}

/// An image for sampling in the first format, and in the second if that is another one; with room for the levels that are
/// given or, where `mips` asks for them, can be made.
pub(crate) fn create(
    device: &Arc<Device>,
    name: &str,
    [format, second]: [vk::Format; 2],
    data: &ImageData,
    mips: bool,
) -> Result<Image, RendererError> {
    let sampled = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST;
    let (usage, mip_levels) = match data.format {
        ImageFormat::Rgba8 | ImageFormat::Rgba16 => {
            (sampled | vk::ImageUsageFlags::TRANSFER_SRC, if mips { data.full_level_count() } else { 1 })
        }
        // Nothing is drawn or blitted to blocks.
        ImageFormat::Bc7 | ImageFormat::Etc2Rgba8 | ImageFormat::Astc4x4 => (sampled, data.mips.len() as u32),
    };
    Image::new(
        device,
        &ImageDescription {
            name,
            extent: vk::Extent2D { width: data.width, height: data.height },
            format,
            second_format: (second != format).then_some(second),
            usage,
            aspect: vk::ImageAspectFlags::COLOR,
            mip_levels,
            samples: vk::SampleCountFlags::TYPE_1,
        },
    )
}

/// 16-bit components as the nearest 8-bit ones.
fn narrowed(level: &[u8]) -> Vec<u8> {
    let (components, _none) = level.as_chunks::<2>();
    // 65,535 is 257 times 255.
    components.iter().map(|&bytes| ((u32::from(u16::from_ne_bytes(bytes)) + 128) / 257) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_become_the_nearest_eight() {
        let wide = [0_u16, 128, 129, 257, 32_768, 65_406, 65_407, 65_535];
        let bytes: Vec<u8> = wide.iter().flat_map(|value| value.to_ne_bytes()).collect();
        assert_eq!(narrowed(&bytes), [0, 0, 1, 1, 128, 254, 255, 255]);
    }
}
