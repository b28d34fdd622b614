//! Everything that is said of a file.

use super::clips::{ClipFacts, clips};
use super::memory::Memory;
use super::meshes::{MeshFacts, meshes};
use super::nodes::{NodeFacts, nodes};
use super::pose::{Pose, Reach};
use super::surfaces::{ImageFacts, MaterialFacts, images, materials};
use crate::app::error::AppError;
use fire_engine::gltf::{LoadNote, LoadReport};
use fire_engine::scene::{Content, DocumentCounts, ExtensionState};
use serde::Serialize;

/// The object that `--json` prints; the text is made from it too.
#[derive(Debug, Serialize)]
pub struct Facts<'a> {
    pub file: &'a str,
    /// The number of the scene that is looked at.
    pub scene: Option<usize>,
    /// The names of all scenes.
    pub scenes: &'a [String],
    pub counts: Counts,
    pub nodes: Vec<NodeFacts<'a>>,
    pub meshes: Vec<MeshFacts<'a>>,
    pub skins: Vec<SkinFacts<'a>>,
    pub clips: Vec<ClipFacts<'a>>,
    pub materials: Vec<MaterialFacts<'a>>,
    /// Names of the variants of materials.
    pub variants: Vec<&'a str>,
    pub images: Vec<ImageFacts<'a>>,
    pub extensions: Extensions<'a>,
    /// `None` at rest.
    pub pose: Option<Pose>,
    pub bounds: Reach,
    pub memory: Memory,
    pub report: Vec<Row<'a>>,
}

/// How many of each kind the document has, and how many of its nodes are in the scene.
#[derive(Debug, Serialize)]
pub struct Counts {
    pub scenes: usize,
    pub nodes: usize,
    pub meshes: usize,
    pub primitives: usize,
    pub materials: usize,
    pub textures: usize,
    pub images: usize,
    pub samplers: usize,
    pub accessors: usize,
    #[serde(rename = "bufferViews")]
    pub buffer_views: usize,
    pub buffers: usize,
    pub animations: usize,
    pub skins: usize,
    pub cameras: usize,
    pub scene_nodes: usize,
    pub scene_root_nodes: usize,
    /// A primitive of each mesh at each node, instances too.
    pub scene_draws: usize,
}

#[derive(Debug, Serialize)]
pub struct SkinFacts<'a> {
    pub index: usize,
    pub name: &'a str,
    pub joints: usize,
}

/// Names of the extensions that the document declares or uses, by what became of them.
#[derive(Debug, Serialize, Default)]
pub struct Extensions<'a> {
    pub drawn: Vec<&'a str>,
    pub reported: Vec<&'a str>,
    /// Those for which a file is refused.
    pub refused: Vec<&'a str>,
    /// Those of the drawn and the reported ones that the document requires.
    pub required: Vec<&'a str>,
}

/// A row of the load's report.
#[derive(Debug, Serialize)]
pub struct Row<'a> {
    pub severity: String,
    pub json_path: &'a str,
    pub kind: String,
    pub message: &'a str,
}

impl<'a> Facts<'a> {
    /// Gathers what there is to say of content in its present, resolved pose.
    ///
    /// # Errors
    /// As [`Memory::of`].
    pub fn new(
        file: &'a str,
        content: &'a Content,
        report: &'a LoadReport,
        pose: Option<Pose>,
    ) -> Result<Self, AppError> {
        let document = &content.document;
        let skins = document.skins.iter().enumerate();
        Ok(Self {
            file,
            scene: document.scene,
            scenes: &document.scenes,
            counts: Counts::of(content),
            nodes: nodes(content),
            meshes: meshes(content),
            skins: skins
                .map(|(index, skin)| SkinFacts { index, name: skin.name(), joints: skin.joints().len() })
                .collect(),
            clips: clips(content),
            materials: materials(content),
            variants: content.scene.variants().collect(),
            images: images(content),
            extensions: Extensions::of(content),
            pose,
            bounds: Reach::of(content),
            memory: Memory::of(content)?,
            report: report.iter().map(Row::new).collect(),
        })
    }
}

impl Counts {
    fn of(content: &Content) -> Self {
        let DocumentCounts {
            scenes,
            nodes,
            meshes,
            primitives,
            materials,
            textures,
            images,
            samplers,
            accessors,
            buffer_views,
            buffers,
            animations,
            skins,
            cameras,
            ..
        } = content.document.counts;
        Self {
            scenes,
            nodes,
            meshes,
            primitives,
            materials,
            textures,
            images,
            samplers,
            accessors,
            buffer_views,
            buffers,
            animations,
            skins,
            cameras,
            scene_nodes: content.document.nodes.iter().flatten().count(),
            scene_root_nodes: content.scene.roots().count(),
            scene_draws: content.scene.draw_items().count(),
        }
    }
}

impl<'a> Extensions<'a> {
    fn of(content: &'a Content) -> Self {
        let mut extensions = Self::default();
        for extension in &content.document.extensions {
            let name = extension.name.as_str();
            match extension.state {
                ExtensionState::Drawn => extensions.drawn.push(name),
                _ => extensions.reported.push(name),
            }
            if extension.required {
                extensions.required.push(name);
            }
        }
        extensions
    }
}

impl<'a> Row<'a> {
    fn new(note: &'a LoadNote) -> Self {
        let LoadNote { severity, json_path, kind, message, .. } = note;
        Self { severity: severity.to_string(), json_path, kind: kind.to_string(), message }
    }
}
