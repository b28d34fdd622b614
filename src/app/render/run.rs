//! `render` from its arguments to its exit code.

use super::arguments::RenderArguments;
use crate::app::error::AppError;
use std::process::ExitCode;

/// Draws the models.
///
/// # Errors
/// [`AppError::NotBuilt`].
pub fn run(_: &RenderArguments) -> Result<ExitCode, AppError> {
    Err(AppError::NotBuilt("render"))
}
