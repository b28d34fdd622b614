//! Models from files: several at once, handed over in order.

use crate::app::error::AppError;
use crate::app::timed_load::{Loaded, load};
use fire_engine::gltf::LoadOptions;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;

/// Threads that load models, each in its turn, never more than one ahead of what was taken.
pub struct Loading {
    receivers: Vec<Receiver<Result<Loaded, AppError>>>,
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
                    let stop = Arc::clone(&stop);
                    let watch = move |_| match stop.load(Ordering::Relaxed) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    };
                    if sender.send(load(Some(model), &options, watch)).is_err() {
                        return;
                    }
                }
            });
            receiver
        });
        Self { receivers: receivers.collect(), next: 0, stop }
    }

    /// The next model, in the order of the files. `None` if its thread is gone.
    pub fn take(&mut self) -> Option<Result<Loaded, AppError>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use fire_engine::gltf::{LoadPhase, load_with};
    use std::path::Path;

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
