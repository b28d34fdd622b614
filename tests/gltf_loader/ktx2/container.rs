//! KTX2 files put together by hand.

/// A file under construction, with what the header says of it.
#[derive(Clone)]
pub struct Ktx2 {
    pub size: [u32; 2],
    pub alpha: bool,
    pub srgb: bool,
    pub zstd: bool,
    /// Blocks of each level, the largest first.
    pub levels: Vec<Vec<u8>>,
    pub metadata: Vec<u8>,
}

/// A UASTC block of one color: mode 8, the four components, and hints for ETC1 that are left 0.
pub fn block(color: [u8; 4]) -> [u8; 16] {
    let bits = 0x17 | u128::from(u32::from_le_bytes(color)) << 5;
    bits.to_le_bytes()
}

impl Ktx2 {
    /// Levels of one color each.
    pub fn uastc(size: [u32; 2], levels: &[[u8; 4]]) -> Self {
        let blocks = |level: usize| size.map(|side| (side >> level).max(1).div_ceil(4) as usize);
        let levels = levels.iter().enumerate().map(|(level, &color)| {
            let [columns, rows] = blocks(level);
            block(color).repeat(columns * rows)
        });
        let levels = levels.collect();
        Self { size, alpha: true, srgb: true, zstd: false, levels, metadata: Vec::new() }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let stored: Vec<Vec<u8>> = self
            .levels
            .iter()
            .map(|level| match self.zstd {
                true => {
                    ruzstd::encoding::compress_to_vec(&level[..], ruzstd::encoding::CompressionLevel::Fastest)
                }
                false => level.clone(),
            })
            .collect();
        let description = [
            44,
            0,
            2 | 40 << 16,
            166 | 1 << 8 | if self.srgb { 2 } else { 1 } << 16,
            0x0303,
            16,
            0,
            if self.alpha { 3 << 24 } else { 0 },
            0,
            0,
            u32::MAX,
        ];
        let index_end = 80 + 24 * stored.len();
        let data = index_end + 44 + self.metadata.len();
        let scheme = if self.zstd { 2 } else { 0 };
        let mut out = b"\xABKTX 20\xBB\r\n\x1A\n".to_vec();
        let [width, height] = self.size;
        let head = [0, 1, width, height, 0, 0, 1, stored.len() as u32, scheme, index_end as u32, 44];
        let metadata = if self.metadata.is_empty() { 0 } else { index_end as u32 + 44 };
        out.extend(
            head.iter().chain(&[metadata, self.metadata.len() as u32]).flat_map(|word| word.to_le_bytes()),
        );
        out.extend([0; 16]);
        let mut offset = data;
        for (level, stored) in self.levels.iter().zip(&stored) {
            out.extend(
                [offset, stored.len(), level.len()].iter().flat_map(|&word| (word as u64).to_le_bytes()),
            );
            offset += stored.len();
        }
        out.extend(description.iter().flat_map(|word: &u32| word.to_le_bytes()));
        out.extend(&self.metadata);
        out.extend(stored.concat());
        out
    }
}
