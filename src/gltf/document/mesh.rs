//! Meshes and their primitives.

use super::attributes::{self, Attributes};
use super::variants::VariantMappings;
use super::whole::Whole;
use serde::Deserialize;
use serde::de::IgnoredAny;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Mesh {
    pub name: Option<String>,
    pub primitives: Vec<Primitive>,
    pub weights: Option<Vec<f32>>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Primitive {
    #[serde(deserialize_with = "attributes::one")]
    pub attributes: Attributes,
    pub indices: Option<Whole>,
    pub material: Option<Whole>,
    pub mode: Option<Whole>,
    #[serde(default, deserialize_with = "attributes::list")]
    pub targets: Vec<Attributes>,
    pub extensions: Option<PrimitiveExtensions>,
}

from_objects! { Mesh Primitive }

extensions! {
    /// Extensions of a primitive.
    PrimitiveExtensions {
        "KHR_draco_mesh_compression" => draco: IgnoredAny,
        "KHR_materials_variants" => variants: VariantMappings,
    }
}
