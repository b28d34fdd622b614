//! The `scene` room.
