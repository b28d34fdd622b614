//! Every file of the conformance corpus against its tier, with counts and world-space bounds where the corpus has them.
//!
//! The corpus lies beside the project, not in it; without it every test is skipped, with that reason.

mod support;

use fire_engine::animation::{LoopMode, PlaybackOptions};
use fire_engine::assets::Mesh;
#[cfg(feature = "meshopt")]
use fire_engine::gltf::{FolderResolver, load_from_slice};
use fire_engine::gltf::{LoadError, LoadLimits, LoadOptions, LoadReport, NoteKind, load, load_with};
use fire_engine::math::{Vec3, Vec4};
use fire_engine::scene::{Content, DrawList};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Files of the tier `reject` whose fault lies in a member that is never read: a stride on a view of no vertices.
const HARMLESS: [&str; 1] = ["malformed/glTF-Validator/base/buffer_view/invalid_stride_wrong_target.gltf"];

/// Instances of the one node that has some.
const INSTANCED: [(&str, usize); 2] = [("SimpleInstancing", 125), ("gltf-GpuMeshInstancing", 2500)];

#[derive(Default)]
struct Tally {
    loaded: usize,
    silent: usize,
    refused: usize,
    bounds: usize,
    slowest: Duration,
    slowest_path: String,
}

/// Files that require what a crate feature adds, and whether it is on.
const OF_FEATURES: &[(&str, bool)] = &[
    ("positive-suites/glTF-Transform/extensions/BoxMeshopt.glb", cfg!(feature = "meshopt")),
    (
        "positive-suites/gltf-pipeline/2.0/extensions/EXT_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf",
        cfg!(feature = "meshopt"),
    ),
    (
        "positive-suites/gltf-pipeline/2.0/extensions/KHR_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf",
        cfg!(feature = "meshopt"),
    ),
    (
        "positive-suites/glTFast/TextureVariants/glTF-Embedded-KTX/TextureVariants-Embedded-KTX.gltf",
        cfg!(feature = "basisu"),
    ),
];

type Table = Arc<Mutex<BTreeMap<String, Tally>>>;

fn corpus() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/gltf-conformance")).to_path_buf()
}

