//! What one frame in flight owns and records.

pub(crate) mod materials;
pub(crate) mod record;
pub(crate) mod retired;
pub(crate) mod slot;
pub(crate) mod straight_alpha;
pub(crate) mod targets;
pub(crate) mod timestamps;
pub(crate) mod timings;
