//! `fire-engine devices`: which Vulkan devices there are.

use super::error::AppError;
use super::output::{printable, result};
use clap::Args;
use fire_engine::vulkan::{DeviceInfo, devices};
use std::process::ExitCode;

/// What `devices` may be told.
#[derive(Args, Debug, Clone, Default, PartialEq, Eq)]
pub struct DevicesArguments {}

/// Lists the devices. It is a failure if none can be used.
///
/// # Errors
/// [`AppError::Renderer`] without a Vulkan loader, a driver or a device, with the packages to install;
/// [`AppError::Write`] if nobody can be told.
pub fn run(_: &DevicesArguments) -> Result<ExitCode, AppError> {
    let devices = devices()?;
    // A name is the driver's, and each line is a fact.
    let facts =
        devices.iter().flat_map(|device| device.to_string().lines().map(printable).collect::<Vec<_>>());
    result(&facts.collect::<Vec<_>>().join("\n")).map_err(AppError::standard_output)?;
    Ok(exit_code(&devices))
}

fn exit_code(devices: &[DeviceInfo]) -> ExitCode {
    let usable = devices.iter().any(|device| device.unusable.is_none());
    if usable { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
