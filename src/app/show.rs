//! What the hosts drive.

use super::error::AppError;
use super::progress::Next;
use fire_engine::vulkan::Renderer;
use std::time::Instant;

/// Something that is drawn frame by frame, in a window or headless.
pub trait Show {
    /// Called once, when the renderer is there.
    fn start(&mut self, renderer: &mut Renderer) -> Result<(), AppError>;

    /// Draws one frame, which begins at `now`.
    fn frame(&mut self, renderer: &mut Renderer, now: Instant) -> Result<Next, AppError>;

    /// The window has no area; drawing stops until it has one again.
    #[cfg_attr(not(feature = "winit"), allow(dead_code, reason = "only a window has no area"))]
    fn pause(&mut self) {}

    /// Called once after the last frame, while the renderer is still there.
    fn finish(&mut self, renderer: &mut Renderer) -> Result<(), AppError>;
}
