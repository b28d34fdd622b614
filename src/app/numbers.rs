//! Which pictures of a long sequence may meet a file that is there, without asking for each.

use super::error::AppError;
use super::output::printable;
use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

/// Digits that a picture's number has at least.
const DIGITS: usize = 4;

/// Most digits of a number.
const MOST_DIGITS: usize = 20;

/// The numbers that pictures can have whose names are those of files or folders in `folder`, whatever stands around them; and
/// perhaps more. A folder that is not there has none.
///
/// # Errors
/// [`AppError::Unwritable`]: what is in the folder cannot be known, and so not what would be written over.
pub fn in_folder(folder: &Path) -> Result<BTreeSet<u64>, AppError> {
    let unknown = |error: io::Error| AppError::Unwritable {
        file: printable(&folder.to_string_lossy()),
        reason: format!("what is there, and must not be written over, cannot be listed ({error})"),
        remedy: "let the folder be read, or name another",
    };
    let mut numbers = BTreeSet::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(numbers),
        entries => entries.map_err(unknown)?,
    };
    for entry in entries {
        add(&entry.map_err(unknown)?.file_name().to_string_lossy(), &mut numbers);
    }
    Ok(numbers)
}

/// Adds the numbers that a picture of that name can have. Digits beside a number are not told from its own.
pub fn add(name: &str, numbers: &mut BTreeSet<u64>) {
    for digits in name.split(|letter: char| !letter.is_ascii_digit()) {
        for start in 0..digits.len() {
            let longest = MOST_DIGITS.min(digits.len() - start);
            for digits in (DIGITS..=longest).map(|length| &digits[start..start + length]) {
                // Nothing stands before a number but what it needs to have its digits.
                if digits.len() == DIGITS || !digits.starts_with('0') {
                    numbers.extend(digits.parse::<u64>());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(name: &str) -> Vec<u64> {
        let mut numbers = BTreeSet::new();
        add(name, &mut numbers);
        numbers.into_iter().collect()
    }

    #[test]
    fn every_number_that_a_name_can_stand_for_is_found() {
        assert_eq!(numbers("frame_0012.png"), [12]);
        assert_eq!(numbers("f00000.png"), [0], "with a 0 before or behind");
        assert_eq!(numbers("12345"), [1234, 2345, 12345]);
        assert_eq!(numbers("0123-4567"), [123, 4567]);
        assert_eq!(numbers("18446744073709551615").last(), Some(&u64::MAX));
        for number in [0, 7, 9_999, 10_000, 999_999, u64::MAX] {
            for name in [format!("{number:04}"), format!("a1{number:04}0b"), format!("7{number:04}")] {
                assert!(numbers(&name).contains(&number), "{number} in {name}");
            }
        }
        for nothing in ["", "a.png", "123.png", "\u{661}\u{661}\u{661}\u{661}"] {
            assert!(numbers(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_has_none() {
        assert!(in_folder(Path::new("no/such")).unwrap().is_empty());
        assert!(in_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap().is_empty());
    }

    #[test]
    fn what_cannot_be_listed_is_not_taken_to_be_empty() {
        // A folder without leave to read it ends the same way, but not for root.
        let error = in_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap_err();
        assert!(error.is_usage() && error.to_string().contains("cannot be listed"), "{error}");
    }
}
