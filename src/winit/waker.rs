//! Waking a waiting window from elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use winit::event_loop::EventLoopProxy;

/// Makes a window that [waits](super::NextFrame::Wait) draw again, from any thread: after loading in the background has
/// finished, say. From [`WindowContext::waker`](super::WindowContext::waker); clones wake the same window.
#[derive(Clone, Debug)]
pub struct Waker {
    proxy: EventLoopProxy<()>,
    /// Whether the window was woken and has not noticed yet.
    is_underway: Arc<AtomicBool>,
}

impl Waker {
    pub(super) fn new(proxy: EventLoopProxy<()>) -> Self {
        Self { proxy, is_underway: Arc::default() }
    }

    /// Has a frame drawn soon that sees everything written before this call. Several calls before it make one frame. Does
    /// nothing once the window is closed.
    pub fn wake(&self) {
        // However often it is called, one message is on its way, so the queue stays short.
        if !self.is_underway.swap(true, Ordering::AcqRel) {
            let _is_closed = self.proxy.send_event(());
        }
    }

    /// The message has arrived; later calls send another.
    pub(super) fn arrived(&self) {
        // A swap, not a store, to see what was written before the calls that sent nothing.
        self.is_underway.swap(false, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn wakers_travel_between_threads() {
        fn assert_travels<T: Send + Clone + 'static>() {}
        assert_travels::<super::Waker>();
    }
}
