//! Small documents built in code.

use base64::Engine as _;
use fire_engine::assets::Mesh;
use fire_engine::gltf::{LoadError, LoadReport, NoFiles, Resolver, load_from_slice};
use fire_engine::scene::Content;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

pub const U8: u32 = 5121;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

/// A document under construction, with one buffer.
#[derive(Clone)]
pub struct Doc {
    pub json: Value,
    pub binary: Vec<u8>,
}

impl Doc {
    pub fn new() -> Self {
        let json = json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}]});
        Self { json, binary: Vec::new() }
    }

    /// One node that draws one triangle of three vertices without indices.
    pub fn triangle() -> Self {
        let mut doc = Self::new();
        let position = doc.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        doc.json["meshes"] = json!([{"name": "M", "primitives": [{"attributes": {"POSITION": position}}]}]);
        doc.json["nodes"] = json!([{"name": "N", "mesh": 0}]);
        doc.json["scenes"] = json!([{"nodes": [0]}]);
        doc
    }

    /// The triangle with a rotation clip: 0, 1 and 2 s, in quarter turns about z.
    pub fn turning() -> Self {
        let mut doc = Self::triangle();
        let (input, output) = (doc.floats("SCALAR", &[0.0, 1.0, 2.0]), doc.quarter_turns());
        doc.json["animations"] = json!([{
            "name": "Turn",
            "samplers": [{"input": input, "output": output}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
        }]);
        doc
    }

    pub fn quarter_turns(&mut self) -> u64 {
        let h = std::f32::consts::FRAC_1_SQRT_2;
        self.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, h, h, 0.0, 0.0, 1.0, 0.0])
    }

    pub fn push(&mut self, list: &str, entry: Value) -> u64 {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let entries = self.json[list].as_array_mut().unwrap();
        entries.push(entry);
        entries.len() as u64 - 1
    }

    pub fn view(&mut self, bytes: &[u8]) -> u64 {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let offset = self.binary.len();
        self.binary.extend_from_slice(bytes);
        self.push("bufferViews", json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}))
    }

    pub fn accessor(&mut self, component: u32, shape: &str, count: usize, bytes: &[u8]) -> u64 {
        let view = self.view(bytes);
        let entry = json!({"bufferView": view, "componentType": component, "count": count, "type": shape});
        self.push("accessors", entry)
    }

    pub fn floats(&mut self, shape: &str, values: &[f32]) -> u64 {
        let width = match shape {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            _ => 4,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(F32, shape, values.len() / width, &bytes)
    }

    /// Adds an attribute to the first primitive.
    pub fn attribute(&mut self, name: &str, accessor: u64) {
        self.json["meshes"][0]["primitives"][0]["attributes"][name] = json!(accessor);
    }

    /// A material on the first primitive that is drawn as it asks, so that a load has nothing to report.
    pub fn unlit(mut self) -> Self {
        self.json["extensionsUsed"] = json!(["KHR_materials_unlit"]);
        self.json["materials"] = json!([{"extensions": {"KHR_materials_unlit": {}}}]);
        self.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        self
    }

    /// The paths of the report's rows.
    pub fn noted(&self) -> Vec<String> {
        self.load().unwrap().1.iter().map(|note| note.json_path.clone()).collect()
    }

    /// A material on the first primitive whose base color texture is an image of these bytes.
    pub fn image(&mut self, bytes: &[u8]) {
        let view = self.view(bytes);
        self.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}]);
        self.textured();
    }

    /// A material on the first primitive that uses texture 0 of image 0.
    pub fn textured(&mut self) {
        self.json["textures"] = json!([{"source": 0}]);
        self.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
        self.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    }

    /// The JSON with its buffer inline.
    pub fn gltf(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if !self.binary.is_empty() && json["buffers"].is_null() {
            let uri = format!("data:application/octet-stream;base64,{}", base64(&self.binary));
            json["buffers"] = json!([{"byteLength": self.binary.len(), "uri": uri}]);
        }
        json.to_string().into_bytes()
    }

    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.binary.len()}]);
        glb(json.to_string().as_bytes(), &self.binary)
    }

    pub fn load(&self) -> Result<(Content, LoadReport), LoadError> {
        load_from_slice(&self.gltf(), &NoFiles)
    }

    pub fn content(&self) -> Content {
        self.load().unwrap().0
    }

    /// The first mesh.
    pub fn mesh(&self) -> Mesh {
        self.content().assets.meshes()[0].clone()
    }

    /// The message of the error that loading must give.
    #[track_caller]
    pub fn refusal(&self) -> String {
        self.refusal_with(&NoFiles)
    }

    /// As [`refusal`](Self::refusal), with files.
    #[track_caller]
    pub fn refusal_with(&self, files: &dyn Resolver) -> String {
        match load_from_slice(&self.gltf(), files) {
            Ok((_, report)) => panic!("loaded, with notes: {report}"),
            Err(error) => error.to_string(),
        }
    }
}

/// A GLB of two chunks, padded as the standard asks.
pub fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, data, padding) in [(b"JSON", json, b' '), (b"BIN\0", binary, 0)] {
        let length = data.len().next_multiple_of(4);
        body.extend((length as u32).to_le_bytes());
        body.extend(kind);
        body.extend(data);
        body.resize(body.len() + length - data.len(), padding);
    }
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend((body.len() as u32 + 12).to_le_bytes());
    out.extend(body);
    out
}

pub fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

pub fn from_base64(text: &str) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}

/// Asserts that a message holds every part.
#[track_caller]
pub fn holds(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "\"{part}\" is not in: {message}");
    }
}

/// A folder of its own that goes when dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("fire-engine-gltf-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// A document `name` whose only buffer is the file that `uri` names.
    pub fn document(&self, name: &str, uri: &str) -> PathBuf {
        let mut doc = Doc::triangle();
        doc.json["buffers"] = json!([{"byteLength": doc.binary.len(), "uri": uri}]);
        self.write(name, doc.json.to_string().as_bytes())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
