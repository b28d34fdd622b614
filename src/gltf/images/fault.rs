//! How faults of images are worded.

use crate::gltf::LoadError;
use crate::gltf::decode::Fault;
use crate::gltf::document::Image;
use crate::gltf::source::Source;
use crate::gltf::text::shown;
use crate::gltf::uri::is_data;
use std::fmt::Display;

/// An image's error without the file and the path, which a report's row has already.
pub(super) fn reason(error: &LoadError) -> String {
    match error {
        LoadError::Image { reason, .. } | LoadError::Unsupported { reason, .. } => reason.clone(),
        LoadError::Resource { uri, cause, .. } => format!("\"{uri}\": {cause}"),
        error => error.to_string(),
    }
}

/// That of an image, which is named if it is a file of its own.
pub(super) fn unavailable(source: &Source<'_>, fault: Fault, path: impl Display, image: &Image) -> LoadError {
    let (file, json_path) = (source.file.to_owned(), path.to_string());
    match fault {
        Fault::Unsupported(reason) => source.unsupported(path, reason),
        Fault::TooLarge(side) => LoadError::Limit {
            file,
            json_path,
            what: "the image's larger side",
            actual: u64::from(side),
            limit: u64::from(source.limits.image_dimension),
            field: "image_dimension",
        },
        Fault::OutOfMemory(bytes) => source.out_of_memory(bytes, path),
        Fault::Damaged(reason) => {
            let file_name = image.uri.as_ref().filter(|uri| !is_data(uri));
            let name = file_name.map_or_else(String::new, |uri| format!("\"{}\": ", shown(uri)));
            LoadError::Image { file, json_path, reason: format!("{name}{reason}; export the image again") }
        }
    }
}
