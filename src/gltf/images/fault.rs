//! How faults of images are worded.

use crate::gltf::LoadError;
use crate::gltf::decode::Fault;
use crate::gltf::source::Source;
use std::fmt::Display;

/// An image's error without the file and the path, which a report's row has already.
pub(super) fn reason(error: &LoadError) -> String {
    match error {
        LoadError::Image { reason, .. } | LoadError::Unsupported { reason, .. } => reason.clone(),
        LoadError::Resource { uri, cause, .. } => format!("\"{uri}\": {cause}"),
        error => error.to_string(),
    }
}

pub(super) fn unavailable(source: &Source<'_>, fault: Fault, path: impl Display) -> LoadError {
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
            LoadError::Image { file, json_path, reason: format!("{reason}; export the image again") }
        }
    }
}
