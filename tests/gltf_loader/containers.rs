//! GLB and JSON, versions and extensions.

use crate::fixtures::{Doc, base64, glb, holds};
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
    let doc = Doc::turning().unlit();
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

/// 44: a required extension that is not supported is a message, not an empty window.
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

/// 44: neither is one that another build supports.
#[test]
fn a_required_extension_that_a_crate_feature_adds_is_refused_naming_the_feature() {
    let mut doc = Doc::triangle();
    doc.json["extensionsRequired"] = json!(["EXT_texture_webp"]);
    if cfg!(feature = "webp") {
        assert!(doc.load().is_ok());
    } else {
        holds(&doc.refusal(), &["EXT_texture_webp; turn on the crate feature \"webp\" or export"]);
    }
    doc.json["extensionsRequired"] = json!(["KHR_texture_basisu"]);
    if cfg!(feature = "basisu") {
        assert!(doc.load().is_ok());
        return;
    }
    holds(&doc.refusal(), &["KHR_texture_basisu; turn on the crate feature \"basisu\" or export"]);
    doc.json["extensionsRequired"] = json!(["ACME_gizmo", "KHR_texture_basisu"]);
    holds(
        &doc.refusal(),
        &[
            "ACME_gizmo, KHR_texture_basisu; turn on the crate feature \"basisu\" and export the file without the others",
        ],
    );
    doc.json.as_object_mut().unwrap().remove("extensionsRequired");
    doc.json["extensionsUsed"] = json!(["KHR_texture_basisu"]);
    holds(&doc.load().unwrap().1.to_string(), &["extensionsUsed[0]", "without the crate feature \"basisu\""]);
}

/// 44: the ones that are supported are no obstacle.
#[test]
fn supported_extensions_may_be_required() {
    let mut doc = Doc::triangle().unlit();
    doc.json["extensionsRequired"] =
        json!(["KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization"]);
    assert!(doc.load().unwrap().1.is_empty());
}

/// 43: what a file asks for in vain is listed.
#[test]
fn optional_unknown_extensions_are_reported() {
    let mut doc = Doc::triangle().unlit();
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
    for name in ["NORMAL", "COLOR_1", "_CUSTOM"] {
        doc.attribute(name, 0);
    }
    let (_, first) = doc.load().unwrap();
    for _ in 0..8 {
        assert_eq!(doc.load().unwrap().1, first);
    }
    let paths: Vec<_> = first.iter().map(|note| note.json_path.as_str()).collect();
    let expected = [
        "extensionsUsed[0]",
        "extensionsUsed[1]",
        "meshes[0].primitives[0].attributes.NORMAL",
        "meshes[0].primitives[0].attributes",
        "meshes[0].primitives[0]",
        "cameras[0]",
    ];
    assert_eq!(paths, expected);
    assert_eq!(first.to_string().lines().count(), first.len());
    assert_eq!(first.of_severity(Severity::Warning).count(), 4);
}

#[test]
fn extensions_that_objects_carry_undeclared_are_reported_once_each() {
    let mut doc = Doc::triangle().unlit();
    doc.json["extensionsUsed"] = json!([]);
    doc.json["nodes"][0]["extensions"] = json!({"ACME_gizmo": {}});
    doc.json["nodes"][0]["extras"] = json!({"extensions": {"NOT_this": {}}});
    doc.json["scenes"][0]["extensions"] = json!({"ACME_gizmo": {}, "ACME_fog": {}});
    let (content, report) = doc.load().unwrap();
    assert!(content.assets.materials()[0].unlit, "it is read all the same");
    let rows: Vec<_> = report.iter().map(|note| (note.json_path.as_str(), note.kind)).collect();
    let expected = [
        ("scenes[0].extensions", NoteKind::Ignored),
        ("nodes[0].extensions", NoteKind::Ignored),
        ("materials[0].extensions", NoteKind::Repaired),
    ];
    assert_eq!(rows, expected);
    holds(
        &report.to_string(),
        &["ACME_fog is used and not declared", "KHR_materials_unlit is used and not declared"],
    );
    doc.json["extensionsUsed"] = json!(["KHR_materials_unlit"]);
    doc.json["extensionsRequired"] = json!(["KHR_materials_unlit"]);
    assert_eq!(doc.noted(), ["scenes[0].extensions", "nodes[0].extensions"]);
}

