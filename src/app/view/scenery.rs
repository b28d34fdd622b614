//! What of the viewer a panel shows.

use super::loader::Loader;
use super::stage::Stage;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The viewer's part of what is seen.
#[cfg_attr(not(feature = "egui"), allow(dead_code, reason = "nothing is drawn over the picture then"))]
pub struct Scenery<'a> {
    /// The model on show.
    pub stage: &'a Stage,
    /// The list of models.
    pub models: &'a [PathBuf],
    /// Those that could not be shown.
    pub refused: &'a BTreeMap<PathBuf, String>,
    /// What is being loaded.
    pub loader: Option<&'a Loader>,
    /// What went wrong last.
    pub message: Option<&'a str>,
    /// Whether it is to be said what keys and the mouse do.
    pub shows_keys: bool,
}
