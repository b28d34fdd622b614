//! What extensions of a document look like when they are drawn.

use crate::pixels::Test;
use crate::support::stage::{expect_pixel, flat_camera};
use crate::support::{assert_clean, options};
use base64::Engine as _;
use fire_engine::gltf::{NoFiles, load_from_slice};
use fire_engine::scene::Content;
use fire_engine::vulkan::{Renderer, RendererError};
use libtest_mimic::Failed;
use serde_json::json;

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];

pub const TESTS: &[Test] = &[(
    "loaded::instances_stand_apart_and_a_variant_compiles_once_on_the_way_there_and_back",
    instances_and_variants,
)];

/// A square of half-size 1, red by default and blue in the variant "Blue", drawn twice by instances of half-size 0.25:
/// at x = -0.5, and mirrored at x = 0.5.
fn document() -> Result<Content, Failed> {
    let floats = [
        [-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 0.0]
            .as_slice(),
        &[-0.5, 0.0, 0.0, 0.5, 0.0, 0.0],
        &[0.25, 0.25, 1.0, -0.25, 0.25, 1.0_f32],
    ];
    let bytes: Vec<u8> = floats.concat().iter().flat_map(|value| value.to_le_bytes()).collect();
    let accessor = |view: u32, count: u32| json!({"bufferView": view, "componentType": 5126, "count": count, "type": "VEC3"});
    let view = |offset: u32, length: u32| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
    let unlit = |color: [f32; 4]| json!({"pbrMetallicRoughness": {"baseColorFactor": color}, "extensions": {"KHR_materials_unlit": {}}});
    let uri = format!("data:;base64,{}", base64::engine::general_purpose::STANDARD.encode(&bytes));
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["EXT_mesh_gpu_instancing", "KHR_materials_unlit", "KHR_materials_variants"],
        "extensions": {"KHR_materials_variants": {"variants": [{"name": "Blue"}]}},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "extensions": {
            "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 1, "SCALE": 2}}
        }}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0, "extensions": {
            "KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}]}
        }}]}],
        "materials": [unlit([1.0, 0.0, 0.0, 1.0]), unlit([0.0, 0.0, 1.0, 1.0])],
        "accessors": [accessor(0, 6), accessor(1, 2), accessor(2, 2)],
        "bufferViews": [view(0, 72), view(72, 24), view(96, 24)],
        "buffers": [{"byteLength": bytes.len(), "uri": uri}]
    });
    let (content, report) = load_from_slice(document.to_string().as_bytes(), &NoFiles)?;
    assert!(report.is_empty(), "{report}");
    Ok(content)
}

fn instances_and_variants() -> Result<(), Failed> {
    let mut content = document()?;
    let (mut options, log) = options();
    options.clear_color = [0.0, 0.0, 0.0, 1.0];
    let mut renderer = Renderer::headless((64, 64), options)?;
    let blue = content.scene.find_variant("Blue");
    for (variant, color, generation) in
        [(None, RED, 1), (blue, BLUE, 2), (blue, BLUE, 2), (None, RED, 3), (None, RED, 3)]
    {
        content.scene.set_variant(variant)?;
        content.scene.update_world_transforms();
        if renderer.preparation().generation() < generation {
            let unprepared = renderer.draw_frame(&content.scene, &flat_camera());
            assert!(matches!(unprepared, Err(RendererError::NotPrepared { .. })), "{unprepared:?}");
        }
        renderer.prepare(&content.assets, &content.scene)?;
        assert_eq!(renderer.preparation().generation(), generation);
        let image = renderer.render_to_image(&content.scene, &flat_camera())?;
        for x in [16, 48] {
            expect_pixel(&image, (x, 32), color, 0)?;
        }
        for empty in [(32, 32), (4, 32), (16, 8), (48, 56)] {
            expect_pixel(&image, empty, BLACK, 0)?;
        }
        assert_eq!(renderer.command_counts().instances, 2);
    }
    drop(renderer);
    assert_clean(&log)
}
