//! The loader on small documents of its own, and on the project's assets.

mod accessors;
mod animations;
mod bombs;
mod containers;
mod files;
mod fixtures;
mod hierarchy;
mod images;
mod materials;
mod meshes;
mod mutations;
mod node_extensions;
mod own_assets;
