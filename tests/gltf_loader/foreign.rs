//! Files of other kinds, and of glTF 1.0.

use crate::fixtures::{Folder, glb, holds};
use crate::images::raw_png;
use fire_engine::gltf::{
    LoadError, LoadLimits, LoadOptions, NoFiles, load, load_from_slice, load_from_slice_with,
};
use serde_json::json;

#[test]
fn a_file_that_is_no_gltf_is_told_from_one_with_a_mistake() {
    let error = |bytes: &[u8]| load_from_slice(bytes, &NoFiles).unwrap_err();
    for (bytes, what) in [
        (&b"hello there"[..], "text that is not JSON"),
        (&raw_png(1, 1, 8, 0, &[], &[0, 7]), "a PNG image"),
        (b"<!DOCTYPE html>\n<html><title>404</title></html>", "a web page"),
        (b"# Blender\nmtllib cube.mtl\no Cube\nv 1.0 1.0 -1.0\n", "an OBJ model"),
        (b"\n\n", "nothing but white space"),
    ] {
        let error = error(bytes);
        assert!(matches!(error, LoadError::NotGltf { .. }), "{error}");
        // What it seems to be, what was expected, what the parser said, and what to do.
        holds(
            &error.to_string(),
            &["glTF in memory", what, "neither a GLB nor JSON", "line ", "name a .glb or .gltf file"],
        );
    }
    holds(&error(b"").to_string(), &["the file is empty"]);
    // Text that is meant to be JSON, and the JSON of a GLB, have their own faults.
    let unclosed = b"{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [}";
    let commented = b"// model\n{\"asset\": {\"version\": \"2.0\"}}";
    for (bytes, part) in [
        (&unclosed[..], "line 1 column 41"),
        (commented, "line 1 column 1"),
        (b"[1, 2]", "expected a JSON object"),
        (&glb(b"hello there", &[]), "expected value at line 1"),
        (&glb(b"", &[]), "EOF"),
    ] {
        let error = error(bytes);
        assert!(matches!(error, LoadError::Json { .. }), "{error}");
        holds(&error.to_string(), &[part, "correct the JSON"]);
    }
}

/// A film of a gigabyte was read as a whole, copied with its faults mended, and then refused for how many braces it has.
#[test]
fn a_large_file_that_is_no_gltf_is_refused_by_its_beginning() {
    let mut bytes = b"PK\x03\x04".to_vec();
    bytes.resize(5_000_000, b'{');
    let folder = Folder::new();
    let path = folder.write("m.gltf", &bytes);
    for error in [load_from_slice(&bytes, &NoFiles).unwrap_err(), load(&path).unwrap_err()] {
        assert!(matches!(error, LoadError::NotGltf { .. }), "{error}");
        holds(&error.to_string(), &["a ZIP archive", "expected value at line 1 column 1"]);
    }
}

/// What is not UTF-8 grows when it is mended, so that counts.
#[test]
fn text_that_is_not_utf_8_is_mended_within_the_limit_on_json() {
    let mut bytes = br#"{"asset": {"version": "2.0"}, "skipped": ""#.to_vec();
    bytes.resize(bytes.len() + 100_000, 0xFF);
    bytes.extend(br#"", "extras": {"a": "#);
    bytes.extend(b"\"\xFF\"}}");
    let load = |json_bytes| {
        let limits = LoadLimits { json_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_from_slice_with("wrong", &bytes, &NoFiles, &options)
    };
    let error = load(299_000).unwrap_err();
    assert!(matches!(error, LoadError::Limit { field: "json_bytes", .. }), "{error}");
    let (_, report) = load(301_000).unwrap();
    holds(&report.to_string(), &["not UTF-8"]);
}

#[test]
fn gltf_1_0_is_refused_as_such_in_either_container() {
    // The header of glTF 1.0's binary extension: magic, version, length, content length, content format.
    let json = json!({"asset": {"version": "1.0"}, "buffers": {"b": {"byteLength": 0}}, "nodes": {"n": {}}})
        .to_string();
    let mut glb = b"glTF\x01\0\0\0".to_vec();
    glb.extend((json.len() as u32 + 20).to_le_bytes());
    glb.extend((json.len() as u32).to_le_bytes());
    glb.extend([0; 4]);
    glb.extend(json.as_bytes());
    for (bytes, part) in
        [(&glb[..], "GLB of version 1, where 2"), (json.as_bytes(), "asset.version: version 1.0, where 2.0")]
    {
        let error = load_from_slice(bytes, &NoFiles).unwrap_err();
        assert!(matches!(error, LoadError::Version { .. }), "{error}");
        holds(&error.to_string(), &[part, "export the file as glTF 2.0"]);
    }
    // A document of 2.0 with such a mistake is told its place.
    let json = json!({"asset": {"version": "2.0"}, "nodes": {"n": {}}}).to_string();
    holds(
        &load_from_slice(json.as_bytes(), &NoFiles).unwrap_err().to_string(),
        &["nodes: invalid type: map"],
    );
}
