//! JPEG, baseline and progressive.

use super::place::place_opaque;
use super::{Fault, Header};
use crate::assets::ImageData;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

fn open(bytes: &[u8], out: ColorSpace) -> JpegDecoder<ZCursor<&[u8]>> {
    // The sides are judged by the caller. Not strict: as other readers, it shows what there is of a file that is cut off.
    let options = DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_out_colorspace(out);
    JpegDecoder::new_with_options(ZCursor::new(bytes), options)
}

fn damaged(error: zune_jpeg::errors::DecodeErrors) -> Fault {
    Fault::Damaged(error.to_string())
}

/// Size and colors as they are stored.
fn inspect(bytes: &[u8]) -> Result<(Header, ColorSpace), Fault> {
    let mut decoder = open(bytes, ColorSpace::RGBA);
    decoder.decode_headers().map_err(damaged)?;
    let absent = || Fault::Damaged("its header is incomplete".to_owned());
    let (width, height) = decoder.dimensions().ok_or_else(absent)?;
    let colors = decoder.input_colorspace().ok_or_else(absent)?;
    if !matches!(
        colors,
        ColorSpace::Luma | ColorSpace::YCbCr | ColorSpace::RGB | ColorSpace::CMYK | ColorSpace::YCCK
    ) {
        let reason =
            format!("JPEG images with the colors {colors:?} are not decoded; convert it to PNG or JPEG");
        return Err(Fault::Unsupported(reason));
    }
    // Some files have more after the end marker. Those with a small picture inside may have only its marker; then that
    // they are cut off goes unsaid.
    let cut_off = !bytes.windows(2).rev().any(|marker| marker == [0xFF, 0xD9]);
    // Every 64 pixels take at least a bit. What holds not even a quarter of that is no picture, and its size is a lie.
    if width.saturating_mul(height) / 64 / 8 / 4 > bytes.len() {
        let reason = format!("its {} bytes cannot hold {width} x {height} pixels", bytes.len());
        return Err(Fault::Damaged(reason));
    }
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let header = Header { cut_off, ..Header::plain(side(width), side(height), false) };
    Ok((header, colors))
}

pub(super) fn header(bytes: &[u8]) -> Result<Header, Fault> {
    Ok(inspect(bytes)?.0)
}

pub(super) fn decode(bytes: &[u8], header: &Header) -> Result<ImageData, Fault> {
    let (_, colors) = inspect(bytes)?;
    // A progressive image is held as coefficients of 16 bits, four of them a pixel at most, until its last scan; and there
    // may be RGB to be widened.
    let mut pixels = header.zeros(header.bytes * 3)?;
    // What the decoder makes of the other colors is right as RGB alone (zune-jpeg 0.5.15).
    if matches!(colors, ColorSpace::YCbCr | ColorSpace::Luma) {
        open(bytes, ColorSpace::RGBA).decode_into(&mut pixels).map_err(damaged)?;
    } else {
        let mut rgb = vec![0; pixels.len() / 4 * 3];
        open(bytes, ColorSpace::RGB).decode_into(&mut rgb).map_err(damaged)?;
        place_opaque(&rgb, &mut pixels);
    }
    Ok(header.image(pixels))
}
