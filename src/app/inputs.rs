//! The files that models are read from, which no picture may replace.

use super::error::AppError;
use super::output::printable;
use fire_engine::gltf::{LoadLimits, ResourceName};
use serde::Deserialize;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A GLB's header and that of its first chunk (glTF 2.0, section 4.4).
const GLB_HEADERS: usize = 20;

/// The models of a run, with the files that they name.
pub struct Inputs<'a> {
    models: &'a [PathBuf],
    /// Where each of the files lies, and the first model that is read from it; looked for once that matters.
    files: OnceCell<HashMap<PathBuf, usize>>,
}

impl<'a> Inputs<'a> {
    /// The files of these models. Nothing is read yet.
    pub fn of(models: &'a [PathBuf]) -> Self {
        Self { models, files: OnceCell::new() }
    }

    /// Checks that a picture may go to a file: one that no model is read from, under whatever name. A file that is not there
    /// may come to be.
    ///
    /// # Errors
    /// [`AppError::Unwritable`] names the file and the model.
    pub fn spare(&self, target: &Path) -> Result<(), AppError> {
        let Some(place) = target.canonicalize().ok().filter(|place| place.is_file()) else { return Ok(()) };
        let files = self.files.get_or_init(|| read_from(self.models));
        let Some(model) = files.get(&place).and_then(|&model| self.models.get(model)) else { return Ok(()) };
        let is_model = model.canonicalize().is_ok_and(|model| model == place);
        let reason = match is_model {
            true => "it is a model of this run".to_owned(),
            false => format!("{} is read from it", printable(&model.to_string_lossy())),
        };
        let file = printable(&target.to_string_lossy());
        Err(AppError::Unwritable { file, reason, remedy: "name another file or folder" })
    }
}

/// Every file that is there, with every link resolved.
fn read_from(models: &[PathBuf]) -> HashMap<PathBuf, usize> {
    let mut files = HashMap::new();
    let mut add = |path: &Path, model| {
        if let Ok(place) = path.canonicalize() {
            files.entry(place).or_insert(model);
        }
    };
    for (index, model) in models.iter().enumerate() {
        add(model, index);
        let folder = model.parent().unwrap_or(Path::new(""));
        // What cannot be read the loader tells of.
        for name in names(model).unwrap_or_default() {
            let Ok(name) = ResourceName::parse(&name) else { continue };
            name.candidates().for_each(|name| add(&folder.join(name), index));
        }
    }
    files
}

/// What a document says about its files.
#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    buffers: Vec<Reference>,
    #[serde(default)]
    images: Vec<Reference>,
}

#[derive(Deserialize)]
struct Reference {
    uri: Option<String>,
}

/// What a document calls the files of its buffers and images; data URIs are among them.
fn names(model: &Path) -> io::Result<Vec<String>> {
    if !model.metadata()?.is_file() {
        return Ok(Vec::new());
    }
    let mut file = File::open(model)?;
    let most = LoadLimits::default().json_bytes;
    let mut json = Vec::new();
    file.by_ref().take(GLB_HEADERS as u64).read_to_end(&mut json)?;
    match json.as_slice() {
        [b'g', b'l', b'T', b'F', .., a, b, c, d, b'J', b'S', b'O', b'N'] if json.len() == GLB_HEADERS => {
            let length = u32::from_le_bytes([*a, *b, *c, *d]);
            json.clear();
            file.take(most.min(length.into())).read_to_end(&mut json)?;
        }
        _ => _ = file.take(most).read_to_end(&mut json)?,
    }
    // As the loader takes them: with a byte order mark, and padded with zeros.
    let json = json.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&json);
    let padding = json.iter().rev().take_while(|byte| **byte == 0).count();
    let json = &json[..json.len() - padding];
    let Named { buffers, images } = serde_json::from_slice(json)?;
    Ok(buffers.into_iter().chain(images).filter_map(|reference| reference.uri).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::Folder;
    use fire_engine::gltf::load;
    use std::fs;

    fn own(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/{name}/{name}.gltf"))
    }

    #[test]
    fn what_a_document_names_is_what_a_load_reads() {
        for name in ["LetterCube", "Hierarchy"] {
            let (content, _) = load(own(name)).unwrap();
            let mut named = names(&own(name)).unwrap();
            named.retain(|name| !name.starts_with("data:"));
            named.dedup();
            assert_eq!(named, content.document.resources, "{name}");
        }
    }

    #[test]
    fn names_are_found_in_every_container() {
        let folder = Folder::new("names");
        let json = r#"{"asset": {"version": "2.0"}, "buffers": [{"uri": "a%20b.bin"}, {}], "images": [{"uri": "c.png"}]}"#;
        let glb = |kind: &[u8]| {
            let length = (json.len() as u32 + 2).to_le_bytes();
            let head = b"glTF\x02\0\0\0\0\0\0\0";
            [head, &length[..], kind, json.as_bytes(), b"\0\0\x01\0\0\0BIN\0\xff"].concat()
        };
        let found = |bytes: &[u8]| {
            let file = folder.0.join("model");
            fs::write(&file, bytes).unwrap();
            names(&file).unwrap_or_default()
        };
        let wanted = ["a%20b.bin", "c.png"];
        assert_eq!(found(json.as_bytes()), wanted);
        assert_eq!(found(format!("\u{feff}{json}").as_bytes()), wanted);
        assert_eq!(found(&glb(b"JSON")), wanted);
        for nothing in [&b""[..], b"glTF", b"{", b"[1, 2]", &glb(b"BIN\0"), br#"{"images": 3}"#] {
            assert!(found(nothing).is_empty(), "{nothing:?}");
        }
        assert!(names(&folder.0).unwrap().is_empty() && names(&folder.0.join("absent")).is_err());
    }
}
