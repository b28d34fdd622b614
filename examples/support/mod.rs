//! What the examples share: options of the command line, a loop with and without a window, pictures as files. What an
//! example is about stands in its own file.
#![allow(dead_code, unused_imports, reason = "each example uses a part of it")]

#[cfg(feature = "gltf")]
mod cube;
mod options;
mod picture;
mod show;
#[cfg(feature = "winit")]
mod window;

#[cfg(feature = "gltf")]
pub use cube::letter_cube;
pub use options::{Failure, Options};
pub use picture::{check_validation, write};
pub use show::{Example, show};
#[cfg(feature = "winit")]
pub use window::open;
