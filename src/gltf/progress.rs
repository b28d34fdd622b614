//! How far a load has come, and how it is stopped.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A part of a load, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LoadPhase {
    /// The JSON is read; one step.
    Document,
    /// Files and data URIs of buffers are read; one step a buffer.
    Buffers,
    /// Images are read and decoded; one step for each file, data URI or buffer view that is used as one.
    Images,
    /// Vertices and indices are converted; one step a primitive.
    Meshes,
    /// Animations and the node hierarchy are built, and everything is validated; one step an animation, and one for the rest.
    Scene,
}

/// How far a load has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LoadProgress {
    /// What is going on.
    pub phase: LoadPhase,
    /// Steps of the phase that are done, 0 to [`total`](Self::total).
    pub done: usize,
    /// Steps of the phase. With 0, the phase is told of once.
    pub total: usize,
}

/// Asked at the start of each phase and after each of its steps, on the thread that loads; `Break` stops the load, which
/// gives [`LoadError::Canceled`](super::LoadError::Canceled).
///
/// The same file gives the same calls, whatever the number of threads. A step that has begun is finished first.
#[derive(Clone)]
pub struct ProgressCallback(Arc<dyn Fn(LoadProgress) -> ControlFlow<()> + Send + Sync>);

impl ProgressCallback {
    /// Wraps a function or closure.
    pub fn new(callback: impl Fn(LoadProgress) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(callback))
    }

    pub(super) fn call(&self, progress: LoadProgress) -> ControlFlow<()> {
        (self.0)(progress)
    }
}

impl fmt::Debug for ProgressCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressCallback(..)")
    }
}
