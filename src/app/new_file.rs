//! Files that are whole or not there at all.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tells files of one process apart.
static MADE: AtomicU32 = AtomicU32::new(0);

/// The files that are being written.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deletes every file that is not whole, for a program that ends now: none begins or is done while the result lives.
#[cfg(all(feature = "cli", unix))]
pub fn give_up() -> impl Sized {
    let mut pending = pending();
    for temporary in pending.drain(..) {
        let _stays = fs::remove_file(temporary);
    }
    pending
}

/// A file that is being written, beside the one that it becomes: until then what was there stays as it is, whatever ends the
/// program. Dropped before, it leaves nothing.
#[derive(Debug)]
pub struct NewFile {
    /// Where it is, and what it becomes. `None` of what takes all that it is given at once: a pipe or a device.
    moves: Option<(PathBuf, PathBuf)>,
}

impl NewFile {
    /// Begins a file: where a link leads, if it is one.
    ///
    /// # Errors
    /// What the system says: there is no folder, or what is there must not be changed.
    pub fn begin(path: &Path) -> io::Result<(File, Self)> {
        let mut target = path.to_path_buf();
        match fs::metadata(path) {
            Ok(there) if there.is_file() => {
                // To be replaced it needs no leave of its own, but who takes that away means it.
                OpenOptions::new().append(true).open(path)?;
                target = path.canonicalize()?;
                let Ok((temporary, file)) = beside(&target) else { return at_once(path) };
                let _stays_as_new_files_are = fs::set_permissions(&temporary, there.permissions());
                Ok((file, Self { moves: Some((temporary, target)) }))
            }
            Ok(_) => at_once(path),
            // A link to what is not there makes it.
            Err(_) if path.symlink_metadata().is_ok() => at_once(path),
            Err(_) => {
                let (temporary, file) = beside(&target)?;
                Ok((file, Self { moves: Some((temporary, target)) }))
            }
        }
    }

    /// Puts it where it belongs. Everything is written, and the file closed.
    ///
    /// # Errors
    /// What the system says; then it is gone.
    pub fn done(mut self) -> io::Result<()> {
        let Some((temporary, target)) = &self.moves else { return Ok(()) };
        let mut pending = pending();
        fs::rename(temporary, target)?;
        pending.retain(|other| other != temporary);
        drop(pending);
        self.moves = None;
        Ok(())
    }
}

impl Drop for NewFile {
    /// Half a file is worse than none.
    fn drop(&mut self) {
        if let Some((temporary, _)) = self.moves.take() {
            let mut pending = pending();
            let _stays = fs::remove_file(&temporary);
            pending.retain(|other| *other != temporary);
        }
    }
}

fn at_once(path: &Path) -> io::Result<(File, NewFile)> {
    Ok((File::create(path)?, NewFile { moves: None }))
}

/// A file of a name that nothing has, in the folder of another.
fn beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let mut pending = pending();
    loop {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let temporary = target.with_file_name(format!(".fire-engine-{}-{number}.part", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            // Left by a process of the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                pending.push(temporary.clone());
                return Ok((temporary, file));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    /// An empty folder, removed when dropped.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("fire-engine-{}-new-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _is_gone = fs::remove_dir_all(&self.0);
        }
    }

    fn write(path: &Path, text: &str) -> io::Result<NewFile> {
        let (mut file, new) = NewFile::begin(path)?;
        file.write_all(text.as_bytes())?;
        Ok(new)
    }

    #[test]
    fn what_was_there_stays_until_the_new_file_is_whole() {
        let folder = Folder::new("old");
        let file = folder.0.join("a.png");
        fs::write(&file, "old").unwrap();
        let new = write(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        new.done().unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(folder.names(), ["a.png"]);
    }

    /// A model may be read from it.
    #[test]
    fn another_name_of_the_old_file_keeps_what_it_has() {
        let folder = Folder::new("hard");
        let (file, other) = (folder.0.join("a.png"), folder.0.join("b.png"));
        fs::write(&file, "old").unwrap();
        fs::hard_link(&file, &other).unwrap();
        write(&file, "new").unwrap().done().unwrap();
        assert_eq!([file, other].map(|file| fs::read_to_string(file).unwrap()), ["new", "old"]);
    }

    #[test]
    fn a_file_that_is_given_up_leaves_nothing() {
        let folder = Folder::new("dropped");
        drop(write(&folder.0.join("a.png"), "half").unwrap());
        assert!(folder.names().is_empty(), "{:?}", folder.names());
        assert!(NewFile::begin(&folder.0.join("no/a.png")).is_err());
        assert!(NewFile::begin(&folder.0).is_err(), "a folder");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_are_written_to() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = Folder::new("links");
        fs::write(folder.0.join("real"), "old").unwrap();
        fs::set_permissions(folder.0.join("real"), fs::Permissions::from_mode(0o640)).unwrap();
        for (target, link) in [("real", "link.png"), ("later", "dangling.png"), ("/dev/null", "null.png")] {
            symlink(target, folder.0.join(link)).unwrap();
            write(&folder.0.join(link), "new").unwrap().done().unwrap();
            assert_eq!(fs::read_link(folder.0.join(link)).unwrap(), Path::new(target));
        }
        for written in ["real", "later"] {
            assert_eq!(fs::read_to_string(folder.0.join(written)).unwrap(), "new", "{written}");
        }
        assert_eq!(fs::metadata(folder.0.join("real")).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(folder.names(), ["dangling.png", "later", "link.png", "null.png", "real"]);
    }
}
