//! Hierarchy: a wheel in front of its stand, with different things on its four arms.
//!
//! ```text
//! Hierarchy
//! ├─ Stand                vertex colors (normalized bytes), not animated
//! └─ Rotor                the same colors; turns counterclockwise about +Z
//!    ├─ Crate             +X arm: two primitives, textured planks and plain metal corners
//!    │  └─ SmallCrate     the same mesh, turned by 45 degrees and scaled to 0.45
//!    ├─ Gem               +Y arm: no indices, float vertex colors; turns about its own Y as well
//!    │  └─ SmallGem       the same mesh, scaled differently along Y
//!    ├─ Leaf              -X arm: MASK and double-sided, 8-bit indices
//!    │  └─ LeafBack       the same mesh from behind
//!    └─ MirrorCrate       -Y arm: the crate by a matrix that mirrors X, its brace leans the other way
//! ```

use std::error::Error;
use std::f32::consts::FRAC_1_SQRT_2;

use serde_json::{Value, json};

use super::document::{Buffer, Stream, VERTICES, asset, data_uri, text};
use super::files::AssetFile;
use super::hierarchy_pictures::{crate_picture, leaf_picture};
use super::paint::Rgb;
use super::solids::{Solid, gem};

const CREAM: Rgb = [244, 232, 208];
const RED: Rgb = [206, 62, 52];
const SLATE: Rgb = [92, 108, 134];
/// sin and cos of 22.5 degrees, to the nearest `f32`.
const EIGHTH: [f32; 2] = [0.382_683_43, 0.923_879_5];

/// The asset's files.
pub fn files() -> Result<Vec<AssetFile>, Box<dyn Error>> {
    Ok(vec![
        ("Hierarchy/Hierarchy.gltf", document()),
        ("Hierarchy/Hierarchy_Crate.png", crate_picture().png_rgb()?),
        ("Hierarchy/Hierarchy_Leaf.png", leaf_picture().png_rgba()?),
    ])
}

