//! The committed assets are what `examples/generate_assets` writes today, and they are what they
//! claim to be. Nothing of the library is used here: only the files and the glTF specification.

#[path = "../examples/generate_assets/generator/mod.rs"]
mod generator;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use image::RgbImage;
use serde_json::Value;

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

/// A document and its first buffer.
struct Document {
    json: Value,
    bin: Vec<u8>,
}

impl Document {
    fn letter_cube() -> Self {
        let folder = assets().join("LetterCube");
        let text = fs::read(folder.join("LetterCube.gltf")).unwrap();
        Self {
            json: serde_json::from_slice(&text).unwrap(),
            bin: fs::read(folder.join("LetterCube.bin")).unwrap(),
        }
    }

    /// The `N` numbers of every element of a tightly packed accessor of 32-bit floats.
    fn floats<const N: usize>(&self, accessor: &Value) -> Vec<[f32; N]> {
        let accessor = &self.json["accessors"][index(accessor)];
        assert_eq!(accessor["componentType"], 5126);
        assert_eq!(accessor["type"], ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1]);
        let view = &self.json["bufferViews"][index(&accessor["bufferView"])];
        assert!(view.get("byteStride").is_none());
        let start = index(&view["byteOffset"]) + index(&accessor["byteOffset"]);
        let numbers: Vec<f32> = self.bin[start..start + index(&accessor["count"]) * N * 4]
            .chunks_exact(4)
            .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        numbers.as_chunks::<N>().0.to_vec()
    }

    fn indices(&self, accessor: &Value) -> Vec<usize> {
        let accessor = &self.json["accessors"][index(accessor)];
        assert_eq!((&accessor["componentType"], &accessor["type"]), (&5123.into(), &"SCALAR".into()));
        let view = &self.json["bufferViews"][index(&accessor["bufferView"])];
        assert_eq!(view["target"], 34963);
        let start = index(&view["byteOffset"]) + index(&accessor["byteOffset"]);
        self.bin[start..start + index(&accessor["count"]) * 2]
            .chunks_exact(2)
            .map(|bytes| usize::from(u16::from_le_bytes(bytes.try_into().unwrap())))
            .collect()
    }
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = dot(v, v).sqrt();
    // Rounded to whole numbers: every direction here is an axis.
    v.map(|number| {
        let number = number / length;
        assert!((number - number.round()).abs() < 1e-5, "{v:?} is no axis");
        number.round() + 0.0
    })
}

/// A face as it can be read from the vertices alone.
struct Face {
    normal: [f32; 3],
    /// Where the upper edge of the picture lies.
    up: [f32; 3],
    /// Where the right edge of the picture lies.
    right: [f32; 3],
    /// Upper left corner of its picture in the atlas, in pixels.
    corner: [u32; 2],
}

fn faces(document: &Document) -> Vec<Face> {
    let primitive = &document.json["meshes"][0]["primitives"][0];
    let positions = document.floats::<3>(&primitive["attributes"]["POSITION"]);
    let normals = document.floats::<3>(&primitive["attributes"]["NORMAL"]);
    let uvs = document.floats::<2>(&primitive["attributes"]["TEXCOORD_0"]);
    let indices = document.indices(&primitive["indices"]);
    indices
        .as_chunks::<6>()
        .0
        .iter()
        .map(|corners| {
            let mut found: Vec<([f32; 3], [f32; 3])> = Vec::new();
            for &[a, b, c] in corners.as_chunks::<3>().0 {
                let (e1, e2) = (sub(positions[b], positions[a]), sub(positions[c], positions[a]));
                assert_eq!(unit(cross(e1, e2)), normals[a], "the triangle faces inward");
                // Solve e = u * dP/du + v * dP/dv for the two edges.
                let ([u1, v1], [u2, v2]) = (
                    [uvs[b][0] - uvs[a][0], uvs[b][1] - uvs[a][1]],
                    [uvs[c][0] - uvs[a][0], uvs[c][1] - uvs[a][1]],
                );
                let area = u1 * v2 - u2 * v1;
                let per_u = [0, 1, 2].map(|i| (e1[i] * v2 - e2[i] * v1) / area);
                let per_v = [0, 1, 2].map(|i| (e2[i] * u1 - e1[i] * u2) / area);
                // v runs down the picture.
                found.push((unit(per_u), unit(per_v.map(|number| -number))));
            }
            assert_eq!(found[0], found[1], "the two triangles of a face disagree");
            let corner = [0, 1].map(|axis| {
                let lowest = corners.iter().map(|&i| uvs[i][axis]).reduce(f32::min).unwrap();
                (lowest * 512.0) as u32
            });
            Face { normal: normals[corners[0]], up: found[0].1, right: found[0].0, corner }
        })
        .collect()
}

