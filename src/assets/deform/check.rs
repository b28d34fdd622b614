//! What is checked before a mesh is moved.

use crate::assets::{GeometryError, Mesh};

/// Checks that every stream is empty or as long as the positions.
pub(super) fn check_streams(mesh: &Mesh) -> Result<(), GeometryError> {
    let vertices = mesh.positions.len();
    let check = |actual: usize, name: &dyn Fn() -> String| match actual {
        0 => Ok(()),
        _ if actual == vertices => Ok(()),
        _ => Err(GeometryError::StreamLength { stream: name(), actual, vertices }),
    };
    check(mesh.normals.len(), &|| "normals".into())?;
    check(mesh.tangents.len(), &|| "tangents".into())?;
    check(mesh.colors.len(), &|| "colors".into())?;
    for (set, uvs) in mesh.uv_sets.iter().enumerate() {
        check(uvs.len(), &|| format!("uv_sets[{set}]"))?;
    }
    for (set, influences) in mesh.joint_sets.iter().enumerate() {
        check(influences.joints.len(), &|| format!("joint_sets[{set}].joints"))?;
        // Half of a pair is of no use.
        if influences.weights.len() != influences.joints.len() {
            let (stream, actual) = (format!("joint_sets[{set}].weights"), influences.weights.len());
            return Err(GeometryError::StreamLength { stream, actual, vertices });
        }
    }
    for (index, target) in mesh.morph_targets.iter().enumerate() {
        let name = |stream: &str| format!("morph_targets[{index}].{stream}");
        check(target.positions.len(), &|| name("positions"))?;
        check(target.normals.len(), &|| name("normals"))?;
        check(target.tangents.len(), &|| name("tangents"))?;
        check(target.colors.len(), &|| name("colors"))?;
        for (set, uvs) in target.uv_sets.iter().enumerate() {
            check(uvs.len(), &|| name(&format!("uv_sets[{set}]")))?;
        }
    }
    Ok(())
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
