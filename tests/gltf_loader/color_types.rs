//! What PNG and JPEG pixels of every kind become.

use crate::fixtures::{Doc, base64, holds};
use crate::images::{png_file, raw_png};
use base64::Engine as _;
use fire_engine::assets::{ImageData, ImageFormat};
use image::{ExtendedColorType, ImageEncoder as _};
use serde_json::json;

/// The image as a base color and as a normal map.
fn as_color_and_data(bytes: &[u8]) -> (ImageData, ImageData) {
    let mut doc = Doc::triangle();
    doc.image(bytes);
    let color = doc.content().assets.images()[0].clone();
    doc.json["materials"] = json!([{"normalTexture": {"index": 0}}]);
    (color, doc.content().assets.images()[0].clone())
}

fn pixels8(image: &ImageData) -> Vec<[u8; 4]> {
    assert_eq!((image.format, image.mips.len()), (ImageFormat::Rgba8, 1));
    image.pixels().as_chunks().0.to_vec()
}

fn pixels16(image: &ImageData) -> Vec<[u16; 4]> {
    assert_eq!((image.format, image.mips.len()), (ImageFormat::Rgba16, 1));
    let samples = image.pixels().as_chunks().0.iter().map(|&sample| u16::from_ne_bytes(sample));
    samples.collect::<Vec<_>>().as_chunks().0.to_vec()
}

const GRAY: u8 = 0;
const RGB: u8 = 2;
const PALETTE: u8 = 3;
const GRAY_ALPHA: u8 = 4;
const RGBA: u8 = 6;

type Chunks<'a> = &'a [(&'a [u8; 4], &'a [u8])];

/// Depth, color type, chunks, a row behind its filter byte, and the two pixels that it means.
type Case<'a> = (u8, u8, Chunks<'a>, &'a [u8], [[u8; 4]; 2]);

/// Color type, chunks, the samples of a pixel of 16 bits, and what they mean in 16 bits and in 8.
type WideCase<'a> = (u8, Chunks<'a>, &'a [u16], [u16; 4], [u8; 4]);

/// T-TEX-GRAY (#79): one, two and three channels, palettes and transparent colors, at every depth of up to 8 bits.
#[test]
fn t_tex_gray_every_color_type_and_depth_is_expanded_to_four_channels() {
    let palette: &[u8] = &[10, 20, 30, 200, 100, 50];
    let resolved = [[10, 20, 30, 255], [200, 100, 50, 255]];
    let gray = |value: u8| [value, value, value, 255];
    let cases: [Case; 18] = [
        (1, GRAY, &[], &[0b1000_0000], [gray(255), gray(0)]),
        // 1 and 2 of 3 are 85 and 170 of 255; 3 and 9 of 15 are 51 and 153.
        (2, GRAY, &[], &[0b0110_0000], [gray(85), gray(170)]),
        (4, GRAY, &[], &[0x39], [gray(51), gray(153)]),
        (8, GRAY, &[], &[7, 250], [gray(7), gray(250)]),
        (8, GRAY_ALPHA, &[], &[7, 8, 250, 0], [[7, 7, 7, 8], [250, 250, 250, 0]]),
        (8, RGB, &[], &[1, 2, 3, 4, 5, 6], [[1, 2, 3, 255], [4, 5, 6, 255]]),
        (8, RGBA, &[], &[1, 2, 3, 4, 5, 6, 7, 0], [[1, 2, 3, 4], [5, 6, 7, 0]]),
        (1, PALETTE, &[(b"PLTE", palette)], &[0b0100_0000], resolved),
        (2, PALETTE, &[(b"PLTE", palette)], &[0b0001_0000], resolved),
        (4, PALETTE, &[(b"PLTE", palette)], &[0x01], resolved),
        (8, PALETTE, &[(b"PLTE", palette)], &[0, 1], resolved),
        // Fewer alphas than colors: the rest is opaque.
        (8, PALETTE, &[(b"PLTE", palette), (b"tRNS", &[9])], &[0, 1], [[10, 20, 30, 9], resolved[1]]),
        (
            1,
            PALETTE,
            &[(b"PLTE", palette), (b"tRNS", &[9, 0])],
            &[0b0100_0000],
            [[10, 20, 30, 9], [200, 100, 50, 0]],
        ),
        (1, GRAY, &[(b"tRNS", &[0, 1])], &[0b1000_0000], [[255, 255, 255, 0], gray(0)]),
        (2, GRAY, &[(b"tRNS", &[0, 2])], &[0b0110_0000], [gray(85), [170, 170, 170, 0]]),
        (8, GRAY, &[(b"tRNS", &[0, 7])], &[7, 250], [[7, 7, 7, 0], gray(250)]),
        (8, RGB, &[(b"tRNS", &[0, 4, 0, 5, 0, 6])], &[1, 2, 3, 4, 5, 6], [[1, 2, 3, 255], [4, 5, 6, 0]]),
        (8, RGB, &[(b"tRNS", &[0, 4, 0, 5, 0, 7])], &[1, 2, 3, 4, 5, 6], [[1, 2, 3, 255], [4, 5, 6, 255]]),
    ];
    for (depth, color, chunks, row, expected) in cases {
        let bytes = raw_png(2, 1, depth, color, chunks, &[&[0], row].concat());
        let (as_color, as_data) = as_color_and_data(&bytes);
        assert_eq!(pixels8(&as_color), expected, "depth {depth}, color type {color}, {chunks:?}");
        assert_eq!(as_color, as_data);
    }
}

