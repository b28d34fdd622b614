//! Images: their sources, their limits, and what is wrong with them.

use crate::fixtures::{Doc, Folder, base64, holds};
use fire_engine::gltf::{
    LoadError, LoadLimits, LoadOptions, NoFiles, ResolveError, Resolver, ResourceName, Severity, load,
    load_from_slice_with,
};
use image::{ExtendedColorType, ImageEncoder as _};
use serde_json::{Value, json};

fn png(width: u32, height: u32, color: ExtendedColorType, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    image::codecs::png::PngEncoder::new(&mut out).write_image(bytes, width, height, color).unwrap();
    out
}

pub fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut body = kind.to_vec();
    body.extend_from_slice(data);
    let mut crc = u32::MAX;
    for &byte in &body {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    let mut out = (data.len() as u32).to_be_bytes().to_vec();
    out.extend(body);
    out.extend((!crc).to_be_bytes());
    out
}

/// A PNG put together by hand: any header, extra chunks, and rows in one stored deflate block.
pub fn raw_png(
    width: u32,
    height: u32,
    depth: u8,
    color: u8,
    extra: &[(&[u8; 4], &[u8])],
    rows: &[u8],
) -> Vec<u8> {
    png_file(width, height, [depth, color, 0], extra, rows)
}

/// As [`raw_png`], with the header's last numbers: depth, color type and interlacing.
pub fn png_file(
    width: u32,
    height: u32,
    [depth, color, interlacing]: [u8; 3],
    extra: &[(&[u8; 4], &[u8])],
    rows: &[u8],
) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([depth, color, 0, 0, interlacing]);
    out.extend(chunk(b"IHDR", &header));
    for (kind, data) in extra {
        out.extend(chunk(kind, data));
    }
    let length = rows.len() as u16;
    let mut data = vec![0x78, 0x01, 1];
    data.extend(length.to_le_bytes());
    data.extend((!length).to_le_bytes());
    data.extend(rows);
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in rows {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    data.extend(((b << 16) | a).to_be_bytes());
    out.extend(chunk(b"IDAT", &data));
    out.extend(chunk(b"IEND", &[]));
    out
}

fn pixels(bytes: &[u8]) -> Vec<[u8; 4]> {
    let mut doc = Doc::triangle();
    doc.image(bytes);
    let content = doc.content();
    let image = &content.assets.images()[0];
    assert_eq!(image.mips.len(), 1);
    image.pixels().chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect()
}

#[test]
fn rows_run_from_the_top() {
    let bytes = png(1, 2, ExtendedColorType::L8, &[10, 20]);
    assert_eq!(pixels(&bytes), [[10, 10, 10, 255], [20, 20, 20, 255]]);
}

#[test]
fn the_bytes_decide_and_not_the_declared_type() {
    let mut doc = Doc::triangle();
    doc.image(&png(1, 1, ExtendedColorType::L8, &[7]));
    doc.json["images"][0]["mimeType"] = json!("image/jpeg");
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.assets.images()[0].pixel(0, 0), Some([7, 7, 7, 255]));
    holds(&report.to_string(), &["images[0]", "repaired", "image/jpeg", "image/png"]);
}

#[test]
fn images_come_from_files_and_data_uris_too() {
    let bytes = png(1, 1, ExtendedColorType::Rgb8, &[1, 2, 3]);
    let mut doc = Doc::triangle();
    doc.textured();
    doc.json["images"] = json!([{"name": "I", "uri": format!("data:image/png;base64,{}", base64(&bytes))}]);
    let content = doc.content();
    assert_eq!(content.assets.images()[0].pixel(0, 0), Some([1, 2, 3, 255]));
    assert_eq!(content.assets.images()[0].name, "I");
    let folder = Folder::new();
    folder.write("textures/a b.png", &bytes);
    doc.json["images"] = json!([{"uri": "textures/a%20b.png"}]);
    let path = folder.write("model.gltf", &doc.gltf());
    assert_eq!(load(path).unwrap().0.assets.images()[0].pixel(0, 0), Some([1, 2, 3, 255]));
}

