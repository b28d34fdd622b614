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
    parts: Vec<Part>,
    /// The row of each joint's node, or [`NONE`].
    rows: Vec<u32>,
    /// Whether the inverse bind matrix mirrors.
    flipped: Vec<bool>,
    pub matrices: Vec<Affine3x4>,
    pub mirrored: Vec<bool>,
    /// Where the joints of a node's skin lie.
    spans: HashMap<u32, Span>,
}

/// The joints of one skin. Copies of a figure read the same inverse bind matrices, which therefore stay in a near cache.
#[derive(Debug)]
struct Part {
    skin: Arc<Skin>,
    span: Span,
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

    /// The node at the slot is gone; the next one there wears nothing.
    pub fn forget(&mut self, slot: u32) {
        if !self.spans.is_empty() {
            self.spans.remove(&slot);
        }
    }

    /// Lays the joints of all worn skins out anew, each skin once, in the order of the slots that wear them.
    pub fn lay_out(&mut self, skins: &BySlot<Arc<Skin>>, row_of: impl Fn(SceneNodeId) -> Option<u32>) {
        if skins.is_empty() && self.parts.is_empty() {
            return;
        }
        self.parts.clear();
        self.rows.clear();
        self.flipped.clear();
        self.spans.clear();
        let mut placed: HashMap<*const Skin, Span> = HashMap::new();
        for (slot, skin) in skins.in_order() {
            let span = *placed.entry(Arc::as_ptr(skin)).or_insert_with(|| {
                let span = Span { start: self.rows.len() as u32, count: skin.joints().len() as u32 };
                self.rows.extend(skin.joints().iter().map(|joint| joint.and_then(&row_of).unwrap_or(NONE)));
                self.flipped.extend(skin.inverse_bind_matrices().iter().map(Affine3x4::mirrors));
                self.flipped.resize(self.rows.len(), false);
                self.parts.push(Part { skin: Arc::clone(skin), span });
                span
            });
            self.spans.insert(slot, span);
        }
        self.matrices.resize(self.rows.len(), Affine3x4::IDENTITY);
        self.mirrored.resize(self.rows.len(), false);
    }

    /// Computes every joint's matrix from the world matrices; returns whether some joint began or ceased to mirror.
    pub fn resolve(&mut self, nodes: &Rows) -> bool {
        for Part { skin, span } in &self.parts {
            let range = span.start as usize..(span.start + span.count) as usize;
            let (rows, matrices) = (&self.rows[range.clone()], &mut self.matrices[range]);
            let world = |row: u32| nodes.world.get(row as usize).copied().unwrap_or_default();
            match skin.inverse_bind_matrices() {
                [] => matrices.iter_mut().zip(rows).for_each(|(matrix, &row)| *matrix = world(row)),
                inverse => {
                    for ((matrix, &row), inverse) in matrices.iter_mut().zip(rows).zip(inverse) {
                        *matrix = world(row) * *inverse;
                    }
                }
            }
        }
        let mut changes = false;
        for ((mirrored, &row), &flipped) in self.mirrored.iter_mut().zip(&self.rows).zip(&self.flipped) {
            let mirrors = nodes.mirrored.get(row as usize).is_some_and(|&mirrors| mirrors) != flipped;
            changes |= *mirrored != mirrors;
            *mirrored = mirrors;
        }
        changes
    }
}