fn document() -> Vec<u8> {
    let mut buffer = Buffer::default();
    let meshes = json!([
        colored(&mut buffer, "Stand", &stand()),
        colored(&mut buffer, "Rotor", &rotor()),
        crate_mesh(&mut buffer),
        gem_mesh(&mut buffer),
        leaf_mesh(&mut buffer),
    ]);
    let animation = spin(&mut buffer);
    let (bytes, views, accessors) = buffer.finish();
    let gltf = json!({
        "asset": asset(),
        "scene": 0,
        "scenes": [{ "name": "Scene", "nodes": [0] }],
        "nodes": nodes(),
        "meshes": meshes,
        "materials": [
            material("VertexColors", json!({})),
            material("Planks", json!({ "baseColorTexture": { "index": 0 } })),
            material("Corners", json!({ "baseColorFactor": [0.1, 0.21, 0.33, 1.0] })),
            leaf_material(),
        ],
        "textures": [
            { "name": "Planks", "source": 0, "sampler": 0 },
            { "name": "Leaf", "source": 1, "sampler": 1 },
        ],
        "images": [
            { "name": "Hierarchy_Crate", "uri": "Hierarchy_Crate.png" },
            { "name": "Hierarchy_Leaf", "uri": "Hierarchy_Leaf.png" },
        ],
        // LINEAR, LINEAR_MIPMAP_LINEAR; the first wraps by REPEAT, the default.
        "samplers": [
            { "name": "Repeat", "magFilter": 9729, "minFilter": 9987 },
            { "name": "Clamp", "magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071 },
        ],
        "animations": [animation],
        "buffers": [{ "name": "Hierarchy", "uri": data_uri(&bytes), "byteLength": bytes.len() }],
        "bufferViews": views,
        "accessors": accessors,
    });
    text(&gltf)
}

fn nodes() -> Value {
    let [sin, cos] = EIGHTH;
    json!([
        { "name": "Hierarchy", "children": [1, 2] },
        { "name": "Stand", "mesh": 0 },
        { "name": "Rotor", "mesh": 1, "children": [3, 5, 7, 9] },
        { "name": "Crate", "mesh": 2, "translation": [2.25, 0.0, 0.0], "children": [4] },
        {
            "name": "SmallCrate", "mesh": 2, "translation": [0.95, 0.0, 0.0],
            "rotation": [0.0, 0.0, sin, cos], "scale": [0.45, 0.45, 0.45],
        },
        { "name": "Gem", "mesh": 3, "translation": [0.0, 2.25, 0.0], "children": [6] },
        {
            "name": "SmallGem", "mesh": 3, "translation": [0.0, 1.125, 0.0],
            "scale": [0.5, 0.375, 0.5],
        },
        {
            "name": "Leaf", "mesh": 4, "translation": [-2.25, 0.0, 0.0], "scale": [1.5, 1.5, 1.5],
            "children": [8],
        },
        // Half a turn about +Y.
        {
            "name": "LeafBack", "mesh": 4, "translation": [-0.6875, 0.0, 0.0],
            "rotation": [0.0, 1.0, 0.0, 0.0], "scale": [0.75, 0.75, 0.75],
        },
        // Column by column: X mirrored and all scaled by 0.875.
        {
            "name": "MirrorCrate", "mesh": 2,
            "matrix": [
                -0.875, 0.0, 0.0, 0.0, 0.0, 0.875, 0.0, 0.0, 0.0, 0.0, 0.875, 0.0, 0.0, -2.25, 0.0, 1.0,
            ],
        },
    ])
}

/// Four seconds, a quarter turn a second: the rotor about +Z, the gem about its own -Y.
fn spin(buffer: &mut Buffer) -> Value {
    let half = FRAC_1_SQRT_2;
    let quarters = [[0.0, 1.0], [half, half], [1.0, 0.0], [half, -half], [0.0, -1.0]];
    let times = [0.0, 1.0, 2.0, 3.0, 4.0].map(|time| [time]);
    let times = buffer.floats("Spin.times", &times, None, true);
    let about_z = quarters.map(|[sin, cos]| [0.0, 0.0, sin, cos]);
    let about_z = buffer.floats("Spin.Rotor", &about_z, None, false);
    let about_y = quarters.map(|[sin, cos]| [0.0, 0.0 - sin, 0.0, cos]);
    let about_y = buffer.floats("Spin.Gem", &about_y, None, false);
    json!({
        "name": "Spin",
        "channels": [
            { "sampler": 0, "target": { "node": 2, "path": "rotation" } },
            { "sampler": 1, "target": { "node": 5, "path": "rotation" } },
        ],
        "samplers": [
            { "input": times, "output": about_z, "interpolation": "LINEAR" },
            { "input": times, "output": about_y, "interpolation": "LINEAR" },
        ],
    })
}

/// A matt dielectric.
fn material(name: &str, mut pbr: Value) -> Value {
    pbr["metallicFactor"] = json!(0.0);
    pbr["roughnessFactor"] = json!(0.875);
    json!({ "name": name, "pbrMetallicRoughness": pbr })
}

/// Cut out by its picture's alpha, and seen from both sides.
fn leaf_material() -> Value {
    let mut leaf = material("Leaf", json!({ "baseColorTexture": { "index": 1 } }));
    leaf["alphaMode"] = json!("MASK");
    leaf["alphaCutoff"] = json!(0.5);
    leaf["doubleSided"] = json!(true);
    leaf
}

/// Post, axle and foot, behind the wheel.
fn stand() -> Solid {
    let mut solid = Solid::default();
    solid.add_box([-0.25, -4.5, -1.25], [0.25, 0.375, -0.75], SLATE);
    solid.add_box([-0.125, -0.125, -0.75], [0.125, 0.125, -0.125], CREAM);
    solid.add_box([-1.5, -4.75, -1.75], [1.5, -4.375, -0.25], SLATE);
    solid
}

/// Four arms and a pinwheel of a hub.
fn rotor() -> Solid {
    let mut solid = Solid::default();
    for arm in [
        [[0.0, -0.125], [1.75, 0.125]],
        [[-0.125, 0.0], [0.125, 1.5]],
        [[-1.75, -0.125], [0.0, 0.125]],
        [[-0.125, -1.8125], [0.125, 0.0]],
    ] {
        let [min, max] = arm;
        solid.add_box([min[0], min[1], -0.125], [max[0], max[1], 0.125], CREAM);
    }
    solid.add_octagon(0.625, -0.25, 0.25, [RED, CREAM]);
    solid
}

/// Indexed triangles with vertex colors.
fn colored(buffer: &mut Buffer, name: &str, solid: &Solid) -> Value {
    let label = |what: &str| format!("{name}.{what}");
    let position = buffer.floats(&label("POSITION"), &solid.positions, Some(VERTICES), true);
    let normal = buffer.floats(&label("NORMAL"), &solid.normals, Some(VERTICES), false);
    let color = buffer.byte_colors(&label("COLOR_0"), &solid.colors);
    json!({
        "name": name,
        "primitives": [{
            "attributes": { "POSITION": position, "NORMAL": normal, "COLOR_0": color },
            "indices": buffer.indices_u16(&label("indices"), &solid.indices),
            "material": 0,
        }],
    })
}

/// A crate of edge 1: planks on every side (interleaved), and eight metal corners.
fn crate_mesh(buffer: &mut Buffer) -> Value {
    let (mut planks, mut corners) = (Solid::default(), Solid::default());
    planks.add_box([-0.5; 3], [0.5; 3], CREAM);
    for index in 0..8 {
        let center = [0, 1, 2].map(|bit| if index >> bit & 1 == 0 { -0.4375 } else { 0.4375 });
        let (min, max) = (center.map(|c| c - 0.09375), center.map(|c| c + 0.09375));
        corners.add_box(min, max, CREAM);
    }
    let planks_attributes = buffer.interleaved(
        "Crate.planks",
        &[
            Stream::Three("POSITION", &planks.positions),
            Stream::Three("NORMAL", &planks.normals),
            Stream::Two("TEXCOORD_0", &planks.uvs),
        ],
    );
    let corners_attributes = buffer.interleaved(
        "Crate.corners",
        &[Stream::Three("POSITION", &corners.positions), Stream::Three("NORMAL", &corners.normals)],
    );
    json!({
        "name": "Crate",
        "primitives": [
            {
                "attributes": planks_attributes,
                "indices": buffer.indices_u16("Crate.planks.indices", &planks.indices),
                "material": 1,
            },
            {
                "attributes": corners_attributes,
                "indices": buffer.indices_u16("Crate.corners.indices", &corners.indices),
                "material": 2,
            },
        ],
    })
}

/// Without indices, and without normals: glTF then asks for flat ones.
fn gem_mesh(buffer: &mut Buffer) -> Value {
    let (positions, colors) = gem(0.5, 0.75, GEM);
    let position = buffer.floats("Gem.POSITION", &positions, Some(VERTICES), true);
    let color = buffer.floats("Gem.COLOR_0", &colors, Some(VERTICES), false);
    json!({
        "name": "Gem",
        "primitives": [{
            "attributes": { "POSITION": position, "COLOR_0": color },
            "material": 0,
        }],
    })
}

/// By octant: the signs of x (fastest), y and z.
const GEM: [Rgb; 8] = [
    [64, 196, 214],
    [38, 128, 196],
    [28, 104, 150],
    [24, 70, 128],
    [150, 92, 206],
    [196, 76, 160],
    [88, 52, 140],
    [122, 40, 104],
];

/// A square of edge 1 in the plane z = 0 that faces +Z.
fn leaf_mesh(buffer: &mut Buffer) -> Value {
    let positions = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]];
    let attributes = buffer.interleaved(
        "Leaf",
        &[
            Stream::Three("POSITION", &positions),
            Stream::Three("NORMAL", &[[0.0, 0.0, 1.0]; 4]),
            Stream::Two("TEXCOORD_0", &[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]),
        ],
    );
    json!({
        "name": "Leaf",
        "primitives": [{
            "attributes": attributes,
            "indices": buffer.indices_u8("Leaf.indices", &[0, 1, 2, 0, 2, 3]),
            "material": 3,
        }],
    })
}
