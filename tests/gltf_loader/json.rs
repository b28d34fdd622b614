//! JSON in unusual spellings, which are read, and JSON that breaks glTF's rules for it, which is not.

use crate::fixtures::{Doc, base64, holds};
use fire_engine::gltf::{LoadReport, NoFiles, NoteKind, load_from_slice};
use fire_engine::math::Vec3;
use serde_json::json;

fn text() -> String {
    String::from_utf8(Doc::triangle().unlit().gltf()).unwrap()
}

/// The text with one part replaced that it has.
#[track_caller]
fn with(part: &str, other: &str) -> String {
    let text = text();
    assert!(text.contains(part), "{text}");
    text.replacen(part, other, 1)
}

#[track_caller]
fn refusal(text: &str) -> String {
    load_from_slice(text.as_bytes(), &NoFiles).unwrap_err().to_string()
}

#[track_caller]
fn report(text: &str) -> LoadReport {
    load_from_slice(text.as_bytes(), &NoFiles).unwrap().1
}

/// JSON has one type of number, so `1e2` is as good an integer as `100`.
#[test]
fn whole_numbers_may_be_spelled_in_any_way() {
    let data = base64(&Doc::triangle().binary);
    let text = format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": -0, "scenes": [{{"nodes": [0.0]}}], "nodes": [{{"mesh": 0e9}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0.0e0}}, "mode": 400e-2}}]}}],
        "accessors": [{{"bufferView": 0, "byteOffset": -0.0, "componentType": 5.126E3, "count": 0.3e+1, "type": "VEC3"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 3.6e1}}],
        "buffers": [{{"byteLength": 36.0, "uri": "data:;base64,{data}"}}]}}"#
    );
    let (content, _) = load_from_slice(text.as_bytes(), &NoFiles).unwrap();
    assert_eq!(content.assets.meshes()[0].positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
}

#[test]
fn keys_and_words_may_hold_escapes() {
    let text = with("\"nodes\"", "\"n\\u006fdes\"")
        .replace("POSITION", "POSIT\\u0049ON")
        .replace("VEC3", "VEC\\u0033");
    assert!(report(&text).is_empty());
}

/// Keys are unique (glTF 2.0, "JSON Encoding"); which of two is meant, nobody knows.
#[test]
fn keys_that_are_there_twice_are_refused_with_their_place() {
    let unlit = r#""KHR_materials_unlit":{}"#;
    for (part, twice, place) in [
        (r#""scene":0"#, r#""scene":0,"scene":0"#, "duplicate field `scene`"),
        (r#""name":"N""#, r#""name":"N","name":"N""#, "nodes[0]: duplicate field `name`"),
        (
            r#""POSITION":0"#,
            r#""POSITION":0,"POSITION":0"#,
            "meshes[0].primitives[0].attributes: duplicate name `POSITION`",
        ),
        (
            r#""attributes""#,
            r#""targets":[{},{"NORMAL":0,"NORMAL":0}],"attributes""#,
            "meshes[0].primitives[0].targets[1]: duplicate name `NORMAL`",
        ),
        (
            unlit,
            &format!("{unlit},{unlit}"),
            "materials[0].extensions: duplicate field `KHR_materials_unlit`",
        ),
        (
            r#""mesh":0"#,
            r#""mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"SCALE":0,"_A":0,"SCALE":0}}}"#,
            "nodes[0].extensions.EXT_mesh_gpu_instancing.attributes: duplicate name `SCALE`",
        ),
    ] {
        holds(&refusal(&with(part, twice)), &["could not parse", place, "line 1"]);
    }
}

#[test]
fn syntax_faults_have_the_path_of_the_value_around_them() {
    for (text, start) in [
        (with("}]}", "}],}"), "could not parse glTF in memory: meshes[0]: trailing comma"),
        (text().trim_end_matches('}').to_owned() + ",}", "could not parse glTF in memory: trailing comma"),
        (text() + "{}", "could not parse glTF in memory: trailing characters"),
        (text() + "\0", "could not parse glTF in memory: trailing characters"),
    ] {
        let message = refusal(&text);
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn an_extension_that_is_no_object_is_refused() {
    for other in ["5", "true", "\"x\"", "[]"] {
        let text = with(r#""KHR_materials_unlit":{}"#, &format!(r#""KHR_materials_unlit":{other}"#));
        holds(&refusal(&text), &["materials[0].extensions.KHR_materials_unlit", "expected a JSON object"]);
    }
    // The extension may grow members.
    assert!(
        report(&with(r#""KHR_materials_unlit":{}"#, r#""KHR_materials_unlit":{"extras":1,"x":[{}]}"#))
            .is_empty()
    );
}

/// What no one reads may hold what no one can read, but what follows it cannot be told apart any more.
#[test]
fn extras_behind_what_cannot_be_read_are_reported_with_its_place() {
    let text = with(r#""mesh":0"#, r#""mesh":0,"ACME":{"a":["\ud800"]},"extras":{"kept":false}"#);
    let report = report(&text);
    let [row] = &report.rows[..] else { panic!("{report}") };
    assert_eq!((row.json_path.as_str(), row.kind), ("nodes[0].ACME.a[0]", NoteKind::Ignored));
    holds(&row.message, &["extensions and extras from here on", "hex escape"]);
    assert!(!row.message.contains("line"), "{row}");
    // In extras themselves everything is the application's.
    let text = with(r#""mesh":0"#, r#""mesh":0,"extras":{"a":["\ud800", 1e400]}"#);
    assert!(self::report(&text).is_empty());
}

/// Section 3.6.2.4 of glTF 2.0 for strides, its schema for cutoffs.
#[test]
fn what_breaks_a_rule_and_does_no_harm_is_reported() {
    for (stride, rows) in [(12, 0), (252, 0), (256, 1), (1000, 1)] {
        let mut doc = Doc::triangle().unlit();
        doc.binary.resize(3000, 0);
        doc.json["bufferViews"][0]["byteLength"] = json!(3000);
        doc.json["bufferViews"][0]["byteStride"] = json!(stride);
        let (_, report) = doc.load().unwrap();
        assert_eq!(report.iter().filter(|note| note.json_path == "bufferViews[0]").count(), rows, "{report}");
        assert_eq!(report.len(), rows, "{report}");
    }
    let mut doc = Doc::triangle().unlit();
    doc.json["materials"][0]["alphaMode"] = json!("MASK");
    doc.json["materials"][0]["alphaCutoff"] = json!(-1);
    assert_eq!(doc.noted(), ["materials[0].alphaCutoff"]);
    doc.json["materials"][0]["alphaCutoff"] = json!(7);
    assert!(doc.noted().is_empty());
}
