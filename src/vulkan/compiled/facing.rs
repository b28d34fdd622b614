//! Which side of an instance's triangles is the front.

use super::layout::{SKINNED, TableEntry};
use crate::scene::Span;

/// How the front faces of an instance wind on the way to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Facing {
    /// As in the mesh.
    Kept,
    /// The other way, because an odd number of transforms mirrors.
    Mirrored,
    /// Some of the joints mirror, so that each triangle has to be asked.
    Mixed,
}

/// Which of a scene's matrices mirror.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mirrors<'a> {
    pub(crate) nodes: &'a [bool],
    pub(crate) joints: &'a [bool],
}

/// A draw of a mesh: its element of the table, and the joints that move it, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instance {
    pub(crate) entry: TableEntry,
    pub(crate) joints: Span,
}

impl Instance {
    /// The matrix of its node, unless joints move it.
    pub(crate) fn node(&self) -> Option<u32> {
        (self.entry.matrix & SKINNED == 0).then_some(self.entry.matrix)
    }

    pub(crate) fn facing(&self, mirrors: Mirrors<'_>) -> Facing {
        if let Some(node) = self.node() {
            return match mirrors.nodes.get(node as usize) {
                Some(true) => Facing::Mirrored,
                _ => Facing::Kept,
            };
        }
        let joints = self.joints.of(mirrors.joints);
        match joints.first() {
            Some(first) if joints.iter().any(|mirrored| mirrored != first) => Facing::Mixed,
            Some(true) => Facing::Mirrored,
            _ => Facing::Kept,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_decide_where_there_are_some_and_else_the_node() {
        let instance = |matrix, start, count| Instance {
            entry: TableEntry { matrix, material: 0, morphs: 0 },
            joints: Span { start, count },
        };
        let mirrors = Mirrors { nodes: &[false, true], joints: &[false, false, true, true] };
        let facing = |instance: Instance| instance.facing(mirrors);
        assert_eq!(
            [0, 1, 9].map(|node| facing(instance(node, 0, 0))),
            [Facing::Kept, Facing::Mirrored, Facing::Kept]
        );
        let skinned = |start, count| facing(instance(SKINNED | 7, start, count));
        assert_eq!(
            [skinned(0, 2), skinned(2, 2), skinned(1, 2), skinned(2, 9)],
            [Facing::Kept, Facing::Mirrored, Facing::Mixed, Facing::Kept]
        );
    }
}
