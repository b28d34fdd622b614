//! Levels that Zstandard compresses.

use ruzstd::decoding::StreamingDecoder;
use std::io::Read as _;

/// How far back every decoder looks (RFC 8878, section 3.1.1.1.2), so that encoders ask for more only where the data is longer.
const WINDOW: u64 = 8 << 20;

/// The `size` bytes of a frame, neither more nor fewer; the reason otherwise.
pub(super) fn inflate(frame: &[u8], size: usize) -> Result<Vec<u8>, String> {
    let fault = |error: &dyn std::fmt::Display| format!("its Zstandard data is damaged ({error})");
    let window = WINDOW.max(size as u64);
    let mut decoder =
        StreamingDecoder::new_with_max_window_size(frame, window).map_err(|error| fault(&error))?;
    let mut out = vec![0; size];
    decoder.read_exact(&mut out).map_err(|error| fault(&error))?;
    match decoder.read(&mut [0]) {
        Ok(0) => Ok(out),
        Ok(_) => Err(fault(&"it is longer than declared")),
        Err(error) => Err(fault(&error)),
    }
}
