//! What an image's header says.

use super::Fault;
use crate::assets::{ImageData, ImageFormat};

/// Size and format of an image once it is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gltf) struct Header {
    pub width: u32,
    pub height: u32,
    pub format: ImageFormat,
    /// Bytes of every level that decoding gives.
    pub bytes: u64,
    /// The file's end is missing, and the decoder makes do with the rest.
    pub cut_off: bool,
    /// Samples of 16 bits become 8.
    pub rounded: bool,
    /// Whether the file marks its pixels as sRGB or as linear, where such a mark counts: in KTX2.
    pub srgb: Option<bool>,
}

#[cfg_attr(
    not(any(feature = "png", feature = "jpeg", feature = "webp")),
    expect(dead_code, reason = "without a decoder of pixels, there are none")
)]
impl Header {
    /// One level of plain pixels.
    pub fn plain(width: u32, height: u32, wide: bool) -> Self {
        let (format, pixel) = if wide { (ImageFormat::Rgba16, 8) } else { (ImageFormat::Rgba8, 4) };
        let bytes = u64::from(width) * u64::from(height) * pixel;
        Self { width, height, format, bytes, cut_off: false, rounded: false, srgb: None }
    }

    /// The sides, judged.
    pub fn checked(self, largest: u32) -> Result<Self, Fault> {
        let side = self.width.max(self.height);
        if self.width == 0 || self.height == 0 {
            Err(Fault::Damaged(format!("its size is {} x {}", self.width, self.height)))
        } else if side > largest {
            Err(Fault::TooLarge(side))
        } else {
            Ok(self)
        }
    }

    /// An empty buffer with room for the pixels.
    ///
    /// Decoders abort where an allocation of their own fails, so whether there is room for `besides` more bytes is asked
    /// here too.
    pub fn room(&self, besides: u64) -> Result<Vec<u8>, Fault> {
        let total = self.bytes.saturating_add(besides);
        let reserved = |bytes: u64| {
            let mut buffer = Vec::new();
            let asked = usize::try_from(bytes).map(|bytes| buffer.try_reserve_exact(bytes));
            if matches!(asked, Ok(Ok(()))) { Ok(buffer) } else { Err(Fault::OutOfMemory(total)) }
        };
        let buffer = reserved(self.bytes)?;
        reserved(besides)?;
        Ok(buffer)
    }

    /// As [`room`](Self::room), filled with zeros; the allocator knows of pages that hold them already.
    #[cfg(any(feature = "png", feature = "jpeg", feature = "webp"))]
    pub fn zeros(&self, besides: u64) -> Result<Vec<u8>, Fault> {
        drop(self.room(besides)?);
        let zeros = usize::try_from(self.bytes).ok().and_then(|bytes| bytemuck::try_zeroed_vec(bytes).ok());
        zeros.ok_or(Fault::OutOfMemory(self.bytes))
    }

    /// The image of the one level that fills the header's size.
    pub fn image(&self, pixels: Vec<u8>) -> ImageData {
        ImageData { format: self.format, ..ImageData::rgba8(self.width, self.height, pixels) }
    }
}
