//! Decides whether anything must be compiled for the GPU.
//!
//! The key is exact: which catalogue, at which revision, the view mode, and the render-object ids of the draw list in
//! order, duplicates included. Transforms, times and materials' use of them are no part of it, so a pose change is always
//! a hit.

mod error;
mod plan;
mod view;

pub use error::PreparationError;
pub use plan::{ImageUse, PreparedObject, RenderPlan, RenderPreparation};
pub use view::ViewMode;
