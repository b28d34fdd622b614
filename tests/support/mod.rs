//! What the tests with a driver, a program or data beside the checkout share.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod desktop;
pub mod example;
pub mod picture;
pub mod process;
pub mod reference;
pub mod stage;

use fire_engine::vulkan::{Renderer, RendererError, RendererOptions, Validation, ValidationLog};
use libtest_mimic::{Arguments, Conclusion, Failed, Trial};
use std::path::PathBuf;

/// The folder with test data that lies beside the checkout, if it is there.
pub fn shared() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared");
    folder.is_dir().then_some(folder)
}

/// Options of every device test: validation is required, and its log is returned to be looked at after dropping.
pub fn options() -> (RendererOptions, ValidationLog) {
    let options = RendererOptions { validation: Validation::Required, ..RendererOptions::default() };
    let log = options.validation_log.clone();
    (options, log)
}

/// Fails if the validation layer reported anything. Call it when everything is dropped.
pub fn assert_clean(log: &ValidationLog) -> Result<(), Failed> {
    if log.is_clean() {
        return Ok(());
    }
    Err(format!("{:?}: {:#?}", log.counts(), log.messages()).into())
}

/// What a test needs; `Err` says what is missing.
pub type Requirement = Result<(), String>;

/// A Vulkan driver.
pub fn driver() -> Requirement {
    renderer(Validation::Off)
}

/// A driver and the validation layer.
pub fn validated_driver() -> Requirement {
    renderer(Validation::Required)
}

fn renderer(validation: Validation) -> Requirement {
    let options = RendererOptions { validation, ..RendererOptions::default() };
    match Renderer::headless((16, 16), options) {
        Err(
            error @ (RendererError::NoLoader { .. }
            | RendererError::NoDriver { .. }
            | RendererError::ValidationUnavailable { .. }),
        ) => Err(error.to_string()),
        // Any other error is not a lack of this machine: the tests run into it and fail with its message.
        _ => Ok(()),
    }
}

/// A test that is skipped where something is missing. With `CI` set, where nothing may be, it fails instead.
pub fn trial(
    name: impl Into<String>,
    needs: &Requirement,
    test: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    match needs {
        Ok(()) => Trial::test(name, test),
        Err(reason) if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) => {
            let reason = reason.clone();
            Trial::test(name, move || Err(format!("with CI set this must run: {reason}").into()))
        }
        Err(reason) => skipped(name, reason),
    }
}

/// Stands for tests that cannot run: counted as ignored, with the reason in its line.
pub fn skipped(name: impl Into<String>, reason: &str) -> Trial {
    Trial::test(name, || Ok(())).with_ignored_flag(true).with_kind(format!("skipped: {reason}"))
}

/// Runs trials one after the other: one device, and one X server, at a time.
pub fn run(trials: Vec<Trial>) -> Conclusion {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials)
}

/// Turns an error into a failed test with its message.
pub fn failed(error: impl std::fmt::Display) -> Failed {
    error.to_string().into()
}

/// `Err` with the text unless it holds.
pub fn check(holds: bool, text: impl FnOnce() -> String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(text().into()) }
}
