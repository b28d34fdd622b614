//! Tests of the layers below the renderer, for the test target `vulkan_layers`.
//!
//! They use what the crate does not show, and need a driver, so they are neither tests of the public interface nor ones
//! that always run. The feature `device-tests` is for this crate's own tests; what is here may change at any time.

use super::memory::device_tests;
#[cfg(feature = "window")]
use super::window::{output_tests, window_tests};

/// What tests need to run, besides a driver and its validation layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing.
    Driver,
    /// An X11 display.
    X11Display,
    /// A driver with `VK_EXT_headless_surface`; [`headless_surface`] tells.
    HeadlessSurface,
}

/// Tests, by name, with the same need.
pub type Tests = &'static [(&'static str, fn())];

/// All tests. One that fails panics.
pub const TESTS: &[(Need, Tests)] = &[
    (Need::Driver, device_tests::TESTS),
    #[cfg(feature = "window")]
    (Need::Driver, output_tests::TESTS),
    #[cfg(feature = "window")]
    (Need::HeadlessSurface, window_tests::HEADLESS_SURFACE_TESTS),
    #[cfg(all(feature = "winit", target_os = "linux"))]
    (Need::X11Display, window_tests::X11_TESTS),
];

/// Whether a driver has surfaces without a window.
///
/// # Errors
///
/// What is missing, in words.
pub fn headless_surface() -> Result<(), String> {
    #[cfg(feature = "window")]
    let found = window_tests::headless_surface();
    #[cfg(not(feature = "window"))]
    let found = Err("built without the feature `window`".to_owned());
    found
}
