//! The host with a window: the library's, for a show.

use super::arguments::Size;
use super::error::AppError;
use super::progress::Next;
use super::show::Show;
use fire_engine::vulkan::RendererOptions;
use fire_engine::winit::{NextFrame, WindowApp, WindowContext, WindowOptions};
use std::time::Instant;

/// Drives `show` in a window of that size in pixels, until it is done or the window is closed. Returns why there is no
/// window, if none could be opened; then `show` was not started.
///
/// # Errors
/// What `show` or the renderer report, and [`AppError::WindowSystem`].
pub fn run(show: &mut dyn Show, size: Size, options: RendererOptions) -> Result<Option<String>, AppError> {
    let window = WindowOptions { size: (size.width, size.height), ..WindowOptions::default() };
    Ok(fire_engine::winit::run(&mut Windowed(show), window, options)?)
}

struct Windowed<'a>(&'a mut dyn Show);

impl WindowApp for Windowed<'_> {
    type Error = AppError;

    fn start(&mut self, context: &mut WindowContext<'_>) -> Result<(), AppError> {
        self.0.start(context.renderer)
    }

    fn frame(&mut self, context: &mut WindowContext<'_>, now: Instant) -> Result<NextFrame, AppError> {
        Ok(match self.0.frame(context.renderer, now)? {
            Next::Continue => NextFrame::Continue,
            Next::Retry => NextFrame::Retry,
            Next::Done => NextFrame::Done,
        })
    }

    fn pause(&mut self) {
        self.0.pause();
    }

    fn finish(&mut self, context: &mut WindowContext<'_>) -> Result<(), AppError> {
        self.0.finish(context.renderer)
    }
}
