//! The description of an upload.

use std::borrow::Cow;

use ash::vk;

use super::buffer::Buffer;
use super::image::{Image, mip_extent};
use crate::vulkan::driver::capabilities::supports_mip_blits;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;

/// Alignment of every piece in the staging buffer: a multiple of every texel block's size and of what copies ask for.
pub(crate) const STAGING_ALIGNMENT: u64 = 16;

/// Uploads to be done together. Ranges of one buffer must not overlap.
#[derive(Default)]
pub(crate) struct Uploads<'a> {
    pub(crate) buffers: Vec<BufferUpload<'a>>,
    pub(crate) images: Vec<ImageUpload<'a>>,
}

pub(crate) struct BufferUpload<'a> {
    pub(crate) target: &'a Buffer,
    pub(crate) offset: u64,
    pub(crate) data: Cow<'a, [u8]>,
}

pub(crate) struct ImageUpload<'a> {
    pub(crate) target: &'a Image,
    /// Level 0, or all of them.
    pub(crate) levels: Vec<Cow<'a, [u8]>>,
    pub(crate) block: TexelBlock,
    /// The part of level 0 that is written, where the rest is kept.
    pub(crate) region: Option<vk::Rect2D>,
}

/// What a format stores as one unit: a pixel, or a square of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TexelBlock {
    /// Pixels on each side.
    pub(crate) side: u32,
    pub(crate) bytes: u64,
}

impl TexelBlock {
    /// The formats that can be uploaded.
    pub(crate) fn of(format: vk::Format) -> Option<Self> {
        let (side, bytes) = match format {
            vk::Format::R8G8B8A8_SRGB | vk::Format::R8G8B8A8_UNORM => (1, 4),
            vk::Format::R16G16B16A16_UNORM => (1, 8),
            vk::Format::BC7_SRGB_BLOCK
            | vk::Format::BC7_UNORM_BLOCK
            | vk::Format::ETC2_R8G8B8A8_SRGB_BLOCK
            | vk::Format::ETC2_R8G8B8A8_UNORM_BLOCK
            | vk::Format::ASTC_4X4_SRGB_BLOCK
            | vk::Format::ASTC_4X4_UNORM_BLOCK => (4, 16),
            _ => return None,
        };
        Some(Self { side, bytes })
    }

    /// Bytes of one row of blocks, and how many such rows a level has; blocks at the edges are whole.
    pub(crate) fn rows(self, level: vk::Extent2D) -> (u64, u32) {
        (u64::from(level.width.div_ceil(self.side)) * self.bytes, level.height.div_ceil(self.side))
    }
}

impl<'a> Uploads<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.buffers.is_empty() && self.images.is_empty()
    }

    /// Adds bytes for a range of a buffer that no submitted work uses. No bytes are fine.
    pub(crate) fn buffer(
        &mut self,
        target: &'a Buffer,
        offset: u64,
        data: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), RendererError> {
        let data = data.into();
        target.check_range(offset, data.len() as u64)?;
        if !data.is_empty() {
            self.buffers.push(BufferUpload { target, offset, data });
        }
        Ok(())
    }

    /// Adds tightly packed pixels for level 0 of a color image without blocks that no submitted work uses; its other levels are
    /// made from them by halving, in linear light when the format is sRGB. What the image held is lost.
    ///
    /// The image needs the usages `TRANSFER_DST` and, for more than one level, `TRANSFER_SRC`. Afterwards all levels
    /// are in `SHADER_READ_ONLY_OPTIMAL`.
    pub(crate) fn image(
        &mut self,
        device: &Device,
        target: &'a Image,
        pixels: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), RendererError> {
        if target.mip_levels() > 1 && !supports_mip_blits(device.format_features(target.format())) {
            return Err(unsupported("linear blits of the format", target));
        }
        self.levels(target, vec![pixels.into()])
    }

    /// Adds tightly packed pixels or blocks for every level of a color image; otherwise as [`image`](Self::image).
    pub(crate) fn image_levels(
        &mut self,
        target: &'a Image,
        levels: impl IntoIterator<Item = Cow<'a, [u8]>>,
    ) -> Result<(), RendererError> {
        let levels: Vec<_> = levels.into_iter().collect();
        if levels.len() != target.mip_levels() as usize {
            return Err(out_of_bounds(target, levels.len() as u64, u64::from(target.mip_levels())));
        }
        self.levels(target, levels)
    }

    /// Adds tightly packed pixels for a part of level 0 of a color image without blocks that is in
    /// `SHADER_READ_ONLY_OPTIMAL`; other levels are made anew from the whole of it. Work that was submitted before still
    /// reads what was there. The part has to lie in the image.
    pub(crate) fn region(
        &mut self,
        device: &Device,
        target: &'a Image,
        region: vk::Rect2D,
        pixels: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), RendererError> {
        let Some(block) = TexelBlock::of(target.format()).filter(|block| block.side == 1) else {
            return Err(unsupported("changes of the format", target));
        };
        if target.mip_levels() > 1 && !supports_mip_blits(device.format_features(target.format())) {
            return Err(unsupported("linear blits of the format", target));
        }
        let pixels = pixels.into();
        let (row, rows) = block.rows(region.extent);
        if pixels.len() as u64 != row * u64::from(rows) {
            return Err(out_of_bounds(target, pixels.len() as u64, row * u64::from(rows)));
        }
        self.images.push(ImageUpload { target, levels: vec![pixels], block, region: Some(region) });
        Ok(())
    }

    fn levels(&mut self, target: &'a Image, levels: Vec<Cow<'a, [u8]>>) -> Result<(), RendererError> {
        let block =
            TexelBlock::of(target.format()).ok_or_else(|| unsupported("uploads of the format", target))?;
        for (level, pixels) in (0..).zip(&levels) {
            let (row, rows) = block.rows(mip_extent(target.extent(), level));
            let size = row * u64::from(rows);
            if pixels.len() as u64 != size {
                return Err(out_of_bounds(target, pixels.len() as u64, size));
            }
        }
        self.images.push(ImageUpload { target, levels, block, region: None });
        Ok(())
    }

    /// Staging bytes that everything would take at once.
    pub(crate) fn staging_size(&self) -> u64 {
        self.lengths().map(|length| length.next_multiple_of(STAGING_ALIGNMENT)).sum()
    }

    /// Bytes of everything.
    pub(crate) fn bytes(&self) -> u64 {
        self.lengths().sum()
    }

    fn lengths(&self) -> impl Iterator<Item = u64> {
        let buffers = self.buffers.iter().map(|upload| upload.data.len());
        let images = self.images.iter().flat_map(|upload| upload.levels.iter().map(|level| level.len()));
        buffers.chain(images).map(|length| length as u64)
    }
}

fn unsupported(what: &str, target: &Image) -> RendererError {
    RendererError::MissingDeviceSupport {
        what: format!("{what} {:?} of `{}`", target.format(), target.name()),
    }
}

fn out_of_bounds(target: &Image, length: u64, size: u64) -> RendererError {
    RendererError::OutOfBounds { name: target.name().to_owned(), offset: 0, length, size }
}
