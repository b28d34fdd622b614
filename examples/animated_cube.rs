//! The main job in one program: load the letter cube, turn it, and draw it in a window or, without a display, into
//! pictures.
//!
//! ```text
//! cargo run --release --example animated_cube
//! cargo run --release --example animated_cube -- --headless --frames 1 --smoke --output cube.png
//! ```
//!
//! It is the program `fire-engine` under another name; see `src/app` for how it is made, and "Five minutes to a picture"
//! in the library's documentation for what it comes down to.

#[path = "../src/app/mod.rs"]
mod app;

#[cfg(not(feature = "cli"))]
use app::bare as program;
#[cfg(feature = "cli")]
use app::command as program;

fn main() -> std::process::ExitCode {
    program::main()
}
