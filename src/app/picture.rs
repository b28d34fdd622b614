//! Pictures as PNG files.

use super::error::AppError;
use super::new_file::NewFile;
use super::output::printable;
use fire_engine::assets::ImageData;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _, ImageError};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes straight-alpha sRGB pixels to a PNG file, which is replaced only when they are all there.
///
/// # Errors
/// [`AppError::Write`] names the file.
pub fn write(path: &Path, picture: &ImageData) -> Result<(), AppError> {
    let written = || -> Result<(), ImageError> {
        let (file, new) = NewFile::begin(path)?;
        let mut file = BufWriter::new(file);
        encode(&mut file, picture)?;
        file.flush()?;
        drop(file);
        Ok(new.done()?)
    };
    let file = || printable(&path.to_string_lossy());
    written().map_err(|error| AppError::Write { file: file(), reason: error.to_string() })
}

/// Writes straight-alpha sRGB pixels as PNG.
///
/// # Errors
/// What the encoder or `out` said.
pub fn encode(out: impl Write, picture: &ImageData) -> Result<(), ImageError> {
    PngEncoder::new_with_quality(out, CompressionType::Fast, FilterType::Adaptive).write_image(
        picture.pixels(),
        picture.width,
        picture.height,
        ExtendedColorType::Rgba8,
    )
}
