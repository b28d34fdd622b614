//! The `gltf` room.
