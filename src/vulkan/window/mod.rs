//! A window: surface, swapchain, and the pass that fills its images.

pub(crate) mod output;
pub(crate) mod presentation;
pub(crate) mod surface;
pub(crate) mod swapchain;
pub(crate) mod swapchain_selection;

#[cfg(test)]
mod output_tests;
#[cfg(test)]
mod window_tests;
