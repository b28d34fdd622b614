//! How much memory the content takes.

use super::surfaces::stored;
use crate::app::error::AppError;
use fire_engine::animation::Animation;
use fire_engine::scene::Content;
use fire_engine::vulkan::{GpuMemory, RendererError, ViewMode, gpu_memory};
use serde::Serialize;

/// Bytes in the machine's memory and on a device.
#[derive(Debug, Serialize)]
pub struct Memory {
    pub cpu: Cpu,
    pub gpu: Gpu,
}

/// What is loaded: all of the file that is kept, drawn or not.
#[derive(Debug, Serialize)]
pub struct Cpu {
    pub vertices: u64,
    pub indices: u64,
    pub images: u64,
    pub keyframes: u64,
    pub total: u64,
}

/// What a renderer uploads for the scene, drawn by base color.
#[derive(Debug, Serialize)]
pub struct Gpu {
    pub vertices: u64,
    pub indices: u64,
    pub morph_targets: u64,
    /// With all mip levels.
    pub images: u64,
    pub total: u64,
}

impl Memory {
    /// Estimates both.
    ///
    /// # Errors
    /// [`AppError::Renderer`] if the scene cannot be planned.
    pub fn of(content: &Content) -> Result<Self, AppError> {
        let assets = &content.assets;
        let bytes = |count: usize, each: usize| count as u64 * each as u64;
        let vertices =
            assets.meshes().iter().map(|mesh| bytes(mesh.positions.len(), mesh.vertex_bytes())).sum();
        let indices =
            assets.meshes().iter().map(|mesh| bytes(mesh.indices.as_ref().map_or(0, Vec::len), 4)).sum();
        let images = assets.images().iter().map(stored).sum();
        let keyframes = content.animations.iter().map(keyframe_bytes).sum();
        let total = vertices + indices + images + keyframes;
        let cpu = Cpu { vertices, indices, images, keyframes, total };
        let gpu = gpu_memory(assets, &content.scene, ViewMode::BaseColor).map_err(RendererError::from)?;
        let GpuMemory { vertices, indices, morph_targets, images, .. } = gpu;
        Ok(Self { cpu, gpu: Gpu { vertices, indices, morph_targets, images, total: gpu.total() } })
    }
}

fn keyframe_bytes(clip: &Animation) -> u64 {
    clip.samplers().iter().map(|sampler| sampler.bytes() as u64).sum()
}
