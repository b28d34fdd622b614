//! KHR_materials_variants.

use super::whole::Whole;
use serde::Deserialize;

/// At the document's top.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Variants {
    pub variants: Vec<Variant>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Variant {
    pub name: String,
}

/// On a primitive.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct VariantMappings {
    pub mappings: Vec<VariantMapping>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct VariantMapping {
    pub material: Whole,
    pub variants: Vec<Whole>,
}

from_objects! { Variants Variant VariantMappings VariantMapping }