fn read_json(path: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn main() {
    let arguments = Arguments::from_args();
    let (manifest, poses) =
        (read_json(&corpus().join("manifest.json")), read_json(&corpus().join("poses.json")));
    let (Some(manifest), Some(poses)) = (manifest, poses) else {
        let skipped = support::skipped("corpus", "../shared/gltf-conformance is absent");
        libtest_mimic::run(&arguments, vec![skipped]).exit();
    };
    let table: Table = Table::default();
    let trials = manifest["entries"].as_array().cloned().unwrap_or_default().into_iter().map(|entry| {
        let (path, table) = (entry["path"].as_str().unwrap_or("").to_owned(), Arc::clone(&table));
        let pose = poses["files"][&path].clone();
        let tier = entry["expect"].as_str().unwrap_or("").to_owned();
        Trial::test(format!("{tier}: {path}"), move || within_time(entry, pose, table))
    });
    let mut trials: Vec<Trial> = trials.collect();
    trials.push(Trial::test("AnimatedCube: cube descriptions", animated_cube_descriptions));
    trials
        .push(Trial::test("AnimatedCube: cube hierarchy and rotation", animated_cube_hierarchy_and_rotation));
    trials.push(Trial::test("computed tangents are those that models bring", tangents_agree));
    trials.push(Trial::test("containers of one model give the same scene", containers_agree));
    #[cfg(feature = "meshopt")]
    trials.push(Trial::test("a compressed model is what its fallback is", compressed_is_fallback));
    for (path, on) in OF_FEATURES {
        if *on {
            trials.push(Trial::test(format!("with its feature: {path}"), || loads(path)));
        }
    }
    let whole = trials.len();
    let conclusion = libtest_mimic::run(&arguments, trials);
    print_table(&table);
    let memory = peak_memory_mib();
    if let Some(mib) = memory {
        println!("peak memory of the process: {mib} MiB");
    }
    if conclusion.num_passed as usize == whole && memory.is_some_and(|mib| mib > 1024) {
        eprintln!("the corpus took more than 1 GiB");
        std::process::exit(1);
    }
    conclusion.exit();
}

/// Runs one file on a thread of its own, so that a hang is a failure of that file alone.
fn within_time(entry: Value, pose: Value, table: Table) -> Result<(), Failed> {
    let (send, receive) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        let result = check(&entry, &pose, &table);
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

fn check(entry: &Value, pose: &Value, table: &Table) -> Result<(), Failed> {
    let path = entry["path"].as_str().ok_or("no path")?;
    let tier = entry["expect"].as_str().ok_or("no tier")?;
    let limits = LoadLimits { decoded_bytes: 512 << 20, ..LoadLimits::default() };
    let start = Instant::now();
    let result = load_with(corpus().join(path), &LoadOptions { limits, ..LoadOptions::default() });
    let took = start.elapsed();
    let mut bounds = 0;
    if let Err(error) = &result {
        check_message(error, path)?;
    }
    match (tier, &result) {
        ("load" | "load_if_supported", Ok((content, report))) => check_counts(entry, content, report)?,
        ("load", Err(error)) => {
            return Err(format!("refused: {error}").into());
        }
        ("load_if_supported", Err(error))
            if !matches!(error, LoadError::Unsupported { .. } | LoadError::RequiredExtensions { .. }) =>
        {
            return Err(format!("refused for the wrong reason: {error}").into());
        }
        ("reject", Ok((_, report))) if report.is_empty() && !HARMLESS.contains(&path) => {
            return Err("loaded without a note".into());
        }
        _ => {}
    }
    let model = path.strip_prefix("samples/").and_then(|rest| rest.split('/').next());
    if let (Some(model), Err(error)) = (model, &result)
        && support::PROMISED_MODELS.contains(&model)
        && entry["features"]["required"].is_null()
        && !path.contains("Draco")
    {
        return Err(format!("promised to load: {error}").into());
    }
    let silent = matches!(&result, Ok((_, report)) if report.is_empty());
    let refused = result.as_ref().err().map(ToString::to_string);
    if let Ok((mut content, report)) = result
        && pose.is_object()
        && matches!(tier, "load" | "load_if_supported")
        && stands_as_authored(&report)
    {
        bounds = check_poses(pose, &mut content, moves_as_authored(&report))?;
    }
    if std::env::var_os("GLTF_CONFORMANCE_VERBOSE").is_some() {
        println!("{tier} {path}: {}", refused.as_deref().unwrap_or(if silent { "silent" } else { "loaded" }));
    }
    let mut table = table.lock().map_err(|_| "another file panicked")?;
    let tally = table.entry(tier.to_owned()).or_default();
    match refused {
        Some(_) => tally.refused += 1,
        None => tally.loaded += 1,
    }
    tally.silent += usize::from(silent);
    tally.bounds += bounds;
    if took > tally.slowest {
        (tally.slowest, tally.slowest_path) = (took, path.to_owned());
    }
    Ok(())
}

fn check_message(error: &LoadError, path: &str) -> Result<(), Failed> {
    let message = error.to_string();
    if message.contains('\n') || !message.contains(path) || message.len() < path.len() + 20 {
        return Err(format!("not one readable line that names the file: {message}").into());
    }
    Ok(())
}

/// Compares what the corpus counted in the document with what became of it.
fn check_counts(entry: &Value, content: &Content, report: &LoadReport) -> Result<(), Failed> {
    let counts = &entry["counts"];
    let count = |value: &Value| value.as_u64().map(|count| count as usize);
    let expected = |name: &str| count(&counts[name]);
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    let path = entry["path"].as_str().unwrap_or("");
    let instances = INSTANCED.iter().find(|(name, _)| path.contains(name)).map_or(1, |(_, count)| *count);
    let (assets, document) = (&content.assets, &content.document);
    let noted = |prefix: &str| report.iter().filter(|note| note.json_path.starts_with(prefix)).count();
    let primitives = || document.primitives.iter().flatten();
    for (name, actual, expected) in [
        ("scenes", document.scenes.len(), expected("scenes")),
        ("nodes", document.nodes.len(), expected("nodes")),
        ("meshes", document.primitives.len(), expected("meshes")),
        ("primitives", primitives().count(), expected("primitives")),
        ("scene_nodes", document.nodes.iter().flatten().count(), expected("scene_nodes")),
        ("scene_draws", list.len(), expected("scene_draws").map(|draws| draws * instances)),
        ("scene_root_nodes", content.scene.roots().count(), expected("scene_root_nodes")),
        ("textures", assets.textures().len(), expected("textures")),
        ("animations", content.animations.len(), expected("animations")),
        // Not imported yet, and one row each.
        ("skins", noted("skins["), expected("skins")),
    ] {
        if let Some(expected) = expected
            && expected != actual
        {
            return Err(format!("{name}: {actual}, the corpus says {expected}").into());
        }
    }
    if document.scene != expected("default_scene").or((!document.scenes.is_empty()).then_some(0)) {
        return Err(format!("scene {:?} was imported", document.scene).into());
    }
    let kept = content.scene.nodes().filter(|node| node.render_object().is_none()).count();
    let extra = if instances > 1 { instances } else { 0 };
    if kept != document.nodes.iter().flatten().count() + extra {
        return Err(format!("{kept} nodes draw nothing themselves").into());
    }
    // Each is on a node at least, or in a row that says why not.
    let lights = entry["features"]["lights"].as_object();
    let lights = lights.map_or(0, |kinds| kinds.values().filter_map(count).sum());
    for (name, listed, rows, expected) in [
        ("cameras", content.scene.cameras().count(), noted("cameras["), expected("cameras").unwrap_or(0)),
        ("lights", content.scene.lights().count(), noted("extensions.KHR_lights_punctual"), lights),
    ] {
        if listed + rows < expected || (expected == 0 && listed + rows > 0) {
            return Err(format!("{name}: {listed} and {rows} rows, the corpus says {expected}").into());
        }
    }
    // At most one white image and one default material are appended.
    let appended = |name: &str, actual: usize| match expected(name) {
        Some(expected) if actual != expected && actual != expected + 1 => {
            Err(Failed::from(format!("{name}: {actual}, the corpus says {expected}")))
        }
        _ => Ok(()),
    };
    appended("images", assets.images().len())?;
    appended("materials", assets.materials().len())?;
    // Primitives without positions are left out, and variants draw some with several materials.
    let drawn = primitives().flatten().count();
    let varied = content.scene.variants().len() > 0;
    let objects = assets.render_objects().len();
    if assets.meshes().len() != drawn || objects < drawn || (objects > drawn && !varied) {
        return Err(format!("{} meshes, {objects} render objects", assets.meshes().len()).into());
    }
    if content.bindings.len() != content.animations.len() {
        return Err("not one binding a clip".into());
    }
    let channels: usize = content.animations.iter().map(|clip| clip.channels().len()).sum();
    let kinds = entry["features"]["animation_channels"].as_object();
    let moving = kinds.map_or(0, |kinds| kinds.values().filter_map(count).sum());
    let left_out = report.iter().any(|note| {
        note.json_path.starts_with("animations[")
            && (note.json_path.contains(".channels[")
                || note.message.contains("whole clip")
                || note.message.contains("not played"))
    });
    if channels != moving && !left_out {
        return Err(format!("{channels} channels, the corpus says {moving}").into());
    }
    Ok(())
}

/// Whether nothing was left out that would move a vertex at rest. Morph targets are applied here.
fn stands_as_authored(report: &LoadReport) -> bool {
    !report.iter().any(|note| note.json_path.contains("skins["))
}

/// Whether every clip plays with all its channels.
fn moves_as_authored(report: &LoadReport) -> bool {
    !report.iter().any(|note| {
        note.kind == NoteKind::Ignored
            && note.json_path.starts_with("animations[")
            && !note.message.contains("morph targets are not applied yet")
    })
}

/// Compares world-space bounds at rest and, for clips that play `whole`, at the listed times; returns how many boxes were
/// compared.
fn check_poses(pose: &Value, content: &mut Content, whole: bool) -> Result<usize, Failed> {
    let mut compared = 0;
    compare(&pose["rest"], content, "at rest")?;
    compared += 1;
    if !whole {
        return Ok(compared);
    }
    for animation in pose["animations"].as_array().into_iter().flatten() {
        let index = animation["index"].as_u64().ok_or("no index")? as usize;
        let options = PlaybackOptions { loop_mode: LoopMode::Once, ..PlaybackOptions::default() };
        let clip = &content.animations[index];
        let playback =
            content.scene.play(clip, &content.bindings[index], options).map_err(|error| error.to_string())?;
        for sample in animation["samples"].as_array().into_iter().flatten() {
            let time = sample["t"].as_f64().ok_or("no time")?;
            content.scene.seek(playback, time).map_err(|error| error.to_string())?;
            content.advance(0.0).map_err(|error| error.to_string())?;
            content.scene.update_world_transforms();
            compare(sample, content, &format!("animation {index} at {time} s"))?;
            compared += 1;
        }
        content.scene.stop(playback);
        content.scene.reset_pose();
    }
    Ok(compared)
}

fn compare(sample: &Value, content: &Content, when: &str) -> Result<(), Failed> {
    let vector = |name: &str| -> Option<Vec3> {
        let mut parts = sample[name].as_array()?.iter().filter_map(Value::as_f64).map(|v| v as f32);
        Some(Vec3::new(parts.next()?, parts.next()?, parts.next()?))
    };
    let (Some(min), Some(max)) = (vector("min"), vector("max")) else { return Ok(()) };
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    // The list is in the order of the nodes that draw; a primitive takes its parent's weights.
    let drawing = content.scene.nodes().filter(|node| node.render_object().is_some());
    for ((position, item), node) in list.items().iter().enumerate().zip(drawing) {
        let object = content.assets.render_object(item.render_object).ok_or("no object")?;
        let mesh = content.assets.mesh(object.mesh).ok_or("no mesh")?;
        let world = list.world(position).ok_or("no world")?;
        let weights = node.parent().map_or(&[][..], |parent| parent.weights());
        let mut include = |index: usize| {
            let mut vertex = mesh.positions[index];
            for (target, &weight) in mesh.morph_targets.iter().zip(weights) {
                vertex += target.positions.get(index).copied().unwrap_or_default() * weight;
            }
            let point = world.transform_point(vertex);
            (low, high) = (low.min(point), high.max(point));
        };
        match &mesh.indices {
            Some(indices) => indices.iter().for_each(|&index| include(index as usize)),
            None => (0..mesh.positions.len()).for_each(&mut include),
        }
    }
    let tolerance = (max - min).max_element().max(1e-3) * 5e-3;
    if (low - min).abs().max_element() > tolerance || (high - max).abs().max_element() > tolerance {
        return Err(format!("{when}: bounds {low} to {high}, the corpus says {min} to {max}").into());
    }
    Ok(())
}

fn animated_cube() -> Result<Content, Failed> {
    let (content, _) = load(corpus().join("samples/AnimatedCube/glTF/AnimatedCube.gltf"))?;
    content.validate()?;
    Ok(content)
}

fn animated_cube_descriptions() -> Result<(), Failed> {
    let content = animated_cube()?;
    let assets = &content.assets;
    assert_eq!((assets.meshes().len(), assets.render_objects().len(), assets.materials().len()), (1, 1, 1));
    let mesh = &assets.meshes()[0];
    assert_eq!((mesh.positions.len(), mesh.uv_sets[0].len(), mesh.index_count()), (36, 36, 36));
    assert!(mesh.indices.as_ref().is_some_and(|indices| indices.iter().copied().eq(0..36)));
    assert!(mesh.uv_sets[0].iter().any(|uv| uv.min_element() < 0.0), "it needs wrapping");
    assert_eq!((assets.images().len(), assets.textures().len()), (2, 2));
    let image = &assets.images()[0];
    assert_eq!((image.width, image.height, image.pixels().len()), (512, 512, 512 * 512 * 4));
    assert_eq!(assets.materials()[0].base_color_texture.map(|slot| slot.texture.get()), Some(0));
    Ok(())
}

fn animated_cube_hierarchy_and_rotation() -> Result<(), Failed> {
    let content = animated_cube()?;
    let roots: Vec<_> = content.scene.roots().collect();
    assert_eq!((roots.len(), roots[0].name(), roots[0].render_object()), (1, "AnimatedCube", None));
    let children: Vec<_> = roots[0].children().collect();
    assert_eq!((children.len(), children[0].render_object().map(|id| id.get())), (1, Some(0)));
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    assert_eq!(list.len(), 1);
    let clip = &content.animations[0];
    assert_eq!((content.animations.len(), clip.name()), (1, "animation_AnimatedCube"));
    assert_eq!((clip.channels().len(), clip.samplers().len()), (1, 1));
    assert_eq!(clip.samplers()[0].timestamps, [0.0, 1.0, 2.0]);
    assert_eq!(content.bindings[0].nodes, [roots[0].id()]);
    // The rest rotation differs from the first key, so a stopped cube and one at 0 s can be told apart.
    let rest = roots[0].local().transform().ok_or("a matrix")?.rotation;
    assert_eq!(rest.to_array(), [0.0, -1.0, 0.0, 0.0]);
    Ok(())
}

/// Computes tangents for models that bring them from Blender, glTF-Transform and the Asset Generator, and compares; user
/// report 38.
fn tangents_agree() -> Result<(), Failed> {
    let mut compared = 0;
    for file in [
        "samples/AlphaBlendModeTest/glTF/AlphaBlendModeTest.gltf",
        "samples/AnisotropyStrengthTest/glTF/AnisotropyStrengthTest.gltf",
        "asset-generator/Positive/Node_NegativeScale/Node_NegativeScale_10.gltf",
        "asset-generator/Positive/Material_DoubleSided/Material_DoubleSided_03.gltf",
    ] {
        let (content, _) = load(corpus().join(file))?;
        for mesh in content.assets.meshes().iter().filter(|mesh| !mesh.tangents.is_empty()) {
            let mut computed = Mesh { tangents: Vec::new(), ..mesh.clone() };
            computed.compute_tangents(0)?;
            let corners = |mesh: &Mesh| -> Vec<Vec4> {
                let indices = mesh.indices.iter().flatten();
                indices.map(|&index| mesh.tangents[index as usize]).collect()
            };
            let (brought, computed) = (corners(mesh), corners(&computed));
            for (corner, (a, b)) in brought.iter().zip(&computed).enumerate() {
                if a.w != b.w || a.truncate().dot(b.truncate()) < 0.999 {
                    return Err(format!("{file}: {} at corner {corner}: {a}, but {b}", mesh.name).into());
                }
            }
            compared += brought.len();
        }
    }
    if compared < 100_000 { Err(format!("only {compared} corners found").into()) } else { Ok(()) }
}

/// Models that come as `glTF`, `glTF-Binary` and `glTF-Embedded` must not differ but in how images are stored.
fn containers_agree() -> Result<(), Failed> {
    let mut compared = 0;
    for model in std::fs::read_dir(corpus().join("samples"))? {
        let mut first: Option<Content> = None;
        for container in ["glTF", "glTF-Binary", "glTF-Embedded"] {
            let Ok(files) =
                std::fs::read_dir(model.as_ref().map_err(ToString::to_string)?.path().join(container))
            else {
                continue;
            };
            for file in files {
                let path = file?.path();
                if !path.extension().is_some_and(|extension| extension == "gltf" || extension == "glb") {
                    continue;
                }
                let Ok((content, _)) = load(&path) else { continue };
                let Some(first) = &first else {
                    first = Some(content);
                    continue;
                };
                let names = |c: &Content| c.scene.nodes().map(|n| n.name().to_owned()).collect::<Vec<_>>();
                let worlds = |c: &Content| c.scene.nodes().map(|n| n.world()).collect::<Vec<_>>();
                let positions = |c: &Content| {
                    c.assets.meshes().iter().map(|mesh| mesh.positions.clone()).collect::<Vec<_>>()
                };
                let shown = path.display();
                assert_eq!(names(first).len(), names(&content).len(), "{shown}");
                assert_eq!(worlds(first), worlds(&content), "{shown}");
                assert!(positions(first) == positions(&content), "{shown}");
                assert_eq!(first.assets.textures(), content.assets.textures(), "{shown}");
                compared += 1;
            }
        }
    }
    if compared < 20 { Err(format!("only {compared} pairs found").into()) } else { Ok(()) }
}

fn print_table(table: &Table) {
    let Ok(table) = table.lock() else { return };
    println!(
        "\n{:<18} {:>7} {:>16} {:>8} {:>7}  slowest",
        "tier", "loaded", "of them no notes", "refused", "bounds"
    );
    for (tier, t) in table.iter() {
        println!(
            "{tier:<18} {:>7} {:>16} {:>8} {:>7}  {:.0} ms {}",
            t.loaded,
            t.silent,
            t.refused,
            t.bounds,
            t.slowest.as_secs_f64() * 1e3,
            t.slowest_path
        );
    }
}

/// The process's largest resident size, where the system tells.
fn peak_memory_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib / 1024)
}