/// T-TEX-16 (#75): data keeps 16 bits, colors are rounded to 8.
#[test]
fn t_tex_16_bits_stay_for_data_and_are_rounded_for_colors() {
    let opaque = u16::MAX;
    // 0x0080 is 127.5 of 257 steps, which rounds down; 0x0081 rounds up.
    let cases: [WideCase; 7] = [
        (GRAY, &[], &[0x1234], [0x1234, 0x1234, 0x1234, opaque], [18, 18, 18, 255]),
        (GRAY_ALPHA, &[], &[0x0080, 0x8000], [0x80, 0x80, 0x80, 0x8000], [0, 0, 0, 128]),
        (GRAY_ALPHA, &[], &[0x0081, 0x7FFF], [0x81, 0x81, 0x81, 0x7FFF], [1, 1, 1, 127]),
        (RGB, &[], &[0x0102, 0xFF7F, 0xFF7E], [0x0102, 0xFF7F, 0xFF7E, opaque], [1, 255, 254, 255]),
        (RGBA, &[], &[1, 0x4080, 0xFFFF, 0], [1, 0x4080, 0xFFFF, 0], [0, 64, 255, 0]),
        (GRAY, &[(b"tRNS", &[0x12, 0x34])], &[0x1234], [0x1234, 0x1234, 0x1234, 0], [18, 18, 18, 0]),
        // Another color in the lower byte alone.
        (GRAY, &[(b"tRNS", &[0x12, 0x35])], &[0x1234], [0x1234, 0x1234, 0x1234, opaque], [18, 18, 18, 255]),
    ];
    for (color, chunks, samples, wide, rounded) in cases {
        let samples: Vec<u8> = samples.iter().flat_map(|sample| sample.to_be_bytes()).collect();
        let bytes = raw_png(1, 1, 16, color, chunks, &[&[0], &samples[..]].concat());
        let (as_color, as_data) = as_color_and_data(&bytes);
        assert_eq!(pixels16(&as_data), [wide], "color type {color}");
        assert_eq!(pixels8(&as_color), [rounded], "color type {color}");
    }
}

