//! World matrices from local transforms.

use super::arena::Scene;
use super::rows::{NONE, Rows};

impl Scene {
    /// Restores the pre-order if the structure was edited, then computes every node's world transform and
    /// every joint's matrix if anything moved.
    ///
    /// One forward loop over arrays; no recursion, and no allocation unless the structure changed. A scene in which
    /// nothing changed since the last call costs nothing.
    pub fn update_world_transforms(&mut self) {
        self.restore_order();
        if !std::mem::take(&mut self.pose_dirty) {
            return;
        }
        let count = self.rows.len();
        let Rows { parent, transform, matrix, matrices, world, mirrored, .. } = &mut self.rows;
        // Of one length, which the loop below can rely on instead of checking each access.
        let (parent, transform, matrix) = (&parent[..count], &transform[..count], &matrix[..count]);
        let (world, mirrored) = (&mut world[..count], &mut mirrored[..count]);
        let mut mirror_changes = 0u32;
        for row in 0..count {
            let (local, mirrors) = match matrix[row] {
                NONE => {
                    let scale = transform[row].scale;
                    // Signs one by one: the product of small factors would underflow to zero.
                    (transform[row].affine(), (scale.x < 0.0) ^ (scale.y < 0.0) ^ (scale.z < 0.0))
                }
                index => {
                    let matrix = matrices[index as usize];
                    (matrix, matrix.mirrors())
                }
            };
            // Pre-order: the parent's row lies before this one and is already resolved.
            let (resolved, mirrors) = match parent[row] {
                NONE => (local, mirrors),
                above => (world[above as usize] * local, mirrored[above as usize] != mirrors),
            };
            world[row] = resolved;
            mirror_changes += u32::from(mirrored[row] != mirrors);
            mirrored[row] = mirrors;
        }
        let joint_changes = self.palette.resolve(&self.rows);
        self.mirror_revision += u64::from(mirror_changes > 0 || joint_changes);
    }

    /// World matrices as of the last resolution, one for every node with a transform of its own, in pre-order (right
    /// after [`update_world_transforms`](Self::update_world_transforms)). [`super::DrawItem::world`] indexes it.
    #[must_use]
    pub fn world_transforms(&self) -> &[crate::math::Affine3x4] {
        &self.rows.world
    }

    /// For each of [`world_transforms`](Self::world_transforms): whether it mirrors, so that front faces wind the other
    /// way. The parity, over the whole chain, of negative scale factors and of matrices with a negative determinant.
    #[must_use]
    pub fn world_mirrored(&self) -> &[bool] {
        &self.rows.mirrored
    }
}
