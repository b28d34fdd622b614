//! WebP, lossy and lossless.

use super::place::place_opaque;
use super::{Fault, Header};
use crate::assets::ImageData;
use image_webp::{DecodingError, WebPDecoder};
use std::io::Cursor;

fn open(bytes: &[u8]) -> Result<WebPDecoder<Cursor<&[u8]>>, Fault> {
    WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)
}

fn damaged(error: DecodingError) -> Fault {
    Fault::Damaged(error.to_string())
}

pub(super) fn header(bytes: &[u8]) -> Result<Header, Fault> {
    let (width, height) = open(bytes)?.dimensions();
    Ok(Header::plain(width, height, false))
}

/// The first picture, if there are several.
pub(super) fn decode(bytes: &[u8], header: &Header) -> Result<ImageData, Fault> {
    let mut decoder = open(bytes)?;
    // The decoder's planes and the colors without alpha take less than twice the pixels.
    let mut pixels = header.zeros(header.bytes * 2)?;
    if decoder.has_alpha() {
        decoder.read_image(&mut pixels).map_err(damaged)?;
    } else {
        let mut rgb = vec![0; pixels.len() / 4 * 3];
        decoder.read_image(&mut rgb).map_err(damaged)?;
        place_opaque(&rgb, &mut pixels);
    }
    Ok(header.image(pixels))
}
