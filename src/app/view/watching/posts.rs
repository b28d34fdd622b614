//! Where the system watches.

use super::notes::{MOST_OTHERS, Notes, lock};
use super::trail::Trail;
use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

/// Where the system is asked to watch.
pub struct Posts {
    /// Dropping it ends the watch.
    watcher: RecommendedWatcher,
    /// Absolute paths, as they were named.
    wanted: BTreeSet<PathBuf>,
    /// What came beside them and counts.
    others: BTreeSet<PathBuf>,
    pub(super) watched: BTreeSet<PathBuf>,
}

impl Posts {
    /// Watches nothing yet.
    pub fn new(watcher: RecommendedWatcher, wanted: BTreeSet<PathBuf>) -> Self {
        Self { watcher, wanted, others: BTreeSet::new(), watched: BTreeSet::new() }
    }

    /// Ends the watch of folders that may be others now: the system watches what had the name before.
    pub fn leave(&mut self, moved: &BTreeSet<PathBuf>) {
        let is_left = |folder: &PathBuf| folder.ancestors().any(|above| moved.contains(above));
        let (left, kept) = std::mem::take(&mut self.watched).into_iter().partition(is_left);
        self.watched = kept;
        self.end(&left);
    }

    fn end(&mut self, folders: &BTreeSet<PathBuf>) {
        for folder in folders {
            // It has ended by itself if the folder is gone.
            let _ = self.watcher.unwatch(folder);
        }
    }

    /// Watches for more files, and for what comes into more folders.
    pub fn want(&mut self, others: BTreeSet<PathBuf>) {
        for other in others.into_iter().take(MOST_OTHERS.saturating_sub(self.others.len())) {
            // Whatever the name is, its folder is watched.
            self.others.extend(other.is_dir().then(|| other.join("*")));
            self.others.insert(other);
        }
    }

    /// Watches what the ways to the files need.
    pub fn take_up(&mut self, notes: &Mutex<Notes>) -> Result<(), notify::Error> {
        // A folder that comes before the one above it is watched is found by looking again; who makes and removes one all
        // the time causes events anyway.
        for _ in 0..8 {
            let trail = Trail::follow(self.wanted.iter().chain(&self.others));
            let (posts, folders) = (trail.posts(), trail.folders());
            {
                let mut notes = lock(notes);
                (notes.trail, notes.folders) = (trail, folders.clone());
            }
            let (kept, left) =
                std::mem::take(&mut self.watched).into_iter().partition(|folder| posts.contains(folder));
            self.watched = kept;
            self.end(&left);
            let new: Vec<PathBuf> = posts.difference(&self.watched).cloned().collect();
            if new.is_empty() {
                break;
            }
            for folder in new {
                match self.watcher.watch(&folder, RecursiveMode::NonRecursive) {
                    Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => continue,
                    Err(error) if folders.contains(&folder) => return Err(error),
                    // As when one may pass through the folder above, but not read it.
                    Ok(()) | Err(_) => _ = self.watched.insert(folder),
                }
            }
        }
        Ok(())
    }
}
