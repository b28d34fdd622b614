//! Showing a model from the arguments to the last frame.

use super::arguments::{Arguments, SAMPLES, Size};
use super::destination::check_file;
use super::error::AppError;
use super::inputs::Inputs;
use super::output::{complaint, line};
use super::show::Show;
use super::slideshow::Slideshow;
use super::{headless, model};
use fire_engine::vulkan::{RendererOptions, Validation, ValidationLog};
use std::process::ExitCode;

/// What a wrong command line exits with.
pub const USAGE: u8 = 2;

/// Shows a text of the argument parser. Help and version are successes.
pub fn usage(error: &clap::Error) -> ExitCode {
    let _nobody_reads = error.print();
    ExitCode::from(if error.use_stderr() { USAGE } else { 0 })
}

/// Shows the model in a window, or writes pictures of it.
///
/// # Errors
/// Everything that keeps it from being shown as asked for.
pub fn run(arguments: &Arguments) -> Result<(), AppError> {
    if let Some(output) = &arguments.output {
        check_file(output)?;
        Inputs::of(arguments.model.as_slice()).spare(output)?;
    }
    let (content, report) = model::load_model(arguments.model.as_deref())?;
    if !report.is_empty() {
        line(&report);
    }
    if let Some(note) = model::unused_cameras(&content) {
        line(note);
    }
    let mut slideshow = Slideshow::new(content, arguments)?;
    #[cfg(all(feature = "cli", unix))]
    super::interrupt::clean_up();
    let options = options(arguments);
    let log = options.validation_log.clone();
    let shown = show(&mut slideshow, arguments, options);
    if shown.is_ok() || slideshow.progress().presented() > 0 {
        line(slideshow.progress().summary());
    }
    // The renderer is gone by now, so the log has what was reported while dropping it.
    let validated = validation(&log, arguments.validate, slideshow.has_started());
    shown?;
    slideshow.progress().complete()?;
    validated
}

fn options(arguments: &Arguments) -> RendererOptions {
    let mut options = RendererOptions {
        samples: arguments.samples.unwrap_or(SAMPLES),
        device: arguments.device.clone(),
        ..RendererOptions::default()
    };
    if arguments.validate {
        options.validation = Validation::Required;
    }
    options
}

fn show(slideshow: &mut Slideshow, arguments: &Arguments, options: RendererOptions) -> Result<(), AppError> {
    if !arguments.headless {
        match open_window(slideshow, arguments.size, &options)? {
            None => return Ok(()),
            Some(reason) => complaint(format_args!("No window: {reason}. Drawing headless instead.")),
        }
    }
    slideshow.go_headless(arguments)?;
    headless::run(slideshow, arguments.size, options)
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
