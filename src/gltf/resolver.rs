//! Where the files of a document come from.

use super::{ResolveError, ResourceName};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

/// Hands out the files that a document refers to, for example from a folder or an archive.
///
/// Data URIs and buffers inside a GLB never reach it.
pub trait Resolver {
    /// The bytes of a file, at most `limit` of them.
    ///
    /// # Errors
    /// [`ResolveError`]; the loader adds the document's name, the JSON path and the URI.
    fn read(&self, name: &ResourceName, limit: u64) -> Result<Vec<u8>, ResolveError>;
}

/// Hands out nothing: for documents that hold all of their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoFiles;

impl Resolver for NoFiles {
    fn read(&self, _: &ResourceName, _: u64) -> Result<Vec<u8>, ResolveError> {
        Err(ResolveError::Refused {
            reason: "external files are not available here; embed the data or give a resolver that has them"
                .into(),
        })
    }
}

/// Hands out regular files below one folder, and nothing outside it.
///
/// Names are taken relative to the folder, percent-decoded first and then as written. A name that leads out (`..`, an
/// absolute path, a symbolic link) is refused, unless a wider [root](Self::with_root) admits it. Pipes, devices and
/// folders are refused without being opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderResolver {
    folder: PathBuf,
    root: Option<PathBuf>,
}

impl FolderResolver {
    /// Files of `folder` and the folders in it. An empty path is the current folder.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        Self { folder, root: None }
    }

    /// Admits every file below `root`, which should contain the folder.
    #[must_use]
    pub fn with_root(self, root: impl Into<PathBuf>) -> Self {
        Self { root: Some(root.into()), ..self }
    }

    /// The file's path with every link resolved, once it is known to lie inside.
    fn locate(&self, name: &str) -> Result<PathBuf, ResolveError> {
        let relative = Path::new(name);
        let mut depth = 0_i64;
        for component in relative.components() {
            depth += match component {
                Component::Normal(_) => 1,
                Component::CurDir => 0,
                Component::ParentDir => -1,
                Component::RootDir | Component::Prefix(_) => {
                    return Err(ResolveError::Refused {
                        reason: "absolute paths are not read; give a name relative to the document".into(),
                    });
                }
            };
            if depth < 0 && self.root.is_none() {
                return Err(outside());
            }
        }
        let path = self.folder.join(relative).canonicalize()?;
        let root = self.root.as_deref().unwrap_or(&self.folder);
        let root = root.canonicalize().map_err(|error| ResolveError::Refused {
            reason: format!("the root {} cannot be used ({error}); name an existing folder", root.display()),
        })?;
        if path.starts_with(root) { Ok(path) } else { Err(outside()) }
    }
}

impl Resolver for FolderResolver {
    fn read(&self, name: &ResourceName, limit: u64) -> Result<Vec<u8>, ResolveError> {
        for candidate in name.candidates() {
            match self.locate(candidate) {
                Ok(path) => return read_regular(&path, limit),
                Err(ResolveError::Io(error)) if is_absence(error.kind()) => {}
                Err(error) => return Err(error),
            }
        }
        Err(ResolveError::NotFound)
    }
}

/// An escaped slash may also make a folder of what is a file.
fn is_absence(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn outside() -> ResolveError {
    ResolveError::Refused {
        reason: "it leads out of the document's folder; move the file inside, or name a wider root in LoadOptions::root"
            .into(),
    }
}

/// A whole file, if it is a regular one of at most `limit` bytes.
///
/// The kind is asked for before opening, because opening a device may do something, and again of the open file, which no
/// one can exchange any more. Should a pipe take the file's place in between, opening it does not wait for the pipe's
/// other end on Linux, macOS and the BSDs; elsewhere on Unix that could still block.
pub(super) fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, ResolveError> {
    check_regular(&std::fs::metadata(path)?)?;
    let file = open(path)?;
    let found = file.metadata()?;
    check_regular(&found)?;
    if found.len() > limit {
        return Err(ResolveError::TooLarge { limit });
    }
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(found.len()).unwrap_or(usize::MAX))
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    // One byte above the limit tells a file that grew meanwhile from one that just fits.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(ResolveError::TooLarge { limit });
    }
    Ok(bytes)
}

fn check_regular(found: &std::fs::Metadata) -> Result<(), ResolveError> {
    if found.is_file() {
        return Ok(());
    }
    Err(ResolveError::Refused { reason: "not a regular file; give the name of one".into() })
}

/// Opens for reading, without waiting where the platform's number for that is known.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    if let Some(flag) = NONBLOCK {
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flag);
    }
    options.open(path)
}

/// `O_NONBLOCK`, which makes no difference to regular files. The standard library has no name for it. Linux has its own
/// numbers on MIPS and SPARC.
#[cfg(unix)]
const NONBLOCK: Option<i32> = if cfg!(all(
    any(target_os = "linux", target_os = "android"),
    not(any(
        target_arch = "mips",
        target_arch = "mips64",
        target_arch = "mips32r6",
        target_arch = "mips64r6",
        target_arch = "sparc",
        target_arch = "sparc64"
    ))
)) {
    Some(0o4000)
} else if cfg!(any(
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "dragonfly"
)) {
    Some(4)
} else {
    None
};

#[cfg(all(test, any(target_os = "linux", target_vendor = "apple")))]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_that_took_a_files_place_is_opened_without_waiting_and_then_refused() {
        let path = std::env::temp_dir().join(format!("fire-engine-pipe-{}", std::process::id()));
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let opened = open(&path);
        std::fs::remove_file(&path).unwrap();
        let refused = check_regular(&opened.unwrap().metadata().unwrap());
        assert!(matches!(refused, Err(ResolveError::Refused { .. })));
    }
}
