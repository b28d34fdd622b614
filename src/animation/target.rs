//! What a channel can drive.

/// Which property of a node a channel drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TargetPath {
    /// The translation of the local transform.
    Translation,
    /// The rotation of the local transform.
    Rotation,
    /// The scale of the local transform.
    Scale,
    /// The weights of the node's morph targets.
    Weights,
}

impl TargetPath {
    /// How many there are.
    pub(crate) const COUNT: usize = 4;
}

impl std::fmt::Display for TargetPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights => "weights",
        })
    }
}
