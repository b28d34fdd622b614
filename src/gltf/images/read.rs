//! What the loading thread does: reading bytes and headers in order, counting what decoding takes, handing out jobs.

use super::fault::{reason, unavailable};
use super::job::{Finished, Job, chain_bytes};
use super::origin::Origin;
use super::plan::{Plan, State};
use crate::assets::{ImageData, ImageFormat};
use crate::gltf::decode::{Fault, Kind, measure};
use crate::gltf::source::Source;
use crate::gltf::text::Lazy;
use crate::gltf::usage::{Usage, Use};
use crate::gltf::workers::Workers;
use crate::gltf::{LoadError, LoadPhase};
use std::borrow::Cow;

/// So many read and not yet decoded files, or so many bytes of them, keep the loading thread from reading on. Where there
/// are few, it would take a large one for itself and leave the others nothing to do.
const WAITING: usize = 16;
const WAITING_BYTES: usize = 64 << 20;

/// What the threads and the loading thread found.
pub(super) struct Found {
    /// By shared origin.
    pub decoded: Vec<Option<Result<ImageData, Fault>>>,
    /// By image: why its bytes could not be had, where that matters to no picture.
    pub absent: Vec<Option<String>>,
    /// The image at which reading ended, and why.
    pub stopped: Option<(usize, LoadError)>,
}

impl<'s> Plan<'s, '_> {
    /// Goes through the images in order, and hands them to the threads.
    pub fn read(
        &mut self,
        workers: &Workers<'_, Job<'s>, Finished>,
        threads: usize,
    ) -> Result<Found, LoadError> {
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
        let fault = |fault| unavailable(source, fault, path, &source.json.images[index]);
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
        shared.state = State::Read { kind, header, length: bytes.len() as u64, bytes: decoded };
        Ok(Some(Job { shared: at, bytes, kind, header, mask }))
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
