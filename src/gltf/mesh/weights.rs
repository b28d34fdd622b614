//! Weights of morph targets, in meshes and nodes.

use crate::gltf::LoadError;
use crate::gltf::document::{Mesh, Whole};
use crate::gltf::report::{LoadReport, NoteKind, Severity};
use crate::gltf::source::Source;
use crate::gltf::text::Lazy;
use std::fmt::Display;

/// The most targets that a primitive of the mesh has; all should have as many.
fn targets(mesh: &Mesh) -> usize {
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
    if weights.iter().take(most).any(|&weight| weight != 0.0) {
        not_applied(path, report);
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

/// Says where a node has weights of its own for its mesh.
pub(super) fn report_node_weights(source: &Source<'_>, report: &mut LoadReport) -> Result<(), LoadError> {
    let mut counts: Vec<Option<usize>> = vec![None; source.json.meshes.len()];
    for (index, node) in source.json.nodes.iter().enumerate() {
        let Some(weights) = &node.weights else { continue };
        let path = Lazy(|| format!("nodes[{index}].weights"));
        check_finite(source, weights, &path)?;
        let mesh = node.mesh.map(Whole::index);
        // Counted once a mesh, since all nodes may share one of many primitives.
        let count = mesh.and_then(|mesh| Some((counts.get_mut(mesh)?, source.json.meshes.get(mesh)?)));
        let targets = count.map_or(0, |(count, mesh)| *count.get_or_insert_with(|| targets(mesh)));
        if weights.len() != targets {
            let message = format!("{} weights for the {targets} morph targets of its mesh", weights.len());
            report.ignored(Severity::Warning, path, message);
        }
        if weights.iter().take(targets).any(|&weight| weight != 0.0) {
            not_applied(path, report);
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

fn not_applied(path: impl Display, report: &mut LoadReport) {
    let message = "morph targets are not applied yet; drawn undeformed";
    report.note(Severity::Warning, NoteKind::Ignored, path, message);
}
