//! Loading beside the window, which goes on drawing meanwhile.

use crate::app::error::AppError;
use crate::app::timed_load::{Loaded, load};
use fire_engine::gltf::{LoadOptions, LoadProgress};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Is told how far a load is, and whether it is to go on.
type Watch = Box<dyn Fn(LoadProgress) -> ControlFlow<()> + Send + Sync>;

/// A model on its way.
pub struct Loader {
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "the panel shows it"))]
    path: Option<PathBuf>,
    loaded: Receiver<Result<Loaded, AppError>>,
    progress: Arc<Mutex<Option<LoadProgress>>>,
    cancel: Arc<AtomicBool>,
}

impl Loader {
    /// Loads a file, or the letter cube for `None`, on a thread of its own, which calls `wake` when it is done.
    ///
    /// # Errors
    /// [`AppError::Thread`] if there can be no thread.
    pub fn start(
        path: Option<PathBuf>,
        options: LoadOptions,
        wake: impl FnOnce() + Send + 'static,
    ) -> Result<Self, AppError> {
        let file = path.clone();
        Self::spawn(path, wake, move |watch| load(file.as_deref(), &options, watch))
    }

    /// Any work, which is to ask its argument at each step whether to go on.
    fn spawn(
        path: Option<PathBuf>,
        wake: impl FnOnce() + Send + 'static,
        load: impl FnOnce(Watch) -> Result<Loaded, AppError> + Send + 'static,
    ) -> Result<Self, AppError> {
        let (sender, loaded) = channel();
        let (progress, cancel) = (Arc::new(Mutex::new(None)), Arc::new(AtomicBool::new(false)));
        let (told, stop) = (Arc::clone(&progress), Arc::clone(&cancel));
        let watch = Box::new(move |now| {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let work = move || {
            // Also when the load panics: whoever waits finds the sender gone.
            let _wakes = OnDrop(Some(wake));
            let sender = sender;
            // Nobody listens any more once another model is wanted.
            let _unwanted = sender.send(load(watch));
        };
        let spawned = std::thread::Builder::new().name("load".to_owned()).spawn(work);
        spawned.map_err(|error| AppError::Thread(error.to_string()))?;
        Ok(Self { path, loaded, progress, cancel })
    }

    /// What is being loaded.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "the panel shows it"))]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// How far it is.
    #[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "the panel shows it"))]
    pub fn progress(&self) -> Option<LoadProgress> {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The result, if it comes within so much time; it comes once.
    pub fn take(&self, patience: Duration) -> Option<Result<Loaded, AppError>> {
        match self.loaded.recv_timeout(patience) {
            Ok(loaded) => Some(loaded),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Err(AppError::Thread("the loading thread ended without a model".to_owned())))
            }
        }
    }
}

/// Calls a function when it goes.
struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        if let Some(call) = self.0.take() {
            call();
        }
    }
}

impl Drop for Loader {
    /// A load that nobody waits for stops at its next step.
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fire_engine::gltf::LoadError;
    use std::sync::mpsc::sync_channel;

    const LONG: Duration = Duration::from_secs(60);

    fn loaded(path: Option<PathBuf>) -> Result<Loaded, AppError> {
        let (sender, woken) = sync_channel(1);
        let wake = move || sender.send(()).unwrap_or_default();
        let loader = Loader::start(path, LoadOptions::default(), wake).unwrap();
        woken.recv_timeout(LONG).unwrap();
        let loaded = loader.take(LONG).expect("woken when it is there");
        assert!(loader.progress().is_some() || loaded.is_err());
        assert!(matches!(loader.take(Duration::ZERO), Some(Err(AppError::Thread(_)))), "there is only one");
        loaded
    }

    #[test]
    fn a_model_comes_once_and_wakes_the_window() {
        assert_eq!(loaded(None).unwrap().content.animations.len(), 1);
        let error = loaded(Some("no/such/model.glb".into())).unwrap_err();
        assert!(error.to_string().contains("no/such/model.glb"), "{error}");
    }

    #[test]
    fn a_load_that_nobody_waits_for_is_canceled() {
        let (begin, begun) = sync_channel(1);
        let (ended, end) = sync_channel(1);
        let load_slowly = move |watch: Watch| {
            let begun = Mutex::new(Some(begun));
            let watch = move |now| {
                // Held at its first step until nobody waits for it any more.
                if let Some(begun) = begun.lock().unwrap().take() {
                    begun.recv_timeout(LONG).unwrap();
                }
                watch(now)
            };
            let loaded = load(None, &LoadOptions::default(), watch);
            let is_canceled = matches!(&loaded, Err(AppError::Load(LoadError::Canceled { .. })));
            ended.send(is_canceled).unwrap();
            loaded
        };
        let loader = Loader::spawn(Some("a.glb".into()), || (), load_slowly).unwrap();
        assert_eq!(loader.path(), Some(Path::new("a.glb")));
        drop(loader);
        begin.send(()).unwrap();
        assert_eq!(end.recv_timeout(LONG), Ok(true));
    }
}
