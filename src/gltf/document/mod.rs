//! The parts of a glTF document that are read, as plain data.
//!
//! Field names and defaults are those of glTF 2.0; what is not listed here is skipped by the parser. Indices and enum
//! values are kept as numbers and strings, and judged where they are used, so that an error can say what was found.

#[macro_use]
mod objects;

mod animation;
mod attributes;
mod data;
mod light;
mod material;
mod mesh;
mod parse;
mod root;
mod scene;
mod texture;
mod variants;
mod whole;
mod word;

pub(super) use animation::{Animation, AnimationSampler, ChannelTarget};
pub(super) use attributes::Attributes;
#[cfg(feature = "meshopt")]
pub(super) use data::MeshoptView;
pub(super) use data::{Accessor, BufferView, Sparse};
pub(super) use light::Light;
pub(super) use material::{Material, TextureInfo};
pub(super) use mesh::{Mesh, Primitive};
pub(super) use parse::{BYTE_ORDER_MARK, ParseFault, parse, version};
pub(super) use root::Root;
pub(super) use scene::{Instancing, Node, Skin};
pub(super) use texture::{Image, Texture, TextureSampler};
pub(super) use variants::Variant;
pub(super) use whole::Whole;
