//! Why a file of a document cannot be had.

/// Why a file was not handed out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// There is no such file.
    #[error("no such file; put it beside the document or correct the name")]
    NotFound,
    /// The name is not one that may be read.
    #[error("refused: {reason}")]
    Refused {
        /// Why, and what to write instead.
        reason: String,
    },
    /// The file is longer than allowed.
    #[error(
        "the file is longer than the limit of {limit} bytes; raise LoadLimits::file_bytes if it is to be trusted"
    )]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The operating system, or a resolver's own source, reported a failure.
    #[error("{0}; check that the file exists and may be read")]
    Io(std::io::Error),
}

// By hand, because `#[from]` would also make the error a source, and printed chains would say it twice.
impl From<std::io::Error> for ResolveError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
