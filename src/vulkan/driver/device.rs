//! The logical device with its queues and its allocator.

use std::ffi::c_char;
use std::sync::{Arc, Mutex, PoisonError};

use ash::{ext, khr, vk};
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, Allocator, AllocatorCreateDesc};
use gpu_allocator::{AllocationError, AllocationSizes, AllocatorDebugSettings};

use super::capabilities::Capabilities;
use super::facts::{DeviceFacts, PresentationQuery, type_name};
use super::instance::{Instance, c_string};
use super::instance_support::version_text;
use super::live_objects::{LiveObjects, ObjectCounters, ObjectKind};
use super::selection::{QueueFamilies, choose};
use crate::vulkan::error::{RendererError, VkResultExt};
use crate::vulkan::options::RendererOptions;

const MIB: u64 = 1 << 20;

/// A device in use. Everything made from it holds it through an `Arc`, so it is destroyed last.
///
/// Queues, and the objects that a call changes, need external synchronization: the renderer takes `&mut self`.
pub(crate) struct Device {
    /// `None` only while the device is built and destroyed.
    allocator: Mutex<Option<Allocator>>,
    handle: ash::Device,
    physical: vk::PhysicalDevice,
    capabilities: Capabilities,
    families: QueueFamilies,
    graphics_queue: vk::Queue,
    present_queue: Option<vk::Queue>,
    debug_utils: Option<ext::debug_utils::Device>,
    swapchain: Option<khr::swapchain::Device>,
    instance: Arc<Instance>,
}

/// Memory that the allocator holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MemoryUsage {
    /// Bytes in use by buffers and images.
    pub allocated_bytes: u64,
    /// Bytes taken from the driver.
    pub reserved_bytes: u64,
    /// Number of buffers and images.
    pub allocations: usize,
}

impl Device {
    /// Chooses a device and opens it. With `surface`, only devices that can present to it are considered.
    pub(crate) fn new(
        instance: Arc<Instance>,
        options: &RendererOptions,
        surface: Option<&dyn PresentationQuery>,
    ) -> Result<Arc<Self>, RendererError> {
        let physical_devices = instance.physical_devices()?;
        let facts: Vec<DeviceFacts> = physical_devices
            .iter()
            .map(|&physical| DeviceFacts::gather(&instance, physical, surface))
            .collect();
        let choice = choose(&facts, options.device.as_deref())?;
        let physical = physical_devices[choice.index];
        let families = choice.families;
        let capabilities = Capabilities::probe(&instance, physical, &facts[choice.index], families)?;
        capabilities.check(options)?;

        let handle = create(&instance, physical, &capabilities, families)?;
        instance.counters().created(ObjectKind::Device);
        // From here on dropping `device` destroys the handle.
        let mut device = Self::with_handle(handle, instance, physical, capabilities, families);
        device.create_allocator()?;
        device.name_queues(families);
        event!(
            INFO,
            device = device.capabilities.device_name.as_str(),
            kind = type_name(device.capabilities.device_type),
            driver = device.capabilities.driver_name.as_str(),
            driver_info = device.capabilities.driver_info.as_str(),
            vulkan = version_text(device.capabilities.api_version).as_str(),
            validation = device.instance.validation(),
            "device chosen"
        );
        Ok(Arc::new(device))
    }

    fn with_handle(
        handle: ash::Device,
        instance: Arc<Instance>,
        physical: vk::PhysicalDevice,
        capabilities: Capabilities,
        families: QueueFamilies,
    ) -> Self {
        // SAFETY: one queue of each of these families was requested.
        let queue = |family| unsafe { handle.get_device_queue(family, 0) };
        let has_names = instance.has_debug_utils();
        Self {
            allocator: Mutex::new(None),
            physical,
            graphics_queue: queue(families.graphics),
            present_queue: families.present.map(queue),
            debug_utils: has_names.then(|| ext::debug_utils::Device::new(instance.raw(), &handle)),
            swapchain: families.present.map(|_| khr::swapchain::Device::new(instance.raw(), &handle)),
            capabilities,
            families,
            handle,
            instance,
        }
    }

