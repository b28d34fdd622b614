//! A place for what tests write.

use std::fs;
use std::path::PathBuf;

/// An empty folder of its own, removed when dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    /// Makes it, under a name that no other test has.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fire-engine-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// What is in it, in order.
    pub fn names(&self) -> Vec<String> {
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
