//! What the panel shows.

use super::figures::Figures;
use super::stage::Stage;
use fire_engine::gltf::LoadProgress;
use fire_engine::vulkan::{CommandCounts, FrameTimings, MemoryUsage, PresentMode, ViewMode};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Everything that the panel reads. What it wants to be different it says by an [`Order`](super::order::Order).
pub struct Seen<'a> {
    /// The model on show.
    pub stage: &'a Stage,
    /// The list of models.
    pub models: &'a [PathBuf],
    /// Those that could not be shown when they were last wanted, and why.
    pub refused: &'a BTreeMap<PathBuf, String>,
    /// What is being loaded, and how far it is.
    pub loading: Option<(String, Option<LoadProgress>)>,
    /// What went wrong last, until something else is opened.
    pub message: Option<&'a str>,
    /// Whether it is to be said what keys and the mouse do.
    pub shows_keys: bool,
    /// The times of the last frames.
    pub figures: &'a mut Figures,
    /// The renderer.
    pub renderer: &'a RendererFacts,
    /// Whether the window fills the screen.
    pub is_full_screen: bool,
}

/// What the renderer says of itself.
#[derive(Debug, Clone)]
pub struct RendererFacts {
    /// The device and its driver.
    pub device: String,
    /// Size of the picture in pixels.
    pub size: (u32, u32),
    /// Samples per pixel.
    pub samples: u32,
    /// Times of the last frame.
    pub timings: FrameTimings,
    /// Commands of the last frame.
    pub counts: CommandCounts,
    /// What is allocated on the device; looked at twice a second.
    pub memory: MemoryUsage,
    /// How often something was compiled.
    pub generation: u64,
    /// What is drawn of the surfaces, and what can be.
    pub mode: ViewMode,
    /// What the device can draw.
    pub modes: Vec<ViewMode>,
    /// How frames reach the screen.
    pub present_mode: PresentMode,
    /// How they could.
    pub present_modes: Vec<PresentMode>,
    /// The background, linear.
    pub clear_color: [f32; 4],
}
