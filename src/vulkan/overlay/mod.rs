//! Flat triangles over the finished picture: user interfaces, text, statistics.

pub(crate) mod data;
pub(crate) mod pass;
mod textures;
