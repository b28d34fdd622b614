//! Meshes: every primitive becomes one mesh and one render object, in document order.

mod attributes;
mod import;
mod indices;
mod influences;
mod modes;
mod morph;
mod primitive;
mod repair;
mod shading;
mod skinning;
mod weights;

pub(super) use import::{Drawn, Meshes, import};
pub(super) use weights::node_weights;
