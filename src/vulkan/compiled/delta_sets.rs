//! How shaders see the displacements of morph targets.

use super::arena::Block;
use super::textures::DescriptorSets;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::object::Owned;
use ash::vk;
use std::sync::Arc;

/// What stands for a set where displacements are not read.
pub(crate) const NO_SET: u32 = u32::MAX;

/// A descriptor set of one block; it keeps the block alive.
struct DeltaSet {
    set: DescriptorSets,
    block: Arc<Block>,
}

/// The blocks that a plan's draws bind, shared from plan to plan as the blocks are.
#[derive(Default)]
pub(crate) struct DeltaSets(Vec<Arc<DeltaSet>>);

impl DeltaSets {
    /// The descriptor set with this index.
    pub(crate) fn get(&self, index: u32) -> Option<vk::DescriptorSet> {
        self.0.get(index as usize)?.set.sets.first().copied()
    }

    /// The index of the block's set, taken over from `old` or made if this is new.
    pub(crate) fn require(
        &mut self,
        device: &Arc<Device>,
        layout: &Owned<vk::DescriptorSetLayout>,
        block: &Arc<Block>,
        old: Option<&Self>,
    ) -> Result<u32, RendererError> {
        let shows = |set: &&Arc<DeltaSet>| Arc::ptr_eq(&set.block, block);
        if let Some(index) = self.0.iter().position(|set| shows(&set)) {
            return Ok(index as u32);
        }
        let made = match old.and_then(|old| old.0.iter().find(shows)) {
            Some(kept) => Arc::clone(kept),
            None => {
                let kind = (vk::DescriptorType::STORAGE_BUFFER, 1);
                let set = DescriptorSets::new(device, layout, kind, 1, block.buffer().name())?;
                set.write_buffers([block.buffer()]);
                Arc::new(DeltaSet { set, block: Arc::clone(block) })
            }
        };
        self.0.push(made);
        Ok(self.0.len() as u32 - 1)
    }
}
