//! The materials of one frame in flight, where the scene has factors of its own for some.

use crate::scene::{Scene, SceneIdentity};
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
    /// What the buffer holds; `None` if that is unknown, or no frame's.
    written: Option<Written>,
}

/// Compiled materials with the factors of a scene.
struct Written {
    original: Arc<Buffer>,
    scene: SceneIdentity,
    /// The scene's revision of its factors.
    revision: u64,
}

impl FrameMaterials {
    /// Brings the copy up to date for a frame: writes what changed since this slot's last one, or everything for another
    /// scene or plan. Returns whether it is another buffer than before.
    ///
    /// The caller has waited for the last frame that read it.
    pub(crate) fn update(
        &mut self,
        device: &Arc<Device>,
        frame: usize,
        compiled: &Compiled,
        scene: &Scene,
    ) -> Result<bool, RendererError> {
        // An error on the way leaves nobody's copy, and a plan that may be gone soon is not kept.
        let last = self.written.take().filter(|last| {
            Arc::ptr_eq(&last.original, &compiled.materials) && last.scene == scene.identity()
        });
        let surfaces = &compiled.surfaces;
        let mut drawn = scene
            .material_overrides_since(last.as_ref().map_or(0, |last| last.revision))
            .filter_map(|(material, factors)| Some((surfaces.position(material)?, factors)))
            .peekable();
        if last.is_none() && drawn.peek().is_none() {
            return Ok(false);
        }
        let materials = surfaces.materials();
        let size = size_of_val(materials) as u64;
        let fitting = self.buffer.take().filter(|buffer| buffer.size() >= size);
        let is_new = fitting.is_none();
        let buffer = match fitting {
            Some(buffer) => self.buffer.insert(buffer),
            None => self.buffer.insert(grown(device, frame, size)?),
        };
        if last.is_none() {
            buffer.write(0, bytemuck::cast_slice(materials))?;
        }
        for (position, factors) in drawn {
            write(buffer, position, &surfaces.with_factors(position, factors))?;
        }
        self.written = Some(Written {
            original: Arc::clone(&compiled.materials),
            scene: scene.identity(),
            revision: scene.material_revision(),
        });
        Ok(is_new)
    }

    /// What this frame reads instead of the compiled materials, if anything.
    pub(crate) fn used(&self) -> Option<&Buffer> {
        self.buffer.as_ref().filter(|_| self.written.is_some())
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
