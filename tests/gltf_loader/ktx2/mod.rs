//! KHR_texture_basisu: KTX2 images, from containers made here and from two that the reference encoder made.

mod container;
mod damage;
mod etc1s;
mod samples;

use crate::fixtures::{Doc, holds};
use base64::Engine as _;
use container::{Ktx2, block};
use fire_engine::assets::{BlockFormats, ImageData, ImageFormat};
use fire_engine::gltf::{LoadError, LoadLimits, LoadOptions, LoadReport, NoFiles, load_from_slice_with};
use serde_json::json;

fn decoded(text: &str) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}

/// A triangle whose base color is the image.
fn document(image: &[u8]) -> Doc {
    let mut doc = Doc::triangle().unlit();
    let uv = doc.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    doc.attribute("TEXCOORD_0", uv);
    let view = doc.view(image);
    doc.json["images"] = json!([{"bufferView": view, "mimeType": "image/ktx2"}]);
    doc.json["textures"] = json!([{"extensions": {"KHR_texture_basisu": {"source": 0}}}]);
    doc.json["materials"][0]["pbrMetallicRoughness"] = json!({"baseColorTexture": {"index": 0}});
    doc.json["extensionsUsed"].as_array_mut().unwrap().push(json!("KHR_texture_basisu"));
    doc.json["extensionsRequired"] = json!(["KHR_texture_basisu"]);
    doc
}

fn with(doc: &Doc, block_formats: BlockFormats) -> Result<(ImageData, LoadReport), LoadError> {
    let options = LoadOptions { block_formats, ..LoadOptions::default() };
    let (content, report) = load_from_slice_with("image", &doc.gltf(), &NoFiles, &options)?;
    Ok((content.assets.images()[0].clone(), report))
}

/// Loads the image, without a note.
#[track_caller]
fn image(image: &[u8], formats: BlockFormats) -> ImageData {
    let (image, report) = with(&document(image), formats).unwrap();
    assert!(report.is_empty(), "{report}");
    image
}

#[track_caller]
fn refusal(image: &[u8]) -> String {
    document(image).refusal()
}

const BC7: BlockFormats = BlockFormats { bc7: true, ..BlockFormats::NONE };
const ASTC: BlockFormats = BlockFormats { astc: true, ..BlockFormats::NONE };
const ETC2: BlockFormats = BlockFormats { etc2: true, ..BlockFormats::NONE };
const ALL: BlockFormats = BlockFormats { bc7: true, etc2: true, astc: true };

const RED: [u8; 4] = [200, 20, 10, 255];
const GREEN: [u8; 4] = [10, 180, 30, 128];
const BLUE: [u8; 4] = [5, 15, 250, 64];
const WHITE: [u8; 4] = [255; 4];

#[test]
fn uastc_becomes_exact_pixels_with_all_its_levels() {
    for zstd in [false, true] {
        let file = Ktx2 { zstd, ..Ktx2::uastc([8, 4], &[RED, GREEN, BLUE, WHITE]) }.bytes();
        let image = image(&file, BlockFormats::NONE);
        assert_eq!((image.format, image.width, image.height), (ImageFormat::Rgba8, 8, 4));
        let expected = [RED.repeat(32), GREEN.repeat(8), BLUE.repeat(2), WHITE.to_vec()];
        assert_eq!(image.mips, expected, "zstd {zstd}");
    }
}

#[test]
fn blocks_lie_in_rows_from_the_top_and_are_cut_at_the_edges() {
    // 6 x 5 pixels are 2 x 2 blocks.
    let mut file = Ktx2::uastc([6, 5], &[WHITE]);
    file.levels[0] = [RED, GREEN, BLUE, WHITE].map(block).concat();
    let image = image(&file.bytes(), BlockFormats::NONE);
    let pixels = [(0, 0, RED), (3, 3, RED), (4, 0, GREEN), (5, 3, GREEN), (0, 4, BLUE), (4, 4, WHITE)];
    for (x, y, color) in pixels {
        assert_eq!(image.pixel(x, y), Some(color), "{x} {y}");
    }
}

