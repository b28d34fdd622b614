//! What is heard of changes.

use super::trail::Trail;
use notify::event::ModifyKind;
use notify::{Event, EventKind};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// So many files that the model does not name are remembered, at most.
pub const MOST_OTHERS: usize = 1000;

/// What the system told.
#[derive(Default)]
pub struct Notes {
    /// The ways to the files.
    pub trail: Trail,
    /// The folders of the files.
    pub folders: BTreeSet<PathBuf>,
    /// When a file changed last.
    pub changed: Option<Instant>,
    /// What came or went on the ways to the files, which are to be followed again.
    pub moved: BTreeSet<PathBuf>,
    /// What came or went beside the files.
    pub others: BTreeSet<PathBuf>,
    /// Whether `others` count.
    pub is_wide: bool,
}

impl Notes {
    /// Whether an event says that one of the files may hold something else now. That a file was read does not count.
    pub fn hear(&mut self, event: &Event) -> bool {
        if event.need_rescan() {
            self.moved.extend(self.trail.entries().cloned());
            return true;
        }
        let (is_move, is_write) = match event.kind {
            EventKind::Modify(ModifyKind::Name(_)) => (true, false),
            EventKind::Any | EventKind::Other | EventKind::Create(_) | EventKind::Remove(_) => (true, false),
            EventKind::Modify(_) => (false, true),
            EventKind::Access(_) => (false, false),
        };
        let mut concerns = false;
        for path in &event.paths {
            if is_move && self.trail.passes(path) {
                self.moved.insert(path.clone());
                concerns = true;
            } else if is_write && self.trail.ends_at(path) {
                self.changed = Some(Instant::now());
                concerns = true;
            } else if is_move
                && self.others.len() < MOST_OTHERS
                && path.parent().is_some_and(|folder| self.folders.contains(folder))
            {
                self.others.insert(path.clone());
                concerns |= self.is_wide;
            }
        }
        concerns
    }
}

/// What another thread that panicked left is as good as anything.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
