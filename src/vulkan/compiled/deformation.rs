//! What batching and frames know of how a mesh is deformed.

use crate::assets::{ByJoint, JointSet, MAX_JOINT_SETS, Mesh};
use crate::math::{Affine3x4, Vec3, Vec4};
use glam::DVec4;

/// The CPU's part of a mesh's deformation.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Deformation {
    /// One more than the largest joint that a vertex refers to; 0 without influences.
    pub(crate) joint_count: u32,
    /// For each joint that moves something the part of the middle of the drawn vertices that it carries.
    pub(crate) shares: Vec<(u32, Vec4)>,
    /// For each morph target where its displacements would lie for vertex 0 of the block, in floats and wrapping around, or
    /// `None` if there are none.
    pub(crate) targets: Vec<Option<u32>>,
    /// The mesh's own weights.
    pub(crate) weights: Vec<f32>,
}

/// The influences that are drawn: the mesh's sets that are not empty.
pub(crate) fn joint_sets(mesh: &Mesh) -> impl Iterator<Item = &JointSet> {
    mesh.joint_sets.iter().filter(|set| !set.joints.is_empty()).take(MAX_JOINT_SETS)
}

/// A vertex's joints in a set. A weight of 0 refers to no joint, whatever stands beside it.
pub(crate) fn used_joints(set: &JointSet, vertex: usize) -> [u16; 4] {
    let (joints, weights) = (set.joints[vertex], set.weights[vertex]);
    std::array::from_fn(|index| if weights[index] == 0.0 { 0 } else { joints[index] })
}

impl Deformation {
    /// Of a mesh whose targets' displacements are found at `targets`.
    pub(crate) fn new(mesh: &Mesh, targets: Vec<Option<u32>>) -> Self {
        let joint_count = mesh.joint_count() as u32;
        Self { joint_count, shares: shares(mesh), targets, weights: mesh.morph_weights.clone() }
    }

    /// The middle of the drawn vertices of the mesh at rest where these joints carry it, in world space.
    pub(crate) fn center(&self, joints: &[Affine3x4]) -> Vec3 {
        let carried = self.shares.iter().filter_map(|&(joint, share)| {
            let matrix = joints.get(joint as usize)?;
            Some(Vec3::from_array(matrix.rows.map(|row| row.dot(share))))
        });
        carried.sum()
    }
}

/// The mean over vertices of the sum of weight * matrix * position is the sum over joints of matrix * share, where a
/// joint's share is the mean of weight * position.
fn shares(mesh: &Mesh) -> Vec<(u32, Vec4)> {
    let mut sums = ByJoint::new(mesh, DVec4::ZERO);
    let mut add = |vertex: usize| {
        let Some(position) = mesh.positions.get(vertex) else { return };
        let position = position.as_dvec3().extend(1.0);
        for set in joint_sets(mesh) {
            for (&joint, &weight) in set.joints[vertex].iter().zip(&set.weights[vertex]) {
                if let Some(sum) = sums.get_mut(joint).filter(|_| weight != 0.0) {
                    *sum += position * f64::from(weight);
                }
            }
        }
    };
    match &mesh.indices {
        Some(indices) => indices.iter().for_each(|&index| add(index as usize)),
        None => (0..mesh.positions.len()).for_each(add),
    }
    let count = mesh.index_count().max(1) as f64;
    let shares = sums.into_entries().filter(|(_, sum)| *sum != DVec4::ZERO);
    shares.map(|(joint, sum)| (u32::from(joint), (sum / count).as_vec4())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Transform;

    fn mesh(joints: [[u16; 4]; 2], weights: [[f32; 4]; 2]) -> Mesh {
        Mesh {
            positions: vec![Vec3::ZERO, Vec3::X],
            joint_sets: vec![JointSet { joints: joints.to_vec(), weights: weights.to_vec() }],
            ..Mesh::default()
        }
    }

    #[test]
    fn a_second_set_counts_and_an_empty_one_is_left_out() {
        let mut mesh = mesh([[1, 0, 0, 0]; 2], [[0.5, 0.0, 0.0, 0.0]; 2]);
        mesh.joint_sets.insert(0, JointSet::default());
        mesh.joint_sets
            .push(JointSet { joints: vec![[7, 0, 0, 0]; 2], weights: vec![[0.5, 0.0, 0.0, 0.0]; 2] });
        assert_eq!(joint_sets(&mesh).count(), 2);
        assert_eq!(Deformation::new(&mesh, vec![]).joint_count, 8);
    }

    #[test]
    fn the_center_is_the_mean_of_the_skinned_vertices() {
        let half = [0.5, 0.5, 0.0, 0.0];
        let deformation = Deformation::new(&mesh([[0, 1, 0, 0]; 2], [half, [1.0, 0.0, 0.0, 0.0]]), vec![]);
        let moved = |x, y| Transform::from_translation(Vec3::new(x, y, 0.0)).affine();
        // (0, 0) by half of each joint goes to (2, 3), (1, 0) by the first to (1, 6).
        let center = deformation.center(&[moved(0.0, 6.0), moved(4.0, 0.0)]);
        assert_eq!(center, Vec3::new(1.5, 4.5, 0.0));
        assert_eq!(deformation.center(&[]), Vec3::ZERO);
    }
}
