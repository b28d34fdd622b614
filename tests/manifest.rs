//! What Cargo.toml promises: the Rust version, and a package that is whole.
//!
//! The version holds for what a plain dependency on this crate brings along. What optional features bring may ask for a newer
//! one. That the crate's own code keeps to it, clippy's `incompatible_msrv` sees (Cargo.toml denies it), and CI builds with
//! that very version.

use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");

/// What cargo knows of the packages in Cargo.lock with default features, without asking any registry.
fn metadata() -> Value {
    let run = |arguments: &[&str]| {
        let mut command = cargo();
        command.args(["metadata", "--format-version", "1", "--locked", "--offline"]);
        command.args(["--manifest-path", MANIFEST]).args(arguments).output().expect("cargo runs")
    };
    // Packages of other platforms may never have been fetched; those of this one were built with this test.
    let mut output = run(&[]);
    if !output.status.success() {
        let version = cargo().arg("-vV").output().expect("cargo runs").stdout;
        let version = String::from_utf8(version).expect("text");
        let host =
            version.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo names its host");
        output = run(&["--filter-platform", host]);
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// `1.88` and `1.88.0` are one version.
fn version(text: &str) -> [u32; 3] {
    let mut parts =
        text.split('.').map(|part| part.parse().unwrap_or_else(|_| panic!("{text} is no version")));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

/// The packages that building the library needs, by id: dependencies of tests and benchmarks are left out.
fn needed(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes").iter();
    let nodes: HashMap<&str, &Value> =
        nodes.map(|node| (node["id"].as_str().expect("an id"), node)).collect();
    let mut needed = BTreeSet::new();
    let mut open = vec![metadata["resolve"]["root"].as_str().expect("a root")];
    while let Some(id) = open.pop() {
        if !needed.insert(id) {
            continue;
        }
        for dependency in nodes[id]["deps"].as_array().expect("dependencies") {
            let mut kinds = dependency["dep_kinds"].as_array().expect("kinds").iter();
            if kinds.any(|kind| kind["kind"] != "dev") {
                open.push(dependency["pkg"].as_str().expect("a package"));
            }
        }
    }
    needed
}

#[test]
fn no_default_dependency_asks_for_a_newer_rust_than_the_stated_one() {
    let metadata = metadata();
    let needed = needed(&metadata);
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let packages = packages.filter(|package| package["id"].as_str().is_some_and(|id| needed.contains(id)));
    let packages: Vec<_> =
        packages.map(|package| (&package["name"], package["rust_version"].as_str())).collect();
    let has = |name: &str| packages.iter().any(|(found, _)| *found == name);
    assert!(has("ash") && has("serde_json") && has("winit"), "the default features are on");
    assert!(!has("clap") && !has("criterion") && !has("libtest-mimic"), "and nothing else is");
    let stated = env!("CARGO_PKG_RUST_VERSION");
    let newer: Vec<_> = packages
        .iter()
        .filter(|(_, asked)| asked.is_some_and(|asked| version(asked) > version(stated)))
        .collect();
    assert!(newer.is_empty(), "these need more than Rust {stated}: {newer:?}");
    let stating = packages.iter().filter(|(_, asked)| asked.is_some()).count();
    assert!(2 * stating > packages.len(), "only {stating} of {} say what they need", packages.len());
}

#[test]
fn the_readme_states_the_version_of_the_manifest() {
    let readme = include_str!("../README.md");
    let stated = format!("Rust {} or newer", env!("CARGO_PKG_RUST_VERSION"));
    assert!(readme.contains(&stated), "README.md does not say \"{stated}\"");
}

#[test]
fn versions_are_compared_by_their_numbers() {
    assert_eq!(version("1.88"), version("1.88.0"));
    assert!(
        version("1.9") < version("1.88")
            && version("1.88.1") > version("1.88")
            && version("2") > version("1.99.9")
    );
}

/// The files that a package would hold, without building it.
fn packaged() -> BTreeSet<String> {
    let mut command = cargo();
    command.args(["package", "--list", "--allow-dirty", "--offline", "--manifest-path", MANIFEST]);
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let list = String::from_utf8(output.stdout).expect("names are text");
    list.lines().map(|line| line.replace('\\', "/")).collect()
}

#[test]
fn a_package_has_what_it_needs_and_nothing_of_the_checkout() {
    let packaged = packaged();
    let stray: Vec<_> = packaged
        .iter()
        .filter(|file| file.split('/').any(|part| part.starts_with('.')) && *file != ".cargo_vcs_info.json")
        .chain(packaged.iter().filter(|file| file.starts_with("target/") || file.starts_with("frames/")))
        .collect();
    assert!(stray.is_empty(), "exclude these in Cargo.toml: {stray:?}");
    for needed in
        ["build.rs", "build/shaders.rs", "Cargo.lock", "LICENSE-MIT", "LICENSE-APACHE", "shaders/hashes.txt"]
    {
        assert!(packaged.contains(needed), "{needed} is not packaged");
    }
    for folder in ["src", "shaders", "assets"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut open = vec![root.join(folder)];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(
                    std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()),
                );
                continue;
            }
            let name = path.strip_prefix(root).expect("below").to_str().expect("text").replace('\\', "/");
            assert!(packaged.contains(&name) || name.contains("/."), "{name} is not packaged");
        }
    }
}

#[test]
fn the_readme_links_to_nothing_that_is_not_packaged() {
    let (packaged, readme) = (packaged(), include_str!("../README.md"));
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let links: Vec<&str> = links.filter(|link| !link.contains("://") && !link.starts_with('#')).collect();
    assert!(links.len() > 3, "the links of README.md were not found: {links:?}");
    let dead: Vec<_> =
        links.iter().filter(|link| !packaged.contains(link.split('#').next().unwrap_or(""))).collect();
    assert!(dead.is_empty(), "{dead:?}");
}
