//! Handing decoded pixels to the images that share them.

use super::plan::Plan;
use super::read::Found;
use crate::assets::ImageData;
use crate::gltf::decode::Fault;

/// Why an image has no pixels.
pub(super) enum Failure {
    Absent(String),
    Fault(Fault),
}

impl Plan<'_, '_> {
    /// The pixels of an image; the last one that shares them gets the ones that were decoded.
    pub fn take(&mut self, at: usize, found: &mut Found, index: usize) -> Result<ImageData, Failure> {
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
