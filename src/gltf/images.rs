//! Images: which are read, and their way through the threads.
//!
//! The loading thread goes through the document's images in order. It reads the bytes of those that are used, looks at the
//! header and counts what decoding will take; then any thread may decode. So the resolver is asked in order and on one
//! thread, limits are met at the same image whatever the number of threads, and what is held undecoded is bounded.

use super::coverage;
use super::decode::{Fault, Header, Kind, decode, measure};
use super::document::{Image, Whole};
use super::report::{LoadReport, NoteKind, Severity};
use super::source::Source;
use super::text::{Lazy, shown};
use super::usage::{Usage, Use};
use super::workers::{Workers, with_workers};
use super::{LoadError, LoadPhase};
use crate::assets::{ImageData, ImageFormat, RenderAssets};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;

/// Where an image's bytes come from. Images that share them are decoded once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Origin<'a> {
    Uri(&'a str),
    View(Whole),
}

/// The one place that an image names for its bytes.
pub(super) fn origin<'a>(
    source: &Source<'_>,
    image: &'a Image,
    path: impl Display,
) -> Result<Origin<'a>, LoadError> {
    match (&image.uri, image.buffer_view) {
        (Some(uri), None) => Ok(Origin::Uri(uri)),
        (None, Some(view)) => Ok(Origin::View(view)),
        (Some(_), Some(_)) => Err(source.invalid(path, "it has both a uri and a bufferView; keep one")),
        (None, None) => Err(source.invalid(path, "it has neither a uri nor a bufferView; give it one")),
    }
}

/// So many read and not yet decoded files, or so many bytes of them, keep the loading thread from reading on. Where there
/// are few, it would take a large one for itself and leave the others nothing to do.
const WAITING: usize = 16;
const WAITING_BYTES: usize = 64 << 20;

/// All images that share an origin.
struct Shared<'a> {
    origin: Origin<'a>,
    usage: Usage,
    /// Images that have yet to get their pixels.
    users: usize,
    /// The first image that is drawn from it, which a failure would refuse.
    drawn: Option<usize>,
    state: State,
}

enum State {
    Unread,
    /// There is a job for it, or has been.
    Read {
        kind: Kind,
        header: Header,
        /// Bytes of its pixels and mip levels.
        bytes: u64,
    },
    /// It cannot be had, and no image that is drawn needs it.
    Absent(String),
}

struct Job<'a> {
    shared: usize,
    bytes: Cow<'a, [u8]>,
    kind: Kind,
    header: Header,
    /// The lowest alpha that passes, where mip levels are to be made that keep the share of it.
    mask: Option<u8>,
}

impl Job<'_> {
    /// About what it takes: 8 for a byte of the file, and half of one for a byte of pixels.
    fn nanoseconds(&self) -> u64 {
        (self.bytes.len() as u64).saturating_mul(8).saturating_add(self.header.bytes / 2)
    }

    /// Bytes that only the job holds.
    fn held(&self) -> usize {
        match &self.bytes {
            Cow::Owned(bytes) => bytes.len(),
            Cow::Borrowed(_) => 0,
        }
    }
}

struct Finished {
    shared: usize,
    held: usize,
    result: Result<ImageData, Fault>,
}

fn run(job: Job<'_>) -> Finished {
    let decoded = decode(&job.bytes, job.kind, &job.header);
    let result = decoded.and_then(|image| match job.mask {
        Some(pass) => with_levels(image, pass),
        None => Ok(image),
    });
    Finished { shared: job.shared, held: job.held(), result }
}

fn with_levels(mut image: ImageData, pass: u8) -> Result<ImageData, Fault> {
    let levels = coverage::levels(image.pixels(), image.width, image.height, pass);
    image.mips.extend(levels.map_err(|_| Fault::OutOfMemory(chain_bytes(image.width, image.height)))?);
    Ok(image)
}

/// Bytes of a complete chain of levels in RGBA8.
fn chain_bytes(width: u32, height: u32) -> u64 {
    let image = ImageData::rgba8(width, height, Vec::new());
    let levels = (0..image.full_level_count()).map(|level| image.level_dimensions(level));
    levels.map(|(width, height)| u64::from(width) * u64::from(height) * 4).sum()
}