#[test]
fn truncated_and_damaged_images_are_errors_at_every_length() {
    let bytes = png(2, 2, ExtendedColorType::Rgb8, &[9; 12]);
    let mut doc = Doc::triangle();
    doc.image(&bytes);
    // The checksum after the pixels may be missing; before that, every cut is noticed.
    let pixels_end = bytes.len() - 16;
    for length in 0..pixels_end {
        doc.json["bufferViews"][1]["byteLength"] = json!(length);
        let error = doc.load().unwrap_err();
        assert!(matches!(error, LoadError::Image { .. }), "{length}: {error}");
        holds(&error.to_string(), &["could not decode", "images[0]"]);
    }
}

/// D10: an image that cannot be had is an error also where the model is loaded the shortest way, and one channel is none.
#[test]
fn d10_images_that_cannot_be_had_are_errors_of_the_short_way_too() {
    let folder = Folder::new();
    let mut doc = Doc::triangle();
    doc.textured();
    doc.json["images"] = json!([{"uri": "red.png"}]);
    let path = folder.write("model.gltf", &doc.gltf());
    assert!(matches!(load(&path), Err(LoadError::Resource { .. })));
    folder.write("red.png", b"\x89PNG and no more");
    let error = load(&path).unwrap_err();
    assert!(matches!(error, LoadError::Image { .. }));
    holds(&error.to_string(), &["images[0]: \"red.png\": "]);
    folder.write("red.png", &png(1, 1, ExtendedColorType::L8, &[9]));
    assert_eq!(load(&path).unwrap().0.assets.images()[0].pixel(0, 0), Some([9, 9, 9, 255]));
}

/// D9: a stride on an image's view is against the rules, and no reason for a panic; its bytes lie one behind the other.
#[test]
fn d9_an_image_in_a_view_with_a_stride_is_decoded() {
    let mut doc = Doc::triangle().unlit();
    doc.image(&png(1, 1, ExtendedColorType::Rgb8, &[1, 2, 3]));
    for stride in [4, 16, 252] {
        doc.json["bufferViews"][1]["byteStride"] = json!(stride);
        assert_eq!(doc.content().assets.images()[0].pixel(0, 0), Some([1, 2, 3, 255]));
    }
}

#[test]
fn other_formats_are_refused_by_name() {
    for (bytes, name, remedy) in
        [(&b"\xABKTX 11\xBB\r\n\x1a\n"[..], "KTX 1", "PNG or JPEG"), (b"GIF89a", "GIF", "PNG or JPEG")]
    {
        let mut doc = Doc::triangle();
        doc.image(bytes);
        holds(&doc.refusal(), &["unsupported", "images[0]", name, remedy]);
    }
    if cfg!(not(feature = "basisu")) {
        let mut doc = Doc::triangle();
        doc.image(b"\xABKTX 20\xBB\r\n\x1a\n");
        holds(&doc.refusal(), &["unsupported", "images[0]", "KTX2", "\"basisu\"", "turn it on"]);
    }
    if cfg!(not(feature = "webp")) {
        let mut doc = Doc::triangle();
        doc.image(b"RIFF\x04\0\0\0WEBPVP8 ");
        holds(&doc.refusal(), &["unsupported", "images[0]", "WebP", "\"webp\"", "turn it on"]);
    }
    let mut doc = Doc::triangle();
    doc.image(b"not an image");
    holds(&doc.refusal(), &["images[0]", "neither a PNG nor a JPEG"]);
}

