//! Compressed views in a build without the feature `meshopt`.

use super::fixtures::{Doc, holds};
use fire_engine::gltf::{LoadError, Severity};
use serde_json::json;

/// The triangle with a compressed form that this build does not look at.
fn document(name: &str) -> Doc {
    let mut doc = Doc::triangle().unlit();
    doc.json["extensionsUsed"].as_array_mut().unwrap().push(json!(name));
    doc.json["bufferViews"][0]["extensions"] = json!({name: {"buffer": 7}});
    doc
}

#[test]
fn a_file_that_requires_them_is_refused_with_the_feature_to_turn_on() {
    for name in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let mut doc = document(name);
        doc.json["extensionsRequired"] = json!([name]);
        assert!(matches!(doc.load(), Err(LoadError::RequiredExtensions { names, .. }) if names == [name]));
        holds(&doc.refusal(), &[name, "\"meshopt\""]);
    }
}

#[test]
fn a_file_with_its_data_besides_loads_and_the_report_names_the_feature() {
    let (content, report) = document("EXT_meshopt_compression").load().unwrap();
    assert_eq!(content.assets.meshes()[0].positions.len(), 3);
    let [row] = report.rows.as_slice() else { panic!("{report}") };
    assert_eq!((row.severity, row.json_path.as_str()), (Severity::Warning, "extensionsUsed[1]"));
    holds(&row.message, &["EXT_meshopt_compression", "\"meshopt\"", "what the file has instead is used"]);
}

#[test]
fn a_view_without_other_data_names_the_extension_and_the_feature() {
    let mut doc = document("EXT_meshopt_compression");
    doc.json["buffers"] = json!([{"byteLength": 36}]);
    holds(
        &doc.refusal(),
        &["bufferViews[0]", "only in the extension EXT_meshopt_compression", "\"meshopt\""],
    );
}
