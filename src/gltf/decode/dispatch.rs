//! Which decoder reads which kind of image.

use super::{Fault, Header, Kind};
use crate::assets::ImageData;

/// What an image will be, from its header alone; no memory is taken for pixels.
///
/// 16-bit samples stay so where `wide` is set, and count as 8 bits otherwise.
#[cfg_attr(
    not(feature = "png"),
    expect(unused_variables, reason = "only PNG has 16 bits; without a decoder, only the kind is looked at")
)]
pub(in crate::gltf) fn measure(bytes: &[u8], kind: Kind, largest: u32, wide: bool) -> Result<Header, Fault> {
    match kind {
        #[cfg(feature = "png")]
        Kind::Png => super::png::header(bytes, wide)?.checked(largest),
        #[cfg(feature = "jpeg")]
        Kind::Jpeg => super::jpeg::header(bytes)?.checked(largest),
        #[cfg(feature = "webp")]
        Kind::WebP => super::webp::header(bytes)?.checked(largest),
        // KTX2, once there is a decoder: `super::ktx2::header(bytes)?.checked(largest)`, with the bytes of all levels.
        kind => Err(unavailable(kind)),
    }
}

/// The pixels that [`measure`] told of.
///
/// Samples of 16 bits are rounded where the header's format has 8, gray becomes R = G = B, a missing alpha is opaque, and
/// palettes are resolved. Embedded color profiles and gamma are ignored, as glTF 2.0 asks (section 3.9.2).
#[cfg_attr(
    not(any(feature = "png", feature = "jpeg", feature = "webp")),
    expect(unused_variables, reason = "without a decoder, only the kind is looked at")
)]
pub(in crate::gltf) fn decode(bytes: &[u8], kind: Kind, header: &Header) -> Result<ImageData, Fault> {
    match kind {
        #[cfg(feature = "png")]
        Kind::Png => super::png::decode(bytes, header),
        #[cfg(feature = "jpeg")]
        Kind::Jpeg => super::jpeg::decode(bytes, header),
        #[cfg(feature = "webp")]
        Kind::WebP => super::webp::decode(bytes, header),
        // KTX2, once there is a decoder: `super::ktx2::transcode(bytes, header)`.
        kind => Err(unavailable(kind)),
    }
}

fn unavailable(kind: Kind) -> Fault {
    let name = kind.name();
    Fault::Unsupported(match kind.feature() {
        Some(feature) => format!(
            "{name} images need the crate feature \"{feature}\", which is off; turn it on or convert the image"
        ),
        None => format!("{name} images are not decoded; convert it to PNG or JPEG"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_that_is_switched_off_names_its_feature() {
        for (kind, feature, on) in [
            (Kind::Png, "png", cfg!(feature = "png")),
            (Kind::Jpeg, "jpeg", cfg!(feature = "jpeg")),
            (Kind::WebP, "webp", cfg!(feature = "webp")),
        ] {
            let fault = measure(b"", kind, 1, false).err();
            let named = matches!(&fault, Some(Fault::Unsupported(reason)) if reason.contains(&format!("\"{feature}\"")));
            assert_eq!(named, !on, "{feature}: {fault:?}");
        }
    }
}
