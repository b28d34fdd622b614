//! The parts of a glTF document that are read, as plain data.
//!
//! Field names and defaults are those of glTF 2.0; what is not listed here is skipped by the parser. Indices and enum
//! values are kept as numbers and strings, and judged where they are used, so that an error can say what was found.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// A whole number. `3.0` is taken as 3, since JSON has one number type and some exporters write it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Whole(pub u64);

impl Whole {
    /// As an index; what does not fit the machine's word is past every list's end anyway.
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WholeVisitor;
        impl Visitor<'_> for WholeVisitor {
            type Value = Whole;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a whole number of at least 0")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Whole, E> {
                Ok(Whole(value))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Whole, E> {
                // Up to 2^53 every whole f64 is exact.
                if (0.0..=9_007_199_254_740_992.0).contains(&value) && value.fract() == 0.0 {
                    Ok(Whole(value as u64))
                } else {
                    Err(E::invalid_value(Unexpected::Float(value), &self))
                }
            }
        }
        deserializer.deserialize_u64(WholeVisitor)
    }
}

/// Names of the extension objects that some JSON object carries, without their content.
pub(super) type ExtensionNames = BTreeMap<String, IgnoredAny>;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct Root {
    pub asset: Asset,
    pub scene: Option<Whole>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub textures: Vec<Texture>,
    #[serde(default)]
    pub samplers: Vec<TextureSampler>,
    #[serde(default)]
    pub images: Vec<Image>,
    #[serde(default)]
    pub animations: Vec<Animation>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub cameras: Vec<Camera>,
    #[serde(default)]
    pub skins: Vec<Skin>,
    #[serde(default)]
    pub extensions_used: Vec<String>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct Asset {
    pub version: String,
    pub min_version: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Scene {
    #[serde(default)]
    pub nodes: Vec<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Node {
    pub name: Option<String>,
    #[serde(default)]
    pub children: Vec<Whole>,
    pub mesh: Option<Whole>,
    pub camera: Option<Whole>,
    pub skin: Option<Whole>,
    pub matrix: Option<Box<[f32; 16]>>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub extensions: Option<ExtensionNames>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Mesh {
    pub name: Option<String>,
    pub primitives: Vec<Primitive>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Primitive {
    pub attributes: BTreeMap<String, Whole>,
    pub indices: Option<Whole>,
    pub material: Option<Whole>,
    pub mode: Option<Whole>,
    #[serde(default)]
    pub targets: Vec<BTreeMap<String, Whole>>,
    pub extensions: Option<ExtensionNames>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct Material {
    pub name: Option<String>,
    pub pbr_metallic_roughness: Option<MetallicRoughness>,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f32>,
    #[serde(default)]
    pub double_sided: bool,
    pub extensions: Option<ExtensionNames>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct MetallicRoughness {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub index: Whole,
    pub tex_coord: Option<Whole>,
    pub extensions: Option<TextureInfoExtensions>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<TextureTransform>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct TextureTransform {
    pub offset: Option<[f32; 2]>,
    pub rotation: Option<f32>,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Texture {
    pub name: Option<String>,
    pub source: Option<Whole>,
    pub sampler: Option<Whole>,
    pub extensions: Option<ExtensionNames>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct TextureSampler {
    pub mag_filter: Option<Whole>,
    pub min_filter: Option<Whole>,
    pub wrap_s: Option<Whole>,
    pub wrap_t: Option<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct Image {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub buffer_view: Option<Whole>,
    pub mime_type: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Animation {
    pub name: Option<String>,
    pub channels: Vec<Channel>,
    pub samplers: Vec<AnimationSampler>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Channel {
    pub sampler: Whole,
    pub target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct ChannelTarget {
    pub node: Option<Whole>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct AnimationSampler {
    pub input: Whole,
    pub output: Whole,
    pub interpolation: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<Whole>,
    #[serde(default)]
    pub byte_offset: Option<Whole>,
    pub component_type: Whole,
    #[serde(default)]
    pub normalized: bool,
    pub count: Whole,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Sparse {
    pub count: Whole,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: Whole,
    pub byte_offset: Option<Whole>,
    pub component_type: Whole,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub buffer_view: Whole,
    pub byte_offset: Option<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: Whole,
    pub byte_offset: Option<Whole>,
    pub byte_length: Whole,
    pub byte_stride: Option<Whole>,
    pub extensions: Option<ExtensionNames>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct Buffer {
    pub byte_length: Whole,
    pub uri: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Camera {
    #[serde(rename = "type")]
    pub kind: String,
    pub perspective: Option<Perspective>,
    pub orthographic: Option<Orthographic>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct Perspective {
    pub aspect_ratio: Option<f32>,
    pub yfov: f32,
    pub znear: f32,
    pub zfar: Option<f32>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Orthographic {
    pub xmag: f32,
    pub ymag: f32,
    pub znear: f32,
    pub zfar: f32,
}

/// Skins are reported and not used; their references are checked all the same.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(super) struct Skin {
    pub inverse_bind_matrices: Option<Whole>,
    pub skeleton: Option<Whole>,
    pub joints: Vec<Whole>,
}

/// Takes JSON objects alone: what serde derives for a struct takes an array of its fields too. With `remote = "Self"` the
/// derived code becomes a function of the type's own, which is called here once there is an object.
macro_rules! from_objects {
    ($($type:ident)*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Object;

                impl<'de> Visitor<'de> for Object {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a JSON object")
                    }

                    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<$type, A::Error> {
                        $type::deserialize(MapAccessDeserializer::new(map))
                    }
                }

                deserializer.deserialize_map(Object)
            }
        }
    )*};
}

from_objects! {
    Root Asset Scene Node Mesh Primitive Material MetallicRoughness
    TextureInfo TextureInfoExtensions TextureTransform Texture TextureSampler Image Animation Channel
    ChannelTarget AnimationSampler Accessor Sparse SparseIndices SparseValues BufferView Buffer
    Camera Perspective Orthographic Skin
}

/// JSON must not begin with it, and readers may skip it (RFC 8259, section 8.1).
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Where parsing failed, and why.
pub(super) struct ParseFault {
    /// Empty at the document's top.
    pub json_path: String,
    pub reason: String,
}

/// Parses the JSON of a document.
///
/// The path of a fault is found by parsing again with a tracker, so that files without a fault do not pay for it.
pub(super) fn parse(json: &[u8]) -> Result<Root, ParseFault> {
    let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
    let error = match serde_json::from_slice(json) {
        Ok(root) => return Ok(root),
        Err(error) => error,
    };
    let mut tracked = serde_json::Deserializer::from_slice(json);
    let json_path = match serde_path_to_error::deserialize::<_, Root>(&mut tracked) {
        Err(located) => match located.path().to_string().as_str() {
            "." => String::new(),
            path => path.to_owned(),
        },
        // Trailing characters are the one fault that a tracked parse does not meet.
        Ok(_) => String::new(),
    };
    Err(ParseFault { json_path, reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_its_json_path_and_line() {
        let text = br#"{"asset": {"version": "2.0"},
            "meshes": [{"primitives": []}, {"primitives": [{"attributes": {"POSITION": "x"}}]}]}"#;
        let fault = parse(text).err().unwrap();
        assert_eq!(fault.json_path, "meshes[1].primitives[0].attributes.POSITION");
        assert!(fault.reason.contains("line 2"), "{}", fault.reason);
        let fault = parse(b"{} x").err().unwrap();
        assert_eq!(fault.json_path, "");
    }

    #[test]
    fn whole_numbers_may_be_written_as_decimals_but_not_be_negative_or_fractional() {
        let parse = |text: &str| serde_json::from_str::<Whole>(text).ok().map(|w| w.0);
        assert_eq!([parse("3"), parse("3.0"), parse("0")], [Some(3), Some(3), Some(0)]);
        for bad in ["-1", "2.5", "1e300", "\"1\"", "null", "[]"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert!(parse(b"\xEF\xBB\xBF{\"asset\": {\"version\": \"2.0\"}}").is_ok());
    }
}
