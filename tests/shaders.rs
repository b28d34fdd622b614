//! The committed SPIR-V is whole, belongs to the GLSL beside it, and is all that lies there.

// Each of build script and test uses a part of it.
#[allow(dead_code)]
#[path = "../build/shaders.rs"]
mod shaders;

use shaders::{HASHES, SHADERS, noted_hash, read_binary, words};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const MAGIC: [u8; 4] = [0x03, 0x02, 0x23, 0x07];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders")
}

/// A new, empty folder of one test.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shaders-{name}"));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn every_listed_shader_has_a_whole_binary() {
    for shader in SHADERS {
        let bytes = read_binary(&folder(), &shader.binary()).unwrap();
        let words = words(&bytes).unwrap_or_else(|reason| panic!("shaders/{}: {reason}", shader.binary()));
        // A header of five words, then at least one instruction.
        assert!(words.len() > 5, "shaders/{}: only {} words", shader.binary(), words.len());
        assert_eq!(words[4], 0, "shaders/{}: the reserved word of the header", shader.binary());
    }
}

#[test]
fn no_committed_binary_is_stale() {
    let hashes = fs::read_to_string(folder().join(HASHES)).unwrap();
    for shader in SHADERS {
        let (binary, now) = (shader.binary(), shader.source_hash(&folder()).unwrap());
        assert_eq!(
            noted_hash(&hashes, &binary),
            Some(now.as_str()),
            "shaders/{binary} is older than shaders/{}. Build once with FIRE_ENGINE_UPDATE_SHADERS=1 and --features \
             compile-shaders, then commit the folder (CONTRIBUTING.md says more)",
            shader.source
        );
    }
    assert_eq!(hashes.lines().count(), SHADERS.len(), "{HASHES} notes a shader that is not listed");
}

#[test]
fn the_hash_sees_source_includes_and_macros_but_not_line_ends() {
    let folder = scratch("hash");
    let shader = |macros| shaders::Shader { name: "A", source: "a.vert", macros };
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let hash = |macros| shader(macros).source_hash(&folder).unwrap();
    write("a.vert", "#include \"b.glsl\"\nvoid main() {}\n");
    write("b.glsl", "int b;\n");
    let first = hash(&[]);
    assert_ne!(hash(&["UV"]), first);
    write("b.glsl", "int c;\n");
    assert_ne!(hash(&[]), first);
    write("b.glsl", "int b;\r\n");
    assert_eq!(hash(&[]), first);
    write("a.vert", "#include \"b.glsl\"\nvoid main() { }\n");
    assert_ne!(hash(&[]), first);
    fs::remove_file(folder.join("b.glsl")).unwrap();
    let error = shader(&[]).source_hash(&folder).unwrap_err().to_string();
    assert!(error.contains("b.glsl"), "{error}");
}

#[test]
fn no_unlisted_file_lies_in_the_folder() {
    let mut expected: BTreeSet<String> = SHADERS.iter().map(|shader| shader.binary()).collect();
    expected.extend(SHADERS.iter().map(|shader| shader.source.to_owned()));
    expected.insert(HASHES.to_owned());
    // Files that another one includes.
    for source in SHADERS.iter().map(|shader| shader.source) {
        let text = fs::read_to_string(folder().join(source)).unwrap();
        let included = text.lines().filter_map(|line| line.trim().strip_prefix("#include"));
        expected.extend(included.map(|name| name.trim().trim_matches('"').to_owned()));
    }
    let found =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>(), expected);
}

#[test]
fn three_words_round_trip_exactly() {
    let folder = scratch("three-words");
    let bytes = [MAGIC, [0x00, 0x06, 0x01, 0x00], [0xff, 0xfe, 0x7f, 0x80]].concat();
    fs::write(folder.join("three.spv"), &bytes).unwrap();
    let read = words(&read_binary(&folder, "three.spv").unwrap()).unwrap();
    assert_eq!(read, [0x0723_0203, 0x0001_0600, 0x807f_feff]);
    let back: Vec<u8> = read.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(back, bytes);
}

#[test]
fn a_missing_file_is_rejected_by_name() {
    let error = read_binary(&scratch("missing"), "none.spv").unwrap_err();
    assert!(error.starts_with("shaders/none.spv: "), "{error}");
}

#[test]
fn an_empty_file_is_rejected() {
    assert_eq!(words(&[]), Err("the file is empty"));
}

#[test]
fn a_file_of_3_bytes_is_rejected() {
    assert_eq!(words(&MAGIC[..3]), Err("its size is no multiple of 4"));
}

#[test]
fn a_wrong_magic_number_is_rejected() {
    let reason = Err("it does not begin with SPIR-V's magic number");
    assert_eq!(words(&[0; 8]), reason);
    let mut swapped = MAGIC;
    swapped.reverse();
    assert_eq!(words(&swapped), reason);
}
