//! Vertices and indices of many meshes in few buffers.

use super::ranges::Ranges;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::buffer::{Buffer, BufferDescription};
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::sync::{Arc, Mutex, PoisonError};

/// The first block of an arena, in bytes; each further one doubles, up to [`LARGEST_BLOCK`].
const FIRST_BLOCK: u64 = 256 << 10;
const LARGEST_BLOCK: u64 = 64 << 20;

/// One buffer of elements of one size.
#[derive(Debug)]
pub(crate) struct Block {
    buffer: Buffer,
    element_size: u32,
    ranges: Mutex<Ranges>,
}

impl Block {
    pub(crate) fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// Bytes of one element.
    pub(crate) fn element_size(&self) -> u32 {
        self.element_size
    }
}

/// A range of a block; the elements are free again when it is dropped.
///
/// Whoever drops it has made sure that the GPU is done with them.
#[derive(Debug)]
pub(crate) struct Lease {
    block: Arc<Block>,
    start: u32,
    length: u32,
}

impl Lease {
    pub(crate) fn block(&self) -> &Arc<Block> {
        &self.block
    }

    /// First element.
    pub(crate) fn start(&self) -> u32 {
        self.start
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut ranges = self.block.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        ranges.give(self.start, self.length);
    }
}

/// Blocks for elements of one size and use.
#[derive(Debug)]
pub(crate) struct Arena {
    name: String,
    element_size: u32,
    usage: vk::BufferUsageFlags,
    blocks: Vec<Arc<Block>>,
}

impl Arena {
    pub(crate) fn new(name: String, element_size: u32, usage: vk::BufferUsageFlags) -> Self {
        let usage = usage | vk::BufferUsageFlags::TRANSFER_DST;
        Self { name, element_size, usage, blocks: Vec::new() }
    }

    /// Room for `length` (not 0) elements, in a block of this or a new one.
    pub(crate) fn take(&mut self, device: &Arc<Device>, length: u32) -> Result<Lease, RendererError> {
        for block in &self.blocks {
            let mut ranges = block.ranges.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(start) = ranges.take(length) {
                return Ok(Lease { block: Arc::clone(block), start, length });
            }
        }
        let element = u64::from(self.element_size);
        let grown = (FIRST_BLOCK << self.blocks.len().min(16)).min(LARGEST_BLOCK);
        // A draw's vertex offset is signed.
        let capacity = (grown / element).max(u64::from(length));
        if capacity > i32::MAX as u64 {
            return Err(RendererError::OutOfMemory {
                call: format!("{length} {}", self.name),
                memory: "device",
            });
        }
        let buffer = Buffer::new(
            device,
            &BufferDescription {
                name: &format!("{} {}", self.name, self.blocks.len()),
                size: capacity * element,
                usage: self.usage,
                location: MemoryLocation::GpuOnly,
            },
        )?;
        let mut ranges = Ranges::new(capacity as u32);
        // A new block is at least as long as what is asked for.
        let start = ranges.take(length).unwrap_or(0);
        let block = Arc::new(Block { buffer, element_size: self.element_size, ranges: Mutex::new(ranges) });
        self.blocks.push(Arc::clone(&block));
        Ok(Lease { block, start, length })
    }

    /// Gives up blocks of which nothing is leased; leases and whoever else holds a block keep it alive.
    pub(crate) fn trim(&mut self) {
        self.blocks.retain(|block| {
            let ranges = block.ranges.lock().unwrap_or_else(PoisonError::into_inner);
            !ranges.is_unused()
        });
    }
}