#[test]
fn dimensions_are_checked_before_decoding() {
    // A header that promises 100,000 x 1 pixels and holds none of them.
    let mut doc = Doc::triangle();
    doc.image(&raw_png(100_000, 1, 8, 0, &[], &[]));
    let error = doc.load().unwrap_err();
    assert!(matches!(error, LoadError::Limit { field: "image_dimension", actual: 100_000, .. }), "{error}");
    let mut doc = Doc::triangle();
    doc.image(&png(4, 2, ExtendedColorType::L8, &[0; 8]));
    let with = |image_dimension, decoded_bytes| {
        let limits = LoadLimits { image_dimension, decoded_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_from_slice_with("small", &doc.gltf(), &NoFiles, &options).map(|_| ())
    };
    assert!(with(4, 1000).is_ok());
    holds(
        &with(3, 1000).unwrap_err().to_string(),
        &["images[0]", "larger side is 4", "LoadLimits::image_dimension"],
    );
    holds(&with(4, 31).unwrap_err().to_string(), &["images[0]", "LoadLimits::decoded_bytes"]);
    // Within the side limit, above the memory limit: 16,384 x 16,384 of nothing.
    let mut bomb = Doc::triangle();
    bomb.image(&raw_png(16_384, 16_384, 8, 6, &[], &[]));
    let limits = LoadLimits { decoded_bytes: 1 << 20, ..LoadLimits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    let error = load_from_slice_with("bomb", &bomb.gltf(), &NoFiles, &options).unwrap_err();
    assert!(matches!(error, LoadError::Limit { field: "decoded_bytes", .. }), "{error}");
}

#[test]
fn only_images_that_a_material_uses_are_decoded_and_indices_stay() {
    let mut doc = Doc::triangle();
    let good = doc.view(&png(2, 1, ExtendedColorType::L8, &[1, 2]));
    doc.textured();
    doc.json["images"] = json!([{"uri": "never-read.png"}, {"bufferView": good}]);
    doc.json["textures"] = json!([{"source": 1}, {"source": 0}]);
    let (content, report) = doc.load().unwrap();
    let images = content.assets.images();
    assert_eq!((images.len(), images[0].width, images[1].width), (2, 1, 2));
    assert_eq!(content.assets.textures()[1].image.get(), 0);
    holds(&report.to_string(), &["images[0]", "not decoded"]);
}

#[test]
fn an_image_needs_exactly_one_source() {
    let mut doc = Doc::triangle();
    doc.image(b"x");
    doc.json["images"] = json!([{}]);
    holds(&doc.refusal(), &["images[0]", "neither a uri nor a bufferView"]);
    doc.json["images"] = json!([{"uri": "data:,x", "bufferView": 1}]);
    holds(&doc.refusal(), &["images[0]", "keep one"]);
}

#[test]
fn images_that_share_their_bytes_are_read_once_and_keep_their_names() {
    struct Counting(Vec<u8>, std::cell::Cell<usize>);
    impl Resolver for Counting {
        fn read(&self, _: &ResourceName, _: u64) -> Result<Vec<u8>, ResolveError> {
            self.1.set(self.1.get() + 1);
            Ok(self.0.clone())
        }
    }
    let mut doc = Doc::triangle();
    doc.textured();
    let image = |name: &str| json!({"name": name, "uri": "a.png", "mimeType": "image/jpeg"});
    doc.json["images"] = json!([image("A"), image("B"), image("C")]);
    doc.json["textures"] = json!([{"source": 0}, {"source": 1}, {"source": 2}]);
    let material = |i: u32| {
        json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": i}},
        "extensions": {"KHR_materials_unlit": {}}})
    };
    doc.json["materials"] = (0..3).map(material).collect();
    let files = Counting(png(2, 1, ExtendedColorType::L8, &[1, 2]), std::cell::Cell::new(0));
    let with = |decoded_bytes| {
        let limits = LoadLimits { decoded_bytes, ..LoadLimits::default() };
        load_from_slice_with("shared", &doc.gltf(), &files, &LoadOptions { limits, ..LoadOptions::default() })
    };
    // 36 bytes of positions and three times 8 of pixels.
    let (content, report) = with(60).unwrap();
    assert_eq!(files.1.get(), 1);
    let images = content.assets.images();
    let names: Vec<_> = images.iter().map(|image| image.name.as_str()).collect();
    assert_eq!((names, &images[2].mips), (vec!["A", "B", "C"], &images[0].mips));
    assert_eq!(report.iter().filter(|note| note.message.contains("declared as")).count(), 3, "{report}");
    holds(&with(23).unwrap_err().to_string(), &["images[2]", "LoadLimits::decoded_bytes"]);
}

