//! What the renderer says of itself, looked up no more often than it is read.

use super::seen::RendererFacts;
use fire_engine::vulkan::Renderer;
use std::time::{Duration, Instant};

/// Memory takes a walk over all allocations, and how frames could be presented a list.
const SELDOM: Duration = Duration::from_millis(500);

/// The renderer's facts, and when those that cost something were looked up.
pub struct Facts {
    known: RendererFacts,
    seldom_at: Option<Instant>,
}

impl Facts {
    /// What is so at first.
    pub fn new(renderer: &Renderer) -> Self {
        let info = renderer.info();
        let known = RendererFacts {
            device: format!("{} ({} {})", info.device_name, info.driver_name, info.driver_info),
            size: renderer.size(),
            samples: renderer.samples(),
            timings: renderer.timings(),
            counts: renderer.command_counts(),
            memory: renderer.memory_usage(),
            generation: renderer.preparation().generation(),
            mode: renderer.view_mode(),
            modes: renderer.view_modes(),
            present_mode: renderer.present_mode(),
            present_modes: renderer.present_modes(),
            clear_color: renderer.clear_color(),
        };
        Self { known, seldom_at: None }
    }

    /// What is so now.
    pub fn look(&mut self, renderer: &Renderer, now: Instant) -> &RendererFacts {
        let known = &mut self.known;
        known.size = renderer.size();
        known.timings = renderer.timings();
        known.counts = renderer.command_counts();
        known.generation = renderer.preparation().generation();
        known.mode = renderer.view_mode();
        known.present_mode = renderer.present_mode();
        known.clear_color = renderer.clear_color();
        if self.seldom_at.is_none_or(|at| now >= at + SELDOM) {
            known.memory = renderer.memory_usage();
            // Those of the surface: none before it has an area.
            known.present_modes = renderer.present_modes();
            self.seldom_at = Some(now);
        }
        known
    }
}
