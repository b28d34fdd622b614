//! The `preparation` room.
