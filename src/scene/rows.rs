//! What changes every frame, as parallel arrays.

use super::local::LocalTransform;
use crate::math::{Affine3x4, Transform};

/// "No row", "no slot", "no parent", "no matrix".
pub(super) const NONE: u32 = u32::MAX;

/// One row for every node that has a transform of its own, in pre-order after [`super::Scene`] restored the order.
///
/// A primitive child (identity, no children, not animated) has no row: it shares its parent's.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The node's slot; [`NONE`] for a row whose node is gone, until the next restoration.
    pub slot: Vec<u32>,
    /// The parent's row, or [`NONE`].
    pub parent: Vec<u32>,
    /// Local transform; meaningless where `matrix` names one.
    pub transform: Vec<Transform>,
    /// Index into `matrices`, or [`NONE`].
    pub matrix: Vec<u32>,
    /// Local matrices, few.
    pub matrices: Vec<Affine3x4>,
    /// Entries of `matrices` that no row names any more.
    free_matrices: Vec<u32>,
    /// World matrices as of the last resolution; the identity before the first.
    pub world: Vec<Affine3x4>,
    /// Whether the chain down to this row mirrors (negative determinant).
    pub mirrored: Vec<bool>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.slot.len()
    }

    pub fn push(
        &mut self,
        slot: u32,
        parent: u32,
        local: &LocalTransform,
        world: Affine3x4,
        mirrored: bool,
    ) -> u32 {
        let row = self.slot.len() as u32;
        self.slot.push(slot);
        self.parent.push(parent);
        self.transform.push(Transform::IDENTITY);
        self.matrix.push(NONE);
        self.world.push(world);
        self.mirrored.push(mirrored);
        self.set_local(row, local);
        row
    }

    pub fn local(&self, row: u32) -> LocalTransform {
        let row = row as usize;
        match self.matrix[row] {
            NONE => LocalTransform::Trs(self.transform[row]),
            matrix => LocalTransform::Matrix(self.matrices[matrix as usize]),
        }
    }

    pub fn set_local(&mut self, row: u32, local: &LocalTransform) {
        let row = row as usize;
        match *local {
            LocalTransform::Trs(transform) => {
                self.transform[row] = transform;
                let unused = std::mem::replace(&mut self.matrix[row], NONE);
                if unused != NONE {
                    self.free_matrices.push(unused);
                }
            }
            LocalTransform::Matrix(matrix) => match self.matrix[row] {
                NONE => {
                    let index = self.free_matrices.pop().unwrap_or_else(|| {
                        self.matrices.push(matrix);
                        self.matrices.len() as u32 - 1
                    });
                    self.matrix[row] = index;
                    self.matrices[index as usize] = matrix;
                }
                index => self.matrices[index as usize] = matrix,
            },
        }
    }

    pub fn with_capacity(rows: usize) -> Self {
        Self {
            slot: Vec::with_capacity(rows),
            parent: Vec::with_capacity(rows),
            transform: Vec::with_capacity(rows),
            matrix: Vec::with_capacity(rows),
            matrices: Vec::new(),
            free_matrices: Vec::new(),
            world: Vec::with_capacity(rows),
            mirrored: Vec::with_capacity(rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switching_between_matrix_and_parts_keeps_one_matrix_per_row() {
        let mut rows = Rows::default();
        let trs = LocalTransform::Trs(Transform::IDENTITY);
        for slot in 0..2 {
            rows.push(slot, NONE, &trs, Affine3x4::IDENTITY, false);
        }
        for step in 0..100 {
            let matrix = Transform::from_translation(crate::math::Vec3::splat(step as f32)).affine();
            rows.set_local(step % 2, &LocalTransform::Matrix(matrix));
            assert_eq!(rows.local(step % 2), LocalTransform::Matrix(matrix));
            rows.set_local(step % 2, &trs);
        }
        assert_eq!(rows.matrices.len(), 1);
    }
}
