//! Whole loads against `gltf::import` (gltf 1.4.1) of the same files, in one run.
//!
//! `cargo bench --bench load` measures; a filter behind `--` picks (`accessors`, `linear`, a model's name). For each model:
//! * `ours`: [`fire_engine::gltf::load`], the whole: every stream converted and checked, the scene built and validated.
//!   Images are decoded, and large streams converted, on as many threads as the machine runs at once.
//! * `one thread`: the same on one.
//! * `import`: `gltf::import`, which reads the buffers and decodes every image and converts no stream.
//! * `import and read`: the same, and every vertex, index and key through its readers, which is what `ours` includes.
//!
//! At the end stands a table of the ratios from rounds that take turns, which other programs on the machine disturb less
//! than one series after the other: the medians, and the shortest of each. Models of the shared corpus are left out with
//! a line where they are absent or refused. The generated files lie in the system's temporary folder while it runs.
//!
//! On a machine that has other work, `chrt -f 10 cargo bench --bench load` (Linux, as root) keeps that from the processors
//! meanwhile.
//!
//! The group `accessors` compares the conversion of a million elements with a plain copy of the same bytes.

#[path = "load/generated.rs"]
mod generated;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use fire_engine::gltf::{LoadOptions, NoFiles, load, load_from_slice, load_with};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

struct Model {
    name: &'static str,
    path: PathBuf,
}

/// A folder that goes when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("fire-engine-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("room for a generated file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The models that are there and load, with a line for each of the others.
fn models(folder: &Folder) -> Vec<Model> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let samples = project.join("../shared/gltf-conformance/samples");
    let assets = project.join("assets");
    let all = [
        ("RecursiveSkeletons", samples.join("RecursiveSkeletons/glTF/RecursiveSkeletons.gltf")),
        ("RecursiveSkeletons GLB", samples.join("RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb")),
        ("QuaterniusBunny", samples.join("QuaterniusBunny/glTF-Embedded/Bunny.gltf")),
        ("AnimatedCube", samples.join("AnimatedCube/glTF/AnimatedCube.gltf")),
        ("AlphaBlendModeTest", samples.join("AlphaBlendModeTest/glTF/AlphaBlendModeTest.gltf")),
        ("TransmissionTest", samples.join("TransmissionTest/glTF/TransmissionTest.gltf")),
        ("LetterCube", assets.join("LetterCube/LetterCube.gltf")),
        ("Hierarchy", assets.join("Hierarchy/Hierarchy.gltf")),
        ("generated 100 MB", folder.write("large.glb", &generated::large())),
        ("10,000 nodes", folder.write("nodes-10000.glb", &generated::many(10_000, 1_000))),
        ("20,000 nodes", folder.write("nodes-20000.glb", &generated::many(20_000, 2_000))),
    ];
    let mut there = Vec::new();
    for (name, path) in all {
        if !path.is_file() {
            println!("skipped {name}: {} is absent", path.display());
            continue;
        }
        match load(&path) {
            Ok(_) => there.push(Model { name, path }),
            Err(error) => {
                println!("{name} is refused: {error}");
                let Some(path) = still(&path, folder) else { continue };
                println!("measured without its animations");
                there.push(Model { name, path });
            }
        }
    }
    there
}

/// A copy of a self-contained document without animations, where that is what it takes to load it.
fn still(path: &Path, folder: &Folder) -> Option<PathBuf> {
    let mut json: serde_json::Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    json.as_object_mut()?.remove("animations")?;
    let copy = folder.write("still.gltf", json.to_string().as_bytes());
    load(&copy).is_ok().then_some(copy)
}

fn ours(path: &Path) {
    black_box(load(path).expect("loaded before"));
}

fn one_thread(path: &Path) {
    let options = LoadOptions { threads: NonZeroUsize::new(1), ..LoadOptions::default() };
    black_box(load_with(path, &options).expect("loaded before"));
}

fn import(path: &Path) {
    black_box(gltf::import(path).expect("a file that gltf reads"));
}

