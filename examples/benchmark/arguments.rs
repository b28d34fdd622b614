//! The benchmark's command line.

use crate::app::arguments::{Size, positive, size};
use clap::Parser;
use std::path::PathBuf;

/// Measures each phase of a frame that draws many cubes, or copies of a model.
#[derive(Parser, Debug, Clone)]
#[command(name = "benchmark", version)]
pub struct Arguments {
    /// Number of cubes, or of copies of the model
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    pub instances: u64,

    /// Draw copies of this .gltf or .glb file instead of cubes, side by side on the ground
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    /// Which of the model's clips plays, counted from 0
    #[arg(long, value_name = "N", default_value = "0")]
    pub clip: u32,

    /// Give every cube or copy its own playback of the clip, at its own time
    #[arg(long)]
    pub animated: bool,

    /// Do not open a window
    #[arg(long)]
    pub headless: bool,

    /// Size of the window or the pictures, in pixels
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = size)]
    pub size: Size,

    /// Frames that are measured, after 16 to warm up
    #[arg(long, value_name = "N", default_value = "64", value_parser = positive)]
    pub frames: u64,

    /// Write the last frame to this file as PNG
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,

    /// Write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Use only a device whose name contains this text
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,
}
