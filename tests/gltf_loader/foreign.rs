//! Files of other kinds, and of glTF 1.0.

use crate::fixtures::{glb, holds};
use crate::images::raw_png;
use fire_engine::gltf::{LoadError, NoFiles, load_from_slice};
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
