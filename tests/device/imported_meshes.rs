//! Meshes and nodes that the loader makes of small documents, drawn: known colors at known pixels.

use crate::fixtures::{Doc, F32, U8, U16};
use crate::pixels::Test;
use crate::square::{CORNERS, Square, UVS, base_color, quarters};
use crate::support::stage::{BLACK, BLUE, GREEN, RED, Stage, WHITE, expect_pixel};
use fire_engine::assets::ImageData;
use fire_engine::vulkan::ViewMode;
use libtest_mimic::Failed;
use serde_json::json;

pub const TESTS: &[Test] = &[
    ("imported_meshes::quantized_positions_and_uvs", quantized_positions_and_uvs),
    ("imported_meshes::vertex_colors_of_every_kind", vertex_colors_of_every_kind),
    ("imported_meshes::t_xf_mirror_nodes_show_their_fronts", t_xf_mirror_nodes_show_their_fronts),
    ("imported_meshes::every_primitive_mode", every_primitive_mode),
];

/// KHR_mesh_quantization: bytes and shorts, normalized and not, brought back by the node's scale.
fn quantized_positions_and_uvs() -> Result<(), Failed> {
    const I8: u32 = 5120;
    const I16: u32 = 5122;
    let signed = |value: f32| value as i8 as u8;
    let bytes = |scale: f32| -> Vec<u8> {
        let corner =
            |xyz: &[f32]| [signed(xyz[0] * scale), signed(xyz[1] * scale), signed(xyz[2] * scale), 0];
        CORNERS.chunks(3).flat_map(corner).collect()
    };
    let shorts = |scale: f32| -> Vec<u8> {
        let corner = |xyz: &[f32]| [xyz[0] * scale, xyz[1] * scale, xyz[2] * scale, 0.0];
        CORNERS.chunks(3).flat_map(corner).flat_map(|value| (value as i16).to_le_bytes()).collect()
    };
    let uv_bytes: Vec<u8> =
        UVS.chunks(2).flat_map(|uv| [(uv[0] * 255.0) as u8, (uv[1] * 255.0) as u8, 0, 0]).collect();
    let uv_shorts: Vec<u8> = UVS.iter().flat_map(|uv| ((uv * 65_535.0) as u16).to_le_bytes()).collect();
    let uv_plain: Vec<u8> = UVS.chunks(2).flat_map(|uv| [uv[0] as u8, uv[1] as u8, 0, 0]).collect();
    for (component, normalized, data, stride, scale) in [
        (I8, true, bytes(127.0), 4, 0.5),
        (I8, false, bytes(50.0), 4, 0.01),
        (I16, true, shorts(32_767.0), 8, 0.5),
        (I16, false, shorts(1_000.0), 8, 0.0005),
    ] {
        for (uv_component, uv_normalized, uv_data, uv_stride) in
            [(U8, true, &uv_bytes, 4), (U16, true, &uv_shorts, 4), (U8, false, &uv_plain, 4)]
        {
            let mut square = Square::with_image(&quarters()?).material(base_color());
            let mut attribute =
                |name: &str, component, shape: &str, normalized: bool, data: &[u8], stride: u64| {
                    let accessor = square.doc.accessor(component, shape, 4, data);
                    square.doc.json["accessors"][accessor as usize]["normalized"] = json!(normalized);
                    let view =
                        square.doc.json["accessors"][accessor as usize]["bufferView"].as_u64().unwrap_or(0);
                    square.doc.json["bufferViews"][view as usize]["byteStride"] = json!(stride);
                    square.doc.attribute(name, accessor);
                };
            attribute("POSITION", component, "VEC3", normalized, &data, stride);
            attribute("TEXCOORD_0", uv_component, "VEC2", uv_normalized, uv_data, uv_stride);
            square.doc.json["nodes"][0]["scale"] = json!([scale, scale, scale]);
            square.doc.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
            square.doc.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
            let image = square.draw(ViewMode::BaseColor)?;
            // Half of the picture each way, upright.
            for (at, color) in [
                ((20, 20), RED),
                ((44, 20), GREEN),
                ((20, 44), BLUE),
                ((44, 44), WHITE),
                ((14, 32), BLACK),
                ((50, 32), BLACK),
                ((32, 14), BLACK),
            ] {
                expect_pixel(&image, at, color, 0)
                    .map_err(|error| format!("{component}: {}", error.message().unwrap_or_default()))?;
            }
        }
    }
    Ok(())
}

/// COLOR_0 of three and four components, as floats and normalized: linear (1, 0.5, 0, alpha 0.5).
fn vertex_colors_of_every_kind() -> Result<(), Failed> {
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let shorts = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    for (component, shape, data) in [
        (F32, "VEC3", floats(&[1.0, 0.5, 0.0])),
        (F32, "VEC4", floats(&[1.0, 0.5, 0.0, 0.5])),
        (U8, "VEC3", vec![255, 128, 0, 99]),
        (U8, "VEC4", vec![255, 128, 0, 128]),
        (U16, "VEC3", shorts(&[65_535, 32_768, 0, 99])),
        (U16, "VEC4", shorts(&[65_535, 32_768, 0, 32_768])),
    ] {
        for mode in ["OPAQUE", "BLEND"] {
            let mut square = Square::new().material(json!({"alphaMode": mode}));
            let accessor = square.doc.accessor(component, shape, 4, &data.repeat(4));
            square.doc.json["accessors"][accessor as usize]["normalized"] = json!(component != F32);
            let view = square.doc.json["accessors"][accessor as usize]["bufferView"].as_u64().unwrap_or(0);
            square.doc.json["bufferViews"][view as usize]["byteStride"] = json!(data.len());
            square.doc.attribute("COLOR_0", accessor);
            // Half of the light is 188 in sRGB, and a quarter 137.
            let expected = match (shape, mode) {
                ("VEC4", "BLEND") => [188, 137, 0, 255],
                _ => [255, 188, 0, 255],
            };
            square.expect(ViewMode::BaseColor, expected)?;
        }
    }
    Ok(())
}

