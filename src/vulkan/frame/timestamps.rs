//! GPU time of a frame.

use super::timings::ticks_between;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::buffer::{Buffer, BufferDescription, copies_to_host};
use crate::vulkan::memory::object::Owned;
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::sync::Arc;
use std::time::Duration;
use vk::PipelineStageFlags2 as Stage;

/// Two timestamps of one frame in flight.
///
/// The GPU copies them to memory at the frame's end: asking the driver instead may wait for the frame after it (lavapipe
/// holds its queue's lock while it draws).
pub(crate) struct Timestamps {
    device: Arc<Device>,
    pool: Owned<vk::QueryPool>,
    results: Buffer,
    written: bool,
}

impl Timestamps {
    /// `None` where the graphics queue has no timestamps.
    pub(crate) fn new(device: &Arc<Device>, name: &str) -> Result<Option<Self>, RendererError> {
        if device.capabilities().timestamp_valid_bits == 0 {
            return Ok(None);
        }
        let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(2);
        let description = BufferDescription {
            name,
            size: 16,
            usage: vk::BufferUsageFlags::TRANSFER_DST,
            location: MemoryLocation::GpuToCpu,
        };
        Ok(Some(Self {
            // SAFETY: the description refers to nothing; the graphics queue has timestamps.
            pool: unsafe { device.create(&info, name) }?,
            results: Buffer::new(device, &description)?,
            written: false,
            device: Arc::clone(device),
        }))
    }

    /// Records the first one.
    ///
    /// # Safety
    ///
    /// `commands` is being recorded, outside of rendering, and no submitted work uses these timestamps.
    pub(crate) unsafe fn begin(&self, commands: vk::CommandBuffer) {
        let device = self.device.raw();
        // SAFETY: by this function's contract; the pool has two queries.
        unsafe {
            device.cmd_reset_query_pool(commands, self.pool.handle(), 0, 2);
            device.cmd_write_timestamp2(commands, Stage::TOP_OF_PIPE, self.pool.handle(), 0);
        }
    }

    /// Records the last one, and the copy of both.
    ///
    /// # Safety
    ///
    /// As for [`begin`](Self::begin), which was recorded before in `commands`.
    pub(crate) unsafe fn end(&self, commands: vk::CommandBuffer) {
        let device = self.device.raw();
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: by this function's contract; the buffer holds two 64-bit values.
        unsafe {
            device.cmd_write_timestamp2(commands, Stage::ALL_COMMANDS, self.pool.handle(), 1);
            let (pool, target) = (self.pool.handle(), self.results.handle());
            device.cmd_copy_query_pool_results(commands, pool, 0, 2, target, 0, 8, flags);
            copies_to_host(&self.device, commands);
        }
    }

    /// Tells that a submission writes them.
    pub(crate) fn submitted(&mut self) {
        self.written = true;
    }

    /// The time between both, once the submission is finished.
    pub(crate) fn read(&self) -> Option<Duration> {
        let bytes = self.results.bytes().ok().filter(|_| self.written)?;
        let tick = |at: usize| Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let capabilities = self.device.capabilities();
        let period = capabilities.limits.timestamp_period;
        Some(ticks_between([tick(0)?, tick(8)?], capabilities.timestamp_valid_bits, period))
    }
}
