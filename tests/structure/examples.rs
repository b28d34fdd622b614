//! Code in the documentation can be pasted into a crate of one's own. As a test it sees all that this crate depends on, so
//! compiling it does not show what a reader lacks.

use super::paths::paths;
use super::tokens::tokens;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Crates that the text beside the code says to depend on.
const TOLD: &[&str] = &["fire_engine", "image", "tracing", "tracing_subscriber"];

/// A block of Rust in the documentation, with the line at which it begins.
fn blocks(text: &str, is_markdown: bool) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    // Whether it is Rust, and what it has so far.
    let mut open: Option<(usize, bool, String)> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        // Features decide about some blocks by two lines such as `#[cfg_attr(…, doc = "```")]`.
        let by_feature = line.starts_with('#') && line.contains("doc = \"```");
        let docs = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"));
        let Some(docs) = docs.or(is_markdown.then_some(line)).or(by_feature.then_some("```")) else {
            continue;
        };
        let docs = docs.trim_start();
        match (docs.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) if by_feature && !is_markdown => {}
            (Some(_), Some(_)) => {
                blocks.extend(open.take().filter(|open| open.1).map(|(line, _, code)| (line, code)));
            }
            (Some(language), None) => {
                let is_rust =
                    ["", "rust", "no_run", "should_panic"].contains(&language.split(',').next().unwrap());
                open = Some((number + 1, is_rust, String::new()));
            }
            // What is hidden is compiled, and no part of what is pasted.
            (None, Some((_, _, code))) => {
                code.push_str(if docs == "#" || docs.starts_with("# ") { "" } else { docs });
                code.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// The crates that this one depends on, as code names them.
fn dependencies() -> BTreeSet<String> {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let table =
        manifest.split("\n[dependencies]\n").nth(1).and_then(|rest| rest.split("\n[").next()).unwrap();
    let names = table.lines().filter_map(|line| Some(line.split_once(" = ")?.0.replace('-', "_")));
    names.collect()
}

/// Paths that begin with a crate which the reader was not told of, and which no `use` of the block takes from this one.
fn untold(code: &str, dependencies: &BTreeSet<String>) -> Vec<(usize, String)> {
    let named = paths(&tokens(code), &[]);
    let from_here = |name: &str| {
        let mut uses = named.iter().filter(|named| named.segments[0] == "fire_engine");
        uses.any(|named| named.alias.as_deref() == Some(name))
    };
    let begins = |name: &str| dependencies.contains(name) && !TOLD.contains(&name) && !from_here(name);
    let found = named.iter().filter(|named| begins(&named.segments[0]));
    found.map(|named| (named.line, named.segments.join("::"))).collect()
}

#[test]
fn documentation_names_no_crate_that_a_reader_does_not_have() {
    let dependencies = dependencies();
    assert!(dependencies.contains("winit") && dependencies.contains("raw_window_handle"));
    let markdown = ["README.md", "docs/guide.md"].map(|name| {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
        (name.to_owned(), text)
    });
    let (mut findings, mut count) = (Vec::new(), 0);
    for (name, text) in super::sources().into_iter().chain(markdown) {
        if !name.ends_with(".md") && (!name.starts_with("src/") || super::is_program(&name)) {
            continue;
        }
        for (start, code) in blocks(&text, name.ends_with(".md")) {
            count += 1;
            let untold = untold(&code, &dependencies).into_iter();
            findings.extend(untold.map(|(line, path)| format!("{name}:{}: {path}", start + line)));
        }
    }
    assert!(count > 40, "{count} blocks");
    super::assert_none(&findings, "take these through a re-export, or say in the text to depend on them");
}

#[test]
fn what_a_block_lacks_is_found() {
    let dependencies = BTreeSet::from(["winit".to_owned(), "glam".to_owned()]);
    let text = "\
/// ```
/// # use winit::hidden::A;
/// use winit::event::WindowEvent;
/// let zero = glam::Vec3::ZERO;
/// ```
/// ```sh
/// winit::event
/// ```
#[cfg_attr(feature = \"a\", doc = \"```\")]
#[cfg_attr(not(feature = \"a\"), doc = \"```ignore\")]
/// use fire_engine::winit::{run, winit};
/// use winit::event::WindowEvent;
/// ```
";
    let blocks = blocks(text, false);
    assert_eq!(blocks.iter().map(|block| block.0).collect::<Vec<_>>(), [1, 9]);
    let found = untold(&blocks[0].1, &dependencies);
    assert_eq!(found, [(2, "winit::event::WindowEvent".to_owned()), (3, "glam::Vec3::ZERO".to_owned())]);
    assert_eq!(untold(&blocks[1].1, &dependencies), []);
}
