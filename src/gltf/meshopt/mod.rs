//! EXT_meshopt_compression and KHR_meshopt_compression: buffer views that the document holds compressed.
//!
//! The decoder is meshoptimizer, by the crate `meshopt`: C++ that checks what it reads and asserts what it is called
//! with. What it asserts, and whether a stream can hold what is asked of it, is checked here first.

mod stream;
mod view;

pub(super) use stream::{Decoded, unread};
