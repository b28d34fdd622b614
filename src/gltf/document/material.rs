//! Materials.

use super::whole::Whole;
use serde::Deserialize;
use serde::de::IgnoredAny;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Material {
    pub name: Option<String>,
    pub pbr_metallic_roughness: Option<MetallicRoughness>,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f32>,
    #[serde(default)]
    pub double_sided: bool,
    pub extensions: Option<MaterialExtensions>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct MetallicRoughness {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct TextureInfo {
    pub index: Whole,
    pub tex_coord: Option<Whole>,
    pub extensions: Option<TextureInfoExtensions>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct TextureTransform {
    pub offset: Option<[f32; 2]>,
    pub rotation: Option<f32>,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<Whole>,
}

from_objects! { Material MetallicRoughness TextureInfo TextureTransform }

extensions! {
    /// Extensions of a material.
    MaterialExtensions {
        "KHR_materials_unlit" => unlit: IgnoredAny,
    }
}

extensions! {
    /// Extensions of a texture slot.
    TextureInfoExtensions {
        "KHR_texture_transform" => transform: TextureTransform,
    }
}
