//! Loads glTF, animates it and draws it with Vulkan.
#![deny(missing_docs)]

pub mod animation;
pub mod assets;
#[cfg(feature = "gltf")]
pub mod gltf;
pub mod math;
pub mod preparation;
pub mod scene;
pub mod vulkan;
