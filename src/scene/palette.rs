//! The matrices of all joints, as one array.

use super::components::BySlot;
use super::id::SceneNodeId;
use super::rows::{NONE, Rows};
use super::skin::Skin;
use super::span::Span;
use crate::math::Affine3x4;
use std::collections::HashMap;
use std::sync::Arc;

/// Every worn skin's joints, one behind the other. Laid out when the structure changes, computed when the pose does.
#[derive(Debug, Default)]
pub(super) struct Palette {
    /// The row of each joint's node, or [`NONE`].
    rows: Vec<u32>,
    inverse_bind: Vec<Affine3x4>,
    /// Whether the inverse bind matrix mirrors.
    flipped: Vec<bool>,
    pub matrices: Vec<Affine3x4>,
    pub mirrored: Vec<bool>,
    /// Where the joints of a node's skin lie.
    spans: HashMap<u32, Span>,
}

impl Palette {
    /// Where the joints of the skin lie that the node wears; empty without one, or before the layout.
    pub fn span_of(&self, slot: u32) -> Span {
        if self.spans.is_empty() {
            Span::default()
        } else {
            self.spans.get(&slot).copied().unwrap_or_default()
        }
    }

    /// Lays the joints of all worn skins out anew, each skin once, in the order of the slots that wear them.
    pub fn lay_out(&mut self, skins: &BySlot<Arc<Skin>>, row_of: impl Fn(SceneNodeId) -> Option<u32>) {
        if skins.is_empty() && self.spans.is_empty() {
            return;
        }
        self.rows.clear();
        self.inverse_bind.clear();
        self.flipped.clear();
        self.spans.clear();
        let mut placed: HashMap<*const Skin, Span> = HashMap::new();
        for (slot, skin) in skins.in_order() {
            let span = *placed.entry(Arc::as_ptr(skin)).or_insert_with(|| {
                let (start, count) = (self.rows.len() as u32, skin.joints().len() as u32);
                self.rows.extend(skin.joints().iter().map(|joint| joint.and_then(&row_of).unwrap_or(NONE)));
                match skin.inverse_bind_matrices() {
                    [] => self.inverse_bind.resize(self.rows.len(), Affine3x4::IDENTITY),
                    matrices => self.inverse_bind.extend_from_slice(matrices),
                }
                Span { start, count }
            });
            self.spans.insert(slot, span);
        }
        self.flipped.extend(self.inverse_bind.iter().map(Affine3x4::mirrors));
        self.matrices.resize(self.rows.len(), Affine3x4::IDENTITY);
        self.mirrored.resize(self.rows.len(), false);
    }

    /// Computes every joint's matrix from the world matrices; returns whether some joint began or ceased to mirror.
    pub fn resolve(&mut self, nodes: &Rows) -> bool {
        let count = self.rows.len();
        let (rows, inverse_bind, flipped) =
            (&self.rows[..count], &self.inverse_bind[..count], &self.flipped[..count]);
        let (matrices, mirrored) = (&mut self.matrices[..count], &mut self.mirrored[..count]);
        let mut changes = false;
        for joint in 0..count {
            let row = rows[joint] as usize;
            let (world, mirrors) = match nodes.world.get(row) {
                Some(world) => (*world, nodes.mirrored[row]),
                None => (Affine3x4::IDENTITY, false),
            };
            matrices[joint] = world * inverse_bind[joint];
            let mirrors = mirrors != flipped[joint];
            changes |= mirrored[joint] != mirrors;
            mirrored[joint] = mirrors;
        }
        changes
    }
}
