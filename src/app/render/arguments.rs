//! What `render` may be told.

use clap::Args;
use std::path::PathBuf;

/// Models, and how to draw them.
#[derive(Args, Debug, Clone, Default, PartialEq)]
pub struct RenderArguments {
    /// .gltf or .glb files
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
}
