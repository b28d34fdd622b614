//! Why a file was not loaded.

use super::text::{plain, shown};
use super::{ResolveError, SceneChoice};
use crate::scene::{ContentError, SceneError};

/// Writes `: path` after a file's name, or nothing for the document as a whole.
fn at(json_path: &str) -> String {
    if json_path.is_empty() { String::new() } else { format!(": {}", plain(json_path)) }
}

/// What to do about required extensions.
fn without(names: &[String], features: &[&str], others: bool) -> String {
    let export = format!("export the file without {}", if names.len() == 1 { "it" } else { "them" });
    if features.is_empty() {
        return export;
    }
    let listed = features.iter().map(|feature| format!("\"{feature}\"")).collect::<Vec<_>>().join(", ");
    let turn_on = format!("turn on the crate feature{} {listed}", if features.len() == 1 { "" } else { "s" });
    if others {
        format!("{turn_on} and export the file without the others")
    } else {
        format!("{turn_on} or {export}")
    }
}

/// The scenes of a document by number and name.
fn listed(names: &[String]) -> String {
    let names: Vec<String> =
        names.iter().enumerate().map(|(index, name)| format!("{index} \"{}\"", shown(name))).collect();
    if names.is_empty() { "no scene".to_owned() } else { format!("scenes {}", names.join(", ")) }
}

/// Why a document was refused. Nothing of it is returned then.
///
/// Each message names the file, the place in its JSON (written `meshes[3].primitives[0]`), the reason and the remedy, in
/// one line, with control characters escaped and what is long cut. A message holds its cause's text, so
/// [`source`](std::error::Error::source) gives none: a printed chain says everything once. The cause itself is a field.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The document itself could not be read.
    #[error("could not read {file}: {cause}")]
    Read {
        /// The document.
        file: String,
        /// Why not.
        cause: ResolveError,
    },
    /// The bytes are not a whole GLB container, or there are none.
    #[error("could not parse {file}: {reason}; export the file again or copy it completely")]
    Container {
        /// The document.
        file: String,
        /// What is wrong with the container.
        reason: String,
    },
    /// The JSON is malformed, or a value in it has the wrong type.
    #[error(
        "could not parse {file}{}: {}; correct the JSON or export the file again",
        at(json_path),
        plain(reason)
    )]
    Json {
        /// The document.
        file: String,
        /// Where; empty if the JSON itself is malformed.
        json_path: String,
        /// What the parser found, with line and column.
        reason: String,
    },
    /// The file is neither a GLB nor JSON.
    #[error(
        "could not parse {file}: it seems to be {found}, and is neither a GLB nor JSON ({}); name a .glb or .gltf file, or \
         export the model as glTF 2.0",
        plain(reason)
    )]
    NotGltf {
        /// The file.
        file: String,
        /// What it seems to be.
        found: String,
        /// What the JSON parser found, with line and column.
        reason: String,
    },
    /// The document asks for another version of glTF, or is a GLB of another one.
    #[error("could not parse {file}{}: {}; export the file as glTF 2.0", at(json_path), plain(reason))]
    Version {
        /// The document.
        file: String,
        /// `asset.version` or `asset.minVersion`; empty if the GLB's header says it.
        json_path: String,
        /// What was found.
        reason: String,
    },
    /// The document requires extensions that this loader does not have.
    #[error(
        "unsupported glTF data: {file}: extensionsRequired: {}; {}",
        plain(names.join(", ")),
        without(names, features, *others)
    )]
    RequiredExtensions {
        /// The document.
        file: String,
        /// Every one of them, in the file's order.
        names: Vec<String>,
        /// Crate features, off in this build, that would support some of them.
        features: Vec<&'static str>,
        /// Whether some are supported by no feature.
        others: bool,
    },
    /// A part of the document is understood and cannot be drawn or played correctly.
    #[error("unsupported glTF data: {file}{}: {}", at(json_path), plain(reason))]
    Unsupported {
        /// The document.
        file: String,
        /// Where.
        json_path: String,
        /// What it is, and what to do.
        reason: String,
    },
    /// A part of the document breaks a rule of glTF.
    #[error("invalid glTF data: {file}{}: {}", at(json_path), plain(reason))]
    Invalid {
        /// The document.
        file: String,
        /// Where.
        json_path: String,
        /// Which rule, and what to do.
        reason: String,
    },
    /// [`LoadOptions::scene`](super::LoadOptions::scene) asks for a scene that the document does not have.
    #[error(
        "{file}: there is no {scene}: the document has {}; ask for one of them (LoadOptions::scene), or for none to take the \
         document's own choice",
        plain(listed(names))
    )]
    UnknownScene {
        /// The document.
        file: String,
        /// The scene asked for.
        scene: SceneChoice,
        /// The names of those that the document has; empty where one has none.
        names: Vec<String>,
    },
    /// A file that the document refers to could not be read.
    #[error("could not read a file of {file}{}: \"{uri}\": {cause}", at(json_path))]
    Resource {
        /// The document.
        file: String,
        /// What refers to it.
        json_path: String,
        /// Its name as written in the document, shortened if it is long.
        uri: String,
        /// Why not.
        cause: ResolveError,
    },
    /// An image could not be decoded.
    #[error("could not decode an image of {file}{}: {}", at(json_path), plain(reason))]
    Image {
        /// The document.
        file: String,
        /// Which image.
        json_path: String,
        /// What the decoder found, and what to do.
        reason: String,
    },
    /// The document exceeds one of the [limits](super::LoadLimits).
    #[error(
        "{file}{}: {what} is {actual}, above the limit of {limit}; raise LoadLimits::{field} if the file is to be trusted",
        at(json_path)
    )]
    Limit {
        /// The document.
        file: String,
        /// Where.
        json_path: String,
        /// What was measured.
        what: &'static str,
        /// How much there is, as far as was counted.
        actual: u64,
        /// How much is allowed.
        limit: u64,
        /// The limit's field.
        field: &'static str,
    },
    /// There is not enough memory for a part of the document that the limits admit.
    #[error("{file}{}: no memory for {bytes} bytes; lower the LoadLimits or free memory", at(json_path))]
    OutOfMemory {
        /// The document.
        file: String,
        /// What needs it.
        json_path: String,
        /// How much was asked for.
        bytes: u64,
    },
    /// [`LoadOptions::progress`](super::LoadOptions::progress) stopped the load.
    #[error("{file}: the load was canceled by LoadOptions::progress")]
    Canceled {
        /// The document.
        file: String,
    },
    /// A node cannot be placed in a scene.
    #[error("invalid glTF data: {file}{}: {}", at(json_path), plain(cause))]
    Node {
        /// The document.
        file: String,
        /// Which node.
        json_path: String,
        /// Which rule.
        cause: SceneError,
    },
    /// What was imported breaks a rule of [`crate::scene::Content::validate`].
    #[error("invalid glTF data: {file}{}: {}", at(json_path), plain(cause))]
    Content {
        /// The document.
        file: String,
        /// What the faulty object was made from; empty if it has no one place.
        json_path: String,
        /// Which rule.
        cause: ContentError,
    },
}
