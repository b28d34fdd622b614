//! Why an image cannot be had.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::gltf) enum Fault {
    /// Nothing here decodes such images.
    Unsupported(String),
    /// A side is above the limit.
    TooLarge(u32),
    /// There is no memory for so many bytes.
    OutOfMemory(u64),
    /// The bytes are damaged.
    Damaged(String),
}