/// What the threads and the loading thread found.
struct Found {
    /// By shared origin.
    decoded: Vec<Option<Result<ImageData, Fault>>>,
    /// By image: why its bytes could not be had, where that matters to no picture.
    absent: Vec<Option<String>>,
    /// The image at which reading ended, and why.
    stopped: Option<(usize, LoadError)>,
}

/// Imports images under their own indices.
///
/// Only images that a material uses are read and decoded; a white pixel stands in for each other one, so that the rest
/// keep their indices. It also stands in for images that cannot be had and would not be drawn.
pub(super) fn import(
    source: &Source<'_>,
    usages: &[Usage],
    assets: &mut RenderAssets,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    let mut plan = Plan::new(source, usages)?;
    let threads = match plan.shared.len() {
        0 | 1 => 1,
        total => source.options.thread_count().min(total),
    };
    let mut found = with_workers(threads, run, |workers| plan.read(workers, threads))?;
    for (index, image) in source.json.images.iter().enumerate() {
        let path = Lazy(|| format!("images[{index}]"));
        // The first fault in the document's order is the one to tell, whichever was met first.
        if let Some((_, error)) = found.stopped.take_if(|(at, _)| *at == index) {
            return Err(error);
        }
        let mut data = match plan.of_image[index] {
            None => {
                let message = "no material uses it; not decoded, a white pixel stands in";
                report.ignored(Severity::Info, path, message);
                ImageData::white()
            }
            Some(shared) => match plan.take(shared, &mut found, index) {
                Ok(data) => {
                    plan.note(&plan.shared[shared], image, path, report);
                    data
                }
                Err(Failure::Absent(reason)) => stand_in(&reason, path, report),
                Err(Failure::Fault(fault)) => {
                    let error = unavailable(source, fault, path);
                    if usages[index].kind == Use::Drawn {
                        return Err(error);
                    }
                    stand_in(&reason(&error), path, report)
                }
            },
        };
        data.name = image.name.clone().unwrap_or_default();
        assets.add_image(data);
    }
    Ok(())
}

fn stand_in(reason: &str, path: impl Display, report: &mut LoadReport) -> ImageData {
    let message = format!("{reason}; none of its textures is drawn, so a white pixel stands in");
    report.note(Severity::Warning, NoteKind::Ignored, path, message);
    ImageData::white()
}

/// An image's error without the file and the path, which a report's row has already.
fn reason(error: &LoadError) -> String {
    match error {
        LoadError::Image { reason, .. } | LoadError::Unsupported { reason, .. } => reason.clone(),
        LoadError::Resource { uri, cause, .. } => format!("\"{uri}\": {cause}"),
        error => error.to_string(),
    }
}

fn unavailable(source: &Source<'_>, fault: Fault, path: impl Display) -> LoadError {
    let (file, json_path) = (source.file.to_owned(), path.to_string());
    match fault {
        Fault::Unsupported(reason) => source.unsupported(path, reason),
        Fault::TooLarge(side) => LoadError::Limit {
            file,
            json_path,
            what: "the image's larger side",
            actual: u64::from(side),
            limit: u64::from(source.limits.image_dimension),
            field: "image_dimension",
        },
        Fault::OutOfMemory(bytes) => source.out_of_memory(bytes, path),
        Fault::Damaged(reason) => {
            LoadError::Image { file, json_path, reason: format!("{reason}; export the image again") }
        }
    }
}

/// Why an image has no pixels.
enum Failure {
    Absent(String),
    Fault(Fault),
}

struct Plan<'s, 'a> {
    source: &'s Source<'a>,
    usages: &'s [Usage],
    shared: Vec<Shared<'a>>,
    /// Of each image that is used.
    of_image: Vec<Option<usize>>,
}

impl<'s, 'a> Plan<'s, 'a> {
    fn new(source: &'s Source<'a>, usages: &'s [Usage]) -> Result<Self, LoadError> {
        let json = source.json;
        let mut plan = Self { source, usages, shared: Vec::new(), of_image: vec![None; json.images.len()] };
        let mut known: HashMap<Origin<'a>, usize> = HashMap::new();
        for (index, (image, usage)) in json.images.iter().zip(usages).enumerate() {
            if usage.kind == Use::None {
                continue;
            }
            let origin = origin(source, image, format_args!("images[{index}]"))?;
            let next = plan.shared.len();
            let at = *known.entry(origin).or_insert(next);
            if at == next {
                let usage = Usage::default();
                plan.shared.push(Shared { origin, usage, users: 0, drawn: None, state: State::Unread });
            }
            let shared = &mut plan.shared[at];
            shared.usage.merge(usage);
            shared.users += 1;
            if usage.kind == Use::Drawn {
                shared.drawn.get_or_insert(index);
            }
            plan.of_image[index] = Some(at);
        }
        Ok(plan)
    }

