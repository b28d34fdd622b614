//! What the chosen device can do beyond the floor, probed once.

use std::ffi::CStr;

use ash::{ext, khr, vk};

use super::facts::{DeviceFacts, device_name};
use super::instance::Instance;
use super::instance_support::contains_extension;
use super::selection::QueueFamilies;
use crate::assets::BlockFormats;
use crate::vulkan::error::{RendererError, VkResultExt};
use crate::vulkan::options::RendererOptions;

/// Identity, limits and optional features of a device.
#[derive(Clone, Debug)]
pub(crate) struct Capabilities {
    pub(crate) device_name: String,
    pub(crate) device_type: vk::PhysicalDeviceType,
    pub(crate) api_version: u32,
    pub(crate) driver_name: String,
    pub(crate) driver_info: String,
    pub(crate) limits: vk::PhysicalDeviceLimits,
    /// Present fences exist and are enabled.
    pub(crate) swapchain_maintenance1: bool,
    /// The device is not fully conformant (MoltenVK); the extension is enabled, as it has to be.
    pub(crate) portability_subset: bool,
    /// Anisotropic filtering is enabled; `limits.max_sampler_anisotropy` bounds it.
    pub(crate) sampler_anisotropy: bool,
    /// Triangles can be drawn as their edges, and it is enabled.
    pub(crate) fill_mode_non_solid: bool,
    /// Indices of any 32-bit value are enabled; otherwise `limits.max_draw_indexed_index_value` bounds them.
    pub(crate) full_draw_index_uint32: bool,
    /// The compressed formats that can be sampled and filtered; their features are enabled.
    pub(crate) block_formats: BlockFormats,
    /// The best depth format that can be drawn to, without stencil.
    pub(crate) depth_format: vk::Format,
    /// Bits of a timestamp that count on the graphics queue; 0 when there are none.
    pub(crate) timestamp_valid_bits: u32,
}

impl Capabilities {
    pub(crate) fn probe(
        instance: &Instance,
        physical: vk::PhysicalDevice,
        facts: &DeviceFacts,
        families: QueueFamilies,
    ) -> Result<Self, RendererError> {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
        // SAFETY: `physical` belongs to this instance and knows Vulkan 1.3, hence the chained structure.
        let extensions = unsafe {
            instance.raw().get_physical_device_properties2(physical, &mut properties);
            instance.raw().enumerate_device_extension_properties(physical)
        }
        .at("vkEnumerateDeviceExtensionProperties")?;
        let properties = properties.properties;
        let offers = |name| contains_extension(&extensions, name);

        let mut maintenance = vk::PhysicalDeviceSwapchainMaintenance1FeaturesEXT::default();
        let maintenance_offered = families.present.is_some()
            && instance.has_surface_maintenance()
            && offers(ext::swapchain_maintenance1::NAME);
        let mut features = vk::PhysicalDeviceFeatures2::default();
        if maintenance_offered {
            features = features.push_next(&mut maintenance);
        }
        // SAFETY: as above; the chained structure belongs to an extension that the device lists.
        unsafe {
            instance.raw().get_physical_device_features2(physical, &mut features);
        }
        let features = features.features;

        let optimal = |format| {
            // SAFETY: `physical` belongs to this instance.
            unsafe { instance.raw().get_physical_device_format_properties(physical, format) }
                .optimal_tiling_features
        };
        let graphics = facts.families.get(families.graphics as usize);
        Ok(Self {
            device_name: device_name(&properties),
            device_type: properties.device_type,
            api_version: properties.api_version,
            driver_name: text_of(driver.driver_name_as_c_str()),
            driver_info: text_of(driver.driver_info_as_c_str()),
            limits: properties.limits,
            swapchain_maintenance1: maintenance.swapchain_maintenance1 == vk::TRUE,
            portability_subset: offers(khr::portability_subset::NAME),
            sampler_anisotropy: features.sampler_anisotropy == vk::TRUE,
            fill_mode_non_solid: features.fill_mode_non_solid == vk::TRUE,
            full_draw_index_uint32: features.full_draw_index_uint32 == vk::TRUE,
            block_formats: block_formats(&features, optimal),
            depth_format: depth_format(optimal)?,
            timestamp_valid_bits: graphics.map_or(0, |family| family.timestamp_valid_bits),
        })
    }

    /// Checks the options that depend on the device.
    pub(crate) fn check(&self, options: &RendererOptions) -> Result<(), RendererError> {
        let counts =
            self.limits.framebuffer_color_sample_counts & self.limits.framebuffer_depth_sample_counts;
        if !counts.contains(sample_flags(options.samples)) {
            let possible = [1, 2, 4, 8].into_iter().filter(|&samples| counts.contains(sample_flags(samples)));
            let possible: Vec<String> = possible.map(|samples| samples.to_string()).collect();
            return Err(RendererError::InvalidOption {
                option: "samples",
                reason: format!(
                    "{} cannot draw with {} samples per pixel; it can with {}",
                    self.device_name,
                    options.samples,
                    possible.join(", ")
                ),
            });
        }
        Ok(())
    }

    /// The anisotropy to filter with when `wanted` is asked for; `None` leaves it off.
    pub(crate) fn anisotropy(&self, wanted: f32) -> Option<f32> {
        let allowed = wanted.min(self.limits.max_sampler_anisotropy);
        (self.sampler_anisotropy && allowed > 1.0).then_some(allowed)
    }

