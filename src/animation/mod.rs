//! The `animation` room.
