//! What tells models of one name apart.

use crate::app::view::stage;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// So many folders are named at most.
const DEEPEST: usize = 4;

/// The folders of a list of models, looked up when the list changes, which only grows.
#[derive(Debug, Default)]
pub struct Labels {
    known: Option<(usize, PathBuf)>,
    /// Empty where the name is that of no other model.
    folders: Vec<String>,
}

impl Labels {
    /// Takes notice of the list.
    pub fn update(&mut self, models: &[PathBuf]) {
        let known = models.last().map(|last| (models.len(), last.clone()));
        if self.known != known {
            self.known = known;
            self.folders = folders(models);
        }
    }

    /// The folder that tells a model from others of its name; empty where there is no other.
    pub fn folder(&self, index: usize) -> &str {
        self.folders.get(index).map_or("", String::as_str)
    }
}

/// For each model whose file is called like another's, as many of its folders as tell all of them apart.
fn folders(models: &[PathBuf]) -> Vec<String> {
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, model) in models.iter().enumerate() {
        by_name.entry(stage::name(Some(model))).or_default().push(index);
    }
    let mut folders = vec![String::new(); models.len()];
    for alike in by_name.into_values().filter(|alike| alike.len() > 1) {
        for depth in 1..=DEEPEST {
            let ends: Vec<String> = alike.iter().map(|index| end(&models[*index], depth)).collect();
            let is_enough = ends.iter().collect::<BTreeSet<_>>().len() == ends.len();
            if is_enough || depth == DEEPEST {
                alike.iter().zip(ends).for_each(|(index, end)| folders[*index] = end);
                break;
            }
        }
    }
    folders
}

/// The last folders that a file lies in; `.` where none is named.
fn end(file: &Path, depth: usize) -> String {
    let named = |part: Component<'_>| match part {
        Component::Normal(_) | Component::ParentDir => Some(part.as_os_str().to_string_lossy().into_owned()),
        _ => None,
    };
    let parent = file.parent().unwrap_or(Path::new(""));
    let mut parts: Vec<String> = parent.components().rev().filter_map(named).take(depth).collect();
    parts.reverse();
    match parts.join("/") {
        none if none.is_empty() => if parent.has_root() { "/" } else { "." }.to_owned(),
        some => some,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(models: &[&str]) -> Vec<String> {
        let mut labels = Labels::default();
        labels.update(&models.iter().map(PathBuf::from).collect::<Vec<_>>());
        (0..models.len()).map(|index| labels.folder(index).to_owned()).collect()
    }

    #[test]
    fn folders_are_named_where_names_are_alike_and_as_many_as_tell_them_apart() {
        assert_eq!(of(&["a/one.glb", "a/two.glb"]), ["", ""]);
        assert_eq!(of(&["a/one.glb", "b/two.glb", "b/one.glb"]), ["a", "", "b"]);
        assert_eq!(of(&["one.glb", "/one.glb", "../one.glb", "./x/one.glb"]), [".", "/", "..", "x"]);
        assert_eq!(
            of(&["Box/glTF/m.gltf", "Fox/glTF/m.gltf", "glTF/m.gltf"]),
            ["Box/glTF", "Fox/glTF", "glTF"]
        );
        let deep = of(&["p/a/b/c/d/m", "q/a/b/c/d/m"]);
        assert_eq!(deep, ["a/b/c/d", "a/b/c/d"], "there is an end to it");
        assert_eq!(of(&[]), [""; 0]);
    }

    #[test]
    fn a_model_that_comes_to_the_list_is_told_apart_too() {
        let mut labels = Labels::default();
        labels.update(&["a/m".into()]);
        assert_eq!((labels.folder(0), labels.folder(7)), ("", ""));
        labels.update(&["a/m".into(), "b/m".into()]);
        assert_eq!((labels.folder(0), labels.folder(1)), ("a", "b"));
    }
}
