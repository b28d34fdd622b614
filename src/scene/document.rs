//! What a file's own numbers became.

use super::extras::Extras;
use super::id::SceneNodeId;
use super::skin::Skin;
use crate::assets::RenderObjectId;
use std::sync::Arc;

/// The way from a document's indices to the content that a loader made of them, with what it kept of the document besides.
/// Empty for content that a program builds.
///
/// Images, textures and materials keep their indices, as do animations, so no list of ids is needed for them. What a loader
/// adds (a stand-in image, a default material) comes after the document's own, whose number [`counts`](Self::counts) has.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct DocumentMap {
    /// How many of each kind it has.
    pub counts: DocumentCounts,
    /// The extensions that it declares, then those that it uses undeclared; each once.
    pub extensions: Vec<DocumentExtension>,
    /// The names of all its scenes, imported or not; empty where one has none.
    pub scenes: Vec<String>,
    /// Which of them was imported.
    pub scene: Option<usize>,
    /// For each of its nodes the node of the scene; `None` where it belongs to another scene. A removed node's id finds
    /// nothing.
    pub nodes: Vec<Option<SceneNodeId>>,
    /// For each of its meshes and primitives what is drawn where no variant says otherwise; `None` where there is nothing
    /// to draw.
    pub primitives: Vec<Vec<Option<RenderObjectId>>>,
    /// For each of its images the file that the pixels were decoded from; `None` where a white pixel stands in.
    pub images: Vec<Option<ImageFile>>,
    /// The files that it was read from besides its own: those of buffers, then of images, in the order of the document, each
    /// once. A name is relative to the document, with percent escapes decoded and otherwise as the document spells it.
    /// Files that could not be had are here too where a load went on without them, for they may come to be; a name that the
    /// resolver refused (one that leads out of its root) is not. Neither are images that nothing uses, which are not read.
    pub resources: Vec<String>,
    /// Its skins, worn or not.
    pub skins: Vec<Arc<Skin>>,
    /// What its author's tools kept in it for themselves.
    pub extras: Extras,
}

/// How many of each kind a document has, used or not, imported or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub struct DocumentCounts {
    /// Scenes.
    pub scenes: usize,
    /// Nodes.
    pub nodes: usize,
    /// Meshes.
    pub meshes: usize,
    /// Primitives of all meshes together.
    pub primitives: usize,
    /// Materials.
    pub materials: usize,
    /// Textures.
    pub textures: usize,
    /// Images.
    pub images: usize,
    /// Samplers of textures.
    pub samplers: usize,
    /// Accessors.
    pub accessors: usize,
    /// Buffer views.
    pub buffer_views: usize,
    /// Buffers.
    pub buffers: usize,
    /// Animations.
    pub animations: usize,
    /// Skins.
    pub skins: usize,
    /// Cameras.
    pub cameras: usize,
}

/// An extension that a document declares or uses.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DocumentExtension {
    /// Its name, as the document spells it.
    pub name: String,
    /// Whether the document says that it cannot be understood without.
    pub required: bool,
    /// What became of it.
    pub state: ExtensionState,
}

/// What became of an extension. A document that requires one which is not read is not loaded at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExtensionState {
    /// What it adds is in the content, and in its picture. Single parts of it may still be in the report.
    Drawn,
    /// It is not read, or not drawn; the report says so where that makes a difference.
    Reported,
}

/// The file that an image was decoded from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ImageFile {
    /// Its format by its first bytes: "PNG", "JPEG", "WebP" or "KTX2".
    pub format: &'static str,
    /// Its length.
    pub bytes: u64,
}
