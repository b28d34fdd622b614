//! The Vulkan renderer: everything that names a Vulkan object lives here.
//!
//! Built from the bottom up, each folder knowing only the ones before it:
//!
//! | layer | where |
//! | --- | --- |
//! | what the application says and sees | `options`, `error`, `validation`, `info` |
//! | instance, choice of a device, the device | `driver` |
//! | owners of Vulkan objects and memory, uploads | `memory` |
//! | what a plan needs on the GPU, and the draws over it | `compiled` |
//! | targets, per-frame data, recording | `frame` |
//! | flat triangles over the picture | `overlay` |
//! | surface, swapchain, output pass | `window` |
//! | the renderer | `target`, `renderer`, `settings`, `draw` |
//!
//! Every Vulkan object is held by an owner that keeps its parent alive, carries a debug name and is counted in
//! [`LiveObjects`], so dropping in any order is right and a leak is visible.
//!
//! The crate feature `window` re-exports the crate `raw_window_handle`, whose traits a window of one's own implements for
//! [`Renderer::windowed`].
// Without windows some accessors of the device have no caller.
#![cfg_attr(not(feature = "window"), allow(dead_code))]

mod compiled;
#[cfg(feature = "device-tests")]
#[doc(hidden)]
pub mod device_tests;
mod draw;
mod driver;
mod error;
mod frame;
mod info;
mod memory;
mod options;
mod overlay;
mod renderer;
mod settings;
mod target;
mod validation;
#[cfg(feature = "window")]
mod window;

pub use crate::preparation::ViewMode;
#[cfg(feature = "window")]
#[doc(no_inline)]
pub use ::raw_window_handle;
pub use compiled::estimate::{GpuMemory, gpu_memory};
pub use driver::device::MemoryUsage;
pub use driver::live_objects::{LiveObjects, ObjectKind};
pub use driver::survey::{DeviceInfo, devices};
pub use error::{RejectedDevice, RendererError};
pub use frame::timings::FrameTimings;
pub use info::RendererInfo;
pub use options::{PresentMode, RendererOptions, Validation};
pub use overlay::data::{Overlay, OverlayDraw, OverlayRect, OverlayTextureId, OverlayVertex};
pub use renderer::{CommandCounts, FrameOutcome, Renderer};
pub use validation::{ValidationCounts, ValidationLog, ValidationMessage, ValidationSeverity};
