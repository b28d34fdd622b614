//! Names, folders and what must not be read.

use crate::fixtures::{Doc, Folder, base64, holds};
use crate::images::raw_png;
use fire_engine::gltf::{
    LoadError, LoadLimits, LoadOptions, NoFiles, NoteKind, ResolveError, Resolver, ResourceName, load,
    load_from_slice, load_from_slice_with, load_with,
};
use fire_engine::math::Vec3;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::path::Path;

fn refusal(path: &Path) -> String {
    match load(path) {
        Ok(_) => panic!("{} loaded", path.display()),
        Err(error) => error.to_string(),
    }
}

/// T-LOAD-URI, 32: spaces, quotes and letters of any script, escaped or not; D8: a colon alone makes no URL.
#[test]
fn names_are_decoded_first_and_then_taken_literally() {
    let data = Doc::triangle().binary;
    for (file, uri) in [
        ("plain.bin", "plain.bin"),
        ("with space.bin", "with%20space.bin"),
        ("with space.bin", "with space.bin"),
        ("Unicode❤♻.bin", "Unicode❤♻.bin"),
        ("Unicode❤.bin", "Unicode%E2%9D%A4.bin"),
        ("literal%20name.bin", "literal%20name.bin"),
        ("a:b.bin", "./a:b.bin"),
        ("a:b.bin", "a%3Ab.bin"),
        ("sub folder/a:b.bin", "sub folder/a:b.bin"),
        ("with space: a.bin", "with space: a.bin"),
        ("sub folder/x.bin", "sub%20folder/x.bin"),
        ("quote'\".bin", "quote'%22.bin"),
        ("quote'\".bin", "quote%27\".bin"),
        ("x.bin", "sub/../x.bin"),
        // A letter like any other, but on Windows.
        #[cfg(unix)]
        ("back\\slash.bin", "back%5Cslash.bin"),
        #[cfg(unix)]
        ("back\\slash.bin", "back\\slash.bin"),
    ] {
        let folder = Folder::new();
        folder.write(file, &data);
        folder.write("sub/keep", b"");
        let path = folder.document("model.gltf", uri);
        assert!(load(&path).is_ok(), "{uri}: {}", refusal(&path));
    }
}

#[test]
fn the_decoded_name_wins() {
    let folder = Folder::new();
    // A file is in the way of the folder that the decoded name has.
    folder.write("a", b"");
    folder.write("a%2Fb.bin", &Doc::triangle().binary);
    assert!(load(folder.document("model.gltf", "a%2Fb.bin")).is_ok());
    folder.write("a b.bin", &Doc::triangle().binary);
    folder.write("a%20b.bin", b"too short");
    assert!(load(folder.document("model.gltf", "a%20b.bin")).is_ok());
}

/// T-LOAD-URI, 32: a percent sign that begins no escape is one, beside escapes that are decoded.
#[test]
fn names_with_a_percent_sign_are_found_and_reported() {
    let folder = Folder::new();
    let mut doc = Doc::triangle().unlit();
    folder.write("100%.bin", &doc.binary);
    folder.write("50% off.png", &raw_png(1, 1, 8, 0, &[], &[0, 7]));
    // Both spellings of it are literal: nothing decodes to it.
    folder.write("50%%20off%zz.png", &raw_png(1, 1, 8, 0, &[], &[0, 9]));
    doc.json["buffers"] = json!([{"byteLength": 36, "uri": "100%.bin"}]);
    doc.json["images"] = json!([{"uri": "50%%20off.png"}, {"uri": "50%%20off%zz.png"}, {"uri": "no%"}]);
    doc.json["textures"] = json!([{"source": 0}, {"source": 1}, {"source": 2}]);
    let slot = |index: u32| json!({"index": index});
    let base = |index: u32| json!({"pbrMetallicRoughness": {"baseColorTexture": slot(index)}});
    doc.json["materials"] = json!([base(0), base(1)]);
    let path = folder.write("model.gltf", doc.json.to_string().as_bytes());
    let (content, report) = load(&path).unwrap();
    let gray = |image: usize| content.assets.images()[image].pixel(0, 0).unwrap()[0];
    assert_eq!((gray(0), gray(1)), (7, 9));
    let repaired: Vec<_> = report.iter().filter(|note| note.kind == NoteKind::Repaired).collect();
    let paths: Vec<_> = repaired.iter().map(|note| note.json_path.as_str()).collect();
    assert_eq!(paths, ["buffers[0].uri", "images[0].uri", "images[1].uri"]);
    holds(&repaired[0].message, &["percent sign at byte 3", "%25"]);
    // The right spelling is nothing to report.
    doc.json["buffers"][0]["uri"] = json!("100%25.bin");
    doc.json["images"] =
        json!([{"uri": "50%25%20off.png"}, {"uri": "50%25%2520off%25zz.png"}, {"uri": "no%"}]);
    let (_, report) = load(folder.write("model.gltf", doc.json.to_string().as_bytes())).unwrap();
    assert!(report.iter().all(|note| note.kind != NoteKind::Repaired), "{report}");
}

