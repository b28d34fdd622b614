//! Measures where the time of a frame goes, for one cube or a hundred thousand.
//!
//! ```text
//! cargo run --release --example benchmark -- --headless --instances 10000
//! cargo run --release --example benchmark -- --headless --instances 10000 --animated --json result.json
//! cargo run --release --example benchmark -- --headless --model Fox.glb --clip 2 --animated --instances 1000
//! ```
//!
//! N cubes that share a mesh and a material, or copies of a model, stand in a grid under one root, which moves; 16 frames warm up and 64 are
//! measured, each phase for itself. Times say what happened on this machine and never fail the program.

mod arguments;
mod measure;
mod report;
mod statistics;
mod workload;

#[allow(dead_code, reason = "the benchmark needs the hosts and the model, not the viewer")]
#[path = "../../src/app/mod.rs"]
mod app;

use app::destination::check_file;
use app::error::AppError;
use app::output::complaint;
use arguments::Arguments;
use clap::Parser as _;
use fire_engine::vulkan::{PresentMode, RendererOptions, Validation};
use measure::Measurement;
use std::process::ExitCode;
use workload::Workload;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return app::run::usage(&error),
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complaint(format_args!("benchmark: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), AppError> {
    if let Some(json) = &arguments.json {
        check_file(json)?;
    }
    if let Some(picture) = &arguments.picture {
        check_file(picture)?;
    }
    let workload = Workload::new(arguments)?;
    let mut measurement = Measurement::new(workload, arguments.frames, arguments.picture.clone());
    show(&mut measurement, arguments)?;
    if measurement.measured() < arguments.frames {
        return Err(AppError::Incomplete {
            presented: measurement.measured(),
            wanted: arguments.frames,
            reason: "the window was closed".to_owned(),
        });
    }
    report::print(&measurement, arguments);
    match &arguments.json {
        Some(path) => report::write_json(&measurement, arguments, path),
        None => Ok(()),
    }
}

fn show(measurement: &mut Measurement, arguments: &Arguments) -> Result<(), AppError> {
    let options = RendererOptions {
        // A layer that checks every call is no part of what is measured.
        validation: Validation::Off,
        // Not at the screen's pace.
        present_mode: PresentMode::Mailbox,
        device: arguments.device.clone(),
        ..RendererOptions::default()
    };
    if !arguments.headless {
        match app::run::open_window(measurement, arguments.size, &options)? {
            None => return Ok(()),
            Some(reason) => complaint(format_args!("No window: {reason}. Drawing headless instead.")),
        }
    }
    app::headless::run(measurement, arguments.size, options)
}
