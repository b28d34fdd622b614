//! World matrices from local transforms.

use super::arena::Scene;
use super::rows::NONE;

impl Scene {
    /// Restores the pre-order if the structure was edited, then computes every node's world transform if anything moved.
    ///
    /// One forward loop over arrays; no recursion, and no allocation unless the structure changed. A scene in which
    /// nothing changed since the last call costs nothing.
    pub fn update_world_transforms(&mut self) {
        self.restore_order();
        if !std::mem::take(&mut self.pose_dirty) {
            return;
        }
        let rows = &mut self.rows;
        let mut mirror_changes = 0u32;
        for row in 0..rows.slot.len() {
            let (local, mirrors) = match rows.matrix[row] {
                NONE => {
                    let transform = &rows.transform[row];
                    let scale = transform.scale;
                    // Signs one by one: the product of small factors would underflow to zero.
                    (transform.affine(), (scale.x < 0.0) ^ (scale.y < 0.0) ^ (scale.z < 0.0))
                }
                matrix => {
                    let matrix = rows.matrices[matrix as usize];
                    (matrix, matrix.mirrors())
                }
            };
            // Pre-order: the parent's row lies before this one and is already resolved.
            let (world, mirrored) = match rows.parent[row] {
                NONE => (local, mirrors),
                parent => {
                    let parent = parent as usize;
                    (rows.world[parent] * local, rows.mirrored[parent] != mirrors)
                }
            };
            rows.world[row] = world;
            mirror_changes += u32::from(rows.mirrored[row] != mirrored);
            rows.mirrored[row] = mirrored;
        }
        self.mirror_revision += u64::from(mirror_changes > 0);
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