/// T-LOAD-TRAVERSAL, 34: a bare percent sign hides nothing.
#[test]
fn names_with_a_percent_sign_lead_nowhere_else() {
    let outer = Folder::new();
    outer.write("secret%.bin", &Doc::triangle().binary);
    outer.write("inner/%/keep", b"");
    let secret = outer.0.join("secret%.bin").display().to_string();
    for uri in [
        "../secret%.bin",
        "%2e%2e/secret%.bin",
        "..%2fsecret%.bin",
        "%/../../secret%.bin",
        "%%2f..%2f..%2fsecret%.bin",
        &secret,
        &secret.replace('/', "%2f"),
        &format!("file%3A{secret}"),
        "secret%%00.bin",
        "%FF%.bin",
    ] {
        let error = load(outer.document("inner/model.gltf", uri)).unwrap_err();
        let refused = matches!(&error, LoadError::Resource { cause: ResolveError::Refused { .. }, .. });
        assert!(refused, "{uri}: {error}");
    }
    // A name that is decoded once is not decoded again.
    for uri in ["%252e%252e/secret%.bin", "%2%65%2%65/secret%.bin", "%%2e%2e/secret%.bin"] {
        let message = refusal(&outer.document("inner/model.gltf", uri));
        holds(&message, &["no such file"]);
    }
}

/// D7, D8: `%FF` is no text, and no reason to panic.
#[test]
fn broken_escapes_are_errors_and_never_panics() {
    let folder = Folder::new();
    for uri in ["%FF.bin", "%", "%2", "%zz.bin", "%C3%28.bin", "a%00b.bin"] {
        let message = refusal(&folder.document("model.gltf", uri));
        holds(&message, &["model.gltf", "buffers[0].uri", uri]);
    }
}

/// T-LOAD-TRAVERSAL, 34, D8: neither `../../etc/passwd` nor `file:///etc/passwd`, however written.
#[test]
fn nothing_outside_the_folder_is_read() {
    let outer = Folder::new();
    outer.write("secret.bin", &Doc::triangle().binary);
    let secret = outer.0.join("secret.bin").display().to_string();
    let escaped = secret.replace('/', "%2F");
    for uri in [
        "../secret.bin",
        "..%2Fsecret.bin",
        "%2e%2e/secret.bin",
        "sub/../../secret.bin",
        &secret,
        &escaped,
        &format!("file://{secret}"),
        &format!("file:{secret}"),
        "http://localhost/secret.bin",
        "https://localhost/secret.bin",
        "ftp:secret.bin",
        "C:secret.bin",
        "//localhost/secret.bin",
    ] {
        outer.write("inner/sub/keep", b"");
        let path = outer.document("inner/model.gltf", uri);
        let error = load(&path).unwrap_err();
        let refused = matches!(&error, LoadError::Resource { cause: ResolveError::Refused { .. }, .. });
        assert!(refused, "{uri}: {error}");
        holds(&error.to_string(), &["model.gltf", "buffers[0].uri", "refused"]);
    }
}

