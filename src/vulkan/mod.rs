//! The `vulkan` room.
