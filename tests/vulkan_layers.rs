//! Tests of the layers below the renderer, which the library lends under the feature `device-tests`.

mod support;

use fire_engine::vulkan::device_tests::{Need, TESTS, headless_surface};
use libtest_mimic::Trial;
use std::process::ExitCode;
use support::Requirement;

fn main() -> ExitCode {
    let driver = support::validated_driver();
    let display = driver.clone().and_then(|()| x11_display());
    let headless = driver.clone().and_then(|()| headless_surface());
    let trial = |need, name: &str, test: fn()| {
        let run = move || {
            test();
            Ok(())
        };
        match (need, &headless) {
            // CI has to have a driver and a display; which extensions its driver has is not in its hands.
            (Need::HeadlessSurface, Err(reason)) if driver.is_ok() => support::skipped(name, reason),
            (Need::HeadlessSurface, needs) => support::trial(name, needs, run),
            (Need::X11Display, _) => support::trial(name, &display, run),
            (Need::Driver, _) => support::trial(name, &driver, run),
        }
    };
    let trials: Vec<Trial> = TESTS
        .iter()
        .flat_map(|&(need, tests)| tests.iter().map(move |&(name, test)| (need, name, test)))
        .map(|(need, name, test)| trial(need, name, test))
        .collect();
    support::run(trials).exit_code()
}

fn x11_display() -> Requirement {
    match std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty()) {
        true => Ok(()),
        false => Err("no X11 display: DISPLAY is not set; run it with xvfb-run -a".to_owned()),
    }
}
