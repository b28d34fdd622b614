//! Files read from where they lie, and from memory.

use fire_engine::gltf::{
    FolderResolver, LoadError, LoadLimits, LoadOptions, LoadReport, ResolveError, Resolver, ResourceName,
    load_from_slice_with, load_with,
};
use fire_engine::scene::Content;
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

type Loaded = Result<(Content, LoadReport), LoadError>;

/// Reads every file as a whole.
struct Whole(FolderResolver);

impl Resolver for Whole {
    fn read(&self, name: &ResourceName, limit: u64) -> Result<Vec<u8>, ResolveError> {
        self.0.read(name, limit)
    }
}

pub fn trial(manifest: &Value, corpus: PathBuf) -> Trial {
    let entries = manifest["entries"].as_array().into_iter().flatten();
    let paths = entries.filter_map(|entry| entry["path"].as_str());
    let paths: Vec<PathBuf> = paths.map(|path| corpus.join(path)).collect();
    Trial::test("every file gives the same on eight threads as from memory on one", move || {
        if paths.is_empty() {
            return Err("the corpus is empty".into());
        }
        paths.iter().try_for_each(|path| check(path))
    })
}

fn check(path: &Path) -> Result<(), Failed> {
    let options = |threads| LoadOptions {
        limits: LoadLimits { decoded_bytes: 512 << 20, ..LoadLimits::default() },
        threads: NonZeroUsize::new(threads),
        ..LoadOptions::default()
    };
    let (name, bytes) = (path.display().to_string(), std::fs::read(path)?);
    let files = Whole(FolderResolver::new(path.parent().unwrap_or(path)));
    let from_memory = load_from_slice_with(&name, &bytes, &files, &options(1));
    if are_alike(&from_memory, &load_with(path, &options(8))) {
        Ok(())
    } else {
        Err(format!("{name} differs").into())
    }
}

fn are_alike(one: &Loaded, other: &Loaded) -> bool {
    match (one, other) {
        (Ok((one, one_report)), Ok((other, other_report))) => {
            one_report == other_report
                && one.assets.meshes() == other.assets.meshes()
                && one.assets.images() == other.assets.images()
                && clips(one) == clips(other)
        }
        (Err(one), Err(other)) => one.to_string() == other.to_string(),
        _ => false,
    }
}

/// What clips hold, without what tells one clip from another.
fn clips(content: &Content) -> String {
    let clips = content.animations.iter().map(|clip| (clip.name(), clip.channels(), clip.samplers()));
    format!("{:?}", clips.collect::<Vec<_>>())
}
