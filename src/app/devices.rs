//! `fire-engine devices`: which Vulkan devices there are.

use super::error::AppError;
use super::output::{line, printable};
use clap::Args;
use fire_engine::vulkan::{DeviceInfo, devices};
use std::process::ExitCode;

/// What `devices` may be told.
#[derive(Args, Debug, Clone, Default, PartialEq, Eq)]
pub struct DevicesArguments {}

/// Lists the devices. It is a failure if none can be used.
///
/// # Errors
/// [`AppError::Renderer`] without a Vulkan loader, a driver or a device, with the packages to install.
pub fn run(_: &DevicesArguments) -> Result<ExitCode, AppError> {
    let devices = devices()?;
    for device in &devices {
        // A name is the driver's, and each line is a fact.
        device.to_string().lines().for_each(|fact| line(printable(fact)));
    }
    Ok(exit_code(&devices))
}

fn exit_code(devices: &[DeviceInfo]) -> ExitCode {
    let usable = devices.iter().any(|device| device.unusable.is_none());
    if usable { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