/// T-TEX-16 (#75) and T-TEX-SRGB (#72): one file for both is rounded, whichever image and slot names it.
#[test]
fn t_tex_16_bits_are_rounded_where_a_color_slot_uses_the_same_file_too() {
    let bytes = raw_png(1, 1, 16, RGB, &[], &[0, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC]);
    let uri = format!("data:image/png;base64,{}", base64(&bytes));
    let mut doc = Doc::triangle();
    doc.json["images"] = json!([{"uri": uri}, {"uri": uri}]);
    doc.json["textures"] = json!([{"source": 0}, {"source": 1}]);
    let load = |materials| {
        let mut doc = doc.clone();
        doc.json["materials"] = materials;
        let (content, report) = doc.load().unwrap();
        (content.assets.images().iter().map(|image| image.format).collect::<Vec<_>>(), report.to_string())
    };
    let data = json!({"normalTexture": {"index": 0}, "occlusionTexture": {"index": 1},
        "pbrMetallicRoughness": {"metallicRoughnessTexture": {"index": 1}}});
    let (formats, report) = load(json!([data]));
    assert_eq!(formats, [ImageFormat::Rgba16; 2]);
    assert!(!report.contains("16 bits"), "{report}");
    for color in [
        json!({"emissiveTexture": {"index": 1}}),
        json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}),
    ] {
        let (formats, report) = load(json!([data, color]));
        assert_eq!(formats, [ImageFormat::Rgba8; 2]);
        holds(&report, &["warning: images[0]: approximated: its 16 bits are rounded to 8 for data too"]);
        let (_, report) = load(json!([color]));
        holds(
            &report,
            &["info: images[", "approximated: its 16 bits are rounded to 8, as those of all colors"],
        );
    }
}

/// The rows of an image of `size` x `size` pixels in Adam7's seven passes, each behind a filter byte.
fn adam7(size: usize, pixel: impl Fn(usize, usize) -> Vec<u8>) -> Vec<u8> {
    let mut out = Vec::new();
    let passes =
        [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)];
    for (x0, y0, dx, dy) in passes {
        for y in (y0..size).step_by(dy) {
            let row: Vec<u8> = (x0..size).step_by(dx).flat_map(|x| pixel(x, y)).collect();
            if !row.is_empty() {
                out.push(0);
                out.extend(row);
            }
        }
    }
    out
}

#[test]
fn interlaced_images_are_put_together() {
    for size in [1, 2, 5, 9] {
        for (depth, color, channels) in [(8, GRAY, 1), (8, RGB, 3), (8, RGBA, 4), (16, RGB, 3)] {
            let sample = |x: usize, y: usize, channel: usize| (x * 20 + y * 3 + channel) as u8;
            let wide = usize::from(depth / 8);
            // Twice the same byte is 257 times it.
            let rows = adam7(size, |x, y| {
                (0..channels).flat_map(|channel| vec![sample(x, y, channel); wide]).collect()
            });
            let bytes = png_file(size as u32, size as u32, [depth, color, 1], &[], &rows);
            let (as_color, as_data) = as_color_and_data(&bytes);
            let expected: Vec<[u8; 4]> = (0..size * size)
                .map(|index| (index % size, index / size))
                .map(|(x, y)| {
                    let channel = |c: usize| if channels == 1 { sample(x, y, 0) } else { sample(x, y, c) };
                    [channel(0), channel(1), channel(2), if channels == 4 { channel(3) } else { 255 }]
                })
                .collect();
            assert_eq!(pixels8(&as_color), expected, "{size}, depth {depth}, color type {color}");
            if depth == 16 {
                let expected: Vec<_> = expected.iter().map(|p| p.map(|byte| u16::from(byte) * 257)).collect();
                assert_eq!(pixels16(&as_data), expected);
            }
        }
    }
}

