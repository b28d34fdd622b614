//! Lines of text on standard output.

use std::fmt::Display;
use std::io::Write as _;

/// Prints one line. A reader that has gone away is no reason to stop, let alone to panic as `println!` would.
pub fn line(text: impl Display) {
    let mut out = std::io::stdout().lock();
    let _nobody_reads = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Prints each line of a text from elsewhere, such as a driver's name of a device, so that no terminal takes it for an order.
pub fn facts(text: impl Display) {
    text.to_string().lines().for_each(|fact| line(printable(fact)));
}

/// Prints what a script may rely on, and a line break. A reader that has gone away has what it wanted.
///
/// # Errors
/// Anything else that keeps the text from being written, such as a full disk.
#[cfg(feature = "cli")]
pub fn result(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints one line on standard error.
pub fn complaint(text: impl Display) {
    let _nobody_reads = writeln!(std::io::stderr(), "{text}");
}

/// Whether a terminal could take the character for an order, or show its neighbors elsewhere for it.
pub fn is_order(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

/// One line of a text from elsewhere: what [`is_order`] is escaped.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_order(character) { out.extend(character.escape_debug()) } else { out.push(character) }
    }
    out
}

/// A number with what it counts: `1 frame`, `2 frames`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {what}{ending}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn orders_to_a_terminal_are_escaped() {
        assert_eq!(super::printable("é \"a\" \\n 😀"), "é \"a\" \\n 😀");
        assert_eq!(super::printable("a\nb\u{1b}[2J\u{9b}\u{202e}"), "a\\nb\\u{1b}[2J\\u{9b}\\u{202e}");
    }

    #[test]
    fn one_is_singular() {
        let frames = [0_u64, 1, 2].map(|count| super::counted(count, "frame"));
        assert_eq!(frames, ["0 frames", "1 frame", "2 frames"]);
    }
}
