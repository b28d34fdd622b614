//! ETC1S coded by BasisLZ, by hand: one endpoint, one selector, and codes with one symbol each.

use super::{document, refusal};
use crate::fixtures::holds;

/// Bits, the lowest of each byte first.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        self.0.extend((0..count).map(|place| value >> place & 1 == 1));
    }

    /// A table of codes in which one symbol has a code, of `length` bits.
    fn table(&mut self, symbol: u32, length: u32) {
        const ORDER: [u32; 21] = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];
        self.put(symbol + 1, 14);
        self.put(21, 5);
        // A bit says whether a symbol has no code or that length.
        for kind in ORDER {
            self.put(u32::from(kind == 0 || kind == length), 3);
        }
        self.0.resize(self.0.len() + symbol as usize, false);
        self.put(1, 1);
    }

    fn bytes(&self) -> Vec<u8> {
        let bytes = self.0.chunks(8);
        bytes.map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))).collect()
    }
}

/// A file of one block, with what is to be wrong about it.
struct File {
    counts: [u16; 2],
    /// Symbol and code length of the predictors, the endpoint deltas, the selectors and the runs.
    models: [(u32, u32); 4],
    history: u32,
    selector_flags: u32,
    flags: u32,
    slice: Vec<u8>,
    /// Where the slice is said to begin.
    offset: u32,
}

