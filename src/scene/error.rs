//! What can be wrong with an edit of a scene.

use super::id::VariantId;
use crate::assets::MaterialId;

/// Why an edit was refused. Unless the method says otherwise, the scene is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The id names no node here.
    #[error("the {what} is not in this scene: it was removed, or belongs to another scene")]
    UnknownNode {
        /// Which argument.
        what: &'static str,
    },
    /// A node would become its own ancestor.
    #[error("node \"{node}\" cannot move under itself or one of its descendants")]
    Cycle {
        /// Name of the node.
        node: String,
    },
    /// A transform or matrix holds NaN or infinity.
    #[error(
        "the transform for node \"{node}\" is not finite; give it numbers that are neither NaN nor infinite"
    )]
    NotFinite {
        /// Name of the node.
        node: String,
    },
    /// A matrix's fourth row is not (0, 0, 0, 1).
    #[error("the matrix for node \"{node}\" is not affine: its fourth row must be (0, 0, 0, 1)")]
    NotAffine {
        /// Name of the node.
        node: String,
    },
    /// A morph weight is NaN or infinite.
    #[error("weight {target} for node \"{node}\" is not finite; give it a number")]
    WeightNotFinite {
        /// Name of the node.
        node: String,
        /// Which morph target's.
        target: usize,
    },
    /// A rest in parts was given to a node that has a matrix.
    #[error("node \"{node}\" has a matrix, which is its own rest: give it a Transform first")]
    Matrix {
        /// Name of the node.
        node: String,
    },
    /// A matrix was given to a node whose transform parts a clip drives.
    #[error("node \"{node}\" is animated, and a matrix has no parts to animate: stop the playback first")]
    Animated {
        /// Name of the node.
        node: String,
    },
    /// A factor for a material is NaN or infinite.
    #[error(
        "the {field} for material {material} is not finite; give it numbers that are neither NaN nor infinite"
    )]
    MaterialNotFinite {
        /// The material.
        material: MaterialId,
        /// The field's name.
        field: &'static str,
    },
    /// The scene has no such variant.
    #[error("variant {variant} does not exist: the scene has {count}, numbered from 0")]
    UnknownVariant {
        /// The variant.
        variant: VariantId,
        /// How many there are.
        count: usize,
    },
    /// The scene is full: 2^32 - 1 nodes were alive or retired.
    #[error("the scene has no room for another node")]
    Full,
}
