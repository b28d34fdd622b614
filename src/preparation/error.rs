//! Why nothing could be planned.

use crate::assets::{AssetError, RenderObjectId};

/// A fault found while planning; the cached plan and the generation stay as they were.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PreparationError {
    /// The catalogue is faulty, used or not.
    #[error(transparent)]
    Assets(#[from] AssetError),
    /// A draw names a render object that the catalogue does not have.
    #[error(
        "draw {draw} of the scene names render object {object}, but the catalogue has {count}: add it, or draw the scene with the catalogue that it was built for"
    )]
    UnknownRenderObject {
        /// Position in the draw list.
        draw: usize,
        /// What it names.
        object: RenderObjectId,
        /// Number of render objects in the catalogue.
        count: usize,
    },
}
