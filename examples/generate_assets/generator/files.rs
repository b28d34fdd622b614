//! Writes every file of every asset into a folder.

use std::error::Error;
use std::fs;
use std::path::Path;

use super::{hierarchy, letter_cube};

/// A file of an asset: its path inside the folder of assets, with `/`, and its bytes.
pub type AssetFile = (&'static str, Vec<u8>);

/// Writes all assets into `folder`, which is created if need be, and returns what was written:
/// path inside the folder, length in bytes.
pub fn write_assets(folder: &Path) -> Result<Vec<(&'static str, usize)>, Box<dyn Error>> {
    let mut written = Vec::new();
    for (name, bytes) in letter_cube::files()?.into_iter().chain(hierarchy::files()?) {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, &bytes)?;
        written.push((name, bytes.len()));
    }
    Ok(written)
}
