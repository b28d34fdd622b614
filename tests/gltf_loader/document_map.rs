//! What a load says of the document itself: counts, extensions, where images come from.

use crate::fixtures::{Doc, Folder, holds};
use fire_engine::gltf::{LoadOptions, load, load_from_slice, load_with};
use fire_engine::scene::{Content, DocumentCounts, ExtensionState};
use image::ImageEncoder as _;
use serde_json::json;

fn png() -> Vec<u8> {
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    encoder.write_image(&[9; 12], 2, 2, image::ExtendedColorType::Rgb8).unwrap();
    png
}

#[test]
fn counts_are_those_of_the_document_and_not_of_what_was_made() {
    let mut doc = Doc::turning();
    // Neither a second scene nor what only it has is imported, and the default material and a stand-in image are added.
    doc.push("scenes", json!({"nodes": [1]}));
    doc.push("nodes", json!({"mesh": 0}));
    doc.push("textures", json!({}));
    doc.push("samplers", json!({}));
    doc.push(
        "cameras",
        json!({"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0, "zfar": 1}}),
    );
    let (content, _) = doc.load().unwrap();
    let counts = content.document.counts;
    assert_eq!(content.assets.materials().len(), 1);
    assert_eq!((counts.materials, counts.images, content.assets.images().len()), (0, 0, 1));
    let DocumentCounts { scenes, nodes, meshes, primitives, textures, samplers, animations, .. } = counts;
    assert_eq!((scenes, nodes, meshes, primitives), (2, 2, 1, 1));
    assert_eq!((textures, samplers, animations, counts.skins, counts.cameras), (1, 1, 1, 0, 1));
    assert_eq!((counts.accessors, counts.buffer_views, counts.buffers), (3, 3, 1));
}

#[test]
fn extensions_are_listed_once_with_what_became_of_them() {
    let mut doc = Doc::triangle();
    doc.json["extensionsUsed"] = json!([
        "KHR_materials_unlit",
        "ACME_gizmo",
        "KHR_materials_unlit",
        "KHR_lights_punctual",
        "KHR_mesh_quantization"
    ]);
    doc.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "KHR_texture_transform"]);
    doc.json["nodes"][0]["extensions"] = json!({"ACME_undeclared": {}, "ACME_gizmo": {}});
    let (content, report) = doc.load().unwrap();
    let listed: Vec<_> =
        content.document.extensions.iter().map(|e| (&*e.name, e.required, e.state)).collect();
    use ExtensionState::{Drawn, Reported};
    assert_eq!(
        listed,
        [
            ("KHR_materials_unlit", false, Drawn),
            ("ACME_gizmo", false, Reported),
            ("KHR_lights_punctual", false, Reported),
            ("KHR_mesh_quantization", true, Drawn),
            ("KHR_texture_transform", true, Drawn),
            ("ACME_undeclared", false, Reported),
        ]
    );
    for name in ["ACME_gizmo", "ACME_undeclared"] {
        assert!(report.iter().any(|note| note.message.contains(name)), "{report}");
    }
}

#[test]
fn images_say_which_file_they_are_from_unless_a_white_pixel_stands_in() {
    let mut doc = Doc::triangle();
    doc.image(&png());
    let view = doc.view(&png());
    doc.push("images", json!({"bufferView": view, "mimeType": "image/jpeg"}));
    let (content, _) = doc.load().unwrap();
    let files = |content: &Content| {
        let images = content.document.images.iter();
        images.map(|file| file.map(|file| (file.format, file.bytes))).collect::<Vec<_>>()
    };
    let file = Some(("PNG", png().len() as u64));
    assert_eq!(files(&content), [file, None], "nothing uses the second");
    // Once a slot uses it, the file's bytes say what it is, not the type that was declared.
    doc.push("textures", json!({"source": 1}));
    doc.json["materials"][0]["emissiveTexture"] = json!({"index": 1});
    let (content, _) = doc.load().unwrap();
    assert_eq!(files(&content), [file, file]);
}

/// The triangle with a base color and a normal texture, each from a file; only the first has to be there.
fn in_files(buffer: &str, color: &str, normal: &str) -> Doc {
    let mut doc = Doc::triangle();
    doc.textured();
    doc.json["buffers"] = json!([{"byteLength": doc.binary.len(), "uri": buffer}]);
    doc.json["images"] = json!([{"uri": normal}, {"uri": color}, {"uri": "unused.png"}]);
    doc.json["textures"] = json!([{"source": 1}, {"source": 0}]);
    doc.json["materials"][0]["normalTexture"] = json!({"index": 1});
    doc
}

