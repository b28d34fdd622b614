//! `inspect` from its arguments to its exit code.

use super::arguments::InspectArguments;
use super::facts::{Extensions, Facts};
use super::json::object;
use super::pose::{pose, scene};
use super::text::text;
use crate::app::error::AppError;
use crate::app::output::line;
use fire_engine::gltf::{LoadError, LoadOptions, load_with};
use serde::Serialize;
use std::process::ExitCode;

/// Says what is in the file. With `--json`, a file that is refused has an object too: its name, the reason, and the
/// extensions for which it is.
///
/// # Errors
/// The [`AppError`] of a file that is refused, of a clip that it does not have, or of content that cannot be planned.
pub fn run(arguments: &InspectArguments) -> Result<ExitCode, AppError> {
    let options = LoadOptions { scene: scene(arguments.scene.as_deref()), ..LoadOptions::default() };
    let file = arguments.model.display().to_string();
    let (mut content, report) = load_with(&arguments.model, &options).inspect_err(|error| {
        if arguments.json
            && let Ok(json) = object(&Refusal::new(&file, error))
        {
            line(json);
        }
    })?;
    let pose = pose(&mut content, arguments)?;
    let facts = Facts::new(&file, &content, &report, pose)?;
    if arguments.json {
        line(object(&facts)?);
    } else {
        line(text(&facts, arguments.full));
    }
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
