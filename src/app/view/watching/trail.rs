//! The names on a file system that decide what a path leads to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// As many links as Linux follows in one path.
const MOST_LINKS: usize = 40;

/// How many of the folders above one are watched. Linux tells of each alone; elsewhere, a watch of the root is one of all files.
const ABOVE: usize = if cfg!(target_os = "linux") { usize::MAX - 1 } else { 1 };

/// The way to files, through folders and symbolic links. No path in it has a link or a `..` among its folders, so that each
/// entry has one name.
#[derive(Default)]
pub struct Trail {
    /// Every folder, link and file on the way, and where a link points.
    entries: BTreeMap<PathBuf, Option<PathBuf>>,
    /// Where the ways end, whether something is there or not.
    files: BTreeSet<PathBuf>,
}

impl Trail {
    /// Follows absolute paths.
    pub fn follow<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        let mut trail = Self::default();
        for path in paths {
            let end = trail.end(path);
            trail.files.insert(end);
        }
        trail
    }

    fn end(&mut self, path: &Path) -> PathBuf {
        let (mut at, mut rest, mut links) = (PathBuf::new(), path.to_path_buf(), 0);
        'links: loop {
            let mut parts = rest.components();
            while let Some(part) = parts.next() {
                match part {
                    Component::Prefix(_) | Component::RootDir => at.push(part),
                    Component::CurDir => {}
                    Component::ParentDir => _ = at.pop(),
                    Component::Normal(name) => {
                        at.push(name);
                        let link = self.entries.entry(at.clone()).or_insert_with(|| at.read_link().ok());
                        if let Some(target) = link.as_ref().filter(|_| links < MOST_LINKS) {
                            links += 1;
                            at.pop();
                            let further = target.join(parts.as_path());
                            rest = further;
                            continue 'links;
                        }
                    }
                }
            }
            return at;
        }
    }

    /// Whether a folder, a link or a file is on the way.
    pub fn passes(&self, path: &Path) -> bool {
        self.entries.contains_key(path)
    }

    /// All that is on the way.
    pub fn entries(&self) -> impl Iterator<Item = &PathBuf> {
        self.entries.keys()
    }

    /// Whether a file is an end of the way.
    pub fn ends_at(&self, path: &Path) -> bool {
        self.files.contains(path)
    }

    /// The folders of the files.
    pub fn folders(&self) -> BTreeSet<PathBuf> {
        self.files.iter().filter_map(|file| file.parent()).map(Path::to_path_buf).collect()
    }

    /// The folders to watch, to see when files, links to them or their folders are replaced: for each the nearest folder that
    /// exists and those above it.
    pub fn posts(&self) -> BTreeSet<PathBuf> {
        let links =
            self.entries.iter().filter(|(_, target)| target.is_some()).filter_map(|(link, _)| link.parent());
        let mut folders = self.folders();
        folders.extend(links.map(Path::to_path_buf));
        let nearest = |folder: &PathBuf| {
            let above = folder.ancestors().filter(|above| above.is_dir()).take(1 + ABOVE);
            above.map(Path::to_path_buf).collect::<Vec<_>>()
        };
        folders.iter().flat_map(nearest).collect()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_in_a_circle_and_paths_that_lead_above_the_root_end() {
        let folder = std::env::temp_dir().join(format!("fire-engine-trail-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let folder = std::fs::canonicalize(folder).unwrap();
        symlink("b", folder.join("a")).unwrap();
        symlink("a/deeper", folder.join("b")).unwrap();
        symlink(".", folder.join("self")).unwrap();
        let paths = [
            folder.join("a"),
            folder.join("self/self/self/file"),
            PathBuf::from("/../../x"),
            PathBuf::from("/"),
        ];
        let trail = Trail::follow(&paths);
        assert!(trail.passes(&folder.join("a")) && trail.passes(&folder.join("b")));
        assert!(trail.ends_at(&folder.join("file")) && !trail.ends_at(&folder.join("self")));
        assert!(trail.ends_at(Path::new("/x")));
        assert!(trail.posts().contains(&folder));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
