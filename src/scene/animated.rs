//! Nodes that clips drive or drove, and how they rest.

use super::driven::Part;
use super::rows::NONE;
use crate::math::Transform;

/// What a node needs once a clip was bound to it. It stays for the node's life, so that its rest is not forgotten when
/// nothing plays.
#[derive(Debug, Clone, Copy)]
pub(super) struct AnimatedNode {
    /// [`NONE`] once the node is gone.
    pub slot: u32,
    /// For each part how many channels are bound.
    bound: [u32; Part::OF_NODES],
    /// How many channels are bound to its camera or light.
    carried: u32,
    /// For each part how many of them no mask leaves out.
    pub drivers: [u32; Part::OF_NODES],
    /// For each part its place among this frame's mixes, or [`NONE`].
    pub mixes: [u32; Part::OF_NODES],
    /// Where the application, or the loader, put it.
    pub rest: Transform,
}

impl AnimatedNode {
    /// Whether a channel is bound to it or to what it carries.
    pub fn is_bound(&self) -> bool {
        self.moves() || self.carried > 0
    }

    /// Whether a channel is bound to its transform or weights.
    pub fn moves(&self) -> bool {
        self.bound != [0; Part::OF_NODES]
    }

    /// Whether a channel is bound to a part of the transform.
    pub fn is_transform_bound(&self) -> bool {
        let [translation, rotation, scale, _] = self.bound;
        translation + rotation + scale > 0
    }

    /// Takes those parts of `transform` that no clip drives, for the rest, and into `pose` if there is one.
    pub fn rest_undriven(&mut self, transform: Transform, mut pose: Option<&mut Transform>) {
        let mut put = |part: Part, edit: &dyn Fn(&mut Transform)| {
            if self.drivers[part as usize] == 0 {
                edit(&mut self.rest);
                if let Some(pose) = &mut pose {
                    edit(pose);
                }
            }
        };
        put(Part::Translation, &|to| to.translation = transform.translation);
        put(Part::Rotation, &|to| to.rotation = transform.rotation);
        put(Part::Scale, &|to| to.scale = transform.scale);
    }
}

#[derive(Debug, Default)]
pub(super) struct AnimatedNodes {
    pub nodes: Vec<AnimatedNode>,
    free: Vec<u32>,
}

impl AnimatedNodes {
    pub fn get(&self, index: u32) -> Option<&AnimatedNode> {
        self.nodes.get(index as usize)
    }

    pub fn get_mut(&mut self, index: u32) -> Option<&mut AnimatedNode> {
        self.nodes.get_mut(index as usize)
    }

    pub fn add(&mut self, slot: u32, rest: Transform) -> u32 {
        const NO_MIX: [u32; Part::OF_NODES] = [NONE; Part::OF_NODES];
        const ZERO: [u32; Part::OF_NODES] = [0; Part::OF_NODES];
        let node = AnimatedNode { slot, bound: ZERO, carried: 0, drivers: ZERO, mixes: NO_MIX, rest };
        match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// The node is gone; its place is kept while channels are bound to it.
    pub fn forget(&mut self, index: u32) {
        let Some(node) = self.nodes.get_mut(index as usize) else { return };
        node.slot = NONE;
        if !node.is_bound() {
            self.free.push(index);
        }
    }

    pub fn bind(&mut self, index: u32, part: Part) {
        let node = &mut self.nodes[index as usize];
        node.bound[part as usize] += 1;
        node.drivers[part as usize] += 1;
    }

    pub fn bind_carried(&mut self, index: u32) {
        self.nodes[index as usize].carried += 1;
    }

    pub fn release(&mut self, index: u32, part: Part, masked: bool) {
        let node = &mut self.nodes[index as usize];
        node.bound[part as usize] -= 1;
        node.drivers[part as usize] -= u32::from(!masked);
        self.free_if_gone(index);
    }

    pub fn release_carried(&mut self, index: u32) {
        self.nodes[index as usize].carried -= 1;
        self.free_if_gone(index);
    }

    fn free_if_gone(&mut self, index: u32) {
        let node = &self.nodes[index as usize];
        if !node.is_bound() && node.slot == NONE {
            self.free.push(index);
        }
    }
}
