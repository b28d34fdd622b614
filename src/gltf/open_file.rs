//! Files of the file system: only regular ones, read at any place.

use super::ResolveError;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::Path;

/// A regular file, open for reading. What it is called by now, or whether it is still there, makes no difference.
#[derive(Debug)]
pub(super) struct OpenFile {
    file: File,
    /// When it was opened.
    length: usize,
    /// Where a read takes two calls, one of them to say where, it has to wait for others of that kind.
    turn: std::sync::Mutex<()>,
}

impl OpenFile {
    /// Opens a file, if it is a regular one of at most `limit` bytes.
    ///
    /// The kind is asked for before opening, because opening a device may do something, and again of the open file, which
    /// no one can exchange any more. Should a pipe take the file's place in between, opening it does not wait for the
    /// pipe's other end on Linux, macOS and the BSDs; elsewhere on Unix that could still block.
    pub fn open(path: &Path, limit: u64) -> Result<Self, ResolveError> {
        check_regular(&std::fs::metadata(path)?)?;
        let file = open(path)?;
        let found = file.metadata()?;
        check_regular(&found)?;
        if found.len() > limit {
            return Err(ResolveError::TooLarge { limit });
        }
        let length =
            usize::try_from(found.len()).map_err(|_| io::ErrorKind::OutOfMemory).map_err(io::Error::from)?;
        Ok(Self { file, length, turn: std::sync::Mutex::default() })
    }

    /// Bytes that it had when it was opened.
    pub fn len(&self) -> usize {
        self.length
    }

    /// All of it, at most `limit` bytes.
    pub fn read_all(self, limit: u64) -> Result<Vec<u8>, ResolveError> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(self.length).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        // One byte above the limit tells a file that grew meanwhile from one that just fits.
        self.file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(ResolveError::TooLarge { limit });
        }
        Ok(bytes)
    }

    /// Fills `out` with the bytes from `start` on. Several threads may do so at once.
    pub fn read_into(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.read_exact_at(start, out).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => shortened(),
            _ => error,
        })
    }

    /// So many bytes from `start` on, without zeros being written to their memory first.
    pub fn read(&self, start: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let _turn = self.turn.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file = &self.file;
        file.seek(io::SeekFrom::Start(start))?;
        file.take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() == length { Ok(bytes) } else { Err(shortened()) }
    }

    #[cfg(unix)]
    fn read_exact_at(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, out, start)
    }

    #[cfg(not(unix))]
    fn read_exact_at(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        let _turn = self.turn.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file = &self.file;
        file.seek(io::SeekFrom::Start(start))?;
        file.read_exact(out)
    }
}

fn shortened() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter while it was read")
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
