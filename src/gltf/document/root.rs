//! The document's top.

use super::animation::Animation;
use super::data::{Accessor, Buffer, BufferView};
use super::light::Lights;
use super::material::Material;
use super::mesh::Mesh;
use super::scene::{Camera, Node, Scene, Skin};
use super::texture::{Image, Texture, TextureSampler};
use super::variants::Variants;
use super::whole::Whole;
use crate::scene::DocumentCounts;
use serde::Deserialize;
use std::collections::HashSet;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Root {
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
    pub extensions: Option<RootExtensions>,
}

impl Root {
    /// The names of all extensions that the document declares.
    pub fn declared_extensions(&self) -> HashSet<&str> {
        self.extensions_used.iter().chain(&self.extensions_required).map(String::as_str).collect()
    }

    /// How many of each kind there are.
    pub fn counts(&self) -> DocumentCounts {
        DocumentCounts {
            scenes: self.scenes.len(),
            nodes: self.nodes.len(),
            meshes: self.meshes.len(),
            primitives: self.meshes.iter().map(|mesh| mesh.primitives.len()).sum(),
            materials: self.materials.len(),
            textures: self.textures.len(),
            images: self.images.len(),
            samplers: self.samplers.len(),
            accessors: self.accessors.len(),
            buffer_views: self.buffer_views.len(),
            buffers: self.buffers.len(),
            animations: self.animations.len(),
            skins: self.skins.len(),
            cameras: self.cameras.len(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Asset {
    pub version: String,
    pub min_version: Option<String>,
}

from_objects! { Root Asset }

extensions! {
    /// Extensions of the document.
    RootExtensions {
        "KHR_lights_punctual" => lights: Lights,
        "KHR_materials_variants" => variants: Variants,
    }
}
