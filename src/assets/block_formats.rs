//! Which block-compressed formats may be used.

use super::ImageFormat;

/// The block-compressed formats that a device samples, for whoever makes images for it. Default: none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BlockFormats {
    /// [`ImageFormat::Bc7`].
    pub bc7: bool,
    /// [`ImageFormat::Etc2Rgba8`].
    pub etc2: bool,
    /// [`ImageFormat::Astc4x4`].
    pub astc: bool,
}

impl BlockFormats {
    /// None of them: images are made in formats that every device samples.
    pub const NONE: Self = Self { bc7: false, etc2: false, astc: false };

    /// Whether images of the format may be used; those without blocks always may.
    #[must_use]
    pub fn admits(self, format: ImageFormat) -> bool {
        match format {
            ImageFormat::Rgba8 | ImageFormat::Rgba16 => true,
            ImageFormat::Bc7 => self.bc7,
            ImageFormat::Etc2Rgba8 => self.etc2,
            ImageFormat::Astc4x4 => self.astc,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_format_has_its_own_switch_and_the_others_none() {
        let all = [
            ImageFormat::Rgba8,
            ImageFormat::Rgba16,
            ImageFormat::Bc7,
            ImageFormat::Etc2Rgba8,
            ImageFormat::Astc4x4,
        ];
        let admitted = |formats: BlockFormats| all.map(|format| formats.admits(format));
        assert_eq!(admitted(BlockFormats::default()), [true, true, false, false, false]);
        assert_eq!(
            admitted(BlockFormats { bc7: true, ..BlockFormats::NONE }),
            [true, true, true, false, false]
        );
        assert_eq!(
            admitted(BlockFormats { etc2: true, ..BlockFormats::NONE }),
            [true, true, false, true, false]
        );
        assert_eq!(
            admitted(BlockFormats { astc: true, ..BlockFormats::NONE }),
            [true, true, false, false, true]
        );
    }
}
