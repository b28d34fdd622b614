//! A node's own transform.

use crate::math::{Affine3x4, Transform};

/// A node's transform relative to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LocalTransform {
    /// Translation, rotation and scale; can be animated.
    Trs(Transform),
    /// An affine matrix kept exactly as it came: shear and mirror survive. Cannot be animated in parts.
    Matrix(Affine3x4),
}

impl LocalTransform {
    /// As a matrix.
    #[must_use]
    pub fn affine(&self) -> Affine3x4 {
        match self {
            Self::Trs(transform) => transform.affine(),
            Self::Matrix(matrix) => *matrix,
        }
    }

    /// The three parts, unless it is a matrix.
    #[must_use]
    pub fn transform(&self) -> Option<Transform> {
        match self {
            Self::Trs(transform) => Some(*transform),
            Self::Matrix(_) => None,
        }
    }
}