impl File {
    fn new() -> Self {
        Self {
            counts: [1, 1],
            // All four blocks of a group differ from their neighbors; all differences are 0; all selectors are 0.
            models: [(255, 1), (0, 1), (0, 1), (0, 1)],
            history: 1,
            selector_flags: 0b100,
            flags: 0,
            slice: vec![0],
            offset: 0,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut endpoints = Bits::default();
        for _ in 0..4 {
            endpoints.table(0, 1);
        }
        // Colors, and a difference of 0 for the table and each component: from 16, 16, 16 in table 0.
        endpoints.put(0, 1 + 4);
        let mut selectors = Bits::default();
        selectors.put(self.selector_flags, 3);
        // Rows of four selectors, the first the lowest: 0 1 2 3, 3 3 3 3, 0 0 0 0, 2 2 2 2.
        for row in [0b11_10_01_00, 0b11_11_11_11, 0, 0b10_10_10_10] {
            selectors.put(row, 8);
        }
        let mut tables = Bits::default();
        for (symbol, length) in self.models {
            tables.table(symbol, length);
        }
        tables.put(self.history, 13);
        let parts = [endpoints.bytes(), selectors.bytes(), tables.bytes()];
        let [one, two] = self.counts;
        let mut global = [one.to_le_bytes(), two.to_le_bytes()].concat();
        let lengths = parts.each_ref().map(|part| part.len() as u32);
        let slice = self.slice.len() as u32;
        let words = [lengths[0], lengths[1], lengths[2], 0, self.flags, self.offset, slice, 0, 0];
        global.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        global.extend(parts.concat());
        let description =
            [44, 0, 2 | 40 << 16, 163 | 1 << 8 | 2 << 16, 0x0303, 0, 0, 63 << 16, 0, 0, u32::MAX];
        let mut out = b"\xABKTX 20\xBB\r\n\x1A\n".to_vec();
        let head = [0, 1, 4, 4, 0, 0, 1, 1, 1, 104, 44, 0, 0, 148, 0, global.len() as u32, 0];
        out.extend(head.iter().flat_map(|word: &u32| word.to_le_bytes()));
        let level = [148 + global.len() as u64, self.slice.len() as u64, 0];
        out.extend(level.iter().flat_map(|word| word.to_le_bytes()));
        out.extend(description.iter().flat_map(|word: &u32| word.to_le_bytes()));
        out.extend(global);
        out.extend(&self.slice);
        out
    }
}

#[test]
fn one_block_has_the_colors_that_its_endpoint_and_selectors_say() {
    let image = document(&File::new().bytes()).content().assets.images()[0].clone();
    // 16 of 31 is 132 of 255; table 0 adds -8, -2, 2 and 8.
    let gray = |value: u8| [value, value, value, 255];
    let rows = [[124, 130, 134, 140], [140; 4], [124; 4], [134; 4]];
    assert_eq!(image.pixels(), rows.concat().into_iter().flat_map(gray).collect::<Vec<_>>());
}

/// The transcoder would look up a code that its tree has no place for.
#[test]
fn a_lone_code_longer_than_the_table_looks_up_is_refused() {
    // The code is 16 zeros; the stream has 15 and a one.
    for (at, slice) in [(0, vec![0, 0x80]), (1, vec![0, 0, 1]), (2, vec![0, 0, 2])] {
        let mut file = File { slice, ..File::new() };
        file.models[at] = (0, 16);
        holds(&refusal(&file.bytes()), &["images[0]", "code table"]);
    }
}

#[test]
fn a_code_that_the_table_lacks_is_refused() {
    let file = File { slice: vec![0xFF; 3], ..File::new() };
    holds(&refusal(&file.bytes()), &["the color of level 0", "code that its table lacks"]);
}

/// The transcoder would add to the largest number there is.
#[test]
fn runs_longer_than_the_image_are_refused() {
    let ones = [&[0xFE][..], &[0xFF; 8]].concat();
    let mut file = File { slice: ones, ..File::new() };
    file.models[0].0 = 256;
    holds(&refusal(&file.bytes()), &["the color of level 0", "run of 4294967298 in 1 blocks"]);
    // The symbol behind one selector and one place of history; its length follows.
    let mut file = File { slice: [&[0xF0][..], &[0xFF; 8]].concat(), ..File::new() };
    file.models[2].0 = 2;
    file.models[3].0 = 63;
    holds(&refusal(&file.bytes()), &["the color of level 0", "run of 34359738370 in 1 blocks"]);
}

#[test]
fn what_the_global_data_says_of_itself_is_checked() {
    for (file, parts) in [
        (File { counts: [0, 1], ..File::new() }, &["codebook of it is empty"][..]),
        (File { counts: [1, 0], ..File::new() }, &["codebook of it is empty"]),
        (File { history: 0, ..File::new() }, &["code table"]),
        (File { selector_flags: 0b101, ..File::new() }, &["selector codebook", "KTX 2.0 does not have"]),
        (File { selector_flags: 0b110, ..File::new() }, &["selector codebook", "KTX 2.0 does not have"]),
        (File { selector_flags: 0b000, counts: [1, 2], ..File::new() }, &["selector codebook"]),
        (File { flags: 2, ..File::new() }, &["frame of a video"]),
        (File { offset: 1, ..File::new() }, &["1 bytes of color from 1 lie outside level 0"]),
        (File { offset: u32::MAX, ..File::new() }, &["from 4294967295 lie outside level 0"]),
        (File { slice: vec![], ..File::new() }, &["0 bytes of color"]),
    ] {
        holds(&refusal(&file.bytes()), parts);
    }
    // A longer part than there is, and bytes that belong to none.
    let file = File::new().bytes();
    for at in [152, 156, 160, 164] {
        let mut bytes = file.clone();
        bytes[at + 3] = 0xFF;
        holds(&refusal(&bytes), &["global data is cut off"]);
    }
    let mut bytes = file.clone();
    bytes[160] -= 1;
    holds(&refusal(&bytes), &["1 bytes too many"]);
}

#[test]
fn a_slice_that_ends_too_early_is_refused() {
    // 13 x 12 pixels are 12 blocks, of 2 bits each and one bit for each group of four.
    let mut file = File { slice: vec![0; 4], ..File::new() }.bytes();
    let size = [13_u32.to_le_bytes(), 12_u32.to_le_bytes()].concat();
    file[20..28].copy_from_slice(&size);
    assert!(document(&file).load().is_ok());
    let mut file = File { slice: vec![0; 3], ..File::new() }.bytes();
    file[20..28].copy_from_slice(&size);
    holds(&refusal(&file), &["the color of level 0 ends too early"]);
}
