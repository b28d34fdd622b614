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
    for set in &mesh.joint_sets {
        let (listed, weights) = (set.joints.as_flattened(), set.weights.as_flattened());
        let is_missing = |(&joint, &weight): (&u16, &f32)| usize::from(joint) >= joints && weight != 0.0;
        // The largest is found faster than the first that is too large.
        if listed.iter().copied().max().is_some_and(|joint| usize::from(joint) >= joints)
            && let Some(at) = listed.iter().zip(weights).position(is_missing)
        {
            return Err(GeometryError::JointRange { vertex: at / 4, joint: listed[at], joints });
        }
    }
    Ok(())
}
