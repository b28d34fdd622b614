//! Tests that need a Vulkan driver, under core and synchronization validation; one after the other.

#[path = "device/pixels.rs"]
mod pixels;
#[path = "device/scenarios.rs"]
mod scenarios;
mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    let missing = support::missing_device();
    let tests = pixels::TESTS.iter().chain(scenarios::TESTS);
    support::run(tests.map(|&(name, test)| support::trial(name, missing.as_deref(), test)).collect())
        .exit_code()
}
