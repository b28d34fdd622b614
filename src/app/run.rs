//! Showing a model from the arguments to the last frame.

use super::arguments::{Arguments, Size};
use super::destination::check_file;
use super::error::AppError;
use super::output::{complaint, line};
use super::show::Show;
use super::viewer::Viewer;
use super::{headless, model};
use fire_engine::vulkan::{RendererOptions, Validation, ValidationLog};
use std::process::ExitCode;

/// Shows a text of the argument parser. Help and version are successes.
pub fn usage(error: &clap::Error) -> ExitCode {
    let _nobody_reads = error.print();
    if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Shows the model in a window, or writes pictures of it.
///
/// # Errors
/// Everything that keeps it from being shown as asked for.
pub fn run(arguments: &Arguments) -> Result<(), AppError> {
    if let Some(output) = &arguments.output {
        check_file(output)?;
    }
    let (content, report) = model::load_model(arguments.model.as_deref())?;
    if !report.is_empty() {
        line(&report);
    }
    if let Some(note) = model::unused_cameras(&content) {
        line(note);
    }
    let mut viewer = Viewer::new(content, arguments)?;
    let options = options(arguments);
    let log = options.validation_log.clone();
    let shown = show(&mut viewer, arguments, options);
    if shown.is_ok() || viewer.progress().presented() > 0 {
        line(viewer.progress().summary());
    }
    // The renderer is gone by now, so the log has what was reported while dropping it.
    let validated = validation(&log, arguments.validate, viewer.has_started());
    shown?;
    viewer.progress().complete()?;
    validated
}

fn options(arguments: &Arguments) -> RendererOptions {
    let mut options = RendererOptions {
        samples: arguments.samples.unwrap_or(1),
        device: arguments.device.clone(),
        ..RendererOptions::default()
    };
    if arguments.validate {
        options.validation = Validation::Required;
    }
    options
}

fn show(viewer: &mut Viewer, arguments: &Arguments, options: RendererOptions) -> Result<(), AppError> {
    if !arguments.headless {
        match open_window(viewer, arguments.size, &options)? {
            None => return Ok(()),
            Some(reason) => complaint(format_args!("No window: {reason}. Drawing headless instead.")),
        }
    }
    viewer.go_headless(arguments)?;
    headless::run(viewer, arguments.size, options)
}

/// Runs a show in a window; or returns why there is none.
///
/// # Errors
/// As the window's host.
pub fn open_window(
    show: &mut dyn Show,
    size: Size,
    options: &RendererOptions,
) -> Result<Option<String>, AppError> {
    #[cfg(feature = "winit")]
    return super::window::run(show, size, options.clone());
    #[cfg(not(feature = "winit"))]
    {
        let _unused = (show, size, options);
        Ok(Some("this program was built without windows (feature `winit`)".to_owned()))
    }
}

/// Says what the validation layer reported. If it was required, and there was a renderer for it to look at, says also
/// how much that was, even nothing.
///
/// # Errors
/// [`AppError::NotClean`] if it was required and there was something.
pub fn validation(log: &ValidationLog, is_required: bool, had_renderer: bool) -> Result<(), AppError> {
    for message in log.messages() {
        complaint(message);
    }
    let counts = log.counts();
    if is_required && had_renderer {
        line(format_args!("Validation: {} errors, {} warnings.", counts.errors, counts.warnings));
    }
    if is_required && !log.is_clean() { Err(AppError::NotClean(counts)) } else { Ok(()) }
}
