//! KHR_lights_punctual.

use super::whole::Whole;
use serde::Deserialize;

/// At the document's top.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Lights {
    #[serde(default)]
    pub lights: Vec<Light>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Light {
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub kind: String,
    pub color: Option<[f32; 3]>,
    pub intensity: Option<f32>,
    pub range: Option<f32>,
    pub spot: Option<Spot>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Spot {
    pub inner_cone_angle: Option<f32>,
    pub outer_cone_angle: Option<f32>,
}

/// On a node.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct NodeLight {
    pub light: Whole,
}

from_objects! { Lights Light Spot NodeLight }
