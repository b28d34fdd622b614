//! How long a report grows.

use crate::fixtures::{Doc, holds};
use fire_engine::gltf::{
    LoadLimits, LoadOptions, LoadReport, NoFiles, NoteKind, Severity, load_from_slice_with,
};
use serde_json::json;

fn report(doc: &Doc, report_rows: usize) -> LoadReport {
    let limits = LoadLimits { report_rows, ..LoadLimits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    load_from_slice_with("rows", &doc.gltf(), &NoFiles, &options).unwrap().1
}

#[test]
fn rows_beyond_the_limit_are_counted_in_a_last_one() {
    let mut doc = Doc::triangle().unlit();
    // Two warnings, then three rows that do no harm.
    doc.json["extensionsUsed"] = json!(["KHR_materials_unlit", "ACME_a", "ACME_b"]);
    doc.json["scenes"] = json!([{"nodes": [0]}, {}, {}, {}]);
    let all = report(&doc, 5);
    assert_eq!((all.len(), all.of_severity(Severity::Warning).count()), (5, 2), "{all}");
    assert_eq!(report(&doc, usize::MAX).rows, all.rows);
    for (limit, severity) in
        [(4, Severity::Info), (2, Severity::Info), (1, Severity::Warning), (0, Severity::Warning)]
    {
        let cut = report(&doc, limit);
        assert_eq!(cut.rows[..limit], all.rows[..limit]);
        let [last] = &cut.rows[limit..] else { panic!("{cut}") };
        // As bad as the worst of those that it stands for.
        assert_eq!((last.severity, last.kind, last.json_path.as_str()), (severity, NoteKind::Ignored, ""));
        holds(&last.message, &[&format!("{} more rows", 5 - limit), "LoadLimits::report_rows"]);
        assert_eq!(report(&doc, limit), cut);
    }
}
