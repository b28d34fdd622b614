//! From the bytes of an image file to pixels.
//!
//! In two steps, so that what an image takes is known, counted and admitted before any of it is decoded, wherever that
//! happens: [`measure`] reads the header, [`decode`] the rest.

mod dispatch;
mod fault;
mod header;
#[cfg(feature = "jpeg")]
mod jpeg;
mod kind;
#[cfg(feature = "basisu")]
mod ktx2;
#[cfg(any(feature = "png", feature = "jpeg", feature = "webp"))]
mod place;
#[cfg(feature = "png")]
mod png;
#[cfg(feature = "webp")]
mod webp;

pub(super) use dispatch::{decode, measure};
pub(super) use fault::Fault;
pub(super) use header::Header;
pub(super) use kind::Kind;
