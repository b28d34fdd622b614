//! Lines of text on standard output.

use std::fmt::Display;
use std::io::Write as _;

/// Prints one line. A reader that has gone away is no reason to stop, let alone to panic as `println!` would.
pub fn line(text: impl Display) {
    let mut out = std::io::stdout().lock();
    let _nobody_reads = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Prints one line on standard error.
pub fn complaint(text: impl Display) {
    let _nobody_reads = writeln!(std::io::stderr(), "{text}");
}

/// `1 frame`, `2 frames`.
pub fn frames(count: u64) -> String {
    format!("{count} frame{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_frame_is_singular() {
        assert_eq!([0, 1, 2].map(super::frames), ["0 frames", "1 frame", "2 frames"]);
    }
}
