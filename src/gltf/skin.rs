//! Skins, once the scene's nodes are known.

use super::LoadError;
use super::accessor::Accessors;
use super::document::Skin as JsonSkin;
use super::hierarchy::affine;
use super::layout::Component;
use super::mesh::Meshes;
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::text::Lazy;
use crate::math::{Affine3x4, Mat4};
use crate::scene::{Scene, SceneNodeId, Skin};
use std::fmt::Display;
use std::sync::Arc;

/// Imports every skin of the document, puts each on the nodes that wear it, and returns all.
pub(super) fn import(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    meshes: &Meshes,
    (scene, ids): (&mut Scene, &[Option<SceneNodeId>]),
    report: &mut LoadReport,
) -> Result<Vec<Arc<Skin>>, LoadError> {
    let mut skins = Vec::with_capacity(source.json.skins.len());
    for (index, skin) in source.json.skins.iter().enumerate() {
        skins.push(Arc::new(import_skin(source, accessors, skin, index, ids, report)?));
    }
    let needs: Vec<Needs> = meshes.joints.iter().map(|joints| Needs::of(joints)).collect();
    let mut worn = vec![false; skins.len()];
    for (index, node) in source.json.nodes.iter().enumerate() {
        let Some(skin) = node.skin else { continue };
        let path = Lazy(|| format!("nodes[{index}].skin"));
        let Some(mesh) = node.mesh else {
            report.ignored(Severity::Warning, path, "the node has no mesh, so there is nothing to move");
            continue;
        };
        // Also where no scene shows the node: the whole document is checked.
        let (skin, mesh) = (skin.index(), mesh.index());
        let needs = needs[mesh];
        if needs.joints > skins[skin].joints().len() {
            return Err(too_few_joints(source, &skins[skin], mesh, needs.joints, path));
        }
        let Some(id) = ids[index] else { continue };
        worn[skin] = true;
        // Instances have their own places, which joints would all move to one.
        if node.extensions.as_ref().is_some_and(|extensions| extensions.instancing.is_some()) {
            continue;
        }
        if needs.still > 0 {
            let still = needs.still;
            let message =
                format!("{still} primitives of meshes[{mesh}] have no JOINTS_0; they follow the node");
            report.ignored(Severity::Warning, path, message);
        }
        if let Some(mut node) = scene.find_mut(id) {
            node.set_skin(Some(Arc::clone(&skins[skin])));
        }
    }
    for (index, _) in worn.iter().enumerate().filter(|&(_, &worn)| !worn) {
        report.ignored(Severity::Info, path(index), "no node of the imported scene uses it");
    }
    Ok(skins)
}

fn path(index: usize) -> impl Display + Copy {
    Lazy(move || format!("skins[{index}]"))
}

fn import_skin(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    skin: &JsonSkin,
    index: usize,
    ids: &[Option<SceneNodeId>],
    report: &mut LoadReport,
) -> Result<Skin, LoadError> {
    let path = path(index);
    let matrices = match skin.inverse_bind_matrices {
        Some(accessor) => {
            let path = Lazy(|| format!("{path}.inverseBindMatrices"));
            let elements = accessors.elements(accessor, path)?;
            if (elements.format.component, elements.format.components) != (Component::F32, 16) {
                let reason =
                    format!("accessors[{}] is {}; it must be FLOAT MAT4", elements.index, elements.format);
                return Err(source.invalid(path, reason));
            }
            if elements.count < skin.joints.len() {
                let reason = format!(
                    "{} matrices for {} joints; every joint needs one, or leave inverseBindMatrices out",
                    elements.count,
                    skin.joints.len()
                );
                return Err(source.invalid(path, reason));
            }
            if elements.count > skin.joints.len() {
                let message = format!("{} matrices for {} joints", elements.count, skin.joints.len());
                report.ignored(Severity::Info, path, message);
            }
            let mut matrices: Vec<Mat4> = accessors.floats(&elements)?;
            matrices.truncate(skin.joints.len());
            inverse_bind(&mut matrices, path, report)
        }
        None => Vec::new(),
    };
    let joint = |(position, joint): (usize, &super::document::Whole)| {
        let node = ids[joint.index()];
        if node.is_none() {
            let path = format_args!("{path}.joints[{position}]");
            let message =
                format!("node {} is not in the imported scene; the joint stands at the origin", joint.0);
            report.ignored(Severity::Warning, path, message);
        }
        node
    };
    let joints = skin.joints.iter().enumerate().map(joint).collect();
    let name = skin.name.as_deref().unwrap_or("");
    Skin::new(name, joints, matrices).map_err(|error| source.invalid(path, error.to_string()))
}

fn inverse_bind(matrices: &mut [Mat4], path: impl Display + Copy, report: &mut LoadReport) -> Vec<Affine3x4> {
    let (mut rounded, mut other, mut first) = (0, 0, 0);
    for (joint, matrix) in matrices.iter_mut().enumerate() {
        match affine(matrix) {
            Some(change) => rounded += usize::from(change),
            None => {
                if other == 0 {
                    first = joint;
                }
                other += 1;
            }
        }
    }
    if rounded > 0 {
        let message = format!("the fourth row of {rounded} matrices is rounded to (0, 0, 0, 1)");
        report.repaired(path, message);
    }
    if other > 0 {
        // As everybody draws such files: nothing reads the row, which would only change a point's fourth coordinate.
        let message = format!(
            "the fourth row of {other} matrices, that of joint {first} first, is not (0, 0, 0, 1); it is taken for that"
        );
        report.repaired(path, message);
    }
    matrices.iter().map(Affine3x4::from_mat4).collect()
}

/// What a mesh wants of a skin. Any number of nodes may wear one on a mesh of any number of primitives, so these are looked
/// through once.
#[derive(Clone, Copy)]
struct Needs {
    /// The most joints that a primitive needs.
    joints: usize,
    /// Primitives that need none.
    still: usize,
}

impl Needs {
    fn of(primitives: &[usize]) -> Self {
        let joints = primitives.iter().copied().max().unwrap_or(0);
        Self { joints, still: primitives.iter().filter(|&&joints| joints == 0).count() }
    }
}

/// The error for a skin that lacks a joint that the mesh's vertices follow.
fn too_few_joints(
    source: &Source<'_>,
    skin: &Skin,
    mesh: usize,
    needed: usize,
    path: impl Display,
) -> LoadError {
    let have = skin.joints().len();
    let reason = format!(
        "a vertex of meshes[{mesh}] follows joint {}, but the skin has {have}, numbered from 0; correct JOINTS_0 or the \
         skin",
        needed.saturating_sub(1)
    );
    source.invalid(path, reason)
}
