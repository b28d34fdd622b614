//! Which of a skin's joints a mesh uses.

use super::Mesh;

impl Mesh {
    /// How many joints a skin must have for the mesh: one more than the largest that some vertex has with a weight other
    /// than 0; 0 without influences.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        let sets = self.joint_sets.iter().map(|set| {
            let influences = set.joints.as_flattened().iter().zip(set.weights.as_flattened());
            // Without a branch, so that several are compared at a time.
            influences.fold(0, |count: u32, (&joint, &weight)| {
                count.max(if weight == 0.0 { 0 } else { u32::from(joint) + 1 })
            })
        });
        sets.max().map_or(0, |count| count as usize)
    }

    /// The joints that some vertex has with a weight other than 0.
    fn used_joints(&self) -> impl Iterator<Item = u16> {
        self.joint_sets.iter().flat_map(|set| {
            let influences = set.joints.as_flattened().iter().zip(set.weights.as_flattened());
            influences.filter(|(_, weight)| **weight != 0.0).map(|(joint, _)| *joint)
        })
    }
}

/// A value for each joint that a mesh uses. However large their numbers are, it takes no more memory than the mesh's own
/// influences.
#[derive(Debug)]
pub(crate) struct ByJoint<T> {
    /// Ascending.
    joints: Vec<u16>,
    values: Vec<T>,
    /// For each number up to the largest its place among the joints; empty where the mesh has fewer influences than that.
    table: Vec<u16>,
}

impl<T: Clone> ByJoint<T> {
    pub fn new(mesh: &Mesh, value: T) -> Self {
        let count = mesh.joint_count();
        let influences: usize = mesh.joint_sets.iter().map(|set| set.joints.len() * 4).sum();
        let (mut joints, mut table) = (Vec::new(), Vec::new());
        if count > influences {
            joints.extend(mesh.used_joints());
            joints.sort_unstable();
            joints.dedup();
        } else {
            table.resize(count, u16::MAX);
            mesh.used_joints().for_each(|joint| table[usize::from(joint)] = 0);
            for (joint, place) in (0..=u16::MAX).zip(&mut table).filter(|(_, place)| **place == 0) {
                *place = joints.len() as u16;
                joints.push(joint);
            }
        }
        Self { values: vec![value; joints.len()], joints, table }
    }

    /// The value of a joint, if the mesh uses it.
    pub fn get_mut(&mut self, joint: u16) -> Option<&mut T> {
        let place = match self.table.get(usize::from(joint)) {
            Some(&place) => usize::from(place),
            None => self.joints.binary_search(&joint).ok()?,
        };
        self.values.get_mut(place)
    }

    /// The joints with their values, ascending.
    pub fn into_entries(self) -> impl Iterator<Item = (u16, T)> {
        self.joints.into_iter().zip(self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::JointSet;

    fn mesh(joints: &[[u16; 4]], weights: &[[f32; 4]]) -> Mesh {
        let set = JointSet { joints: joints.to_vec(), weights: weights.to_vec() };
        Mesh { joint_sets: vec![set], ..Mesh::default() }
    }

    #[test]
    fn a_joint_counts_if_a_vertex_has_it_with_a_weight() {
        let (first, both) = ([1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]);
        assert_eq!(mesh(&[[2, 9, 9, 9], [0, 3, 0, 0]], &[first, both]).joint_count(), 4);
        assert_eq!(mesh(&[[0, 9, 9, 9], [0, 3, 0, 0]], &[first, first]).joint_count(), 1);
        assert_eq!(mesh(&[[u16::MAX; 4]], &[first]).joint_count(), 65_536);
        assert_eq!(mesh(&[[9; 4]], &[[0.0; 4]]).joint_count(), 0);
        assert_eq!(Mesh::default().joint_count(), 0);
        let mut two = mesh(&[[5; 4]], &[first]);
        two.joint_sets.insert(0, JointSet { joints: vec![[7; 4]], weights: vec![first] });
        assert_eq!(two.joint_count(), 8);
    }

    /// With a table and without one.
    #[test]
    fn each_joint_in_use_has_its_value_and_no_other() {
        let few =
            mesh(&[[u16::MAX, 300, 7, 9], [7, 8, 0, 0]], &[[0.5, 0.25, 0.25, 0.0], [1.0, 0.0, 0.0, 0.0]]);
        let many = mesh(&[[0, 3, 5, 0]; 9], &[[0.5, 0.25, 0.25, 0.0]; 9]);
        for (mesh, used) in [(few, vec![7, 300, u16::MAX]), (many, vec![0, 3, 5])] {
            let mut values = ByJoint::new(&mesh, 0_u32);
            for joint in 0..=u16::MAX {
                let found = values.get_mut(joint).map(|value| *value += u32::from(joint) + 1);
                assert_eq!(found.is_some(), used.contains(&joint), "{joint}");
            }
            let expected: Vec<_> = used.iter().map(|&joint| (joint, u32::from(joint) + 1)).collect();
            assert_eq!(values.into_entries().collect::<Vec<_>>(), expected);
        }
        let every: Vec<[u16; 4]> = (0..=u16::MAX).map(|joint| [joint; 4]).collect();
        let mut values = ByJoint::new(&mesh(&every, &vec![[0.25; 4]; every.len()]), 1_u8);
        assert!((0..=u16::MAX).all(|joint| values.get_mut(joint).is_some()));
    }

    /// A single large number beside few vertices.
    #[test]
    fn memory_follows_the_joints_in_use_and_not_their_numbers() {
        let values = ByJoint::new(&mesh(&[[u16::MAX, 0, 0, 0]], &[[1.0, 0.0, 0.0, 0.0]]), [0.0_f64; 4]);
        assert!(values.joints.capacity() + values.values.capacity() + values.table.capacity() < 32);
    }
}
