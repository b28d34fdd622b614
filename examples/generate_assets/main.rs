//! Writes this project's own test assets, byte for byte the same on every run and platform.
//!
//! ```text
//! cargo run --example generate_assets            # into assets/ of this checkout
//! cargo run --example generate_assets -- FOLDER  # elsewhere
//! ```
//!
//! `tests/assets_fresh.rs` runs the same code and fails when a committed file differs.

mod generator;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets"), PathBuf::from);
    match generator::write_assets(&folder) {
        Ok(files) => {
            for (name, length) in files {
                println!("{:>8} bytes  {}", length, folder.join(name).display());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cannot write the assets into {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}
