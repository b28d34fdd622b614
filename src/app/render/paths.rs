//! Where pictures go.

use crate::app::destination::location;
use crate::app::error::AppError;
use crate::app::output::printable;
use std::collections::HashMap;
use std::path::{Path, PathBuf, is_separator};

/// How pictures are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A file for each picture.
    Png,
    /// A file for each sequence.
    Apng,
    /// A file for each sequence, of 256 colors a picture.
    Gif,
    /// Rows of red, green, blue and alpha, from the top, on standard output.
    Raw,
}

/// More folders would not fit below a picture.
const MOST_FOLDERS: usize = 3;

/// A part of a file's name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Name,
    Index,
    Frame,
}

/// The name of pictures, with places for what they show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    pieces: Vec<Piece>,
    /// How pictures are written.
    pub format: Format,
    /// Digits of the largest index.
    index_digits: usize,
}

impl Pattern {
    /// Reads what follows `--output`, for that many models and for stills or sequences.
    ///
    /// # Errors
    /// [`AppError::Usage`].
    pub fn new(output: &Path, models: usize, is_sequence: bool) -> Result<Self, AppError> {
        let usage = |text: String| {
            AppError::Usage(format!("--output {}: {text}", printable(&output.to_string_lossy())))
        };
        let text = output.to_str().ok_or_else(|| usage("the name is not Unicode".to_owned()))?;
        let index_digits = models.saturating_sub(1).to_string().len();
        if text == "-" {
            return Ok(Self { pieces: Vec::new(), format: Format::Raw, index_digits });
        }
        let ending = output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let format = match ending.to_ascii_lowercase().as_str() {
            "png" => Format::Png,
            "apng" => Format::Apng,
            "gif" => Format::Gif,
            _ => {
                return Err(usage(
                    "name a file that ends in .png, .apng or .gif, or write - for raw frames".to_owned(),
                ));
            }
        };
        let mut pieces = pieces(text).map_err(usage)?;
        let has = |pieces: &[Piece], piece: &Piece| pieces.contains(piece);
        if models > 1 && !has(&pieces, &Piece::Name) && !has(&pieces, &Piece::Index) {
            return Err(usage(format!(
                "{models} models need {{name}} or {{index}} in it, such as {{name}}.{ending}"
            )));
        }
        if has(&pieces, &Piece::Frame) && format != Format::Png {
            return Err(usage(format!("all frames are in one .{ending} file: leave {{frame}} out")));
        }
        if format == Format::Png && is_sequence && !has(&pieces, &Piece::Frame) {
            number_frames(&mut pieces, ending.len() + 1);
        }
        Ok(Self { pieces, format, index_digits })
    }

    /// The file of a model's picture. Empty for standard output.
    pub fn file(&self, model: &Path, index: usize, frame: u32) -> PathBuf {
        self.filled(&self.pieces, model, index, frame).into()
    }

    /// The folder in which names have the number of a model's picture in them: those of files, or of folders above them.
    /// `None` if none has.
    pub fn numbered_in(&self, model: &Path, index: usize) -> Option<PathBuf> {
        let first = self.pieces.iter().position(|piece| *piece == Piece::Frame)?;
        let before = self.filled(&self.pieces[..first], model, index, 0);
        Some(match before.rfind(is_separator) {
            Some(end) => before[..=end].into(),
            None => ".".into(),
        })
    }

    fn filled(&self, pieces: &[Piece], model: &Path, index: usize, frame: u32) -> String {
        let mut name = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => name += text,
                Piece::Name => name += &stem(model),
                Piece::Index => name += &format!("{index:0digits$}", digits = self.index_digits),
                Piece::Frame => name += &format!("{frame:04}"),
            }
        }
        name
    }

    /// The first file of each model, which no other model may have.
    ///
    /// # Errors
    /// [`AppError::Usage`] names two models for one file.
    pub fn files(&self, models: &[PathBuf]) -> Result<Vec<PathBuf>, AppError> {
        if self.format == Format::Raw {
            return Ok(Vec::new());
        }
        let files: Vec<PathBuf> =
            models.iter().enumerate().map(|(index, model)| self.file(model, index, 0)).collect();
        let mut first = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            if let Some(other) = first.insert(location(file), index) {
                let [one, other, file] =
                    [&models[other], &models[index], file].map(|path| printable(&path.to_string_lossy()));
                return Err(AppError::Usage(format!(
                    "{one} and {other} would both be written to {file}: put {{index}} into --output"
                )));
            }
        }
        Ok(files)
    }
}

