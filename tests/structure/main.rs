//! The source tree keeps the design: sizes, rooms, the direction of imports, where `unsafe` may stand.

mod examples;
mod graph;
mod paths;
mod tokens;

use graph::Modules;
use std::fs;
use std::path::Path;
use tokens::{Token, closing, tokens};

const MAX_LINES: usize = 600;

/// Each room and the rooms that it may name.
const ROOMS: &[(&str, &[&str])] = &[
    ("math", &[]),
    ("assets", &["math"]),
    ("animation", &["math"]),
    ("scene", &["math", "assets", "animation"]),
    ("preparation", &["math", "assets", "scene"]),
    ("gltf", &["math", "assets", "animation", "scene", "trace"]),
    ("vulkan", &["math", "assets", "scene", "preparation", "trace"]),
    // A room beside the others, which only the program uses.
    ("controls", &["math", "scene"]),
    ("winit", &["vulkan"]),
    ("egui", &["math", "assets", "vulkan"]),
];

/// Rooms that know no driver, no window and no clock.
const PURE: &[&str] = &["math", "assets", "animation", "scene", "preparation", "gltf", "controls"];

/// What a pure room may not name.
const IMPURE: &[&[&str]] = &[
    &["ash"],
    &["ash_window"],
    &["gpu_allocator"],
    &["raw_window_handle"],
    &["winit"],
    &["crate", "vulkan"],
    &["crate", "winit"],
    &["std", "time"],
    &["core", "time"],
];

/// Files outside `src/vulkan/` that may hold `unsafe`, and why.
const UNSAFE: &[(&str, &str)] = &[
    ("tests/device_steady.rs", "an allocator that counts implements an unsafe trait"),
    ("tests/steady_state.rs", "an allocator that counts implements an unsafe trait"),
    ("tests/validation_hazard.rs", "records a fault, which the library never would"),
];

/// All Rust files of the project as `(path with '/', text)`, sorted by path.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut open =
        ["src", "examples", "tests", "benches", "build", "build.rs"].map(|name| root.join(name)).to_vec();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            files.push((name, text));
        }
    }
    files.sort();
    assert!(files.iter().any(|(name, _)| name == "src/lib.rs"), "no sources found");
    files
}

fn library(sources: &[(String, String)]) -> Modules {
    let inside = sources.iter().filter(|(name, _)| name.starts_with("src/") && !is_program(name));
    graph::modules(inside.map(|(name, text)| (name.as_str(), text.as_str())))
}

/// The program is a crate of its own; the compiler lets it see only the public API.
fn is_program(name: &str) -> bool {
    name == "src/main.rs" || name.starts_with("src/app/") || name.starts_with("src/bin/")
}

fn assert_none(findings: &[String], what: &str) {
    assert!(findings.is_empty(), "{what}:\n  {}", findings.join("\n  "));
}

#[test]
fn no_file_is_longer_than_600_lines() {
    let long: Vec<String> = sources()
        .iter()
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(name, lines)| format!("{name}: {lines} lines"))
        .collect();
    assert_none(&long, "split these files by idea");
}

#[test]
fn unsafe_stands_in_the_vulkan_room_only() {
    let mut findings = Vec::new();
    for (name, text) in sources() {
        let place = tokens(&text).into_iter().find(|token| token.text == "unsafe");
        let listed = UNSAFE.iter().any(|(allowed, _)| *allowed == name);
        match place {
            Some(token) if !listed && !name.starts_with("src/vulkan/") => {
                findings.push(format!("{name}:{}: unsafe", token.line));
            }
            None if listed => findings.push(format!("{name}: needs no entry in UNSAFE any more")),
            _ => {}
        }
    }
    assert_none(&findings, "`unsafe` belongs in src/vulkan/");
}

