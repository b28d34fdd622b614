//! Weights of morph targets, in meshes and nodes.

use crate::gltf::LoadError;
use crate::gltf::document::Mesh;
use crate::gltf::report::{LoadReport, NoteKind, Severity};
use crate::gltf::source::Source;

/// The weights that a mesh gives its targets, checked; empty if it gives none.
pub(super) fn default_weights<'a>(
    source: &Source<'_>,
    mesh: &'a Mesh,
    path: &str,
    report: &mut LoadReport,
) -> Result<&'a [f32], LoadError> {
    let weights = mesh.weights.as_deref().unwrap_or_default();
    let path = format!("{path}.weights");
    check_finite(source, weights, &path)?;
    let targets = || mesh.primitives.iter().map(|primitive| primitive.targets.len());
    let (least, most) = (targets().min().unwrap_or(0), targets().max().unwrap_or(0));
    if least != most {
        let message = format!(
            "its primitives have {least} to {most} morph targets, where each should have as many; weights that one lacks \
             are 0"
        );
        report.repaired(path.trim_end_matches(".weights"), message);
    }
    if mesh.weights.is_some() && weights.len() != most {
        let message = format!(
            "{} weights for {most} morph targets; missing ones are 0, others left out",
            weights.len()
        );
        report.repaired(path.as_str(), message);
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
    path: &str,
) -> Result<Vec<f32>, LoadError> {
    let mut out: Vec<f32> = source.zeros(targets, path)?;
    for (weight, &given) in out.iter_mut().zip(weights) {
        *weight = given;
    }
    Ok(out)
}

/// Says where a node has weights of its own for its mesh.
pub(super) fn report_node_weights(source: &Source<'_>, report: &mut LoadReport) -> Result<(), LoadError> {
    for (index, node) in source.json.nodes.iter().enumerate() {
        let Some(weights) = &node.weights else { continue };
        let path = format!("nodes[{index}].weights");
        check_finite(source, weights, &path)?;
        let mesh = node.mesh.and_then(|mesh| source.json.meshes.get(mesh.index()));
        let targets = mesh.into_iter().flat_map(|mesh| &mesh.primitives).map(|p| p.targets.len()).max();
        let targets = targets.unwrap_or(0);
        if weights.len() != targets {
            let message = format!("{} weights for the {targets} morph targets of its mesh", weights.len());
            report.ignored(Severity::Warning, path.as_str(), message);
        }
        if weights.iter().take(targets).any(|&weight| weight != 0.0) {
            not_applied(path, report);
        }
    }
    Ok(())
}

fn check_finite(source: &Source<'_>, weights: &[f32], path: &str) -> Result<(), LoadError> {
    match weights.iter().position(|weight| !weight.is_finite()) {
        Some(at) => Err(source.invalid(format!("{path}[{at}]"), "it is not a finite number; correct it")),
        None => Ok(()),
    }
}

fn not_applied(path: String, report: &mut LoadReport) {
    let message = "morph targets are not applied yet; drawn undeformed";
    report.note(Severity::Warning, NoteKind::Ignored, path, message);
}
