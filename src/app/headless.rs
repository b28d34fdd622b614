//! The host without a window.

use super::arguments::Size;
use super::error::AppError;
use super::progress::Next;
use super::show::Show;
use fire_engine::vulkan::{Renderer, RendererOptions};
use std::time::Instant;

/// Drives `show` until it is done, into pictures of that size.
pub fn run(show: &mut dyn Show, size: Size, options: RendererOptions) -> Result<(), AppError> {
    let mut renderer = Renderer::headless((size.width, size.height), options)?;
    show.start(&mut renderer)?;
    while show.frame(&mut renderer, Instant::now())? != Next::Done {}
    show.finish(&mut renderer)
}
