//! Events that playbacks reached and nobody took yet.

use crate::animation::FiredEvent;
use std::collections::HashMap;

/// Above so many waiting events those of one kind are merged.
const LIMIT: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct EventQueue {
    fired: Vec<FiredEvent>,
    limit: usize,
}

impl Default for EventQueue {
    fn default() -> Self {
        Self { fired: Vec::new(), limit: LIMIT }
    }
}

impl EventQueue {
    pub fn push(&mut self, event: FiredEvent) {
        if self.fired.len() >= self.limit {
            self.merge();
        }
        self.fired.push(event);
    }

    /// Adds up the crossings of one event of one playback, at the place of the first.
    #[cold]
    fn merge(&mut self) {
        let mut kept: Vec<FiredEvent> = Vec::new();
        let mut places = HashMap::new();
        for event in self.fired.drain(..) {
            let place = *places.entry((event.playback, event.event)).or_insert(kept.len());
            match kept.get_mut(place) {
                Some(first) => first.crossings = first.crossings.saturating_add(event.crossings),
                None => kept.push(event),
            }
        }
        self.fired = kept;
        self.limit = LIMIT.max(2 * self.fired.len());
    }

    /// Hands out everything, oldest first, and forgets it.
    pub fn drain(&mut self) -> impl Iterator<Item = FiredEvent> {
        self.limit = LIMIT;
        self.fired.drain(..)
    }
}