/// A front that is mirrored stays a front; seen from behind it is not drawn unless it is double-sided. Normals say which
/// way it looks: blue is toward the viewer.
fn t_xf_mirror_nodes_show_their_fronts() -> Result<(), Failed> {
    let matrix = |x: f32, y: f32, z: f32| json!({"mesh": 0, "matrix": [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]});
    let scale = |x: f32, y: f32, z: f32| json!({"mesh": 0, "scale": [x, y, z]});
    // Around the y axis by half a turn.
    let turned = json!({"mesh": 0, "rotation": [0, 1, 0, 0]});
    let turned_and_mirrored = json!({"mesh": 0, "rotation": [0, 1, 0, 0], "scale": [-1, 1, 1]});
    for (node, is_front) in [
        (scale(-1.0, 1.0, 1.0), true),
        (scale(1.0, -1.0, 1.0), true),
        (scale(-1.0, -1.0, 1.0), true),
        (scale(1.0, 1.0, -1.0), false),
        (matrix(-1.0, 1.0, 1.0), true),
        (matrix(1.0, 1.0, -1.0), false),
        (turned, false),
        (turned_and_mirrored, false),
    ] {
        for double_sided in [false, true] {
            let mut square = Square::new().material(json!({"doubleSided": double_sided}));
            let normals = square.doc.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
            square.doc.attribute("NORMAL", normals);
            square.doc.json["nodes"][0] = node.clone();
            let shown = is_front || double_sided;
            square.expect(ViewMode::BaseColor, if shown { WHITE } else { BLACK })?;
            square.expect(ViewMode::Normals, if shown { [128, 128, 255, 255] } else { BLACK })?;
        }
    }
    Ok(())
}

/// Corners of a square in the middles of pixels: upper left, upper right, lower right, lower left.
const SQUARE: [(u32, u32); 4] = [(10, 20), (50, 20), (50, 50), (10, 50)];

/// A document of one primitive through these corners, in this order; single-sided.
fn through(mode: u32, order: &[usize], indexed: bool) -> Result<ImageData, Failed> {
    let place = |(x, y): (u32, u32)| [(x as f32 + 0.5) / 32.0 - 1.0, 1.0 - (y as f32 + 0.5) / 32.0, 0.0];
    let mut doc = Doc::triangle();
    let corners: Vec<f32> = match indexed {
        true => SQUARE.into_iter().flat_map(place).collect(),
        false => order.iter().flat_map(|&corner| place(SQUARE[corner])).collect(),
    };
    let accessor = doc.floats("VEC3", &corners);
    doc.attribute("POSITION", accessor);
    if indexed {
        let indices: Vec<u8> = order.iter().map(|&corner| corner as u8).collect();
        let indices = doc.accessor(U8, "SCALAR", indices.len(), &indices);
        doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    }
    doc.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
    let (content, _report) = doc.load()?;
    Stage { content }.draw()
}

/// Every mode: the middles of the square's sides (upper, right, lower, left), its upper left and lower right half, and one
/// corner, each lit or not.
fn every_primitive_mode() -> Result<(), Failed> {
    let places = [(30, 20), (50, 35), (30, 50), (10, 35), (14, 24), (46, 46), (50, 50)];
    for (mode, order, lit) in [
        (0, &[0, 2][..], [false, false, false, false, false, false, true]),
        (1, &[0, 1, 2, 3], [true, false, true, false, false, false, false]),
        (2, &[0, 1, 2, 3], [true, true, true, true, false, false, true]),
        (3, &[0, 1, 2, 3], [true, true, true, false, false, false, true]),
        (4, &[0, 3, 1], [false, false, false, false, true, false, false]),
        (4, &[0, 3, 1, 1, 3, 2], [false, false, false, false, true, true, false]),
        // The second triangle of a strip is turned around, so that both show their fronts.
        (5, &[0, 3, 1, 2], [false, false, false, false, true, true, false]),
        (5, &[0, 1, 3, 2], [false; 7]),
        (6, &[0, 3, 2, 1], [false, false, false, false, true, true, false]),
        (6, &[0, 1, 2, 3], [false; 7]),
    ] {
        for indexed in [false, true] {
            let image = through(mode, order, indexed)?;
            for (place, lit) in places.into_iter().zip(lit) {
                // What covers the sides of triangles, and the ends of lines, is the rasterizer's affair.
                let inside = matches!(place, (14, 24) | (46, 46));
                if (mode >= 4 && !inside) || (mode != 0 && place == (50, 50)) {
                    continue;
                }
                expect_pixel(&image, place, if lit { WHITE } else { BLACK }, 0).map_err(|error| {
                    format!("mode {mode}, {order:?}: {}", error.message().unwrap_or_default())
                })?;
            }
        }
    }
    Ok(())
}
