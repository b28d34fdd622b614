//! The loader on small documents of its own, and on the project's assets.

mod accessors;
mod animations;
mod bombs;
mod containers;
mod files;
mod fixtures;
mod hierarchy;
mod images;
#[cfg(feature = "basisu")]
mod ktx2;
mod materials;
mod meshes;
#[cfg(feature = "meshopt")]
mod meshopt;
mod mutations;
mod own_assets;
