//! Nodes of the scene, with what they carry.

use fire_engine::assets::RenderObjectId;
use fire_engine::scene::{Content, LightKind, LocalTransform, NodeRef, Projection, SceneNodeId, Skin};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// A node of the document that is in the scene.
#[derive(Debug, Serialize)]
pub struct NodeFacts<'a> {
    /// Its number in the document.
    pub index: usize,
    pub name: &'a str,
    /// The number of the node above it.
    pub parent: Option<usize>,
    #[serde(skip)]
    pub depth: usize,
    #[serde(flatten)]
    pub transform: Placed,
    /// The number of the mesh that is drawn here, as far as there is something to draw.
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    /// How often the mesh is drawn, if the node has instances.
    pub instances: Option<usize>,
    pub camera: Option<CameraFacts<'a>>,
    pub light: Option<LightFacts<'a>>,
    /// Weights of morph targets, as posed.
    pub weights: &'a [f32],
}

/// A node's place relative to its parent, as posed.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Placed {
    Trs {
        translation: [f32; 3],
        rotation: [f32; 4],
        scale: [f32; 3],
    },
    /// Column by column.
    Matrix {
        matrix: [f32; 16],
    },
}

#[derive(Debug, Serialize)]
pub struct CameraFacts<'a> {
    /// What `--camera` takes: its place among the scene's nodes with a camera.
    pub number: usize,
    pub name: &'a str,
    #[serde(rename = "type")]
    pub kind: &'static str,
}

#[derive(Debug, Serialize)]
pub struct LightFacts<'a> {
    pub name: &'a str,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub color: [f32; 3],
    pub intensity: f32,
}

/// The scene's nodes that are the document's, parents before children.
pub fn nodes(content: &Content) -> Vec<NodeFacts<'_>> {
    let document = &content.document;
    let numbers = document.nodes.iter().enumerate();
    let numbers: HashMap<SceneNodeId, usize> = numbers.filter_map(|(i, id)| Some(((*id)?, i))).collect();
    let mesh_of = document
        .primitives
        .iter()
        .enumerate()
        .flat_map(|(mesh, primitives)| primitives.iter().flatten().map(move |&object| (object, mesh)));
    let mesh_of: HashMap<RenderObjectId, usize> = mesh_of.collect();
    let skins = document.skins.iter().enumerate();
    let skins: HashMap<*const Skin, usize> = skins.map(|(index, skin)| (Arc::as_ptr(skin), index)).collect();
    let cameras = content.scene.cameras().enumerate();
    let cameras: HashMap<SceneNodeId, usize> =
        cameras.map(|(number, (node, _))| (node.id(), number)).collect();
    let mut depths = vec![0; document.nodes.len()];
    let mut facts = Vec::new();
    for node in content.scene.nodes() {
        let Some(&index) = numbers.get(&node.id()) else { continue };
        let parent = node.parent().and_then(|parent| numbers.get(&parent.id()).copied());
        depths[index] = parent.map_or(0, |parent| depths[parent] + 1);
        let Drawn { mesh, instances } = Drawn::at(node, &numbers, &mesh_of);
        facts.push(NodeFacts {
            index,
            name: node.name(),
            parent,
            depth: depths[index],
            transform: placed(node.local()),
            mesh,
            skin: node.skin().and_then(|skin| skins.get(&Arc::as_ptr(skin)).copied()),
            instances,
            camera: node.camera().and_then(|camera| {
                let number = *cameras.get(&node.id())?;
                Some(CameraFacts { number, name: node.camera_name(), kind: kind(&camera) })
            }),
            light: node.light().map(|light| LightFacts {
                name: node.light_name(),
                kind: match light.kind {
                    LightKind::Directional => "directional",
                    LightKind::Point { .. } => "point",
                    LightKind::Spot { .. } => "spot",
                    _ => "other",
                },
                color: light.color.to_array(),
                intensity: light.intensity,
            }),
            weights: node.weights(),
        });
    }
    facts
}

fn placed(local: LocalTransform) -> Placed {
    match local {
        LocalTransform::Trs(trs) => Placed::Trs {
            translation: trs.translation.to_array(),
            rotation: trs.rotation.to_array(),
            scale: trs.scale.to_array(),
        },
        LocalTransform::Matrix(matrix) => Placed::Matrix { matrix: matrix.to_mat4().to_cols_array() },
    }
}

fn kind(camera: &Projection) -> &'static str {
    match camera {
        Projection::Perspective { .. } => "perspective",
        Projection::Orthographic { .. } => "orthographic",
    }
}

/// What the loader put below a node to draw its mesh: a node for each primitive, or for each instance with its primitives.
struct Drawn {
    mesh: Option<usize>,
    instances: Option<usize>,
}

impl Drawn {
    fn at(
        node: NodeRef<'_>,
        numbers: &HashMap<SceneNodeId, usize>,
        mesh_of: &HashMap<RenderObjectId, usize>,
    ) -> Self {
        let mesh = |node: NodeRef<'_>| node.default_object().and_then(|object| mesh_of.get(&object).copied());
        let mut drawn = Self { mesh: None, instances: None };
        for child in node.children().filter(|child| !numbers.contains_key(&child.id())) {
            if child.default_object().is_none() {
                *drawn.instances.get_or_insert(0) += 1;
            }
            if drawn.mesh.is_none() {
                drawn.mesh = mesh(child).or_else(|| child.children().find_map(mesh));
            }
        }
        drawn
    }
}
