//! From the checked hierarchy to a scene.

use super::LoadError;
use super::accessor::Accessors;
use super::document::Node;
use super::hierarchy::{Hierarchy, Local};
use super::instances::Instances;
use super::mesh::{Drawn, Meshes, node_weights};
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::support::INSTANCING;
use super::text::Lazy;
use super::{light, skin, variants};
use crate::math::Transform;
use crate::scene::{Light, Scene, SceneError, SceneNodeId, Skin};
use std::sync::Arc;

/// What a primitive's own node is called below an unnamed source node.
const PRIMITIVE_NAME: &str = "Imported primitive";

/// What the document's nodes and skins became.
pub(super) struct Built {
    pub scene: Scene,
    /// The scene's node for each of the document's, where it was imported.
    pub nodes: Vec<Option<SceneNodeId>>,
    pub skins: Vec<Arc<Skin>>,
}

/// Builds the scene.
pub(super) fn build(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    hierarchy: &Hierarchy,
    meshes: &Meshes,
    report: &mut LoadReport,
) -> Result<Built, LoadError> {
    let json = source.json;
    let lights = light::import(source, report);
    let mut builder = Builder {
        source,
        accessors,
        hierarchy,
        meshes,
        scene: Scene::new(),
        ids: vec![None; json.nodes.len()],
        camera_names: json.cameras.iter().map(|camera| shared(camera.name.as_deref())).collect(),
        camera_used: vec![false; json.cameras.len()],
        light_names: light::list(source).iter().map(|light| shared(light.name.as_deref())).collect(),
        light_used: vec![false; lights.len()],
        lights,
        count: 0,
        unnamed: PRIMITIVE_NAME.into(),
    };
    for variant in variants::list(source) {
        builder.scene.add_variant(&variant.name);
    }
    for &(index, parent) in &hierarchy.order {
        builder.add(index, parent, report)?;
    }
    builder.report_unused(report);
    let Builder { mut scene, ids: nodes, .. } = builder;
    let skins = skin::import(source, accessors, meshes, (&mut scene, &nodes), report)?;
    scene.update_world_transforms();
    Ok(Built { scene, nodes, skins })
}

struct Builder<'a> {
    source: &'a Source<'a>,
    accessors: &'a Accessors<'a>,
    hierarchy: &'a Hierarchy,
    meshes: &'a Meshes,
    /// Any number of nodes may carry one camera or light, and its name.
    camera_names: Vec<Option<Arc<str>>>,
    lights: Vec<Option<Light>>,
    light_names: Vec<Option<Arc<str>>>,
    scene: Scene,
    /// For each of the document's nodes.
    ids: Vec<Option<SceneNodeId>>,
    camera_used: Vec<bool>,
    light_used: Vec<bool>,
    /// Nodes of the scene, as far as they are known.
    count: u64,
    unnamed: Arc<str>,
}

impl<'a> Builder<'a> {
    /// Adds a node, then one for each primitive of its mesh, or for each instance with its primitives.
    fn add(&mut self, index: usize, parent: Option<usize>, report: &mut LoadReport) -> Result<(), LoadError> {
        let (source, meshes) = (self.source, self.meshes);
        let node = &source.json.nodes[index];
        let objects = node.mesh.map_or(&[][..], |mesh| meshes.objects[mesh.index()].as_slice());
        let instances = self.instances(node, index, report)?;
        let drawn = match &instances {
            Some(instances) => (instances.count as u64).saturating_mul(1 + objects.len() as u64),
            None => objects.len() as u64,
        };
        self.count = self.count.saturating_add(1).saturating_add(drawn);
        let path = Lazy(|| path(index));
        source.check("the number of nodes", self.count, source.limits.nodes as u64, "nodes", path)?;
        let transforms = match &instances {
            Some(instances) => Some(instances.transforms(source, self.accessors, report)?),
            None => None,
        };
        let weights = match node.mesh.map_or(0, |mesh| meshes.targets[mesh.index()]) {
            0 => Vec::new(),
            targets => node_weights(source, node, targets, path)?,
        };
        self.place(index, node, parent, objects, transforms.as_deref(), &weights).map_err(|cause| {
            LoadError::Node { file: source.file.to_owned(), json_path: path.to_string(), cause }
        })
    }

