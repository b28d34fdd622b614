//! `inspect` from its arguments to its exit code.

use super::arguments::InspectArguments;
use crate::app::error::AppError;
use std::process::ExitCode;

/// Says what is in the file.
///
/// # Errors
/// [`AppError::NotBuilt`].
pub fn run(_: &InspectArguments) -> Result<ExitCode, AppError> {
    Err(AppError::NotBuilt("inspect"))
}