/// Nothing of the file may be refused for lack of its extension.
fn loads(path: &str) -> Result<(), Failed> {
    load(corpus().join(path)).map(|_| ()).map_err(|error| error.to_string().into())
}

/// One file has both forms: with the extension taken out of it, the other is read.
#[cfg(feature = "meshopt")]
fn compressed_is_fallback() -> Result<(), Failed> {
    const NAME: &str = "KHR_meshopt_compression";
    let folder = corpus().join("malformed/gltf-pipeline/2.0/extensions").join(NAME).join("meshopt-fallback");
    let path = folder.join("meshopt-fallback.gltf");
    let mut json = read_json(&path).ok_or("cannot be read")?;
    let compressed = load(&path).map_err(|error| error.to_string())?.0;
    for view in json["bufferViews"].as_array_mut().ok_or("no views")? {
        view.as_object_mut().and_then(|view| view.remove("extensions")).ok_or("not compressed")?;
    }
    let files = FolderResolver::new(&folder);
    let plain = load_from_slice(json.to_string().as_bytes(), &files).map_err(|error| error.to_string())?.0;
    // Not the normals: this fallback has them as they are before the filter. Triangles may begin at another corner.
    let shapes = |content: &Content| {
        let meshes = content.assets.meshes().iter();
        meshes
            .map(|mesh| {
                let mut indices = mesh.indices.clone().unwrap_or_default();
                for triangle in indices.as_chunks_mut::<3>().0 {
                    let least = (0..3).min_by_key(|&corner| triangle[corner]).unwrap_or(0);
                    triangle.rotate_left(least);
                }
                (mesh.positions.clone(), indices)
            })
            .collect::<Vec<_>>()
    };
    if shapes(&compressed).is_empty() || shapes(&compressed) != shapes(&plain) {
        return Err("the meshes differ".into());
    }
    Ok(())
}
