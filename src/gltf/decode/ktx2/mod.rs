//! KTX2 images with Basis Universal payloads, as KHR_texture_basisu has them.
//!
//! The transcoder is the crate `basisu`, a port to Rust. It asks for little of what it reads: a code table that is not
//! complete or a count near 2^32 makes it panic. So the container is read here, strictly; what is entropy-coded is walked
//! through once; and the transcoder gets a container that is written anew from the checked parts.

mod basis_lz;
mod bits;
mod container;
mod transcode;
mod zstd;

pub(super) use transcode::{header, transcode};
