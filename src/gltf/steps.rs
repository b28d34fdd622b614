//! Tells the caller, and who listens to events, how far one load has come.

use super::{LoadError, LoadOptions, LoadPhase, LoadProgress};
use crate::trace::Stopwatch;
use std::cell::Cell;
use std::ops::ControlFlow;

/// The steps of one load.
pub(super) struct Steps<'a> {
    file: &'a str,
    options: &'a LoadOptions,
    /// Of the present phase.
    watch: Cell<Stopwatch>,
}

impl<'a> Steps<'a> {
    /// Of the load of `file`.
    pub fn new(file: &'a str, options: &'a LoadOptions) -> Self {
        Self { file, options, watch: Cell::new(Stopwatch::start()) }
    }

    /// Tells how far the load has come, and asks the caller whether to go on.
    pub fn tell(&self, phase: LoadPhase, done: usize, total: usize) -> Result<(), LoadError> {
        if done == 0 {
            self.watch.set(Stopwatch::start());
        }
        if done == total {
            event!(DEBUG, phase = ?phase, steps = total, ms = self.watch.get().ms(), "phase of a load done");
        }
        let callback = self.options.progress.as_ref();
        match callback.map(|callback| callback.call(LoadProgress { phase, done, total })) {
            Some(ControlFlow::Break(())) => Err(LoadError::Canceled { file: self.file.to_owned() }),
            _ => Ok(()),
        }
    }
}
