//! Where images have their bytes.

use crate::gltf::LoadError;
use crate::gltf::document::{Image, Whole};
use crate::gltf::source::Source;
use std::fmt::Display;

/// Where an image's bytes come from. Images that share them are decoded once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::gltf) enum Origin<'a> {
    Uri(&'a str),
    View(Whole),
}

/// The one place that an image names for its bytes.
pub(in crate::gltf) fn origin<'a>(
    source: &Source<'_>,
    image: &'a Image,
    path: impl Display,
) -> Result<Origin<'a>, LoadError> {
    match (&image.uri, image.buffer_view) {
        (Some(uri), None) => Ok(Origin::Uri(uri)),
        (None, Some(view)) => Ok(Origin::View(view)),
        (Some(_), Some(_)) => Err(source.invalid(path, "it has both a uri and a bufferView; keep one")),
        (None, None) => Err(source.invalid(path, "it has neither a uri nor a bufferView; give it one")),
    }
}
