//! Which mode of drawing was just chosen.

use super::display::mode_name;
use egui::Context;
use fire_engine::vulkan::ViewMode;
use std::time::Duration;

/// How long a mode of drawing is told, in seconds.
const MOMENT: f64 = 2.0;

/// What was told of the modes of drawing.
#[derive(Debug, Default)]
pub struct ModeNotice {
    mode: Option<ViewMode>,
    /// In seconds of egui.
    until: f64,
}

impl ModeNotice {
    /// The mode, for a moment after it was changed while the panel, which tells it, was hidden.
    pub fn changed(&mut self, context: &Context, mode: ViewMode, has_panel: bool) -> Option<&'static str> {
        let now = context.input(|input| input.time);
        let before = self.mode.replace(mode);
        if has_panel {
            self.until = now;
        } else if before.is_some_and(|before| before != mode) {
            self.until = now + MOMENT;
        }
        let left = Duration::try_from_secs_f64(self.until - now).ok().filter(|left| !left.is_zero())?;
        context.request_repaint_after(left);
        Some(mode_name(mode))
    }
}
