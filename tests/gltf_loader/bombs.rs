//! Small files that ask for much memory. Each runs in a process of its own, whose peak is then read.

use crate::color_types::large_jpeg;
use crate::fixtures::{Doc, F32, Folder, base64, holds};
use crate::images::raw_png;
use fire_engine::gltf::{LoadLimits, LoadOptions, NoFiles, load_from_slice_with, load_with};
use serde_json::json;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;

const CHILD: &str = "FIRE_ENGINE_GLTF_BOMB";

/// Runs the named test again in a child process with `file` as its argument; returns the child's peak memory in MiB
/// where the system tells, and what the load said.
fn in_child(test: &str, file: &Path) -> (Option<u64>, String) {
    outcome(&mut Command::new(std::env::current_exe().unwrap()), test, file)
}

fn outcome(command: &mut Command, test: &str, file: &Path) -> (Option<u64>, String) {
    let output = command
        .args(["--exact", &format!("bombs::{test}"), "--nocapture"])
        .env(CHILD, file)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let after = |mark: &str| text.lines().find_map(|line| Some(line.split_once(mark)?.1.to_owned()));
    (after("peak: ").and_then(|mib| mib.parse().ok()), after("said: ").expect("the child ran the test"))
}

/// In the child: loads the file and prints the outcome and the peak. In the parent: false.
fn is_child() -> bool {
    let Some(file) = std::env::var_os(CHILD) else { return false };
    // Memory is what is short here, not what the limits admit.
    let limits = LoadLimits { unbacked_bytes: u64::MAX, ..LoadLimits::default() };
    // More threads than most machines have, so that what one takes is there several times.
    let threads = NonZeroUsize::new(8);
    match load_with(Path::new(&file), &LoadOptions { limits, threads, ..LoadOptions::default() }) {
        Ok((content, _)) => println!("\nsaid: loaded {} nodes", content.scene.len()),
        Err(error) => println!("\nsaid: {error}"),
    }
    // Only Linux has this file; elsewhere the outcome alone is checked.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
    if let Some(kib) = peak.and_then(|kib| kib.parse::<u64>().ok()) {
        println!("\npeak: {}", kib / 1024);
    }
    true
}

/// A zlib stream of `length` zeros, rounded up to the next multiple of 258 plus 1, in about `length / 158` bytes.
fn zlib_zeros(length: u64) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let (mut bits, mut filled) = (0_u64, 0);
    // Fields go in from the lowest bit; Huffman codes are given here with their bits reversed already.
    let mut put = |out: &mut Vec<u8>, value: u64, width: u32| {
        bits |= value << filled;
        filled += width;
        while filled >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    };
    // One last block with the fixed codes: the literal 0, then copies of 258 bytes from 1 byte back, then the end.
    put(&mut out, 0b011, 3);
    put(&mut out, 0b0000_1100, 8);
    let copies = length.div_ceil(258);
    for _ in 0..copies {
        put(&mut out, 0b1010_0011, 8);
        put(&mut out, 0, 5);
    }
    put(&mut out, 0, 7);
    put(&mut out, 0, 7);
    let sum = (copies * 258 + 1) % 65521;
    out.extend(((sum as u32) << 16 | 1).to_be_bytes());
    out
}

#[test]
fn a_color_profile_that_inflates_without_end_is_not_inflated() {
    if is_child() {
        return;
    }
    for (mib, bound) in [(1, 60), (512, 180)] {
        let mut profile = b"bomb\0\0".to_vec();
        profile.extend(zlib_zeros(mib << 20));
        let mut doc = Doc::triangle();
        doc.image(&raw_png(1, 1, 8, 2, &[(b"iCCP", &profile)], &[0, 1, 2, 3]));
        let folder = Folder::new();
        let (peak, said) = in_child(
            "a_color_profile_that_inflates_without_end_is_not_inflated",
            &folder.write("m.glb", &doc.glb()),
        );
        assert_eq!(said, "loaded 2 nodes");
        assert!(peak.is_none_or(|peak| peak < bound), "{mib} MiB of profile: {peak:?} MiB");
    }
}

