//! What a channel can drive.

/// Which property of a node a channel drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TargetPath {
    /// The rotation of the local transform.
    Rotation,
}

impl std::fmt::Display for TargetPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Rotation => "rotation",
        })
    }
}
