//! Texts from files, made fit for messages.

/// A name or URI as it stands between quotes: quotes and control characters escaped, and cut where it grows long.
pub(super) fn shown(name: &str) -> String {
    const LONGEST: usize = 120;
    let mut text: String = name.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if name.chars().nth(LONGEST).is_some() {
        text.push_str("...");
    }
    text
}

/// A text that is made when it is shown, and so mostly never.
#[derive(Clone, Copy)]
pub(super) struct Lazy<F>(pub F);

impl<F: Fn() -> String> std::fmt::Display for Lazy<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&(self.0)())
    }
}

/// A whole message or path with parts from a file: one line, and of bounded length, with its end kept, which says what
/// to do.
pub(super) fn plain(message: impl std::fmt::Display) -> String {
    const HEAD: usize = 600;
    const TAIL: usize = 200;
    let message = message.to_string();
    let length = message.chars().count();
    let cut = length.saturating_sub(HEAD + TAIL);
    let mut text = String::with_capacity(message.len().min(4 * (HEAD + TAIL)));
    for (position, character) in message.chars().enumerate() {
        if cut > 0 && position == HEAD {
            text.push_str("...");
        }
        match character {
            _ if cut > 0 && (HEAD..HEAD + cut).contains(&position) => {}
            // Quotes and backslashes are part of the message, or escaped already.
            '"' | '\'' | '\\' => text.push(character),
            _ => text.extend(character.escape_debug()),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_lengths_are_bounded() {
        assert_eq!(shown("a\n\u{1b}\"\u{202e}"), "a\\n\\u{1b}\\\"\\u{202e}");
        assert_eq!(plain("a \"b\" \\n\n\u{1b}é"), "a \"b\" \\n\\n\\u{1b}é");
        assert_eq!(shown(&"x".repeat(1_000_000)).len(), 123);
        let long = plain(format!("head{}tail", "é".repeat(1_000_000)));
        assert_eq!(long.chars().count(), 803);
        assert!(long.starts_with("head") && long.ends_with("tail"), "{long}");
        assert_eq!(plain("x".repeat(800)), "x".repeat(800));
    }
}
