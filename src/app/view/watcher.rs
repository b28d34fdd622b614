//! Telling when a model's files change.

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Programs write a file in several steps, and several files one after the other: it is quiet for so long when they are done.
const QUIET: Duration = Duration::from_millis(200);

/// Watches the files of one model.
pub struct Watcher {
    /// Dropping it ends the watch.
    _watcher: RecommendedWatcher,
    changed: Arc<Mutex<Option<Instant>>>,
}

impl Watcher {
    /// Watches a document and the files that it refers to, by names relative to its folder. `wake` is called when one of them
    /// changes, from another thread.
    ///
    /// The folders are watched, not the files, so that a file which is replaced, or comes only later, counts too.
    ///
    /// # Errors
    /// What the system says if it cannot watch.
    pub fn start(
        document: &Path,
        resources: &[String],
        wake: impl Fn() + Send + 'static,
    ) -> Result<Self, notify::Error> {
        let document = std::path::absolute(document).map_err(notify::Error::io)?;
        let folder = document.parent().unwrap_or(Path::new("/"));
        let files: BTreeSet<PathBuf> =
            std::iter::once(document.clone()).chain(resources.iter().map(|name| folder.join(name))).collect();
        let folders: BTreeSet<PathBuf> =
            files.iter().filter_map(|file| file.parent()).map(Path::to_path_buf).collect();
        let changed = Arc::new(Mutex::new(None));
        let noted = Arc::clone(&changed);
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| concerns(&event, &files)) {
                *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
                wake();
            }
        })?;
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            watcher.watch(folder, RecursiveMode::NonRecursive)?;
        }
        Ok(Self { _watcher: watcher, changed })
    }

    /// Does not forget a change that `old` noticed, when the model's files were named anew.
    pub fn take_over(&self, old: &Self) {
        let noticed = *old.changed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        *changed = (*changed).max(noticed);
    }

    /// Whether files changed and are quiet since; asked again only after the next change. While they are not yet quiet, when
    /// to ask.
    pub fn take(&self, now: Instant) -> (bool, Option<Instant>) {
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        match *changed {
            None => (false, None),
            Some(at) if now < at + QUIET => (false, Some(at + QUIET)),
            Some(_) => {
                *changed = None;
                (true, None)
            }
        }
    }
}

/// Whether an event says that one of the files may hold something else now. That a file was read does not count.
fn concerns(event: &Event, files: &BTreeSet<PathBuf>) -> bool {
    let is_change =
        matches!(event.kind, EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Other)
            || event.need_rescan();
    is_change && (event.need_rescan() || event.paths.iter().any(|path| files.contains(path)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{AccessKind, CreateKind, ModifyKind, RemoveKind};
    use std::sync::mpsc::{Receiver, sync_channel};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("fire-engine-watch-{}-{name}", std::process::id()));
        std::fs::create_dir_all(folder.join("textures")).unwrap();
        folder
    }

    fn watched(folder: &Path) -> (Watcher, Receiver<()>) {
        std::fs::write(folder.join("model.gltf"), "{}").unwrap();
        watched_again(folder)
    }

    fn watched_again(folder: &Path) -> (Watcher, Receiver<()>) {
        let (sender, woken) = sync_channel(1000);
        let names = ["textures/wood.png".to_owned(), "not/there/yet.bin".to_owned()];
        let wake = move || sender.try_send(()).unwrap_or_default();
        (Watcher::start(&folder.join("model.gltf"), &names, wake).unwrap(), woken)
    }

    #[test]
    fn a_change_is_told_once_when_it_is_quiet() {
        let folder = folder("change");
        let (watcher, woken) = watched(&folder);
        assert_eq!(watcher.take(Instant::now()), (false, None));
        std::fs::write(folder.join("model.gltf"), "{ }").unwrap();
        woken.recv_timeout(Duration::from_secs(20)).expect("the document changed");
        let (now, when) = watcher.take(Instant::now());
        let when = when.expect("it was just now");
        assert!(!now && when <= Instant::now() + QUIET);
        let (next, _) = watched_again(&folder);
        next.take_over(&watcher);
        assert!(next.take(Instant::now()).1.is_some(), "the watch that follows knows of it");
        std::thread::sleep(QUIET);
        let later = Instant::now() + Duration::from_secs(60);
        assert_eq!(watcher.take(later), (true, None));
        assert_eq!(watcher.take(later), (false, None));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_texture_that_comes_later_or_is_replaced_counts_and_others_do_not() {
        let folder = folder("texture");
        let (_watcher, woken) = watched(&folder);
        std::fs::write(folder.join("notes.txt"), "").unwrap();
        std::fs::write(folder.join("textures/other.png"), "").unwrap();
        assert!(woken.recv_timeout(Duration::from_millis(300)).is_err(), "nothing of the model changed");
        std::fs::write(folder.join("textures/new.png"), "new").unwrap();
        std::fs::rename(folder.join("textures/new.png"), folder.join("textures/wood.png")).unwrap();
        woken.recv_timeout(Duration::from_secs(20)).expect("the texture is there now");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_there_is_no_fault_and_reading_is_no_change() {
        let files = BTreeSet::from([PathBuf::from("/a/b.gltf")]);
        let event = |kind, path: &str| Event::new(kind).add_path(path.into());
        for kind in [EventKind::Create(CreateKind::File), EventKind::Modify(ModifyKind::Any)] {
            assert!(concerns(&event(kind, "/a/b.gltf"), &files));
            assert!(!concerns(&event(kind, "/a/c.gltf"), &files));
        }
        for kind in [EventKind::Access(AccessKind::Read), EventKind::Remove(RemoveKind::File)] {
            assert!(!concerns(&event(kind, "/a/b.gltf"), &files));
        }
        assert!(Watcher::start(Path::new("/no/such/folder/model.gltf"), &[], || ()).is_ok());
    }
}
