//! `inspect` from its arguments to its exit code.

use super::arguments::InspectArguments;
use super::facts::{Extensions, Facts};
use super::json::object;
use super::pose::pose;
use super::text::text;
use crate::app::error::AppError;
use crate::app::output::result;
use crate::app::selection;
use fire_engine::gltf::{LoadError, LoadOptions, load_with};
use serde::Serialize;
use std::process::ExitCode;

/// Says what is in the file. With `--json`, a file that is refused has an object too: its name, the reason, and the
/// extensions for which it is.
///
/// # Errors
/// The [`AppError`] of a file that is refused, of a clip that it does not have, or of content that cannot be planned.
pub fn run(arguments: &InspectArguments) -> Result<ExitCode, AppError> {
    let options = LoadOptions { scene: selection::scene(arguments.scene.as_ref()), ..LoadOptions::default() };
    let file = arguments.model.display().to_string();
    let (mut content, report) = match load_with(&arguments.model, &options) {
        Ok(loaded) => loaded,
        Err(error) => {
            if arguments.json {
                result(&object(&Refusal::new(&file, &error))?).map_err(AppError::standard_output)?;
            }
            return Err(error.into());
        }
    };
    let pose = pose(&mut content, arguments)?;
    let facts = Facts::new(&file, &content, &report, pose)?;
    let said = if arguments.json { object(&facts)? } else { text(&facts, arguments.full) };
    result(&said).map_err(AppError::standard_output)?;
    Ok(ExitCode::SUCCESS)
}

/// What there is to say of a file that is refused.
#[derive(Debug, Serialize)]
struct Refusal<'a> {
    file: &'a str,
    error: String,
    extensions: Extensions<'a>,
}

impl<'a> Refusal<'a> {
    fn new(file: &'a str, error: &'a LoadError) -> Self {
        let refused = match error {
            LoadError::RequiredExtensions { names, .. } => names.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        };
        let extensions = Extensions { required: refused.clone(), refused, ..Extensions::default() };
        Self { file, error: error.to_string(), extensions }
    }
}