    /// The node with what it carries, and the nodes that draw its mesh.
    fn place(
        &mut self,
        index: usize,
        node: &Node,
        parent: Option<usize>,
        objects: &[Drawn],
        instances: Option<&[Transform]>,
        weights: &[f32],
    ) -> Result<(), SceneError> {
        // A node and its primitives share one copy of the name, however many they are.
        let name = shared(node.name.as_deref());
        // Pre-order: a parent has its id before its children are met.
        let parent = parent.and_then(|parent| self.ids[parent]);
        let mut edit = self.scene.add_node(parent, name.clone())?;
        match self.hierarchy.locals[index] {
            Local::Trs(transform) => edit.set_transform(transform),
            Local::Matrix(matrix) => edit.set_matrix(matrix),
        }?;
        edit.set_weights(weights)?;
        if let Some(camera) = node.camera {
            edit.set_camera(self.hierarchy.cameras[camera.index()]);
            edit.share_camera_name(self.camera_names[camera.index()].clone());
            self.camera_used[camera.index()] = true;
        }
        if let Some(carried) = node.extensions.as_ref().and_then(|e| e.light.as_ref()) {
            let light = carried.light.index();
            // Checked when it was imported, where a bad one was left out.
            if edit.set_light(self.lights[light]).is_ok() {
                edit.share_light_name(self.light_names[light].clone());
            }
            self.light_used[light] = true;
        }
        let id = edit.as_node_ref().id();
        self.ids[index] = Some(id);
        let name = name.unwrap_or_else(|| Arc::clone(&self.unnamed));
        let deformer = (node.skin.is_some() || !weights.is_empty()).then_some(id);
        let primitives = Primitives { objects, name: &name, deformer };
        let Some(instances) = instances else { return primitives.add(&mut self.scene, id) };
        instances.iter().try_for_each(|&transform| {
            let mut instance = self.scene.add_node(Some(id), Some(Arc::clone(&name)))?;
            instance.set_transform(transform)?;
            let instance = instance.as_node_ref().id();
            primitives.add(&mut self.scene, instance)
        })
    }

    fn instances(
        &self,
        node: &Node,
        index: usize,
        report: &mut LoadReport,
    ) -> Result<Option<Instances<'a>>, LoadError> {
        let Some(instancing) = node.extensions.as_ref().and_then(|e| e.instancing.as_ref()) else {
            return Ok(None);
        };
        let extension = Lazy(|| format!("{}.extensions.{INSTANCING}", path(index)));
        if node.mesh.is_none() {
            let message = "the node has no mesh, so there is nothing to draw several times";
            report.ignored(Severity::Warning, extension, message);
            return Ok(None);
        }
        if node.skin.is_some() {
            report.ignored(Severity::Warning, extension, "its instances do not follow the node's skin");
        }
        Instances::new(self.source, self.accessors, instancing, index, report).map(Some)
    }

    fn report_unused(&self, report: &mut LoadReport) {
        let unused = "no node of the imported scene uses it";
        for (index, _) in self.camera_used.iter().enumerate().filter(|(_, used)| !**used) {
            report.ignored(Severity::Info, format_args!("cameras[{index}]"), unused);
        }
        for (index, (light, used)) in self.lights.iter().zip(&self.light_used).enumerate() {
            match (light, used) {
                (_, false) => report.ignored(Severity::Info, light::path(index), unused),
                (Some(_), true) => {
                    let message = "it is on its nodes and listed, but lighting is not drawn yet";
                    report.ignored(Severity::Warning, light::path(index), message);
                }
                (None, true) => {}
            }
        }
    }
}

fn shared(name: Option<&str>) -> Option<Arc<str>> {
    name.filter(|name| !name.is_empty()).map(Into::into)
}

fn path(index: usize) -> String {
    format!("nodes[{index}]")
}

/// What is drawn of a mesh at one node.
struct Primitives<'a> {
    objects: &'a [Drawn],
    name: &'a Arc<str>,
    /// The source node, if its skin or weights deform the mesh.
    deformer: Option<SceneNodeId>,
}

impl Primitives<'_> {
    /// Adds an identity child for each primitive.
    fn add(&self, scene: &mut Scene, parent: SceneNodeId) -> Result<(), SceneError> {
        self.objects.iter().try_for_each(|drawn| {
            let mut child = scene.add_node(Some(parent), Some(Arc::clone(self.name)))?;
            child.set_render_object(Some(drawn.object));
            if self.deformer.is_some() {
                child.set_deformer(self.deformer)?;
            }
            child.set_variants(drawn.variants.clone())
        })
    }
}
