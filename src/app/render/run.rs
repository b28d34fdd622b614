//! `render` from its arguments to its exit code.

use super::arguments::RenderArguments;
use super::loading::Loading;
use super::motion::told_frames;
use super::paths::{Format, Pattern, labels};
use super::picturing::Picturing;
use super::sheet::Sheet;
use super::sink::GIF_FPS;
use crate::app::destination::{check_file, location};
use crate::app::error::AppError;
use crate::app::inputs::Inputs;
use crate::app::log;
use crate::app::numbers;
use crate::app::output::{complaint, counted, line, printable};
use crate::app::picture;
use crate::app::selection;
use crate::app::stopwatch::Stopwatch;
use fire_engine::gltf::{LoadOptions, LoadReport, Severity};
use fire_engine::math::look_at;
use fire_engine::vulkan::{Renderer, RendererOptions, Validation};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
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
    #[cfg(unix)]
    crate::app::interrupt::clean_up();
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
        let (models, motion) = (&arguments.models, &arguments.motion);
        check_camera(arguments)?;
        selection::check_clips(&motion.clip)?;
        let is_sequence = motion.turntable || motion.frames.is_some_and(|frames| frames > 1);
        let pattern =
            arguments.output.as_deref().map(|output| Pattern::new(output, models.len(), is_sequence));
        let pattern = pattern.transpose()?;
        let format = pattern.as_ref().map(|pattern| pattern.format);
        if format == Some(Format::Raw) && std::io::stdout().is_terminal() {
            let reason = "raw frames are no text for a terminal: send standard output to a file or a program";
            return Err(AppError::Usage(format!("--output -: {reason}")));
        }
        if format == Some(Format::Gif) && motion.fps > GIF_FPS {
            let fps = motion.fps;
            return Err(AppError::Usage(format!(
                "--fps {fps}: a GIF has at most {GIF_FPS} pictures a second; take fewer, or name an .apng file"
            )));
        }
        let first = pattern.as_ref().map_or_else(|| Ok(Vec::new()), |pattern| pattern.files(models))?;
        if let Some(sheet) = &arguments.contact_sheet
            && !sheet.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
        {
            let sheet = printable(&sheet.to_string_lossy());
            return Err(AppError::Usage(format!("--contact-sheet {sheet}: name a file that ends in .png")));
        }
        first.iter().chain(&arguments.contact_sheet).try_for_each(|file| check_file(file))?;
        let inputs = Inputs::of(models);
        if let Some(pattern) = &pattern {
            check_all(pattern, told_frames(motion, format), arguments, &inputs)?;
        }
        arguments.contact_sheet.iter().try_for_each(|sheet| inputs.spare(sheet))?;
        let size = (arguments.size.width, arguments.size.height);
        let sheet = arguments.contact_sheet.as_ref().map(|_| {
            let labels = arguments.labels.then(|| labels(models));
            Sheet::new(models.len(), size, arguments.columns, labels, arguments.background)
        });
        let jobs = arguments.jobs.map_or_else(cores, |jobs| jobs as usize).min(models.len());
        Ok(Self { pattern, sheet: sheet.transpose()?, jobs: jobs.max(1) })
    }
}

