//! What an image becomes, and its way through the transcoder.

use super::container::{Container, Level, Payload};
use super::{basis_lz, zstd};
use crate::assets::{BlockFormats, ImageData, ImageFormat};
use crate::gltf::decode::{Fault, Header};
use basisu::{DecodeFlags, TargetFormat, Transcoder};
use std::borrow::Cow;

/// Looks at the container and says what the image will be.
///
/// A complete chain of levels becomes blocks in the first of BC7, ASTC and ETC2 that may be used. Of an incomplete one the
/// first level alone is kept, in RGBA8: the renderer can make the others from pixels and not from blocks. Data in UASTC
/// stays in RGBA8 where there is only ETC2, as the extension advises.
pub(in crate::gltf::decode) fn header(bytes: &[u8], formats: BlockFormats) -> Result<Header, Fault> {
    let container = Container::parse(bytes)?;
    let (width, height) = (container.width, container.height);
    let precise = matches!(container.payload, Payload::Uastc { .. }) && !container.srgb;
    let format = if !container.is_complete() {
        ImageFormat::Rgba8
    } else if formats.bc7 {
        ImageFormat::Bc7
    } else if formats.astc {
        ImageFormat::Astc4x4
    } else if formats.etc2 && !precise {
        ImageFormat::Etc2Rgba8
    } else {
        ImageFormat::Rgba8
    };
    let sizes = ImageData::rgba8(width, height, Vec::new());
    let level_bytes = |level: usize| {
        let (width, height) = sizes.level_dimensions(level as u32);
        match format {
            ImageFormat::Rgba8 => u64::from(width) * u64::from(height) * 4,
            _ => container.levels[level].uastc_bytes(),
        }
    };
    let bytes = (0..kept(&container).len()).map(level_bytes).sum();
    Ok(Header { width, height, format, bytes, cut_off: false, rounded: false, srgb: Some(container.srgb) })
}

/// The levels that the image gets.
fn kept<'c, 'a>(container: &'c Container<'a>) -> &'c [Level<'a>] {
    if container.is_complete() { &container.levels } else { &container.levels[..1] }
}

/// The image that [`header`] told of.
pub(in crate::gltf::decode) fn transcode(bytes: &[u8], header: &Header) -> Result<ImageData, Fault> {
    let container = Container::parse(bytes)?;
    let kept = kept(&container);
    // The transcoder takes blocks, and memory for each block, up to the size of UASTC.
    let blocks = kept.iter().map(Level::uastc_bytes).fold(0, u64::saturating_add);
    header.room(blocks.saturating_mul(2).saturating_add(bytes.len() as u64))?;
    let rewritten = match container.payload {
        Payload::Etc1s { global } => {
            basis_lz::check(global, &container.levels, container.alpha).map_err(Fault::Damaged)?;
            let levels: Vec<&[u8]> = container.levels.iter().map(|level| level.bytes).collect();
            container.rewritten(&levels)
        }
        Payload::Uastc { zstd } => {
            let levels: Vec<Cow<'_, [u8]>> = kept
                .iter()
                .map(|level| match zstd {
                    true => zstd::inflate(level.bytes, level.uastc_bytes() as usize).map(Cow::Owned),
                    false => Ok(Cow::Borrowed(level.bytes)),
                })
                .collect::<Result<_, _>>()
                .map_err(Fault::Damaged)?;
            container.rewritten(&levels)
        }
    };
    let damaged = |error| Fault::Damaged(format!("its blocks are damaged ({error:?})"));
    let target = match header.format {
        ImageFormat::Bc7 => TargetFormat::Bc7Rgba,
        ImageFormat::Astc4x4 => TargetFormat::Astc4x4Rgba,
        ImageFormat::Etc2Rgba8 => TargetFormat::Etc2Rgba,
        _ => TargetFormat::Rgba32,
    };
    let transcoder = Transcoder::new(&rewritten).map_err(damaged)?;
    let levels = (0..kept.len() as u32).map(|level| transcoder.transcode(level, target, DecodeFlags::NONE));
    let mips = levels.collect::<Result<_, _>>().map_err(damaged)?;
    let (format, width, height) = (header.format, header.width, header.height);
    Ok(ImageData { name: String::new(), format, width, height, mips })
}
