//! The loader on small documents of its own, and on the project's assets.

mod accessors;
mod animated_paths;
mod animations;
mod bombs;
mod color_types;
mod containers;
mod document_map;
mod documents;
mod files;
mod fixtures;
mod foreign;
mod from_files;
mod hierarchy;
mod images;
mod joints;
mod json;
#[cfg(feature = "basisu")]
mod ktx2;
mod linear;
mod mask_coverage;
mod materials;
mod meshes;
#[cfg(feature = "meshopt")]
mod meshopt;
#[cfg(not(feature = "meshopt"))]
mod meshopt_off;
mod modes;
mod morphs;
mod mutations;
mod node_extensions;
mod normals;
mod own_assets;
mod pointer_conflicts;
mod pointers;
mod reports;
mod skins;
mod tangents;
mod texture_sources;
mod threads;
