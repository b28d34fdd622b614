//! What few nodes carry, apart from the arrays that every node has a place in.

use std::collections::HashMap;
use std::sync::Arc;

/// A component with a name of its own, which need not be the node's.
#[derive(Debug, Clone)]
pub(super) struct Named<T> {
    pub value: T,
    /// `None`: empty.
    pub name: Option<Arc<str>>,
}

/// What some nodes have, by their slot.
#[derive(Debug)]
pub(super) struct BySlot<T>(HashMap<u32, T>);

/// Components that have names.
pub(super) type Components<T> = BySlot<Named<T>>;

impl<T> Default for BySlot<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> BySlot<T> {
    pub fn get(&self, slot: u32) -> Option<&T> {
        // Most scenes have none, and then nothing needs hashing.
        if self.0.is_empty() { None } else { self.0.get(&slot) }
    }

    pub fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.0.get_mut(&slot)
    }

    pub fn insert(&mut self, slot: u32, component: T) {
        self.0.insert(slot, component);
    }

    pub fn remove(&mut self, slot: u32) {
        if !self.0.is_empty() {
            self.0.remove(&slot);
        }
    }

    /// Sets or removes it.
    pub fn set(&mut self, slot: u32, component: Option<T>) {
        match component {
            Some(component) => self.insert(slot, component),
            None => self.remove(slot),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, by ascending slot.
    pub fn in_order(&self) -> Vec<(u32, &T)> {
        let mut all: Vec<_> = self.0.iter().map(|(&slot, component)| (slot, component)).collect();
        all.sort_unstable_by_key(|&(slot, _)| slot);
        all
    }
}

impl<T: Copy> Components<T> {
    /// Sets the value and keeps the name, or removes both.
    pub fn set_value(&mut self, slot: u32, value: Option<T>) {
        match value {
            Some(value) => {
                self.0.entry(slot).and_modify(|old| old.value = value).or_insert(Named { value, name: None });
            }
            None => self.remove(slot),
        }
    }
}