/// A model's file name without its ending.
pub fn stem(model: &Path) -> String {
    model.file_stem().unwrap_or(model.as_os_str()).to_string_lossy().into_owned()
}

/// What each model is called where the models are told apart: its file name without the ending, and then, as a name that is
/// too long is cut at its end, as many of the folders above it as it takes. Those of one folder keep their endings.
pub fn labels(models: &[PathBuf]) -> Vec<String> {
    let mut labels: Vec<String> = models.iter().map(|model| stem(model)).collect();
    let places: Vec<PathBuf> = models.iter().map(|model| location(model)).collect();
    for folders in 0..=MOST_FOLDERS {
        let mut models_of: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, label) in labels.iter().enumerate() {
            models_of.entry(label).or_default().push(index);
        }
        let shared = models_of.into_values().filter(|models| {
            // One file that is given twice is one model.
            models.iter().any(|&model| places[model] != places[models[0]])
        });
        let shared: Vec<usize> = shared.flatten().collect();
        for model in shared {
            let place = &places[model];
            let parents = place.parent().into_iter().flat_map(Path::components).rev();
            let parents = parents.take(folders.min(MOST_FOLDERS - 1) + 1);
            let mut parts: Vec<String> =
                parents.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            parts.reverse();
            let name = match folders {
                MOST_FOLDERS => place.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                _ => stem(&models[model]),
            };
            labels[model] = format!("{name} {}", parts.join("/"));
        }
    }
    labels
}

fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        if let Some(after) = after.strip_prefix('{') {
            pieces.push(Piece::Text(format!("{before}{{")));
            rest = after;
            continue;
        }
        let (word, after) =
            after.split_once('}').ok_or("a { is not closed; {{ stands for the character itself")?;
        pieces.push(Piece::Text(before.to_owned()));
        pieces.push(match word {
            "name" => Piece::Name,
            "index" => Piece::Index,
            "frame" => Piece::Frame,
            _ => {
                return Err(format!(
                    "{{{word}}} means nothing; there are {{name}}, {{index}} and {{frame}}, and {{{{ for {{ itself"
                ));
            }
        });
        rest = after;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    Ok(pieces)
}

