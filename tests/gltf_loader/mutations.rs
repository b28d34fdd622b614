//! Thousands of damaged files: whatever happens, it is a value, it is quick, and it takes little memory.
//!
//! A child process loads them, so that even an abort or an endless loop is a failure that names its seed. The same file
//! comes of the same seed: `FIRE_ENGINE_MUTATIONS=SEED..SEED+1 cargo test --test gltf_loader mutations:: -- --nocapture`
//! loads one alone in the test's own process, and leaves the file in `target/tmp`.

mod bytes;
mod child;
mod json;
mod random;
mod twins;

use crate::documents;
use crate::fixtures::Doc;
use random::Random;
use std::path::Path;

/// The damaged file of a seed, with the names of the document and of what was done to it.
fn damaged(originals: &[(&'static str, Doc)], seed: u64) -> (String, Vec<u8>) {
    let mut random = Random::new(seed);
    let (name, doc) = &originals[random.below(originals.len())];
    let mut doc = doc.clone();
    let mut story = (*name).to_owned();
    let glb = random.below(2) == 0;
    // Damage to the values finds its way past the parser, which damage to the bytes rarely does.
    if random.below(3) > 0 {
        for _ in 0..=random.below(4).saturating_sub(1) {
            story += &format!(", {}", json::damage(&mut doc.json, &mut random));
        }
    }
    let mut bytes = if glb { doc.glb() } else { doc.gltf() };
    if story.len() == name.len() || random.below(4) == 0 {
        for _ in 0..=random.below(4).saturating_sub(1) {
            story += &format!(", {}", bytes::damage(&mut bytes, glb, originals, &mut random));
        }
    }
    (story, bytes)
}

#[test]
fn the_undamaged_documents_load() {
    for (name, doc) in documents::all() {
        let result = doc.load().map(|(content, _)| content.validate().unwrap());
        let text = result.as_ref().map_or_else(ToString::to_string, |()| String::new());
        assert!(result.is_ok() || name.starts_with("optional"), "{name}: {text}");
    }
}

#[test]
fn two_thousand_damaged_files_never_panic_hang_or_take_much_memory() {
    child::run("two_thousand_damaged_files_never_panic_hang_or_take_much_memory", 0..2_000);
}

#[test]
#[ignore = "takes minutes; the first tenth runs always"]
fn twenty_thousand_damaged_files_never_panic_hang_or_take_much_memory() {
    child::run("twenty_thousand_damaged_files_never_panic_hang_or_take_much_memory", 0..20_000);
}

/// `fuzz/fuzz_targets` says what the targets' inputs are and how to run them.
#[test]
#[ignore = "writes the fuzz targets' first inputs to fuzz/corpus, which git ignores"]
fn the_documents_become_the_first_inputs_of_the_fuzz_targets() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, doc) in documents::all() {
        let mut json = doc.json.clone();
        json["buffers"] = serde_json::json!([{"byteLength": doc.binary.len()}]);
        let parts = [json.to_string().as_bytes(), &[0], &doc.binary].concat();
        for (target, ending, bytes) in
            [("load_glb", "glb", doc.glb()), ("load_glb", "gltf", doc.gltf()), ("load_json", "parts", parts)]
        {
            let folder = corpus.join(target);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(format!("{}.{ending}", name.replace(' ', "-"))), bytes).unwrap();
        }
    }
}
