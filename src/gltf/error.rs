//! Why a file was not loaded.

use super::ResolveError;
use crate::animation::AnimationError;
use crate::scene::{ContentError, SceneError};

/// Writes `: path` after a file's name, or nothing for the document as a whole.
fn at(json_path: &str) -> String {
    if json_path.is_empty() { String::new() } else { format!(": {json_path}") }
}

/// Why a document was refused. Nothing of it is returned then.
///
/// Each message names the file, the place in its JSON (written `meshes[3].primitives[0]`), the reason and the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The document itself could not be read.
    #[error("could not read {file}: {source}")]
    Read {
        /// The document.
        file: String,
        /// Why not.
        source: ResolveError,
    },
    /// The bytes are not a whole GLB container.
    #[error("could not parse {file}: {reason}; export the file again or copy it completely")]
    Container {
        /// The document.
        file: String,
        /// What is wrong with the container.
        reason: String,
    },
    /// The JSON is malformed, or a value in it has the wrong type.
    #[error("could not parse {file}{}: {reason}; correct the JSON or export the file again", at(json_path))]
    Json {
        /// The document.
        file: String,
        /// Where; empty if the JSON itself is malformed.
        json_path: String,
        /// What the parser found, with line and column.
        reason: String,
    },
    /// The document asks for another version of glTF.
    #[error("could not parse {file}: {json_path}: {reason}; export the file as glTF 2.0")]
    Version {
        /// The document.
        file: String,
        /// `asset.version` or `asset.minVersion`.
        json_path: String,
        /// What was found.
        reason: String,
    },
    /// The document requires extensions that this loader does not have.
    #[error(
        "unsupported glTF data: {file}: extensionsRequired: {}; export the file without {}",
        names.join(", "),
        if names.len() == 1 { "it" } else { "them" }
    )]
    RequiredExtensions {
        /// The document.
        file: String,
        /// Every one of them, in the file's order.
        names: Vec<String>,
    },
    /// A part of the document is understood and cannot be drawn or played correctly.
    #[error("unsupported glTF data: {file}{}: {reason}", at(json_path))]
    Unsupported {
        /// The document.
        file: String,
        /// Where.
        json_path: String,
        /// What it is, and what to do.
        reason: String,
    },
    /// A part of the document breaks a rule of glTF.
    #[error("invalid glTF data: {file}{}: {reason}", at(json_path))]
    Invalid {
        /// The document.
        file: String,
        /// Where.
        json_path: String,
        /// Which rule, and what to do.
        reason: String,
    },
    /// A file that the document refers to could not be read.
    #[error("could not read a file of {file}: {json_path}: \"{uri}\": {source}")]
    Resource {
        /// The document.
        file: String,
        /// What refers to it.
        json_path: String,
        /// Its name as written in the document, shortened if it is long.
        uri: String,
        /// Why not.
        source: ResolveError,
    },
    /// An image could not be decoded.
    #[error("could not decode an image of {file}: {json_path}: {reason}")]
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
    /// A clip breaks a rule of [`crate::animation::Animation::new`].
    #[error("invalid glTF data: {file}: {json_path}: {source}")]
    Animation {
        /// The document.
        file: String,
        /// Which animation.
        json_path: String,
        /// Which rule.
        source: AnimationError,
    },
    /// A node cannot be placed in a scene.
    #[error("invalid glTF data: {file}: {json_path}: {source}")]
    Node {
        /// The document.
        file: String,
        /// Which node.
        json_path: String,
        /// Which rule.
        source: SceneError,
    },
    /// What was imported breaks a rule of [`crate::scene::Content::validate`].
    #[error("invalid glTF data: {file}{}: {source}", at(json_path))]
    Content {
        /// The document.
        file: String,
        /// What the faulty object was made from; empty if it has no one place.
        json_path: String,
        /// Which rule.
        source: ContentError,
    },
}
