//! What is checked before a mesh is moved.

use crate::assets::{GeometryError, Mesh};

/// Checks that every stream is empty or as long as the positions.
pub(super) fn check_streams(mesh: &Mesh) -> Result<(), GeometryError> {
    let vertices = mesh.positions.len();
    let misfit = mesh.streams().find(|stream| stream.misfit(vertices).is_some());
    misfit.map_or(Ok(()), |stream| {
        Err(GeometryError::StreamLength { stream: stream.to_string(), actual: stream.length, vertices })
    })
}

/// Checks that every vertex's joints of a weight other than 0 are among so many. The streams were checked.
pub(super) fn check_joints(mesh: &Mesh, joints: usize) -> Result<(), GeometryError> {
    if mesh.joint_count() <= joints {
        return Ok(());
    }
    let missing = mesh.joint_sets.iter().find_map(|set| {
        let listed = set.joints.as_flattened();
        let mut influences = listed.iter().zip(set.weights.as_flattened());
        let at = influences.position(|(&joint, &weight)| usize::from(joint) >= joints && weight != 0.0)?;
        Some(GeometryError::JointRange { vertex: at / 4, joint: listed[at], joints })
    });
    missing.map_or(Ok(()), Err)
}
