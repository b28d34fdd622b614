//! Memory for one buffer or image.
//!
//! Memory that the CPU writes or reads comes from the allocator with `HOST_COHERENT`: gpu-allocator takes a type without
//! it for no location but `GpuOnly`, and the accessors here refuse memory that lacks it. So nothing needs a flush, and
//! writes are visible to work that is submitted after them.

use std::sync::Arc;

use ash::vk;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc};

use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;

/// An allocation that goes back to the allocator when dropped.
#[derive(Debug)]
pub(crate) struct Memory {
    /// `None` only while it is dropped.
    allocation: Option<Allocation>,
    device: Arc<Device>,
}

impl Memory {
    pub(crate) fn new(
        device: &Arc<Device>,
        wanted: &AllocationCreateDesc<'_>,
    ) -> Result<Self, RendererError> {
        Ok(Self { allocation: Some(device.allocate(wanted)?), device: Arc::clone(device) })
    }

    /// The memory object and the offset in it, for binding.
    pub(crate) fn place(&self) -> (vk::DeviceMemory, vk::DeviceSize) {
        match &self.allocation {
            // SAFETY: the memory is used for binding alone, and what is bound to it is destroyed before it.
            Some(allocation) => (unsafe { allocation.memory() }, allocation.offset()),
            None => (vk::DeviceMemory::null(), 0),
        }
    }
}

impl Memory {
    /// The bytes as the CPU sees them; `None` for memory that is not mapped or needs flushes.
    pub(crate) fn mapped(&self) -> Option<&[u8]> {
        let allocation = self.allocation.as_ref();
        allocation.filter(is_coherent).and_then(Allocation::mapped_slice)
    }

    /// The bytes for writing; `None` for memory that is not mapped or needs flushes.
    pub(crate) fn mapped_mut(&mut self) -> Option<&mut [u8]> {
        let allocation = self.allocation.as_mut();
        allocation.filter(|allocation| is_coherent(&&**allocation)).and_then(Allocation::mapped_slice_mut)
    }
}

fn is_coherent(allocation: &&Allocation) -> bool {
    allocation.memory_properties().contains(vk::MemoryPropertyFlags::HOST_COHERENT)
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(allocation) = self.allocation.take() {
            self.device.free(allocation);
        }
    }
}