    fn create_allocator(&mut self) -> Result<(), RendererError> {
        let mut debug_settings = AllocatorDebugSettings::default();
        // Leaks are counted by `LiveObjects`.
        debug_settings.log_leaks_on_shutdown = false;
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: self.instance.raw().clone(),
            device: self.handle.clone(),
            physical_device: self.physical,
            debug_settings,
            buffer_device_address: false,
            // Small scenes stay small; large ones grow their blocks.
            allocation_sizes: AllocationSizes::new(16 * MIB, 16 * MIB)
                .with_max_device_memblock_size(256 * MIB)
                .with_max_host_memblock_size(64 * MIB),
        })
        .map_err(|error| RendererError::Allocation {
            name: "allocator".to_owned(),
            reason: error.to_string(),
        })?;
        self.allocator = Mutex::new(Some(allocator));
        Ok(())
    }

    fn name_queues(&self, families: QueueFamilies) {
        match self.present_queue {
            Some(present) if families.present != Some(families.graphics) => {
                self.set_name(self.graphics_queue, "graphics queue");
                self.set_name(present, "present queue");
            }
            _ => self.set_name(self.graphics_queue, "queue"),
        }
    }

    pub(crate) fn raw(&self) -> &ash::Device {
        &self.handle
    }

    pub(crate) fn instance(&self) -> &Arc<Instance> {
        &self.instance
    }

    pub(crate) fn physical(&self) -> vk::PhysicalDevice {
        self.physical
    }

    pub(crate) fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    pub(crate) fn families(&self) -> QueueFamilies {
        self.families
    }

    pub(crate) fn graphics_queue(&self) -> vk::Queue {
        self.graphics_queue
    }

    /// The queue that presents; `None` when headless.
    pub(crate) fn present_queue(&self) -> Option<vk::Queue> {
        self.present_queue
    }

    /// The functions of `VK_KHR_swapchain`; `None` when headless.
    pub(crate) fn swapchain_functions(&self) -> Option<&khr::swapchain::Device> {
        self.swapchain.as_ref()
    }

    pub(crate) fn counters(&self) -> &ObjectCounters {
        self.instance.counters()
    }

    /// How many objects of each kind exist now.
    pub(crate) fn live_objects(&self) -> LiveObjects {
        self.counters().snapshot()
    }

    /// Features of a format in images of optimal tiling.
    pub(crate) fn format_features(&self, format: vk::Format) -> vk::FormatFeatureFlags {
        // SAFETY: `physical` belongs to the instance.
        unsafe { self.instance.raw().get_physical_device_format_properties(self.physical, format) }
            .optimal_tiling_features
    }

    /// Gives an object the name that tools and validation messages show. A failure only loses the name.
    pub(crate) fn set_name(&self, object: impl vk::Handle, name: &str) {
        let Some(functions) = &self.debug_utils else {
            return;
        };
        let name = c_string(name);
        let info = vk::DebugUtilsObjectNameInfoEXT::default().object_handle(object).object_name(&name);
        // SAFETY: the object was made from this device, and `name` is NUL-terminated.
        let _unnamed = unsafe { functions.set_debug_utils_object_name(&info) };
    }

    /// Submits work to the graphics queue.
    ///
    /// # Safety
    ///
    /// As for `vkQueueSubmit2`: the recorded work and its objects are valid and stay so until it is finished.
    pub(crate) unsafe fn submit(
        &self,
        submits: &[vk::SubmitInfo2<'_>],
        fence: vk::Fence,
    ) -> Result<(), RendererError> {
        // SAFETY: by this function's contract; the queue belongs to this device.
        unsafe { self.handle.queue_submit2(self.graphics_queue, submits, fence) }.at("vkQueueSubmit2")
    }

    /// Waits until the device has nothing to do. Not for the steady state.
    pub(crate) fn wait_idle(&self) -> Result<(), RendererError> {
        // SAFETY: the device is alive, and its queues are used by the caller's thread alone.
        unsafe { self.handle.device_wait_idle() }.at("vkDeviceWaitIdle")
    }

    pub(crate) fn allocate(
        &self,
        description: &AllocationCreateDesc<'_>,
    ) -> Result<Allocation, RendererError> {
        let name = description.name;
        let failed = |reason: String| RendererError::Allocation { name: name.to_owned(), reason };
        let mut allocator = self.allocator.lock().unwrap_or_else(PoisonError::into_inner);
        let allocator = allocator.as_mut().ok_or_else(|| failed("the allocator is gone".to_owned()))?;
        let allocation = allocator.allocate(description).map_err(|error| match error {
            AllocationError::OutOfMemory => {
                RendererError::OutOfMemory { call: format!("the allocation of `{name}`"), memory: "device" }
            }
            other => failed(other.to_string()),
        })?;
        self.counters().created(ObjectKind::Allocation);
        Ok(allocation)
    }

    pub(crate) fn free(&self, allocation: Allocation) {
        let mut allocator = self.allocator.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(allocator) = allocator.as_mut() {
            // It fails for memory that is not the allocator's, or no more. Neither can come from input: `allocate` is where
            // an `Allocation` comes from, `Memory` keeps it with the device that it is from, and it is moved in here.
            let freed = allocator.free(allocation);
            debug_assert!(freed.is_ok(), "{freed:?}");
        }
        self.counters().destroyed(ObjectKind::Allocation);
    }

    /// What the allocator holds now. Allocates, so not for every frame.
    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let allocator = self.allocator.lock().unwrap_or_else(PoisonError::into_inner);
        allocator.as_ref().map_or_else(Default::default, |allocator| {
            let report = allocator.generate_report();
            MemoryUsage {
                allocated_bytes: report.total_allocated_bytes,
                reserved_bytes: report.total_capacity_bytes,
                allocations: report.allocations.len(),
            }
        })
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Device({})", self.capabilities.device_name)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // The allocator frees its blocks through the device, so it goes first.
        let allocator = self.allocator.get_mut();
        drop(allocator.unwrap_or_else(PoisonError::into_inner).take());
        // SAFETY: all objects made from this device hold it, so none is left, and whoever submitted work waited for it
        // before dropping what the work used.
        unsafe { self.handle.destroy_device(None) };
        self.counters().destroyed(ObjectKind::Device);
    }
}

