//! Owners of Vulkan objects and their memory, and how data gets there.

pub(crate) mod allocation;
pub(crate) mod buffer;
pub(crate) mod image;
pub(crate) mod object;
pub(crate) mod upload;
pub(crate) mod uploads;

#[cfg(feature = "device-tests")]
pub(crate) mod device_tests;
