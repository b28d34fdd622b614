//! Names of scenes, nodes and variants.

unique_id! {
    /// Names one scene for the life of the process.
    SceneIdentity
}

dense_id! {
    /// One of a scene's variants: its position in [`Scene::variants`](super::Scene::variants).
    VariantId
}

/// Names one node of one scene.
///
/// Issued when the node is added and valid until it is removed; never used for another node, and an id from another
/// scene finds nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SceneNodeId {
    pub(super) scene: SceneIdentity,
    pub(super) slot: u32,
    pub(super) generation: u32,
}