fn create(
    instance: &Instance,
    physical: vk::PhysicalDevice,
    capabilities: &Capabilities,
    families: QueueFamilies,
) -> Result<ash::Device, RendererError> {
    let queues: Vec<vk::DeviceQueueCreateInfo<'_>> = families
        .distinct()
        .into_iter()
        .map(|family| {
            vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])
        })
        .collect();
    let extensions: Vec<*const c_char> =
        capabilities.extensions(families).into_iter().map(|name| name.as_ptr()).collect();
    let mut version13 =
        vk::PhysicalDeviceVulkan13Features::default().dynamic_rendering(true).synchronization2(true);
    let mut maintenance =
        vk::PhysicalDeviceSwapchainMaintenance1FeaturesEXT::default().swapchain_maintenance1(true);
    let core = vk::PhysicalDeviceFeatures::default()
        .multi_draw_indirect(true)
        .draw_indirect_first_instance(true)
        .sampler_anisotropy(capabilities.sampler_anisotropy)
        .fill_mode_non_solid(capabilities.fill_mode_non_solid)
        .full_draw_index_uint32(capabilities.full_draw_index_uint32)
        .texture_compression_bc(capabilities.block_formats.bc7)
        .texture_compression_etc2(capabilities.block_formats.etc2)
        .texture_compression_astc_ldr(capabilities.block_formats.astc);
    let mut info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&extensions)
        .enabled_features(&core)
        .push_next(&mut version13);
    if capabilities.swapchain_maintenance1 {
        info = info.push_next(&mut maintenance);
    }
    // SAFETY: `physical` belongs to the instance; families, extensions and features are what the device reported, and
    // all of `info` lives until the call returns.
    unsafe { instance.raw().create_device(physical, &info, None) }.at("vkCreateDevice")
}
