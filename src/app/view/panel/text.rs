//! Names from files, and numbers, as the panel writes them.

use crate::app::output::printable;

/// So many characters of a name are shown.
const LONGEST: usize = 120;

/// So many characters of a message are shown.
const LONGEST_MESSAGE: usize = 4000;

/// A name from a file: one line, nothing in it takes effect, not too long.
pub fn name(text: &str) -> String {
    cut(text, LONGEST)
}

/// As [`name`], with room for sentences.
pub fn message(text: &str) -> String {
    cut(text, LONGEST_MESSAGE)
}

fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => printable(&text[..end]) + "\u{2026}",
        None => printable(text),
    }
}

/// What is known by a number and perhaps by a name: `3 Wheel`.
pub fn numbered(index: usize, name: &str) -> String {
    if name.is_empty() { index.to_string() } else { format!("{index}  {}", self::name(name)) }
}

/// A number of whole things, with commas between thousands.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 clip`, `2 clips`.
pub fn counted(number: usize, what: &str) -> String {
    format!("{} {what}{}", count(number as u64), if number == 1 { "" } else { "s" })
}

/// A number of which only so much is of interest; very large and very small ones by their powers of ten.
pub fn number(value: f32) -> String {
    let size = value.abs();
    // No minus before a zero.
    let value = value + 0.0;
    if size >= 1e6 || size < 5e-4 && size > 0.0 { format!("{value:.3e}") } else { format!("{value:.3}") }
}

/// Numbers with spaces between, in columns.
pub fn vector(numbers: &[f32]) -> String {
    numbers.iter().map(|value| format!("{:>6}", number(*value))).collect::<Vec<_>>().join(" ")
}

/// Numbers with spaces between.
pub fn numbers(numbers: &[f32]) -> String {
    numbers.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ")
}

/// `1.25 / 3.40 s`; as wide at every time of one clip.
pub fn time(now: f64, duration: f64) -> String {
    let duration = format!("{duration:.2}");
    format!("{now:>width$.2} / {duration} s", width = duration.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_short_line() {
        assert_eq!(name("a\nb\u{1b}[2J\u{202e}"), "a\\nb\\u{1b}[2J\\u{202e}");
        assert_eq!(name(&"é".repeat(5000)), "é".repeat(LONGEST) + "…");
        assert_eq!((numbered(3, ""), numbered(3, "Wheel")), ("3".to_owned(), "3  Wheel".to_owned()));
    }

    #[test]
    fn numbers_can_be_read() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 2000].map(|n| counted(n, "clip")), ["1 clip", "2,000 clips"]);
        let written = [0.0, -0.0, 0.5, -1234.5, 1e7, 1e-5, f32::NAN, f32::INFINITY].map(number);
        assert_eq!(written, ["0.000", "0.000", "0.500", "-1234.500", "1.000e7", "1.000e-5", "NaN", "inf"]);
    }

    #[test]
    fn the_time_keeps_its_width() {
        assert_eq!(time(1.25, 3.4), "1.25 / 3.40 s");
        assert_eq!((time(9.0, 12.0), time(11.0, 12.0)), (" 9.00 / 12.00 s".into(), "11.00 / 12.00 s".into()));
        assert_eq!(time(0.0, 0.0), "0.00 / 0.00 s");
    }
}
