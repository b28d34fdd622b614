//! Textures and materials that the loader makes of small documents, drawn: known colors at known pixels.

use crate::pixels::Test;
use crate::square::{Square, UVS, base_color, png, quarters, rgba, wide};
use crate::support::stage::{BLUE, GREEN, RED, WHITE, expect_pixel};
use fire_engine::assets::ImageFormat;
use fire_engine::vulkan::ViewMode;
use image::ExtendedColorType;
use libtest_mimic::Failed;
use serde_json::json;

pub const TESTS: &[Test] = &[
    ("imported_textures::t_tex_gray_every_png_color_type", t_tex_gray_every_png_color_type),
    ("imported_textures::t_tex_16_keeps_data_and_shows_colors", t_tex_16_keeps_data_and_shows_colors),
    ("imported_textures::t_tex_srgb_one_image_in_every_slot", t_tex_srgb_one_image_in_every_slot),
    ("imported_textures::every_slot_has_its_transform_and_uv_set", every_slot_has_its_transform_and_uv_set),
    ("imported_textures::factors_multiply_what_textures_hold", factors_multiply_what_textures_hold),
    ("imported_textures::samplers_wrap_each_way", samplers_wrap_each_way),
    ("imported_textures::t_tex_alpha_modes", t_tex_alpha_modes),
];

