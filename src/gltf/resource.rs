//! Bytes that need not be in memory.

use super::ResolveError;
use super::open_file::OpenFile;
use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;

/// The bytes of a file that a [`Resolver`](super::Resolver) hands out: in memory, or still in an open file, of which the
/// loader then reads only what it needs, straight to where it is to lie.
#[derive(Debug)]
pub struct Resource(Inner);

#[derive(Debug)]
enum Inner {
    Memory(Vec<u8>),
    File { file: OpenFile, length: usize },
}

impl From<Vec<u8>> for Resource {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Inner::Memory(bytes))
    }
}

impl Resource {
    /// Files of at most so many bytes are read at once, by fewer calls.
    const SMALL: usize = 64 << 10;

    /// A regular file of at most `limit` bytes.
    pub(super) fn open(path: &Path, limit: u64) -> Result<Self, ResolveError> {
        let file = OpenFile::open(path, limit)?;
        // Some systems say 0 of files that are made up as they are read.
        if file.len() <= Self::SMALL {
            return file.read_all(limit).map(Self::from);
        }
        Ok(Self(Inner::File { length: file.len(), file }))
    }

    pub(super) fn piece(&self) -> Piece<'_> {
        match &self.0 {
            Inner::Memory(bytes) => Piece::Memory(bytes),
            Inner::File { file, length } => Piece::File { file, start: 0, length: *length },
        }
    }

    /// Forgets what lies behind so many bytes.
    pub(super) fn truncate(&mut self, longest: usize) {
        match &mut self.0 {
            Inner::Memory(bytes) => {
                bytes.truncate(longest);
                bytes.shrink_to_fit();
            }
            Inner::File { length, .. } => *length = longest.min(*length),
        }
    }
}

/// A range of bytes that lie in memory or in an open file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece<'a> {
    Memory(&'a [u8]),
    /// The range was in the file when that was opened.
    File {
        file: &'a OpenFile,
        start: u64,
        length: usize,
    },
}

impl<'a> Piece<'a> {
    pub fn len(self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File { length, .. } => length,
        }
    }

    pub fn is_in_file(self) -> bool {
        matches!(self, Self::File { .. })
    }

    /// A range of it, if it reaches that far.
    pub fn get(self, range: Range<usize>) -> Option<Self> {
        match self {
            Self::Memory(bytes) => bytes.get(range).map(Self::Memory),
            Self::File { file, start, length } => (range.start <= range.end && range.end <= length)
                .then(|| Self::File { file, start: start + range.start as u64, length: range.len() }),
        }
    }

    /// Copies it; `out` is as long.
    pub fn copy_to(self, out: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Memory(bytes) => out.copy_from_slice(bytes),
            Self::File { file, start, .. } => file.read_into(start, out)?,
        }
        Ok(())
    }

    /// Its bytes, from the file if they are not in memory.
    pub fn bytes(self) -> io::Result<Cow<'a, [u8]>> {
        match self {
            Self::Memory(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::File { file, start, length } => file.read(start, length).map(Cow::Owned),
        }
    }
}
