//! One swapchain with what belongs to its images.

use std::sync::Arc;
use std::time::Duration;

use ash::{khr, vk};

use super::surface::Surface;
use super::swapchain_selection::{
    FormatChoice, choose_composite_alpha, choose_extent, choose_format, choose_image_count, choose_usage,
};
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::{RendererError, VkResultExt};
use crate::vulkan::memory::image::check_target;
use crate::vulkan::memory::object::Owned;

/// How long dropping waits for a window system to give images back before it waits for the queue instead.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(1);

/// What a swapchain is made with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwapchainPlan {
    pub(crate) format: FormatChoice,
    pub(crate) extent: vk::Extent2D,
    pub(crate) present_mode: vk::PresentModeKHR,
    image_count: u32,
    usage: vk::ImageUsageFlags,
    composite_alpha: vk::CompositeAlphaFlagsKHR,
    transform: vk::SurfaceTransformFlagsKHR,
}

impl SwapchainPlan {
    /// Asks the surface, which offers `present_mode`. `None` when there is no area to draw to.
    pub(crate) fn new(
        device: &Device,
        surface: &Surface,
        window: vk::Extent2D,
        present_mode: vk::PresentModeKHR,
    ) -> Result<Option<Self>, RendererError> {
        let physical = device.physical();
        let capabilities = surface.capabilities(physical)?;
        let Some(extent) = choose_extent(&capabilities, window) else {
            return Ok(None);
        };
        check_target(device, "window", extent)?;
        let format = choose_format(&surface.formats(physical)?).ok_or_else(|| {
            RendererError::MissingDeviceSupport { what: "any image format for the window".to_owned() }
        })?;
        Ok(Some(Self {
            format,
            extent,
            present_mode,
            image_count: choose_image_count(&capabilities),
            usage: choose_usage(capabilities.supported_usage_flags)?,
            composite_alpha: choose_composite_alpha(capabilities.supported_composite_alpha)?,
            transform: capabilities.current_transform,
        }))
    }
}

/// One image of a swapchain. A semaphore per image, not per frame: an image is acquired again only after the wait of
/// its last presentation, and no other moment is known from which the semaphore is free.
struct SwapchainImage {
    image: vk::Image,
    view: Owned<vk::ImageView>,
    render_finished: Owned<vk::Semaphore>,
    /// Where the device has swapchain_maintenance1: signaled when presentation lets go of image and semaphore.
    present_fence: Option<Owned<vk::Fence>>,
    /// Whether the fence was given to a presentation since it was last waited for.
    fence_pending: bool,
}

/// An image to draw to, from acquisition to presentation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AcquiredImage {
    pub(crate) index: u32,
    pub(crate) image: vk::Image,
    pub(crate) view: vk::ImageView,
    /// To be signaled by the submission that draws; presentation waits for it.
    pub(crate) render_finished: vk::Semaphore,
    /// The window changed: the image can be shown, and the swapchain should be made anew.
    pub(crate) suboptimal: bool,
}

/// The answer of an acquisition.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Acquired {
    Image(AcquiredImage),
    /// Nothing was acquired and the semaphore is untouched; the swapchain has to be made anew.
    OutOfDate,
}

/// The answer of a presentation. In every case the image is no longer the renderer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presented {
    Shown,
    /// Shown, and the swapchain should be made anew.
    Suboptimal,
    /// Not shown; the swapchain has to be made anew.
    OutOfDate,
}

/// A swapchain. Dropping it waits until its images are released.
pub(crate) struct Swapchain {
    // In the order of destruction: what belongs to images, the swapchain, the surface.
    images: Vec<SwapchainImage>,
    handle: Owned<vk::SwapchainKHR>,
    functions: khr::swapchain::Device,
    present_queue: vk::Queue,
    plan: SwapchainPlan,
    /// Whether an acquired image was not handed to presentation (yet, or because something failed): then no present fence
    /// tells when the work that draws to it is finished.
    has_acquired: bool,
    _surface: Arc<Surface>,
}