/// R is RRR1, RA is RRRA, RGB is RGB1. Blended over black, half covered colors show half of their light.
fn t_tex_gray_every_png_color_type() -> Result<(), Failed> {
    use ExtendedColorType::{L8, L16, La8, La16, Rgb8, Rgb16, Rgba8, Rgba16};
    let scaled = |samples: &[u16]| wide(&samples.iter().map(|sample| sample * 257).collect::<Vec<_>>());
    let palette = {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, 1, 1);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Two);
        encoder.set_palette(vec![1, 2, 3, 51, 137, 255]);
        encoder.write_header()?.write_image_data(&[0b0100_0000])?;
        out
    };
    // Half the light of sRGB 137 is 99, of 255 it is 188, and of 51 it is 35.
    for (what, bytes, opaque, blended) in [
        ("gray", png(1, 1, L8, &[137])?, [137; 3], [137; 3]),
        ("gray and alpha", png(1, 1, La8, &[137, 128])?, [137; 3], [99; 3]),
        ("color", png(1, 1, Rgb8, &[51, 137, 255])?, [51, 137, 255], [51, 137, 255]),
        ("color and alpha", png(1, 1, Rgba8, &[51, 137, 255, 128])?, [51, 137, 255], [35, 99, 188]),
        ("16-bit gray", png(1, 1, L16, &scaled(&[137]))?, [137; 3], [137; 3]),
        ("16-bit gray and alpha", png(1, 1, La16, &scaled(&[137, 128]))?, [137; 3], [99; 3]),
        ("16-bit color", png(1, 1, Rgb16, &scaled(&[51, 137, 255]))?, [51, 137, 255], [51, 137, 255]),
        (
            "16-bit color and alpha",
            png(1, 1, Rgba16, &scaled(&[51, 137, 255, 128]))?,
            [51, 137, 255],
            [35, 99, 188],
        ),
        ("palette", palette, [51, 137, 255], [51, 137, 255]),
    ] {
        for (mode, [r, g, b]) in [("OPAQUE", opaque), ("BLEND", blended)] {
            let mut material = base_color();
            material["alphaMode"] = json!(mode);
            Square::with_image(&bytes)
                .material(material)
                .expect(ViewMode::BaseColor, [r, g, b, 255])
                .map_err(|error| format!("{what}, {mode}: {}", error.message().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// Data slots keep 16 bits, from the file to the device; colors are shown as 8 bits would be.
fn t_tex_16_keeps_data_and_shows_colors() -> Result<(), Failed> {
    let bytes = png(1, 1, ExtendedColorType::Rgb16, &wide(&[0, 32_639, 65_535]))?;
    let data = Square::with_image(&bytes)
        .material(json!({"pbrMetallicRoughness": {"metallicRoughnessTexture": {"index": 0}}}));
    let content = data.doc.content();
    let image = &content.assets.images()[0];
    assert_eq!(image.format, ImageFormat::Rgba16);
    assert_eq!(image.pixels(), wide(&[0, 32_639, 65_535, 65_535]));
    data.expect(ViewMode::MetallicRoughness, [0, 127, 255, 255])?;
    Square::with_image(&bytes).material(base_color()).expect(ViewMode::BaseColor, [0, 127, 255, 255])
}

/// 128 in each component: read as a color or as data, it has to come back as 128.
fn t_tex_srgb_one_image_in_every_slot() -> Result<(), Failed> {
    let info = json!({"index": 0});
    for (depth, bytes) in [
        (8, rgba(1, 1, &[[128, 128, 128, 255]])?),
        (16, png(1, 1, ExtendedColorType::Rgba16, &wide(&[32_896, 32_896, 32_896, 65_535]))?),
    ] {
        let square = Square::with_image(&bytes).material(json!({
            "pbrMetallicRoughness": {"baseColorTexture": info, "metallicRoughnessTexture": info},
            "normalTexture": info,
            "occlusionTexture": info,
            "emissiveTexture": info,
            "emissiveFactor": [1, 1, 1],
        }));
        for (view, red) in [
            (ViewMode::BaseColor, 128),
            (ViewMode::MetallicRoughness, 0),
            (ViewMode::NormalTexture, 128),
            (ViewMode::Occlusion, 128),
            (ViewMode::Emissive, 128),
        ] {
            square
                .expect(view, [red, 128, 128, 255])
                .map_err(|error| format!("{depth} bits, {}", error.message().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// Each slot looks at the middle of one quarter by a transform of its own, through UV set 1, which is (1, 1) everywhere.
/// `texCoord` stands in the extension and overrides the slot's.
fn every_slot_has_its_transform_and_uv_set() -> Result<(), Failed> {
    // Scale (0.5, 0.25) and offset, and a quarter turn that takes (1, 1) to (1, -1).
    let info = |offset: [f32; 2], rotation: f32| {
        let transform = json!({"offset": offset, "scale": [0.5, 0.25], "rotation": rotation, "texCoord": 1});
        json!({"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": transform}})
    };
    let turn = std::f32::consts::FRAC_PI_2;
    let mut square = Square::with_image(&quarters()?).material(json!({
        "pbrMetallicRoughness": {
            // (0.5, 0.25) - (0.25, 0) is red.
            "baseColorTexture": info([-0.25, 0.0], 0.0),
            // (0.5, 0.25) + (0.25, 0) is green.
            "metallicRoughnessTexture": info([0.25, 0.0], 0.0),
        },
        // Turned, (0.5, 0.25) is (0.25, -0.5); 1.25 below that is blue.
        "normalTexture": info([0.0, 1.25], turn),
        // And half a texture to the right of that is white.
        "occlusionTexture": info([0.5, 1.25], turn),
        // Or above that, green.
        "emissiveTexture": info([0.5, 0.75], turn),
        "emissiveFactor": [1, 1, 1],
    }));
    let ones = square.doc.floats("VEC2", &[1.0; 8]);
    square.doc.attribute("TEXCOORD_1", ones);
    square.doc.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    for (view, expected) in [
        (ViewMode::BaseColor, RED),
        (ViewMode::MetallicRoughness, GREEN),
        (ViewMode::NormalTexture, BLUE),
        (ViewMode::Occlusion, WHITE),
        (ViewMode::Emissive, GREEN),
    ] {
        square.expect(view, expected)?;
    }
    Ok(())
}

fn factors_multiply_what_textures_hold() -> Result<(), Failed> {
    let mut square = Square::with_image(&rgba(1, 1, &[[188, 100, 200, 255]])?).material(json!({
        "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0}, "baseColorFactor": [0.5, 1, 0, 1],
            "metallicRoughnessTexture": {"index": 0}, "roughnessFactor": 0.5, "metallicFactor": 0.25,
        },
        "normalTexture": {"index": 0, "scale": 0.5},
        "occlusionTexture": {"index": 0, "strength": 0.5},
        "emissiveTexture": {"index": 0}, "emissiveFactor": [0.25, 0, 0],
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 2}},
    }));
    square.doc.json["extensionsUsed"] = json!(["KHR_materials_emissive_strength"]);
    for (view, expected) in [
        // sRGB 188 is half the light, and a quarter is 137.
        (ViewMode::BaseColor, [137, 100, 0, 255]),
        (ViewMode::MetallicRoughness, [0, 50, 50, 255]),
        // Half of the way to 127.5.
        (ViewMode::NormalTexture, [158, 114, 200, 255]),
        // Half of the way to 255.
        (ViewMode::Occlusion, [222, 222, 222, 255]),
        (ViewMode::Emissive, [137, 0, 0, 255]),
    ] {
        square.expect(view, expected)?;
    }
    Ok(())
}

/// From -1 to 2 across the picture, two texels a texture: each wrap mode at four places outside of it.
fn samplers_wrap_each_way() -> Result<(), Failed> {
    const CLAMP: u32 = 33_071;
    const MIRROR: u32 = 33_648;
    const REPEAT: u32 = 10_497;
    for (wrap, expected) in [
        (REPEAT, [RED, GREEN, RED, GREEN]),
        (MIRROR, [GREEN, RED, GREEN, RED]),
        (CLAMP, [RED, RED, GREEN, GREEN]),
    ] {
        for along_v in [false, true] {
            let (width, height) = if along_v { (1, 2) } else { (2, 1) };
            let mut square = Square::with_image(&rgba(width, height, &[RED, GREEN])?).material(base_color());
            let sampler = &mut square.doc.json["samplers"][0];
            let (this, other) = if along_v { ("wrapT", "wrapS") } else { ("wrapS", "wrapT") };
            sampler[this] = json!(wrap);
            sampler[other] = json!(REPEAT);
            let uvs = square.doc.floats("VEC2", &UVS.map(|u| u * 3.0 - 1.0));
            square.doc.attribute("TEXCOORD_0", uvs);
            let image = square.draw(ViewMode::BaseColor)?;
            // The middles of texels at -0.75, -0.25, 1.25 and 1.75.
            for (at, color) in [5, 16, 48, 58].into_iter().zip(expected) {
                let place = if along_v { (32, at) } else { (at, 32) };
                expect_pixel(&image, place, color, 0)?;
            }
        }
    }
    Ok(())
}

/// Alpha of 100 and 200 of 255 in the halves of the picture, red over black.
fn t_tex_alpha_modes() -> Result<(), Failed> {
    let bytes = rgba(2, 1, &[[255, 0, 0, 100], [255, 0, 0, 200]])?;
    // Linear 100/255 and 200/255 are 168 and 229 in sRGB.
    for (mode, cutoff, left, right) in [
        (Some("OPAQUE"), None, 255, 255),
        (None, Some(0.9), 255, 255),
        (Some("MASK"), None, 0, 255),
        (Some("MASK"), Some(0.25), 255, 255),
        (Some("MASK"), Some(0.9), 0, 0),
        (Some("MASK"), Some(1.5), 0, 0),
        (Some("MASK"), Some(0.0), 255, 255),
        (Some("BLEND"), None, 168, 229),
        (Some("BLEND"), Some(0.9), 168, 229),
    ] {
        let mut material = base_color();
        if let Some(mode) = mode {
            material["alphaMode"] = json!(mode);
        }
        if let Some(cutoff) = cutoff {
            material["alphaCutoff"] = json!(cutoff);
        }
        let image = Square::with_image(&bytes).material(material).draw(ViewMode::BaseColor)?;
        for (x, red) in [(16, left), (48, right)] {
            expect_pixel(&image, (x, 32), [red, 0, 0, 255], 1)
                .map_err(|error| format!("{mode:?}, {cutoff:?}: {}", error.message().unwrap_or_default()))?;
        }
    }
    Ok(())
}
