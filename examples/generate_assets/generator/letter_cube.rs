//! LetterCube: every face shows its initial and an arrow to its picture's upper edge.
//!
//! The atlas is the cube unfolded around its front, in a grid of 3 x 3 cells:
//!
//! ```text
//!      [U]           U over F and D under F, as they join on the cube;
//!   [L][F][R]        the back, which joins none of its neighbors here,
//!   [B][D]           lies in a free corner.
//! ```
//!
//! The arrow stands right of the letter, so that a mirrored face shows even where the letter
//! itself is symmetric (U).

use std::error::Error;
use std::f32::consts::FRAC_1_SQRT_2;

use serde_json::json;

use super::document::{Buffer, VERTICES, asset, text};
use super::files::AssetFile;
use super::paint::{Canvas, Encoding, Point, Rgb, convex_polygon, distance, rounded_rectangle, stroke};

/// Width of the atlas, in pixels of the base color picture, which are the drawing units.
const ATLAS: f32 = 512.0;
/// From a cell to the next.
const PITCH: f32 = 168.0;
/// Width of a face's picture: eight units are left between two faces.
const FACE: f32 = 160.0;
/// Left and upper edge of the first face.
const MARGIN: f32 = 8.0;
/// Width of a face's own border. It has the color of the margins, so that small mip levels, which
/// mix neighbors, show nothing but a wider border.
const BORDER: f32 = 6.0;
/// Half the width of a letter's strokes.
const PEN: f32 = 10.0;

const CREAM: Rgb = [246, 240, 228];
const INK: Rgb = [44, 36, 32];

/// A face of the cube and its picture.
struct Face {
    letter: char,
    /// Outward.
    normal: [f32; 3],
    /// Where the picture's upper edge lies, seen from the middle of the face.
    up: [f32; 3],
    /// Column and row in the atlas, from the upper left.
    cell: [f32; 2],
    panel: Rgb,
    letter_color: Rgb,
}

/// Up is +Y on the four sides. U, seen from above with +Z towards the viewer's feet, has its up at
/// -Z; D, seen from below, at +Z: both join the front as they do on the unfolded cube.
#[rustfmt::skip]
const FACES: [Face; 6] = [
    Face { letter: 'F', normal: [ 0.0,  0.0,  1.0], up: [0.0, 1.0,  0.0], cell: [1.0, 1.0], panel: [199,  54,  47], letter_color: CREAM },
    Face { letter: 'B', normal: [ 0.0,  0.0, -1.0], up: [0.0, 1.0,  0.0], cell: [0.0, 2.0], panel: [122,  63, 168], letter_color: CREAM },
    Face { letter: 'L', normal: [-1.0,  0.0,  0.0], up: [0.0, 1.0,  0.0], cell: [0.0, 1.0], panel: [ 40, 124,  70], letter_color: CREAM },
    Face { letter: 'R', normal: [ 1.0,  0.0,  0.0], up: [0.0, 1.0,  0.0], cell: [2.0, 1.0], panel: [ 34,  98, 184], letter_color: CREAM },
    Face { letter: 'U', normal: [ 0.0,  1.0,  0.0], up: [0.0, 0.0, -1.0], cell: [1.0, 0.0], panel: [244, 184,  28], letter_color: INK },
    Face { letter: 'D', normal: [ 0.0, -1.0,  0.0], up: [0.0, 0.0,  1.0], cell: [1.0, 2.0], panel: [ 56,  66,  84], letter_color: CREAM },
];

/// The asset's files.
pub fn files() -> Result<Vec<AssetFile>, Box<dyn Error>> {
    let base_color = paint(512, Encoding::Color, CREAM, |face| (face.panel, face.letter_color));
    // Red is unused, green is roughness, blue is metalness: matt border, satin panel, and letters
    // of polished metal.
    let metallic_roughness = paint(128, Encoding::Data, [255, 217, 0], |_| ([255, 140, 0], [255, 77, 255]));
    let (gltf, bin) = document();
    Ok(vec![
        ("LetterCube/LetterCube.gltf", gltf),
        ("LetterCube/LetterCube.bin", bin),
        ("LetterCube/LetterCube_BaseColor.png", base_color.png_rgb()?),
        ("LetterCube/LetterCube_MetallicRoughness.png", metallic_roughness.png_rgb()?),
    ])
}

