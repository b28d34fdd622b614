//! The SPIR-V that `build.rs` embeds.

use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::object::Owned;
use ash::vk;
use std::sync::Arc;

include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// A module of embedded words; only needed until the pipeline is made.
pub(crate) fn module(
    device: &Arc<Device>,
    words: &[u32],
    name: &str,
) -> Result<Owned<vk::ShaderModule>, RendererError> {
    // SAFETY: the words are a whole SPIR-V module: the build script checked what it embeds.
    unsafe { device.create(&vk::ShaderModuleCreateInfo::default().code(words), name) }
}
