//! `view` from its arguments to its exit code.

use super::arguments::{ViewArguments, Vsync};
use super::viewer::Viewer;
use crate::app::error::AppError;
use crate::app::run::validation;
use fire_engine::vulkan::{PresentMode, RendererOptions, Validation};
use fire_engine::winit::WindowOptions;

/// Shows the models until the window is closed.
///
/// # Errors
/// The first model cannot be loaded or is not as asked for, there is no window, or the renderer failed.
pub fn run(arguments: &ViewArguments) -> Result<(), AppError> {
    let options = RendererOptions {
        validation: if arguments.validate { Validation::Required } else { Validation::default() },
        anisotropy: arguments.anisotropy.unwrap_or(16.0),
        samples: arguments.samples,
        view_mode: arguments.mode.into(),
        clear_color: arguments.background,
        device: arguments.device.clone(),
        present_mode: match arguments.vsync {
            Vsync::On => PresentMode::Fifo,
            Vsync::Off => PresentMode::Immediate,
        },
        ..RendererOptions::default()
    };
    let window = WindowOptions {
        size: (arguments.size.width, arguments.size.height),
        full_screen: arguments.full_screen,
        // The viewer asks more of Escape.
        close_on_escape: false,
        ..WindowOptions::default()
    };
    let log = options.validation_log.clone();
    let mut viewer = Viewer::new(arguments);
    let shown = fire_engine::winit::run(&mut viewer, window, options);
    let has_started = viewer.has_started();
    let has_failed = viewer.has_failed();
    let complete = viewer.progress().complete();
    // The panel's textures, and all else of the renderer, are gone by now.
    drop(viewer);
    let validated = validation(&log, arguments.validate, has_started);
    if let Some(reason) = shown? {
        return Err(AppError::NoWindow(reason));
    }
    complete?;
    validated?;
    // Each was complained about when it failed.
    if has_failed { Err(AppError::NothingShown) } else { Ok(()) }
}
