//! Skins: which nodes move the vertices of a mesh.

use super::id::SceneNodeId;
use crate::math::Affine3x4;
use std::sync::Arc;

/// The joints that a mesh's influences ([`JointSet`](crate::assets::JointSet)) are numbers of, each with the transform from
/// the mesh's space to the joint's at the time of binding.
///
/// A vertex stands at the sum of `weight * world(joint) * inverse_bind * position` over its influences, in world space: the
/// transform of the node that carries the mesh does not matter (glTF 2.0, section 3.7.3.3). There may be any number of
/// joints, in any places of the scene, and any number of nodes may share a skin.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    name: Arc<str>,
    joints: Vec<Option<SceneNodeId>>,
    /// Shared with copies of the skin.
    inverse_bind_matrices: Arc<[Affine3x4]>,
}

/// Why a skin cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// There is no joint.
    #[error("skin \"{skin}\" has no joints; give it at least one")]
    NoJoints {
        /// The skin's name.
        skin: String,
    },
    /// There are inverse bind matrices, but not one for each joint.
    #[error(
        "skin \"{skin}\" has {matrices} inverse bind matrices for {joints} joints; give one a joint or none"
    )]
    MatrixCount {
        /// The skin's name.
        skin: String,
        /// Matrices given.
        matrices: usize,
        /// Number of joints.
        joints: usize,
    },
    /// An inverse bind matrix holds NaN or infinity.
    #[error("skin \"{skin}\": the inverse bind matrix of joint {joint} is not finite; give finite numbers")]
    NotFinite {
        /// The skin's name.
        skin: String,
        /// The joint's position.
        joint: usize,
    },
}

impl Skin {
    /// A skin of `joints`, with one inverse bind matrix each, or none at all if they are the identity.
    ///
    /// A joint that is `None`, or not (or no longer) in the scene of the node that wears the skin, stands at the world's
    /// origin, as with an identity transform.
    ///
    /// # Errors
    /// [`SkinError`].
    pub fn new(
        name: impl Into<Arc<str>>,
        joints: Vec<Option<SceneNodeId>>,
        inverse_bind_matrices: Vec<Affine3x4>,
    ) -> Result<Self, SkinError> {
        let name = name.into();
        let skin = || String::from(&*name);
        if joints.is_empty() {
            return Err(SkinError::NoJoints { skin: skin() });
        }
        let (matrices, joint_count) = (inverse_bind_matrices.len(), joints.len());
        if matrices != 0 && matrices != joint_count {
            return Err(SkinError::MatrixCount { skin: skin(), matrices, joints: joint_count });
        }
        if let Some(joint) = inverse_bind_matrices.iter().position(|matrix| !matrix.is_finite()) {
            return Err(SkinError::NotFinite { skin: skin(), joint });
        }
        Ok(Self { name, joints, inverse_bind_matrices: inverse_bind_matrices.into() })
    }

    /// For people; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The joints; an influence's number is a position here.
    #[must_use]
    pub fn joints(&self) -> &[Option<SceneNodeId>] {
        &self.joints
    }

    /// One matrix a joint, or none if all are the identity.
    #[must_use]
    pub fn inverse_bind_matrices(&self) -> &[Affine3x4] {
        &self.inverse_bind_matrices
    }

    /// The same skin over copies of its joints; one without a copy is left out.
    pub(super) fn remapped(&self, copy: impl Fn(SceneNodeId) -> Option<SceneNodeId>) -> Self {
        let joints = self.joints.iter().map(|joint| joint.and_then(&copy)).collect();
        let inverse_bind_matrices = Arc::clone(&self.inverse_bind_matrices);
        Self { name: Arc::clone(&self.name), joints, inverse_bind_matrices }
    }
}