/// A zlib stream with one stored block.
fn stored(data: &[u8]) -> Vec<u8> {
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in data {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    let length = data.len() as u16;
    [
        &[0x78, 0x01, 1],
        &length.to_le_bytes()[..],
        &(!length).to_le_bytes(),
        data,
        &((b << 16) | a).to_be_bytes(),
    ]
    .concat()
}

/// #73: files carry wrong profiles, and glTF says to ignore them all.
#[test]
fn t_tex_profiles_gamma_and_the_srgb_chunk_change_no_byte() {
    let rows: &[u8] = &[0, 100, 150, 200, 3, 2, 1];
    let plain = as_color_and_data(&raw_png(2, 1, 8, RGB, &[], rows));
    assert_eq!(pixels8(&plain.0), [[100, 150, 200, 255], [3, 2, 1, 255]]);
    let gamma = 100_000_u32.to_be_bytes();
    let profile = [b"made up\0\0", &stored(b"no profile at all")[..]].concat();
    let broken = b"cut off\0\0\x78".to_vec();
    let extra: [Chunks; 5] = [
        &[(b"gAMA", &gamma)],
        &[(b"sRGB", &[2])],
        &[(b"gAMA", &gamma), (b"cHRM", &[0x55; 32])],
        &[(b"iCCP", &profile)],
        &[(b"iCCP", &broken), (b"gAMA", &gamma)],
    ];
    for chunks in extra {
        assert_eq!(as_color_and_data(&raw_png(2, 1, 8, RGB, chunks, rows)), plain, "{chunks:?}");
    }
    // A 16-bit file whose gamma would change it the most.
    let wide: &[u8] = &[0, 0x12, 0x34];
    let plain = as_color_and_data(&raw_png(1, 1, 16, GRAY, &[], wide));
    assert_eq!(as_color_and_data(&raw_png(1, 1, 16, GRAY, &[(b"gAMA", &gamma)], wide)), plain);
}

/// Two halves of one color each, 16 x 16 pixels: left (200, 100, 50), right (20, 40, 220). Made with ImageMagick.
const PROGRESSIVE: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wgARCAAQABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAACAT/xAAWAQEBAQAAAAAAAAAAAAAAAAAICQf/2gAMAwEAAhADEAAAAZ8r2w60OMKKninjrQ4w/wD/xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAEFAh//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAEDAQE/AR//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAECAQE/AR//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAY/Ah//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/IR//2gAMAwEAAgADAAAAEAAP/8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgBAwEBPxAf/8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgBAgEBPxAf/8QAFBABAAAAAAAAAAAAAAAAAAAAIP/aAAgBAQABPxAf/9k=";

/// The same in gray, progressive: 118 and 49, which is 0.2126 R + 0.7152 G + 0.0722 B.
const PROGRESSIVE_GRAY: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/wgALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAACAX/2gAIAQEAAAABlnVFHX//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAEFAh//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAY/Ah//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/IR//2gAIAQEAAAAQD//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAT8QH//Z";

/// The same as YCCK.
const YCCK: &str = "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/9sAQwECAgICAgIFAwMFCgcGBwoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK/8AAFAgAEAAQBAERAAIRAQMRAQQRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAcJ/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABYBAQEBAAAAAAAAAAAAAAAAAAkKCP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAOBAEAAhEDEQQAAD8AA21B1qQK8JezEFBIdUIHcXq8JezEFB//2Q==";

fn halves(bytes: &[u8]) -> [[u8; 4]; 2] {
    let (color, data) = as_color_and_data(bytes);
    assert_eq!((color.width, color.height, &data), (16, 16, &color));
    [color.pixel(3, 9).unwrap(), color.pixel(12, 2).unwrap()]
}

#[track_caller]
fn near(found: [[u8; 4]; 2], expected: [[u8; 3]; 2]) {
    for (found, [red, green, blue]) in found.into_iter().zip(expected) {
        let expected = [red, green, blue, 255];
        let off = found.iter().zip(expected).map(|(f, e)| f.abs_diff(e)).max().unwrap();
        assert!(off <= 3 && found[3] == 255, "{found:?} is not {expected:?}");
    }
}

#[test]
fn progressive_gray_and_four_color_jpegs_are_decoded() {
    let decoded = |text: &str| base64::engine::general_purpose::STANDARD.decode(text).unwrap();
    let colors = [[200, 100, 50], [20, 40, 220]];
    near(halves(&decoded(PROGRESSIVE)), colors);
    near(halves(&decoded(PROGRESSIVE_GRAY)), [[118; 3], [49; 3]]);
    near(halves(&decoded(YCCK)), colors);
    // Adobe's marker says how the four are meant; 0 is CMYK, stored inverted. On the left Y, Cb, Cr and K are stored as
    // 97, 181, 59 and 200, for ink of (0, 128, 191) of 255 besides the black; each of the first three times 200 / 255.
    let mut cmyk = decoded(YCCK);
    let marker = cmyk.windows(5).position(|bytes| bytes == b"Adobe").unwrap();
    assert_eq!(cmyk[marker + 11], 2);
    cmyk[marker + 11] = 0;
    let left = halves(&cmyk)[0];
    near([left, left], [[76, 142, 46]; 2]);
}

#[test]
fn baseline_jpegs_in_gray_and_color_are_decoded() {
    for (color, samples) in [(ExtendedColorType::L8, 1), (ExtendedColorType::Rgb8, 3)] {
        let mut bytes = Vec::new();
        let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 100);
        encoder.write_image(&vec![90; 256 * samples], 16, 16, color).unwrap();
        near(halves(&bytes), [[90; 3]; 2]);
    }
}