/// T-LOAD-TRAVERSAL, 34: images are no way out either.
#[test]
fn no_image_outside_the_folder_is_read() {
    for uri in ["../../etc/passwd", "file:///etc/passwd", "/etc/passwd"] {
        let folder = Folder::new();
        let mut doc = Doc::triangle();
        doc.textured();
        doc.json["images"] = json!([{"uri": uri}]);
        let path = folder.write("model.gltf", &doc.gltf());
        let error = load(&path).unwrap_err();
        let refused = matches!(&error, LoadError::Resource { cause: ResolveError::Refused { .. }, .. });
        assert!(refused, "{uri}: {error}");
        holds(&error.to_string(), &["images[0].uri", "refused"]);
    }
}

/// 35: textures in a folder beside the model, for whoever asks for them.
#[test]
fn an_explicit_root_admits_what_lies_below_it_and_nothing_else() {
    let outer = Folder::new();
    let data = Doc::triangle().binary;
    outer.write("secret.bin", &data);
    outer.write("root/textures/a.bin", &data);
    let options = LoadOptions { root: Some(outer.0.join("root")), ..LoadOptions::default() };
    let inside = outer.document("root/models/model.gltf", "../textures/a.bin");
    assert!(load_with(&inside, &options).is_ok());
    assert!(load(&inside).is_err());
    let absent = LoadOptions { root: Some(outer.0.join("absent")), ..LoadOptions::default() };
    holds(&load_with(&inside, &absent).unwrap_err().to_string(), &["absent", "name an existing folder"]);
    let outside = outer.document("root/models/other.gltf", "../../secret.bin");
    holds(&load_with(&outside, &options).unwrap_err().to_string(), &["refused", "LoadOptions::root"]);
}

