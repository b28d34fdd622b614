//! The materials of one frame in flight, where the scene has factors of its own for some.

use crate::assets::{MaterialFactors, MaterialId};
use crate::vulkan::compiled::compiler::Compiled;
use crate::vulkan::compiled::layout::GpuMaterial;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::buffer::{Buffer, BufferDescription};
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::sync::Arc;

/// A copy of the compiled materials that a frame may change. Scenes without such factors have none.
#[derive(Default)]
pub(crate) struct FrameMaterials {
    buffer: Option<Buffer>,
    /// Of which compiled materials it is a copy.
    original: Option<Arc<Buffer>>,
    /// Positions of those that differ from the original.
    changed: Vec<u32>,
    /// Whether this frame reads it.
    is_used: bool,
}

impl FrameMaterials {
    /// Brings the copy up to date for a frame. Returns whether it is another buffer than before.
    ///
    /// The caller has waited for the last frame that read it.
    pub(crate) fn update<'a>(
        &mut self,
        device: &Arc<Device>,
        frame: usize,
        compiled: &Compiled,
        overrides: impl Iterator<Item = (MaterialId, &'a MaterialFactors)>,
    ) -> Result<bool, RendererError> {
        let surfaces = &compiled.surfaces;
        let mut drawn = overrides
            .filter_map(|(material, factors)| Some((surfaces.position(material)?, factors)))
            .peekable();
        self.is_used = drawn.peek().is_some();
        if !self.is_used {
            // Keeps nothing of a plan that may be gone soon.
            self.original = None;
            return Ok(false);
        }
        let materials = surfaces.materials();
        let size = size_of_val(materials) as u64;
        let fitting = self.buffer.take().filter(|buffer| buffer.size() >= size);
        let is_new = fitting.is_none();
        let buffer = match fitting {
            Some(buffer) => self.buffer.insert(buffer),
            None => {
                // What is left of an error is nobody's copy.
                self.original = None;
                self.buffer.insert(grown(device, frame, size)?)
            }
        };
        match &self.original {
            Some(original) if Arc::ptr_eq(original, &compiled.materials) => {
                for &position in &self.changed {
                    write(buffer, position, &materials[position as usize])?;
                }
            }
            _ => {
                buffer.write(0, bytemuck::cast_slice(materials))?;
                self.original = Some(Arc::clone(&compiled.materials));
            }
        }
        self.changed.clear();
        for (position, factors) in drawn {
            write(buffer, position, &surfaces.with_factors(position, factors))?;
            self.changed.push(position);
        }
        Ok(is_new)
    }

    /// What this frame reads instead of the compiled materials, if anything.
    pub(crate) fn used(&self) -> Option<&Buffer> {
        self.buffer.as_ref().filter(|_| self.is_used)
    }
}

fn write(buffer: &mut Buffer, position: u32, material: &GpuMaterial) -> Result<(), RendererError> {
    buffer.write(u64::from(position) * size_of::<GpuMaterial>() as u64, bytemuck::bytes_of(material))
}

fn grown(device: &Arc<Device>, frame: usize, size: u64) -> Result<Buffer, RendererError> {
    let name = &format!("frame {frame} materials");
    let (usage, location) = (vk::BufferUsageFlags::STORAGE_BUFFER, MemoryLocation::CpuToGpu);
    Buffer::new(device, &BufferDescription { name, size, usage, location })
}
