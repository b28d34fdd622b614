//! Data that is read from its file to where it is wanted: the same as from memory, on any number of threads, and safe
//! whatever becomes of the file meanwhile.

use crate::fixtures::{Doc, F32, Folder, U8, U16, U32, holds};
use crate::images::raw_png;
use fire_engine::gltf::{
    FolderResolver, LoadError, LoadLimits, LoadOptions, LoadPhase, LoadReport, ProgressCallback,
    load_from_slice_with, load_with,
};
use fire_engine::scene::Content;
use serde_json::json;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

/// Enough for a stream of positions to be shared among several threads, and no whole number of blocks.
const VERTICES: usize = 250_007;

fn bytes<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    values.flatten().collect()
}

fn options(threads: usize) -> LoadOptions {
    LoadOptions { threads: NonZeroUsize::new(threads), ..LoadOptions::default() }
}

/// Points with a stream for each way of lying in a buffer.
fn large() -> Doc {
    let mut doc = Doc::triangle().unlit();
    doc.json["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_mesh_quantization"]);
    doc.json["meshes"][0]["primitives"][0]["mode"] = json!(0);
    let number = |i: usize| (i % 1021) as f32 * 0.25;
    // A position and a normal, interleaved with 8 bytes of neither.
    let vertex = |i: usize| {
        let floats = [number(i), number(i + 1), number(i + 2), 0.0, 0.0, 1.0, f32::NAN, f32::NAN];
        floats.map(f32::to_le_bytes)
    };
    let view = doc.view(&bytes((0..VERTICES).flat_map(vertex)));
    doc.json["bufferViews"][view as usize]["byteStride"] = json!(32);
    for (name, offset) in [("POSITION", 0), ("NORMAL", 12)] {
        let accessor = json!({"bufferView": view, "byteOffset": offset, "componentType": F32, "count": VERTICES, "type": "VEC3"});
        let accessor = doc.push("accessors", accessor);
        doc.attribute(name, accessor);
    }
    let uvs = bytes((0..2 * VERTICES).map(|i| number(i).to_le_bytes()));
    let tight = doc.accessor(F32, "VEC2", VERTICES, &uvs);
    doc.attribute("TEXCOORD_0", tight);
    let normalized =
        doc.accessor(U16, "VEC2", VERTICES, &bytes((0..2 * VERTICES).map(|i| (i as u16).to_le_bytes())));
    doc.json["accessors"][normalized as usize]["normalized"] = json!(true);
    doc.attribute("TEXCOORD_1", normalized);
    let colors: Vec<u8> = (0..3 * VERTICES).map(|i| i as u8).collect();
    let colors = doc.accessor(U8, "VEC3", VERTICES, &colors);
    doc.json["accessors"][colors as usize]["normalized"] = json!(true);
    doc.attribute("COLOR_0", colors);
    // Replaces some of what another accessor has.
    let (indices, values) =
        (doc.view(&bytes([7_u32, 200_000].map(u32::to_le_bytes).into_iter())), doc.view(&uvs[..16]));
    let sparse = json!({
        "bufferView": doc.json["accessors"][tight as usize]["bufferView"],
        "componentType": F32, "count": VERTICES, "type": "VEC2",
        "sparse": {
            "count": 2,
            "indices": {"bufferView": indices, "componentType": U32},
            "values": {"bufferView": values},
        },
    });
    let sparse = doc.push("accessors", sparse);
    doc.attribute("TEXCOORD_2", sparse);
    let order = bytes((0..VERTICES as u32).rev().map(u32::to_le_bytes));
    let order = doc.accessor(U32, "SCALAR", VERTICES, &order);
    doc.json["meshes"][0]["primitives"][0]["indices"] = json!(order);
    doc
}

/// One float in so many bytes, the last of them at the buffer's end.
fn far_apart(stride: usize) -> Doc {
    let mut doc = Doc::triangle().unlit();
    doc.json["meshes"][0]["primitives"][0]["mode"] = json!(0);
    let count = 100;
    let mut data = vec![0xEE; (count - 1) * stride + 12];
    for (i, place) in data.chunks_mut(stride).enumerate() {
        place[..12].copy_from_slice(&[i as f32, 0.5, -1.0].map(f32::to_le_bytes).concat());
    }
    let view = doc.view(&data);
    doc.json["bufferViews"][view as usize]["byteStride"] = json!(stride);
    let accessor = json!({"bufferView": view, "componentType": F32, "count": count, "type": "VEC3"});
    let accessor = doc.push("accessors", accessor);
    doc.attribute("POSITION", accessor);
    doc
}

