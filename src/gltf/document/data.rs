//! Accessors, buffer views and buffers.

use super::whole::Whole;
use super::word::Word;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Accessor {
    pub buffer_view: Option<Whole>,
    #[serde(default)]
    pub byte_offset: Option<Whole>,
    pub component_type: Whole,
    #[serde(default)]
    pub normalized: bool,
    pub count: Whole,
    #[serde(rename = "type")]
    pub shape: Word,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Sparse {
    pub count: Whole,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct SparseIndices {
    pub buffer_view: Whole,
    pub byte_offset: Option<Whole>,
    pub component_type: Whole,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct SparseValues {
    pub buffer_view: Whole,
    pub byte_offset: Option<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct BufferView {
    pub buffer: Whole,
    pub byte_offset: Option<Whole>,
    pub byte_length: Whole,
    pub byte_stride: Option<Whole>,
    pub extensions: Option<BufferViewExtensions>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct Buffer {
    pub byte_length: Whole,
    pub uri: Option<String>,
}

from_objects! { Accessor Sparse SparseIndices SparseValues BufferView Buffer }

extensions! {
    /// Extensions of a buffer view.
    BufferViewExtensions {
        #[cfg(feature = "meshopt")]
        "EXT_meshopt_compression" => ext_meshopt: MeshoptView,
        #[cfg(feature = "meshopt")]
        "KHR_meshopt_compression" => khr_meshopt: MeshoptView,
    }
}

/// What EXT_meshopt_compression and KHR_meshopt_compression say of a buffer view.
#[cfg(feature = "meshopt")]
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub(in crate::gltf) struct MeshoptView {
    pub buffer: Whole,
    pub byte_offset: Option<Whole>,
    pub byte_length: Whole,
    pub byte_stride: Whole,
    pub count: Whole,
    pub mode: String,
    pub filter: Option<String>,
}

#[cfg(feature = "meshopt")]
from_objects! { MeshoptView }