/// Checks every file of every model: none is one that a model is read from, nor the contact sheet.
fn check_all(
    pattern: &Pattern,
    frames: Option<u32>,
    arguments: &RenderArguments,
    inputs: &Inputs<'_>,
) -> Result<(), AppError> {
    let sheet = arguments.contact_sheet.as_ref().map(|sheet| (sheet, location(sheet)));
    let mut of_sheet = BTreeSet::from([0]);
    for name in sheet.iter().flat_map(|(sheet, place)| [sheet.as_path(), place.as_path()]) {
        numbers::add(&name.to_string_lossy(), &mut of_sheet);
    }
    let mut in_folders = HashMap::new();
    let frames = match pattern.format {
        Format::Raw => return Ok(()),
        Format::Png => frames.unwrap_or(1),
        Format::Apng | Format::Gif => 1,
    };
    for (index, model) in arguments.models.iter().enumerate() {
        // No other picture has the name of something that is there, nor that of the sheet.
        let mut met = of_sheet.clone();
        if let Some(folder) = pattern.numbered_in(model, index) {
            let there = match in_folders.entry(folder) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let numbers = numbers::in_folder(new.key())?;
                    new.insert(numbers)
                }
            };
            met.extend(there.iter().copied());
        }
        let met = met.into_iter().filter_map(|number| u32::try_from(number).ok());
        for frame in met.take_while(|frame| *frame < frames) {
            let file = pattern.file(model, index, frame);
            inputs.spare(&file)?;
            if let Some((sheet, _)) = sheet.as_ref().filter(|(_, place)| *place == location(&file)) {
                let (sheet, file) = (sheet.to_string_lossy(), file.to_string_lossy());
                return Err(AppError::Usage(format!(
                    "--contact-sheet {}: a picture goes to the same file, as {}",
                    printable(&sheet),
                    printable(&file)
                )));
            }
        }
    }
    Ok(())
}

/// Checks as much of the camera as needs no model.
fn check_camera(arguments: &RenderArguments) -> Result<(), AppError> {
    let camera = &arguments.camera;
    // The parser asks for it only while nothing that excludes it is there.
    let needs_eye = [("--target", camera.target), ("--up", camera.up)];
    if let Some((option, _)) = needs_eye.iter().find(|(_, given)| camera.eye.is_none() && given.is_some()) {
        return Err(AppError::Usage(format!(
            "{option}: only a camera that --eye places has it; give --eye, or leave it out"
        )));
    }
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
                complaint(format_args!("fire-engine: {}", AppError::from(error)));
                return NO_DEVICE;
            }
        };
        if let Some(watch) = &mut watch {
            watch.lap("open the device");
        }
        if arguments.verbose {
            // A device's name is its driver's.
            renderer.info().to_string().lines().for_each(|fact| complaint(printable(fact)));
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
    let (mut code, mut noted) = (0, Noted::default());
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
            sheet.label(index);
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
                if error.is_lost() {
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
    if noted.models > 0 && !arguments.verbose && !arguments.quiet {
        let kinds = [(noted.warnings, "warning"), (noted.notes, "note")];
        let kinds = kinds.iter().filter(|(number, _)| *number > 0);
        let rows: Vec<String> = kinds.map(|(number, what)| counted(*number, what)).collect();
        let (rows, models) = (rows.join(" and "), counted(noted.models, "model"));
        picturing.bar.suspend(|| {
            complaint(format_args!("{rows} on {models}; --verbose shows what was left out or changed."))
        });
    }
    code
}

/// How much was reported.
#[derive(Debug, Clone, Copy, Default)]
struct Noted {
    models: usize,
    warnings: usize,
    notes: usize,
}

/// Shows what became of a file's parts, or counts it.
fn report(picturing: &Picturing<'_>, model: &Path, report: &LoadReport, noted: &mut Noted) {
    if report.is_empty() {
        return;
    }
    let warnings = report.iter().filter(|note| note.severity == Severity::Warning).count();
    noted.models += 1;
    noted.warnings += warnings;
    noted.notes += report.len() - warnings;
    if picturing.arguments.verbose {
        picturing.bar.suspend(|| {
            for note in report {
                complaint(format_args!("{}: {note}", printable(&model.to_string_lossy())));
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

fn wrote(files: &[std::path::PathBuf]) {
    let shown = |file: &Path| printable(&file.to_string_lossy());
    match files {
        [] => {}
        [file] => line(format_args!("Wrote {}.", shown(file))),
        [first, .., last] => line(format_args!("Wrote {} to {}.", shown(first), shown(last))),
    }
}

fn write_sheet(arguments: &RenderArguments, sheet: Sheet, file: &Path) -> u8 {
    match picture::write(file, &sheet.into_picture()) {
        Ok(()) => {
            // Beside raw frames there is no place for lines.
            if !arguments.quiet && arguments.output.as_deref() != Some(Path::new("-")) {
                wrote(&[file.to_path_buf()]);
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
