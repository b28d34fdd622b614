//! Calls of winit that may panic.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;

/// Calls a function of winit, some of which panic where the window system's libraries are missing. Such a panic becomes an
/// error, and its message is not printed. A program that is built to abort on a panic aborts.
pub(super) fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    // Panics of other threads meanwhile are none of this call's business.
    let here = thread::current().id();
    let previous = Arc::new(panic::take_hook());
    let others = Arc::clone(&previous);
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() != here {
            others(panic);
        }
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    drop(panic::take_hook());
    if let Some(hook) = Arc::into_inner(previous) {
        panic::set_hook(hook);
    }
    result.map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        format!("the window library failed: {}", text.unwrap_or_else(|| "no reason given".to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_becomes_its_message_and_the_next_call_works() {
        let dice = std::hint::black_box(4);
        assert_eq!(guarded(|| assert_ne!(dice, 4, "no library")).unwrap_err().lines().count(), 3);
        let failed = guarded(|| {
            if dice == 4 {
                panic!("no library")
            }
        })
        .unwrap_err();
        assert_eq!(failed, "the window library failed: no library");
        assert_eq!(guarded(|| dice + 1), Ok(5));
    }
}