/// T-LOAD-TRAVERSAL, 34.
#[cfg(unix)]
#[test]
fn links_that_lead_out_are_refused_and_links_that_stay_inside_are_followed() {
    let outer = Folder::new();
    let data = Doc::triangle().binary;
    let secret = outer.write("secret.bin", &data);
    let inside = outer.write("inner/real.bin", &data);
    std::os::unix::fs::symlink(secret, outer.0.join("inner/out.bin")).unwrap();
    std::os::unix::fs::symlink(&outer.0, outer.0.join("inner/up")).unwrap();
    std::os::unix::fs::symlink(inside, outer.0.join("inner/in.bin")).unwrap();
    for uri in ["out.bin", "up/secret.bin"] {
        holds(&refusal(&outer.document("inner/model.gltf", uri)), &["refused", "leads out"]);
    }
    assert!(load(outer.document("inner/model.gltf", "in.bin")).is_ok());
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_are_refused_without_waiting() {
    let folder = Folder::new();
    let pipe = folder.0.join("pipe.bin");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    folder.write("folder.bin/keep", b"");
    for uri in ["pipe.bin", "folder.bin", "", "."] {
        holds(&refusal(&folder.document("model.gltf", uri)), &["buffers[0].uri", "not a regular file"]);
    }
    holds(&refusal(&pipe), &["could not read", "not a regular file"]);
    holds(&refusal(Path::new("/dev/zero")), &["not a regular file"]);
}

/// 30: a buffer that is not there is an error that names it.
#[test]
fn a_missing_file_is_named() {
    let folder = Folder::new();
    let message = refusal(&folder.document("model.gltf", "gone.bin"));
    holds(&message, &["model.gltf", "buffers[0].uri", "\"gone.bin\"", "no such file"]);
}

#[test]
fn a_buffer_shorter_than_declared_is_refused() {
    let folder = Folder::new();
    folder.write("short.bin", &[0; 35]);
    let message = refusal(&folder.document("model.gltf", "short.bin"));
    holds(&message, &["buffers[0]", "36", "35"]);
    folder.write("short.bin", &[0; 37]);
    assert!(load(folder.0.join("model.gltf")).is_ok());
}

#[test]
fn files_above_the_limit_are_refused() {
    let folder = Folder::new();
    folder.write("data.bin", &vec![0; 4096]);
    let path = folder.document("model.gltf", "data.bin");
    let with = |file_bytes| {
        let limits = LoadLimits { file_bytes, ..LoadLimits::default() };
        load_with(&path, &LoadOptions { limits, ..LoadOptions::default() }).map(|_| ())
    };
    assert!(with(4096).is_ok());
    holds(&with(4095).unwrap_err().to_string(), &["buffers[0].uri", "4095"]);
    holds(&with(10).unwrap_err().to_string(), &["could not read", "10"]);
}

/// D8: a data URI without `;base64` is percent-encoded text.
#[test]
fn data_uris_load_with_and_without_base64() {
    let doc = Doc::triangle();
    let encoded = base64(&doc.binary);
    let escaped: String = doc.binary.iter().map(|b| format!("%{b:02X}")).collect();
    for uri in [
        format!("data:application/octet-stream;base64,{encoded}"),
        format!("data:;base64,{encoded}"),
        format!("data:application/gltf-buffer;charset=x;base64,{}", encoded.trim_end_matches('=')),
        format!("data:application/octet-stream,{escaped}"),
        format!("data:;base64,{}", encoded.replace('A', "%41")),
    ] {
        let mut doc = doc.clone();
        doc.json["buffers"] = json!([{"byteLength": 36, "uri": uri}]);
        assert_eq!(doc.content().assets.meshes()[0].positions.len(), 3);
    }
    for uri in ["data:;base64,@@@@", "data:nothing", "data:,%G0"] {
        let mut doc = doc.clone();
        doc.json["buffers"] = json!([{"byteLength": 36, "uri": uri}]);
        holds(&doc.refusal(), &["buffers[0].uri", "refused"]);
    }
}

#[test]
fn long_uris_are_cut_in_messages() {
    let mut doc = Doc::triangle();
    doc.json["buffers"] = json!([{"byteLength": 36, "uri": format!("data:;base64,{}", "@".repeat(100_000))}]);
    assert!(doc.refusal().len() < 600);
    doc.json["buffers"] = json!([{"byteLength": 36, "uri": "line\nbreak\u{1b}.bin"}]);
    assert!(!doc.refusal().contains(['\n', '\u{1b}']));
}

#[test]
fn without_files_only_inline_data_loads() {
    let mut doc = Doc::triangle();
    doc.json["buffers"] = json!([{"byteLength": 36, "uri": "x.bin"}]);
    let error = load_from_slice(&doc.gltf(), &NoFiles).unwrap_err();
    holds(&error.to_string(), &["glTF in memory", "buffers[0].uri", "embed the data"]);
}

#[test]
fn an_application_may_serve_files_itself() {
    struct Archive(Vec<u8>);
    impl Resolver for Archive {
        fn read(&self, name: &ResourceName, limit: u64) -> Result<Vec<u8>, ResolveError> {
            assert!(limit >= 36);
            if name.decoded() == "in the/archive.bin" {
                Ok(self.0.clone())
            } else {
                Err(ResolveError::NotFound)
            }
        }
    }
    let mut doc = Doc::triangle();
    doc.json["buffers"] = json!([{"byteLength": 36, "uri": "in%20the/archive.bin"}]);
    assert!(load_from_slice(&doc.gltf(), &Archive(doc.binary.clone())).is_ok());
    doc.json["buffers"][0]["uri"] = json!("other.bin");
    assert!(load_from_slice(&doc.gltf(), &Archive(doc.binary.clone())).is_err());
    // An archive sees the same names as a folder.
    struct Names(Vec<u8>, RefCell<Vec<String>>);
    impl Resolver for Names {
        fn read(&self, name: &ResourceName, _: u64) -> Result<Vec<u8>, ResolveError> {
            *self.1.borrow_mut() = name.candidates().map(str::to_owned).collect();
            Ok(self.0.clone())
        }
    }
    for (uri, names) in [
        ("100%.bin", &["100%.bin"][..]),
        ("100%%20off.bin", &["100% off.bin", "100%%20off.bin"]),
        ("in%20the/archive.bin", &["in the/archive.bin", "in%20the/archive.bin"]),
    ] {
        doc.json["buffers"][0]["uri"] = json!(uri);
        let archive = Names(doc.binary.clone(), RefCell::default());
        let (_, report) = load_from_slice(&doc.gltf(), &archive).unwrap();
        assert_eq!(*archive.1.borrow(), names);
        let reported = report.iter().any(|note| note.json_path == "buffers[0].uri");
        assert_eq!(reported, uri.starts_with("100%"), "{report}");
    }
    for uri in ["a%00%.bin", "%2Fetc/%", "http%3A//%"] {
        doc.json["buffers"][0]["uri"] = json!(uri);
        let archive = Names(doc.binary.clone(), RefCell::default());
        assert!(load_from_slice(&doc.gltf(), &archive).is_err(), "{uri}");
        assert!(archive.1.borrow().is_empty(), "{uri}");
    }
}

#[test]
fn a_bare_file_name_loads_from_the_current_folder() {
    // A child process, because the current folder belongs to all threads of this one.
    const CHILD: &str = "FIRE_ENGINE_GLTF_BARE_NAME";
    if std::env::var_os(CHILD).is_some() {
        load("model.gltf").unwrap();
        return;
    }
    let folder = Folder::new();
    folder.write("data.bin", &Doc::triangle().binary);
    folder.document("model.gltf", "data.bin");
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "files::a_bare_file_name_loads_from_the_current_folder"])
        .env(CHILD, "1")
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
}

