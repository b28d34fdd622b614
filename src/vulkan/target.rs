//! Where finished pictures go.

#[cfg(feature = "window")]
use crate::vulkan::window::output::OutputPass;
#[cfg(feature = "window")]
use crate::vulkan::window::presentation::Presentation;
use ash::vk;

/// A picture of a fixed size in memory, or a window.
pub(crate) enum Target {
    Headless(vk::Extent2D),
    #[cfg(feature = "window")]
    Window(Box<WindowTarget>),
}

/// A window's swapchain with the pass that writes to it.
#[cfg(feature = "window")]
pub(crate) struct WindowTarget {
    pub(crate) presentation: Presentation,
    pub(crate) output: OutputPass,
    /// Size of the window in pixels as the application told it.
    pub(crate) size: vk::Extent2D,
    /// Whether the swapchain has to be made anew before the next frame.
    pub(crate) stale: bool,
    /// Number of frames that were shown.
    pub(crate) shown: u64,
}

impl Target {
    /// The size of the next picture, or `None` if there is no area to draw to.
    pub(crate) fn extent(&self) -> Option<vk::Extent2D> {
        match self {
            Self::Headless(extent) => (extent.width > 0 && extent.height > 0).then_some(*extent),
            #[cfg(feature = "window")]
            Self::Window(window) => {
                let plan = window.presentation.plan();
                plan.filter(|_| !window.presentation.is_paused()).map(|plan| plan.extent)
            }
        }
    }

    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Headless(extent) => format!("headless, {}x{}", extent.width, extent.height),
            #[cfg(feature = "window")]
            Self::Window(window) => window.presentation.describe(),
        }
    }
}