#[test]
fn an_error_and_its_sources_say_everything_once() {
    let mut file = Doc::triangle();
    file.json["buffers"] = json!([{"byteLength": 36, "uri": "x.bin"}]);
    let mut node = Doc::triangle();
    node.json["nodes"][0]["scale"] = json!([1e39, 1, 1]);
    let mut content = Doc::triangle();
    content.binary[0..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let missing = load("no/such/file.gltf").unwrap_err();
    let loaded = [file, node, content].map(|doc| doc.load().unwrap_err());
    for (error, part) in loaded.into_iter().chain([missing]).zip([
        "embed the data",
        "not finite",
        "give finite numbers",
        "os error",
    ]) {
        let mut chain = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(error) = source {
            chain = format!("{chain}: {error}");
            source = error.source();
        }
        assert_eq!(chain.matches(part).count(), 1, "{chain}");
    }
}

/// Puts a text of control characters and 100,000 more into each place where a document has a free text.
#[test]
fn no_text_of_a_file_breaks_or_floods_a_message() {
    let text = format!("\n\u{1b}[2J\u{202e}{}", "x".repeat(100_000));
    let uri = format!("{text}.bin");
    let base = Doc::turning();
    let turned = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut doc = base.clone();
        change(&mut doc.json);
        doc
    };
    let named =
        |names: &[&str]| -> serde_json::Value { names.iter().map(|n| format!("{n}{text}")).collect() };
    let many: Vec<String> = (0..1000).map(|i| format!("EXT_{i}")).collect();
    let refused = [
        turned(&|json| json["asset"]["version"] = json!(text)),
        turned(&|json| json["asset"]["version"] = json!(format!("{}1.0", "0".repeat(100_000)))),
        turned(&|json| json["asset"]["minVersion"] = json!(format!("{}3.0", "0".repeat(100_000)))),
        turned(&|json| json["asset"]["version"] = json!({text.clone(): 1})),
        turned(&|json| json["scene"] = json!(text)),
        turned(&|json| json["meshes"][0]["primitives"][0]["attributes"] = json!({text.clone(): "x"})),
        turned(&|json| json["meshes"][0]["primitives"][0]["attributes"] = json!({text.clone(): 9999})),
        turned(&|json| json["meshes"][0]["primitives"][0]["targets"] = json!([{text.clone(): 9999}])),
        turned(&|json| json["extensionsRequired"] = named(&["A", "B"])),
        turned(&|json| json["extensionsRequired"] = json!(many)),
        turned(&|json| json["buffers"] = json!([{"byteLength": 36, "uri": uri}])),
        turned(&|json| json["buffers"] = json!([{"byteLength": 36, "uri": format!("a:{text}")}])),
        turned(&|json| json["accessors"][0]["type"] = json!(text)),
        turned(&|json| json["materials"] = json!([{"alphaMode": text}])),
        turned(&|json| json["cameras"] = json!([{"type": text}])),
        turned(&|json| json["animations"][0]["samplers"][0]["interpolation"] = json!(text)),
        turned(&|json| {
            json["textures"] = json!([{"extensions": {text.clone(): {}}}]);
            json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
        }),
        turned(&|json| {
            json["buffers"] = json!([{"byteLength": 400}]);
            json["bufferViews"][0]["extensions"] = json!({text.clone(): {}});
        }),
        turned(&|json| {
            json["nodes"][0] = json!({"name": text, "scale": [1e39, 1, 1]});
            json["animations"] = json!([]);
        }),
    ];
    let fine = |message: &str| message.len() < 2500 && !message.contains(['\n', '\u{1b}', '\u{202e}']);
    for (index, doc) in refused.iter().enumerate() {
        let message = doc.refusal();
        assert!(fine(&message), "{index}: {} bytes: {message:.3000}", message.len());
    }
    let loaded = turned(&|json| {
        json["materials"] = json!([{"extensions": {text.clone(): {}}}]);
        json["extensionsUsed"] = named(&["A"]);
        json["meshes"][0]["primitives"][0]["attributes"][&text] = json!(0);
        json["nodes"][0]["name"] = json!(text);
        let mut unplayed = json["animations"][0].clone();
        unplayed["channels"][0]["target"]["path"] = json!(text);
        json["animations"][0]["name"] = json!(text);
        json["accessors"][1] = json!({"componentType": 5126, "count": 3, "type": "SCALAR"});
        json["animations"].as_array_mut().unwrap().push(unplayed);
    });
    let (_, report) = loaded.load().unwrap();
    assert!(report.len() > 5);
    for note in &report {
        assert!(fine(&note.to_string()), "{note:.3000}");
    }
}

