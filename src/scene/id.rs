//! Names of scenes and nodes.

use std::sync::atomic::{AtomicU64, Ordering};

/// Names one scene for the life of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SceneIdentity(u64);

impl SceneIdentity {
    pub(super) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
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
