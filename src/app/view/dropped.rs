//! What is dropped on the window at once.

use std::path::{Path, PathBuf};

/// So many entries of a folder are looked at.
const MOST_ENTRIES: usize = 10_000;

/// The models among files that were dropped together: a document comes with its buffers and textures, and a folder stands for
/// the documents in it. Where nothing has the name of a model, the first is taken for one all the same.
pub fn models(dropped: Vec<PathBuf>) -> Vec<PathBuf> {
    let inside =
        dropped.iter().flat_map(|path| if path.is_dir() { in_folder(path) } else { vec![path.clone()] });
    let models: Vec<PathBuf> = inside.filter(|path| is_model(path)).collect();
    if models.is_empty() { dropped.into_iter().take(1).collect() } else { models }
}

fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().take(MOST_ENTRIES).flatten();
    let mut models: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| is_model(path)).collect();
    models.sort();
    models
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension
        .is_some_and(|extension| ["gltf", "glb"].iter().any(|model| extension.eq_ignore_ascii_case(model)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn a_document_that_comes_with_its_files_is_the_model() {
        let dropped = paths(&["a/Texture.png", "a/Fox.bin", "a/Fox.gltf"]);
        assert_eq!(models(dropped), paths(&["a/Fox.gltf"]));
        let several = paths(&["b.GLB", "notes.txt", "a.gltf"]);
        assert_eq!(models(several), paths(&["b.GLB", "a.gltf"]), "in the order in which they came");
    }

    #[test]
    fn of_files_none_of_which_is_a_model_the_first_is_tried() {
        assert_eq!(models(paths(&["avatar.vrm", "notes.txt"])), paths(&["avatar.vrm"]));
        assert_eq!(models(Vec::new()), paths(&[]));
    }

    #[test]
    fn a_folder_stands_for_the_models_in_it_and_an_empty_one_for_itself() {
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let cube = assets.join("LetterCube");
        assert_eq!(models(vec![cube.clone()]), [cube.join("LetterCube.gltf")]);
        assert_eq!(models(vec![assets.clone()]), [assets], "of folders in it nothing is opened");
    }
}
