//! What a load says of the document itself: counts, extensions, where images come from.

use crate::fixtures::Doc;
use fire_engine::scene::{DocumentCounts, ExtensionState, ImageFile};
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
    let file = ImageFile { format: "PNG", bytes: png().len() as u64 };
    assert_eq!(content.document.images, [Some(file), None], "nothing uses the second");
    // Once a slot uses it, the file's bytes say what it is, not the type that was declared.
    doc.push("textures", json!({"source": 1}));
    doc.json["materials"][0]["emissiveTexture"] = json!({"index": 1});
    let (content, _) = doc.load().unwrap();
    assert_eq!(content.document.images, [Some(file), Some(file)]);
}
