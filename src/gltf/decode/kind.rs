//! What an image file is.

/// What a file's first bytes say it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gltf) enum Kind {
    Png,
    Jpeg,
    WebP,
    Ktx2,
    /// Known by name and not decoded here.
    Other(&'static str),
}

impl Kind {
    /// Reads the signature; the declared MIME type is often wrong and does not decide.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            [0x89, b'P', b'N', b'G', ..] => Self::Png,
            [0xFF, 0xD8, 0xFF, ..] => Self::Jpeg,
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Self::WebP,
            [0xAB, b'K', b'T', b'X', b' ', b'2', b'0', 0xBB, ..] => Self::Ktx2,
            [0xAB, b'K', b'T', b'X', ..] => Self::Other("KTX 1"),
            [b'D', b'D', b'S', b' ', ..] => Self::Other("DDS"),
            [b'G', b'I', b'F', b'8', ..] => Self::Other("GIF"),
            [b'B', b'M', ..] => Self::Other("BMP"),
            [b's', b'B', ..] => Self::Other("Basis Universal"),
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::WebP => "WebP",
            Self::Ktx2 => "KTX2",
            Self::Other(name) => name,
        }
    }

    pub fn mime(self) -> Option<&'static str> {
        match self {
            Self::Png => Some("image/png"),
            Self::Jpeg => Some("image/jpeg"),
            Self::WebP => Some("image/webp"),
            Self::Ktx2 => Some("image/ktx2"),
            Self::Other(_) => None,
        }
    }

    /// The crate feature that decodes it.
    pub fn feature(self) -> Option<&'static str> {
        match self {
            Self::Png => Some("png"),
            Self::Jpeg => Some("jpeg"),
            Self::WebP => Some("webp"),
            Self::Ktx2 => Some("basisu"),
            Self::Other(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_decide() {
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\n"[..], Kind::Png),
            (b"\xFF\xD8\xFF\xE0", Kind::Jpeg),
            (b"RIFF\0\0\0\0WEBPVP8 ", Kind::WebP),
            (b"\xABKTX 20\xBB\r\n\x1A\n", Kind::Ktx2),
            (b"\xABKTX 11\xBB\r\n\x1A\n", Kind::Other("KTX 1")),
        ] {
            assert_eq!(Kind::sniff(bytes), Some(kind));
        }
        assert_eq!(Kind::sniff(b""), None);
        assert_eq!(Kind::sniff(b"RIFF\0\0\0\0WAVE"), None);
    }
}