/// Whether a pixel of a face's picture belongs to the letter or the arrow: it differs from the
/// panel, which is sampled where nothing is drawn on it.
fn ink(atlas: &RgbImage, face: &Face, x: u32, y: u32) -> bool {
    let pixel = |x, y| atlas.get_pixel(face.corner[0] + x, face.corner[1] + y).0;
    let (panel, here) = (pixel(80, 18), pixel(x, y));
    (0..3).any(|channel| panel[channel].abs_diff(here[channel]) > 48)
}

#[test]
fn committed_assets_are_what_the_generator_writes() {
    let fresh = Path::new(env!("CARGO_TARGET_TMPDIR")).join("assets_fresh");
    let written = generator::write_assets(&fresh).unwrap();
    let mut total = 0;
    for (name, length) in &written {
        let (new, old) = (fs::read(fresh.join(name)).unwrap(), fs::read(assets().join(name)));
        assert_eq!(new.len(), *length);
        assert!(
            old.is_ok_and(|old| old == new),
            "assets/{name} is stale: run `cargo run --example generate_assets` and commit the \
             result (if only a PNG differs, and its pixels do not, the PNG encoder was updated)",
        );
        assert!(*length < 200_000, "{name} is too large");
        total += length;
    }
    assert!(total < 300_000, "{total} bytes of assets are too many");

    let names: BTreeSet<PathBuf> = written.iter().map(|(name, _)| assets().join(name)).collect();
    for folder in ["LetterCube", "Hierarchy"] {
        for entry in fs::read_dir(assets().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            assert!(names.contains(&path), "nothing writes {}", path.display());
        }
    }
}

