//! Morph weights of nodes.

use super::span::Span;
use std::collections::HashMap;

/// A node's part of the flat arrays.
#[derive(Debug, Clone, Copy, Default)]
struct Set {
    start: usize,
    count: usize,
}

/// The weights of all nodes that have some: what they are now, and at rest.
#[derive(Debug, Default)]
pub(super) struct MorphWeights {
    values: Vec<f32>,
    rest: Vec<f32>,
    sets: Vec<Set>,
    free: Vec<u32>,
    /// Which set a node's slot has.
    of: HashMap<u32, u32>,
    /// Numbers that belong to no set any more.
    unused: usize,
}

impl MorphWeights {
    /// A node's set, whose number stays the same while the count of its weights does.
    pub fn set_of(&self, slot: u32) -> Option<u32> {
        if self.of.is_empty() { None } else { self.of.get(&slot).copied() }
    }

    /// All of them, present ones and unused ones.
    pub fn all(&self) -> &[f32] {
        &self.values
    }

    /// Where a node's weights lie in all of them; empty without any.
    pub fn span_of(&self, slot: u32) -> Span {
        let Some(set) = self.set_of(slot) else { return Span::default() };
        let Set { start, count } = self.sets[set as usize];
        Span { start: start as u32, count: count as u32 }
    }

    pub fn count(&self, set: u32) -> usize {
        self.sets[set as usize].count
    }

    pub fn values(&self, set: u32) -> &[f32] {
        &self.values[self.range(set)]
    }

    pub fn values_mut(&mut self, set: u32) -> &mut [f32] {
        let range = self.range(set);
        &mut self.values[range]
    }

    pub fn rest(&self, set: u32) -> &[f32] {
        &self.rest[self.range(set)]
    }

    /// Both at once: now, and at rest.
    pub fn pair(&mut self, set: u32) -> (&mut [f32], &[f32]) {
        let range = self.range(set);
        (&mut self.values[range.clone()], &self.rest[range])
    }

    fn range(&self, set: u32) -> std::ops::Range<usize> {
        let Set { start, count } = self.sets[set as usize];
        start..start + count
    }

    /// Sets a node's weights, and unless they are `driven` their rest. Returns whether their number changed; then both.
    pub fn put(&mut self, slot: u32, weights: &[f32], driven: bool) -> bool {
        if let Some(set) = self.set_of(slot).filter(|&set| self.count(set) == weights.len()) {
            let range = self.range(set);
            self.values[range.clone()].copy_from_slice(weights);
            if !driven {
                self.rest[range].copy_from_slice(weights);
            }
            return false;
        }
        let had_some = self.remove(slot);
        if weights.is_empty() {
            return had_some;
        }
        let set = Set { start: self.values.len(), count: weights.len() };
        self.values.extend_from_slice(weights);
        self.rest.extend_from_slice(weights);
        let index = match self.free.pop() {
            Some(index) => {
                self.sets[index as usize] = set;
                index
            }
            None => {
                self.sets.push(set);
                self.sets.len() as u32 - 1
            }
        };
        self.of.insert(slot, index);
        true
    }

    /// Takes a node's weights away; returns whether it had some.
    pub fn remove(&mut self, slot: u32) -> bool {
        let Some(set) = self.of.remove(&slot) else { return false };
        self.unused += std::mem::take(&mut self.sets[set as usize]).count;
        self.free.push(set);
        if self.unused > self.values.len() / 2 + 64 {
            self.compact();
        }
        true
    }

    /// Closes the gaps, so that coming and going nodes do not make the arrays grow for ever.
    fn compact(&mut self) {
        let mut order: Vec<usize> = (0..self.sets.len()).collect();
        order.sort_by_key(|&set| self.sets[set].start);
        let mut end = 0;
        for set in order {
            let Set { start, count } = &mut self.sets[set];
            let from = *start..*start + *count;
            *start = end;
            end += *count;
            self.values.copy_within(from.clone(), *start);
            self.rest.copy_within(from, *start);
        }
        self.values.truncate(end);
        self.rest.truncate(end);
        self.unused = 0;
    }

    /// Puts every node's weights to rest.
    pub fn reset(&mut self) {
        self.values.copy_from_slice(&self.rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coming_and_going_keeps_the_arrays_short_and_the_others_as_they_are() {
        let mut weights = MorphWeights::default();
        weights.put(7, &[0.25, 0.5], false);
        weights.put(7, &[1.0, 1.0], true);
        for round in 0..1000u32 {
            let slot = 10 + round % 3;
            assert!(weights.put(slot, &vec![round as f32; 1 + round as usize % 5], false) || round >= 3);
            if round % 4 == 3 {
                assert!(weights.remove(slot) && !weights.remove(slot));
            }
            let kept = weights.set_of(7).unwrap();
            assert_eq!((weights.values(kept), weights.rest(kept)), (&[1.0, 1.0][..], &[0.25, 0.5][..]));
            if let Some(set) = weights.set_of(slot) {
                assert!(weights.values(set).iter().all(|&value| value == round as f32));
            }
        }
        assert!(weights.values.len() < 300 && weights.sets.len() <= 5);
        weights.reset();
        assert_eq!(weights.values(weights.set_of(7).unwrap()), [0.25, 0.5]);
        assert!(weights.put(7, &[], false) && weights.set_of(7).is_none());
    }
}