/// glTF 2.0's schema of images: beside a bufferView the type is needed, beside a uri it is a hint.
#[test]
fn a_type_that_is_wrong_or_missing_is_reported_and_the_bytes_decide() {
    let rows = |image: Value, bytes: &[u8]| {
        let mut doc = Doc::triangle().unlit();
        doc.image(bytes);
        if let Some(image) = image.as_object() {
            image.iter().for_each(|(key, value)| doc.json["images"][0][key] = value.clone());
        }
        if doc.json["images"][0].get("uri").is_some() {
            doc.json["images"][0].as_object_mut().unwrap().remove("bufferView");
        }
        let (content, report) = doc.load().unwrap();
        assert_eq!(content.assets.images()[0].pixel(0, 0), Some([7, 7, 7, 255]));
        let rows = report.iter().filter(|note| note.json_path == "images[0]");
        rows.map(|note| note.message.clone()).collect::<Vec<_>>()
    };
    let png = png(1, 1, ExtendedColorType::L8, &[7]);
    let uri = format!("data:;base64,{}", base64(&png));
    assert_eq!(rows(json!({}), &png), [""; 0]);
    assert_eq!(rows(json!({"uri": uri, "mimeType": null}), &png), [""; 0]);
    let [wrong] = &rows(json!({"mimeType": "image/jpeg"}), &png)[..] else { panic!("one row") };
    holds(wrong, &["declared as \"image/jpeg\", found to be image/png"]);
    let [missing] = &rows(json!({"mimeType": null}), &png)[..] else { panic!("one row") };
    holds(missing, &["lacks the mimeType", "found to be PNG"]);
}

#[test]
fn an_image_that_would_not_be_drawn_does_not_refuse_the_model_by_what_is_wrong_with_its_bytes() {
    let slots = ["normalTexture", "occlusionTexture", "emissiveTexture"];
    for (image, reason) in [
        (json!({"uri": "gone.png"}), "\"gone.png\": refused"),
        (json!({"uri": "data:,x"}), "neither a PNG nor a JPEG"),
        (json!({"uri": "data:,GIF89a"}), "GIF images are not decoded"),
        (json!({"uri": format!("data:;base64,{}", base64(&raw_png(100_000, 1, 8, 0, &[], &[])))}), "100000"),
    ] {
        let mut doc = Doc::triangle();
        doc.textured();
        doc.json["images"] = json!([image]);
        assert!(doc.load().is_err(), "it is drawn");
        for slot in slots {
            doc.json["materials"] = json!([{slot: {"index": 0}}]);
            let (content, report) = doc.load().unwrap();
            assert_eq!(content.assets.images()[0].pixels(), [255; 4]);
            let note = report.iter().find(|note| note.json_path == "images[0]").unwrap();
            assert_eq!(note.severity, Severity::Warning);
            holds(&note.message, &[reason, "a white pixel stands in"]);
        }
        // A second material that draws it makes the fault matter again.
        doc.json["materials"] = json!([
            {"normalTexture": {"index": 0}},
            {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}},
        ]);
        assert!(doc.load().is_err());
    }
    let mut doc = Doc::triangle();
    doc.textured();
    doc.json["images"] = json!([{"uri": "gone.ktx2"}]);
    doc.json["textures"] = json!([{"extensions": {"MSFT_texture_dds": {"source": 0}}}]);
    doc.json["materials"] = json!([{"normalTexture": {"index": 0}}]);
    assert!(doc.load().is_ok());
    doc.json["images"] = json!([{}]);
    holds(&doc.refusal(), &["images[0]", "neither a uri nor a bufferView"]);
}
