//! The stated Rust version holds for what a plain dependency on this crate brings along. What optional features bring may ask
//! for a newer one. That the crate's own code keeps to it, clippy's `incompatible_msrv` sees (Cargo.toml denies it), and CI
//! builds with that very version.

use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::process::Command;

/// What cargo knows of the packages in Cargo.lock with default features, without asking any registry.
fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = |arguments: &[&str]| {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let mut command = Command::new(&cargo);
        command.args(["metadata", "--format-version", "1", "--locked", "--offline"]);
        command.args(["--manifest-path", manifest]).args(arguments).output().expect("cargo runs")
    };
    // Packages of other platforms may never have been fetched; those of this one were built with this test.
    let mut output = run(&[]);
    if !output.status.success() {
        let version = Command::new(&cargo).arg("-vV").output().expect("cargo runs").stdout;
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
