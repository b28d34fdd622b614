//! Files that are whole or not there at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, Write as _};
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
    /// Begins a file: where a link leads, if it is one. What is there in a folder in which nothing may be made is written to
    /// at once.
    ///
    /// # Errors
    /// What the system says: there is no folder, or no room, or what is there must not be changed.
    pub fn begin(path: &Path) -> io::Result<(File, Self)> {
        Self::begin_by(path, beside)
    }

    /// As [`Self::begin`], with what makes a file in the folder of another.
    fn begin_by(
        path: &Path,
        beside: impl FnOnce(&Path) -> io::Result<(PathBuf, File)>,
    ) -> io::Result<(File, Self)> {
        let mut target = path.to_path_buf();
        match fs::metadata(path) {
            Ok(there) if there.is_file() => {
                // To be replaced it needs no leave of its own, but who takes that away means it.
                OpenOptions::new().append(true).open(path)?;
                target = path.canonicalize()?;
                let (temporary, file) = match beside(&target) {
                    Err(error) if may_make_nothing(error.kind()) => return at_once(path),
                    made => made?,
                };
                let _stays_as_new_files_are = keep_owner(&file, &there);
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
    pub fn done(self) -> io::Result<()> {
        self.done_by(|from, to| fs::rename(from, to))
    }

    /// As [`Self::done`], with what gives a file another name.
    fn done_by(mut self, rename: impl FnOnce(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
        let Some((temporary, target)) = &self.moves else { return Ok(()) };
        let mut pending = pending();
        if let Err(error) = rename(temporary, target) {
            return match error.kind() {
                // A mount, or the file of somebody else in a sticky folder, can be written to and not replaced.
                io::ErrorKind::ResourceBusy
                | io::ErrorKind::PermissionDenied
                | io::ErrorKind::CrossesDevices => write_over(File::open(temporary)?, target, error),
                _ => Err(error),
            };
        }
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
    // What is there may be of somebody else, where the system lets nobody ask to make it.
    let file = OpenOptions::new().write(true).truncate(true).create(path.metadata().is_err()).open(path)?;
    Ok((file, NewFile { moves: None }))
}

/// Whether the reason why a file could not be made is the folder's and not, say, a full disk: only then it is no loss to write
/// over a good file.
fn may_make_nothing(reason: io::ErrorKind) -> bool {
    matches!(reason, io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Gives a new file the owner and the group of the one that it replaces, or the group alone.
#[cfg(unix)]
fn keep_owner(file: &File, there: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    fchown(file, Some(there.uid()), Some(there.gid())).or_else(|_| fchown(file, None, Some(there.gid())))
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _there: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Writes over a file that is there, which is as it was if that fails; `otherwise` is the error if it cannot be written to.
fn write_over(mut from: impl io::Read, to: &Path, otherwise: io::Error) -> io::Result<()> {
    // Neither made, which a sticky folder can forbid, nor emptied first: what has room already needs no more of it.
    let Ok(mut file) = OpenOptions::new().write(true).open(to) else { return Err(otherwise) };
    let old = fs::read(to)?;
    let written = io::copy(&mut from, &mut file).and_then(|bytes| file.set_len(bytes));
    if written.is_err() {
        let _is_as_good_as_can_be =
            file.rewind().and_then(|()| file.write_all(&old)).and_then(|()| file.set_len(old.len() as u64));
    }
    written
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
    use crate::app::test_folder::Folder;

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

    #[test]
    fn a_good_file_is_lost_to_no_full_disk() {
        let folder = Folder::new("full");
        let file = folder.0.join("a.png");
        fs::write(&file, "old").unwrap();
        for full in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded, io::ErrorKind::Other] {
            let begun = NewFile::begin_by(&file, |_| Err(full.into()));
            assert_eq!(begun.unwrap_err().kind(), full);
            assert_eq!(fs::read_to_string(&file).unwrap(), "old", "{full}");
        }
    }

    #[test]
    fn a_file_in_a_folder_where_nothing_may_be_made_is_written_in_place() {
        let folder = Folder::new("closed");
        let file = folder.0.join("a.png");
        for closed in [io::ErrorKind::PermissionDenied, io::ErrorKind::ReadOnlyFilesystem] {
            fs::write(&file, "older").unwrap();
            let (mut out, new) = NewFile::begin_by(&file, |_| Err(closed.into())).unwrap();
            out.write_all(b"new").unwrap();
            new.done().unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "new", "{closed}");
            let absent = folder.0.join("b.png");
            assert_eq!(NewFile::begin_by(&absent, |_| Err(closed.into())).unwrap_err().kind(), closed);
        }
        assert_eq!(folder.names(), ["a.png"]);
    }

    #[test]
    fn what_cannot_be_replaced_is_written_over() {
        let folder = Folder::new("mount");
        let file = folder.0.join("a.png");
        let busy = |_: &Path, _: &Path| Err(io::ErrorKind::ResourceBusy.into());
        for old in ["an older one", "o"] {
            fs::write(&file, old).unwrap();
            write(&file, "new").unwrap().done_by(busy).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "new");
            assert_eq!(folder.names(), ["a.png"]);
        }
        // What cannot be written to either, and what is not there.
        let new = write(&file, "newer").unwrap();
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert_eq!(new.done_by(busy).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        let absent = write(&folder.0.join("b.png"), "new").unwrap();
        assert_eq!(absent.done_by(busy).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(folder.names(), ["a.png"]);
    }

    #[test]
    fn what_is_written_over_comes_back_if_that_fails() {
        use std::io::Read as _;
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
        }
        let folder = Folder::new("over");
        let file = folder.0.join("a.png");
        for old in ["an older one", "o"] {
            fs::write(&file, old).unwrap();
            let half = b"half".chain(Broken);
            let error = write_over(half, &file, io::ErrorKind::ResourceBusy.into()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            assert_eq!(fs::read_to_string(&file).unwrap(), old);
        }
        let full = |_: &Path, _: &Path| Err(io::ErrorKind::StorageFull.into());
        assert!(write(&file, "new").unwrap().done_by(full).is_err());
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), folder.names().len()), ("o", 1));
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_owner_group_and_mode_of_the_old_one() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
        let folder = Folder::new("owner");
        let file = folder.0.join("a.png");
        fs::write(&file, "old").unwrap();
        // Nobody but root can give a file away.
        let _stays_ours = chown(&file, Some(12_345), Some(23_456));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o604)).unwrap();
        let old = fs::metadata(&file).unwrap();
        write(&file, "new").unwrap().done().unwrap();
        let new = fs::metadata(&file).unwrap();
        assert_ne!(new.ino(), old.ino(), "it is replaced");
        assert_eq!((new.uid(), new.gid(), new.mode()), (old.uid(), old.gid(), old.mode()));
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