    /// Goes through the images in order, and hands them to the threads.
    fn read(&mut self, workers: &Workers<'_, Job<'s>, Finished>, threads: usize) -> Result<Found, LoadError> {
        let total = self.shared.len();
        let mut found = Found {
            decoded: (0..total).map(|_| None).collect(),
            absent: vec![None; self.of_image.len()],
            stopped: None,
        };
        let (mut done, mut held) = (0, 0);
        // The first image that a failed job refuses.
        let mut refused = usize::MAX;
        let source = self.source;
        source.progress(LoadPhase::Images, 0, total)?;
        let mut step = || {
            done += 1;
            source.progress(LoadPhase::Images, done, total)
        };
        for index in 0..self.of_image.len() {
            let Some(shared) = self.of_image[index] else { continue };
            if refused <= index {
                break;
            }
            match self.prepare(index, shared) {
                Ok(None) => {}
                Ok(Some(job)) => {
                    held += job.held();
                    let nanoseconds = job.nanoseconds();
                    workers.submit(job, nanoseconds);
                }
                Err(Prepared::Absent(reason)) => found.absent[index] = Some(reason),
                Err(Prepared::Error(error)) if self.usages[index].kind == Use::Drawn => {
                    found.stopped = Some((index, error));
                    break;
                }
                Err(Prepared::Error(error)) => {
                    let reason = reason(&error);
                    let shared = &mut self.shared[shared];
                    if matches!(shared.state, State::Unread) && shared.drawn.is_none() {
                        shared.state = State::Absent(reason.clone());
                        step()?;
                    }
                    found.absent[index] = Some(reason);
                }
            }
            while let Some(finished) = if workers.queued() >= threads.max(WAITING) || held > WAITING_BYTES {
                workers.wait()
            } else {
                workers.finished()
            } {
                held -= finished.held;
                refused = refused.min(self.refused(&finished));
                found.decoded[finished.shared] = Some(finished.result);
                step()?;
            }
        }
        while let Some(finished) = workers.wait() {
            found.decoded[finished.shared] = Some(finished.result);
            step()?;
        }
        Ok(found)
    }

    fn refused(&self, finished: &Finished) -> usize {
        let drawn = self.shared[finished.shared].drawn;
        if finished.result.is_err() { drawn.unwrap_or(usize::MAX) } else { usize::MAX }
    }

