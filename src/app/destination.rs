//! Whether files can be written, asked before anything expensive begins.

use super::error::AppError;
use super::output::printable;
use std::fs::{self, OpenOptions};
use std::path::Path;

/// Where a file is, or would be: one for all names that lead there.
#[cfg(feature = "cli")]
pub fn location(path: &Path) -> std::path::PathBuf {
    let there = path.canonicalize().ok();
    let to_be = || Some(parent(path).canonicalize().ok()?.join(path.file_name()?));
    there.or_else(to_be).unwrap_or_else(|| path.to_owned())
}

/// The folder that a file is in.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that a file can be written by opening it. What it holds stays, and no file is left that was not there.
///
/// # Errors
/// [`AppError::Unwritable`] names the file and what to do.
pub fn check_file(path: &Path) -> Result<(), AppError> {
    let refused = |reason: String, remedy: &'static str| {
        Err(AppError::Unwritable { file: printable(&path.to_string_lossy()), reason, remedy })
    };
    let parent = parent(path);
    if path.is_dir() {
        return refused("it is a folder".to_owned(), "name a file in it");
    }
    if !parent.exists() {
        return refused(
            format!("there is no folder {}", printable(&parent.to_string_lossy())),
            "create the folder or name another",
        );
    }
    if !parent.is_dir() {
        return refused(format!("{} is not a folder", printable(&parent.to_string_lossy())), "name another");
    }
    let was_there = path.symlink_metadata().is_ok();
    if was_there && !path.is_file() {
        // Opening a pipe has consequences.
        return Ok(());
    }
    // In a sticky folder nobody may as much as ask to make what is there and of somebody else.
    if let Err(error) = OpenOptions::new().append(true).create(!was_there).open(path) {
        return refused(error.to_string(), "make it writable or name another");
    }
    if !was_there {
        let _an_empty_file_is_harmless = fs::remove_file(path);
    }
    Ok(())
}

/// Checks that `file` can be written in a folder, by making that folder with everything above it. What was not there is
/// taken away again.
///
/// # Errors
/// [`AppError::Unwritable`] names the folder or the file and what to do.
pub fn check_folder(path: &Path, file: &str) -> Result<(), AppError> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let made: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    let checked = match make_folder(path) {
        Ok(()) => check_file(&path.join(file)),
        Err(error) => Err(error),
    };
    for folder in made {
        let _an_empty_folder_is_harmless = fs::remove_dir(folder);
    }
    checked
}

/// Makes a folder with everything above it, unless it is there.
///
/// # Errors
/// [`AppError::Unwritable`] names the folder and what to do.
pub fn make_folder(path: &Path) -> Result<(), AppError> {
    fs::create_dir_all(path).map_err(|error| AppError::Unwritable {
        file: printable(&path.to_string_lossy()),
        reason: format!("no folder can be made there ({error})"),
        remedy: "name another",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::Folder;

    #[test]
    fn a_check_leaves_nothing_behind() {
        let folder = Folder::new("nothing");
        check_file(&folder.0.join("new.png")).unwrap();
        check_folder(&folder.0.join("a/b"), "new.png").unwrap();
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }

    #[test]
    fn what_is_there_stays_as_it_is() {
        let folder = Folder::new("stays");
        fs::write(folder.0.join("old.png"), "old").unwrap();
        check_file(&folder.0.join("old.png")).unwrap();
        check_folder(&folder.0, "old.png").unwrap();
        assert_eq!(folder.names(), ["old.png"]);
        assert_eq!(fs::read_to_string(folder.0.join("old.png")).unwrap(), "old");
    }

    #[test]
    fn what_is_in_the_way_is_named_with_a_remedy() {
        let folder = Folder::new("way");
        let file = folder.0.join("file");
        fs::write(&file, "").unwrap();
        let unwritable = [
            (check_file(&folder.0), "it is a folder", "; name a file in it"),
            (
                check_file(&folder.0.join("no/such.png")),
                "there is no folder ",
                "; create the folder or name another",
            ),
            (check_file(&file.join("such.png")), " is not a folder", "; name another"),
            (check_folder(&file, "such.png"), "no folder can be made there", "; name another"),
            (check_folder(&file.join("a/b"), "such.png"), "no folder can be made there", "; name another"),
        ];
        for (result, reason, remedy) in unwritable {
            let message = result.unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
            assert!(message.contains(&*folder.0.to_string_lossy()), "{message}");
            assert!(message.ends_with(remedy), "{message}");
        }
        assert_eq!(folder.names(), ["file"]);
    }
}
