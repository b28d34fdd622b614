//! Which scene of a document.

use super::text::shown;

/// One of a document's scenes. Numbers and texts convert into it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneChoice {
    /// By its position, from 0.
    Index(usize),
    /// By its name; of several with that name the first.
    Name(String),
}

impl From<usize> for SceneChoice {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl From<&str> for SceneChoice {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for SceneChoice {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl std::fmt::Display for SceneChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Index(index) => write!(f, "scene {index}"),
            Self::Name(name) => write!(f, "scene named \"{}\"", shown(name)),
        }
    }
}
