//! The `assets` room.
