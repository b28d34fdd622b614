//! `render` from its arguments to its exit code.

use super::arguments::RenderArguments;
use super::loading::Loading;
use super::paths::{Format, Pattern};
use super::picturing::Picturing;
use super::sheet::Sheet;
use crate::app::destination::check_file;
use crate::app::error::AppError;
use crate::app::log;
use crate::app::output::{complaint, line, printable};
use crate::app::picture;
use crate::app::selection;
use crate::app::stopwatch::Stopwatch;
use fire_engine::gltf::{LoadOptions, LoadReport};
use fire_engine::math::look_at;
use fire_engine::vulkan::{Renderer, RendererError, RendererOptions, Validation};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Some model failed.
const SOME_FAILED: u8 = 1;
/// Nothing was drawn, because of the command line or of an output.
const REFUSED: u8 = 2;
/// There is no device, it was lost, or the validation layer found faults.
const NO_DEVICE: u8 = 3;

/// Draws the models, each failure being one line.
///
/// # Errors
/// None: the exit code tells failures apart.
pub fn run(arguments: &RenderArguments) -> Result<ExitCode, AppError> {
    let watch = arguments.timings.then(|| Stopwatch::new(Instant::now()));
    let plan = match Plan::new(arguments) {
        Ok(plan) => plan,
        Err(error) => {
            complaint(format_args!("fire-engine: {error}"));
            return Ok(ExitCode::from(REFUSED));
        }
    };
    let options = options(arguments);
    let log = options.validation_log.clone();
    let mut code = draw(arguments, plan, options, watch);
    // The renderer is gone by now, so the log has what was reported while dropping it.
    for message in log.messages() {
        complaint(message);
    }
    if arguments.validate && !log.is_clean() {
        complaint(format_args!("fire-engine: {}", AppError::NotClean(log.counts())));
        code = NO_DEVICE;
    }
    Ok(ExitCode::from(code))
}

/// What is known before anything is loaded.
struct Plan {
    pattern: Option<Pattern>,
    sheet: Option<Sheet>,
    jobs: usize,
}

impl Plan {
    fn new(arguments: &RenderArguments) -> Result<Self, AppError> {
        let models = &arguments.models;
        check_camera(arguments)?;
        let is_sequence =
            arguments.motion.turntable || arguments.motion.frames.is_some_and(|frames| frames > 1);
        let pattern =
            arguments.output.as_deref().map(|output| Pattern::new(output, models.len(), is_sequence));
        let pattern = pattern.transpose()?;
        let mut files = pattern.as_ref().map_or_else(|| Ok(Vec::new()), |pattern| pattern.files(models))?;
        if pattern.as_ref().is_some_and(|pattern| pattern.format == Format::Raw)
            && std::io::stdout().is_terminal()
        {
            let reason = "raw frames are no text for a terminal: send standard output to a file or a program";
            return Err(AppError::Usage(format!("--output -: {reason}")));
        }
        if let Some(sheet) = &arguments.contact_sheet {
            if !sheet.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
                let sheet = sheet.display();
                return Err(AppError::Usage(format!(
                    "--contact-sheet {sheet}: name a file that ends in .png"
                )));
            }
            if files.contains(sheet) {
                let sheet = sheet.display();
                return Err(AppError::Usage(format!(
                    "--contact-sheet {sheet}: --output names the same file"
                )));
            }
            files.push(sheet.clone());
        }
        files.iter().try_for_each(|file| check_file(file))?;
        let size = (arguments.size.width, arguments.size.height);
        let sheet = arguments.contact_sheet.as_ref();
        let sheet = sheet.map(|_| Sheet::new(models.len(), size, arguments.columns, arguments.labels));
        let jobs = arguments.jobs.map_or_else(cores, |jobs| jobs as usize).min(models.len());
        Ok(Self { pattern, sheet: sheet.transpose()?, jobs: jobs.max(1) })
    }
}

