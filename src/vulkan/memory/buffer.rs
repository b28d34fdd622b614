//! Buffers.

use std::sync::Arc;

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{AllocationCreateDesc, AllocationScheme};

use super::allocation::Memory;
use super::object::Owned;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::{RendererError, VkResultExt};

/// What a buffer is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BufferDescription<'a> {
    pub(crate) name: &'a str,
    /// In bytes, not 0.
    pub(crate) size: u64,
    pub(crate) usage: vk::BufferUsageFlags,
    pub(crate) location: MemoryLocation,
}

/// A buffer with memory of its own.
#[derive(Debug)]
pub(crate) struct Buffer {
    // Before its memory, so that it is destroyed first.
    object: Owned<vk::Buffer>,
    memory: Memory,
    name: Box<str>,
    size: u64,
    location: MemoryLocation,
}

impl Buffer {
    pub(crate) fn new(
        device: &Arc<Device>,
        description: &BufferDescription<'_>,
    ) -> Result<Self, RendererError> {
        let BufferDescription { name, size, usage, location } = *description;
        if size == 0 {
            return Err(RendererError::ZeroSize { name: name.to_owned() });
        }
        let info =
            vk::BufferCreateInfo::default().size(size).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: the description refers to nothing, and the size is not 0.
        let object = unsafe { device.create(&info, name) }?;
        // SAFETY: the buffer is alive.
        let requirements = unsafe { device.raw().get_buffer_memory_requirements(object.handle()) };
        let memory = Memory::new(
            device,
            &AllocationCreateDesc {
                name,
                requirements,
                location,
                linear: true,
                allocation_scheme: AllocationScheme::GpuAllocatorManaged,
            },
        )?;
        let (place, offset) = memory.place();
        // SAFETY: the buffer is not bound yet, and the memory meets its requirements.
        unsafe { device.raw().bind_buffer_memory(object.handle(), place, offset) }
            .at("vkBindBufferMemory")?;
        Ok(Self { object, memory, name: name.into(), size, location })
    }

    pub(crate) fn handle(&self) -> vk::Buffer {
        self.object.handle()
    }

    /// Size in bytes, as asked for.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Fails unless `length` bytes at `offset` lie in the buffer.
    pub(crate) fn check_range(&self, offset: u64, length: u64) -> Result<(), RendererError> {
        match offset.checked_add(length) {
            Some(end) if end <= self.size => Ok(()),
            _ => Err(RendererError::OutOfBounds {
                name: self.name.to_string(),
                offset,
                length,
                size: self.size,
            }),
        }
    }

    /// The whole buffer as the CPU sees it. An error for memory that is not meant for the CPU.
    ///
    /// The caller has made sure that the GPU does not write it meanwhile.
    pub(crate) fn bytes(&self) -> Result<&[u8], RendererError> {
        self.check_location()?;
        let bytes = self.memory.mapped();
        bytes.and_then(|bytes| bytes.get(..self.size as usize)).ok_or_else(|| not_mapped(&self.name))
    }

    /// Copies bytes into the buffer from the CPU. An error for memory that is not meant for the CPU.
    ///
    /// The caller has made sure that the GPU does not use what is written.
    pub(crate) fn write(&mut self, offset: u64, data: &[u8]) -> Result<(), RendererError> {
        let length = data.len() as u64;
        self.check_range(offset, length)?;
        self.check_location()?;
        let (start, end) = (offset as usize, (offset + length) as usize);
        let target = self.memory.mapped_mut().and_then(|bytes| bytes.get_mut(start..end));
        target.ok_or_else(|| not_mapped(&self.name))?.copy_from_slice(data);
        Ok(())
    }

    /// A device with one kind of memory maps all of it; code must not come to rely on that, so the location counts.
    fn check_location(&self) -> Result<(), RendererError> {
        match self.location {
            MemoryLocation::CpuToGpu | MemoryLocation::GpuToCpu => Ok(()),
            _ => Err(not_mapped(&self.name)),
        }
    }
}

/// Records a barrier that makes copies visible to the CPU, once it has waited for the submission.
///
/// # Safety
///
/// `commands` is being recorded, outside of rendering.
pub(crate) unsafe fn copies_to_host(device: &Device, commands: vk::CommandBuffer) {
    let barriers = [vk::MemoryBarrier2::default()
        .src_stage_mask(vk::PipelineStageFlags2::COPY)
        .src_access_mask(vk::AccessFlags2::TRANSFER_WRITE)
        .dst_stage_mask(vk::PipelineStageFlags2::HOST)
        .dst_access_mask(vk::AccessFlags2::HOST_READ)];
    let info = vk::DependencyInfo::default().memory_barriers(&barriers);
    // SAFETY: by this function's contract.
    unsafe { device.raw().cmd_pipeline_barrier2(commands, &info) };
}

fn not_mapped(name: &str) -> RendererError {
    RendererError::Allocation {
        name: name.to_owned(),
        reason: "its memory is not visible to the CPU".to_owned(),
    }
}
