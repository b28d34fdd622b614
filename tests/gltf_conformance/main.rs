//! Every file of the conformance corpus against its tier, with counts and world-space bounds where the corpus has them.
//!
//! The corpus lies beside the project, not in it; without it every test is skipped, with that reason.

mod counts;
mod memory;
mod models;
mod poses;
#[path = "../support/mod.rs"]
mod support;
mod table;
mod twins;

use fire_engine::gltf::{LoadError, LoadLimits, LoadOptions, load_with};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use table::{Outcome, Table, extensions, names};

const TIME_LIMIT: Duration = Duration::from_secs(10);
const MEMORY_LIMIT_KIB: u64 = 1 << 20;

/// Files of the tier `reject` whose fault lies in a member that is never read: a stride on a view of no vertices.
const HARMLESS: [&str; 1] = ["malformed/glTF-Validator/base/buffer_view/invalid_stride_wrong_target.gltf"];

/// What a file may require and must load then, and whether this build has it.
const EXTENSIONS: [(&str, bool); 12] = [
    ("EXT_mesh_gpu_instancing", true),
    ("EXT_meshopt_compression", cfg!(feature = "meshopt")),
    ("EXT_texture_webp", cfg!(feature = "webp")),
    ("KHR_animation_pointer", true),
    ("KHR_lights_punctual", true),
    ("KHR_materials_emissive_strength", true),
    ("KHR_materials_unlit", true),
    ("KHR_materials_variants", true),
    ("KHR_mesh_quantization", true),
    ("KHR_meshopt_compression", cfg!(feature = "meshopt")),
    ("KHR_texture_basisu", cfg!(feature = "basisu")),
    ("KHR_texture_transform", true),
];

/// What every file's test shares.
struct Walk {
    table: Mutex<Table>,
    /// Whether each file gets a line of its own.
    verbose: bool,
    /// Whether only one file is loaded at a time, so that the process's size can be laid to it.
    alone: bool,
}

fn corpus() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/gltf-conformance")).to_path_buf()
}

fn read_json(path: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn main() {
    let mut arguments = Arguments::from_args();
    let (manifest, poses) =
        (read_json(&corpus().join("manifest.json")), read_json(&corpus().join("poses.json")));
    let (Some(manifest), Some(poses)) = (manifest, poses) else {
        let skipped = support::skipped("corpus", "../shared/gltf-conformance is absent");
        libtest_mimic::run(&arguments, vec![skipped]).exit();
    };
    let verbose = std::env::var_os("GLTF_CONFORMANCE_VERBOSE").is_some();
    if verbose {
        arguments.test_threads = Some(1);
    }
    let alone = arguments.test_threads == Some(1) && memory::forget_peak().is_some();
    let before = memory::peak().filter(|_| alone);
    let walk = Arc::new(Walk { table: Mutex::default(), verbose, alone });
    let files = manifest["entries"].as_array().cloned().unwrap_or_default();
    let files = files.into_iter().map(|entry| {
        let (path, walk) = (entry["path"].as_str().unwrap_or("").to_owned(), Arc::clone(&walk));
        let pose = poses["files"][&path].clone();
        let tier = entry["expect"].as_str().unwrap_or("").to_owned();
        Trial::test(format!("{tier}: {path}"), move || within_time(entry, pose, walk))
    });
    let twins = twins::trial(&manifest, corpus());
    let trials: Vec<Trial> = files.chain(models::trials()).chain([twins]).collect();
    let whole = trials.len();
    let conclusion = libtest_mimic::run(&arguments, trials);
    let mut peak = memory::peak();
    if let Ok(table) = walk.table.lock() {
        table.print();
        peak = peak.max(Some(table.largest()).filter(|_| alone));
    }
    if let Some(before) = before {
        println!("before the first file: {} MiB", before / 1024);
    }
    if let Some(peak) = peak {
        println!("peak memory of the process: {} MiB", peak / 1024);
    }
    if conclusion.num_passed as usize == whole && peak.is_some_and(|peak| peak > MEMORY_LIMIT_KIB) {
        eprintln!("the corpus took more than 1 GiB");
        std::process::exit(1);
    }
    conclusion.exit();
}

/// Runs one file on a thread of its own, so that a hang is a failure of that file alone.
fn within_time(entry: Value, pose: Value, walk: Arc<Walk>) -> Result<(), Failed> {
    let (send, receive) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        let result = check(&entry, &pose, &walk);
        // The receiver is gone only after a timeout, which has been reported then.
        let _ = send.send(result);
    });
    match receive.recv_timeout(TIME_LIMIT) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => Err("took more than 10 s".into()),
        Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(_) => Err("panicked".into()),
            Ok(()) => Err("ended without a result".into()),
        },
    }
}

