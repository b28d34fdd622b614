//! A window's surface, kept together with the window it belongs to.

use std::ffi::CStr;
use std::sync::Arc;

use ash::{khr, vk};
use raw_window_handle::{HasDisplayHandle, HasWindowHandle};

use crate::vulkan::driver::facts::{PresentationQuery, SurfaceFacts};
use crate::vulkan::driver::instance::Instance;
use crate::vulkan::driver::live_objects::ObjectKind;
use crate::vulkan::error::{RendererError, VkResultExt};

/// Anything that a surface can be made for. Implemented by every type that has the handles.
pub(crate) trait Window: HasWindowHandle + HasDisplayHandle + Send + Sync {}

impl<T: HasWindowHandle + HasDisplayHandle + Send + Sync> Window for T {}

/// A surface that keeps its window, and with it the handles that it was made from, until it is destroyed.
pub(crate) struct Surface {
    handle: vk::SurfaceKHR,
    functions: khr::surface::Instance,
    instance: Arc<Instance>,
    // Dropped after `drop` destroyed the surface.
    _window: Option<Box<dyn Window>>,
}

/// The instance extensions that a window's surface needs.
pub(crate) fn required_extensions(window: &dyn Window) -> Result<Vec<&'static CStr>, RendererError> {
    let display = window.display_handle().map_err(handle_error)?;
    let names = ash_window::enumerate_required_extensions(display.as_raw()).map_err(|_| {
        RendererError::WindowHandle {
            reason: format!("there is no Vulkan surface for {:?}", display.as_raw()),
        }
    })?;
    // SAFETY: the names are static and NUL-terminated.
    let names = names.iter().map(|&name| unsafe { CStr::from_ptr(name) });
    Ok(names.collect())
}

fn handle_error(error: raw_window_handle::HandleError) -> RendererError {
    RendererError::WindowHandle { reason: error.to_string() }
}

impl Surface {
    /// Makes the surface of a window. The instance was made with the window's [`required_extensions`].
    pub(crate) fn new(instance: &Arc<Instance>, window: Box<dyn Window>) -> Result<Arc<Self>, RendererError> {
        let display = window.display_handle().map_err(handle_error)?.as_raw();
        let handle = window.window_handle().map_err(handle_error)?.as_raw();
        // SAFETY: both handles are the window's, which the surface keeps until it is destroyed; the instance has the
        // extensions for them.
        let surface =
            unsafe { ash_window::create_surface(instance.entry(), instance.raw(), display, handle, None) }
                .at("vkCreateSurfaceKHR")?;
        // SAFETY: just made from this instance.
        Ok(unsafe { Self::adopt(instance, surface, Some(window)) })
    }

    /// Takes over a surface.
    ///
    /// # Safety
    ///
    /// The surface was made from this instance for `window` and is owned by nobody else.
    pub(crate) unsafe fn adopt(
        instance: &Arc<Instance>,
        handle: vk::SurfaceKHR,
        window: Option<Box<dyn Window>>,
    ) -> Arc<Self> {
        instance.counters().created(ObjectKind::Surface);
        Arc::new(Self {
            handle,
            functions: khr::surface::Instance::new(instance.entry(), instance.raw()),
            instance: Arc::clone(instance),
            _window: window,
        })
    }

    pub(crate) fn handle(&self) -> vk::SurfaceKHR {
        self.handle
    }

    pub(crate) fn capabilities(
        &self,
        physical: vk::PhysicalDevice,
    ) -> Result<vk::SurfaceCapabilitiesKHR, RendererError> {
        // SAFETY: the device and the surface belong to one instance.
        unsafe { self.functions.get_physical_device_surface_capabilities(physical, self.handle) }
            .at("vkGetPhysicalDeviceSurfaceCapabilitiesKHR")
    }

    pub(crate) fn formats(
        &self,
        physical: vk::PhysicalDevice,
    ) -> Result<Vec<vk::SurfaceFormatKHR>, RendererError> {
        // SAFETY: the device and the surface belong to one instance.
        unsafe { self.functions.get_physical_device_surface_formats(physical, self.handle) }
            .at("vkGetPhysicalDeviceSurfaceFormatsKHR")
    }

    pub(crate) fn present_modes(
        &self,
        physical: vk::PhysicalDevice,
    ) -> Result<Vec<vk::PresentModeKHR>, RendererError> {
        // SAFETY: the device and the surface belong to one instance.
        unsafe { self.functions.get_physical_device_surface_present_modes(physical, self.handle) }
            .at("vkGetPhysicalDeviceSurfacePresentModesKHR")
    }
}

impl PresentationQuery for Surface {
    fn family_presents(&self, physical: vk::PhysicalDevice, family: u32) -> Result<bool, RendererError> {
        // SAFETY: the device and the surface belong to one instance, and the family is one of the device's.
        unsafe { self.functions.get_physical_device_surface_support(physical, family, self.handle) }
            .at("vkGetPhysicalDeviceSurfaceSupportKHR")
    }

    fn surface_facts(&self, physical: vk::PhysicalDevice) -> Result<SurfaceFacts, RendererError> {
        let usage = self.capabilities(physical)?.supported_usage_flags;
        Ok(SurfaceFacts {
            formats: self.formats(physical)?.len(),
            present_modes: self.present_modes(physical)?.len(),
            color_attachment: usage.contains(vk::ImageUsageFlags::COLOR_ATTACHMENT),
        })
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        // SAFETY: swapchains of this surface hold it, so none is left.
        unsafe { self.functions.destroy_surface(self.handle, None) };
        self.instance.counters().destroyed(ObjectKind::Surface);
    }
}
