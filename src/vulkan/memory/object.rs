//! Owners of Vulkan objects: one mechanism for all types that a device makes.

use std::fmt;
use std::sync::Arc;

use ash::prelude::VkResult;
use ash::vk;

use crate::vulkan::driver::device::Device;
use crate::vulkan::driver::live_objects::ObjectKind;
use crate::vulkan::error::{RendererError, VkResultExt};

/// A handle that a device made and has to destroy.
pub(crate) trait DeviceObject: vk::Handle + Copy {
    const KIND: ObjectKind;

    /// # Safety
    ///
    /// The handle belongs to `device`, nothing uses it any more, and it is not destroyed again.
    unsafe fn destroy(self, device: &Device);
}

/// A description that a device makes an object from.
pub(crate) trait CreateInfo {
    type Object: DeviceObject;
    const CALL: &'static str;

    /// # Safety
    ///
    /// As for the Vulkan call: what the description refers to is valid.
    unsafe fn create(&self, device: &Device) -> VkResult<Self::Object>;
}

/// Owns one object: keeps its device alive, counts it and destroys it when dropped.
///
/// Whoever drops it has made sure that the GPU is done with it.
pub(crate) struct Owned<T: DeviceObject> {
    handle: T,
    device: Arc<Device>,
}

impl<T: DeviceObject> Owned<T> {
    /// Takes over a handle and names it.
    ///
    /// # Safety
    ///
    /// The handle was made by `device`, is not null and is owned by nobody else.
    pub(crate) unsafe fn adopt(device: &Arc<Device>, handle: T, name: &str) -> Self {
        device.counters().created(T::KIND);
        device.set_name(handle, name);
        Self { handle, device: Arc::clone(device) }
    }

    /// The handle, valid while this owner lives.
    pub(crate) fn handle(&self) -> T {
        self.handle
    }

    pub(crate) fn device(&self) -> &Arc<Device> {
        &self.device
    }
}

impl<T: DeviceObject> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the handle is this owner's alone and belongs to the device; it is unused by this type's contract.
        unsafe { self.handle.destroy(&self.device) };
        self.device.counters().destroyed(T::KIND);
    }
}

impl<T: DeviceObject> fmt::Debug for Owned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({:#x})", T::KIND, self.handle.as_raw())
    }
}

impl Device {
    /// Makes an object and names it.
    ///
    /// # Safety
    ///
    /// What `info` refers to (objects, pointers) is valid as the Vulkan call asks for.
    pub(crate) unsafe fn create<I: CreateInfo>(
        self: &Arc<Self>,
        info: &I,
        name: &str,
    ) -> Result<Owned<I::Object>, RendererError> {
        // SAFETY: by this function's contract; the new handle has no other owner.
        unsafe {
            let handle = info.create(self).at(I::CALL)?;
            Ok(Owned::adopt(self, handle, name))
        }
    }

    /// A fence, optionally signaled from the start.
    pub(crate) fn create_fence(
        self: &Arc<Self>,
        signaled: bool,
        name: &str,
    ) -> Result<Owned<vk::Fence>, RendererError> {
        let flags = match signaled {
            true => vk::FenceCreateFlags::SIGNALED,
            false => vk::FenceCreateFlags::empty(),
        };
        // SAFETY: the description refers to nothing.
        unsafe { self.create(&vk::FenceCreateInfo::default().flags(flags), name) }
    }

    /// A binary semaphore.
    pub(crate) fn create_semaphore(
        self: &Arc<Self>,
        name: &str,
    ) -> Result<Owned<vk::Semaphore>, RendererError> {
        // SAFETY: the description refers to nothing.
        unsafe { self.create(&vk::SemaphoreCreateInfo::default(), name) }
    }

    /// A pool of command buffers for the graphics queue that are recorded once per reset of the pool.
    pub(crate) fn create_command_pool(
        self: &Arc<Self>,
        name: &str,
    ) -> Result<Owned<vk::CommandPool>, RendererError> {
        let info = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::TRANSIENT)
            .queue_family_index(self.families().graphics);
        // SAFETY: the family is one that the device was made with.
        unsafe { self.create(&info, name) }
    }

    /// One primary command buffer, freed with its pool.
    pub(crate) fn allocate_command_buffer(
        &self,
        pool: &Owned<vk::CommandPool>,
        name: &str,
    ) -> Result<vk::CommandBuffer, RendererError> {
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool.handle())
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool is alive and used by the caller's thread alone.
        let buffers = unsafe { self.raw().allocate_command_buffers(&info) }.at("vkAllocateCommandBuffers")?;
        let buffer = buffers.first().copied().unwrap_or_default();
        self.set_name(buffer, name);
        Ok(buffer)
    }
}

