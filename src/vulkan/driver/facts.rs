//! What a physical device says about itself, gathered once so that the choice is a pure function.

use ash::{khr, vk};

use super::instance::{Instance, REQUIRED_API};
use super::instance_support::contains_extension;
use crate::vulkan::error::{RendererError, VkResultExt};

/// What selection asks of a device.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeviceFacts {
    pub(crate) name: String,
    pub(crate) device_type: vk::PhysicalDeviceType,
    pub(crate) api_version: u32,
    pub(crate) swapchain_extension: bool,
    pub(crate) dynamic_rendering: bool,
    pub(crate) synchronization2: bool,
    pub(crate) multi_draw_indirect: bool,
    pub(crate) draw_indirect_first_instance: bool,
    pub(crate) families: Vec<FamilyFacts>,
    /// `None` when there is no window.
    pub(crate) surface: Option<SurfaceFacts>,
    /// A query that failed, in words.
    pub(crate) query_failure: Option<String>,
}

/// One queue family.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FamilyFacts {
    pub(crate) graphics: bool,
    pub(crate) presents: bool,
    pub(crate) timestamp_valid_bits: u32,
}

/// What a device can do with the window's surface.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SurfaceFacts {
    pub(crate) formats: usize,
    pub(crate) present_modes: usize,
    pub(crate) color_attachment: bool,
}

/// Answers questions about a device and a surface; implemented by the surface.
pub(crate) trait PresentationQuery {
    /// Whether queues of the family can present to the surface.
    fn family_presents(&self, physical: vk::PhysicalDevice, family: u32) -> Result<bool, RendererError>;

    /// What the device offers for the surface.
    fn surface_facts(&self, physical: vk::PhysicalDevice) -> Result<SurfaceFacts, RendererError>;
}

impl DeviceFacts {
    /// Asks the driver. A query that fails is recorded and makes the device unsuitable.
    pub(crate) fn gather(
        instance: &Instance,
        physical: vk::PhysicalDevice,
        surface: Option<&dyn PresentationQuery>,
    ) -> Self {
        // SAFETY: `physical` belongs to this instance.
        let properties = unsafe { instance.raw().get_physical_device_properties(physical) };
        let mut facts = Self {
            name: device_name(&properties),
            device_type: properties.device_type,
            api_version: properties.api_version,
            surface: surface.map(|_| SurfaceFacts::default()),
            ..Self::default()
        };
        // Older devices do not know the structures that are asked for below.
        if facts.api_version >= REQUIRED_API
            && let Err(error) = facts.query(instance, physical, surface)
        {
            facts.query_failure = Some(error.to_string());
        }
        facts
    }

    fn query(
        &mut self,
        instance: &Instance,
        physical: vk::PhysicalDevice,
        surface: Option<&dyn PresentationQuery>,
    ) -> Result<(), RendererError> {
        self.query_features(instance, physical)?;
        // SAFETY: `physical` belongs to this instance.
        let families = unsafe { instance.raw().get_physical_device_queue_family_properties(physical) };
        for (index, family) in (0..).zip(&families) {
            let usable = family.queue_count > 0;
            let presents = match surface {
                Some(surface) if usable => surface.family_presents(physical, index)?,
                _ => false,
            };
            self.families.push(FamilyFacts {
                graphics: usable && family.queue_flags.contains(vk::QueueFlags::GRAPHICS),
                presents,
                timestamp_valid_bits: family.timestamp_valid_bits,
            });
        }
        if let Some(surface) = surface
            && self.families.iter().any(|family| family.presents)
        {
            self.surface = Some(surface.surface_facts(physical)?);
        }
        Ok(())
    }

    fn query_features(
        &mut self,
        instance: &Instance,
        physical: vk::PhysicalDevice,
    ) -> Result<(), RendererError> {
        let mut version13 = vk::PhysicalDeviceVulkan13Features::default();
        let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut version13);
        // SAFETY: `physical` belongs to this instance and knows Vulkan 1.3, hence the chained structure.
        let extensions = unsafe {
            instance.raw().get_physical_device_features2(physical, &mut features);
            instance.raw().enumerate_device_extension_properties(physical)
        }
        .at("vkEnumerateDeviceExtensionProperties")?;
        let core = features.features;
        self.multi_draw_indirect = core.multi_draw_indirect == vk::TRUE;
        self.draw_indirect_first_instance = core.draw_indirect_first_instance == vk::TRUE;
        self.dynamic_rendering = version13.dynamic_rendering == vk::TRUE;
        self.synchronization2 = version13.synchronization2 == vk::TRUE;
        self.swapchain_extension = contains_extension(&extensions, khr::swapchain::NAME);
        Ok(())
    }
}

/// The driver's name of a device, cleaned of bytes that are not UTF-8.
pub(crate) fn device_name(properties: &vk::PhysicalDeviceProperties) -> String {
    match properties.device_name_as_c_str() {
        Ok(name) => name.to_string_lossy().into_owned(),
        Err(_) => "unnamed device".to_owned(),
    }
}

/// What kind of device it is, in words.
pub(crate) fn type_name(device_type: vk::PhysicalDeviceType) -> &'static str {
    match device_type {
        vk::PhysicalDeviceType::DISCRETE_GPU => "discrete GPU",
        vk::PhysicalDeviceType::INTEGRATED_GPU => "integrated GPU",
        vk::PhysicalDeviceType::VIRTUAL_GPU => "virtual GPU",
        vk::PhysicalDeviceType::CPU => "CPU",
        _ => "other",
    }
}
