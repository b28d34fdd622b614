//! How a run in a window fails.

use std::error::Error;
use std::fmt::{Debug, Display};

/// Why a run in a window ended early. `E` is the application's own error.
///
/// `E` need not be an error itself, so that `Box<dyn Error>` will do; therefore an application's error is not told as
/// [`source`](Error::source), but has the same text.
#[derive(Debug)]
#[non_exhaustive]
pub enum WindowError<E> {
    /// A call of the application failed, or the renderer could not be made.
    App(E),
    /// The window system failed after the window was open.
    WindowSystem {
        /// What it said.
        reason: String,
    },
}

impl<E: Display> Display for WindowError<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::App(error) => Display::fmt(error, f),
            Self::WindowSystem { reason } => write!(f, "the window system failed: {reason}"),
        }
    }
}

impl<E: Debug + Display> Error for WindowError<E> {}

/// An error of winit without the place in its source, `os error at <path>:<line>: `, that it may begin with.
pub(super) fn plain(error: impl Display) -> String {
    let text = error.to_string();
    let reason = text.strip_prefix("os error at ").and_then(|text| {
        let (_, text) = text.split_once(".rs:")?;
        Some(text.trim_start_matches(|letter: char| letter.is_ascii_digit()).strip_prefix(": ")?.to_owned())
    });
    reason.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_in_the_library_is_cut_off() {
        let at = "os error at /home/me/registry/winit-0.30/src/platform_impl/linux/mod.rs:788: no: display";
        assert_eq!(plain(at), "no: display");
        assert_eq!(plain(r"os error at C:\registry\winit\src\window.rs:1: refused"), "refused");
        for other in ["no display", "os error at noon", "os error at a.rs:b", "in mod.rs:7: no"] {
            assert_eq!(plain(other), other);
        }
    }

    #[test]
    fn a_boxed_error_of_the_application_becomes_one_again() {
        let failed = || Err::<(), _>(WindowError::App(Box::<dyn Error>::from("no model")));
        let run = || -> Result<(), Box<dyn Error>> { Ok(failed()?) };
        assert_eq!(run().unwrap_err().to_string(), "no model");
    }
}
