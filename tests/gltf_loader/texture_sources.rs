//! Which image a texture gets, of those that it and its extensions name.

use crate::fixtures::{Doc, holds};
use crate::images::raw_png;
use fire_engine::gltf::LoadError;
use serde_json::json;

/// A texture with a PNG as its source, image 0, and image 1 in an extension.
fn with_extension(extension: &str) -> Doc {
    let mut doc = Doc::triangle();
    doc.image(&raw_png(1, 1, 8, 0, &[], &[0, 7]));
    let other = doc.view(&raw_png(2, 1, 8, 0, &[], &[0, 8, 9]));
    doc.push("images", json!({"bufferView": other}));
    doc.json["extensionsUsed"] = json!([extension]);
    doc.json["textures"] = json!([{"source": 0, "extensions": {extension: {"source": 1}}}]);
    doc
}

#[test]
fn the_source_serves_where_the_build_cannot_read_what_the_extension_names() {
    for (extension, feature, on) in [
        ("KHR_texture_basisu", "basisu", cfg!(feature = "basisu")),
        ("EXT_texture_webp", "webp", cfg!(feature = "webp")),
    ] {
        if on {
            continue;
        }
        let doc = with_extension(extension);
        let (content, report) = doc.load().unwrap();
        assert_eq!(content.assets.textures()[0].image.get(), 0);
        assert_eq!(content.assets.images()[0].pixel(0, 0), Some([7, 7, 7, 255]));
        // The other one is not decoded; the report says why, and what to turn on.
        assert_eq!(content.assets.images()[1].width, 1);
        holds(
            &report.to_string(),
            &["extensionsUsed[0]", extension, &format!("crate feature \"{feature}\"")],
        );
    }
}

#[cfg(feature = "webp")]
#[test]
fn a_webp_image_is_preferred_where_it_can_be_read() {
    let mut doc = with_extension("EXT_texture_webp");
    let mut bytes = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut bytes);
    encoder.encode(&[1, 2, 3, 4, 5, 6], 2, 1, image_webp::ColorType::Rgb8).unwrap();
    let view = doc.view(&bytes);
    doc.json["images"][1] = json!({"bufferView": view, "mimeType": "image/webp"});
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.assets.textures()[0].image.get(), 1);
    assert_eq!(content.assets.images()[1].pixel(1, 0), Some([4, 5, 6, 255]));
    assert_eq!(content.assets.images()[0].pixel(0, 0), Some([255; 4]));
    holds(&report.to_string(), &["images[0]: ignored: nothing that is read here uses it"]);
    assert!(!report.to_string().contains("EXT_texture_webp"), "{report}");
    // Alone and required, it needs no other source.
    doc.json["extensionsRequired"] = json!(["EXT_texture_webp"]);
    doc.json["textures"] = json!([{"extensions": {"EXT_texture_webp": {"source": 1}}}]);
    assert_eq!(doc.content().assets.textures()[0].image.get(), 1);
    // What is in the image counts, not what names it.
    doc.json["textures"] = json!([{"source": 1}]);
    assert_eq!(doc.content().assets.images()[1].pixel(1, 0), Some([4, 5, 6, 255]));
    doc.json["textures"] = json!([{"extensions": {"EXT_texture_webp": {}}}]);
    holds(&doc.load().unwrap().1.to_string(), &["textures[0]", "it names no image"]);
}

/// An extension that is not read may use an image, or a whole texture, so the report must not say that nothing does.
#[test]
fn an_image_that_only_an_extension_uses_is_not_said_to_be_used_by_no_material() {
    let mut doc = with_extension("ACME_format");
    let specular = doc.view(&raw_png(1, 1, 8, 0, &[], &[0, 9]));
    doc.push("images", json!({"bufferView": specular}));
    doc.push("textures", json!({"source": 2}));
    doc.json["materials"][0]["extensions"] =
        json!({"KHR_materials_specular": {"specularTexture": {"index": 1}}});
    doc.json["extensionsUsed"] = json!(["ACME_format", "KHR_materials_specular"]);
    let (content, report) = doc.load().unwrap();
    for image in [1, 2] {
        assert_eq!(content.assets.images()[image].pixel(0, 0), Some([255; 4]));
        let row = format!("images[{image}]: ignored: nothing that is read here uses it; not decoded");
        holds(&report.to_string(), &[&row, "extensionsUsed[0]", "extensionsUsed[1]"]);
    }
    assert!(!report.to_string().contains("no material"), "{report}");
}

#[test]
fn every_source_is_checked_whether_it_is_read_or_not() {
    for extension in ["KHR_texture_basisu", "EXT_texture_webp"] {
        let mut doc = with_extension(extension);
        doc.json["textures"][0]["extensions"][extension]["source"] = json!(2);
        let error = doc.load().unwrap_err();
        assert!(matches!(error, LoadError::Invalid { .. }), "{error}");
        holds(&error.to_string(), &[&format!("textures[0].extensions.{extension}.source"), "image 2"]);
        doc.json["textures"][0]["extensions"][extension]["source"] = json!("one");
        holds(&doc.refusal(), &["could not parse", "textures[0].extensions"]);
    }
}
