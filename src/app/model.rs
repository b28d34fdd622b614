//! The content that is shown.

use super::error::AppError;
use fire_engine::gltf::{LoadReport, ResolveError, Resolver, ResourceName, load, load_from_slice};
use fire_engine::scene::Content;
use std::path::Path;

macro_rules! built_in {
    ($name:literal) => {
        ($name, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/LetterCube/", $name)))
    };
}

/// The letter cube's document.
const DOCUMENT: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/LetterCube/LetterCube.gltf"));

/// The letter cube's other files.
const FILES: &[(&str, &[u8])] = &[
    built_in!("LetterCube.bin"),
    built_in!("LetterCube_BaseColor.png"),
    built_in!("LetterCube_MetallicRoughness.png"),
];

/// Hands out the files that are part of the program, so that the cube is found from any folder.
struct BuiltIn;

impl Resolver for BuiltIn {
    fn read(&self, name: &ResourceName, limit: u64) -> Result<Vec<u8>, ResolveError> {
        let file = FILES.iter().find(|(file, _)| *file == name.decoded());
        match file {
            Some((_, bytes)) if bytes.len() as u64 > limit => Err(ResolveError::TooLarge { limit }),
            Some((_, bytes)) => Ok(bytes.to_vec()),
            None => Err(ResolveError::NotFound),
        }
    }
}

/// Loads a file, or the letter cube for `None`. Nothing plays yet.
pub fn load_model(path: Option<&Path>) -> Result<(Content, LoadReport), AppError> {
    Ok(match path {
        Some(path) => load(path)?,
        None => load_from_slice(DOCUMENT, &BuiltIn)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_needs_no_file() {
        let (content, report) = load_model(None).unwrap();
        assert_eq!(content.animations.len(), 1);
        assert_eq!(content.assets.render_objects().len(), 1);
        assert!(report.iter().any(|note| note.json_path.starts_with("materials[0]")), "{report}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = load_model(Some(Path::new("no/such/model.glb"))).unwrap_err();
        assert!(error.to_string().contains("no/such/model.glb"), "{error}");
    }
}
