//! Files read from where they lie, and from memory.

use fire_engine::gltf::{
    FolderResolver, LoadError, LoadLimits, LoadOptions, LoadReport, load_from_slice_with, load_with,
};
use fire_engine::scene::Content;
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

type Loaded = Result<(Content, LoadReport), LoadError>;

pub fn trial(manifest: &Value, corpus: PathBuf) -> Trial {
    let entries = manifest["entries"].as_array().into_iter().flatten();
    let paths = entries.filter_map(|entry| entry["path"].as_str()).filter(|path| path.ends_with(".glb"));
    let paths: Vec<PathBuf> = paths.map(|path| corpus.join(path)).collect();
    Trial::test(
        "every GLB gives the same from its file and from memory, on one thread and on many",
        move || {
            if paths.len() < 100 {
                return Err(format!("only {} files", paths.len()).into());
            }
            paths.iter().try_for_each(|path| check(path))
        },
    )
}

fn check(path: &Path) -> Result<(), Failed> {
    let options = |threads| LoadOptions {
        limits: LoadLimits { decoded_bytes: 512 << 20, ..LoadLimits::default() },
        threads: NonZeroUsize::new(threads),
        ..LoadOptions::default()
    };
    let (name, bytes) = (path.display().to_string(), std::fs::read(path)?);
    let files = FolderResolver::new(path.parent().unwrap_or(path));
    let expected = load_from_slice_with(&name, &bytes, &files, &options(1));
    for threads in [1, 8] {
        if !are_alike(&expected, &load_with(path, &options(threads))) {
            return Err(format!("{name} on {threads} threads differs").into());
        }
    }
    Ok(())
}

fn are_alike(one: &Loaded, other: &Loaded) -> bool {
    match (one, other) {
        (Ok((one, one_report)), Ok((other, other_report))) => {
            one_report == other_report
                && one.assets.meshes() == other.assets.meshes()
                && one.assets.images() == other.assets.images()
                && format!("{:?}", one.animations) == format!("{:?}", other.animations)
        }
        (Err(one), Err(other)) => one.to_string() == other.to_string(),
        _ => false,
    }
}