#[test]
fn an_array_where_an_object_belongs_is_an_error_everywhere() {
    let whole = json!({
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "extensions": {
            "KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {"outerConeAngle": 1}}]},
            "KHR_materials_variants": {"variants": [{"name": "a"}]}
        },
        "nodes": [{"mesh": 0, "extensions": {
            "KHR_lights_punctual": {"light": 0},
            "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}}
        }}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0, "extensions": {
            "KHR_materials_variants": {"mappings": [{"material": 0, "variants": [0]}]}
        }}]}],
        "materials": [{
            "pbrMetallicRoughness": {"baseColorTexture": {
                "index": 0, "extensions": {"KHR_texture_transform": {"scale": [1, 1]}}
            }},
            "extensions": {"KHR_materials_unlit": {}}
        }],
        "textures": [{"sampler": 0, "source": 0}],
        "samplers": [{"wrapS": 10497}],
        "images": [{"uri": "a.png"}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            "samplers": [{"input": 0, "output": 0}]
        }],
        "accessors": [{
            "componentType": 5126, "count": 1, "type": "VEC3",
            "sparse": {
                "count": 1,
                "indices": {"bufferView": 0, "componentType": 5125},
                "values": {"bufferView": 0}
            }
        }],
        "bufferViews": [{"buffer": 0, "byteLength": 16}],
        "buffers": [{"byteLength": 16}],
        "cameras": [
            {"type": "perspective", "perspective": {"yfov": 1, "znear": 1}},
            {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0, "zfar": 1}}
        ],
        "skins": [{"joints": [0]}]
    });
    let mut objects = vec![String::new()];
    let mut at = 0;
    while let Some(pointer) = objects.get(at).cloned() {
        let children: Vec<String> = match whole.pointer(&pointer).unwrap() {
            serde_json::Value::Object(map) => map.keys().map(|key| format!("{pointer}/{key}")).collect(),
            serde_json::Value::Array(list) => {
                (0..list.len()).map(|index| format!("{pointer}/{index}")).collect()
            }
            _ => Vec::new(),
        };
        objects.extend(children);
        at += 1;
    }
    // Of an extension without properties only the name is read.
    objects.retain(|pointer| {
        whole.pointer(pointer).unwrap().is_object() && !pointer.ends_with("KHR_materials_unlit")
    });
    assert!(objects.len() > 30, "{objects:?}");
    for pointer in objects {
        let mut broken = whole.clone();
        let object = broken.pointer_mut(&pointer).unwrap();
        // The object's own values in a row: what a lenient parser takes for it.
        let values: Vec<_> = object.as_object().unwrap().values().cloned().collect();
        *object = values.into();
        let error = load_from_slice(broken.to_string().as_bytes(), &NoFiles).unwrap_err().to_string();
        assert!(
            matches!(error.as_str(), text if text.contains("invalid type: sequence")),
            "{pointer}: {error}"
        );
        assert!(!error.contains("struct "), "{pointer}: {error}");
    }
}

#[test]
fn what_a_glb_holds_besides_its_json_and_buffers_is_reported() {
    let notes = |bytes: &[u8]| {
        let (_, report) = load_from_slice(bytes, &NoFiles).unwrap();
        report.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let doc = Doc::triangle().unlit();
    let with_chunks = |count: usize| {
        let mut bytes = doc.glb();
        bytes.extend(b"\x04\0\0\0XTRA\x01\x02\x03\x04".repeat(count));
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    };
    assert_eq!(notes(&with_chunks(0)), [""; 0]);
    for count in [1, 3] {
        let rows = notes(&with_chunks(count));
        assert_eq!(rows.len(), 1, "{rows:?}");
        holds(&rows[0], &["info: document: ignored", &format!("skipped: {count}"), "chunk 2", "\"XTRA\""]);
    }
    // Up to three bytes are padding (section 4.4.3.3).
    let declared = |json: serde_json::Value, surplus: usize| {
        let mut binary = doc.binary.clone();
        binary.resize(binary.len() + surplus, 7);
        glb(json.to_string().as_bytes(), &binary)
    };
    let mut json = doc.json.clone();
    json["buffers"] = json!([{"byteLength": 36}]);
    assert_eq!(notes(&declared(json.clone(), 0)), [""; 0]);
    holds(&notes(&declared(json.clone(), 8))[0], &["8 bytes of the GLB's binary chunk"]);
    // Another file is buffer 0, or there is no buffer at all.
    json["buffers"][0]["uri"] = json!(format!("data:;base64,{}", base64(&doc.binary)));
    holds(&notes(&declared(json, 0))[0], &["36 bytes of the GLB's binary chunk", "no buffer"]);
    let bare = json!({"asset": {"version": "2.0"}});
    holds(&notes(&declared(bare, 0))[0], &["36 bytes of the GLB's binary chunk", "no buffer"]);
}
