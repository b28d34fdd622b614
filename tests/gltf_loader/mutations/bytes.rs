//! Damage to the bytes of a file.

use super::random::Random;
use crate::fixtures::Doc;

/// Damages a file in one place, and says how.
pub fn damage(bytes: &mut Vec<u8>, glb: bool, originals: &[(&str, Doc)], random: &mut Random) -> String {
    if bytes.is_empty() {
        return "nothing left".to_owned();
    }
    let at = random.below(bytes.len());
    match random.below(if glb { 10 } else { 8 }) {
        0 => {
            bytes[at] ^= 1 << random.below(8);
            format!("bit of byte {at}")
        }
        1 => {
            bytes[at] = random.next() as u8;
            format!("byte {at}")
        }
        2 => {
            bytes.truncate(at);
            format!("cut at {at}")
        }
        3 => {
            bytes.remove(at);
            format!("byte {at} removed")
        }
        4 => {
            bytes.insert(at, b"0123456789-.eE\"[]{},:\0\xFF"[random.below(23)]);
            format!("a token at {at}")
        }
        5 | 6 => {
            // A digit somewhere after `at`, so that numbers change more often than chance would have it.
            if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                bytes[at + digit] = b'0' + random.below(10) as u8;
            }
            format!("a digit after {at}")
        }
        7 => {
            // A piece of another document.
            let text = random.pick(originals).1.json.to_string().into_bytes();
            let from = random.below(text.len());
            let piece = &text[from..text.len().min(from + 1 + random.below(60))];
            bytes.splice(at..at, piece.iter().copied());
            format!("{} bytes spliced in at {at}", piece.len())
        }
        8 => {
            // A length or a kind in a header.
            let place = *random.pick(&[4, 8, 12, 16]);
            let value = *random.pick(&[0_u32, 1, 2, 4, 12, u32::MAX, u32::MAX - 3, 0x7FFF_FFFF]);
            if let Some(word) = bytes.get_mut(place..place + 4) {
                word.copy_from_slice(&value.to_le_bytes());
            }
            format!("header word at {place} = {value}")
        }
        _ => chunks(bytes, random),
    }
}

/// Removes, doubles or exchanges chunks of a GLB, with its length put right.
fn chunks(bytes: &mut Vec<u8>, random: &mut Random) -> String {
    let mut chunks: Vec<Vec<u8>> = Vec::new();
    let mut rest = bytes.get(12..).unwrap_or(&[]);
    while let Some(length) = rest.first_chunk().map(|length| u32::from_le_bytes(*length) as usize) {
        let Some(chunk) = length.checked_add(8).and_then(|end| rest.get(..end)) else { break };
        chunks.push(chunk.to_vec());
        rest = &rest[chunk.len()..];
    }
    if chunks.is_empty() {
        return "no chunk left".to_owned();
    }
    let at = random.below(chunks.len());
    let story = match random.below(3) {
        0 => {
            chunks.remove(at);
            format!("chunk {at} removed")
        }
        1 => {
            chunks.insert(at, chunks[at].clone());
            format!("chunk {at} doubled")
        }
        _ => {
            chunks.reverse();
            "chunks exchanged".to_owned()
        }
    };
    bytes.truncate(12);
    bytes.extend(chunks.concat());
    let length = bytes.len() as u32;
    if let Some(word) = bytes.get_mut(8..12) {
        word.copy_from_slice(&length.to_le_bytes());
    }
    story
}
