//! All devices of the machine, and whether each can be used.

use std::fmt;

use ash::vk;

use super::capabilities::{Capabilities, text_of};
use super::facts::{DeviceFacts, type_name};
use super::instance::Instance;
use super::instance_support::version_text;
use super::selection::{choose, suitable_families};
use crate::vulkan::error::RendererError;
use crate::vulkan::options::{RendererOptions, Validation};

/// A device that Vulkan lists, usable or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// The name that the driver gives the device.
    pub name: String,
    /// What kind of device it is: "discrete GPU", "integrated GPU", "virtual GPU", "CPU" or "other".
    pub device_type: &'static str,
    /// The driver's name, such as "llvmpipe"; empty for a device before Vulkan 1.2, which does not say.
    pub driver_name: String,
    /// The driver's own words about its version; empty likewise.
    pub driver_info: String,
    /// The Vulkan version that the device offers, such as "1.3.230".
    pub api_version: String,
    /// Bytes of the memory that is the device's own. A device without memory of its own says how much of the machine's it
    /// may take.
    pub memory_bytes: u64,
    /// Whether it can show pictures in windows at all; a certain window may still ask for more.
    pub has_swapchains: bool,
    /// The first requirement that it does not meet; `None` if it can be used, at least without a window.
    pub unusable: Option<String>,
    /// Whether it is the one that a headless renderer takes unless [`RendererOptions::device`] asks for another.
    pub is_default: bool,
}

impl fmt::Display for DeviceInfo {
    /// One fact a line, without a line break at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, device_type, driver_name, driver_info, api_version, .. } = self;
        writeln!(f, "{name} ({device_type})")?;
        let driver = [driver_name.as_str(), driver_info].map(str::trim).join(" ");
        let driver = if driver.trim().is_empty() { "unknown" } else { driver.trim() };
        writeln!(f, "  driver: {driver}, Vulkan {api_version}")?;
        writeln!(f, "  memory: {} MiB", self.memory_bytes >> 20)?;
        writeln!(f, "  windows: {}", if self.has_swapchains { "yes" } else { "no" })?;
        match &self.unusable {
            Some(reason) => write!(f, "  not usable: {reason}"),
            None if self.is_default => f.write_str("  usable; taken unless another is asked for"),
            None => f.write_str("  usable"),
        }
    }
}

/// Every device that the installed drivers offer, in their order, and why each can be used or not. Opens none of them.
///
/// ```no_run
/// for device in fire_engine::vulkan::devices()? {
///     println!("{device}");
/// }
/// # Ok::<(), fire_engine::vulkan::RendererError>(())
/// ```
///
/// # Errors
/// [`RendererError::NoLoader`] and [`RendererError::NoDriver`] where there is no Vulkan, or no device; others if the loader
/// is too old or fails.
pub fn devices() -> Result<Vec<DeviceInfo>, RendererError> {
    let options = RendererOptions { validation: Validation::Off, ..RendererOptions::default() };
    let instance = Instance::new(&options, &[])?;
    let physical = instance.physical_devices()?;
    let facts: Vec<_> =
        physical.iter().map(|&physical| DeviceFacts::gather(&instance, physical, None)).collect();
    let default = match choose(&facts, None) {
        Ok(choice) => Some(choice.index),
        Err(RendererError::NoSuitableDevice { .. }) => None,
        Err(error) => return Err(error),
    };
    let all = physical.iter().zip(&facts).enumerate();
    Ok(all
        .map(|(index, (&physical, facts))| {
            let families = suitable_families(facts, None);
            let unusable = families.and_then(|families| {
                // What opening it asks besides.
                let probed = Capabilities::probe(&instance, physical, facts, families);
                probed.map(|_| ()).map_err(|error| error.to_string())
            });
            let mut info = describe(&instance, physical, facts);
            info.unusable = unusable.err();
            info.is_default = default == Some(index) && info.unusable.is_none();
            info
        })
        .collect())
}

fn describe(instance: &Instance, physical: vk::PhysicalDevice, facts: &DeviceFacts) -> DeviceInfo {
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    // Older ones do not know the structure.
    if facts.api_version >= vk::API_VERSION_1_2 {
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
        // SAFETY: `physical` belongs to this instance and knows Vulkan 1.2, hence the chained structure.
        unsafe { instance.raw().get_physical_device_properties2(physical, &mut properties) };
    }
    // SAFETY: `physical` belongs to this instance.
    let memory = unsafe { instance.raw().get_physical_device_memory_properties(physical) };
    DeviceInfo {
        name: facts.name.clone(),
        device_type: type_name(facts.device_type),
        driver_name: text_of(driver.driver_name_as_c_str()),
        driver_info: text_of(driver.driver_info_as_c_str()),
        api_version: version_text(facts.api_version),
        memory_bytes: own_memory(memory.memory_heaps_as_slice()),
        has_swapchains: facts.swapchain_extension,
        unusable: None,
        is_default: false,
    }
}

/// Bytes of the heaps that are the device's own.
fn own_memory(heaps: &[vk::MemoryHeap]) -> u64 {
    let own = heaps.iter().filter(|heap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL));
    own.map(|heap| heap.size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> DeviceInfo {
        DeviceInfo {
            name: "llvmpipe".into(),
            device_type: "CPU",
            driver_name: "llvmpipe".into(),
            driver_info: "Mesa 22.3.6".into(),
            api_version: "1.3.230".into(),
            memory_bytes: 3 << 30,
            has_swapchains: true,
            unusable: None,
            is_default: true,
        }
    }

    #[test]
    fn a_device_says_whether_it_is_usable_in_its_last_line() {
        let mut info = info();
        let expected = "llvmpipe (CPU)\n  driver: llvmpipe Mesa 22.3.6, Vulkan 1.3.230\n  memory: 3072 MiB\n  windows: yes\n  \
                        usable; taken unless another is asked for";
        assert_eq!(info.to_string(), expected);
        info.is_default = false;
        assert!(info.to_string().ends_with("\n  usable"));
        info.unusable = Some("no feature synchronization2".into());
        assert!(info.to_string().ends_with("\n  not usable: no feature synchronization2"));
        (info.driver_name, info.driver_info) = (String::new(), String::new());
        assert!(info.to_string().contains("driver: unknown, Vulkan 1.3.230"));
    }

    #[test]
    fn only_the_devices_own_heaps_count() {
        let heap = |size, flags| vk::MemoryHeap { size, flags };
        let local = vk::MemoryHeapFlags::DEVICE_LOCAL;
        let none = vk::MemoryHeapFlags::empty();
        assert_eq!(own_memory(&[heap(5, local), heap(70, none), heap(1, local)]), 6);
        assert_eq!(own_memory(&[]), 0);
    }
}
