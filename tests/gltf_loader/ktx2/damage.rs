//! Files with errors of every kind: an error or wrong pixels, and nothing worse.

use super::container::Ktx2;
use super::{ALL, ASTC, BC7, ETC2, GREEN, RED, decoded, document, samples, with};
use fire_engine::assets::BlockFormats;

struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize
    }
}

/// Loads, for one device after the other.
struct Attempts {
    number: usize,
    loaded: usize,
}

impl Attempts {
    fn load(&mut self, bytes: &[u8]) {
        const DEVICES: [BlockFormats; 5] = [BlockFormats::NONE, BC7, ASTC, ETC2, ALL];
        self.loaded += usize::from(with(&document(bytes), DEVICES[self.number % DEVICES.len()]).is_ok());
        self.number += 1;
    }
}

fn files() -> [Vec<u8>; 4] {
    let uastc = Ktx2::uastc([12, 8], &[RED, GREEN, RED, GREEN]);
    let zstd = Ktx2 { zstd: true, ..uastc.clone() };
    [decoded(samples::RGBA), decoded(samples::RGB), uastc.bytes(), zstd.bytes()]
}

#[test]
fn every_byte_changed_and_every_length_cut() {
    let mut attempts = Attempts { number: 0, loaded: 0 };
    for file in files() {
        for position in 0..file.len() {
            for change in [0x01, 0x02, 0x10, 0x80, 0xFF] {
                let mut bytes = file.clone();
                bytes[position] ^= change;
                attempts.load(&bytes);
            }
            assert!(with(&document(&file[..position]), BlockFormats::NONE).is_err(), "{position} bytes");
        }
    }
    assert!(attempts.number > 5_000 && attempts.loaded > 100, "{}", attempts.loaded);
    assert!(attempts.loaded < attempts.number / 2, "{} of {}", attempts.loaded, attempts.number);
}

/// Changes of several bytes behind the container's header, where codebooks, tables, codes and blocks are.
#[test]
fn several_bytes_changed_behind_the_header() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut attempts = Attempts { number: 0, loaded: 0 };
    for round in 0..8_000 {
        let files = files();
        let mut bytes = files[round % files.len()].clone();
        let index_end = 80 + 24 * usize::from(bytes[40]);
        for _ in 0..=random.next() % 6 {
            let position = index_end + random.next() % (bytes.len() - index_end);
            bytes[position] = match random.next() % 3 {
                0 => 0,
                1 => 0xFF,
                _ => random.next() as u8,
            };
        }
        attempts.load(&bytes);
    }
    assert!(attempts.loaded > 100, "{}", attempts.loaded);
}
