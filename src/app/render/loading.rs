//! Models from files: several at once, handed over in order.

use fire_engine::gltf::{LoadError, LoadOptions, LoadPhase, LoadReport, ProgressCallback, load_with};
use fire_engine::scene::Content;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Instant;

/// A loaded model.
pub struct Loaded {
    /// What is drawn and played.
    pub content: Content,
    /// What became of the file's parts.
    pub report: LoadReport,
    /// When the load and each of its phases began, and when it ended.
    pub times: LoadTimes,
}

/// When things happened.
pub struct LoadTimes {
    /// The start.
    pub began: Instant,
    /// The start of each phase, in order.
    pub phases: Vec<(LoadPhase, Instant)>,
    /// The end.
    pub ended: Instant,
}

/// Threads that load models, each in its turn, never more than one ahead of what was taken.
pub struct Loading {
    receivers: Vec<Receiver<Result<Loaded, LoadError>>>,
    next: usize,
    stop: Arc<AtomicBool>,
}

impl Loading {
    /// Starts `jobs` threads.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        models: &'scope [PathBuf],
        jobs: usize,
        options: &LoadOptions,
    ) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let receivers = (0..jobs).map(|job| {
            // Without room in between: what waits to be drawn is at most one model a thread.
            let (sender, receiver) = sync_channel(0);
            let (options, stop) = (options.clone(), Arc::clone(&stop));
            scope.spawn(move || {
                for model in models.iter().skip(job).step_by(jobs) {
                    if sender.send(load(model, &options, &stop)).is_err() {
                        return;
                    }
                }
            });
            receiver
        });
        Self { receivers: receivers.collect(), next: 0, stop }
    }

    /// The next model, in the order of the files. `None` if its thread is gone.
    pub fn take(&mut self) -> Option<Result<Loaded, LoadError>> {
        let receiver = &self.receivers[self.next % self.receivers.len()];
        self.next += 1;
        receiver.recv().ok()
    }
}

impl Drop for Loading {
    /// What is being loaded is stopped at its next step.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn load(model: &Path, options: &LoadOptions, stop: &Arc<AtomicBool>) -> Result<Loaded, LoadError> {
    let phases = Arc::new(Mutex::new(Vec::new()));
    let (noted, stop) = (Arc::clone(&phases), Arc::clone(stop));
    let progress = ProgressCallback::new(move |progress| {
        let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.last().is_none_or(|(phase, _)| *phase != progress.phase) {
            noted.push((progress.phase, Instant::now()));
        }
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let began = Instant::now();
    let (content, report) = load_with(model, &LoadOptions { progress: Some(progress), ..options.clone() })?;
    let ended = Instant::now();
    let phases = std::mem::take(&mut *phases.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(Loaded { content, report, times: LoadTimes { began, phases, ended } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name).join(format!("{name}.gltf"))
    }

    #[test]
    fn models_come_in_order_whatever_the_number_of_threads() {
        let models: Vec<PathBuf> = (0..7)
            .map(|index| match index % 3 {
                0 => own("LetterCube"),
                1 => own("Hierarchy"),
                _ => format!("no/such/{index}.gltf").into(),
            })
            .collect();
        for jobs in [1, 2, 3, 7, 20] {
            std::thread::scope(|scope| {
                let mut loading = Loading::start(scope, &models, jobs, &LoadOptions::default());
                for (index, model) in models.iter().enumerate() {
                    match loading.take().unwrap() {
                        Ok(loaded) => {
                            assert!(index % 3 < 2);
                            assert_eq!(
                                loaded.content.animations.is_empty(),
                                load_with(model, &LoadOptions::default()).unwrap().0.animations.is_empty()
                            );
                            let phases = loaded.times.phases;
                            assert_eq!(phases.first().map(|(phase, _)| *phase), Some(LoadPhase::Document));
                            assert_eq!(phases.last().map(|(phase, _)| *phase), Some(LoadPhase::Scene));
                        }
                        Err(error) => assert!(error.to_string().contains(&format!("no/such/{index}.gltf"))),
                    }
                }
            });
        }
    }

    #[test]
    fn nobody_waits_for_models_that_are_not_taken() {
        let models = vec![own("LetterCube"); 50];
        std::thread::scope(|scope| {
            let mut loading = Loading::start(scope, &models, 2, &LoadOptions::default());
            assert!(loading.take().is_some());
        });
    }
}
