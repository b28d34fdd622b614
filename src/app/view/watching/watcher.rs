//! Telling when a model's files change.

use super::notes::{Notes, lock};
use super::posts::Posts;
use notify::Event;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Programs write a file in several steps, and several files one after the other: it is quiet for so long when they are done.
const QUIET: Duration = Duration::from_millis(200);

/// Watches the files of one model.
///
/// Folders are watched, not files, so that a file which is replaced, or comes only later, counts too; and the folders above
/// them and those of symbolic links, so that a folder may be made anew.
pub struct Watcher {
    /// Never locked while `notes` is: the system's thread needs those to answer.
    posts: Mutex<Posts>,
    notes: Arc<Mutex<Notes>>,
}

impl Watcher {
    /// Watches a document and the files that it refers to, by names relative to its folder. `wake` is called when one of them
    /// changes, from another thread; [`take`](Self::take) is to be called then.
    ///
    /// # Errors
    /// What the system says if it cannot watch a folder of the files. That such a folder does not exist is no error.
    pub fn start(
        document: &Path,
        resources: &[String],
        wake: impl Fn() + Send + 'static,
    ) -> Result<Self, notify::Error> {
        let document = std::path::absolute(document).map_err(notify::Error::io)?;
        let folder = document.parent().unwrap_or(&document);
        let mut wanted: BTreeSet<PathBuf> = resources.iter().map(|name| folder.join(name)).collect();
        wanted.insert(document);
        let notes = Arc::new(Mutex::new(Notes::default()));
        let noted = Arc::clone(&notes);
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| lock(&noted).hear(&event)) {
                wake();
            }
        })?;
        let mut posts = Posts::new(watcher, wanted);
        posts.take_up(&notes)?;
        Ok(Self { posts: Mutex::new(posts), notes })
    }

    /// Does not forget a change that `old` noticed, when the model's files were named anew.
    pub fn take_over(&self, old: &Self) {
        old.renew();
        let noticed = lock(&old.notes).changed;
        let mut notes = lock(&self.notes);
        notes.changed = notes.changed.max(noticed);
    }

    /// From now on, and since the last change that [`take`](Self::take) told of, any file that comes into one of the files'
    /// folders counts as a change: after a load that failed, it may be one that is missing. It is watched like the model's
    /// own then; if it is a folder, so is what comes into it.
    pub fn widen(&self) {
        lock(&self.notes).is_wide = true;
    }

    /// Whether files changed and are quiet since; asked again only after the next change. While they are not yet quiet, when
    /// to ask.
    pub fn take(&self, now: Instant) -> (bool, Option<Instant>) {
        self.renew();
        let mut notes = lock(&self.notes);
        match notes.changed {
            None => (false, None),
            Some(at) if now < at + QUIET => (false, Some(at + QUIET)),
            Some(_) => {
                notes.changed = None;
                if !notes.is_wide {
                    notes.others.clear();
                }
                (true, None)
            }
        }
    }

    /// Follows the ways to the files again if something on them came or went. What is there then has changed: told only when
    /// it is watched, so that nothing of what is written to it later is missed.
    fn renew(&self) {
        let mut notes = lock(&self.notes);
        let moved = std::mem::take(&mut notes.moved);
        let others = if notes.is_wide { std::mem::take(&mut notes.others) } else { BTreeSet::new() };
        drop(notes);
        if moved.is_empty() && others.is_empty() {
            return;
        }
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
        let mut posts = lock(&self.posts);
        posts.leave(&moved);
        posts.want(others.clone());
        // The model is on show and its change is told: that a later one is not seen must not end it.
        let _ = posts.take_up(&self.notes);
        if moved.iter().chain(&others).any(is_there) {
            lock(&self.notes).changed = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::EventKind;
    use notify::event::{AccessKind, CreateKind, Flag, ModifyKind, RemoveKind, RenameMode};
    use std::fs;
    use std::sync::mpsc::{Receiver, sync_channel};

    /// A folder that goes with the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("fire-engine-watch-{}-{name}", std::process::id()));
            let folder = Self(folder);
            folder.make("dist/textures");
            folder.write("dist/model.gltf");
            folder
        }

        fn at(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        fn make(&self, name: &str) {
            fs::create_dir_all(self.at(name)).unwrap();
        }

        fn write(&self, name: &str) {
            fs::write(self.at(name), "{}").unwrap();
        }

        fn rename(&self, from: &str, to: &str) {
            fs::rename(self.at(from), self.at(to)).unwrap();
        }

        fn watch(&self, names: &[&str]) -> Told {
            Told::start(&self.at("dist/model.gltf"), names)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Asks a watcher when the viewer would: when it is woken, and when it is told to.
    struct Told(Watcher, Receiver<()>);

    impl Told {
        fn start(document: &Path, names: &[&str]) -> Self {
            let (sender, woken) = sync_channel(1000);
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            let wake = move || sender.try_send(()).unwrap_or_default();
            Self(Watcher::start(document, &names, wake).unwrap(), woken)
        }

        fn changed_within(&self, patience: Duration) -> bool {
            loop {
                match self.0.take(Instant::now()) {
                    (true, _) => return true,
                    (false, Some(when)) => std::thread::sleep(when.saturating_duration_since(Instant::now())),
                    (false, None) if self.1.recv_timeout(patience).is_err() => return false,
                    (false, None) => {}
                }
            }
        }

        fn changed(&self) -> bool {
            self.changed_within(Duration::from_secs(20))
        }

        fn is_calm(&self) -> bool {
            !self.changed_within(Duration::from_millis(400))
        }
    }

    #[test]
    fn a_change_is_told_once_when_it_is_quiet() {
        let folder = Folder::new("change");
        let Told(watcher, woken) = folder.watch(&[]);
        assert_eq!(watcher.take(Instant::now()), (false, None));
        folder.write("dist/model.gltf");
        woken.recv_timeout(Duration::from_secs(20)).expect("the document changed");
        let (now, when) = watcher.take(Instant::now());
        let when = when.expect("it was just now");
        assert!(!now && when <= Instant::now() + QUIET);
        let Told(next, _) = folder.watch(&[]);
        next.take_over(&watcher);
        assert!(next.take(Instant::now()).1.is_some(), "the watch that follows knows of it");
        std::thread::sleep(QUIET);
        let later = Instant::now() + Duration::from_secs(60);
        assert_eq!(watcher.take(later), (true, None));
        assert_eq!(watcher.take(later), (false, None));
    }

    #[test]
    fn a_change_that_was_not_yet_asked_for_is_taken_over() {
        let folder = Folder::new("over");
        let old = folder.watch(&["later.bin"]);
        folder.write("dist/part");
        folder.rename("dist/part", "dist/later.bin");
        old.1.recv_timeout(Duration::from_secs(20)).expect("the file came");
        let next = folder.watch(&["later.bin"]);
        next.0.take_over(&old.0);
        assert!(next.changed());
    }

    #[test]
    fn a_texture_that_comes_later_or_is_replaced_counts_and_others_do_not() {
        let folder = Folder::new("texture");
        let told = folder.watch(&["textures/wood.png"]);
        folder.write("dist/notes.txt");
        folder.write("dist/textures/other.png");
        folder.write("beside.txt");
        assert!(told.is_calm(), "nothing of the model changed");
        for _ in 0..2 {
            folder.write("dist/textures/new.png");
            folder.rename("dist/textures/new.png", "dist/textures/wood.png");
            assert!(told.changed());
        }
        fs::remove_file(folder.at("dist/textures/wood.png")).unwrap();
        assert!(told.is_calm(), "it cannot be shown without");
    }

    #[test]
    fn a_folder_that_is_removed_and_made_again_is_watched_again() {
        let folder = Folder::new("again");
        let told = folder.watch(&["textures/wood.png"]);
        for _ in 0..3 {
            fs::remove_dir_all(folder.at("dist")).unwrap();
            folder.make("dist/textures");
            folder.write("dist/model.gltf");
            assert!(told.changed(), "made again");
            for name in ["dist/model.gltf", "dist/textures/wood.png"] {
                folder.write(name);
                assert!(told.changed(), "written in the new folder: {name}");
            }
        }
        fs::remove_dir_all(folder.at("dist")).unwrap();
        assert!(told.is_calm(), "there is nothing to load");
        folder.make("dist");
        assert!(told.changed());
        std::thread::sleep(QUIET);
        folder.write("dist/model.gltf");
        assert!(told.changed());
    }

    #[test]
    fn a_folder_that_is_exchanged_for_another_is_watched_and_the_old_one_is_not() {
        let folder = Folder::new("exchange");
        let told = folder.watch(&["textures/wood.png"]);
        folder.make("next/textures");
        folder.write("next/model.gltf");
        assert!(told.is_calm());
        folder.rename("dist", "old");
        folder.rename("next", "dist");
        assert!(told.changed());
        folder.write("old/model.gltf");
        folder.write("old/textures/wood.png");
        assert!(told.is_calm());
        folder.write("dist/textures/wood.png");
        assert!(told.changed());
    }

    #[test]
    fn a_folder_far_above_that_is_made_again_is_watched_again() {
        let folder = Folder::new("above");
        folder.make("a/b/c/d");
        folder.write("a/b/c/d/model.gltf");
        let told = Told::start(&folder.at("a/b/c/d/model.gltf"), &[]);
        fs::remove_dir_all(folder.at("a")).unwrap();
        assert!(told.is_calm());
        folder.make("a/b/c/d");
        assert!(told.changed());
        folder.write("a/b/c/d/model.gltf");
        assert!(told.changed());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_far_above_that_is_exchanged_for_another_is_watched() {
        let folder = Folder::new("far");
        for name in ["a/b/c", "next/b/c"] {
            folder.make(name);
            folder.write(&format!("{name}/model.gltf"));
        }
        let told = Told::start(&folder.at("a/b/c/model.gltf"), &[]);
        folder.rename("a", "old");
        assert!(told.is_calm(), "there is nothing to load");
        folder.rename("next", "a");
        assert!(told.changed());
        folder.write("old/b/c/model.gltf");
        assert!(told.is_calm());
        folder.write("a/b/c/model.gltf");
        assert!(told.changed());
    }

    #[test]
    fn folders_that_come_later_are_watched() {
        let folder = Folder::new("later");
        let told = folder.watch(&["not/there/yet.bin"]);
        folder.make("dist/not");
        assert!(told.changed());
        folder.make("dist/not/there");
        assert!(told.changed());
        folder.write("dist/not/there/yet.bin");
        assert!(told.changed());
    }

    #[test]
    fn a_name_that_goes_through_a_folder_and_back_does_not_hide_the_document() {
        let folder = Folder::new("back");
        let told =
            folder.watch(&["textures/../tri.bin", "./textures/./../textures/wood.png", "../../out.bin"]);
        for name in ["dist/model.gltf", "dist/tri.bin", "dist/textures/wood.png", "dist/model.gltf"] {
            folder.write(name);
            assert!(told.changed(), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_symbolic_links_lead_to_counts_and_so_does_where_they_lead() {
        use std::os::unix::fs::symlink;
        let folder = Folder::new("link");
        folder.make("far/one");
        folder.make("far/two");
        folder.make("links");
        for name in ["far/model", "far/one/wood.png", "far/two/wood.png"] {
            folder.write(name);
        }
        symlink("../far/middle", folder.at("dist/linked.gltf")).unwrap();
        symlink(folder.at("far/model"), folder.at("far/middle")).unwrap();
        symlink("../far/one", folder.at("links/current")).unwrap();
        symlink("../links/current", folder.at("dist/pictures")).unwrap();
        let told = Told::start(&folder.at("dist/linked.gltf"), &["pictures/wood.png"]);
        for name in ["far/model", "far/one/wood.png"] {
            folder.write(name);
            assert!(told.changed(), "{name}");
        }
        folder.write("far/two/wood.png");
        assert!(told.is_calm());
        symlink("../far/two", folder.at("links/new")).unwrap();
        folder.rename("links/new", "links/current");
        assert!(told.changed(), "the folder is another one now");
        folder.write("far/one/wood.png");
        assert!(told.is_calm());
        folder.write("far/two/wood.png");
        assert!(told.changed());
    }

    #[test]
    fn after_a_load_that_failed_files_that_come_count() {
        let folder = Folder::new("wide");
        folder.write("dist/notes.txt");
        let told = folder.watch(&[]);
        folder.write("dist/model.gltf");
        assert!(told.changed());
        folder.write("dist/while_loading.bin");
        assert!(told.is_calm());
        told.0.widen();
        assert!(told.changed(), "it came before the load was known to have failed");
        folder.write("dist/notes.txt");
        folder.write("above.bin");
        assert!(told.is_calm(), "one that was there is written to, one came elsewhere");
        folder.write("dist/missing.bin");
        assert!(told.changed());
        folder.write("dist/missing.bin");
        assert!(told.changed(), "it may not have been whole");
        folder.write("part");
        folder.rename("part", "dist/renamed.bin");
        assert!(told.changed());
        folder.make("dist/buffers");
        assert!(told.changed());
        folder.write("dist/buffers/in.bin");
        assert!(told.changed());
        fs::remove_file(folder.at("dist/buffers/in.bin")).unwrap();
        assert!(told.is_calm());
    }

    #[test]
    fn what_came_before_a_load_that_failed_does_not_count() {
        let folder = Folder::new("early");
        let told = folder.watch(&[]);
        folder.write("dist/early.txt");
        folder.write("dist/model.gltf");
        assert!(told.changed());
        told.0.widen();
        assert!(told.is_calm());
    }

    #[test]
    fn degenerate_names_are_no_fault() {
        let folder = Folder::new("names");
        let long = "x/".repeat(3000);
        let names =
            ["", ".", "..", "/", "//", "/etc/passwd", "a\0b", "../../../../../../../../../..", long.as_str()];
        let told = folder.watch(&names);
        folder.write("dist/model.gltf");
        assert!(told.changed());
        for document in
            ["/no/such/folder/model.gltf", "/model.gltf", "/", "model.gltf", "..", "model.gltf/.."]
        {
            assert!(Watcher::start(Path::new(document), &["a.bin".to_owned()], || ()).is_ok(), "{document}");
        }
        assert!(Watcher::start(Path::new(""), &[], || ()).is_err());
    }

    #[test]
    fn thousands_of_files_in_a_folder_are_one_watch() {
        let folder = Folder::new("thousands");
        let names: Vec<String> = (0..5000).map(|index| format!("{index}.bin")).collect();
        let told = folder.watch(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let above = fs::canonicalize(folder.at("dist")).unwrap().ancestors().count();
        assert!(lock(&told.0.posts).watched.len() <= above, "the folder and those above it");
        folder.write("dist/4999.bin");
        assert!(told.changed());
    }

    #[test]
    fn reading_and_removing_are_no_changes_and_events_that_were_lost_are() {
        let folder = Folder::new("kinds");
        let told = folder.watch(&[]);
        let file = fs::canonicalize(folder.at("dist/model.gltf")).unwrap();
        let hear = |kind, path: &Path| {
            let heard = lock(&told.0.notes).hear(&Event::new(kind).add_path(path.into()));
            assert_eq!(told.changed_within(Duration::ZERO), heard, "{kind:?}");
            heard
        };
        let rename = ModifyKind::Name(RenameMode::Any);
        for kind in [
            EventKind::Create(CreateKind::File),
            EventKind::Modify(ModifyKind::Any),
            EventKind::Modify(rename),
        ] {
            assert!(hear(kind, &file));
            assert!(!hear(kind, &file.with_file_name("other.gltf")));
            assert!(!hear(kind, Path::new("/")));
        }
        assert!(!hear(EventKind::Access(AccessKind::Read), &file));
        fs::remove_file(&file).unwrap();
        assert!(!told.changed_within(Duration::from_millis(400)));
        lock(&told.0.notes).hear(&Event::new(EventKind::Remove(RemoveKind::File)).add_path(file.clone()));
        assert!(!told.changed_within(Duration::ZERO));
        folder.write("dist/model.gltf");
        assert!(told.changed() && told.is_calm());
        let lost = Event::new(EventKind::Access(AccessKind::Any)).set_flag(Flag::Rescan);
        assert!(lock(&told.0.notes).hear(&lost));
        assert!(told.changed_within(Duration::ZERO));
        folder.write("dist/model.gltf");
        assert!(told.changed(), "still watched");
        told.0.widen();
        let other =
            Event::new(EventKind::Create(CreateKind::File)).add_path(file.with_file_name("other.bin"));
        assert!(lock(&told.0.notes).hear(&other), "it wakes the viewer");
    }
}