#[test]
fn pure_rooms_name_no_driver_window_or_clock() {
    let sources = sources();
    let mut findings = Vec::new();
    for module in library(&sources).values() {
        for named in module.named.iter().filter(|_| in_rooms(&module.file, PURE)) {
            if IMPURE.iter().any(|path| named.segments.iter().take(path.len()).eq(path.iter())) {
                findings.push(format!("{}:{}: {}", module.file, named.line, named.segments.join("::")));
            }
        }
    }
    assert_none(&findings, "these rooms have to work without Vulkan, a window and a clock");
}

fn in_rooms(file: &str, rooms: &[&str]) -> bool {
    room(file).is_some_and(|room| rooms.contains(&room))
}

fn room(file: &str) -> Option<&str> {
    file.strip_prefix("src/")?.split_once('/').map(|(room, _)| room)
}

#[test]
fn rooms_name_only_the_rooms_below_them() {
    let sources = sources();
    let mut findings = Vec::new();
    for module in library(&sources).values() {
        let Some(room) = room(&module.file) else { continue };
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            findings.push(format!("{}: the room {room} is not in ROOMS", module.file));
            continue;
        };
        for named in module.named.iter().filter(|named| named.segments[0] == "crate") {
            let to = named.segments.get(1).map(String::as_str);
            if to.is_some_and(|to| to != room && !allowed.contains(&to)) {
                findings.push(format!("{}:{}: {}", module.file, named.line, named.segments.join("::")));
            }
        }
    }
    assert_none(&findings, "these imports point the wrong way");
}

#[test]
fn no_files_import_each_other_in_a_loop() {
    let sources = sources();
    let modules = library(&sources);
    let graph = graph::imports(&modules).unwrap_or_else(|reason| panic!("{reason}"));
    let findings = graph::loops(&graph).into_iter().map(|group| {
        let arrows = group.iter().flat_map(|&file| {
            let to = graph[file].intersection(&group);
            to.map(move |to| format!("{file} -> {to}"))
        });
        format!("loop:\n    {}", arrows.collect::<Vec<_>>().join("\n    "))
    });
    let findings: Vec<String> = findings.collect();
    assert_none(
        &findings,
        "these files import each other in a loop; move what they share to a file below both",
    );
}

#[test]
fn mod_files_hold_only_docs_and_re_exports() {
    let mut findings = Vec::new();
    // Not in `tests`, where cargo takes each file without a folder for a test of its own.
    let is_meant = |name: &str| name.ends_with("/mod.rs") && !name.starts_with("tests/");
    for (name, text) in sources().iter().filter(|(name, _)| is_meant(name)) {
        if let Some(token) = beyond_declarations(&tokens(text)) {
            findings.push(format!("{name}:{}: `{}`", token.line, token.text));
        }
    }
    assert_none(&findings, "move this code to a file with a name");
}

/// The first token that is neither an attribute, nor `mod name;`, nor a `use`.
fn beyond_declarations(tokens: &[Token]) -> Option<&Token> {
    let mut at = 0;
    while at < tokens.len() {
        let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
        if text(at) == "#" {
            at = closing(tokens, at + 1 + usize::from(text(at + 1) == "!"));
            continue;
        }
        let start = at;
        if text(at) == "pub" {
            at += 1;
            if text(at) == "(" {
                at = closing(tokens, at);
            }
        }
        let is_declaration = text(at) == "use" || (text(at) == "mod" && text(at + 2) == ";");
        if !is_declaration {
            return Some(&tokens[start]);
        }
        at = (at..tokens.len()).find(|&end| tokens[end].text == ";").map_or(tokens.len(), |end| end + 1);
    }
    None
}

#[test]
fn declarations_are_told_from_code() {
    let fine = "//! docs\n#![allow(x)] #[cfg(test)] mod a; pub(crate) mod b; pub use a::{B, C}; pub(super) use d::*;";
    assert_eq!(beyond_declarations(&tokens(fine)), None);
    for code in ["mod a { }", "pub fn f() {}", "pub mod a; const X: u8 = 1;"] {
        assert!(beyond_declarations(&tokens(code)).is_some(), "{code}");
    }
}