    /// The names of the extensions to enable.
    pub(crate) fn extensions(&self, families: QueueFamilies) -> Vec<&'static CStr> {
        [
            (families.present.is_some(), khr::swapchain::NAME),
            (self.swapchain_maintenance1, ext::swapchain_maintenance1::NAME),
            (self.portability_subset, khr::portability_subset::NAME),
        ]
        .into_iter()
        .filter_map(|(wanted, name)| wanted.then_some(name))
        .collect()
    }
}

/// A text from the driver, cleaned of bytes that are not UTF-8; empty if it has no end.
pub(crate) fn text_of<E>(text: Result<&CStr, E>) -> String {
    text.map_or_else(|_| String::new(), |text| text.to_string_lossy().into_owned())
}

/// Vulkan's flag for a number of samples per pixel.
pub(crate) fn sample_flags(samples: u32) -> vk::SampleCountFlags {
    vk::SampleCountFlags::from_raw(samples)
}

/// Whether mips can be made from mips by blits with a linear filter.
pub(crate) fn supports_mip_blits(features: vk::FormatFeatureFlags) -> bool {
    features.contains(
        vk::FormatFeatureFlags::BLIT_SRC
            | vk::FormatFeatureFlags::BLIT_DST
            | vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_LINEAR,
    )
}

/// Whether images of the format can be uploaded and filtered.
pub(crate) fn supports_textures(features: vk::FormatFeatureFlags) -> bool {
    features.contains(
        vk::FormatFeatureFlags::SAMPLED_IMAGE
            | vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_LINEAR
            | vk::FormatFeatureFlags::TRANSFER_DST,
    )
}

/// Each needs its feature, and both of its formats: whether colors or data are in the blocks is up to materials.
fn block_formats(
    features: &vk::PhysicalDeviceFeatures,
    optimal: impl Fn(vk::Format) -> vk::FormatFeatureFlags,
) -> BlockFormats {
    let both = |feature, formats: [vk::Format; 2]| {
        feature == vk::TRUE && formats.into_iter().all(|format| supports_textures(optimal(format)))
    };
    BlockFormats {
        bc7: both(features.texture_compression_bc, [vk::Format::BC7_SRGB_BLOCK, vk::Format::BC7_UNORM_BLOCK]),
        etc2: both(
            features.texture_compression_etc2,
            [vk::Format::ETC2_R8G8B8A8_SRGB_BLOCK, vk::Format::ETC2_R8G8B8A8_UNORM_BLOCK],
        ),
        astc: both(
            features.texture_compression_astc_ldr,
            [vk::Format::ASTC_4X4_SRGB_BLOCK, vk::Format::ASTC_4X4_UNORM_BLOCK],
        ),
    }
}

fn depth_format(optimal: impl Fn(vk::Format) -> vk::FormatFeatureFlags) -> Result<vk::Format, RendererError> {
    [vk::Format::D32_SFLOAT, vk::Format::X8_D24_UNORM_PACK32, vk::Format::D16_UNORM]
        .into_iter()
        .find(|&format| optimal(format).contains(vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT))
        .ok_or_else(|| RendererError::MissingDeviceSupport {
            what: "any depth format that can be drawn to".to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_precise_depth_format_wins() {
        let attachment = vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT;
        assert_eq!(depth_format(|_| attachment), Ok(vk::Format::D32_SFLOAT));
        let only_16 = |format| match format {
            vk::Format::D16_UNORM => attachment,
            _ => vk::FormatFeatureFlags::SAMPLED_IMAGE,
        };
        assert_eq!(depth_format(only_16), Ok(vk::Format::D16_UNORM));
        assert!(depth_format(|_| vk::FormatFeatureFlags::empty()).is_err());
    }

    #[test]
    fn block_formats_need_their_feature_and_both_formats() {
        let texture = vk::FormatFeatureFlags::SAMPLED_IMAGE
            | vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_LINEAR
            | vk::FormatFeatureFlags::TRANSFER_DST;
        let all = vk::PhysicalDeviceFeatures::default()
            .texture_compression_bc(true)
            .texture_compression_etc2(true)
            .texture_compression_astc_ldr(true);
        let every = BlockFormats { bc7: true, etc2: true, astc: true };
        assert_eq!(block_formats(&all, |_| texture), every);
        assert_eq!(block_formats(&vk::PhysicalDeviceFeatures::default(), |_| texture), BlockFormats::NONE);
        let no_srgb_bc = |format| match format {
            vk::Format::BC7_SRGB_BLOCK => vk::FormatFeatureFlags::empty(),
            _ => texture,
        };
        assert_eq!(block_formats(&all, no_srgb_bc), BlockFormats { bc7: false, ..every });
        let no_astc = all.texture_compression_astc_ldr(false);
        assert_eq!(block_formats(&no_astc, |_| texture), BlockFormats { astc: false, ..every });
        let unfiltered = vk::FormatFeatureFlags::SAMPLED_IMAGE | vk::FormatFeatureFlags::TRANSFER_DST;
        assert_eq!(block_formats(&all, |_| unfiltered), BlockFormats::NONE);
    }

    #[test]
    fn mip_blits_need_source_destination_and_filter() {
        use vk::FormatFeatureFlags as Feature;
        let parts = [Feature::BLIT_SRC, Feature::BLIT_DST, Feature::SAMPLED_IMAGE_FILTER_LINEAR];
        let all = parts[0] | parts[1] | parts[2];
        assert!(supports_mip_blits(all));
        for part in parts {
            assert!(!supports_mip_blits(all & !part));
        }
    }

    #[test]
    fn sample_numbers_are_their_flags() {
        assert_eq!(sample_flags(1), vk::SampleCountFlags::TYPE_1);
        assert_eq!(sample_flags(4), vk::SampleCountFlags::TYPE_4);
    }
}
