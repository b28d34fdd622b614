//! What the device and picture tests share.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod picture;
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

/// Why device tests cannot run here, or `None` if they can. With `CI` set they have to.
pub fn missing_device() -> Option<String> {
    match Renderer::headless((8, 8), options().0) {
        Ok(_) => None,
        Err(
            error @ (RendererError::NoLoader { .. }
            | RendererError::NoDriver { .. }
            | RendererError::ValidationUnavailable { .. }),
        ) if std::env::var_os("CI").is_none() => Some(error.to_string()),
        Err(error) => {
            eprintln!("no device for the tests: {error}");
            std::process::exit(1);
        }
    }
}

/// A test that is counted as ignored, with the reason in its line, if there is one.
pub fn trial(
    name: impl Into<String>,
    skip: Option<&str>,
    test: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    match skip {
        None => Trial::test(name, test),
        Some(reason) => {
            Trial::test(name, test).with_ignored_flag(true).with_kind(format!("skipped: {reason}"))
        }
    }
}

/// Runs trials one after the other: one device at a time.
pub fn run(trials: Vec<Trial>) -> Conclusion {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials)
}

/// Turns an error into a failed test with its message.
pub fn failed(error: impl std::fmt::Display) -> Failed {
    error.to_string().into()
}
