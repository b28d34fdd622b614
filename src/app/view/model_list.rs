//! The models that can be looked at.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Files in the order in which they came, each once, whatever names it was given.
#[derive(Debug, Default)]
pub struct ModelList {
    paths: Vec<PathBuf>,
    /// By absolute name.
    places: HashMap<PathBuf, usize>,
}

impl ModelList {
    /// Puts a file at the end unless it is there already; returns the name by which it is on the list.
    pub fn add(&mut self, path: &Path) -> &PathBuf {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let place = *self.places.entry(absolute).or_insert_with(|| {
            self.paths.push(path.to_path_buf());
            self.paths.len() - 1
        });
        &self.paths[place]
    }

    /// All of them.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_is_listed_once_by_the_name_that_came_first() {
        let mut list = ModelList::default();
        let here = std::env::current_dir().unwrap();
        for (name, listed) in [
            ("a.glb".into(), "a.glb"),
            (here.join("a.glb"), "a.glb"),
            ("./a.glb".into(), "a.glb"),
            ("b/a.glb".into(), "b/a.glb"),
            (PathBuf::new(), ""),
            (PathBuf::new(), ""),
        ] {
            assert_eq!(list.add(&name), Path::new(listed), "{name:?}");
        }
        assert_eq!(list.paths(), ["a.glb", "b/a.glb", ""].map(PathBuf::from));
    }
}
