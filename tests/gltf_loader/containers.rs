//! GLB and JSON, versions and extensions.

use crate::fixtures::{Doc, glb, holds};
use fire_engine::gltf::{LoadError, NoFiles, NoteKind, Severity, load, load_from_slice};
use serde_json::json;

#[test]
fn missing_input_file_could_not_be_read() {
    let error = load("no/such/file.gltf").unwrap_err();
    assert!(matches!(error, LoadError::Read { .. }));
    holds(&error.to_string(), &["could not read", "no/such/file.gltf"]);
}

#[test]
fn a_folder_is_not_a_document() {
    let error = load(env!("CARGO_MANIFEST_DIR")).unwrap_err();
    holds(&error.to_string(), &["could not read", "not a regular file"]);
}

#[test]
fn glb_and_json_give_the_same_content() {
    let doc = Doc::turning();
    let (text, _) = load_from_slice(&doc.gltf(), &NoFiles).unwrap();
    let (binary, report) = load_from_slice(&doc.glb(), &NoFiles).unwrap();
    assert_eq!(text.assets.meshes(), binary.assets.meshes());
    assert_eq!(text.animations[0].samplers(), binary.animations[0].samplers());
    assert!(report.is_empty(), "{report}");
}

#[test]
fn glb_truncated_at_every_byte_is_an_error_and_never_a_panic() {
    let bytes = Doc::triangle().glb();
    for length in 0..bytes.len() {
        assert!(load_from_slice(&bytes[..length], &NoFiles).is_err(), "{length}");
        // The same cut with a header that agrees with it.
        let mut cut = bytes[..length].to_vec();
        if let Some(field) = cut.get_mut(8..12) {
            field.copy_from_slice(&(length as u32).to_le_bytes());
        }
        assert!(load_from_slice(&cut, &NoFiles).is_err(), "{length}");
    }
}

#[test]
fn glb_buffer_may_be_up_to_its_padding_shorter_than_the_chunk() {
    let mut doc = Doc::triangle();
    doc.binary.extend([0xEE; 3]);
    doc.json["buffers"] = json!([{"byteLength": 36}]);
    assert!(load_from_slice(&glb(doc.json.to_string().as_bytes(), &doc.binary), &NoFiles).is_ok());
}

#[test]
fn glb_without_binary_data_names_the_buffer() {
    let mut doc = Doc::triangle();
    doc.json["buffers"] = json!([{"byteLength": 36}]);
    let error = load_from_slice(doc.json.to_string().as_bytes(), &NoFiles).unwrap_err();
    holds(&error.to_string(), &["bufferViews[0]", "buffers[0]", "uri"]);
}

#[test]
fn bad_json_names_line_and_path() {
    let message = load_from_slice(b"{\"asset\": }", &NoFiles).unwrap_err().to_string();
    holds(&message, &["could not parse", "line 1"]);
    let mut doc = Doc::triangle();
    doc.json["meshes"][0]["primitives"][0]["attributes"] = json!([1]);
    holds(&doc.refusal(), &["could not parse", "meshes[0].primitives[0].attributes", "line 1"]);
    for garbage in
        [&b""[..], b"\xFF\xFE", b"[]", b"null", b"{", b"glTF", b"{\"asset\": {\"version\": \"\xFF\"}}"]
    {
        assert!(load_from_slice(garbage, &NoFiles).is_err());
    }
}

#[test]
fn deeply_nested_json_is_an_error_and_never_a_stack_overflow() {
    let deep = format!("{{\"asset\": {{\"version\": \"2.0\"}}, \"extras\": {}", "[".repeat(1_000_000));
    assert!(matches!(load_from_slice(deep.as_bytes(), &NoFiles), Err(LoadError::Json { .. })));
    let nodes = format!("{{\"nodes\": {}", "[".repeat(1_000_000));
    assert!(matches!(load_from_slice(nodes.as_bytes(), &NoFiles), Err(LoadError::Json { .. })));
}

#[test]
fn versions_2_x_load_and_others_are_refused() {
    for (version, minimum, loads) in [
        ("2.0", None, true),
        ("2.1", None, true),
        ("2.1", Some("2.0"), true),
        ("1.0", None, false),
        ("3.0", None, false),
        ("2.1", Some("2.1"), false),
        ("two", None, false),
    ] {
        let mut doc = Doc::triangle();
        doc.json["asset"] = json!({"version": version, "minVersion": minimum});
        assert_eq!(doc.load().is_ok(), loads, "{version} {minimum:?}");
    }
    let mut doc = Doc::triangle();
    doc.json["asset"] = json!({"version": "1.0"});
    holds(&doc.refusal(), &["asset.version", "1.0", "glTF 2.0"]);
    doc.json["asset"] = json!(null);
    holds(&doc.refusal(), &["could not parse", "asset"]);
}

#[test]
fn required_extensions_are_refused_naming_every_one() {
    let mut doc = Doc::triangle();
    let names = ["KHR_materials_unlit", "KHR_materials_transmission", "KHR_draco_mesh_compression"];
    doc.json["extensionsUsed"] = json!(names);
    doc.json["extensionsRequired"] = json!(names);
    let error = doc.load().unwrap_err();
    let LoadError::RequiredExtensions { names, .. } = &error else { panic!("{error}") };
    assert_eq!(names, &["KHR_materials_transmission", "KHR_draco_mesh_compression"]);
    holds(
        &error.to_string(),
        &["unsupported glTF data", "KHR_materials_transmission, KHR_draco_mesh_compression"],
    );
}

#[test]
fn supported_extensions_may_be_required() {
    let mut doc = Doc::triangle();
    doc.json["extensionsRequired"] =
        json!(["KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization"]);
    assert!(doc.load().unwrap().1.is_empty());
}

#[test]
fn optional_unknown_extensions_are_reported() {
    let mut doc = Doc::triangle();
    doc.json["extensionsUsed"] = json!(["KHR_materials_unlit", "ACME_gizmo"]);
    let (_, report) = doc.load().unwrap();
    assert_eq!(report.len(), 1);
    let note = &report.rows[0];
    assert_eq!((note.severity, note.kind), (Severity::Warning, NoteKind::Ignored));
    assert_eq!(note.json_path, "extensionsUsed[1]");
    holds(&report.to_string(), &["warning", "ACME_gizmo"]);
}

#[test]
fn the_same_file_gives_the_same_report() {
    let mut doc = Doc::turning();
    doc.json["extensionsUsed"] = json!(["B_b", "A_a"]);
    doc.json["cameras"] =
        json!([{"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0, "zfar": 1}}]);
    for name in ["NORMAL", "TANGENT", "_CUSTOM"] {
        doc.attribute(name, 0);
    }
    let (_, first) = doc.load().unwrap();
    for _ in 0..8 {
        assert_eq!(doc.load().unwrap().1, first);
    }
    let paths: Vec<_> = first.iter().map(|note| note.json_path.as_str()).collect();
    let expected =
        ["extensionsUsed[0]", "extensionsUsed[1]", "meshes[0].primitives[0].attributes", "cameras[0]"];
    assert_eq!(paths, expected);
    assert_eq!(first.to_string().lines().count(), first.len());
    assert_eq!(first.of_severity(Severity::Warning).count(), 2);
}
