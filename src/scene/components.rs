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

/// Components by the slot of their node.
#[derive(Debug)]
pub(super) struct Components<T>(HashMap<u32, Named<T>>);

impl<T> Default for Components<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Copy> Components<T> {
    pub fn get(&self, slot: u32) -> Option<&Named<T>> {
        self.0.get(&slot)
    }

    pub fn get_mut(&mut self, slot: u32) -> Option<&mut Named<T>> {
        self.0.get_mut(&slot)
    }

    /// Sets the value and keeps the name, or removes both.
    pub fn set(&mut self, slot: u32, value: Option<T>) {
        match value {
            Some(value) => {
                self.0.entry(slot).and_modify(|old| old.value = value).or_insert(Named { value, name: None });
            }
            None => self.remove(slot),
        }
    }

    pub fn insert(&mut self, slot: u32, component: Named<T>) {
        self.0.insert(slot, component);
    }

    pub fn remove(&mut self, slot: u32) {
        // Most scenes have none, and then nothing needs hashing.
        if !self.0.is_empty() {
            self.0.remove(&slot);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
