//! The benchmark's command line.

use crate::app::arguments::{Size, positive, size};
use clap::Parser;
use std::path::PathBuf;

/// Measures each phase of a frame that draws many cubes.
#[derive(Parser, Debug, Clone)]
#[command(name = "benchmark", version)]
pub struct Arguments {
    /// Number of cubes
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    pub instances: u64,

    /// Give every cube its own playback of the clip, at its own time
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

    /// Write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Use only a device whose name contains this text
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,
}
