//! Why the program ended without having done what it was asked for.

use super::output::printable;
use fire_engine::animation::AnimationError;
use fire_engine::gltf::LoadError;
use fire_engine::math::LookAtError;
use fire_engine::scene::SceneError;
use fire_engine::vulkan::{RendererError, ValidationCounts};
#[cfg(feature = "winit")]
use fire_engine::winit::WindowError;

/// A failure, whose text is the line that the user sees.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The model cannot be loaded. The file's name comes from elsewhere.
    #[error("{}", printable(&.0.to_string()))]
    Load(#[from] LoadError),
    /// A clip cannot be played.
    #[error(transparent)]
    Animation(#[from] AnimationError),
    /// The scene cannot be built.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The device, the driver or the renderer.
    #[error(transparent)]
    Renderer(RendererError),
    /// There is no validation layer.
    #[error(
        "--validate: {0} is not available; on Debian or Ubuntu install the package vulkan-validationlayers, or leave \
         the option out"
    )]
    NoLayer(String),
    /// The model lies where no camera can look at it.
    #[error(
        "the model is too large, or too far away for its size, to be looked at ({}); check its positions and scales",
        .0.reason()
    )]
    Camera(#[from] LookAtError),
    /// A file or folder that was asked for cannot be written, as is known before the first frame.
    #[error("cannot write {file}: {reason}; {remedy}")]
    Unwritable {
        /// The file or folder.
        file: String,
        /// What is in the way.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A file cannot be written.
    #[error("cannot write {file}: {reason}")]
    Write {
        /// The file or folder.
        file: String,
        /// What the system said.
        reason: String,
    },
    /// The window system failed after the window was open.
    #[error("the window system failed: {0}")]
    #[cfg_attr(not(feature = "winit"), allow(dead_code, reason = "there is none without the feature"))]
    WindowSystem(String),
    /// Fewer frames than asked for.
    #[error("presented {presented} of {wanted} frames: {reason}")]
    Incomplete {
        /// Frames that were shown.
        presented: u64,
        /// Frames that were asked for.
        wanted: u64,
        /// Why there were no more.
        reason: String,
    },
    /// Nothing could be shown for a long time, with no number of frames to reach.
    #[error("presented {presented} frames, then gave up: {reason}")]
    Stuck {
        /// Frames that were shown.
        presented: u64,
        /// What was tried.
        reason: String,
    },
    /// There is no window to show anything in.
    #[cfg(all(feature = "cli", feature = "winit"))]
    #[error("no window: {0}; `fire-engine render` writes pictures without a window")]
    NoWindow(String),
    /// Models were wanted, and what was tried of them was refused.
    #[cfg(all(feature = "cli", feature = "winit"))]
    #[error("nothing could be shown; the lines above say why")]
    NothingShown,
    /// The system gives no thread, or one ended before its work was done.
    #[cfg(all(feature = "cli", feature = "winit"))]
    #[error("cannot load beside the window: {0}")]
    Thread(String),
    /// Facts that cannot be written as JSON.
    #[cfg(feature = "cli")]
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// What a command line asks for contradicts itself.
    #[cfg(feature = "cli")]
    #[error("{0}")]
    Usage(String),
    /// A model lacks what was asked for.
    #[cfg(feature = "cli")]
    #[error("no {what} {asked:?}; {there}")]
    Unknown {
        /// A clip, a camera or a variant.
        what: &'static str,
        /// As it was asked for.
        asked: String,
        /// What there is.
        there: String,
    },
    /// A camera that was asked for sees nothing.
    #[cfg(feature = "cli")]
    #[error("no camera can look that way ({0}); change --eye, --target or --up")]
    Eye(LookAtError),
    /// At a distance that was asked for nothing can be seen.
    #[cfg(feature = "cli")]
    #[error("no camera can look from there ({}); change --distance", .0.reason())]
    Distance(LookAtError),
    /// A camera of the file has no direction.
    #[cfg(feature = "cli")]
    #[error(
        "the camera of node \"{0}\" is flattened or too far away to look anywhere; correct its scale or choose another"
    )]
    BlindCamera(String),
    /// A sequence of the clips' own length would not come to an end.
    #[cfg(feature = "cli")]
    #[error("the clips last {0} s, which is too long for a sequence; say how many pictures with --frames")]
    Endless(f64),
    /// The validation layer had something to say.
    #[error("validation reported {} error(s) and {} warning(s)", .0.errors, .0.warnings)]
    NotClean(ValidationCounts),
}

impl From<RendererError> for AppError {
    /// The library's remedies are for programs.
    fn from(error: RendererError) -> Self {
        match error {
            RendererError::ValidationUnavailable { what } => Self::NoLayer(what),
            error => Self::Renderer(error),
        }
    }
}

impl AppError {
    /// Whether it is for the command line that nothing was done: it is wrong, or names an output that cannot or must not be
    /// written.
    pub fn is_usage(&self) -> bool {
        #[cfg(feature = "cli")]
        if matches!(self, Self::Usage(_)) {
            return true;
        }
        matches!(self, Self::Unwritable { .. })
    }
}

#[cfg(feature = "cli")]
impl AppError {
    /// What a script relies on cannot be written.
    pub fn standard_output(reason: impl std::fmt::Display) -> Self {
        Self::Write { file: "to standard output".to_owned(), reason: reason.to_string() }
    }

    /// Whether nothing can be drawn any more.
    pub fn is_lost(&self) -> bool {
        matches!(
            self,
            Self::Renderer(
                RendererError::DeviceLost { .. }
                    | RendererError::SurfaceLost { .. }
                    | RendererError::Unusable { .. }
            )
        )
    }
}

#[cfg(feature = "winit")]
impl From<WindowError<AppError>> for AppError {
    fn from(error: WindowError<AppError>) -> Self {
        match error {
            WindowError::App(error) => error,
            WindowError::WindowSystem { reason } => Self::WindowSystem(reason),
            other => Self::WindowSystem(other.to_string()),
        }
    }
}
