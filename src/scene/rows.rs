//! What changes every frame, as parallel arrays.

use super::node::LocalTransform;
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
                self.matrix[row] = NONE;
            }
            LocalTransform::Matrix(matrix) => match self.matrix[row] {
                NONE => {
                    self.matrix[row] = self.matrices.len() as u32;
                    self.matrices.push(matrix);
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
            world: Vec::with_capacity(rows),
            mirrored: Vec::with_capacity(rows),
        }
    }
}