macro_rules! device_objects {
    ($($kind:ident: $info:ident, $create:ident, $call:literal, $destroy:ident;)+) => {$(
        device_objects!(@destroy $kind, $destroy);

        impl CreateInfo for vk::$info<'_> {
            type Object = vk::$kind;
            const CALL: &'static str = $call;

            unsafe fn create(&self, device: &Device) -> VkResult<vk::$kind> {
                // SAFETY: by the trait's contract.
                unsafe { device.raw().$create(self, None) }
            }
        }
    )+};
    (@destroy $kind:ident, $destroy:ident) => {
        impl DeviceObject for vk::$kind {
            const KIND: ObjectKind = ObjectKind::$kind;

            unsafe fn destroy(self, device: &Device) {
                // SAFETY: by the trait's contract.
                unsafe { device.raw().$destroy(self, None) }
            }
        }
    };
}

device_objects! {
    Buffer: BufferCreateInfo, create_buffer, "vkCreateBuffer", destroy_buffer;
    Image: ImageCreateInfo, create_image, "vkCreateImage", destroy_image;
    ImageView: ImageViewCreateInfo, create_image_view, "vkCreateImageView", destroy_image_view;
    Sampler: SamplerCreateInfo, create_sampler, "vkCreateSampler", destroy_sampler;
    ShaderModule: ShaderModuleCreateInfo, create_shader_module, "vkCreateShaderModule", destroy_shader_module;
    DescriptorSetLayout: DescriptorSetLayoutCreateInfo, create_descriptor_set_layout,
        "vkCreateDescriptorSetLayout", destroy_descriptor_set_layout;
    DescriptorPool: DescriptorPoolCreateInfo, create_descriptor_pool, "vkCreateDescriptorPool",
        destroy_descriptor_pool;
    PipelineLayout: PipelineLayoutCreateInfo, create_pipeline_layout, "vkCreatePipelineLayout",
        destroy_pipeline_layout;
    PipelineCache: PipelineCacheCreateInfo, create_pipeline_cache, "vkCreatePipelineCache",
        destroy_pipeline_cache;
    Fence: FenceCreateInfo, create_fence, "vkCreateFence", destroy_fence;
    Semaphore: SemaphoreCreateInfo, create_semaphore, "vkCreateSemaphore", destroy_semaphore;
    CommandPool: CommandPoolCreateInfo, create_command_pool, "vkCreateCommandPool", destroy_command_pool;
    QueryPool: QueryPoolCreateInfo, create_query_pool, "vkCreateQueryPool", destroy_query_pool;
}

// Pipelines are made in batches against a cache; their owner is built with `Owned::adopt`.
device_objects!(@destroy Pipeline, destroy_pipeline);

impl Device {
    /// Makes one graphics pipeline and names it.
    ///
    /// # Safety
    ///
    /// What `info` refers to is valid as `vkCreateGraphicsPipelines` asks for.
    pub(crate) unsafe fn create_graphics_pipeline(
        self: &Arc<Self>,
        cache: Option<&Owned<vk::PipelineCache>>,
        info: &vk::GraphicsPipelineCreateInfo<'_>,
        name: &str,
    ) -> Result<Owned<vk::Pipeline>, RendererError> {
        let cache = cache.map_or(vk::PipelineCache::null(), Owned::handle);
        // SAFETY: by this function's contract. When the call fails for its single pipeline, the handle is null and
        // there is nothing to destroy.
        unsafe {
            let pipelines = self
                .raw()
                .create_graphics_pipelines(cache, std::slice::from_ref(info), None)
                .map_err(|(_, result)| result)
                .at("vkCreateGraphicsPipelines")?;
            let pipeline = pipelines.first().copied().unwrap_or_default();
            Ok(Owned::adopt(self, pipeline, name))
        }
    }
}

impl DeviceObject for vk::SwapchainKHR {
    const KIND: ObjectKind = ObjectKind::Swapchain;

    unsafe fn destroy(self, device: &Device) {
        if let Some(functions) = device.swapchain_functions() {
            // SAFETY: by the trait's contract.
            unsafe { functions.destroy_swapchain(self, None) }
        }
    }
}

impl CreateInfo for vk::SwapchainCreateInfoKHR<'_> {
    type Object = vk::SwapchainKHR;
    const CALL: &'static str = "vkCreateSwapchainKHR";

    unsafe fn create(&self, device: &Device) -> VkResult<vk::SwapchainKHR> {
        let functions = device.swapchain_functions().ok_or(vk::Result::ERROR_EXTENSION_NOT_PRESENT)?;
        // SAFETY: by the trait's contract.
        unsafe { functions.create_swapchain(self, None) }
    }
}
