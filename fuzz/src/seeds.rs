//! Writes the targets' first inputs to `fuzz/corpus`: the documents that the property test damages, and the own assets.

#[path = "../../tests/gltf_loader/documents.rs"]
mod documents;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../../tests/gltf_loader/fixtures.rs"]
mod fixtures;

use std::path::Path;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, doc) in documents::all() {
        for (target, bytes) in [
            ("load_glb", doc.glb()),
            ("load_json", {
                let mut json = doc.json.clone();
                json["buffers"] = serde_json::json!([{"byteLength": doc.binary.len()}]);
                [json.to_string().as_bytes(), &[0], &doc.binary].concat()
            }),
        ] {
            let folder = corpus.join(target);
            std::fs::create_dir_all(&folder)?;
            std::fs::write(folder.join(name.replace(' ', "-")), bytes)?;
        }
        std::fs::write(corpus.join("load_glb").join(format!("{}.gltf", name.replace(' ', "-"))), doc.gltf())?;
    }
    Ok(())
}
