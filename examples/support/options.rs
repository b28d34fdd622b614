//! The command line of every example.

use fire_engine::vulkan::{RendererOptions, Validation};
use std::path::PathBuf;

/// Anything that ends an example early.
pub type Failure = Box<dyn std::error::Error>;

#[derive(clap::Parser, Clone, Debug, Default)]
pub struct Options {
    /// End after so many frames; without a window, draw so many and write the last [default there: 60]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub frames: Option<u64>,
    /// Write the last frame to this PNG file [default without a window: the example's name]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Open no window, even if there is a display
    #[arg(long)]
    pub headless: bool,
    /// Fail if the Vulkan validation layer reports anything
    #[arg(long)]
    pub validate: bool,
}

impl Options {
    pub fn renderer(&self) -> RendererOptions {
        let defaults = RendererOptions::default();
        let validation = if self.validate { Validation::Required } else { defaults.validation };
        RendererOptions { validation, samples: 4, ..defaults }
    }
}
