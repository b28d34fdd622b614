//! Textures, samplers and images.

use super::whole::Whole;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Texture {
    pub name: Option<String>,
    pub source: Option<Whole>,
    pub sampler: Option<Whole>,
    pub extensions: Option<TextureExtensions>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct TextureSampler {
    pub mag_filter: Option<Whole>,
    pub min_filter: Option<Whole>,
    pub wrap_s: Option<Whole>,
    pub wrap_t: Option<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Image {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub buffer_view: Option<Whole>,
    pub mime_type: Option<String>,
}

/// Another image for a texture, in a format of the extension's.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct TextureSource {
    pub source: Option<Whole>,
}

from_objects! { Texture TextureSampler Image TextureSource }

extensions! {
    /// Extensions of a texture.
    TextureExtensions {
        "KHR_texture_basisu" => basisu: TextureSource,
        "EXT_texture_webp" => webp: TextureSource,
    }
}
