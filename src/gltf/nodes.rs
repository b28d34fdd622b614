//! From the checked hierarchy to a scene.

use super::LoadError;
use super::hierarchy::{Hierarchy, Local};
use super::mesh::Meshes;
use super::report::{LoadReport, Severity};
use super::source::Source;
use crate::scene::{Scene, SceneError, SceneNodeId};
use std::sync::Arc;

/// What a primitive's own node is called below an unnamed source node.
const PRIMITIVE_NAME: &str = "Imported primitive";

/// Builds the scene; also returns the scene's node for each of the document's, where it was imported.
pub(super) fn build(
    source: &Source<'_>,
    hierarchy: &Hierarchy,
    meshes: &Meshes,
    report: &mut LoadReport,
) -> Result<(Scene, Vec<Option<SceneNodeId>>), LoadError> {
    let json = source.json;
    let mut scene = Scene::new();
    let mut ids: Vec<Option<SceneNodeId>> = vec![None; json.nodes.len()];
    let mut camera_used = vec![false; json.cameras.len()];
    let mut count = 0_u64;
    let unnamed: Arc<str> = PRIMITIVE_NAME.into();
    for &(index, parent) in &hierarchy.order {
        let node = &json.nodes[index];
        let objects = node.mesh.map_or(&[][..], |mesh| meshes.objects[mesh.index()].as_slice());
        count += 1 + objects.len() as u64;
        if count > source.limits.nodes as u64 {
            let limit = source.limits.nodes as u64;
            source.check("the number of nodes", count, limit, "nodes", &format!("nodes[{index}]"))?;
        }
        let fault = |error: SceneError| LoadError::Node {
            file: source.file.to_owned(),
            json_path: format!("nodes[{index}]"),
            cause: error,
        };
        // A node and its primitives share one copy of the name, however many they are.
        let name: Option<Arc<str>> = node.name.as_deref().filter(|name| !name.is_empty()).map(Into::into);
        // Pre-order: a parent has its id before its children are met.
        let parent = parent.and_then(|parent| ids[parent]);
        let mut edit = scene.add_node(parent, name.clone()).map_err(fault)?;
        match hierarchy.locals[index] {
            Local::Trs(transform) => edit.set_transform(transform),
            Local::Matrix(matrix) => edit.set_matrix(matrix),
        }
        .map_err(fault)?;
        if let Some(camera) = node.camera {
            edit.set_camera(hierarchy.cameras[camera.index()]);
            camera_used[camera.index()] = true;
        }
        let id = edit.as_ref().id();
        ids[index] = Some(id);
        let child_name = name.unwrap_or_else(|| Arc::clone(&unnamed));
        for &object in objects {
            let mut child = scene.add_node(Some(id), Some(Arc::clone(&child_name))).map_err(fault)?;
            child.set_render_object(Some(object));
        }
        if node.extensions.as_ref().is_some_and(|e| e.instancing.is_some()) {
            let path = format!("nodes[{index}].extensions.EXT_mesh_gpu_instancing");
            report.ignored(Severity::Warning, path, "instances are not drawn; the mesh is drawn once");
        }
    }
    for (index, _) in camera_used.iter().enumerate().filter(|(_, used)| !**used) {
        report.ignored(Severity::Info, format!("cameras[{index}]"), "no node of the imported scene uses it");
    }
    for (index, skin) in json.skins.iter().enumerate() {
        let message = format!("its {} joints move no vertex; meshes are drawn unskinned", skin.joints.len());
        report.ignored(Severity::Warning, format!("skins[{index}]"), message);
    }
    scene.update_world_transforms();
    Ok((scene, ids))
}
