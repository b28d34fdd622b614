//! The panel in its window.

use super::fonts::Fonts;
use super::notices::notices;
use super::show::show;
use super::state::PanelState;
use super::typing;
use crate::app::error::AppError;
use crate::app::view::covered::Covered;
use crate::app::view::facts::Facts;
use crate::app::view::figures::Figures;
use crate::app::view::order::Order;
use crate::app::view::scenery::Scenery;
use crate::app::view::seen::Seen;
use crate::app::view::stage::name;
use egui::Popup;
use fire_engine::egui::EguiWindow;
use fire_engine::winit::WindowContext;
use std::time::Instant;
use winit::event::{ElementState, WindowEvent};
use winit::keyboard::{Key, NamedKey};

/// The panel, what it shows of the frames, and what connects it with the window and the renderer.
pub struct Panel {
    window: EguiWindow,
    state: PanelState,
    fonts: Fonts,
    /// What is being typed is to end.
    ends_typing: bool,
    facts: Facts,
    figures: Figures,
    covered: Covered,
    /// Where the pointer is, in pixels.
    pointer: (f32, f32),
}

/// Whether it begins something where the pointer is.
fn is_press(event: &WindowEvent) -> bool {
    matches!(
        event,
        WindowEvent::MouseInput { state: ElementState::Pressed, .. }
            | WindowEvent::MouseWheel { .. }
            | WindowEvent::PinchGesture { .. }
    )
}

impl Panel {
    /// A panel for a window.
    pub fn new(context: &WindowContext<'_>) -> Self {
        Self {
            window: EguiWindow::new(context.window, context.renderer),
            state: PanelState::new(),
            fonts: Fonts::default(),
            ends_typing: false,
            facts: Facts::new(context.renderer),
            figures: Figures::new(),
            covered: Covered::default(),
            pointer: (-1.0, -1.0),
        }
    }

    /// Tells the panel of an event; returns whether it wants it for itself.
    pub fn takes(&mut self, context: &WindowContext<'_>, event: &WindowEvent) -> bool {
        let (key, is_pressed) = match event {
            WindowEvent::KeyboardInput { event, .. } => {
                (Some(&event.logical_key), event.state == ElementState::Pressed)
            }
            _ => (None, false),
        };
        // What is pressed after the end of typing is not typed any more.
        if self.ends_typing && is_pressed {
            return false;
        }
        // It shows and hides the panel, unless something is being typed. In egui it gives the focus to a widget, which would
        // keep all keys from then on.
        if key == Some(&Key::Named(NamedKey::Tab)) {
            self.ends_typing |= is_pressed && self.window.context().wants_keyboard_input();
            return self.ends_typing;
        }
        let response = self.window.on_event(context.window, event);
        if let WindowEvent::CursorMoved { position, .. } = event {
            self.pointer = (position.x as f32, position.y as f32);
        }
        let egui = self.window.context();
        match key {
            // Where it is now: what egui consumes goes by where the pointer was in the last frame.
            None if is_press(event) => self.window.is_over(self.pointer),
            None => response.consumed,
            Some(Key::Named(NamedKey::Escape)) if Popup::is_any_open(egui) => true,
            Some(_) => egui.wants_keyboard_input(),
        }
    }

    /// Draws it, or what is seen without it; returns when it wants to be drawn again.
    ///
    /// # Errors
    /// As [`EguiWindow::run`].
    pub fn draw(
        &mut self,
        context: &mut WindowContext<'_>,
        scenery: Scenery<'_>,
        is_shown: bool,
        now: Instant,
        orders: &mut Vec<Order>,
    ) -> Result<Option<Instant>, AppError> {
        let Self { window, state, fonts, ends_typing, facts, figures, covered, .. } = self;
        let mut seen = Seen {
            stage: scenery.stage,
            models: scenery.models,
            refused: scenery.refused,
            loading: scenery.loader.map(|loader| (name(loader.path()), loader.progress())),
            message: scenery.message,
            shows_keys: scenery.shows_keys,
            figures,
            renderer: facts.look(context.renderer, now),
            is_full_screen: context.window.fullscreen().is_some(),
        };
        let waker = context.waker();
        let delay = window.run(context.window, context.renderer, |egui| {
            let waker = waker.clone();
            fonts.update(egui, &seen, move || waker.wake());
            if std::mem::take(ends_typing) {
                typing::end(egui);
            }
            if is_shown {
                show(egui, state, &mut seen, orders);
            }
            let (all, free) = (egui.content_rect(), egui.available_rect());
            let pixels = egui.pixels_per_point();
            *covered = Covered {
                left: (free.left() - all.left()).max(0.0) * pixels,
                bottom: (all.bottom() - free.bottom()).max(0.0) * pixels,
            };
            notices(egui, state, &seen, is_shown, orders);
        })?;
        Ok(delay.map(|delay| now + delay))
    }

    /// What of the picture it covers.
    pub fn covered(&self) -> Covered {
        self.covered
    }

    /// A frame was shown that began at `now`.
    pub fn shown(&mut self, now: Instant) {
        self.figures.record(now);
    }

    /// No frame is wanted for a while.
    pub fn rests(&mut self) {
        self.figures.pause();
    }
}