fn document() -> (Vec<u8>, Vec<u8>) {
    let (mut positions, mut normals, mut uvs) = (Vec::new(), Vec::new(), Vec::new());
    let mut indices: Vec<u16> = Vec::new();
    for (number, face) in (0u16..).zip(&FACES) {
        let right = cross(face.up, face.normal);
        // Counterclockwise, seen from outside: lower left, lower right, upper right, upper left.
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            positions.push([0, 1, 2].map(|i| face.normal[i] + right[i] * x + face.up[i] * y));
            normals.push(face.normal);
            // v runs down the picture.
            uvs.push([
                (MARGIN + PITCH * face.cell[0] + FACE * (0.5 + 0.5 * x)) / ATLAS,
                (MARGIN + PITCH * face.cell[1] + FACE * (0.5 - 0.5 * y)) / ATLAS,
            ]);
        }
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| number * 4 + corner));
    }
    // The signs go on from key to key, as exporters write them: a full turn ends at minus the
    // identity, not at the identity.
    let half = FRAC_1_SQRT_2;
    let turn = [
        [0.0, 0.0, 0.0, 1.0],
        [0.0, half, 0.0, half],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, half, 0.0, -half],
        [0.0, 0.0, 0.0, -1.0],
    ];

    let mut buffer = Buffer::default();
    let position = buffer.floats("LetterCube.POSITION", &positions, Some(VERTICES), true);
    let normal = buffer.floats("LetterCube.NORMAL", &normals, Some(VERTICES), false);
    let uv = buffer.floats("LetterCube.TEXCOORD_0", &uvs, Some(VERTICES), false);
    let index = buffer.indices_u16("LetterCube.indices", &indices);
    let times = buffer.floats("Turn.times", &[0.0, 0.5, 1.0, 1.5, 2.0].map(|t| [t]), None, true);
    let rotations = buffer.floats("Turn.rotations", &turn, None, false);
    let (bin, views, accessors) = buffer.finish();

    let gltf = json!({
        "asset": asset(),
        "scene": 0,
        "scenes": [{ "name": "Scene", "nodes": [0] }],
        "nodes": [{ "name": "LetterCube", "mesh": 0 }],
        "meshes": [{
            "name": "LetterCube",
            "primitives": [{
                "attributes": { "POSITION": position, "NORMAL": normal, "TEXCOORD_0": uv },
                "indices": index,
                "material": 0,
            }],
        }],
        "materials": [{
            "name": "Letters",
            "pbrMetallicRoughness": {
                "baseColorTexture": { "index": 0 },
                "metallicRoughnessTexture": { "index": 1 },
            },
        }],
        "textures": [
            { "name": "BaseColor", "source": 0, "sampler": 0 },
            { "name": "MetallicRoughness", "source": 1, "sampler": 0 },
        ],
        "images": [
            { "name": "LetterCube_BaseColor", "uri": "LetterCube_BaseColor.png" },
            { "name": "LetterCube_MetallicRoughness", "uri": "LetterCube_MetallicRoughness.png" },
        ],
        // LINEAR, LINEAR_MIPMAP_LINEAR, CLAMP_TO_EDGE
        "samplers": [{
            "name": "Trilinear", "magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071,
        }],
        "animations": [{
            "name": "Turn",
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "rotation" } }],
            "samplers": [{ "input": times, "output": rotations, "interpolation": "LINEAR" }],
        }],
        "buffers": [{ "name": "LetterCube", "uri": "LetterCube.bin", "byteLength": bin.len() }],
        "bufferViews": views,
        "accessors": accessors,
    });
    (text(&gltf), bin)
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Paints the atlas; `colors` gives a face's panel and letter.
fn paint(size: u32, encoding: Encoding, border: Rgb, colors: impl Fn(&Face) -> (Rgb, Rgb)) -> Canvas {
    let mut canvas = Canvas::new(size, ATLAS, encoding, border);
    for face in &FACES {
        let (panel, letter) = colors(face);
        let local = |point: Point| [0, 1].map(|axis| point[axis] - MARGIN - PITCH * face.cell[axis]);
        let far = FACE - BORDER;
        canvas.fill(panel, |point| rounded_rectangle(local(point), [BORDER; 2], [far; 2], 16.0));
        canvas.fill(letter, |point| {
            let [x, y] = local(point);
            // The upper left end of the letter's center lines lies at (32, 40) of the face.
            letter_shape(face.letter, [x - 32.0, y - 40.0]).min(arrow([x, y]))
        });
    }
    canvas
}

/// An arrow from the lower to the upper edge of the panel, right of the letter.
fn arrow(point: Point) -> f32 {
    let head = [[123.0, 33.0], [138.0, 62.0], [108.0, 62.0]];
    let stem = stroke(point, [123.0, 62.0], [123.0, 125.0], 5.0);
    // Strokes along its edges round the head like the letters' ends.
    let edge = |from: usize, to: usize| stroke(point, head[from], head[to], 2.5);
    convex_polygon(point, &head).min(edge(0, 1)).min(edge(1, 2)).min(edge(2, 0)).min(stem)
}

/// The letters that a face can show, as strokes 80 units high with their upper left end at (0, 0).
fn letter_shape(letter: char, point: Point) -> f32 {
    let line = |a: Point, b: Point| stroke(point, a, b, PEN);
    // Half a circle on the side that `facing` points to; lines join its ends, and round them.
    let bow = |center: Point, radius: f32, facing: Point| {
        let (x, y) = (point[0] - center[0], point[1] - center[1]);
        if x * facing[0] + y * facing[1] >= 0.0 {
            (distance(point, center) - radius).abs() - PEN
        } else {
            f32::INFINITY
        }
    };
    let stem = line([0.0, 0.0], [0.0, 80.0]);
    // A bowl on the stem between two heights, as deep as half its height beyond `x`.
    let bowl = |x: f32, top: f32, bottom: f32| {
        let radius = (bottom - top) * 0.5;
        line([0.0, top], [x, top]).min(line([0.0, bottom], [x, bottom])).min(bow(
            [x, top + radius],
            radius,
            [1.0, 0.0],
        ))
    };
    match letter {
        'F' => stem.min(line([0.0, 0.0], [46.0, 0.0])).min(line([0.0, 38.0], [36.0, 38.0])),
        'B' => stem.min(bowl(24.0, 0.0, 38.0)).min(bowl(26.0, 38.0, 80.0)),
        'L' => stem.min(line([0.0, 80.0], [46.0, 80.0])),
        'R' => stem.min(bowl(24.0, 0.0, 42.0)).min(line([23.0, 42.0], [47.0, 80.0])),
        'U' => line([0.0, 0.0], [0.0, 56.0]).min(line([48.0, 0.0], [48.0, 56.0])).min(bow(
            [24.0, 56.0],
            24.0,
            [0.0, 1.0],
        )),
        'D' => stem.min(bowl(8.0, 0.0, 80.0)),
        _ => f32::INFINITY,
    }
}
