//! The panel in its window.

use super::{PanelState, show, show_without};
use crate::app::error::AppError;
use crate::app::view::order::Order;
use crate::app::view::seen::Seen;
use fire_engine::egui::EguiWindow;
use fire_engine::winit::WindowContext;
use std::time::Duration;
use winit::event::WindowEvent;

/// The panel, and what connects it with the window and the renderer.
pub struct Panel {
    window: EguiWindow,
    state: PanelState,
}

impl Panel {
    /// A panel for a window.
    ///
    /// # Errors
    /// As [`EguiWindow::new`].
    pub fn new(context: &mut WindowContext<'_>) -> Result<Self, AppError> {
        Ok(Self { window: EguiWindow::new(context.window, context.renderer)?, state: PanelState::default() })
    }

    /// Tells the panel of an event; returns whether it wants it for itself.
    pub fn takes(&mut self, context: &WindowContext<'_>, event: &WindowEvent, is_shown: bool) -> bool {
        let response = self.window.on_event(context.window, event);
        if response.repaint {
            context.window.request_redraw();
        }
        // Keys that move the focus from widget to widget are the program's unless one has it.
        let keyboard = matches!(event, WindowEvent::KeyboardInput { .. });
        is_shown && if keyboard { self.window.context().wants_keyboard_input() } else { response.consumed }
    }

    /// Draws it, or what is seen without it; returns how long it may stay as it is.
    ///
    /// # Errors
    /// As [`EguiWindow::run`].
    pub fn draw(
        &mut self,
        context: &mut WindowContext<'_>,
        seen: &mut Seen<'_>,
        is_shown: bool,
        orders: &mut Vec<Order>,
    ) -> Result<Duration, AppError> {
        let Self { window, state } = self;
        Ok(window.run(context.window, context.renderer, |egui| match is_shown {
            true => show(egui, state, seen, orders),
            false => show_without(egui, seen),
        })?)
    }
}