#[test]
fn uastc_of_one_color_becomes_void_extent_blocks_of_astc() {
    let image = image(&Ktx2::uastc([8, 8], &[RED, GREEN, BLUE, WHITE]).bytes(), ASTC);
    assert_eq!(image.format, ImageFormat::Astc4x4);
    // No extent, then each component in 16 bits (KDF 1.3, section 23.23).
    let expected = |color: [u8; 4]| {
        [0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
            .into_iter()
            .chain(color.into_iter().flat_map(|c| [c, c]))
    };
    let levels = [(RED, 4), (GREEN, 1), (BLUE, 1), (WHITE, 1)];
    let levels = levels.map(|(color, count)| expected(color).collect::<Vec<_>>().repeat(count));
    assert_eq!(image.mips, levels);
}

/// The two colors of a block of BC7 in mode 5 without rotation: 7 bits each, and alpha in 8.
fn bc7_ends(block: &[u8]) -> [[u8; 4]; 2] {
    let bits = u128::from_le_bytes(block.try_into().unwrap());
    assert_eq!(bits & 0xFF, 1 << 5, "mode 5, no rotation");
    let wide = |at: u32| {
        let value = (bits >> at) as u8 & 127;
        value << 1 | value >> 6
    };
    [0, 1].map(|end| {
        [wide(8 + 7 * end), wide(22 + 7 * end), wide(36 + 7 * end), (bits >> (50 + 8 * end)) as u8]
    })
}

#[test]
fn etc1s_becomes_bc7_whose_colors_enclose_the_tiles() {
    let image = image(&decoded(samples::RGBA), BC7);
    assert_eq!((image.format, image.mips.len()), (ImageFormat::Bc7, 5));
    for (number, block) in image.mips[0].chunks(16).enumerate() {
        let (x, y) = (number as u32 % 6, number as u32 / 6);
        let [low, high] = bc7_ends(block);
        for (component, &expected) in tile(4 * x, 4 * y).iter().enumerate() {
            let (low, high) = (low[component].min(high[component]), low[component].max(high[component]));
            let near = low.saturating_sub(TOLERANCE)..=high.saturating_add(TOLERANCE);
            assert!(
                near.contains(&expected),
                "block {x} {y}, component {component}: {low} {expected} {high}"
            );
        }
    }
}

/// The upper left pixel of an ETC1 block whose halves share color and table.
fn etc1_pixel(block: &[u8]) -> [u8; 3] {
    const TABLES: [[i32; 2]; 8] =
        [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];
    assert_eq!(block[3] & 2, 2, "differential");
    let [small, large] = TABLES[usize::from(block[3] >> 5)];
    let offset = match (block[5] & 1, block[7] & 1) {
        (0, 0) => small,
        (0, _) => large,
        (_, 0) => -small,
        _ => -large,
    };
    [0, 1, 2].map(|component| {
        assert_eq!(block[component] & 7, 0, "no difference");
        let base = block[component] >> 3;
        (i32::from(base << 3 | base >> 2) + offset).clamp(0, 255) as u8
    })
}

#[test]
fn etc1s_becomes_etc2_with_the_tiles_colors_behind_their_alpha() {
    let image = image(&decoded(samples::RGBA), ETC2);
    assert_eq!((image.format, image.mips.len()), (ImageFormat::Etc2Rgba8, 5));
    for (number, block) in image.mips[0].chunks(16).enumerate() {
        let (x, y) = (number as u32 % 6, number as u32 / 6);
        let expected = tile(4 * x, 4 * y);
        close(&etc1_pixel(&block[8..]), &expected[..3], &format!("block {x} {y}"));
    }
}

/// What the samples were encoded from.
fn tile(x: u32, y: u32) -> [u8; 4] {
    let (x, y) = (x as u8 / 8, y as u8 / 4);
    [60 + 70 * x, 40 + 40 * y, 200 - 60 * x, 255 - 50 * y]
}

/// ETC1S keeps 5 bits of a color.
const TOLERANCE: u8 = 8;

#[track_caller]
fn close(found: &[u8], expected: &[u8], what: &str) {
    let near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= TOLERANCE);
    assert!(near, "{what}: {found:?} {expected:?}");
}

#[test]
fn etc1s_becomes_pixels_near_those_that_were_encoded() {
    for (sample, levels, alpha) in [(samples::RGBA, 5, true), (samples::RGB, 1, false)] {
        let image = image(&decoded(sample), BlockFormats::NONE);
        assert_eq!((image.format, image.width, image.height), (ImageFormat::Rgba8, 24, 20));
        assert_eq!(image.mips.len(), levels);
        for (x, y) in (0..20).flat_map(|y| (0..24).map(move |x| (x, y))) {
            let mut expected = tile(x, y);
            if !alpha {
                expected[3] = 255;
            }
            close(&image.pixel(x, y).unwrap(), &expected, &format!("{x} {y}"));
        }
    }
}

