//! GPU time of a frame and its passes.

use super::timings::{Pass, Passes, ticks_between};
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::buffer::{Buffer, BufferDescription, copies_to_host};
use crate::vulkan::memory::object::Owned;
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::sync::Arc;
use std::time::Duration;
use vk::PipelineStageFlags2 as Stage;

/// One timestamp for the beginning and one for the end of each pass.
const QUERIES: u32 = 1 + Pass::COUNT as u32;
/// Bytes of a result.
const RESULT: usize = size_of::<u64>();

/// The timestamps of one frame in flight: of its beginning, and of the end of each pass that it has.
///
/// The GPU copies them to memory at the frame's end: asking the driver instead may wait for the frame after it (lavapipe
/// holds its queue's lock while it draws).
pub(crate) struct Timestamps {
    device: Arc<Device>,
    pool: Owned<vk::QueryPool>,
    results: Buffer,
    /// Of the last submission.
    written: Passes,
}

impl Timestamps {
    /// `None` where the graphics queue has no timestamps.
    pub(crate) fn new(device: &Arc<Device>, name: &str) -> Result<Option<Self>, RendererError> {
        if device.capabilities().timestamp_valid_bits == 0 {
            return Ok(None);
        }
        let info =
            vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(QUERIES);
        let description = BufferDescription {
            name,
            size: u64::from(QUERIES) * RESULT as u64,
            usage: vk::BufferUsageFlags::TRANSFER_DST,
            location: MemoryLocation::GpuToCpu,
        };
        Ok(Some(Self {
            // SAFETY: the description refers to nothing; the graphics queue has timestamps.
            pool: unsafe { device.create(&info, name) }?,
            results: Buffer::new(device, &description)?,
            written: Passes::default(),
            device: Arc::clone(device),
        }))
    }

    /// Records that of the beginning.
    ///
    /// # Safety
    ///
    /// `commands` is being recorded, outside of rendering, and no submitted work uses these timestamps.
    pub(crate) unsafe fn begin(&self, commands: vk::CommandBuffer) {
        let device = self.device.raw();
        // SAFETY: by this function's contract; the pool has that many queries.
        unsafe {
            device.cmd_reset_query_pool(commands, self.pool.handle(), 0, QUERIES);
            device.cmd_write_timestamp2(commands, Stage::TOP_OF_PIPE, self.pool.handle(), 0);
        }
    }

    /// Records that of the end of a pass; `recorded` are those before it.
    ///
    /// # Safety
    ///
    /// As for [`begin`](Self::begin), which was recorded before in `commands`, as were those of the passes before.
    pub(crate) unsafe fn mark(&self, commands: vk::CommandBuffer, recorded: &Passes) {
        let query = 1 + recorded.count() as u32;
        if query < QUERIES {
            // SAFETY: by this function's contract; the query exists and was reset.
            unsafe {
                self.device.raw().cmd_write_timestamp2(
                    commands,
                    Stage::ALL_COMMANDS,
                    self.pool.handle(),
                    query,
                );
            }
        }
    }

    /// Records the copy of all that were recorded.
    ///
    /// # Safety
    ///
    /// As for [`mark`](Self::mark), which was recorded for each of `passes`.
    pub(crate) unsafe fn end(&self, commands: vk::CommandBuffer, passes: &Passes) {
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        let (pool, count, target) = (self.pool.handle(), 1 + passes.count() as u32, self.results.handle());
        // SAFETY: by this function's contract; the buffer holds a 64-bit value for each query, and none is waited for that
        // nothing writes.
        unsafe {
            let device = self.device.raw();
            device.cmd_copy_query_pool_results(commands, pool, 0, count, target, 0, RESULT as u64, flags);
            copies_to_host(&self.device, commands);
        }
    }

    /// Tells that a submission writes them.
    pub(crate) fn submitted(&mut self, passes: Passes) {
        self.written = passes;
    }

    /// How long each pass of the last submission took, once that is finished; `None` before the first one.
    pub(crate) fn read(&self) -> Option<[Option<Duration>; Pass::COUNT]> {
        let bytes = self.results.bytes().ok().filter(|_| self.written.count() > 0)?;
        let (results, _) = bytes.as_chunks::<RESULT>();
        let (first, ends) = results.split_first()?;
        let capabilities = self.device.capabilities();
        let (valid_bits, period) = (capabilities.timestamp_valid_bits, capabilities.limits.timestamp_period);
        let start = u64::from_ne_bytes(*first);
        let since_start =
            |&end: &[u8; RESULT]| ticks_between([start, u64::from_ne_bytes(end)], valid_bits, period);
        Some(self.written.durations(ends.iter().map(since_start)))
    }
}
