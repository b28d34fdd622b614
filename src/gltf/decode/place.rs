//! From the samples that a decoder gives to four a pixel.

/// Turns each run of `N` samples into the four bytes of a pixel.
pub(super) fn place<const N: usize>(from: &[u8], out: &mut [u8], pixel: impl Fn([u8; N]) -> [u8; 4]) {
    for (out, &from) in out.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<N>().0) {
        *out = pixel(from);
    }
}

/// Colors without alpha are opaque.
pub(super) fn opaque([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, u8::MAX]
}