#[test]
fn letter_cube_has_24_vertices_and_36_short_indices() {
    let document = Document::letter_cube();
    let json = &document.json;
    assert_eq!(json["asset"]["generator"], "fire-engine generate_assets");
    assert_eq!(json["nodes"].as_array().unwrap().len(), 1);
    assert_eq!(json["nodes"][0]["name"], "LetterCube");

    let primitive = &json["meshes"][0]["primitives"][0];
    let positions = document.floats::<3>(&primitive["attributes"]["POSITION"]);
    assert_eq!(positions.len(), 24);
    assert_eq!(document.floats::<3>(&primitive["attributes"]["NORMAL"]).len(), 24);
    assert_eq!(document.floats::<2>(&primitive["attributes"]["TEXCOORD_0"]).len(), 24);
    let indices = document.indices(&primitive["indices"]);
    assert_eq!(indices.len(), 36);
    assert_eq!(indices.iter().collect::<BTreeSet<_>>().len(), 24);
    assert!(indices.iter().all(|&vertex| vertex < 24));

    assert!(positions.iter().flatten().all(|number| number.abs() == 1.0));
    let accessor = &json["accessors"][index(&primitive["attributes"]["POSITION"])];
    assert_eq!(accessor["min"], serde_json::json!([-1.0, -1.0, -1.0]));
    assert_eq!(accessor["max"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(index(&json["buffers"][0]["byteLength"]), document.bin.len());
}

#[test]
fn letter_cube_turns_about_y_in_quarters() {
    let document = Document::letter_cube();
    let clip = &document.json["animations"][0];
    assert_eq!(clip["name"], "Turn");
    assert_eq!(clip["channels"].as_array().unwrap().len(), 1);
    assert_eq!(clip["channels"][0]["target"], serde_json::json!({ "node": 0, "path": "rotation" }));
    let sampler = &clip["samplers"][0];
    assert_eq!(sampler["interpolation"], "LINEAR");
    let times = document.floats::<1>(&sampler["input"]);
    assert_eq!(times.as_flattened(), [0.0, 0.5, 1.0, 1.5, 2.0]);
    let accessor = &document.json["accessors"][index(&sampler["input"])];
    assert_eq!(accessor["min"], serde_json::json!([0.0]));
    assert_eq!(accessor["max"], serde_json::json!([2.0]));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert_eq!(
        document.floats::<4>(&sampler["output"]),
        [
            [0.0, 0.0, 0.0, 1.0],
            [0.0, half, 0.0, half],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, half, 0.0, -half],
            [0.0, 0.0, 0.0, -1.0],
        ],
    );
}

#[test]
fn letter_cube_pictures_stand_upright_and_are_not_mirrored() {
    let document = Document::letter_cube();
    let faces = faces(&document);
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let minus = |v: [f32; 3]| v.map(|number: f32| 0.0 - number);
    // Front, back, left, right, up, down: outward normal and the picture's up.
    let documented = [(z, y), (minus(z), y), (minus(x), y), (x, y), (y, minus(z)), (minus(y), z)];
    assert_eq!(faces.len(), documented.len());
    for (face, (normal, up)) in faces.iter().zip(documented) {
        assert_eq!(face.normal, normal);
        assert_eq!(face.up, up, "up of the face at {normal:?}");
        assert_eq!(cross(face.right, face.up), normal, "the face at {normal:?} is mirrored");
    }
}

#[test]
fn letter_cube_atlas_shows_each_letter_with_an_arrow_up_at_its_right() {
    let atlas = image::open(assets().join("LetterCube/LetterCube_BaseColor.png")).unwrap().to_rgb8();
    assert_eq!(atlas.dimensions(), (512, 512));
    // On a grid of 3 x 5 over the letter, where there is ink: enough to tell the six apart, and
    // each from its mirror images (U left to right, and B and D upside down, are their own: there
    // the arrow decides).
    let letters = [
        ["###", "#..", "##.", "#..", "#.."],
        ["##.", "#.#", "##.", "#.#", "##."],
        ["#..", "#..", "#..", "#..", "###"],
        ["##.", "#.#", "##.", "##.", "#.#"],
        ["#.#", "#.#", "#.#", "#.#", ".#."],
        ["##.", "#.#", "#.#", "#.#", "##."],
    ];
    let document = Document::letter_cube();
    let mut panels = BTreeSet::new();
    for (face, letter) in faces(&document).iter().zip(letters) {
        panels.insert(atlas.get_pixel(face.corner[0] + 80, face.corner[1] + 18).0);
        let seen: Vec<String> = [40, 58, 80, 100, 124]
            .into_iter()
            .map(|y| {
                [32, 58, 84].into_iter().map(|x| if ink(&atlas, face, x, y) { '#' } else { '.' }).collect()
            })
            .collect();
        assert_eq!(seen, letter, "face at {:?}", face.normal);

        let width = |y| (100..148).filter(|&x| ink(&atlas, face, x, y)).count();
        let (head, stem) = (width(58), width(100));
        assert!(head > 2 * stem && stem >= 8, "no arrow up: {head} over {stem} pixels");
        assert_eq!((width(24), width(140)), (0, 0), "the arrow leaves its panel");
    }
    assert_eq!(panels.len(), 6, "every face has a color of its own");
}

#[test]
fn hierarchy_covers_what_its_name_promises() {
    let text = fs::read(assets().join("Hierarchy/Hierarchy.gltf")).unwrap();
    let json: Value = serde_json::from_slice(&text).unwrap();
    let nodes = json["nodes"].as_array().unwrap();
    let find = |name: &str| nodes.iter().position(|node| node["name"] == name).unwrap();
    let parent = |child: usize| {
        nodes.iter().position(|node| {
            node["children"]
                .as_array()
                .is_some_and(|children| children.iter().any(|node| index(node) == child))
        })
    };
    // Root, animated parent, child, grandchild.
    let (root, rotor) = (find("Hierarchy"), find("Rotor"));
    assert_eq!(parent(root), None);
    assert_eq!(parent(rotor), Some(root));
    assert_eq!(parent(find("Stand")), Some(root));
    for (child, grandchild) in [("Crate", "SmallCrate"), ("Gem", "SmallGem"), ("Leaf", "LeafBack")] {
        assert_eq!(parent(find(child)), Some(rotor));
        assert_eq!(parent(find(grandchild)), Some(find(child)));
    }
    let targets: Vec<usize> = json["animations"][0]["channels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|channel| index(&channel["target"]["node"]))
        .collect();
    assert_eq!(targets, [rotor, find("Gem")]);

    // The matrix mirrors: the product of its diagonal, which is all there is, is negative.
    let matrix = nodes[find("MirrorCrate")]["matrix"].as_array().unwrap();
    let diagonal = [0, 5, 10].map(|entry| matrix[entry].as_f64().unwrap());
    assert!(diagonal.iter().product::<f64>() < 0.0);

    let primitives = |node: &str| {
        let mesh = index(&nodes[find(node)]["mesh"]);
        json["meshes"][mesh]["primitives"].as_array().unwrap()
    };
    let material = |primitive: &Value| &json["materials"][index(&primitive["material"])];
    let [planks, corners] = primitives("Crate").as_slice() else {
        panic!("the crate has two primitives");
    };
    assert!(material(planks)["pbrMetallicRoughness"].get("baseColorTexture").is_some());
    assert!(material(corners)["pbrMetallicRoughness"].get("baseColorTexture").is_none());
    assert!(material(corners)["pbrMetallicRoughness"].get("baseColorFactor").is_some());
    let leaf = material(&primitives("Leaf")[0]);
    assert_eq!((&leaf["alphaMode"], &leaf["alphaCutoff"]), (&"MASK".into(), &0.5.into()));
    assert_eq!(leaf["doubleSided"], true);
    assert!(primitives("Gem")[0].get("indices").is_none());
    assert!(primitives("Gem")[0]["attributes"].get("COLOR_0").is_some());

    let picture = image::open(assets().join("Hierarchy/Hierarchy_Leaf.png")).unwrap().to_rgba8();
    let alpha = |x, y| picture.get_pixel(x, y).0[3];
    // Blade, hole, bite and the outside.
    assert_eq!([alpha(150, 110), alpha(80, 92), alpha(196, 72), alpha(8, 8)], [255, 0, 0, 0]);
}
