//! What a renderer can tell about itself.

use std::fmt;

use crate::assets::BlockFormats;
use crate::vulkan::driver::device::Device;
use crate::vulkan::driver::facts::type_name;
use crate::vulkan::driver::instance_support::version_text;

/// The device, the driver and the presentation of a renderer, for people to read.
///
/// The [`Display`](fmt::Display) form is one fact a line, without a line break at the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RendererInfo {
    /// The device's name.
    pub device_name: String,
    /// What kind of device it is: "discrete GPU", "integrated GPU", "virtual GPU", "CPU" or "other".
    pub device_type: &'static str,
    /// The driver's name, such as "llvmpipe".
    pub driver_name: String,
    /// The driver's own words about its version.
    pub driver_info: String,
    /// The Vulkan version that the device offers, such as "1.3.230".
    pub api_version: String,
    /// The most pixels that an image may be wide and high.
    pub max_image_dimension: u32,
    /// The compressed image formats that the device samples: what the loader may transcode to.
    pub block_formats: BlockFormats,
    /// The queue family that draws.
    pub graphics_family: u32,
    /// The queue family that presents; `None` when headless.
    pub present_family: Option<u32>,
    /// How frames are shown: "headless", or the window's images, size, format and present mode.
    pub presentation: String,
    /// Whether the validation layer is on, and why not.
    pub validation: String,
}

impl RendererInfo {
    /// The facts of a device; `presentation` is the target's own description.
    pub(crate) fn new(device: &Device, presentation: String) -> Self {
        let capabilities = device.capabilities();
        Self {
            device_name: capabilities.device_name.clone(),
            device_type: type_name(capabilities.device_type),
            driver_name: capabilities.driver_name.clone(),
            driver_info: capabilities.driver_info.clone(),
            api_version: version_text(capabilities.api_version),
            max_image_dimension: capabilities.limits.max_image_dimension2_d,
            block_formats: capabilities.block_formats,
            graphics_family: device.families().graphics,
            present_family: device.families().present,
            presentation,
            validation: device.instance().validation().to_owned(),
        }
    }
}

impl fmt::Display for RendererInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Device: {} ({})", self.device_name, self.device_type)?;
        writeln!(f, "Driver: {} {}, Vulkan {}", self.driver_name, self.driver_info, self.api_version)?;
        let BlockFormats { bc7, etc2, astc } = self.block_formats;
        let blocks: Vec<_> = [(bc7, "BC7"), (etc2, "ETC2"), (astc, "ASTC")]
            .into_iter()
            .filter_map(|(offered, name)| offered.then_some(name))
            .collect();
        let blocks = if blocks.is_empty() { "none".to_owned() } else { blocks.join(", ") };
        writeln!(f, "Compressed images: {blocks}")?;
        write!(f, "Queue families: graphics {}", self.graphics_family)?;
        if let Some(present) = self.present_family {
            write!(f, ", present {present}")?;
        }
        writeln!(f, "\nPresentation: {}", self.presentation)?;
        write!(f, "Validation: {}", self.validation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fact_a_line() {
        let mut info = RendererInfo {
            device_name: "llvmpipe".into(),
            device_type: "CPU",
            driver_name: "llvmpipe".into(),
            driver_info: "Mesa 22.3.6".into(),
            api_version: "1.3.230".into(),
            max_image_dimension: 4096,
            block_formats: BlockFormats::NONE,
            graphics_family: 0,
            present_family: None,
            presentation: "headless".into(),
            validation: "off".into(),
        };
        let expected = "Device: llvmpipe (CPU)\nDriver: llvmpipe Mesa 22.3.6, Vulkan 1.3.230\n\
                        Compressed images: none\nQueue families: graphics 0\nPresentation: headless\nValidation: off";
        assert_eq!(info.to_string(), expected);
        info.present_family = Some(1);
        assert!(info.to_string().contains("graphics 0, present 1\n"));
        info.block_formats = BlockFormats { bc7: true, astc: true, ..BlockFormats::NONE };
        assert!(info.to_string().contains("\nCompressed images: BC7, ASTC\n"));
    }
}
