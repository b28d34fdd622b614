//! egui in a winit window.

use super::over;
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
/// use fire_engine::egui::{EguiWindow, egui};
/// use fire_engine::winit::{NextFrame, winit};
/// use winit::event::{ElementState, WindowEvent};
/// # use fire_engine::vulkan::{Renderer, RendererError};
/// # use std::time::Instant;
/// # fn example(window: &winit::window::Window, renderer: &mut Renderer, event: &WindowEvent, pointer: (f32, f32), now: Instant)
/// # -> Result<NextFrame, RendererError> {
///
/// let mut gui = EguiWindow::new(window, renderer);
/// // For each event:
/// let _response = gui.on_event(window, event);
/// let is_for_egui = match event {
///     WindowEvent::MouseInput { state: ElementState::Pressed, .. } | WindowEvent::MouseWheel { .. } => gui.is_over(pointer),
///     WindowEvent::KeyboardInput { event, .. } if event.state.is_pressed() => gui.context().wants_keyboard_input(),
///     _ => false,
/// };
/// if !is_for_egui { /* it is for the camera, too */ }
/// // For each frame, before `draw_frame`:
/// let mut speed = 1.0;
/// let delay = gui.run(window, renderer, |context| {
///     egui::Window::new("Cube").show(context, |ui| ui.add(egui::Slider::new(&mut speed, 0.0..=4.0)));
/// })?;
/// // After it, if nothing else moves:
/// # return Ok(
/// NextFrame::Wait(delay.map(|delay| now + delay))
/// # );
/// # }
/// ```
///
/// # Which events are left for the application
///
/// What begins something (a press, a step of the wheel, a touch) is egui's where it lies [over](Self::is_over) egui, and the
/// press of a key is while a widget [has the keyboard](::egui::Context::wants_keyboard_input). What ends something or goes on
/// with it, releases and motion, the application should always take: it knows what it began.
///
/// [`EventResponse::consumed`] does not say that. Releases are consumed like presses: a camera that left them out would
/// stay dragged when the button goes up over a panel, and walk on when the key does in a text field. Presses are judged by
/// where the pointer was in the last run, which for a touch is elsewhere. And Tab is always consumed, since it gives the
/// focus to a widget; an application with another use for Tab does not hand it over.
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

    /// Whether a point of the window, in physical pixels as winit gives the pointer's, lies over a panel, window or other area
    /// that takes the pointer, as the last [`run`](Self::run) laid them out; everywhere while a modal one is open.
    #[must_use]
    pub fn is_over(&self, pixels: (f32, f32)) -> bool {
        over::is_over(self.state.egui_ctx(), pixels)
    }

    /// Takes an event of the window. The response says whether a frame should be drawn, and whether egui made use of the
    /// event; whether the application should is [another question](Self#which-events-are-left-for-the-application).
    pub fn on_event(&mut self, window: &Window, event: &WindowEvent) -> EventResponse {
        self.state.on_window_event(window, event)
    }

    /// Takes the motion of the mouse itself (`DeviceEvent::MouseMotion`), which egui uses while the pointer is held by
    /// something.
    pub fn on_mouse_motion(&mut self, delta: (f64, f64)) {
        self.state.on_mouse_motion(delta);
    }

    /// Runs the interface with the events since the last time, and paints it into the renderer's overlay. Returns after
    /// how long it should run again without an event: 0 while something moves, `None` if nothing will in the next hundred
    /// years. Added to an `Instant` it gives what [`NextFrame::Wait`](crate::winit::NextFrame::Wait) takes.
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
    ) -> Result<Option<Duration>, RendererError> {
        update_viewport(&mut self.state, window, false);
        let input = self.state.take_egui_input(window);
        let context = self.state.egui_ctx().clone();
        let mut output = context.run(input, interface);
        self.state.handle_platform_output(window, std::mem::take(&mut output.platform_output));
        let root = output.viewport_output.remove(&ViewportId::ROOT);
        let delay = root.as_ref().and_then(|root| within_reach(root.repaint_delay));
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

/// A delay that can be added to every `Instant`. egui has `Duration::MAX` for never, or a little less where that was asked for.
fn within_reach(delay: Duration) -> Option<Duration> {
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
    (delay <= CENTURY).then_some(delay)
}

fn update_viewport(state: &mut State, window: &Window, is_new: bool) {
    let context = state.egui_ctx().clone();
    let info = state.egui_input_mut().viewports.entry(ViewportId::ROOT).or_default();
    ::egui_winit::update_viewport_info(info, &context, window, is_new);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::egui::RawInput;
    use std::time::Instant;

    #[test]
    fn delays_can_be_added_to_now_and_never_is_none() {
        let context = Context::default();
        let delay = |ask: &dyn Fn(&Context)| {
            // Each request runs twice.
            let mut output = Default::default();
            for _ in 0..3 {
                output = context.run(RawInput::default(), |_| ());
            }
            let settled: &::egui::FullOutput = &output;
            assert_eq!(settled.viewport_output[&ViewportId::ROOT].repaint_delay, Duration::MAX);
            let output = context.run(RawInput::default(), |context| ask(context));
            within_reach(output.viewport_output[&ViewportId::ROOT].repaint_delay)
        };
        assert_eq!(delay(&|_| ()), None);
        assert_eq!(delay(&|context| context.request_repaint_after(Duration::MAX)), None);
        assert_eq!(delay(&|context| context.request_repaint()), Some(Duration::ZERO));
        let later = delay(&|context| context.request_repaint_after(Duration::from_secs(9))).unwrap();
        assert!(later > Duration::from_secs(8) && later <= Duration::from_secs(9));
        let _no_overflow = Instant::now() + within_reach(Duration::from_secs(3_153_600_000)).unwrap();
        assert_eq!(within_reach(Duration::from_secs(3_153_600_001)), None);
    }
}
