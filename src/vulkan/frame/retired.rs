//! Objects that left use while frames in flight may still need them.

use std::any::Any;
use std::collections::VecDeque;

/// Keeps what was replaced until the frame that may have used it last is finished.
#[derive(Default)]
pub(crate) struct Retired {
    /// Serial number of the last frame that may use it, ascending.
    waiting: VecDeque<(u64, Box<dyn Any + Send>)>,
}

impl Retired {
    /// Hands over an object; `serial` is the last submitted frame.
    pub(crate) fn push(&mut self, serial: u64, object: impl Any + Send) {
        self.waiting.push_back((serial, Box::new(object)));
    }

    /// Drops what no frame after `finished` uses.
    pub(crate) fn collect(&mut self, finished: u64) {
        while self.waiting.front().is_some_and(|(serial, _)| *serial <= finished) {
            self.waiting.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn an_object_stays_until_its_frame_is_finished() {
        let object = Arc::new(());
        let mut retired = Retired::default();
        retired.push(3, Arc::clone(&object));
        retired.push(5, Arc::clone(&object));
        retired.collect(2);
        assert_eq!(Arc::strong_count(&object), 3);
        retired.collect(4);
        assert_eq!(Arc::strong_count(&object), 2);
        retired.collect(5);
        assert_eq!(Arc::strong_count(&object), 1);
    }
}
