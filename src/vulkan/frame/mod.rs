//! What one frame in flight owns and records.

pub(crate) mod record;
pub(crate) mod retired;
pub(crate) mod slot;
pub(crate) mod targets;
pub(crate) mod timings;
