//! The Vulkan renderer: everything that names a Vulkan object lives here.
//!
//! Built from the bottom up, each layer knowing only the ones before it:
//!
//! | layer | files |
//! | --- | --- |
//! | what the application says and sees | `options`, `error`, `validation`, `info` |
//! | the driver | `instance`, `instance_support`, `facts`, `selection`, `capabilities`, `device` |
//! | owners of Vulkan objects | `live_objects`, `object`, `memory`, `buffer`, `image`, `uploads`, `upload` |
//! | the scene on the GPU | `ranges`, `arena`, `layout`, `batches`, `shaders`, `pipelines`, `textures`, `compiled` |
//! | a frame | `targets`, `frame`, `record`, `retired`, `timings` |
//! | a window | `swapchain_selection`, `surface`, `swapchain`, `presentation`, `output` |
//! | the renderer | `target`, `renderer`, `draw` |
//!
//! Every Vulkan object is held by an owner that keeps its parent alive, carries a debug name and is counted in
//! [`LiveObjects`], so dropping in any order is right and a leak is visible.
// Without windows some accessors of the device have no caller.
#![cfg_attr(not(feature = "window"), allow(dead_code))]

mod arena;
mod batches;
mod buffer;
mod capabilities;
mod compiled;
mod device;
mod draw;
mod error;
mod facts;
mod frame;
mod image;
mod info;
mod instance;
mod instance_support;
mod layout;
mod live_objects;
mod memory;
mod object;
mod options;
#[cfg(feature = "window")]
mod output;
mod pipelines;
#[cfg(feature = "window")]
mod presentation;
mod ranges;
mod record;
mod renderer;
mod retired;
mod selection;
mod shaders;
#[cfg(feature = "window")]
mod surface;
#[cfg(feature = "window")]
mod swapchain;
#[cfg(feature = "window")]
mod swapchain_selection;
mod target;
mod targets;
mod textures;
mod timings;
mod upload;
mod uploads;
mod validation;

#[cfg(test)]
mod device_tests;
#[cfg(all(test, feature = "window"))]
mod window_tests;

pub use device::MemoryUsage;
pub use error::{RejectedDevice, RendererError};
pub use info::RendererInfo;
pub use live_objects::{LiveObjects, ObjectKind};
pub use options::{PresentMode, RendererOptions, Validation};
pub use renderer::{CommandCounts, FrameOutcome, Renderer};
pub use timings::FrameTimings;
pub use validation::{ValidationCounts, ValidationLog, ValidationMessage, ValidationSeverity};