/// Checks as much of the camera as needs no model.
fn check_camera(arguments: &RenderArguments) -> Result<(), AppError> {
    let camera = &arguments.camera;
    if let (Some(eye), Some(target)) = (camera.eye, camera.target) {
        look_at(eye, target, camera.up.unwrap_or(fire_engine::math::Vec3::Y)).map_err(AppError::Eye)?;
    }
    let (near, far) = (camera.near.unwrap_or(1e-3), camera.far.unwrap_or(f32::INFINITY));
    let wrong = |reason: &str| Err(AppError::Usage(format!("--near {near} and --far {far}: {reason}")));
    let is_flat = camera.ortho.is_some();
    if near < 0.0 || (near == 0.0 && !is_flat) {
        return wrong("near must be above 0, or with --ortho at least 0");
    }
    if near >= far && camera.far.is_some() {
        return wrong("far must be beyond near");
    }
    if is_flat && camera.far == Some(f32::INFINITY) {
        return wrong("with --ortho far must be finite");
    }
    Ok(())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn options(arguments: &RenderArguments) -> RendererOptions {
    RendererOptions {
        validation: if arguments.validate { Validation::Required } else { Validation::Off },
        anisotropy: arguments.anisotropy,
        samples: arguments.samples,
        view_mode: arguments.mode.into(),
        clear_color: arguments.background,
        device: arguments.device.clone(),
        ..RendererOptions::default()
    }
}

/// Loads and draws; returns the exit code.
fn draw(
    arguments: &RenderArguments,
    plan: Plan,
    options: RendererOptions,
    mut watch: Option<Stopwatch>,
) -> u8 {
    let Plan { pattern, sheet, jobs } = plan;
    let load = LoadOptions {
        scene: selection::scene(arguments.scene.as_ref()),
        threads: NonZeroUsize::new(cores() / jobs).or(Some(NonZeroUsize::MIN)),
        ..LoadOptions::default()
    };
    std::thread::scope(|scope| {
        // Models are loaded while the device is opened.
        let mut loading = Loading::start(scope, &arguments.models, jobs, &load);
        let renderer = match Renderer::headless((arguments.size.width, arguments.size.height), options) {
            Ok(renderer) => renderer,
            Err(error) => {
                complaint(format_args!("fire-engine: {error}"));
                return NO_DEVICE;
            }
        };
        if let Some(watch) = &mut watch {
            watch.lap("open the device");
        }
        if arguments.verbose {
            complaint(renderer.info());
        }
        let bar = bar(arguments);
        let mut picturing = Picturing { arguments, pattern: pattern.as_ref(), renderer, sheet, watch, bar };
        let code = picture_all(&mut picturing, &mut loading);
        picturing.bar.finish_and_clear();
        match (picturing.sheet.take(), &arguments.contact_sheet) {
            (Some(sheet), Some(file)) if code < NO_DEVICE => code.max(write_sheet(arguments, sheet, file)),
            _ => code,
        }
    })
}

fn picture_all(picturing: &mut Picturing<'_>, loading: &mut Loading) -> u8 {
    let arguments = picturing.arguments;
    let (mut code, mut noted) = (0, (0, 0));
    for (index, model) in arguments.models.iter().enumerate() {
        if let Some(watch) = &mut picturing.watch {
            watch.skip();
        }
        let Some(loaded) = loading.take() else { return SOME_FAILED };
        if let Some(watch) = &mut picturing.watch {
            watch.lap("wait for the model");
        }
        let pictured = loaded.and_then(|loaded| {
            report(picturing, model, &loaded.report, &mut noted);
            picturing.picture(index, loaded)
        });
        picturing.bar.inc(1);
        if let Some(sheet) = &mut picturing.sheet {
            sheet.label(index, model);
        }
        match pictured {
            Ok(files) if !arguments.quiet => {
                // Standard output is for pictures if there are any.
                picturing.bar.suspend(|| wrote(&files));
            }
            Ok(_) => {}
            Err(error) => {
                picturing.bar.suspend(|| complain(model, &error));
                if let Some(sheet) = &mut picturing.sheet {
                    sheet.cross_out(index);
                }
                code = SOME_FAILED;
                if is_lost(&error) {
                    return NO_DEVICE;
                }
                let is_raw = picturing.pattern.is_some_and(|pattern| pattern.format == Format::Raw);
                if is_raw && matches!(error, AppError::Write { .. }) {
                    // Nobody reads any more.
                    return code;
                }
            }
        }
    }
    let (models, rows) = noted;
    if rows > 0 && !arguments.verbose && !arguments.quiet {
        let models = if models == 1 { "1 model".to_owned() } else { format!("{models} models") };
        let rows = if rows == 1 { "1 note".to_owned() } else { format!("{rows} notes") };
        picturing.bar.suspend(|| {
            complaint(format_args!("{rows} on {models}; --verbose shows what was left out or changed."))
        });
    }
    code
}

/// Shows what became of a file's parts, or counts it.
fn report(picturing: &Picturing<'_>, model: &Path, report: &LoadReport, noted: &mut (usize, usize)) {
    if report.is_empty() {
        return;
    }
    *noted = (noted.0 + 1, noted.1 + report.len());
    if picturing.arguments.verbose {
        picturing.bar.suspend(|| {
            for note in report {
                complaint(format_args!("{}: {note}", model.display()));
            }
        });
    }
}

/// One line that names the file.
fn complain(model: &Path, error: &AppError) {
    match error {
        // The loader names it.
        AppError::Load(error) => complaint(format_args!("fire-engine: {}", printable(&error.to_string()))),
        error => complaint(format_args!("fire-engine: {}: {error}", printable(&model.to_string_lossy()))),
    }
}

fn is_lost(error: &AppError) -> bool {
    matches!(error, AppError::Renderer(RendererError::DeviceLost { .. } | RendererError::Unusable { .. }))
}

fn wrote(files: &[std::path::PathBuf]) {
    match files {
        [] => {}
        [file] => line(format_args!("Wrote {}.", file.display())),
        [first, .., last] => line(format_args!("Wrote {} to {}.", first.display(), last.display())),
    }
}

fn write_sheet(arguments: &RenderArguments, sheet: Sheet, file: &Path) -> u8 {
    match picture::write(file, &sheet.into_picture()) {
        Ok(()) => {
            // Beside raw frames there is no place for lines.
            if !arguments.quiet && arguments.output.as_deref() != Some(Path::new("-")) {
                line(format_args!("Wrote {}.", file.display()));
            }
            0
        }
        Err(error) => {
            complaint(format_args!("fire-engine: {error}"));
            SOME_FAILED
        }
    }
}

/// How far it has come: on a terminal, and if there is anything to wait for.
fn bar(arguments: &RenderArguments) -> ProgressBar {
    if arguments.quiet || log::is_on() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}");
    ProgressBar::new(arguments.models.len() as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
