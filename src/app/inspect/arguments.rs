//! What `inspect` may be told.

use clap::Args;
use std::path::PathBuf;

/// A file, and what to say about it.
#[derive(Args, Debug, Clone, Default, PartialEq)]
pub struct InspectArguments {
    /// A .gltf or .glb file
    pub model: PathBuf,
}
