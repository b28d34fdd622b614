//! Lines of text with lists that are cut.

use std::fmt::{Display, Write as _};

/// So many entries of a list are shown unless everything is asked for.
const SHOWN: usize = 40;

/// Text under construction.
#[derive(Debug, Default)]
pub struct Lines {
    text: String,
    full: bool,
}

impl Lines {
    /// `full`: no list is cut.
    pub fn new(full: bool) -> Self {
        Self { text: String::new(), full }
    }

    /// One line.
    pub fn add(&mut self, line: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// A title above entries, the title alone if there are none, or as many entries as are shown and the number of the rest.
    pub fn list<T>(&mut self, title: impl Display, entries: &[T], mut entry: impl FnMut(&mut Self, &T)) {
        self.add("");
        if entries.is_empty() {
            self.add(format_args!("{title}: none"));
            return;
        }
        self.add(format_args!("{title}:"));
        let shown = self.shown(entries.len(), SHOWN);
        entries[..shown].iter().for_each(|item| entry(self, item));
        self.rest("  ", entries.len() - shown);
    }

    /// How many of so many are shown.
    pub fn shown(&self, count: usize, most: usize) -> usize {
        // A line that says that one line is missing could have been that line.
        if self.full || count <= most + 1 { count } else { most }
    }

    /// Says how many entries are not shown.
    pub fn rest(&mut self, indent: &str, count: usize) {
        if count > 0 {
            self.add(format_args!("{indent}... {count} more; --full shows all"));
        }
    }

    /// All of it, without a line break at the end.
    pub fn text(self) -> String {
        self.text.trim_end().to_owned()
    }
}

/// Bytes in the unit that fits.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    let (mut value, mut unit) = (count as f64, None);
    for name in UNITS {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, Some(name));
    }
    match unit {
        Some(unit) => format!("{value:.1} {unit}"),
        None => format!("{count} B"),
    }
}

/// What is known by a number and perhaps by a name: `3 "Wheel"`. The name's control characters are escaped, and it is cut
/// where it grows long.
pub fn label(index: usize, name: &str) -> String {
    const LONGEST: usize = 80;
    if name.is_empty() {
        return index.to_string();
    }
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{index} {:?}...", &name[..end]),
        None => format!("{index} {name:?}"),
    }
}

/// Numbers in parentheses.
pub fn vector(numbers: &[f32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(f32::to_string).collect();
    format!("({})", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_unit_that_fits() {
        assert_eq!(
            [0, 1023, 1024, 1536, 1 << 20].map(bytes),
            ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "1.0 MiB"]
        );
        assert_eq!(bytes(u64::MAX), "16384.0 PiB");
    }

    #[test]
    fn names_cannot_order_a_terminal_about() {
        assert_eq!(label(1, ""), "1");
        assert_eq!(label(2, "a\u{1b}[31m\n\u{9b}\u{202e}\""), "2 \"a\\u{1b}[31m\\n\\u{9b}\\u{202e}\\\"\"");
        assert_eq!(label(3, &"é".repeat(1000)), format!("3 \"{}\"...", "é".repeat(80)));
    }

    #[test]
    fn long_lists_are_cut_with_a_count_unless_all_is_asked_for() {
        let listed = |full, count: usize| {
            let mut lines = Lines::new(full);
            lines.list("Things", &vec![(); count], |lines, ()| lines.add("  thing"));
            lines.text()
        };
        assert_eq!(listed(false, 0), "\nThings: none");
        assert_eq!(listed(false, 41).lines().count(), 43);
        let cut = listed(false, 42);
        assert_eq!((cut.lines().count(), cut.lines().last()), (43, Some("  ... 2 more; --full shows all")));
        assert_eq!(listed(true, 1000).lines().count(), 1002);
    }
}
