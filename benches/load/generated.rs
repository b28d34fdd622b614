//! Documents made in code: large, many-parted, and one for each way in which elements lie.

use serde_json::{Value, json};

const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// A document with one buffer.
struct Glb {
    json: Value,
    binary: Vec<u8>,
}

impl Glb {
    fn new() -> Self {
        let json = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}],
            "extensionsUsed": ["KHR_materials_unlit"],
            "materials": [{"extensions": {"KHR_materials_unlit": {}}}],
            "meshes": [], "nodes": [], "accessors": [], "bufferViews": [],
        });
        Self { json, binary: Vec::new() }
    }

    fn push(&mut self, list: &str, entry: Value) -> usize {
        let entries = self.json[list].as_array_mut().expect("a list");
        entries.push(entry);
        entries.len() - 1
    }

    fn view(&mut self, bytes: &[u8], stride: Option<usize>) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let mut view = json!({"buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len()});
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        self.binary.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    fn accessor(&mut self, view: usize, offset: usize, component: u32, shape: &str, count: usize) -> usize {
        self.push(
            "accessors",
            json!({"bufferView": view, "byteOffset": offset, "componentType": component, "type": shape, "count": count}),
        )
    }

    /// Positions have to say how far they reach, and `gltf::import` insists on it.
    fn reaching(&mut self, accessor: usize, reach: f32) -> usize {
        self.json["accessors"][accessor]["min"] = json!([0.0, 0.0, 0.0]);
        self.json["accessors"][accessor]["max"] = json!([reach, reach, reach]);
        accessor
    }

    /// The accessor's integers stand for fractions.
    fn normalized(&mut self, accessor: usize) -> usize {
        self.json["accessors"][accessor]["normalized"] = json!(true);
        accessor
    }

    /// Adds a mesh of these primitives and a root that draws it.
    fn draw(&mut self, primitives: Value) {
        let mesh = self.push("meshes", json!({"primitives": primitives}));
        let node = self.push("nodes", json!({"mesh": mesh}));
        self.json["scenes"][0]["nodes"].as_array_mut().expect("a list").push(json!(node));
    }

    fn bytes(mut self) -> Vec<u8> {
        self.json["buffers"] = json!([{"byteLength": self.binary.len()}]);
        let mut json = self.json.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let total = 12 + 8 + json.len() + 8 + self.binary.len();
        let mut out = Vec::with_capacity(total);
        out.extend(b"glTF\x02\0\0\0");
        out.extend((total as u32).to_le_bytes());
        for (kind, data) in [(b"JSON", &json), (b"BIN\0", &self.binary)] {
            out.extend((data.len() as u32).to_le_bytes());
            out.extend(kind);
            out.extend(data);
        }
        out
    }
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// 100 MB: 1.8 million vertices with normals and texture coordinates and six indices each, in eight primitives, half of
/// them interleaved.
pub fn large() -> Vec<u8> {
    const SIDE: usize = 474;
    const VERTICES: usize = SIDE * SIDE;
    let mut glb = Glb::new();
    let at = |i: usize| ((i % SIDE) as f32, (i / SIDE) as f32);
    let position = |i: usize| [at(i).0, at(i).1, (i % 7) as f32 * 0.125];
    let uv = |i: usize| [at(i).0 / SIDE as f32, at(i).1 / SIDE as f32];
    let indices: Vec<u8> = (0..VERTICES)
        .flat_map(|i| {
            // The last row and column go around, so that every vertex begins two triangles.
            let next = |step: usize| ((i + step) % VERTICES) as u32;
            [next(0), next(1), next(SIDE), next(SIDE), next(1), next(SIDE + 1)]
        })
        .flat_map(u32::to_le_bytes)
        .collect();
    for part in 0..8 {
        let (position, normal, uv) = if part % 2 == 0 {
            let vertex = |i: usize| {
                let ([x, y, z], [u, v]) = (position(i), uv(i));
                [x, y, z, 0.0, 0.0, 1.0, u, v]
            };
            let view = glb.view(&floats((0..VERTICES).flat_map(vertex)), Some(32));
            (
                glb.accessor(view, 0, F32, "VEC3", VERTICES),
                glb.accessor(view, 12, F32, "VEC3", VERTICES),
                glb.accessor(view, 24, F32, "VEC2", VERTICES),
            )
        } else {
            let positions = glb.view(&floats((0..VERTICES).flat_map(position)), None);
            let normals = glb.view(&floats((0..VERTICES).flat_map(|_| [0.0, 0.0, 1.0])), None);
            let uvs = glb.view(&floats((0..VERTICES).flat_map(uv)), None);
            (
                glb.accessor(positions, 0, F32, "VEC3", VERTICES),
                glb.accessor(normals, 0, F32, "VEC3", VERTICES),
                glb.accessor(uvs, 0, F32, "VEC2", VERTICES),
            )
        };
        let position = glb.reaching(position, SIDE as f32);
        let view = glb.view(&indices, None);
        let indices = glb.accessor(view, 0, U32, "SCALAR", VERTICES * 6);
        glb.draw(json!([{
            "attributes": {"POSITION": position, "NORMAL": normal, "TEXCOORD_0": uv},
            "indices": indices, "material": 0,
        }]));
    }
    let bytes = glb.bytes();
    assert!((90 << 20..110 << 20).contains(&bytes.len()), "{} bytes", bytes.len());
    bytes
}

/// A tree of `nodes` nodes, ten to a parent, over `meshes` small meshes with streams of their own.
pub fn many(nodes: usize, meshes: usize) -> Vec<u8> {
    let mut glb = Glb::new();
    let corners = floats([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let normals = floats([0.0, 0.0, 1.0].repeat(3));
    for mesh in 0..meshes {
        let (corners, normals) = (glb.view(&corners, None), glb.view(&normals, None));
        let indices = glb.view(&[0, 0, 1, 0, 2, 0], None);
        let position = glb.accessor(corners, 0, F32, "VEC3", 3);
        let position = glb.reaching(position, 1.0);
        let normal = glb.accessor(normals, 0, F32, "VEC3", 3);
        let indices = glb.accessor(indices, 0, U16, "SCALAR", 3);
        let primitive = json!({
            "attributes": {"POSITION": position, "NORMAL": normal}, "indices": indices, "material": 0,
        });
        glb.push("meshes", json!({"name": format!("mesh {mesh}"), "primitives": [primitive]}));
    }
    for node in 0..nodes {
        let children: Vec<usize> =
            (node * 10 + 1..=node * 10 + 10).take_while(|&child| child < nodes).collect();
        let mut entry = json!({
            "name": format!("node {node}"), "mesh": node % meshes, "translation": [node, 0.5, -1.25],
        });
        if !children.is_empty() {
            entry["children"] = json!(children);
        }
        glb.push("nodes", entry);
    }
    glb.json["scenes"][0]["nodes"] = json!([0]);
    glb.bytes()
}

/// Points whose one stream lies in each way, with its name and its bytes in the file.
pub fn accessors() -> Vec<(&'static str, Vec<u8>, usize)> {
    const COUNT: usize = 1_000_000;
    let bytes = |size: usize| (0..COUNT * size).map(|i| (i % 251) as u8).collect::<Vec<u8>>();
    let streams = |width: usize| floats((0..COUNT * width).map(|i| i as f32));
    type Stream = (&'static str, &'static str, u32, &'static str, bool, Option<usize>, Vec<u8>);
    let all: [Stream; 6] = [
        ("f32x3 tight", "POSITION", F32, "VEC3", false, None, streams(3)),
        ("f32x3 stride 16", "POSITION", F32, "VEC3", false, Some(16), streams(4)),
        ("u16x3 normalized, stride 8", "POSITION", U16, "VEC3", true, Some(8), bytes(8)),
        ("u16x2 normalized", "TEXCOORD_0", U16, "VEC2", true, None, bytes(4)),
        ("u8x4 normalized", "COLOR_0", U8, "VEC4", true, None, bytes(4)),
        ("u16 indices", "indices", U16, "SCALAR", false, None, {
            (0..COUNT).flat_map(|i| ((i % 65_000) as u16).to_le_bytes()).collect()
        }),
    ];
    let make = |(name, attribute, component, shape, normalized, stride, data): Stream| {
        let mut glb = Glb::new();
        glb.json["extensionsUsed"].as_array_mut().expect("a list").push(json!("KHR_mesh_quantization"));
        let view = glb.view(&data, stride);
        let accessor = glb.accessor(view, 0, component, shape, COUNT);
        if normalized {
            glb.normalized(accessor);
        }
        // Points need a position; an accessor without a view is the cheapest, and 65,000 are enough for 16-bit indices.
        let vertices = if attribute == "indices" { 65_000 } else { COUNT };
        let mut primitive = json!({"mode": 0, "material": 0, "attributes": {}});
        if attribute != "POSITION" {
            let zeros = json!({"componentType": F32, "type": "VEC3", "count": vertices});
            primitive["attributes"]["POSITION"] = json!(glb.push("accessors", zeros));
        }
        if attribute == "indices" {
            primitive["indices"] = json!(accessor);
        } else {
            primitive["attributes"][attribute] = json!(accessor);
        }
        glb.draw(json!([primitive]));
        (name, glb.bytes(), data.len())
    };
    all.map(make).into()
}
