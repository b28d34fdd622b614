//! The facts for programs.

use crate::app::output::is_order;
use serde::Serialize;
use std::fmt::Write as _;

/// One JSON object, indented. What a terminal could take for an order is escaped: JSON itself asks that only of the
/// characters below U+0020.
///
/// # Errors
/// As the serializer: never for facts, whose keys are texts.
pub fn object(facts: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(without_orders(&serde_json::to_string_pretty(facts)?))
}

/// Outside of its strings JSON is ASCII, and so is what is escaped in them already.
fn without_orders(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if character != '\n' && is_order(character) {
            // Writing to a String cannot fail. All of them have four digits.
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_to_a_terminal_are_escaped_and_read_back_as_they_were() {
        let name = "a\u{1b}[31m\u{7f}\u{9b}2J\u{202e}\n\u{2066}é😀\"\\";
        let json = object(&[name]).unwrap();
        assert!(json.chars().all(|character| character == '\n' || !is_order(character)), "{json:?}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), [name]);
    }
}
