//! What any thread may do: from an image's bytes to its pixels.

use crate::assets::ImageData;
use crate::gltf::coverage;
use crate::gltf::decode::{Fault, Header, Kind, decode};
use std::borrow::Cow;

pub(super) struct Job<'a> {
    pub shared: usize,
    pub bytes: Cow<'a, [u8]>,
    pub kind: Kind,
    pub header: Header,
    /// The lowest alpha that passes, where mip levels are to be made that keep the share of it.
    pub mask: Option<u8>,
}

impl Job<'_> {
    /// About what it takes: 8 for a byte of the file, and half of one for a byte of pixels.
    pub fn nanoseconds(&self) -> u64 {
        (self.bytes.len() as u64).saturating_mul(8).saturating_add(self.header.bytes / 2)
    }

    /// Bytes that only the job holds.
    pub fn held(&self) -> usize {
        match &self.bytes {
            Cow::Owned(bytes) => bytes.len(),
            Cow::Borrowed(_) => 0,
        }
    }
}

pub(super) struct Finished {
    pub shared: usize,
    pub held: usize,
    pub result: Result<ImageData, Fault>,
}

pub(super) fn run(job: Job<'_>) -> Finished {
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
pub(super) fn chain_bytes(width: u32, height: u32) -> u64 {
    let image = ImageData::rgba8(width, height, Vec::new());
    let levels = (0..image.full_level_count()).map(|level| image.level_dimensions(level));
    levels.map(|(width, height)| u64::from(width) * u64::from(height) * 4).sum()
}