fn with_image(doc: &mut Doc) {
    let rows: Vec<u8> =
        (0..100).flat_map(|y| std::iter::once(0).chain((0..300).map(move |x| (x ^ y) as u8))).collect();
    let unlit = doc.json["materials"][0].clone();
    doc.image(&raw_png(100, 100, 8, 2, &[], &rows));
    doc.json["materials"][0]["extensions"] = unlit["extensions"].clone();
}

#[track_caller]
fn assert_alike((one, one_report): &(Content, LoadReport), (other, other_report): &(Content, LoadReport)) {
    assert_eq!(one_report.to_string(), other_report.to_string());
    // Not `assert_eq`, which would print them.
    assert!(one.assets.meshes() == other.assets.meshes());
    assert!(one.assets.images() == other.assets.images());
}

/// Loads a document from memory, as a GLB file and as a file with another one beside it, on several numbers of threads.
#[track_caller]
fn load_every_way(mut doc: Doc) -> Content {
    let folder = Folder::new();
    let glb = doc.glb();
    let expected =
        load_from_slice_with("memory", &glb, &FolderResolver::new(&folder.0), &options(1)).unwrap();
    let glb = folder.write("m.glb", &glb);
    doc.json["buffers"] = json!([{"byteLength": doc.binary.len(), "uri": "m.bin"}]);
    folder.write("m.bin", &doc.binary);
    let gltf = folder.write("m.gltf", &doc.gltf());
    for threads in [1, 2, 8] {
        for path in [&glb, &gltf] {
            assert_alike(&expected, &load_with(path, &options(threads)).unwrap());
        }
    }
    expected.0
}

#[test]
fn t_load_large_streams_are_the_same_from_files_as_from_memory_on_any_number_of_threads() {
    let mut doc = large();
    with_image(&mut doc);
    let content = load_every_way(doc);
    let mesh = &content.assets.meshes()[0];
    let number = |i: usize| (i % 1021) as f32 * 0.25;
    for i in [0, 1, 4_095, 4_096, 100_000, VERTICES - 1] {
        assert_eq!(mesh.positions[i].to_array(), [number(i), number(i + 1), number(i + 2)], "{i}");
        assert_eq!(mesh.normals[i].to_array(), [0.0, 0.0, 1.0]);
        assert_eq!(mesh.uv_sets[0][i].to_array(), [number(2 * i), number(2 * i + 1)]);
        assert_eq!(mesh.uv_sets[1][i].x, (2 * i) as u16 as f32 / 65535.0);
        assert_eq!(mesh.uv_sets[2][i], mesh.uv_sets[0][i]);
        assert_eq!(
            mesh.colors[i].to_array(),
            [0, 1, 2].map(|c| (3 * i + c) as u8 as f32 / 255.0).into_iter().chain([1.0]).collect::<Vec<_>>()
                [..]
        );
    }
    assert_eq!([mesh.uv_sets[2][7], mesh.uv_sets[2][200_000]], [mesh.uv_sets[0][0], mesh.uv_sets[0][1]]);
    assert!(mesh.indices.as_ref().unwrap().iter().copied().eq((0..VERTICES as u32).rev()));
    assert_eq!((content.assets.images()[0].width, content.assets.images()[0].pixels()[4]), (100, 3));
}

#[test]
fn elements_far_apart_are_read_each_alone_and_the_last_needs_no_padding() {
    for stride in [1024, 2044, 2048, 200_000] {
        let content = load_every_way(far_apart(stride));
        let positions = &content.assets.meshes()[0].positions;
        assert_eq!(positions.len(), 100);
        assert_eq!(
            [positions[1].to_array(), positions[99].to_array()],
            [[1.0, 0.5, -1.0], [99.0, 0.5, -1.0]]
        );
    }
}

/// What each way of loading says of a document that is to be refused.
#[track_caller]
fn refused_alike(doc: &Doc) -> String {
    let folder = Folder::new();
    let path = folder.write("m.glb", &doc.glb());
    let name = path.display().to_string();
    let files = FolderResolver::new(&folder.0);
    let expected = load_from_slice_with(&name, &doc.glb(), &files, &options(1)).unwrap_err().to_string();
    for threads in [1, 2, 8] {
        assert_eq!(
            load_with(&path, &options(threads)).unwrap_err().to_string(),
            expected,
            "{threads} threads"
        );
    }
    expected
}

