//! Tests that need a Vulkan driver, under core and synchronization validation; one after the other.

#[path = "device/loaded.rs"]
mod loaded;
#[path = "device/overlay.rs"]
mod overlay;
#[path = "device/pixels.rs"]
mod pixels;
#[path = "device/scenarios.rs"]
mod scenarios;
mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    let needs = support::validated_driver();
    let tests = pixels::TESTS.iter().chain(loaded::TESTS).chain(overlay::TESTS).chain(scenarios::TESTS);
    support::run(tests.map(|&(name, test)| support::trial(name, &needs, test)).collect()).exit_code()
}