fn check(entry: &Value, pose: &Value, walk: &Walk) -> Result<(), Failed> {
    let path = entry["path"].as_str().ok_or("no path")?;
    let tier = entry["expect"].as_str().ok_or("no tier")?;
    let limits = LoadLimits { decoded_bytes: 512 << 20, ..LoadLimits::default() };
    if walk.alone {
        memory::forget_peak();
    }
    let start = Instant::now();
    let result = load_with(corpus().join(path), &LoadOptions { limits, ..LoadOptions::default() });
    let took = start.elapsed();
    let peak = memory::peak().filter(|_| walk.alone);
    let mut bounds = 0;
    if let Err(error) = &result {
        check_message(error, path)?;
    }
    match (tier, &result) {
        ("load" | "load_if_supported", Ok((content, report))) => {
            counts::check_counts(entry, content, report)?;
        }
        ("load", Err(error)) => return Err(format!("refused: {error}").into()),
        ("load_if_supported", Err(error)) => check_refusal(entry, error)?,
        ("reject", Ok((_, report))) if report.is_empty() && !HARMLESS.contains(&path) => {
            return Err("loaded without a note".into());
        }
        _ => {}
    }
    let (content, outcome) = match result {
        Ok((content, report)) => (Some(content), Ok(report)),
        Err(error) => (None, Err(error)),
    };
    if let Some(mut content) = content.filter(|_| pose.is_object()) {
        bounds = poses::check_poses(path, pose, &mut content)?;
    }
    let result = outcome.as_ref();
    if walk.verbose {
        let became = match result {
            Ok(report) if report.is_empty() => "silent".to_owned(),
            Ok(report) => format!("{} notes", report.len()),
            Err(error) => error.to_string(),
        };
        let size = peak.map(|peak| format!(", {} MiB", peak / 1024)).unwrap_or_default();
        println!("{tier} {path}: {:.1} ms{size}: {became}", took.as_secs_f64() * 1e3);
    }
    let mut table = walk.table.lock().map_err(|_| "another file panicked")?;
    table.add(&Outcome { entry, result, took, peak }, bounds);
    Ok(())
}

/// A sound file may be refused for an extension that it lists and this build does not have, and the message names it.
fn check_refusal(entry: &Value, error: &LoadError) -> Result<(), Failed> {
    if !matches!(error, LoadError::Unsupported { .. } | LoadError::RequiredExtensions { .. }) {
        return Err(format!("refused for the wrong reason: {error}").into());
    }
    let message = error.to_string();
    let lacking = |name: &&str| !EXTENSIONS.contains(&(name, true));
    let listed = extensions(entry, "extensionsRequired").chain(extensions(entry, "extensionsUsed"));
    match listed.filter(lacking).find(|name| names(&message, name)) {
        Some(_) => Ok(()),
        None => Err(format!("refused without an extension that is not supported: {message}").into()),
    }
}

fn check_message(error: &LoadError, path: &str) -> Result<(), Failed> {
    let message = error.to_string();
    if message.contains('\n') || !message.contains(path) || message.len() < path.len() + 20 {
        return Err(format!("not one readable line that names the file: {message}").into());
    }
    Ok(())
}
