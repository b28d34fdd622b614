//! `fire-engine view` as a user has it: an X server of its own, a window manager, mouse and keys, files dropped from another
//! program, and screenshots, which stay in the folders `view.*` of the target's folder for temporary files.
//!
//! Everything runs under the validation layer, whose report becomes the program's exit code.

mod drag_source;
mod files;
mod life;
mod looking;
mod models;
mod panel;
mod playing;
mod sight;
#[path = "../support/mod.rs"]
mod support;
mod viewer;

use libtest_mimic::{Failed, Trial};
use std::process::ExitCode;
use support::{Requirement, desktop};

type Test = (&'static str, fn() -> Result<(), Failed>);

fn trials(tests: &[Test], needs: &Requirement) -> Vec<Trial> {
    tests.iter().map(|(name, test)| support::trial(*name, needs, *test)).collect()
}

fn main() -> ExitCode {
    let needs = desktop::requirement();
    let mut all = trials(files::PURE, &Ok(()));
    for tests in [looking::TESTS, playing::TESTS, panel::TESTS, files::TESTS, life::TESTS] {
        all.extend(trials(tests, &needs));
    }
    support::run(all).exit_code()
}
