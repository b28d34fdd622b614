//! Weights of morph targets, in meshes and nodes.

use crate::gltf::LoadError;
use crate::gltf::document::{Mesh, Node};
use crate::gltf::report::{LoadReport, Severity};
use crate::gltf::source::Source;
use crate::gltf::text::Lazy;
use std::fmt::Display;

/// The most targets that a primitive of the mesh has; all should have as many.
pub(super) fn targets(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0)
}

/// The weights that a mesh gives its targets, checked; empty if it gives none.
pub(super) fn default_weights<'a>(
    source: &Source<'_>,
    mesh: &'a Mesh,
    mesh_path: &dyn Display,
    report: &mut LoadReport,
) -> Result<&'a [f32], LoadError> {
    let most = targets(mesh);
    let least = mesh.primitives.iter().map(|primitive| primitive.targets.len()).min().unwrap_or(0);
    if least != most {
        let message = format!(
            "its primitives have {least} to {most} morph targets, where each should have as many; each takes the first \
             weights"
        );
        report.repaired(mesh_path, message);
    }
    let Some(weights) = &mesh.weights else { return Ok(&[]) };
    let path = Lazy(|| format!("{mesh_path}.weights"));
    check_finite(source, weights, &path)?;
    if weights.len() != most {
        let message = format!(
            "{} weights for {most} morph targets; missing ones are 0, others left out",
            weights.len()
        );
        report.repaired(path, message);
    }
    Ok(weights)
}

/// One weight a target: what there is of them, and zeros.
pub(super) fn fitted(
    source: &Source<'_>,
    weights: &[f32],
    targets: usize,
    path: &dyn Display,
) -> Result<Vec<f32>, LoadError> {
    let mut out: Vec<f32> = source.zeros(targets, path)?;
    for (weight, &given) in out.iter_mut().zip(weights) {
        *weight = given;
    }
    Ok(out)
}

/// The weights of a node whose mesh has so many targets: its own, or else the mesh's.
pub(in crate::gltf) fn node_weights(
    source: &Source<'_>,
    node: &Node,
    targets: usize,
    path: impl Display,
) -> Result<Vec<f32>, LoadError> {
    let mesh = node.mesh.and_then(|mesh| source.json.meshes.get(mesh.index()));
    let given = node.weights.as_ref().or(mesh.and_then(|mesh| mesh.weights.as_ref()));
    fitted(source, given.map_or(&[], Vec::as_slice), targets, &path)
}

/// Checks the weights that nodes have of their own for their meshes' targets, and says where they do not fit.
pub(super) fn report_node_weights(
    source: &Source<'_>,
    targets: &[usize],
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    for (index, node) in source.json.nodes.iter().enumerate() {
        let Some(weights) = &node.weights else { continue };
        let path = Lazy(|| format!("nodes[{index}].weights"));
        check_finite(source, weights, &path)?;
        let targets = node.mesh.and_then(|mesh| targets.get(mesh.index())).map_or(0, |&targets| targets);
        if weights.len() != targets {
            let message = format!("{} weights for the {targets} morph targets of its mesh", weights.len());
            report.ignored(Severity::Warning, path, message);
        }
    }
    Ok(())
}

fn check_finite(source: &Source<'_>, weights: &[f32], path: &dyn Display) -> Result<(), LoadError> {
    match weights.iter().position(|weight| !weight.is_finite()) {
        Some(at) => {
            Err(source.invalid(format_args!("{path}[{at}]"), "it is not a finite number; correct it"))
        }
        None => Ok(()),
    }
}
