//! Loading a model while noting when each phase began.

use super::error::AppError;
use super::model::load_model_with;
use fire_engine::gltf::{LoadOptions, LoadPhase, LoadProgress, LoadReport, ProgressCallback};
use fire_engine::scene::Content;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A loaded model.
#[derive(Debug)]
pub struct Loaded {
    /// What is drawn and played.
    pub content: Content,
    /// What became of the file's parts.
    pub report: LoadReport,
    /// When the load and each of its phases began, and when it ended.
    pub times: LoadTimes,
}

/// When things happened.
#[derive(Debug, Clone)]
pub struct LoadTimes {
    /// The start.
    pub began: Instant,
    /// The start of each phase, in order.
    pub phases: Vec<(LoadPhase, Instant)>,
    /// The end.
    pub ended: Instant,
}

/// Loads a file, or the letter cube for `None`. `watch` is told how far it is, and can stop it.
///
/// # Errors
/// [`AppError::Load`].
pub fn load(
    model: Option<&Path>,
    options: &LoadOptions,
    watch: impl Fn(LoadProgress) -> ControlFlow<()> + Send + Sync + 'static,
) -> Result<Loaded, AppError> {
    let phases = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&phases);
    let progress = ProgressCallback::new(move |progress| {
        let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.last().is_none_or(|(phase, _)| *phase != progress.phase) {
            noted.push((progress.phase, Instant::now()));
        }
        watch(progress)
    });
    let began = Instant::now();
    let options = LoadOptions { progress: Some(progress), ..options.clone() };
    let (content, report) = load_model_with(model, &options)?;
    let ended = Instant::now();
    let phases = std::mem::take(&mut *phases.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(Loaded { content, report, times: LoadTimes { began, phases, ended } })
}
