//! What an application can ask of a renderer.

use super::error::RendererError;
use super::validation::ValidationLog;
use crate::preparation::ViewMode;

/// Whether the Khronos validation layer watches the renderer.
///
/// When it does, synchronization validation is on as well, and every error and warning goes to
/// [`RendererOptions::validation_log`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Validation {
    /// The layer is not loaded.
    Off,
    /// The layer is used where it is installed.
    IfAvailable,
    /// Building the renderer fails where the layer is not installed.
    Required,
}

impl Default for Validation {
    /// [`IfAvailable`](Self::IfAvailable) in a build with debug assertions, else [`Off`](Self::Off).
    fn default() -> Self {
        if cfg!(debug_assertions) { Self::IfAvailable } else { Self::Off }
    }
}

/// How finished frames reach the screen.
///
/// A mode that the surface does not offer is replaced by [`Fifo`](Self::Fifo), which every surface offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PresentMode {
    /// Frames wait in a queue for the screen's refresh: no tearing, and the renderer runs at the screen's pace.
    #[default]
    Fifo,
    /// As [`Fifo`](Self::Fifo), but a frame that is late is shown at once, with tearing.
    FifoRelaxed,
    /// A newer frame replaces the one that waits: no tearing, low latency, and the renderer runs unbounded.
    Mailbox,
    /// Frames are shown at once, with tearing.
    Immediate,
}

/// How a renderer is built. [`Default`] gives values that work everywhere.
///
/// ```
/// use fire_engine::vulkan::{RendererOptions, Validation};
///
/// let options = RendererOptions {
///     application_name: "viewer".into(),
///     validation: Validation::IfAvailable,
///     samples: 4,
///     ..RendererOptions::default()
/// };
/// options.validate()?;
/// # Ok::<(), fire_engine::vulkan::RendererError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RendererOptions {
    /// The name that the driver and its tools see. May be empty; what follows a NUL is cut off.
    pub application_name: String,
    /// Whether the validation layer is used.
    pub validation: Validation,
    /// Where the validation layer's messages go. A clone of the options shares the log, so keep a clone of it to read
    /// what was reported while a renderer was built or dropped.
    pub validation_log: ValidationLog,
    /// Maximum anisotropy of texture filtering: 1 (off, the default) or more. Values above the device's limit mean the
    /// limit; a device without the feature filters as with 1.
    pub anisotropy: f32,
    /// Samples per pixel: 1 (the default), 2, 4 or 8. Every device has 1 and 4.
    pub samples: u32,
    /// How finished frames reach the screen. Not used without a window.
    pub present_mode: PresentMode,
    /// What of the surfaces is shown: base color (the default), or one of their other properties.
    pub view_mode: ViewMode,
    /// The background: red, green, blue and alpha, linear, each from 0 to 1. The default is (0.015, 0.02, 0.03, 1).
    pub clear_color: [f32; 4],
    /// How many frames the CPU may be ahead of the GPU: 2 (the default) or 3.
    pub frames_in_flight: u32,
    /// Use only devices whose name contains this text, in upper or lower case. `None` takes the best device.
    pub device: Option<String>,
}

impl Default for RendererOptions {
    fn default() -> Self {
        Self {
            application_name: String::from("fire-engine"),
            validation: Validation::default(),
            validation_log: ValidationLog::default(),
            anisotropy: 1.0,
            samples: 1,
            present_mode: PresentMode::default(),
            view_mode: ViewMode::default(),
            clear_color: [0.015, 0.02, 0.03, 1.0],
            frames_in_flight: 2,
            device: None,
        }
    }
}

impl PresentMode {
    /// Every mode, in the order of the variants.
    pub const ALL: [Self; 4] = [Self::Fifo, Self::FifoRelaxed, Self::Mailbox, Self::Immediate];
}

impl RendererOptions {
    /// Checks every field for a value that can be used on some device.
    ///
    /// # Errors
    ///
    /// [`RendererError::InvalidOption`] names the first field that is wrong.
    pub fn validate(&self) -> Result<(), RendererError> {
        check_anisotropy(self.anisotropy)?;
        if !matches!(self.samples, 1 | 2 | 4 | 8) {
            return invalid("samples", format!("{} samples per pixel are not 1, 2, 4 or 8", self.samples));
        }
        check_clear_color(self.clear_color)?;
        if !(2..=3).contains(&self.frames_in_flight) {
            return invalid("frames_in_flight", format!("{} is not 2 or 3", self.frames_in_flight));
        }
        Ok(())
    }
}

fn invalid(option: &'static str, reason: String) -> Result<(), RendererError> {
    Err(RendererError::InvalidOption { option, reason })
}

pub(super) fn check_anisotropy(anisotropy: f32) -> Result<(), RendererError> {
    match anisotropy.is_finite() && anisotropy >= 1.0 {
        true => Ok(()),
        false => invalid("anisotropy", format!("{anisotropy} is not a finite number of 1 or more")),
    }
}

pub(super) fn check_clear_color(color: [f32; 4]) -> Result<(), RendererError> {
    match color.iter().all(|component| (0.0..=1.0).contains(component)) {
        true => Ok(()),
        false => invalid("clear_color", format!("{color:?} has a component outside of 0 to 1")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(change: impl FnOnce(&mut RendererOptions)) -> &'static str {
        let mut options = RendererOptions::default();
        change(&mut options);
        match options.validate() {
            Err(RendererError::InvalidOption { option, .. }) => option,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn defaults_are_valid() {
        let options = RendererOptions::default();
        assert_eq!(options.validate(), Ok(()));
        assert_eq!(options.clear_color, [0.015, 0.02, 0.03, 1.0]);
        assert_eq!((options.samples, options.frames_in_flight), (1, 2));
        assert_eq!(options.present_mode, PresentMode::Fifo);
        assert_eq!(options.validation == Validation::IfAvailable, cfg!(debug_assertions));
    }

    #[test]
    fn wrong_values_name_their_option() {
        for value in [0.5, f32::NAN, f32::INFINITY, -1.0] {
            assert_eq!(rejected(|o| o.anisotropy = value), "anisotropy");
        }
        for value in [0, 3, 5, 16] {
            assert_eq!(rejected(|o| o.samples = value), "samples");
        }
        for value in [f32::NAN, -0.1, 1.5, f32::INFINITY] {
            assert_eq!(rejected(|o| o.clear_color[3] = value), "clear_color");
        }
        for value in [0, 1, 4] {
            assert_eq!(rejected(|o| o.frames_in_flight = value), "frames_in_flight");
        }
    }

    #[test]
    fn cloned_options_share_the_log() {
        let options = RendererOptions::default();
        let clone = options.clone();
        assert!(options.validation_log.is_same(&clone.validation_log));
    }
}