/// Puts the frame's number before the ending, which has so many bytes with its dot.
fn number_frames(pieces: &mut Vec<Piece>, ending: usize) {
    // A pattern ends with text, and its ending is that of the file.
    let Some(Piece::Text(last)) = pieces.pop() else { return };
    let (before, ending) = last.split_at(last.len().saturating_sub(ending));
    pieces.extend([Piece::Text(format!("{before}_")), Piece::Frame, Piece::Text(ending.to_owned())]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(pattern: &str, models: usize, is_sequence: bool) -> Result<String, String> {
        let pattern =
            Pattern::new(Path::new(pattern), models, is_sequence).map_err(|error| error.to_string())?;
        Ok(pattern.file(Path::new("a/Fox.v2.glb"), 7, 3).to_str().unwrap().to_owned())
    }

    #[test]
    fn names_are_filled_in() {
        assert_eq!(named("out.png", 1, false).unwrap(), "out.png");
        assert_eq!(named("t/{name}.png", 2, false).unwrap(), "t/Fox.v2.png");
        assert_eq!(named("{index}-{name}.PNG", 101, false).unwrap(), "007-Fox.v2.PNG");
        assert_eq!(named("out.png", 1, true).unwrap(), "out_0003.png");
        assert_eq!(named("{name}.png", 2, true).unwrap(), "Fox.v2_0003.png");
        assert_eq!(named("f{frame}/é.png", 1, true).unwrap(), "f0003/é.png");
        assert_eq!(named("{name}.gif", 2, true).unwrap(), "Fox.v2.gif");
        assert_eq!(named("a.apng", 1, false).unwrap(), "a.apng");
        assert_eq!(named("-", 5, true).unwrap(), "");
        assert_eq!(named("{{a}{{{name}}.png", 1, true).unwrap(), "{a}{Fox.v2}_0003.png");
    }

    #[test]
    fn numbers_stand_in_the_first_folder_that_has_them() {
        let folder = |pattern: &str| {
            let pattern = Pattern::new(Path::new(pattern), 1, true).unwrap();
            pattern.numbered_in(Path::new("a/Fox.glb"), 0)
        };
        let named = |folder: &str| Some(PathBuf::from(folder));
        assert_eq!(folder("out.png"), named("."));
        assert_eq!(folder("a/{name}/x{frame}.png"), named("a/Fox/"));
        assert_eq!(folder("a/b{frame}/{frame}/c.png"), named("a/"));
        assert_eq!(folder("/{frame}.png"), named("/"));
        assert_eq!(folder("{name}.gif"), None);
    }

    #[test]
    fn names_that_cannot_be_are_refused() {
        for (pattern, models, part) in [
            ("out", 1, ".apng"),
            ("out.jpg", 1, ".apng"),
            (".png", 1, ".apng"),
            ("", 1, ".apng"),
            ("out.png", 2, "{name}"),
            ("{frame}.png", 2, "{name}"),
            ("{frame}.gif", 1, "leave {frame} out"),
            ("{model}.png", 1, "{model} means nothing"),
            ("{name.png", 1, "not closed"),
        ] {
            let error = named(pattern, models, false).unwrap_err();
            assert!(error.contains(part), "{pattern}: {error}");
        }
    }

    #[test]
    fn models_of_one_name_are_told_apart_by_their_folders() {
        let labeled = |models: &[&str]| labels(&models.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(labeled(&["a/Box.gltf", "b/Fox.glb"]), ["Box", "Fox"]);
        assert_eq!(labeled(&["a/Box.gltf", "b/Box.glb", "b/Fox.glb"]), ["Box a", "Box b", "Fox"]);
        assert_eq!(labeled(&["a/x/Box.glb", "b/x/Box.glb", "c/Box.glb"]), ["Box a/x", "Box b/x", "Box c"]);
        assert_eq!(labeled(&["a/Box.glb", "a/Box.glb"]), ["Box", "Box"], "one file");
        assert_eq!(labeled(&["a/Box.gltf", "a/Box.glb"]), ["Box.gltf a", "Box.glb a"]);
    }

    #[test]
    fn two_models_never_share_a_file() {
        let models = ["a/Box.gltf", "b/Cube.gltf", "b/Box.glb"].map(PathBuf::from);
        let files = |pattern| Pattern::new(Path::new(pattern), 3, false).unwrap().files(&models);
        // However the folder is called.
        let files_of =
            |models: &[PathBuf]| Pattern::new(Path::new("{name}/../a.png"), 2, false).unwrap().files(models);
        assert!(files_of(&["src/x.glb", "tests/y.glb"].map(PathBuf::from)).is_ok(), "no such folders");
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/{name}/../a.png");
        let here = Pattern::new(Path::new(here), 2, false).unwrap();
        assert!(here.files(&["src.glb", "tests.glb"].map(PathBuf::from)).is_err());
        let error = files("{name}.png").unwrap_err().to_string();
        assert!(error.contains("a/Box.gltf and b/Box.glb") && error.contains("{index}"), "{error}");
        assert_eq!(files("{index}.png").unwrap(), ["0.png", "1.png", "2.png"].map(PathBuf::from));
        assert!(files("-").unwrap().is_empty());
    }
}
