//! The benchmark's scenes, measured once and small: what it draws and reports, not how fast.

// The unit tests in these files run elsewhere; without them, what they import is unused here.
#[allow(dead_code, unused_imports)]
#[path = "../src/app/mod.rs"]
mod app;
#[allow(dead_code)]
#[path = "../examples/benchmark/arguments.rs"]
mod arguments;
#[path = "../examples/benchmark/measure.rs"]
mod measure;
#[allow(dead_code)]
#[path = "../examples/benchmark/report.rs"]
mod report;
#[allow(unused_imports)]
#[path = "../examples/benchmark/statistics.rs"]
mod statistics;
mod support;
#[allow(unused_imports)]
#[path = "../examples/benchmark/workload.rs"]
mod workload;

use app::headless;
use arguments::Arguments;
use clap::Parser as _;
use fire_engine::vulkan::RendererOptions;
use libtest_mimic::Failed;
use measure::Measurement;
use serde_json::Value;
use std::process::ExitCode;
use support::{check, driver, trial};
use workload::Workload;

/// The names that JSON has for the phases of a frame; others read them.
const PHASES: [&str; 15] = [
    "animation",
    "world_resolve",
    "draw_list",
    "preparation_check",
    "upload",
    "recording",
    "pool_reset",
    "recording_and_pool_reset",
    "submission",
    "frame_wait",
    "acquire",
    "swapchain",
    "presentation",
    "gpu",
    "cpu_frame",
];

fn main() -> ExitCode {
    let driver = driver();
    let trials = vec![
        trial("one_cube_is_two_nodes_and_one_draw", &driver, one_cube_is_two_nodes_and_one_draw),
        trial("any_number_of_cubes_is_one_command", &driver, any_number_of_cubes_is_one_command),
        trial("every_phase_has_its_figures", &driver, every_phase_has_its_figures),
    ];
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), trials).exit_code()
}

fn measured(arguments: &[&str]) -> Result<(Measurement, Value), Failed> {
    let all = [&["benchmark", "--headless", "--size", "32x32"], arguments].concat();
    let arguments = Arguments::try_parse_from(all).map_err(|error| error.to_string())?;
    let workload = Workload::new(&arguments)?;
    let mut measurement = Measurement::new(workload, arguments.frames, None);
    headless::run(&mut measurement, arguments.size, RendererOptions::default())?;
    let json = report::json(&measurement, &arguments);
    Ok((measurement, json))
}

fn one_cube_is_two_nodes_and_one_draw() -> Result<(), Failed> {
    let (_, json) = measured(&["--frames", "2"])?;
    for (key, expected) in [("schema", 1), ("instances", 1), ("nodes", 2), ("draws", 1)] {
        check(json[key] == expected, || format!("{key} is {}", json[key]))?;
    }
    let frames = serde_json::json!({"warm_up": 16, "measured": 2, "discarded": 0});
    check(json["frames"] == frames, || json["frames"].to_string())?;
    check(json["animated"] == false && json["device"].is_string() && json["driver"].is_string(), || {
        json.to_string()
    })
}

fn any_number_of_cubes_is_one_command() -> Result<(), Failed> {
    for arguments in
        [&["--instances", "1"][..], &["--instances", "300"], &["--instances", "300", "--animated"]]
    {
        let (measurement, json) = measured(&[arguments, &["--frames", "3"]].concat())?;
        let expected = serde_json::json!({"draw_indirect": 1, "calls": 1});
        check(json["commands"] == expected, || format!("{arguments:?}: {}", json["commands"]))?;
        let compiled = measurement.generation();
        check(compiled == 1, || format!("{arguments:?}: compiled {compiled} times"))?;
    }
    Ok(())
}

fn every_phase_has_its_figures() -> Result<(), Failed> {
    let (measurement, json) = measured(&["--instances", "50", "--animated", "--frames", "5"])?;
    let phases = json["phases"].as_object().ok_or("no phases")?;
    // A device without timestamps has no GPU time.
    let is_expected = |name: &&str| *name != "gpu" || phases.contains_key("gpu");
    for name in PHASES.into_iter().filter(is_expected) {
        for figure in ["mean_us", "median_us", "p95_us"] {
            let value = json["phases"][name][figure].as_f64();
            check(value.is_some_and(|value| value >= 0.0), || format!("{name} {figure}: {value:?}"))?;
        }
    }
    let mean = |name: &str| json["phases"][name]["mean_us"].as_f64().unwrap_or(-1.0);
    for name in ["animation", "world_resolve", "recording", "pool_reset", "submission", "cpu_frame"] {
        check(mean(name) > 0.0, || format!("{name} took no time: {}", mean(name)))?;
    }
    let difference = mean("recording_and_pool_reset") - mean("recording") - mean("pool_reset");
    check(difference.abs() < 1e-3, || format!("the sum is off by {difference} us"))?;
    let all =
        PHASES.into_iter().filter(|name| !["recording_and_pool_reset", "gpu", "cpu_frame"].contains(name));
    let sum: f64 = all.map(mean).sum();
    check(sum <= mean("cpu_frame"), || format!("the phases take {sum} us of {}", mean("cpu_frame")))?;
    let cost = json["recording_ns_per_draw"].as_f64();
    check(cost.is_some_and(|cost| cost > 0.0), || format!("{cost:?}"))?;
    check(phases.keys().all(|name| PHASES.contains(&name.as_str())), || format!("{:?}", phases.keys()))?;
    check(measurement.measured() == 5, || measurement.measured().to_string())
}
