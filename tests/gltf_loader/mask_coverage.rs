//! `LoadOptions::mask_coverage_mips`.

use crate::fixtures::{Doc, holds};
use crate::images::raw_png;
use fire_engine::assets::ImageData;
use fire_engine::gltf::{LoadLimits, LoadOptions, LoadReport, NoFiles, load_from_slice_with};
use serde_json::{Value, json};

/// 32 x 32 gray pixels whose alphas are spread evenly and without order.
fn cutout() -> Vec<u8> {
    let alpha = |x: u32, y: u32| (x * 37 + y * 101 + x * y * 17 + x * x * 5) % 251;
    let rows: Vec<u8> = (0..32)
        .flat_map(|y| std::iter::once(0).chain((0..32).flat_map(move |x| [120, alpha(x, y) as u8])))
        .collect();
    raw_png(32, 32, 8, 4, &[], &rows)
}

fn load(materials: Value, options: &LoadOptions) -> (ImageData, LoadReport) {
    let mut doc = Doc::triangle();
    doc.image(&cutout());
    doc.json["materials"] = materials;
    let (content, report) = load_from_slice_with("leaf", &doc.gltf(), &NoFiles, options).unwrap();
    assert_eq!(content.assets.validate(), Ok(()));
    (content.assets.images()[0].clone(), report)
}

fn asking() -> LoadOptions {
    LoadOptions { mask_coverage_mips: true, ..LoadOptions::default() }
}

fn masked(cutoff: f64) -> Value {
    json!({"alphaMode": "MASK", "alphaCutoff": cutoff,
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
}

fn share(level: &[u8], cutoff: f64, factor: f64) -> f64 {
    let alphas = level.as_chunks::<4>().0.iter().map(|texel| f64::from(texel[3]) / 255.0 * factor);
    alphas.filter(|&alpha| alpha >= cutoff).count() as f64 / (level.len() / 4) as f64
}

/// T-TEX-ALPHA (#76): foliage does not dissolve with its mip levels.
#[test]
fn t_tex_alpha_mask_levels_keep_their_coverage_if_asked() {
    for (cutoff, factor, about) in [(0.25, 1.0, 0.75), (0.5, 1.0, 0.5), (0.5, 0.75, 0.33)] {
        let mut material = masked(cutoff);
        material["pbrMetallicRoughness"]["baseColorFactor"] = json!([1, 1, 1, factor]);
        let (image, report) = load(json!([material]), &asking());
        assert_eq!(image.mips.len(), 6);
        let wanted = share(&image.mips[0], cutoff, factor);
        assert!((wanted - about).abs() < 0.05, "{wanted}");
        // To within a texel, down to the one that there is in the end.
        for level in &image.mips[1..] {
            let off = (share(level, cutoff, factor) - wanted).abs();
            assert!(off * (level.len() / 4) as f64 <= 1.0, "{cutoff}, {factor}: {off}");
        }
        assert!(!report.to_string().contains("images[0]"), "{report}");
    }
    assert_eq!(load(json!([masked(0.5)]), &LoadOptions::default()).0.mips.len(), 1);
}

#[test]
fn only_images_that_masks_alone_use_get_such_levels() {
    let texture = json!({"baseColorTexture": {"index": 0}});
    let blended = json!({"alphaMode": "BLEND", "pbrMetallicRoughness": texture});
    let opaque = json!({"pbrMetallicRoughness": texture});
    let data = json!({"normalTexture": {"index": 0}});
    for (materials, levels, row) in [
        (json!([opaque]), 1, None),
        (json!([blended]), 1, None),
        // Opaque materials ignore alpha.
        (json!([opaque, masked(0.5)]), 6, None),
        (json!([masked(0.5), blended]), 1, Some("a material that blends uses it too")),
        (json!([masked(0.5), data]), 1, Some("a slot for data uses it too")),
        // All pass, or none does.
        (json!([masked(0.0)]), 1, None),
        (json!([masked(1.5)]), 1, None),
    ] {
        let (image, report) = load(materials.clone(), &asking());
        assert_eq!(image.mips.len(), levels, "{materials}");
        let rows: Vec<_> = report.iter().filter(|row| row.json_path == "images[0]").collect();
        assert_eq!(rows.len(), usize::from(row.is_some()), "{report}");
        holds(&report.to_string(), &[row.unwrap_or("")]);
    }
}

#[test]
fn of_several_cutoffs_the_first_material_decides_and_the_report_says_so() {
    let (image, report) = load(json!([{}, masked(0.25), masked(0.5)]), &asking());
    assert_eq!(image, load(json!([masked(0.25)]), &asking()).0);
    holds(&report.to_string(), &["images[0]: approximated: ", "different cutoffs", "materials[1]"]);
}

#[test]
fn the_levels_count_towards_the_limit() {
    // 36 bytes of positions and of the normals that are made, 4,096 of pixels, and 1,364 of levels.
    let with = |decoded_bytes| {
        let mut doc = Doc::triangle();
        doc.image(&cutout());
        doc.json["materials"] = json!([masked(0.5)]);
        let limits = LoadLimits { decoded_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..asking() };
        load_from_slice_with("leaf", &doc.gltf(), &NoFiles, &options).map(|_| ())
    };
    assert!(with(2 * 36 + 4096 + 1364).is_ok());
    holds(&with(4096 + 1363).unwrap_err().to_string(), &["images[0]", "LoadLimits::decoded_bytes"]);
}