fn import_and_read(path: &Path) {
    let (document, buffers, images) = gltf::import(path).expect("a file that gltf reads");
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(|data| &data.0[..]));
        black_box(reader.read_positions().map(Iterator::collect::<Vec<_>>));
        black_box(reader.read_normals().map(Iterator::collect::<Vec<_>>));
        black_box(reader.read_tangents().map(Iterator::collect::<Vec<_>>));
        black_box(reader.read_colors(0).map(|colors| colors.into_rgba_f32().collect::<Vec<_>>()));
        for set in 0..2 {
            black_box(reader.read_tex_coords(set).map(|uvs| uvs.into_f32().collect::<Vec<_>>()));
        }
        black_box(reader.read_joints(0).map(|joints| joints.into_u16().collect::<Vec<_>>()));
        black_box(reader.read_weights(0).map(|weights| weights.into_f32().collect::<Vec<_>>()));
        black_box(reader.read_indices().map(|indices| indices.into_u32().collect::<Vec<_>>()));
    }
    for channel in document.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
        use gltf::animation::util::ReadOutputs;
        let reader = channel.reader(|buffer| buffers.get(buffer.index()).map(|data| &data.0[..]));
        black_box(reader.read_inputs().map(Iterator::collect::<Vec<_>>));
        match reader.read_outputs() {
            Some(ReadOutputs::Translations(keys) | ReadOutputs::Scales(keys)) => {
                black_box(keys.collect::<Vec<_>>());
            }
            Some(ReadOutputs::Rotations(keys)) => {
                black_box(keys.into_f32().collect::<Vec<_>>());
            }
            Some(ReadOutputs::MorphTargetWeights(keys)) => {
                black_box(keys.into_f32().collect::<Vec<_>>());
            }
            None => {}
        }
    }
    black_box((document, images));
}

/// A way to load, with its name in the results.
type Way = (&'static str, fn(&Path));

const WAYS: [Way; 4] =
    [("ours", ours), ("one thread", one_thread), ("import", import), ("import and read", import_and_read)];

fn whole_loads(c: &mut Criterion, models: &[Model]) {
    for model in models {
        let mut group = c.benchmark_group(format!("load/{}", model.name));
        for (way, run) in WAYS {
            group.bench_function(way, |b| b.iter(|| run(&model.path)));
        }
        group.finish();
    }
}

fn accessors(c: &mut Criterion) {
    for (name, glb, bytes) in generated::accessors() {
        let mut group = c.benchmark_group("accessors");
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(BenchmarkId::new("load", name), |b| {
            b.iter(|| black_box(load_from_slice(&glb, &NoFiles).expect("valid")));
        });
        let source = vec![1_u8; bytes];
        group.bench_function(BenchmarkId::new("copy", name), |b| b.iter(|| black_box(source.clone())));
        group.finish();
    }
}

/// Rounds that take turns, so that all ways see the same disturbances.
fn print_ratios(models: &[Model]) {
    let (rounds, budget) = (30, Duration::from_secs(3));
    println!(
        "\nmilliseconds, median (shortest) of rounds that take turns; ratios of the medians, of the shortest"
    );
    print!("{:<24}", "model");
    for (way, _) in WAYS {
        print!(" {way:>18}");
    }
    println!(" {:>14} {:>14}", "import / ours", "/ one thread");
    for model in models {
        let mut times = [const { Vec::new() }; WAYS.len()];
        let start = Instant::now();
        while times[0].len() < 5 || (times[0].len() < rounds && start.elapsed() < budget) {
            for (times, (_, run)) in times.iter_mut().zip(WAYS) {
                let start = Instant::now();
                run(&model.path);
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
        let summary = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            (times[times.len() / 2], times[0])
        });
        print!("{:<24}", model.name);
        for (median, shortest) in summary {
            print!(" {:>18}", format!("{median:.3} ({shortest:.3})"));
        }
        let [ours, one_thread, import, _] = summary;
        for ours in [ours, one_thread] {
            print!(" {:>14}", format!("{:.2}, {:.2}", import.0 / ours.0, import.1 / ours.1));
        }
        println!();
    }
}

fn all(c: &mut Criterion) {
    let folder = Folder::new();
    let models = models(&folder);
    whole_loads(c, &models);
    accessors(c);
    // With a filter, one group is wanted and not the table.
    if !std::env::args().skip(1).any(|argument| !argument.starts_with('-')) {
        print_ratios(&models);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(1000))
        .sample_size(10);
    targets = all
}

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
}
