//! From the bytes of a PNG or JPEG to RGBA8.

use crate::assets::ImageData;

/// What a file's first bytes say it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Png,
    Jpeg,
    /// Known by name and not decoded here.
    Other(&'static str),
}

impl Kind {
    /// Reads the signature; the declared MIME type is often wrong and does not decide.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            [0x89, b'P', b'N', b'G', ..] => Self::Png,
            [0xFF, 0xD8, 0xFF, ..] => Self::Jpeg,
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Self::Other("WebP"),
            [0xAB, b'K', b'T', b'X', ..] => Self::Other("KTX"),
            [b'D', b'D', b'S', b' ', ..] => Self::Other("DDS"),
            [b'G', b'I', b'F', b'8', ..] => Self::Other("GIF"),
            [b'B', b'M', ..] => Self::Other("BMP"),
            [b's', b'B', ..] => Self::Other("Basis Universal"),
            _ => return None,
        })
    }

    pub fn mime(self) -> Option<&'static str> {
        match self {
            Self::Png => Some("image/png"),
            Self::Jpeg => Some("image/jpeg"),
            Self::Other(_) => None,
        }
    }
}

/// Why an image cannot be had.
#[cfg_attr(
    not(any(feature = "png", feature = "jpeg")),
    expect(dead_code, reason = "without a decoder, nothing but Unsupported arises")
)]
pub(super) enum Fault {
    /// Nothing here decodes such images.
    Unsupported(String),
    /// A side is above the limit.
    TooLarge(u32),
    /// The total is above the limit; the error is the caller's own.
    Refused(super::LoadError),
    /// There is no memory for so many bytes.
    OutOfMemory(u64),
    /// The bytes are damaged.
    Damaged(String),
}

/// Decodes; `admit` is asked with the number of RGBA8 bytes after the header is read and before the pixels are.
///
/// 16-bit samples are rounded to 8, gray becomes R = G = B, a missing alpha is opaque, and palettes are resolved. Embedded
/// color profiles and gamma are ignored, as glTF 2.0 asks (section 3.9.2).
#[cfg_attr(
    not(any(feature = "png", feature = "jpeg")),
    expect(unused_variables, reason = "without a decoder, only the kind is looked at")
)]
pub(super) fn decode(
    bytes: &[u8],
    kind: Kind,
    largest: u32,
    admit: impl FnOnce(u64) -> Result<(), super::LoadError>,
) -> Result<ImageData, Fault> {
    match kind {
        #[cfg(feature = "png")]
        Kind::Png => with_image(bytes, image::ImageFormat::Png, largest, admit),
        #[cfg(not(feature = "png"))]
        Kind::Png => Err(missing("PNG", "png")),
        #[cfg(feature = "jpeg")]
        Kind::Jpeg => with_image(bytes, image::ImageFormat::Jpeg, largest, admit),
        #[cfg(not(feature = "jpeg"))]
        Kind::Jpeg => Err(missing("JPEG", "jpeg")),
        Kind::Other(name) => {
            Err(Fault::Unsupported(format!("{name} images are not decoded; convert it to PNG or JPEG")))
        }
    }
}

#[cfg(not(all(feature = "png", feature = "jpeg")))]
fn missing(name: &str, feature: &str) -> Fault {
    Fault::Unsupported(format!(
        "{name} images need the crate feature \"{feature}\", which is off; turn it on or convert the image"
    ))
}

/// Bytes that a decoder may take for what is not pixels: color profiles, texts and its own tables.
#[cfg(any(feature = "png", feature = "jpeg"))]
const OVERHEAD: u64 = 64 << 20;

#[cfg(any(feature = "png", feature = "jpeg"))]
fn with_image(
    bytes: &[u8],
    format: image::ImageFormat,
    largest: u32,
    admit: impl FnOnce(u64) -> Result<(), super::LoadError>,
) -> Result<ImageData, Fault> {
    use image::{DynamicImage, ImageDecoder as _, ImageReader, Limits};
    let damaged = |error: image::ImageError| match error {
        image::ImageError::Limits(_) => Fault::Damaged(format!(
            "it needs more than its pixels and {} MiB for color profile, texts and tables",
            OVERHEAD >> 20
        )),
        error => Fault::Damaged(error.to_string()),
    };
    let mut reader = ImageReader::with_format(std::io::Cursor::new(bytes), format);
    // No bound on the sides: they are judged below, by a message of our own.
    let mut limits = Limits::no_limits();
    // Looking at the header inflates an embedded color profile, which is dropped unread.
    limits.max_alloc = Some(OVERHEAD);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(Fault::Damaged(format!("its size is {width} x {height}")));
    }
    if width.max(height) > largest {
        return Err(Fault::TooLarge(width.max(height)));
    }
    let pixels = u64::from(width) * u64::from(height);
    admit(pixels * 4).map_err(Fault::Refused)?;
    // The decoder aborts where its own allocation fails, so whether there is room is asked before.
    let room = decoder.total_bytes().saturating_add(pixels * 4);
    let asked = usize::try_from(room).map(|room| Vec::<u8>::new().try_reserve_exact(room));
    if !matches!(asked, Ok(Ok(()))) {
        return Err(Fault::OutOfMemory(room));
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(largest);
    limits.max_image_height = Some(largest);
    // The widest sample layout is RGBA16.
    limits.max_alloc = Some(pixels * 8 + OVERHEAD);
    decoder.set_limits(limits).map_err(damaged)?;
    let rgba = DynamicImage::from_decoder(decoder).map_err(damaged)?.into_rgba8();
    Ok(ImageData::rgba8(width, height, rgba.into_raw()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_decide() {
        assert_eq!(Kind::sniff(b"\x89PNG\r\n\x1a\n"), Some(Kind::Png));
        assert_eq!(Kind::sniff(b"\xFF\xD8\xFF\xE0"), Some(Kind::Jpeg));
        assert_eq!(Kind::sniff(b"RIFF\0\0\0\0WEBPVP8 "), Some(Kind::Other("WebP")));
        assert_eq!(Kind::sniff(b""), None);
        assert_eq!(Kind::sniff(b"RIFF\0\0\0\0WAVE"), None);
    }

    #[cfg(not(all(feature = "png", feature = "jpeg")))]
    #[test]
    fn a_format_that_is_switched_off_names_its_feature() {
        for (kind, feature, off) in [
            (Kind::Png, "png", cfg!(not(feature = "png"))),
            (Kind::Jpeg, "jpeg", cfg!(not(feature = "jpeg"))),
        ] {
            let fault = decode(b"", kind, 1, |_| Ok(())).err();
            let named = matches!(fault, Some(Fault::Unsupported(reason)) if reason.contains(&format!("\"{feature}\"")));
            assert_eq!(named, off, "{feature}");
        }
    }
}