impl Swapchain {
    /// Makes a swapchain. `old`, if given, is retired by this also when it fails.
    pub(crate) fn new(
        device: &Arc<Device>,
        surface: &Arc<Surface>,
        plan: SwapchainPlan,
        old: Option<&Self>,
    ) -> Result<Self, RendererError> {
        let headless = || RendererError::MissingDeviceSupport {
            what: "presentation, as it was opened without a window".to_owned(),
        };
        let functions = device.swapchain_functions().ok_or_else(headless)?.clone();
        let present_queue = device.present_queue().ok_or_else(headless)?;
        let families = device.families().distinct();
        let sharing = match families.len() {
            1 => vk::SharingMode::EXCLUSIVE,
            _ => vk::SharingMode::CONCURRENT,
        };
        let info = vk::SwapchainCreateInfoKHR::default()
            .surface(surface.handle())
            .min_image_count(plan.image_count)
            .image_format(plan.format.format)
            .image_color_space(plan.format.color_space)
            .image_extent(plan.extent)
            .image_array_layers(1)
            .image_usage(plan.usage)
            .image_sharing_mode(sharing)
            .queue_family_indices(&families)
            .pre_transform(plan.transform)
            .composite_alpha(plan.composite_alpha)
            .present_mode(plan.present_mode)
            .clipped(true)
            .old_swapchain(old.map_or(vk::SwapchainKHR::null(), |old| old.handle.handle()));
        // SAFETY: the surface belongs to the device's instance, the values are what it offers, and an old swapchain is
        // one of the same surface.
        let handle = unsafe { device.create(&info, "swapchain") }?;
        // SAFETY: the swapchain is alive.
        let images =
            unsafe { functions.get_swapchain_images(handle.handle()) }.at("vkGetSwapchainImagesKHR")?;
        let images = (0..)
            .zip(images)
            .map(|(index, image)| SwapchainImage::new(device, image, plan.format.format, index))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            images,
            handle,
            functions,
            present_queue,
            plan,
            has_acquired: false,
            _surface: Arc::clone(surface),
        })
    }

    pub(crate) fn plan(&self) -> &SwapchainPlan {
        &self.plan
    }

    pub(crate) fn image_count(&self) -> usize {
        self.images.len()
    }

    /// Waits for an image; `semaphore` is signaled when it can be drawn to. The semaphore must have no pending use.
    pub(crate) fn acquire(&mut self, semaphore: vk::Semaphore) -> Result<Acquired, RendererError> {
        let call = "vkAcquireNextImageKHR";
        // SAFETY: the swapchain is alive and not retired, and the semaphore is the caller's.
        let acquired = unsafe {
            self.functions.acquire_next_image(self.handle.handle(), u64::MAX, semaphore, vk::Fence::null())
        };
        let (index, suboptimal) = match acquired {
            Err(vk::Result::ERROR_OUT_OF_DATE_KHR) => return Ok(Acquired::OutOfDate),
            other => other.at(call)?,
        };
        self.has_acquired = true;
        let image = self.image(index, call)?;
        Ok(Acquired::Image(AcquiredImage {
            index,
            image: image.image,
            view: image.view.handle(),
            render_finished: image.render_finished.handle(),
            suboptimal,
        }))
    }

    /// Shows an acquired image, in layout `PRESENT_SRC_KHR`, after its `render_finished` semaphore is signaled.
    pub(crate) fn present(&mut self, index: u32) -> Result<Presented, RendererError> {
        let call = "vkQueuePresentKHR";
        let fence = self.free_present_fence(index)?;
        let semaphores = [self.image(index, call)?.render_finished.handle()];
        let (swapchains, indices) = ([self.handle.handle()], [index]);
        let fences = [fence.unwrap_or_default()];
        let mut fence_info = vk::SwapchainPresentFenceInfoEXT::default().fences(&fences);
        let mut info = vk::PresentInfoKHR::default()
            .wait_semaphores(&semaphores)
            .swapchains(&swapchains)
            .image_indices(&indices);
        if fence.is_some() {
            info = info.push_next(&mut fence_info);
        }
        // SAFETY: the image was acquired from this swapchain, its semaphore is signaled by submitted work, and the fence
        // is unsignaled and unused.
        let presented = unsafe { self.functions.queue_present(self.present_queue, &info) };
        // Also a presentation that is refused waits for its semaphore and signals its fence.
        let enqueued = matches!(
            presented,
            Ok(_) | Err(vk::Result::ERROR_OUT_OF_DATE_KHR | vk::Result::ERROR_SURFACE_LOST_KHR)
        );
        if let Some(image) = self.images.get_mut(index as usize) {
            image.fence_pending = enqueued && fence.is_some();
        }
        self.has_acquired &= !enqueued;
        match presented {
            Ok(false) => Ok(Presented::Shown),
            Ok(true) => Ok(Presented::Suboptimal),
            Err(vk::Result::ERROR_OUT_OF_DATE_KHR) => Ok(Presented::OutOfDate),
            Err(other) => Err(RendererError::from_vk(other, call)),
        }
    }

    /// The image's present fence, waited for and reset; it is long signaled when an image comes round again.
    fn free_present_fence(&mut self, index: u32) -> Result<Option<vk::Fence>, RendererError> {
        let device = Arc::clone(self.handle.device());
        let Some(image) = self.images.get_mut(index as usize) else {
            return Ok(None);
        };
        let Some(fence) = image.present_fence.as_ref().map(Owned::handle) else {
            return Ok(None);
        };
        if image.fence_pending {
            // SAFETY: the fence is alive and was given to a presentation, which signals it.
            unsafe {
                device.raw().wait_for_fences(&[fence], true, u64::MAX).at("vkWaitForFences")?;
                device.raw().reset_fences(&[fence]).at("vkResetFences")?;
            }
            image.fence_pending = false;
        }
        Ok(Some(fence))
    }

    fn image(&self, index: u32, call: &'static str) -> Result<&SwapchainImage, RendererError> {
        self.images.get(index as usize).ok_or_else(|| RendererError::Vulkan {
            call,
            result: format!("image {index} of {}", self.images.len()),
            code: 0,
        })
    }

    fn pending_fences(&self) -> Vec<vk::Fence> {
        let pending = self.images.iter().filter(|image| image.fence_pending);
        pending.filter_map(|image| image.present_fence.as_ref().map(Owned::handle)).collect()
    }

    /// Whether present fences tell when nothing uses the swapchain any more.
    pub(crate) fn has_proof_of_release(&self) -> bool {
        self.handle.device().capabilities().swapchain_maintenance1 && !self.has_acquired
    }

    /// Whether present fences prove that nothing uses the swapchain any more. Always false where there are none.
    pub(crate) fn is_released(&self) -> bool {
        let device = self.handle.device();
        self.has_proof_of_release()
            && self.pending_fences().iter().all(|&fence| {
                // SAFETY: the fence is alive. An error, as of a lost device, means that there is nothing to wait for.
                let status = unsafe { device.raw().get_fence_status(fence) };
                status != Ok(false)
            })
    }

    /// Waits until nothing uses the swapchain: by present fences, or else by waiting for the queues that used it.
    fn wait_released(&self) {
        let device = self.handle.device();
        let timeout = RELEASE_TIMEOUT.as_nanos() as u64;
        let pending = self.pending_fences();
        // SAFETY: fences and queues are alive; the renderer's thread alone uses them. Errors mean a lost device, which has
        // nothing to wait for.
        unsafe {
            if self.has_proof_of_release()
                && (pending.is_empty() || device.raw().wait_for_fences(&pending, true, timeout).is_ok())
            {
                return;
            }
            let mut queues = vec![device.graphics_queue()];
            if self.present_queue != queues[0] {
                queues.push(self.present_queue);
            }
            for queue in queues {
                let _lost = device.raw().queue_wait_idle(queue);
            }
        }
    }
}

impl Drop for Swapchain {
    fn drop(&mut self) {
        self.wait_released();
    }
}

impl SwapchainImage {
    fn new(
        device: &Arc<Device>,
        image: vk::Image,
        format: vk::Format,
        index: u32,
    ) -> Result<Self, RendererError> {
        device.set_name(image, &format!("swapchain image {index}"));
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(format)
            .subresource_range(
                vk::ImageSubresourceRange::default()
                    .aspect_mask(vk::ImageAspectFlags::COLOR)
                    .level_count(1)
                    .layer_count(1),
            );
        let present_fence = match device.capabilities().swapchain_maintenance1 {
            true => Some(device.create_fence(false, &format!("present fence {index}"))?),
            false => None,
        };
        Ok(Self {
            image,
            // SAFETY: the image is alive and of this format.
            view: unsafe { device.create(&info, &format!("swapchain view {index}")) }?,
            render_finished: device.create_semaphore(&format!("render finished {index}"))?,
            present_fence,
            fence_pending: false,
        })
    }
}