/// Serves every name with the same bytes and counts the calls.
struct Counting(Vec<u8>, Cell<usize>);

impl Resolver for Counting {
    fn read(&self, _: &ResourceName, limit: u64) -> Result<Vec<u8>, ResolveError> {
        self.1.set(self.1.get() + 1);
        if self.0.len() as u64 > limit { Err(ResolveError::TooLarge { limit }) } else { Ok(self.0.clone()) }
    }
}

#[test]
fn a_file_that_several_buffers_name_is_read_once_and_serves_each_with_its_length() {
    let mut doc = Doc::triangle();
    let buffer = |length: usize| json!({"byteLength": length, "uri": "shared.bin"});
    doc.json["buffers"] = json!([buffer(12), buffer(36), buffer(24)]);
    doc.json["bufferViews"][0]["buffer"] = json!(1);
    let files = Counting(doc.binary.clone(), Cell::new(0));
    let (content, _) = load_from_slice(&doc.gltf(), &files).unwrap();
    assert_eq!((files.1.get(), content.assets.meshes()[0].positions[1]), (1, Vec3::X));
    doc.json["bufferViews"][0]["buffer"] = json!(2);
    holds(&doc.refusal_with(&files), &["bufferViews[0]", "buffers[2], which has 24"]);
    doc.json["buffers"] = json!([buffer(12), buffer(37)]);
    holds(&doc.refusal_with(&files), &["buffers[1]", "byteLength is 37", "36 bytes"]);
}

#[test]
fn all_files_and_data_uris_together_have_a_limit() {
    let doc = |uris: &[&str]| {
        let mut doc = Doc::triangle();
        let buffers = uris.iter().map(|uri| json!({"byteLength": 36, "uri": uri}));
        doc.json["buffers"] = buffers.collect();
        doc
    };
    let files = Counting(doc(&[]).binary, Cell::new(0));
    let inline = format!("data:;base64,{}", base64(&files.0));
    let with = |uris: &[&str], fetched_bytes| {
        let limits = LoadLimits { fetched_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_from_slice_with("files", &doc(uris).gltf(), &files, &options).map(|_| ())
    };
    assert!(with(&["a", "a", "a"], 36).is_ok());
    assert!(with(&["a", "b", &inline], 108).is_ok());
    for uris in [["a", "b", &inline], ["a", &inline, "b"]] {
        let error = with(&uris, 107).unwrap_err();
        let limit = matches!(error, LoadError::Limit { field: "fetched_bytes", actual: 108, limit: 107, .. });
        assert!(limit, "{error}");
        holds(&error.to_string(), &["buffers[2].uri", "LoadLimits::fetched_bytes"]);
    }
}
