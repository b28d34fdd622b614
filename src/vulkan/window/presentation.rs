//! A window over time: making the swapchain anew, retiring old ones, pausing without an area.

use std::sync::Arc;

use ash::vk;

use super::surface::Surface;
use super::swapchain::{Acquired, Presented, Swapchain, SwapchainPlan};
use super::swapchain_selection::{choose_present_mode, present_mode};
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::options::PresentMode;

/// How many old swapchains may wait for their images at once.
const MAX_RETIRED: usize = 4;

/// The presentation to one window.
pub(crate) struct Presentation {
    /// `None` until the window has an area, and after making one failed.
    current: Option<Swapchain>,
    /// Swapchains whose images the window system still holds. Empty where there are no present fences.
    retired: Vec<Swapchain>,
    is_paused: bool,
    present_mode: PresentMode,
    /// What the surface offered when it was last asked.
    offered: Vec<vk::PresentModeKHR>,
    device: Arc<Device>,
    surface: Arc<Surface>,
}

impl Presentation {
    /// Paused; [`configure`](Self::configure) makes the first swapchain.
    pub(crate) fn new(device: &Arc<Device>, surface: &Arc<Surface>, present_mode: PresentMode) -> Self {
        Self {
            current: None,
            retired: Vec::new(),
            is_paused: true,
            present_mode,
            offered: Vec::new(),
            device: Arc::clone(device),
            surface: Arc::clone(surface),
        }
    }

    /// Makes the swapchain for a window of this size in pixels; false when there is no area, and then nothing changes
    /// but that drawing pauses.
    ///
    /// Views of the old swapchain must not be used by work that is not yet submitted. Where the device has no present
    /// fences this waits for the queues. After an error there is no swapchain, and a later call makes one.
    pub(crate) fn configure(&mut self, window: vk::Extent2D) -> Result<bool, RendererError> {
        self.collect_retired();
        let plan = match window.width == 0 || window.height == 0 {
            true => None,
            false => {
                self.offered = self.surface.present_modes(self.device.physical())?;
                let present_mode = choose_present_mode(self.present_mode, &self.offered);
                SwapchainPlan::new(&self.device, &self.surface, window, present_mode)?
            }
        };
        let Some(plan) = plan else {
            self.is_paused = true;
            return Ok(false);
        };
        // The old one is retired by the attempt, whether it succeeds or not.
        let old = self.current.take();
        let made = Swapchain::new(&self.device, &self.surface, plan, old.as_ref());
        self.retire(old);
        let made = self.current.insert(made?);
        self.is_paused = false;
        event!(
            DEBUG,
            images = made.image_count(),
            width = made.plan().extent.width,
            height = made.plan().extent.height,
            format = ?made.plan().format.format,
            color_space = ?made.plan().format.color_space,
            present_mode = ?made.plan().present_mode,
            "swapchain made"
        );
        Ok(true)
    }

    /// Takes another mode for the swapchains that are made from now on.
    pub(crate) fn set_present_mode(&mut self, mode: PresentMode) {
        self.present_mode = mode;
    }

    /// Which modes the surface offers; none before the window had an area.
    pub(crate) fn present_modes(&self) -> Vec<PresentMode> {
        PresentMode::ALL.into_iter().filter(|&mode| self.offered.contains(&present_mode(mode))).collect()
    }

    fn retire(&mut self, old: Option<Swapchain>) {
        if let Some(old) = old
            && old.has_proof_of_release()
            && !old.is_released()
        {
            self.retired.push(old);
        }
        // A window system that shows nothing may never give images back; then the oldest is waited for, for a bounded time.
        if self.retired.len() > MAX_RETIRED {
            self.retired.remove(0);
        }
        // Any other old swapchain was dropped here, which waits where it has to.
    }

    /// Destroys the old swapchains that the window system let go of.
    fn collect_retired(&mut self) {
        self.retired.retain(|old| !old.is_released());
    }

    /// What the current swapchain is made with; `None` while there is none.
    pub(crate) fn plan(&self) -> Option<&SwapchainPlan> {
        self.current.as_ref().map(Swapchain::plan)
    }

    /// Whether there is nothing to draw to, because the window has no area or making a swapchain failed.
    pub(crate) fn is_paused(&self) -> bool {
        self.is_paused || self.current.is_none()
    }

    /// Acquires an image; `None` while paused. See [`Swapchain::acquire`].
    pub(crate) fn acquire(&mut self, semaphore: vk::Semaphore) -> Result<Option<Acquired>, RendererError> {
        self.collect_retired();
        match &mut self.current {
            Some(swapchain) if !self.is_paused => swapchain.acquire(semaphore).map(Some),
            _ => Ok(None),
        }
    }

    /// Shows an acquired image. See [`Swapchain::present`].
    pub(crate) fn present(&mut self, index: u32) -> Result<Presented, RendererError> {
        match &mut self.current {
            Some(swapchain) => swapchain.present(index),
            None => Ok(Presented::OutOfDate),
        }
    }

    /// Images, size, format and mode in words.
    pub(crate) fn describe(&self) -> String {
        let Some(swapchain) = &self.current else {
            return "window without an area".to_owned();
        };
        let plan = swapchain.plan();
        format!(
            "window, {} images of {}x{}, {:?}{}, {:?}{}",
            swapchain.image_count(),
            plan.extent.width,
            plan.extent.height,
            plan.format.format,
            if plan.format.encode_srgb { " (encoded by the renderer)" } else { "" },
            plan.present_mode,
            if self.device.capabilities().swapchain_maintenance1 { ", present fences" } else { "" },
        )
    }
}
