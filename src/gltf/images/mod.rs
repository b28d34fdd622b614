//! Images: which are read, and their way through the threads.
//!
//! The loading thread goes through the document's images in order. It reads the bytes of those that are used, looks at the
//! header and counts what decoding will take; then any thread may decode. So the resolver is asked in order and on one
//! thread, limits are met at the same image whatever the number of threads, and what is held undecoded is bounded.

mod fault;
mod import;
mod job;
mod notes;
mod origin;
mod pixels;
mod plan;
mod read;

pub(super) use import::import;
pub(super) use origin::origin;
