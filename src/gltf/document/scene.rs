//! Scenes, nodes, cameras and skins.

use super::attributes::{self, Attributes};
use super::light::NodeLight;
use super::whole::Whole;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Scene {
    pub name: Option<String>,
    #[serde(default)]
    pub nodes: Vec<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Node {
    pub name: Option<String>,
    #[serde(default)]
    pub children: Vec<Whole>,
    pub mesh: Option<Whole>,
    pub camera: Option<Whole>,
    pub skin: Option<Whole>,
    pub weights: Option<Vec<f32>>,
    pub matrix: Option<Box<[f32; 16]>>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub extensions: Option<NodeExtensions>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Camera {
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub kind: String,
    pub perspective: Option<Perspective>,
    pub orthographic: Option<Orthographic>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Perspective {
    pub aspect_ratio: Option<f32>,
    pub yfov: f32,
    pub znear: f32,
    pub zfar: Option<f32>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Orthographic {
    pub xmag: f32,
    pub ymag: f32,
    pub znear: f32,
    pub zfar: f32,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Skin {
    pub name: Option<String>,
    pub inverse_bind_matrices: Option<Whole>,
    /// Says only how the exporter saw the joints (section 3.7.3.2), so nothing reads it.
    pub skeleton: Option<Whole>,
    pub joints: Vec<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Instancing {
    #[serde(deserialize_with = "attributes::one")]
    pub attributes: Attributes,
}

from_objects! { Scene Node Camera Perspective Orthographic Skin Instancing }

extensions! {
    /// Extensions of a node.
    NodeExtensions {
        "EXT_mesh_gpu_instancing" => instancing: Instancing,
        "KHR_lights_punctual" => light: NodeLight,
    }
}