    /// Reads an image's bytes and header, and counts its pixels. `None` if they are those of an earlier image.
    fn prepare(&mut self, index: usize, at: usize) -> Result<Option<Job<'s>>, Prepared> {
        let source = self.source;
        let path = Lazy(|| format!("images[{index}]"));
        let shared = &mut self.shared[at];
        match &shared.state {
            State::Absent(reason) => return Err(Prepared::Absent(reason.clone())),
            State::Read { bytes, .. } => {
                source.charge(*bytes, path)?;
                return Ok(None);
            }
            State::Unread => {}
        }
        let bytes = match shared.origin {
            Origin::Uri(uri) => Cow::Owned(source.fetch(uri, format_args!("{path}.uri"))?),
            Origin::View(view) => {
                let path = Lazy(|| format!("{path}.bufferView"));
                source.bytes(source.view(view, path)?, path)?
            }
        };
        let fault = |fault| unavailable(source, fault, path);
        let kind = Kind::sniff(&bytes)
            .ok_or_else(|| fault(Fault::Damaged("neither a PNG nor a JPEG by its first bytes".to_owned())))?;
        // Rounded where colors are read from it too.
        let wide = !shared.usage.color;
        let blocks = source.options.block_formats;
        let header = measure(&bytes, kind, source.limits.image_dimension, wide, blocks).map_err(fault)?;
        let one_level = ImageFormat::level_size(header.format, header.width, header.height);
        let mask = keeps_coverage(source, &shared.usage).filter(|_| {
            header.format == ImageFormat::Rgba8 && one_level.is_some_and(|size| size as u64 == header.bytes)
        });
        let decoded = if mask.is_some() { chain_bytes(header.width, header.height) } else { header.bytes };
        source.charge(decoded, path)?;
        shared.state = State::Read { kind, header, bytes: decoded };
        Ok(Some(Job { shared: at, bytes, kind, header, mask }))
    }

    /// The pixels of an image; the last one that shares them gets the ones that were decoded.
    fn take(&mut self, at: usize, found: &mut Found, index: usize) -> Result<ImageData, Failure> {
        let shared = &mut self.shared[at];
        shared.users -= 1;
        if let Some(reason) = found.absent[index].take() {
            return Err(Failure::Absent(reason));
        }
        let decoded = &mut found.decoded[at];
        match decoded {
            Some(Ok(image)) if shared.users > 0 => copy(image).map_err(Failure::Fault),
            Some(Err(fault)) => Err(Failure::Fault(fault.clone())),
            Some(Ok(_)) | None => match decoded.take() {
                Some(Ok(image)) => Ok(image),
                // Each image that was read has a job, and each job was waited for.
                _ => Err(Failure::Fault(Fault::Damaged("it was not decoded".to_owned()))),
            },
        }
    }

    fn note(&self, shared: &Shared<'_>, image: &Image, path: impl Display + Copy, report: &mut LoadReport) {
        let usage = &shared.usage;
        if let State::Read { kind, header, .. } = shared.state {
            if let (Some(declared), Some(found)) = (&image.mime_type, kind.mime())
                && declared != found
            {
                report.repaired(path, format!("declared as {}, found to be {found}", shown(declared)));
            }
            if header.cut_off {
                let message = "it is cut off; what there is of it is shown";
                report.note(Severity::Warning, NoteKind::Approximated, path, message);
            }
            if header.rounded {
                let (severity, message) = if usage.data {
                    (
                        Severity::Warning,
                        "its 16 bits are rounded to 8 for data too, because a slot reads it as color",
                    )
                } else {
                    (Severity::Info, "its 16 bits are rounded to 8, as those of all colors")
                };
                report.note(severity, NoteKind::Approximated, path, message);
            }
            let unfit = match header.srgb {
                Some(true) if usage.data => Some(("sRGB", "data")),
                Some(false) if usage.color => Some(("linear", "colors")),
                _ => None,
            };
            if let Some((is, other)) = unfit {
                let message =
                    format!("its pixels are marked as {is}, and a slot reads them as {other} all the same");
                report.note(Severity::Warning, NoteKind::Repaired, path, message);
            }
        }
        let Some((first, _)) = usage.mask.filter(|_| self.source.options.mask_coverage_mips) else { return };
        if usage.blended || usage.data {
            let other = if usage.blended { "a material that blends" } else { "a slot for data" };
            let message =
                format!("{other} uses it too, so its mip levels do not keep the coverage of a mask");
            report.note(Severity::Warning, NoteKind::Approximated, path, message);
        } else if usage.other_masks {
            let message = format!(
                "materials mask it by different cutoffs; its mip levels keep the coverage of materials[{first}]"
            );
            report.note(Severity::Warning, NoteKind::Approximated, path, message);
        }
    }
}

/// The lowest alpha that passes, if mip levels are to keep the share of it: not where blending or data slots would see the
/// scaled alpha, or the colors that were averaged as such.
fn keeps_coverage(source: &Source<'_>, usage: &Usage) -> Option<u8> {
    let wanted = source.options.mask_coverage_mips && !usage.blended && !usage.data;
    usage.mask.filter(|_| wanted).map(|(_, pass)| pass)
}

/// Why an image was not handed on.
enum Prepared {
    /// As an earlier one with the same origin.
    Absent(String),
    Error(LoadError),
}

impl From<LoadError> for Prepared {
    fn from(error: LoadError) -> Self {
        Self::Error(error)
    }
}

fn copy(image: &ImageData) -> Result<ImageData, Fault> {
    let mut mips = Vec::with_capacity(image.mips.len());
    for level in &image.mips {
        let mut copy = Vec::new();
        copy.try_reserve_exact(level.len()).map_err(|_| Fault::OutOfMemory(level.len() as u64))?;
        copy.extend_from_slice(level);
        mips.push(copy);
    }
    let (format, width, height) = (image.format, image.width, image.height);
    Ok(ImageData { name: String::new(), format, width, height, mips })
}