#[test]
fn files_that_were_read_are_listed_once_by_their_decoded_names() {
    let folder = Folder::new();
    let mut doc = in_files("a%20mesh.bin", "textures/c%C3%B6lor.png", "100%.png");
    // A second buffer of the same file, an image that is another under another name, and one more buffer.
    let length = doc.json["buffers"][0]["byteLength"].clone();
    doc.push("buffers", json!({"byteLength": length, "uri": "a%20mesh.bin"}));
    doc.push("buffers", json!({"byteLength": length, "uri": "a mesh.bin"}));
    doc.push("buffers", json!({"byteLength": 1, "uri": "z.bin"}));
    doc.push("buffers", json!({"byteLength": 1, "uri": "data:,a"}));
    doc.push("images", json!({"uri": "textures/c%C3%B6lor.png"}));
    doc.push("textures", json!({"source": 3}));
    doc.json["materials"][0]["emissiveTexture"] = json!({"index": 2});
    for (name, bytes) in [("a mesh.bin", &*doc.binary), ("z.bin", &[0]), ("textures/c\u{f6}lor.png", &png())]
    {
        folder.write(name, bytes);
    }
    folder.write("100%.png", &png());
    let (content, _) = load(folder.write("m.gltf", &doc.gltf())).unwrap();
    assert_eq!(content.document.resources, ["a mesh.bin", "z.bin", "100%.png", "textures/c\u{f6}lor.png"]);
}

#[test]
fn what_is_in_a_glb_or_inline_is_no_file() {
    let mut doc = Doc::triangle();
    doc.image(&png());
    assert_eq!(doc.content().document.resources, [""; 0]);
    let (content, _) = load_from_slice(&doc.glb(), &fire_engine::gltf::NoFiles).unwrap();
    assert_eq!(content.document.resources, [""; 0]);
}

/// Loads the triangle of [`in_files`] with this normal texture, which cannot be had, from `root/models` below the root.
fn without_normals(outer: &Folder, normal: &str, options: &LoadOptions) -> Content {
    let doc = in_files("m.bin", "color.png", normal);
    outer.write("root/models/m.bin", &doc.binary);
    outer.write("root/models/color.png", &png());
    let (content, report) = load_with(outer.write("root/models/m.gltf", &doc.gltf()), options).unwrap();
    holds(&report.to_string(), &["images[0]", "a white pixel stands in"]);
    content
}

#[test]
fn a_file_that_a_white_pixel_stands_in_for_is_listed_because_it_may_come_to_be() {
    let outer = Folder::new();
    let content = without_normals(&outer, "later/normal.png", &LoadOptions::default());
    assert_eq!(content.document.resources, ["m.bin", "later/normal.png", "color.png"]);
    // So is one that was read and is no picture.
    outer.write("root/models/broken.png", b"GIF89a");
    let content = without_normals(&outer, "broken.png", &LoadOptions::default());
    assert_eq!(content.document.resources, ["m.bin", "broken.png", "color.png"]);
    let options = LoadOptions { root: Some(outer.0.join("root")), ..LoadOptions::default() };
    let content = without_normals(&outer, "../textures/normal.png", &options);
    assert_eq!(content.document.resources, ["m.bin", "../textures/normal.png", "color.png"]);
}

/// T-LOAD-TRAVERSAL, 34: nor can a document learn from the report whether such a file is there.
#[test]
fn t_load_traversal_names_outside_the_root_are_never_listed_whether_they_are_there_or_not() {
    let outer = Folder::new();
    outer.write("secret.png", &png());
    outer.write("root/models/sub/keep", b"");
    let rooted = LoadOptions { root: Some(outer.0.join("root")), ..LoadOptions::default() };
    let mut names: Vec<String> = [
        "../../secret.png",
        "../../absent.png",
        "%2e%2e/..%2Fabsent.png",
        "sub/../../../absent/../absent.png",
        "absent/../../../absent.png",
        "../../root/../absent.png",
        "http://localhost/a.png",
        "/absent.png",
    ]
    .map(str::to_owned)
    .into();
    // Too long for the system to say whether it is there.
    names.push(format!("../../{}.png", "a".repeat(5_000)));
    names.push(format!("{}../../../a.png", "a/../".repeat(50_000)));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outer.0, outer.0.join("root/models/up")).unwrap();
        names.extend(["up/secret.png", "up/absent.png", "up/absent/a.png"].map(str::to_owned));
    }
    for name in &names {
        for options in [&LoadOptions::default(), &rooted] {
            let content = without_normals(&outer, name, options);
            assert_eq!(content.document.resources, ["m.bin", "color.png"], "{name:.40}");
        }
    }
}