#[test]
fn the_first_of_bc7_astc_and_etc2_is_taken_and_only_for_complete_chains() {
    let complete = Ktx2::uastc([4, 4], &[RED, GREEN, BLUE]);
    let format = |file: &Ktx2, formats| image(&file.bytes(), formats).format;
    assert_eq!(format(&complete, ALL), ImageFormat::Bc7);
    assert_eq!(format(&complete, BlockFormats { bc7: false, ..ALL }), ImageFormat::Astc4x4);
    assert_eq!(format(&complete, ETC2), ImageFormat::Etc2Rgba8);
    assert_eq!(format(&complete, BlockFormats::NONE), ImageFormat::Rgba8);
    for levels in [&[RED][..], &[RED, GREEN]] {
        let image = image(&Ktx2::uastc([4, 4], levels).bytes(), ALL);
        assert_eq!((image.format, &image.mips), (ImageFormat::Rgba8, &vec![RED.repeat(16)]));
    }
    // The other levels of an incomplete ETC1S chain are dropped too: 24 x 20 with one level of five.
    assert_eq!(image(&decoded(samples::RGB), ALL).format, ImageFormat::Rgba8);
}

#[test]
fn precise_data_stays_in_pixels_where_there_is_only_etc2() {
    let file = Ktx2 { srgb: false, ..Ktx2::uastc([4, 4], &[RED, GREEN, BLUE]) }.bytes();
    let mut doc = document(&file);
    doc.json["materials"][0] = json!({"normalTexture": {"index": 0}});
    assert_eq!(with(&doc, ETC2).unwrap().0.format, ImageFormat::Rgba8);
    assert_eq!(with(&doc, ALL).unwrap().0.format, ImageFormat::Bc7);
}

#[test]
fn colors_marked_otherwise_than_they_are_used_are_reported() {
    let note = |srgb, material| {
        let mut doc = document(&Ktx2 { srgb, ..Ktx2::uastc([4, 4], &[RED]) }.bytes());
        doc.json["materials"][0] = material;
        let (_, report) = with(&doc, BlockFormats::NONE).unwrap();
        report.rows.into_iter().find(|row| row.json_path == "images[0]").map(|row| row.message)
    };
    let color = json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}});
    let data = json!({"normalTexture": {"index": 0}});
    assert_eq!([note(true, color.clone()), note(false, data.clone())], [None, None]);
    holds(&note(false, color).unwrap(), &["marked as linear", "colors"]);
    holds(&note(true, data).unwrap(), &["marked as sRGB", "data"]);
}

#[test]
fn an_image_beside_it_is_not_read_where_the_better_one_is() {
    let mut doc = document(&Ktx2::uastc([4, 4], &[RED]).bytes());
    doc.json["images"].as_array_mut().unwrap().push(json!({"uri": "not-there.png"}));
    doc.json["textures"][0]["source"] = json!(1);
    doc.json["extensionsRequired"] = json!([]);
    assert_eq!(with(&doc, BlockFormats::NONE).unwrap().0.pixel(0, 0), Some(RED));
}

