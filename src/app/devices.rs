//! `fire-engine devices`: which Vulkan devices there are.

use super::error::AppError;
use clap::Args;
use std::process::ExitCode;

/// What `devices` may be told.
#[derive(Args, Debug, Clone, Default, PartialEq, Eq)]
pub struct DevicesArguments {}

/// Lists the devices.
///
/// # Errors
/// [`AppError::NotBuilt`].
pub fn run(_: &DevicesArguments) -> Result<ExitCode, AppError> {
    Err(AppError::NotBuilt("devices"))
}
