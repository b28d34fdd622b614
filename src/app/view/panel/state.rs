//! What the panel remembers.

use super::choices::Choices;
use super::drawn::Drawn;
use super::materials::Materials;
use super::mode_notice::ModeNotice;
use super::nodes::Nodes;
use super::report::Report;

/// What is open, selected and looked for, and what took long to find out. Which sections are open is kept by egui.
#[derive(Debug, Default)]
pub struct PanelState {
    pub(super) choices: Choices,
    pub(super) nodes: Nodes,
    pub(super) materials: Materials,
    pub(super) drawn: Drawn,
    pub(super) report: Report,
    pub(super) mode_notice: ModeNotice,
}

impl PanelState {
    /// Nothing is selected yet.
    pub fn new() -> Self {
        Self::default()
    }
}