/// A document whose images are the normal maps of a material each, so that one that cannot be had refuses nothing.
fn with_normal_maps(images: impl Iterator<Item = Vec<u8>>) -> Doc {
    let mut doc = Doc::triangle();
    for (index, bytes) in images.enumerate() {
        doc.push("images", json!({"uri": format!("data:;base64,{}", base64(&bytes))}));
        doc.push("textures", json!({"source": index}));
        doc.push("materials", json!({"normalTexture": {"index": index}}));
    }
    doc
}

#[test]
fn many_images_that_promise_more_pixels_than_they_have_take_no_memory_for_them() {
    if is_child() {
        return;
    }
    let test = "many_images_that_promise_more_pixels_than_they_have_take_no_memory_for_them";
    let folder = Folder::new();
    // Nearly a GiB of pixels each, by the header; twice that of 16 bits. The text makes each a file of its own.
    let text = |number: u32| [b"number\0", &number.to_be_bytes()[..]].concat();
    let headers =
        |depth| (0..64).map(move |n| raw_png(16_384, 16_300, depth, 6, &[(b"tEXt", &text(n))], &[]));
    for depth in [8, 16] {
        let (peak, said) = in_child(test, &folder.write("m.glb", &with_normal_maps(headers(depth)).glb()));
        assert_eq!(said, "loaded 2 nodes");
        assert!(peak.is_none_or(|peak| peak < 60), "depth {depth}: {peak:?} MiB");
    }
    let lies = (0..64).map(|number| large_jpeg(16_384 - number));
    let (peak, said) = in_child(test, &folder.write("m.glb", &with_normal_maps(lies).glb()));
    assert_eq!(said, "loaded 2 nodes");
    assert!(peak.is_none_or(|peak| peak < 60), "{peak:?} MiB");
}

#[test]
fn color_profiles_that_inflate_without_end_are_not_inflated_by_every_thread() {
    if is_child() {
        return;
    }
    let images = (0..16_u8).map(|number| {
        let mut profile = b"bomb\0\0".to_vec();
        profile.extend(zlib_zeros(48 << 20));
        raw_png(1, 1, 8, 2, &[(b"iCCP", &profile)], &[0, number, 2, 3])
    });
    let folder = Folder::new();
    let (peak, said) = in_child(
        "color_profiles_that_inflate_without_end_are_not_inflated_by_every_thread",
        &folder.write("m.glb", &with_normal_maps(images).glb()),
    );
    assert_eq!(said, "loaded 2 nodes");
    assert!(peak.is_none_or(|peak| peak < 80), "{peak:?} MiB");
}

#[test]
fn one_file_named_by_many_buffers_is_held_once_and_only_as_far_as_it_is_needed() {
    if is_child() {
        return;
    }
    let folder = Folder::new();
    let mut data = Doc::triangle().binary;
    data.resize(16 << 20, 0);
    folder.write("data.bin", &data);
    let mut doc = Doc::triangle();
    doc.json["buffers"] = json!(vec![json!({"byteLength": 36, "uri": "data.bin"}); 64]);
    let file = folder.write("m.gltf", doc.json.to_string().as_bytes());
    let test = "one_file_named_by_many_buffers_is_held_once_and_only_as_far_as_it_is_needed";
    let (peak, said) = in_child(test, &file);
    assert_eq!(said, "loaded 2 nodes");
    assert!(peak.is_none_or(|peak| peak < 80), "{peak:?} MiB");
    // The same file under 64 names is read as often, but only the needed bytes are kept.
    let named = |i: usize| json!({"byteLength": 36, "uri": format!("{}data.bin", "./".repeat(i))});
    doc.json["buffers"] = (0..64).map(named).collect();
    let (peak, said) = in_child(test, &folder.write("m.gltf", doc.json.to_string().as_bytes()));
    assert_eq!(said, "loaded 2 nodes");
    assert!(peak.is_none_or(|peak| peak < 80), "{peak:?} MiB");
}

#[cfg(unix)]
#[test]
fn more_buffer_files_than_a_process_may_open_are_read_all_the_same() {
    if is_child() {
        return;
    }
    let folder = Folder::new();
    let mut data = Doc::triangle().binary;
    data.resize(100_000, 0);
    let mut doc = Doc::triangle();
    let buffer = |i: usize| {
        let uri = format!("{i}.bin");
        folder.write(&uri, &data);
        json!({"byteLength": data.len(), "uri": uri})
    };
    doc.json["buffers"] = (0..200).map(buffer).collect();
    let file = folder.write("m.gltf", doc.json.to_string().as_bytes());
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 64 && exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
    let test = "more_buffer_files_than_a_process_may_open_are_read_all_the_same";
    assert_eq!(outcome(&mut shell, test, &file).1, "loaded 2 nodes");
}

