//! Pictures as PNG files.

use super::error::AppError;
use fire_engine::assets::ImageData;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _, ImageError};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes straight-alpha sRGB pixels to a PNG file.
///
/// # Errors
/// [`AppError::Write`] names the file.
pub fn write(path: &Path, picture: &ImageData) -> Result<(), AppError> {
    let failed = |reason: String| AppError::Write { file: path.display().to_string(), reason };
    let mut file = BufWriter::new(File::create(path).map_err(|error| failed(error.to_string()))?);
    encode(&mut file, picture).map_err(|error| failed(error.to_string()))?;
    file.flush().map_err(|error| failed(error.to_string()))
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
