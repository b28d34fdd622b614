//! The `math` room.
