//! The content that is shown.

use super::error::AppError;
use fire_engine::gltf::{
    LoadOptions, LoadReport, ResolveError, Resolver, ResourceName, load_from_slice_with, load_with,
};
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
    load_model_with(path, &LoadOptions::default())
}

/// As [`load_model`], with options.
pub fn load_model_with(
    path: Option<&Path>,
    options: &LoadOptions,
) -> Result<(Content, LoadReport), AppError> {
    Ok(match path {
        Some(path) => load_with(path, options)?,
        None => load_from_slice_with("letter cube", DOCUMENT, &BuiltIn, options)?,
    })
}

/// A line about the cameras that the content's nodes carry, if there are any: the program looks at all of the content
/// from a place of its own.
pub fn unused_cameras(content: &Content) -> Option<String> {
    let subject = match content.scene.cameras().count() {
        0 => return None,
        1 => "1 camera in the file is".to_owned(),
        count => format!("{count} cameras in the file are"),
    };
    Some(format!("{subject} not used; the view frames the content."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fire_engine::scene::Projection;

    #[test]
    fn cameras_are_counted() {
        let (mut content, _) = load_model(None).unwrap();
        assert_eq!(unused_cameras(&content), None);
        for expected in [
            "1 camera in the file is not used; the view frames the content.",
            "2 cameras in the file are not used; the view frames the content.",
        ] {
            let node = content.scene.add_root("camera").unwrap();
            let camera = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.0, far: 1.0 };
            content.scene.find_mut(node).unwrap().set_camera(Some(camera));
            assert_eq!(unused_cameras(&content).as_deref(), Some(expected));
        }
    }

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
