//! Which file of the library imports which.

use super::paths::{Named, paths, without_tests};
use super::tokens::tokens;
use std::collections::{BTreeMap, BTreeSet};

/// Files of the library by module path (`["scene", "arena"]`; a folder's `mod.rs` has the folder's path).
pub type Modules = BTreeMap<Vec<String>, Module>;

pub struct Module {
    /// Path from the repository's root, with `/`.
    pub file: String,
    pub named: Vec<Named>,
}

/// The module path of a file below `src`.
pub fn module_path(file: &str) -> Vec<String> {
    let inside = file.strip_prefix("src/").unwrap_or(file);
    let stem = inside.strip_suffix(".rs").unwrap_or(inside);
    let mut path: Vec<String> = stem.split('/').map(str::to_owned).collect();
    if path.last().is_some_and(|last| last == "mod") || path == ["lib"] {
        path.pop();
    }
    path
}

/// The modules of `(file, text)` pairs.
pub fn modules<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Modules {
    let module = |(file, text): (&str, &str)| {
        let path = module_path(file);
        let named = paths(&without_tests(&tokens(text)), &path);
        (path, Module { file: file.to_owned(), named })
    };
    files.into_iter().map(module).collect()
}

/// The file that a path of the crate leads to, through the re-exports of `mod.rs` files.
///
/// `None` when it is a name that the module at the path's longest prefix brings in from another crate.
pub fn target(modules: &Modules, path: &[String]) -> Result<Option<Vec<String>>, String> {
    let mut path = path.to_vec();
    for _ in 0..8 {
        let longest = (0..=path.len()).rev().find(|&length| modules.contains_key(&path[..length]));
        let Some(length) = longest else {
            return Err(format!("no file for crate::{}", path.join("::")));
        };
        let (found, rest) = path.split_at(length);
        let module = &modules[found];
        let is_folder = module.file.ends_with("/mod.rs") || module.file == "src/lib.rs";
        let Some(name) = rest.first().filter(|_| is_folder) else {
            return Ok(Some(found.to_vec()));
        };
        let export = module.named.iter().find(|named| named.alias.as_ref() == Some(name));
        let Some(export) = export else {
            return Err(format!("crate::{} is not among the re-exports of {}", path.join("::"), module.file));
        };
        let mut next = match export.segments.first().map(String::as_str) {
            Some("crate") => export.segments[1..].to_vec(),
            Some(first) => {
                let mut child = found.to_vec();
                child.push(first.to_owned());
                if !modules.contains_key(&child) {
                    return Ok(None);
                }
                found.iter().chain(&export.segments).cloned().collect()
            }
            None => return Ok(None),
        };
        next.extend_from_slice(&rest[1..]);
        path = next;
    }
    Err(format!("crate::{} is re-exported in a circle", path.join("::")))
}

/// File to the files that it imports, without `mod.rs` files: these only pass names on.
pub fn imports(modules: &Modules) -> Result<BTreeMap<&str, BTreeSet<&str>>, String> {
    let mut graph = BTreeMap::new();
    let is_folder = |file: &str| file.ends_with("/mod.rs") || file == "src/lib.rs";
    for module in modules.values().filter(|module| !is_folder(&module.file)) {
        let mut to = BTreeSet::new();
        for named in module.named.iter().filter(|named| named.segments[0] == "crate") {
            let target = target(modules, &named.segments[1..])
                .map_err(|reason| format!("{}:{}: {reason}", module.file, named.line))?;
            if let Some(target) = target {
                to.insert(modules[&target].file.as_str());
            }
        }
        to.remove(module.file.as_str());
        to.retain(|file| !is_folder(file));
        graph.insert(module.file.as_str(), to);
    }
    Ok(graph)
}

/// Groups of files that import each other in a loop.
pub fn loops<'a>(graph: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<BTreeSet<&'a str>> {
    let reach = |start: &'a str| {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(file) = open.pop() {
            open.extend(graph.get(file).into_iter().flatten().copied().filter(|&next| seen.insert(next)));
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = graph.keys().map(|&file| (file, reach(file))).collect();
    let group = |file: &'a str| -> BTreeSet<&'a str> {
        reached[file].iter().copied().filter(|&other| reached[other].contains(file)).collect()
    };
    let groups: BTreeSet<_> =
        graph.keys().map(|&file| group(file)).filter(|group| !group.is_empty()).collect();
    groups.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph_of(files: &[(&str, &str)]) -> Result<String, String> {
        let modules = modules(files.iter().copied());
        let graph = imports(&modules)?;
        Ok(format!("{:?}", loops(&graph)))
    }

    #[test]
    fn a_loop_through_a_re_export_is_found() {
        let files = [
            ("src/lib.rs", "pub mod room;"),
            ("src/room/mod.rs", "mod a; mod b; mod c; pub use a::{A as Renamed}; pub use glam::Vec3;"),
            ("src/room/a.rs", "use super::b::B; use crate::room::Vec3;"),
            ("src/room/b.rs", "fn f(a: &crate::room::Renamed) {}"),
            ("src/room/c.rs", "use super::Renamed;"),
        ];
        assert_eq!(graph_of(&files).unwrap(), r#"[{"src/room/a.rs", "src/room/b.rs"}]"#);
        let broken = [files[0], files[1], ("src/room/a.rs", "use super::Unknown;")];
        assert!(graph_of(&broken).unwrap_err().starts_with("src/room/a.rs:1: crate::room::Unknown is not"));
    }

    #[test]
    fn imports_of_tests_do_not_count() {
        let files = [
            ("src/lib.rs", "mod a; mod b;"),
            ("src/a.rs", "use crate::b::B; // use crate::a"),
            ("src/b.rs", "#[cfg(test)]\nmod tests { use crate::a::A; use super::*; }"),
        ];
        assert_eq!(graph_of(&files).unwrap(), "[]");
    }
}
