//! What a file's own numbers became.

use super::extras::Extras;
use super::id::SceneNodeId;
use super::skin::Skin;
use crate::assets::RenderObjectId;
use std::sync::Arc;

/// The way from a document's indices to the content that a loader made of them, with what it kept of the document besides.
/// Empty for content that a program builds.
///
/// Images, textures and materials keep their indices, as do animations, so no list is needed for them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DocumentMap {
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
    /// Its skins, worn or not.
    pub skins: Vec<Arc<Skin>>,
    /// What its author's tools kept in it for themselves.
    pub extras: Extras,
}
