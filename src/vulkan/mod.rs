//! The Vulkan renderer: everything that names a Vulkan object lives here.
//!
//! Built from the bottom up, each layer knowing only the ones before it:
//!
//! | layer | files |
//! | --- | --- |
//! | what the application says and sees | `options`, `error`, `validation`, `info` |
//! | the driver | `instance`, `instance_support`, `facts`, `selection`, `capabilities`, `device` |
//! | owners of Vulkan objects | `live_objects`, `object`, `memory`, `buffer`, `image`, `uploads`, `upload` |
//! | a window | `swapchain_selection`, `surface`, `swapchain`, `presentation` |
//!
//! Every Vulkan object is held by an owner that keeps its parent alive, carries a debug name and is counted in
//! [`LiveObjects`], so dropping in any order is right and a leak is visible.
// The renderer on top of these layers lands in its own files; until then a part of them has no caller.
#![allow(dead_code)]

mod buffer;
mod capabilities;
mod device;
mod error;
mod facts;
mod image;
mod info;
mod instance;
mod instance_support;
mod live_objects;
mod memory;
mod object;
mod options;
#[cfg(feature = "window")]
mod presentation;
mod selection;
#[cfg(feature = "window")]
mod surface;
#[cfg(feature = "window")]
mod swapchain;
#[cfg(feature = "window")]
mod swapchain_selection;
mod upload;
mod uploads;
mod validation;

#[cfg(test)]
mod device_tests;
#[cfg(all(test, feature = "window"))]
mod window_tests;

pub use error::{RejectedDevice, RendererError};
pub use info::RendererInfo;
pub use live_objects::{LiveObjects, ObjectKind};
pub use options::{PresentMode, RendererOptions, Validation};
pub use validation::{ValidationCounts, ValidationLog, ValidationMessage, ValidationSeverity};
