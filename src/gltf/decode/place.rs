//! From the samples that a decoder gives to four a pixel.

/// Turns each run of `N` samples into the four bytes of a pixel.
pub(super) fn place<const N: usize>(from: &[u8], out: &mut [u8], pixel: impl Fn([u8; N]) -> [u8; 4]) {
    for (out, &from) in out.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<N>().0) {
        *out = pixel(from);
    }
}

/// Turns colors without alpha into opaque pixels.
pub(super) fn place_opaque(from: &[u8], out: &mut [u8]) {
    const OPAQUE: u32 = u32::from_le_bytes([0, 0, 0, u8::MAX]);
    // Four pixels are three words, which takes fewer steps than byte by byte.
    let (fours, rest) = from.as_chunks::<12>();
    let (out_fours, out_rest) = out.as_chunks_mut::<16>();
    for (out, four) in out_fours.iter_mut().zip(fours) {
        let word = |at: usize| u32::from_le_bytes([four[at], four[at + 1], four[at + 2], four[at + 3]]);
        let (a, b, c) = (word(0), word(4), word(8));
        let pixels = [a, a >> 24 | b << 8, b >> 16 | c << 16, c >> 8];
        for (out, pixel) in out.as_chunks_mut::<4>().0.iter_mut().zip(pixels) {
            *out = (pixel | OPAQUE).to_le_bytes();
        }
    }
    place(rest, out_rest, |[red, green, blue]| [red, green, blue, u8::MAX]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_become_opaque_pixels_whatever_their_number() {
        for pixels in 0..=13 {
            let from: Vec<u8> = (0..3 * pixels).map(|byte| (17 * byte + 5) as u8).collect();
            let mut out = vec![0; 4 * pixels];
            place_opaque(&from, &mut out);
            let expected: Vec<u8> =
                from.chunks(3).flat_map(|color| [color[0], color[1], color[2], 255]).collect();
            assert_eq!(out, expected);
        }
    }
}
