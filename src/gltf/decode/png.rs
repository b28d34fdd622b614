//! PNG.

use super::place::{place, place_opaque};
use super::{Fault, Header};
use crate::assets::{ImageData, ImageFormat};
use png::{BitDepth, Decoder, DecodingError, Limits, Reader, Transformations};
use std::io::Cursor;

/// Bytes that the decoder may take for what is not pixels: chunks, rows and tables.
const OVERHEAD: usize = 64 << 20;

fn open(bytes: &[u8]) -> Decoder<Cursor<&[u8]>> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: OVERHEAD });
    // Neither is used, and a color profile may inflate to a thousand times its size.
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_ignore_text_chunk(true);
    decoder
}

fn damaged(error: DecodingError) -> Fault {
    Fault::Damaged(match error {
        DecodingError::LimitsExceeded => {
            format!("it needs more than its pixels and {} MiB for other chunks and rows", OVERHEAD >> 20)
        }
        error => error.to_string(),
    })
}

pub(super) fn header(bytes: &[u8], wide: bool) -> Result<Header, Fault> {
    let mut decoder = open(bytes);
    let info = decoder.read_header_info().map_err(damaged)?;
    let sixteen = info.bit_depth == BitDepth::Sixteen;
    Ok(Header { rounded: sixteen && !wide, ..Header::plain(info.width, info.height, sixteen && wide) })
}

pub(super) fn decode(bytes: &[u8], header: &Header) -> Result<ImageData, Fault> {
    let mut decoder = open(bytes);
    // Palettes, transparent colors and samples of less than 8 bits; the rest stays as it is and is expanded below, which
    // is faster.
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(damaged)?;
    if let Some(frame) = reader.info().frame_control()
        && (frame.width, frame.height) != (header.width, header.height)
    {
        return Err(Fault::Damaged("its first frame is smaller than the image".to_owned()));
    }
    let (color, depth) = reader.output_color_type();
    let layout = Layout {
        channels: color.samples(),
        sixteen: depth == BitDepth::Sixteen,
        wide: header.format == ImageFormat::Rgba16,
    };
    let pixels = if reader.info().interlaced {
        interlaced(&mut reader, header, layout)
    } else {
        rows(&mut reader, header, layout)
    }?;
    Ok(header.image(pixels))
}

/// Expands each row while it is in the cache. Memory is touched only as far as the file has rows.
fn rows(reader: &mut Reader<Cursor<&[u8]>>, header: &Header, layout: Layout) -> Result<Vec<u8>, Fault> {
    let mut pixels = header.room(0)?;
    let row_bytes = layout.row_bytes(header.width);
    let mut row = vec![0; reader.output_line_size(header.width).unwrap_or(0)];
    for _ in 0..header.height {
        let start = pixels.len();
        pixels.resize(start + row_bytes, 0);
        let out = &mut pixels[start..];
        if layout.is_final() {
            reader.read_row(out).map_err(damaged)?;
        } else {
            reader.read_row(&mut row).map_err(damaged)?;
            layout.expand(&mut row, out);
        }
    }
    // Looks at the end of the data, and at its checksum.
    reader.read_row(&mut row).map_err(damaged)?;
    Ok(pixels)
}

/// Rows of an interlaced image are spread over the whole of it, so it is expanded in the end.
fn interlaced(reader: &mut Reader<Cursor<&[u8]>>, header: &Header, layout: Layout) -> Result<Vec<u8>, Fault> {
    let size = reader.output_buffer_size().unwrap_or(usize::MAX);
    if layout.is_final() {
        let mut pixels = header.zeros(0)?;
        reader.next_frame(&mut pixels).map_err(damaged)?;
        return Ok(pixels);
    }
    let mut pixels = header.room(size as u64)?;
    let mut frame = vec![0; size];
    reader.next_frame(&mut frame).map_err(damaged)?;
    let line = reader.output_line_size(header.width).unwrap_or(usize::MAX);
    let row_bytes = layout.row_bytes(header.width);
    for row in frame.chunks_exact_mut(line) {
        let start = pixels.len();
        pixels.resize(start + row_bytes, 0);
        layout.expand(row, &mut pixels[start..]);
    }
    Ok(pixels)
}

/// How the decoder gives pixels, and how they are wanted.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// 1 gray, 2 gray and alpha, 3 color, 4 color and alpha.
    channels: usize,
    /// Samples have 16 bits, the higher 8 first.
    sixteen: bool,
    /// 16 bits are wanted.
    wide: bool,
}

impl Layout {
    fn row_bytes(self, width: u32) -> usize {
        width as usize * if self.wide { 8 } else { 4 }
    }

    /// Whether the decoder gives what is wanted.
    fn is_final(self) -> bool {
        self.channels == 4 && !self.sixteen && !self.wide
    }

    /// `row` is used up.
    fn expand(self, row: &mut [u8], out: &mut [u8]) {
        if self.wide {
            self.expand_wide(row, out);
            return;
        }
        let row = if self.sixteen { narrow(row) } else { row };
        match self.channels {
            1 => place(row, out, |[gray]| [gray, gray, gray, u8::MAX]),
            2 => place(row, out, |[gray, alpha]| [gray, gray, gray, alpha]),
            3 => place_opaque(row, out),
            _ => place(row, out, |pixel: [u8; 4]| pixel),
        }
    }

    fn expand_wide(self, row: &[u8], out: &mut [u8]) {
        let opaque = [u8::MAX; 2];
        for (pixel, out) in row.chunks_exact(self.channels * 2).zip(out.as_chunks_mut::<8>().0) {
            let samples = pixel.as_chunks::<2>().0;
            let [red, green, blue, alpha] = match *samples {
                [gray] => [gray, gray, gray, opaque],
                [gray, alpha] => [gray, gray, gray, alpha],
                [red, green, blue] => [red, green, blue, opaque],
                [red, green, blue, alpha, ..] => [red, green, blue, alpha],
                [] => [opaque; 4],
            };
            for (out, sample) in out.as_chunks_mut::<2>().0.iter_mut().zip([red, green, blue, alpha]) {
                *out = u16::from_be_bytes(sample).to_ne_bytes();
            }
        }
    }
}

/// Rounds samples of 16 bits to 8, in place: 65,535 is 257 times 255.
fn narrow(row: &mut [u8]) -> &[u8] {
    let count = row.len() / 2;
    for index in 0..count {
        let sample = u32::from(u16::from_be_bytes([row[2 * index], row[2 * index + 1]]));
        row[index] = ((sample + 128) / 257) as u8;
    }
    &row[..count]
}
