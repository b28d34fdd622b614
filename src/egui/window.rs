//! egui in a winit window.

use super::painter::EguiPainter;
use crate::vulkan::{Renderer, RendererError};
use ::egui::{Context, Event, ViewportId, ViewportOutput};
use ::egui_winit::{ActionRequested, EventResponse, State};
use std::time::Duration;
use winit::event::WindowEvent;
use winit::window::Window;

/// An egui context with the input of one window and a painter for its renderer.
///
/// Give it every event of the window, and run it before each frame:
///
/// ```no_run
/// # use fire_engine::egui::{EguiWindow, egui};
/// # use fire_engine::vulkan::{Renderer, RendererError};
/// # use std::time::Duration;
/// # fn example(window: &winit::window::Window, renderer: &mut Renderer, event: &winit::event::WindowEvent)
/// # -> Result<(), RendererError> {
/// let mut gui = EguiWindow::new(window, renderer);
/// // For each event:
/// let response = gui.on_event(window, event);
/// if !response.consumed { /* it is for the camera */ }
/// // For each frame, before `draw_frame`:
/// let mut speed = 1.0;
/// let next: Duration = gui.run(window, renderer, |context| {
///     egui::Window::new("Cube").show(context, |ui| ui.add(egui::Slider::new(&mut speed, 0.0..=4.0)));
/// })?;
/// # Ok(())
/// # }
/// ```
///
/// Text is copied to and pasted from other programs through X11, also that of a Wayland desktop (XWayland); where there is none
/// it stays within the interface. Wayland's own clipboard would have to be let go before the event loop, which nobody could
/// see to here.
pub struct EguiWindow {
    state: State,
    painter: EguiPainter,
}

impl EguiWindow {
    /// A new context for a window and its renderer, in the theme and with the scale of the window.
    #[must_use]
    pub fn new(window: &Window, renderer: &Renderer) -> Self {
        let side = EguiPainter::max_texture_side(renderer);
        let scale = Some(window.scale_factor() as f32);
        let mut state =
            State::new(Context::default(), ViewportId::ROOT, window, scale, window.theme(), Some(side));
        update_viewport(&mut state, window, true);
        Self { state, painter: EguiPainter::new() }
    }

    /// The context, to change its style or to ask whether it wants the keyboard or the pointer.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.state.egui_ctx()
    }

    /// What paints, to register textures.
    pub fn painter_mut(&mut self) -> &mut EguiPainter {
        &mut self.painter
    }

    /// Takes an event of the window. The response says whether egui uses it alone, and whether a frame should be drawn.
    pub fn on_event(&mut self, window: &Window, event: &WindowEvent) -> EventResponse {
        self.state.on_window_event(window, event)
    }

    /// Takes the motion of the mouse itself (`DeviceEvent::MouseMotion`), which egui uses while the pointer is held by
    /// something.
    pub fn on_mouse_motion(&mut self, delta: (f64, f64)) {
        self.state.on_mouse_motion(delta);
    }

    /// Runs the interface with the events since the last time, and paints it into the renderer's overlay. Returns after
    /// how long it should run again without an event: 0 while something moves, and [`Duration::MAX`] if nothing will.
    ///
    /// Commands to the window, such as a title or full screen, are carried out. Nothing else than the window itself is
    /// shown: further viewports appear inside of it, and screenshots are not taken.
    ///
    /// # Errors
    /// As [`EguiPainter::paint`].
    pub fn run(
        &mut self,
        window: &Window,
        renderer: &mut Renderer,
        interface: impl FnMut(&Context),
    ) -> Result<Duration, RendererError> {
        update_viewport(&mut self.state, window, false);
        let input = self.state.take_egui_input(window);
        let context = self.state.egui_ctx().clone();
        let mut output = context.run(input, interface);
        self.state.handle_platform_output(window, std::mem::take(&mut output.platform_output));
        let root = output.viewport_output.remove(&ViewportId::ROOT);
        let delay = root.as_ref().map_or(Duration::MAX, |root| root.repaint_delay);
        if let Some(root) = root {
            self.obey(window, root);
        }
        self.painter.paint(renderer, &context, output)?;
        Ok(delay)
    }

    fn obey(&mut self, window: &Window, root: ViewportOutput) {
        let (context, mut actions) = (self.state.egui_ctx().clone(), Vec::new());
        let info = self.state.egui_input_mut().viewports.entry(ViewportId::ROOT).or_default();
        ::egui_winit::process_viewport_commands(&context, info, root.commands, window, &mut actions);
        for action in actions {
            let event = match action {
                ActionRequested::Cut => Some(Event::Cut),
                ActionRequested::Copy => Some(Event::Copy),
                ActionRequested::Paste => self.state.clipboard_text().map(Event::Paste),
                ActionRequested::Screenshot(_) => None,
            };
            self.state.egui_input_mut().events.extend(event);
        }
    }
}

impl std::fmt::Debug for EguiWindow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EguiWindow").field("painter", &self.painter).finish_non_exhaustive()
    }
}

fn update_viewport(state: &mut State, window: &Window, is_new: bool) {
    let context = state.egui_ctx().clone();
    let info = state.egui_input_mut().viewports.entry(ViewportId::ROOT).or_default();
    ::egui_winit::update_viewport_info(info, &context, window, is_new);
}
