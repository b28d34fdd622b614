//! What was measured, as a table and as JSON.

use crate::app::error::AppError;
use crate::app::output::line;
use crate::arguments::Arguments;
use crate::measure::{Measurement, WARM_UP};
use serde_json::{Map, Value, json};
use std::path::Path;

/// How the benchmark was built: figures of a debug build say nothing about the library.
const BUILD: &str = if cfg!(debug_assertions) { "debug" } else { "release" };

/// The model's file name, without its folder.
fn model(arguments: &Arguments) -> String {
    let name = arguments.model.as_deref().and_then(Path::file_name);
    name.map_or("cube".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Prints everything.
pub fn print(measurement: &Measurement, arguments: &Arguments) {
    if let Some(info) = measurement.info() {
        line(info);
    }
    let commands = measurement.commands();
    line(format_args!(
        "Build: {BUILD}\nWorkload: {}, instances={}, nodes={}, draws={}, animated={}, compiled {} time(s)\n\
         Commands: draw_indirect={}, calls={}\n\
         Frames: warm-up {WARM_UP}, measured {}, discarded {}\n",
        model(arguments),
        arguments.instances,
        measurement.nodes(),
        commands.instances,
        arguments.animated,
        measurement.generation(),
        commands.draw_indirect,
        commands.calls,
        measurement.measured(),
        measurement.discarded(),
    ));
    line(format_args!("{:<26}{:>12}{:>12}{:>12}", "phase (us)", "mean", "median", "p95"));
    for (name, words, summary) in measurement.phases() {
        line(format_args!(
            "{name:<26}{:>12.2}{:>12.2}{:>12.2}  {words}",
            summary.mean, summary.median, summary.p95
        ));
    }
    if let Some(nanoseconds) = measurement.recording_ns_per_draw() {
        line(format_args!("\nRecording and pool reset: {nanoseconds:.3} ns a draw (median)"));
    }
}

/// The same for programs.
pub fn json(measurement: &Measurement, arguments: &Arguments) -> Value {
    let phases: Map<String, Value> = measurement
        .phases()
        .map(|(name, _, summary)| {
            let value = json!({"mean_us": summary.mean, "median_us": summary.median, "p95_us": summary.p95});
            (name.to_owned(), value)
        })
        .collect();
    let (info, commands) = (measurement.info(), measurement.commands());
    json!({
        "schema": 1,
        "device": info.map(|info| info.device_name.as_str()),
        "driver": info.map(|info| format!("{} {}", info.driver_name, info.driver_info)),
        "presentation": info.map(|info| info.presentation.as_str()),
        "build": BUILD,
        "model": model(arguments),
        "instances": arguments.instances,
        "nodes": measurement.nodes(),
        "draws": commands.instances,
        "animated": arguments.animated,
        "frames": {
            "warm_up": WARM_UP,
            "measured": measurement.measured(),
            "discarded": measurement.discarded(),
        },
        "commands": {"draw_indirect": commands.draw_indirect, "calls": commands.calls},
        "phases": phases,
        "recording_ns_per_draw": measurement.recording_ns_per_draw(),
    })
}

/// Writes [`json`] to a file.
///
/// # Errors
/// [`AppError::Write`] names the file.
pub fn write_json(measurement: &Measurement, arguments: &Arguments, path: &Path) -> Result<(), AppError> {
    std::fs::write(path, format!("{:#}\n", json(measurement, arguments)))
        .map_err(|error| AppError::Write { file: path.display().to_string(), reason: error.to_string() })
}
