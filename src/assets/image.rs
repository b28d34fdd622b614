//! Pixels in memory.

/// Largest width and height of an image, in pixels.
///
/// Every desktop GPU takes 16,384; a device with a smaller limit reports it by name when resources are compiled.
pub const MAX_IMAGE_DIMENSION: u32 = 16_384;

/// How a pixel is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ImageFormat {
    /// Four bytes a pixel: red, green, blue, straight alpha. Whether the colors are sRGB or linear is decided by the
    /// material slot that uses the image.
    #[default]
    Rgba8,
    /// Four 16-bit components a pixel in the machine's byte order: red, green, blue, straight alpha. As data they are linear
    /// and keep their precision; as colors they are sRGB, and drawn with 8 bits.
    Rgba16,
    /// BC7 blocks: 16 bytes for 4 x 4 pixels.
    Bc7,
    /// ETC2 blocks with EAC alpha: 16 bytes for 4 x 4 pixels.
    Etc2Rgba8,
    /// ASTC blocks of 4 x 4 pixels in low dynamic range: 16 bytes each.
    Astc4x4,
}

impl ImageFormat {
    /// Bytes of one level of `width` x `height` pixels, or `None` if that overflows.
    #[must_use]
    pub fn level_size(self, width: u32, height: u32) -> Option<usize> {
        let unit = |size: u32| (width.div_ceil(size) as usize).checked_mul(height.div_ceil(size) as usize);
        match self {
            Self::Rgba8 => unit(1)?.checked_mul(4),
            Self::Rgba16 => unit(1)?.checked_mul(8),
            Self::Bc7 | Self::Etc2Rgba8 | Self::Astc4x4 => unit(4)?.checked_mul(16),
        }
    }
}

/// An image: rows from top to bottom, tightly packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageData {
    /// For messages; may be empty.
    pub name: String,
    /// Layout of a pixel.
    pub format: ImageFormat,
    /// Width of level 0 in pixels, 1 to [`MAX_IMAGE_DIMENSION`].
    pub width: u32,
    /// Height of level 0 in pixels, 1 to [`MAX_IMAGE_DIMENSION`].
    pub height: u32,
    /// Pixels of each level, largest first. One level: the renderer makes the rest where a sampler asks for them. More:
    /// the chain must be complete, down to 1 x 1.
    pub mips: Vec<Vec<u8>>,
}

impl ImageData {
    /// An image of one level in [`ImageFormat::Rgba8`]; `pixels` holds `width * height * 4` bytes, top row first.
    ///
    /// Nothing is checked here: [`RenderAssets::validate`](super::RenderAssets::validate) does, for the whole catalogue.
    #[must_use]
    pub fn rgba8(width: u32, height: u32, pixels: Vec<u8>) -> Self {
        Self { name: String::new(), format: ImageFormat::Rgba8, width, height, mips: vec![pixels] }
    }

    /// One white pixel, which changes no factor that it multiplies.
    #[must_use]
    pub fn white() -> Self {
        Self::rgba8(1, 1, vec![u8::MAX; 4])
    }

    /// The pixels of level 0; empty if there is no level.
    #[must_use]
    pub fn pixels(&self) -> &[u8] {
        self.mips.first().map_or(&[], Vec::as_slice)
    }

    /// The four bytes at column `x`, row `y` from the top of level 0, or `None` outside the image and in other formats
    /// than [`ImageFormat::Rgba8`].
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width || y >= self.height || self.format != ImageFormat::Rgba8 {
            return None;
        }
        // Nothing has checked the dimensions yet, so the offset may overflow.
        let start = (y as usize).checked_mul(self.width as usize)?.checked_add(x as usize)?.checked_mul(4)?;
        self.pixels().get(start..start.checked_add(4)?)?.try_into().ok()
    }

    /// Size of a level: each level halves, rounds down, and stops at 1.
    #[must_use]
    pub fn level_dimensions(&self, level: u32) -> (u32, u32) {
        (level_side(self.width, level), level_side(self.height, level))
    }

    /// Number of levels of a complete chain, down to 1 x 1.
    #[must_use]
    pub fn full_level_count(&self) -> u32 {
        self.width.max(self.height).max(1).ilog2() + 1
    }
}

/// Length of one side of a mip level: it halves with each level, rounds down, and stops at 1.
pub(crate) fn level_side(side: u32, level: u32) -> u32 {
    side.checked_shr(level).unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_halve_and_round_down_to_one() {
        let image = ImageData::rgba8(5, 2, vec![0; 40]);
        assert_eq!(image.full_level_count(), 3);
        let sizes: Vec<_> = (0..4).map(|l| image.level_dimensions(l)).collect();
        assert_eq!(sizes, [(5, 2), (2, 1), (1, 1), (1, 1)]);
        assert_eq!(image.level_dimensions(40), (1, 1));
    }

    #[test]
    fn pixel_reads_row_major_from_the_top_and_stops_at_the_edge() {
        let image = ImageData::rgba8(2, 2, (0..16).collect());
        assert_eq!(image.pixel(1, 0), Some([4, 5, 6, 7]));
        assert_eq!(image.pixel(0, 1), Some([8, 9, 10, 11]));
        assert_eq!(image.pixel(2, 0), None);
        assert_eq!(ImageData::rgba8(2, 2, vec![]).pixel(0, 0), None);
        assert_eq!(ImageData::rgba8(u32::MAX, u32::MAX, vec![]).pixel(u32::MAX - 1, u32::MAX - 1), None);
    }

    #[test]
    fn level_size_reports_overflow() {
        assert_eq!(ImageFormat::Rgba8.level_size(3, 2), Some(24));
        assert_eq!(ImageFormat::Rgba8.level_size(u32::MAX, u32::MAX), None);
        assert_eq!(ImageFormat::Rgba16.level_size(3, 2), Some(48));
        for blocks in [ImageFormat::Bc7, ImageFormat::Etc2Rgba8, ImageFormat::Astc4x4] {
            assert_eq!([blocks.level_size(1, 1), blocks.level_size(5, 4)], [Some(16), Some(32)]);
        }
    }
}
