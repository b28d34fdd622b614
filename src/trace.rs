//! Spans and events for the crate `tracing`, of the feature of that name.
//!
//! Without the feature nothing is left of them: fields are checked by the compiler and never evaluated. Levels: ERROR and
//! WARN are the validation layer's, INFO what happens once a load or a renderer, DEBUG what happens once something changes,
//! TRACE what happens once a frame. Errors that are returned are no events above DEBUG: the caller has them.

/// An event: `event!(DEBUG, count = 3, path = %path, "what happened")`. Fields as `tracing` has them: a plain value, or one to
/// be shown by `Display` (`%`) or `Debug` (`?`).
#[cfg(feature = "tracing")]
macro_rules! event {
    ($level:ident, $($rest:tt)+) => { ::tracing::event!(::tracing::Level::$level, $($rest)+) };
}

#[cfg(not(feature = "tracing"))]
macro_rules! event {
    ($level:ident, $($field:ident = $(%)? $(?)? $value:expr,)* $what:literal) => {{
        let _never_called = || { $(let _ = &$value;)* };
    }};
}

/// A span that lasts until what is returned is dropped: `let _span = span!(INFO, "load", file = name);`. Its fields are plain
/// values.
#[cfg(feature = "tracing")]
macro_rules! span {
    ($level:ident, $name:literal $(, $field:ident = $value:expr)*) => {
        ::tracing::span!(::tracing::Level::$level, $name $(, $field = $value)*).entered()
    };
}

#[cfg(not(feature = "tracing"))]
macro_rules! span {
    ($level:ident, $name:literal $(, $field:ident = $value:expr)*) => {{
        let _never_called = || { $(let _ = &$value;)* };
        $crate::trace::NoSpan
    }};
}

/// What stands for a span without the feature.
#[cfg(not(feature = "tracing"))]
pub(crate) struct NoSpan;

/// How long something took, for events alone: nothing else may depend on it.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch {
    #[cfg(feature = "tracing")]
    started: std::time::Instant,
}

impl Stopwatch {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(feature = "tracing")]
            started: std::time::Instant::now(),
        }
    }

    /// Milliseconds since the start.
    pub(crate) fn ms(self) -> f64 {
        #[cfg(feature = "tracing")]
        return self.started.elapsed().as_secs_f64() * 1e3;
        #[cfg(not(feature = "tracing"))]
        0.0
    }
}