/// Before, a large file was held beside what it became.
#[cfg(target_os = "linux")]
#[test]
fn a_large_file_is_not_held_beside_what_it_becomes() {
    if is_child() {
        return;
    }
    let mut doc = Doc::triangle().unlit();
    let count = 4 << 20;
    let accessor = doc.accessor(F32, "VEC3", count, &vec![0; 12 * count]);
    doc.attribute("POSITION", accessor);
    doc.json["meshes"][0]["primitives"][0]["mode"] = json!(0);
    let folder = Folder::new();
    let (peak, said) =
        in_child("a_large_file_is_not_held_beside_what_it_becomes", &folder.write("m.glb", &doc.glb()));
    assert_eq!(said, "loaded 2 nodes");
    // 48 MiB each.
    assert!(peak.is_some_and(|peak| peak < 70), "{peak:?} MiB");
}

#[test]
fn a_long_name_is_not_copied_for_every_primitive() {
    if is_child() {
        return;
    }
    let mut doc = Doc::triangle();
    let primitive = doc.json["meshes"][0]["primitives"][0].clone();
    let name = "n".repeat(1 << 20);
    doc.json["meshes"][0] = json!({"name": name, "primitives": vec![primitive; 500]});
    doc.json["nodes"][0]["name"] = json!(name);
    let file = Folder::new();
    let test = "a_long_name_is_not_copied_for_every_primitive";
    let (peak, said) = in_child(test, &file.write("m.gltf", &doc.gltf()));
    assert_eq!(said, "loaded 501 nodes");
    assert!(peak.is_none_or(|peak| peak < 60), "{peak:?} MiB");
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_name_of_a_camera_or_light_is_not_copied_for_every_node() {
    if is_child() {
        return;
    }
    let name = "n".repeat(1 << 20);
    let mut doc = Doc::new();
    let camera = json!({"xmag": 1, "ymag": 1, "znear": 0, "zfar": 1});
    doc.json["cameras"] = json!([{"name": name, "type": "orthographic", "orthographic": camera}]);
    doc.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"name": name, "type": "point"}]}});
    let node = json!({"camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}});
    doc.json["nodes"] = json!(vec![node; 1000]);
    doc.json["scenes"] = json!([{"nodes": (0..1000).collect::<Vec<_>>()}]);
    let folder = Folder::new();
    let (peak, said) = in_child(
        "a_long_name_of_a_camera_or_light_is_not_copied_for_every_node",
        &folder.write("m.gltf", &doc.gltf()),
    );
    assert_eq!(said, "loaded 1000 nodes");
    assert!(peak.is_none_or(|peak| peak < 100), "{peak:?} MiB");
}

#[test]
fn millions_of_empty_objects_are_refused_before_they_are_parsed() {
    if is_child() {
        return;
    }
    let test = "millions_of_empty_objects_are_refused_before_they_are_parsed";
    let folder = Folder::new();
    // Parsed and imported, each of these would take hundreds of times its three characters.
    for (list, entry, count) in [("materials", "{}", 5_000_000), ("extensionsUsed", "\"\"", 80_000_000)] {
        let mut text = format!("{{\"asset\": {{\"version\": \"2.0\"}}, \"{list}\": [{entry}");
        text.push_str(&format!(",{entry}").repeat(count));
        text.push_str("]}");
        let (peak, said) = in_child(test, &folder.write("m.gltf", text.as_bytes()));
        holds(&said, &["m.gltf", "objects and lists", "raise LoadLimits::json_bytes"]);
        let bound = 40 + (text.len() as u64 >> 20);
        assert!(peak.is_none_or(|peak| peak < bound), "{list}: {peak:?} MiB");
    }
}

#[test]
fn millions_of_things_to_report_take_no_memory_for_their_rows() {
    if is_child() {
        return;
    }
    let test = "millions_of_things_to_report_take_no_memory_for_their_rows";
    let folder = Folder::new();
    let asset = r#"{"asset": {"version": "2.0"}, "#;
    // Three bytes an entry, and a text of 24 bytes in a list that doubles.
    let list = format!("{asset}\"extensionsUsed\": [\"\"{}]}}", ",\"\"".repeat(2_000_000));
    // Each name is kept, with the path that all of them share.
    let names: String = (0..300_000).map(|i| format!(",\"{i:x}\":0")).collect();
    let named = format!("{asset}\"{}\": {{\"extensions\": {{\"a\":0{names}}}}}}}", "k".repeat(500));
    let mut chunks = b"glTF\x02\0\0\0____".to_vec();
    chunks.extend(
        [&(asset.len() as u32 + 6).to_le_bytes(), &b"JSON"[..], asset.as_bytes(), b"\"a\":0}"].concat(),
    );
    chunks.extend(b"\x01\0\0\0XTRAx".repeat(2_000_000));
    let length = chunks.len() as u32;
    chunks[8..12].copy_from_slice(&length.to_le_bytes());
    for (what, bytes, bound) in
        [("list", list.as_bytes(), 200), ("names", named.as_bytes(), 250), ("chunks", &chunks, 100)]
    {
        let (peak, said) = in_child(test, &folder.write("m.gltf", bytes));
        assert_eq!(said, "loaded 0 nodes");
        assert!(peak.is_none_or(|peak| peak < bound), "{what}: {peak:?} MiB");
    }
}

#[test]
fn the_estimate_of_the_jsons_memory_has_its_own_limit() {
    let text = br#"{"asset": {"version": "2.0"}, "materials": [{}, {}]}"#;
    // Four objects of 1 KiB, and two commas of 64 bytes.
    for (json_bytes, fits) in [(4 * 1024 + 2 * 64, true), (4 * 1024 + 2 * 64 - 1, false)] {
        let limits = LoadLimits { json_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        let loaded = load_from_slice_with("m.gltf", text, &NoFiles, &options);
        assert_eq!(loaded.is_ok(), fits, "{:?}", loaded.err());
    }
}

#[test]
fn short_memory_is_an_error_and_not_an_abort() {
    if is_child() {
        return;
    }
    let folder = Folder::new();
    let mut zeros = Doc::triangle();
    zeros.json["accessors"][0] = json!({"componentType": 5126, "count": 300_000_000, "type": "VEC3"});
    let mut image = Doc::triangle();
    image.image(&raw_png(16_384, 16_384, 16, 6, &[], &[]));
    let mut color = Doc::triangle();
    color.json["accessors"][0] = json!({"componentType": 5126, "count": 60_000_000, "type": "VEC3"});
    color.attribute("COLOR_0", 0);
    // What is computed needs memory too: normals besides positions, and room to find tangents in.
    let mut flat = Doc::triangle();
    flat.json["accessors"][0] = json!({"componentType": 5126, "count": 90_000_000, "type": "VEC3"});
    let mut mapped = Doc::triangle();
    mapped.json["accessors"][0] = json!({"componentType": 5126, "count": 9_000_000, "type": "VEC3"});
    let uv = mapped.push("accessors", json!({"componentType": 5126, "count": 9_000_000, "type": "VEC2"}));
    mapped.attribute("TEXCOORD_0", uv);
    mapped.textured();
    mapped.json["textures"] = json!([{}]);
    mapped.json["materials"] = json!([{"normalTexture": {"index": 0}}]);
    for (doc, path, address_space) in [
        (zeros, "accessors[0]", 2_000_000),
        // Its pixels alone are 1 GiB.
        (image, "images[0]", 1_000_000),
        (color, "meshes[0].primitives[0].attributes.COLOR_0", 2_000_000),
        (flat, "meshes[0].primitives[0]: no", 2_000_000),
        (mapped, "meshes[0].primitives[0]: no", 2_000_000),
    ] {
        let file = folder.write("m.glb", &doc.glb());
        let mut shell = Command::new("sh");
        let run = format!("ulimit -v {address_space} && exec \"$0\" \"$@\"");
        shell.args(["-c", &run]).arg(std::env::current_exe().unwrap());
        let (_, said) = outcome(&mut shell, "short_memory_is_an_error_and_not_an_abort", &file);
        holds(&said, &["m.glb", path, "no memory for"]);
    }
}