#[test]
fn a_jpeg_that_is_no_jpeg_after_its_first_bytes_is_an_error() {
    let whole = base64::engine::general_purpose::STANDARD.decode(PROGRESSIVE).unwrap();
    let scan = whole.windows(2).position(|bytes| bytes == [0xFF, 0xDA]).unwrap();
    let mut doc = Doc::triangle();
    doc.image(&whole);
    doc.json["images"][0]["mimeType"] = json!("image/jpeg");
    assert!(!doc.load().unwrap().1.to_string().contains("images[0]"));
    for length in 3..scan {
        doc.json["bufferViews"][1]["byteLength"] = json!(length);
        holds(&doc.refusal(), &["could not decode", "images[0]"]);
    }
    // In the scans, what there is of the picture is shown, and the report says so.
    for length in scan..whole.len() {
        doc.json["bufferViews"][1]["byteLength"] = json!(length);
        match doc.load() {
            Ok((_, report)) => holds(&report.to_string(), &["images[0]: approximated: it is cut off"]),
            Err(error) => holds(&error.to_string(), &["could not decode", "images[0]"]),
        }
    }
}

/// The progressive picture with a header of `side` x `side` pixels.
pub fn large_jpeg(side: u16) -> Vec<u8> {
    let mut bytes = base64::engine::general_purpose::STANDARD.decode(PROGRESSIVE).unwrap();
    let header = bytes.windows(2).position(|bytes| bytes == [0xFF, 0xC2]).unwrap();
    for at in [header + 5, header + 7] {
        bytes[at..at + 2].copy_from_slice(&side.to_be_bytes());
    }
    bytes
}

#[test]
fn a_jpeg_that_is_too_small_for_its_size_is_an_error() {
    for side in [4096, 16_384] {
        let mut doc = Doc::triangle();
        doc.image(&large_jpeg(side));
        holds(&doc.refusal(), &["images[0]", &format!("cannot hold {side} x {side} pixels")]);
    }
    // The densest that there is, of one color, is nowhere near that.
    let mut bytes = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 1);
    encoder.write_image(&vec![128; 2048 * 2048], 2048, 2048, ExtendedColorType::L8).unwrap();
    assert_eq!(as_color_and_data(&bytes).0.pixel(2047, 2047), Some([128, 128, 128, 255]));
}

#[cfg(feature = "webp")]
#[test]
fn webp_with_and_without_alpha_is_decoded() {
    use image_webp::{ColorType, WebPEncoder};
    for (color, samples, expected) in [
        (ColorType::Rgba8, &[1, 2, 3, 4, 250, 251, 252, 0][..], [[1, 2, 3, 4], [250, 251, 252, 0]]),
        (ColorType::Rgb8, &[1, 2, 3, 250, 251, 252], [[1, 2, 3, 255], [250, 251, 252, 255]]),
        (ColorType::L8, &[7, 9], [[7, 7, 7, 255], [9, 9, 9, 255]]),
    ] {
        let mut bytes = Vec::new();
        WebPEncoder::new(&mut bytes).encode(samples, 2, 1, color).unwrap();
        let (as_color, as_data) = as_color_and_data(&bytes);
        assert_eq!((pixels8(&as_color), &as_data), (expected.to_vec(), &as_color));
        // Cut off anywhere: an error, and nothing worse.
        for length in 12..bytes.len() - 1 {
            let mut doc = Doc::triangle();
            doc.image(&bytes[..length]);
            holds(&doc.refusal(), &["could not decode", "images[0]"]);
        }
    }
}