#[test]
fn what_is_no_image_of_gltf_is_refused_by_name() {
    let base = Ktx2::uastc([4, 4], &[RED, GREEN, BLUE]);
    let patched = |at: usize, value: u32| {
        let mut bytes = base.bytes();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        refusal(&bytes)
    };
    let description = 80 + 3 * 24;
    for (at, value, parts) in [
        (12, 37, &["VkFormat 37"][..]),
        (16, 4, &["typeSize is 4"]),
        (20, 0, &["0 x 4 x 0"]),
        (20, 20_000, &["level 0"]),
        (24, 0, &["4 x 0"]),
        (28, 1, &["4 x 4 x 1"]),
        (32, 2, &["2 layers"]),
        (36, 6, &["6 faces"]),
        (40, 0, &["0 levels", "1 to 3"]),
        (40, 4, &["4 levels", "1 to 3"]),
        (44, 1, &["UASTC in supercompression scheme 1"]),
        (44, 3, &["UASTC in supercompression scheme 3"]),
        (48, u32::MAX, &["the data format", "outside the file"]),
        (52, 40, &["data format descriptor"]),
        (56, u32::MAX - 3, &["metadata", "outside the file"]),
        (60, u32::MAX, &["metadata", "outside the file"]),
        (68, 1, &["global data", "outside the file"]),
        (72, 8, &["global data, which UASTC"]),
        (80, u32::MAX, &["level 0", "outside the file"]),
        (88, 8, &["level 0 has 8 bytes"]),
        (96, 32, &["32 uncompressed"]),
        (description + 4, 1, &["data format descriptor"]),
        (description + 8, 2 | 56 << 16, &["data format descriptor"]),
        (description + 12, 166 | 1 << 8 | 5 << 16, &["transfer function has number 5"]),
        (description + 12, 166 | 1 << 8 | 2 << 16 | 1 << 24, &["multiplied by its alpha"]),
        (description + 12, 162 | 1 << 8 | 2 << 16, &["color model 162"]),
        (description + 12, 163 | 1 << 8 | 2 << 16, &["channels"]),
        (description + 28, 6 << 24, &["channels are neither RGB nor RGBA"]),
    ] {
        holds(&patched(at, value), &["images[0]"]);
        holds(&patched(at, value), parts);
    }
    let metadata = |key: &str, value: &str| {
        let entry = [key.as_bytes(), b"\0", value.as_bytes(), b"\0"].concat();
        let mut metadata = (entry.len() as u32).to_le_bytes().to_vec();
        metadata.extend(&entry);
        metadata.resize(metadata.len().next_multiple_of(4), 0);
        document(&Ktx2 { metadata, ..base.clone() }.bytes())
    };
    for (key, value) in [("KTXorientation", "rd"), ("KTXswizzle", "rgba"), ("KTXwriter", "anything")] {
        assert!(metadata(key, value).load().is_ok(), "{key}");
    }
    holds(&metadata("KTXorientation", "ru").refusal(), &["KTXorientation is \"ru\""]);
    holds(&metadata("KTXswizzle", "bgra").refusal(), &["KTXswizzle is \"bgra\""]);
    holds(&metadata("KTXanimData", "").refusal(), &["video"]);
}

#[test]
fn blocks_that_are_none_and_zstandard_of_another_length_are_damage() {
    let mut file = Ktx2::uastc([4, 4], &[RED]);
    // A code that belongs to no mode.
    file.levels[0][0] = 0x45;
    holds(&refusal(&file.bytes()), &["images[0]", "blocks are damaged"]);
    let mut file = Ktx2 { zstd: true, ..Ktx2::uastc([8, 8], &[RED]) };
    for (length, reason) in [(48, "Zstandard data is damaged"), (80, "longer than declared")] {
        file.levels[0].resize(length, 0);
        let mut bytes = file.bytes();
        bytes[96..104].copy_from_slice(&64_u64.to_le_bytes());
        holds(&refusal(&bytes), &["images[0]", reason]);
    }
}

#[test]
fn all_levels_count_towards_the_limit_before_they_are_decoded() {
    let doc = document(&Ktx2::uastc([64, 64], &[RED, RED, RED, RED, RED, RED, RED]).bytes());
    // Pixels: 4 * (64² + 32² + ... + 1) = 21,844 bytes; blocks: 16 * (256 + 64 + 16 + 4 + 1 + 1 + 1) = 5,488.
    for (block_formats, bytes) in [(BlockFormats::NONE, 21_844), (BC7, 5_488)] {
        for (decoded_bytes, fits) in [(bytes - 1, false), (bytes + 1_000, true)] {
            let limits = LoadLimits { decoded_bytes, ..LoadLimits::default() };
            let options = LoadOptions { limits, block_formats, ..LoadOptions::default() };
            match load_from_slice_with("image", &doc.gltf(), &NoFiles, &options) {
                Ok(_) => assert!(fits),
                Err(LoadError::Limit { field: "decoded_bytes", json_path, actual, .. }) => {
                    assert_eq!((fits, json_path.as_str(), actual), (false, "images[0]", bytes));
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn a_side_above_the_limit_is_refused_before_anything_else_is_done() {
    let mut doc = document(&Ktx2::uastc([64, 4], &[RED]).bytes());
    doc.json["images"][0]["name"] = json!("wide");
    let limits = LoadLimits { image_dimension: 63, ..LoadLimits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    match load_from_slice_with("image", &doc.gltf(), &NoFiles, &options) {
        Err(LoadError::Limit { field: "image_dimension", actual: 64, .. }) => {}
        other => panic!("{:?}", other.map(|(_, report)| report)),
    }
}
