//! The programs of the examples.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The program of an example, which plain `cargo test` builds before it runs any test. Cargo does not tell where; it lies
/// beside the folder with this program.
pub fn built(name: &str) -> Result<PathBuf, String> {
    let build = |reason: &str| format!("examples/{name} {reason}: plain `cargo test` builds it");
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = here.parent().and_then(Path::parent).ok_or("no folder")?.join("examples");
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let age = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let made = age(&program).ok_or_else(|| build("is not built"))?;
    // Cargo notes what it was made from: `program: source source`, with a backslash before a space in a name.
    let sources =
        std::fs::read_to_string(folder.join(format!("{name}.d"))).map_err(|_| build("is unknown"))?;
    let sources = sources.replace("\\ ", "\0");
    let newer = |source: &String| age(Path::new(source)).is_none_or(|age: SystemTime| age > made);
    let mut sources = sources.split_whitespace().skip(1).map(|source| source.replace('\0', " "));
    match sources.find(newer) {
        Some(source) => Err(build(&format!("is older than {source}"))),
        None => Ok(program),
    }
}
