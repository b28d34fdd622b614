//! A window: surface, swapchain, and the pass that fills its images.

pub(crate) mod output;
pub(crate) mod presentation;
pub(crate) mod surface;
pub(crate) mod swapchain;
pub(crate) mod swapchain_selection;

#[cfg(feature = "device-tests")]
pub(crate) mod output_tests;
#[cfg(feature = "device-tests")]
pub(crate) mod window_tests;