#[test]
fn faults_in_large_streams_are_told_alike_on_any_number_of_threads() {
    let doc = large();
    let start = |doc: &Doc, accessor: u64| {
        let view = &doc.json["bufferViews"]
            [doc.json["accessors"][accessor as usize]["bufferView"].as_u64().unwrap() as usize];
        view["byteOffset"].as_u64().unwrap() as usize
    };
    let primitive = doc.json["meshes"][0]["primitives"][0].clone();
    let of = |name: &str| primitive["attributes"][name].as_u64().unwrap();
    // Two components that are no numbers, of which the later may be met first.
    let mut nan = doc.clone();
    for vertex in [200_000, 100_000] {
        let at = start(&nan, of("POSITION")) + 32 * vertex + 4;
        nan.binary[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    }
    holds(&refused_alike(&nan), &["meshes[0].primitives[0]", "positions", "100000"]);
    // The same where the check of a whole stream is left to the end.
    let mut overlay = doc.clone();
    let values = overlay.json["accessors"][of("TEXCOORD_2") as usize]["sparse"]["values"]["bufferView"]
        .as_u64()
        .unwrap();
    let at = overlay.json["bufferViews"][values as usize]["byteOffset"].as_u64().unwrap() as usize;
    overlay.binary[at..at + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    holds(&refused_alike(&overlay), &["meshes[0].primitives[0]", "uv_sets[2]", "vertex 7"]);
    let mut outside = doc.clone();
    let indices = start(&outside, primitive["indices"].as_u64().unwrap());
    for (index, value) in [(240_000, 300_000_u32), (10, VERTICES as u32)] {
        outside.binary[indices + 4 * index..][..4].copy_from_slice(&value.to_le_bytes());
    }
    holds(&refused_alike(&outside), &["meshes[0].primitives[0].indices", "300000"]);
    // One normal in the last block is repaired, and all ways say so.
    let mut long = doc.clone();
    let at = start(&long, of("NORMAL")) + 32 * (VERTICES - 1) + 12 + 8;
    long.binary[at..at + 4].copy_from_slice(&2.0_f32.to_le_bytes());
    let content = load_every_way(long);
    assert_eq!(content.assets.meshes()[0].normals[VERTICES - 1].to_array(), [0.0, 0.0, 1.0]);
}

/// Options under which `change` is called once, when the load has reached this step.
fn at_step(threads: usize, phase: LoadPhase, change: impl Fn() + Send + Sync + 'static) -> LoadOptions {
    let progress = ProgressCallback::new(move |step| {
        if step.phase == phase && step.done == 0 {
            change();
        }
        ControlFlow::Continue(())
    });
    LoadOptions { progress: Some(progress), ..options(threads) }
}

fn shorten(path: &Path, length: u64) -> impl Fn() + Send + Sync + 'static {
    let path = path.to_owned();
    move || std::fs::File::options().write(true).open(&path).unwrap().set_len(length).unwrap()
}

#[test]
fn a_file_that_becomes_shorter_while_it_is_read_is_an_error() {
    let mut doc = large();
    let folder = Folder::new();
    for threads in [1, 2, 8] {
        let path = folder.write("m.glb", &doc.glb());
        let options = at_step(threads, LoadPhase::Meshes, shorten(&path, 3_000_000));
        let error = load_with(&path, &options).unwrap_err();
        assert!(matches!(error, LoadError::Read { .. }), "{error}");
        holds(&error.to_string(), &["m.glb", "became shorter while it was read"]);
    }
    doc.json["buffers"] = json!([{"byteLength": doc.binary.len(), "uri": "m.bin"}]);
    let path = folder.write("m.gltf", &doc.gltf());
    for threads in [1, 2, 8] {
        let data = folder.write("m.bin", &doc.binary);
        let error = load_with(&path, &at_step(threads, LoadPhase::Meshes, shorten(&data, 0))).unwrap_err();
        assert!(matches!(error, LoadError::Resource { .. }), "{error}");
        holds(&error.to_string(), &["m.gltf", "buffers[0].uri", "\"m.bin\"", "became shorter"]);
    }
}

#[test]
fn an_image_in_a_file_that_becomes_shorter_is_an_error() {
    let mut doc = large();
    with_image(&mut doc);
    let folder = Folder::new();
    let path = folder.write("m.glb", &doc.glb());
    let error = load_with(&path, &at_step(2, LoadPhase::Images, shorten(&path, 200_000))).unwrap_err();
    holds(&error.to_string(), &["m.glb", "became shorter while it was read"]);
}

/// A name is looked up once; what it means later makes no difference.
#[cfg(unix)]
#[test]
fn a_file_that_is_gone_or_replaced_while_it_is_read_is_still_the_one_that_was_opened() {
    let mut doc = large();
    let expected = load_every_way(doc.clone());
    let folder = Folder::new();
    doc.json["buffers"] = json!([{"byteLength": doc.binary.len(), "uri": "m.bin"}]);
    let path = folder.write("m.gltf", &doc.gltf());
    let data = folder.write("m.bin", &doc.binary);
    let other = folder.write("other", b"other");
    let replace = move || std::fs::rename(&other, &data).unwrap();
    let (content, _) = load_with(&path, &at_step(2, LoadPhase::Meshes, replace)).unwrap();
    assert!(content.assets.meshes() == expected.assets.meshes());
    assert_eq!(std::fs::read(folder.0.join("m.bin")).unwrap(), b"other");
}

#[test]
fn a_glb_or_buffer_file_that_is_cut_off_is_an_error_wherever_the_cut_is() {
    let mut doc = large();
    let folder = Folder::new();
    let glb = doc.glb();
    for cut in [13, 20, 70_000, glb.len() / 2, glb.len() - 1] {
        let path = folder.write("m.glb", &glb[..cut]);
        let error = load_with(&path, &options(2)).unwrap_err();
        assert!(matches!(error, LoadError::Container { .. }), "{error}");
        holds(&error.to_string(), &["m.glb", "promises", &format!("the file has {cut}")]);
    }
    doc.json["buffers"] = json!([{"byteLength": doc.binary.len(), "uri": "m.bin"}]);
    let path = folder.write("m.gltf", &doc.gltf());
    for cut in [0, 70_000, doc.binary.len() - 1] {
        folder.write("m.bin", &doc.binary[..cut]);
        let error = load_with(&path, &options(2)).unwrap_err().to_string();
        holds(&error, &["buffers[0]", &format!("its data has {cut} bytes")]);
    }
}

/// The limit on a file holds before anything of it is read, and the one on all of them counts those that stay open.
#[test]
fn limits_count_files_that_are_not_in_memory() {
    let mut doc = large();
    let folder = Folder::new();
    let size = doc.binary.len() as u64;
    doc.json["buffers"] = json!([{"byteLength": size, "uri": "m.bin"}]);
    let path = folder.write("m.gltf", &doc.gltf());
    folder.write("m.bin", &doc.binary);
    let load = |limits: LoadLimits| load_with(&path, &LoadOptions { limits, ..LoadOptions::default() });
    let exact = LoadLimits { file_bytes: size, fetched_bytes: size, ..LoadLimits::default() };
    assert!(load(exact.clone()).is_ok());
    holds(
        &load(LoadLimits { file_bytes: size - 1, ..exact.clone() }).unwrap_err().to_string(),
        &["file_bytes", "m.bin"],
    );
    holds(
        &load(LoadLimits { fetched_bytes: size - 1, ..exact.clone() }).unwrap_err().to_string(),
        &["fetched_bytes"],
    );
    // What becomes of it counts as if it had come from memory.
    let bytes = |error: LoadError| match error {
        LoadError::Limit { actual, field: "decoded_bytes", json_path, .. } => (actual, json_path),
        error => panic!("{error}"),
    };
    for decoded_bytes in [1 << 20, 4 << 20, 8 << 20] {
        let limits = LoadLimits { decoded_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits: limits.clone(), ..LoadOptions::default() };
        let files = FolderResolver::new(&folder.0);
        let memory = load_from_slice_with(
            "m",
            &{
                let mut doc = doc.clone();
                doc.json["buffers"] = json!(null);
                doc.gltf()
            },
            &files,
            &options,
        );
        assert_eq!(bytes(load(limits).unwrap_err()), bytes(memory.unwrap_err()));
    }
}

/// A few characters can name the same bytes again and again.
#[test]
fn images_on_overlapping_views_of_a_file_are_not_copied_without_end() {
    let mut doc = large();
    with_image(&mut doc);
    let png = doc.json["bufferViews"][doc.json["images"][0]["bufferView"].as_u64().unwrap() as usize].clone();
    let start = png["byteOffset"].as_u64().unwrap();
    let whole = doc.binary.len() as u64;
    // Each is the picture, with all that follows it, which no decoder reads.
    doc.binary.resize(whole as usize + (2 << 20), 0);
    doc.json["images"] = json!([]);
    for index in 0..50 {
        let view = doc.push(
            "bufferViews",
            json!({"buffer": 0, "byteOffset": start, "byteLength": whole - start + (2 << 20) - index}),
        );
        doc.push("images", json!({"bufferView": view}));
        doc.push("textures", json!({"source": index}));
        doc.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": index}}}));
    }
    let folder = Folder::new();
    let glb = doc.glb();
    let path = folder.write("m.glb", &glb);
    let limits = |file_bytes| LoadOptions {
        limits: LoadLimits { file_bytes, fetched_bytes: 0, ..LoadLimits::default() },
        ..LoadOptions::default()
    };
    let error = load_with(&path, &limits(glb.len() as u64)).unwrap_err();
    assert!(matches!(error, LoadError::Limit { field: "fetched_bytes", .. }), "{error}");
    holds(&error.to_string(), &["overlapping buffer views", "images["]);
    // Enough for all of them.
    assert!(load_with(&path, &limits(50 * glb.len() as u64)).is_ok());
}
