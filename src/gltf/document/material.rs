//! Materials.

use super::whole::Whole;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Material {
    pub name: Option<String>,
    pub pbr_metallic_roughness: Option<MetallicRoughness>,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    pub emissive_factor: Option<[f32; 3]>,
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
    pub metallic_factor: Option<f32>,
    pub roughness_factor: Option<f32>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct TextureInfo {
    pub index: Whole,
    pub tex_coord: Option<Whole>,
    /// Of a normal texture.
    pub scale: Option<f32>,
    /// Of an occlusion texture.
    pub strength: Option<f32>,
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

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct EmissiveStrength {
    pub emissive_strength: Option<f32>,
}

/// KHR_materials_unlit, which says all by being there.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Unlit {}

from_objects! { Material MetallicRoughness TextureInfo TextureTransform EmissiveStrength Unlit }

extensions! {
    /// Extensions of a material.
    MaterialExtensions {
        "KHR_materials_emissive_strength" => emissive_strength: EmissiveStrength,
        "KHR_materials_unlit" => unlit: Unlit,
    }
}

extensions! {
    /// Extensions of a texture slot.
    TextureInfoExtensions {
        "KHR_texture_transform" => transform: TextureTransform,
    }
}
