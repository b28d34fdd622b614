//! The event loop around a window application.

use super::app::{NextFrame, WindowApp, WindowContext};
use super::display;
use super::error::{WindowError, plain};
use super::guard::guarded;
use super::options::WindowOptions;
use super::schedule::{Schedule, Turn};
use super::waker::Waker;
use crate::vulkan::{Renderer, RendererError, RendererOptions};
use std::sync::Arc;
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::error::EventLoopError;
use winit::event::{DeviceEvent, DeviceId, ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Fullscreen, Window, WindowId};

/// What winit opens at run time under Debian and Ubuntu.
const PACKAGES: &str = "libxcursor1 libxi6 libxkbcommon-x11-0";

/// Opens a window and drives `app` in it, until that is done or the window is closed: `Ok(None)`.
///
/// `Ok(Some(reason))` if no window could be opened: there is no display, libraries of the window system are missing, or no
/// device can draw to the window. Then `app` was not started, and may be driven in another way, without a window.
///
/// Has to be called on the main thread, which some window systems insist on, and once in a process, as winit has it; else
/// there is no window, for a reason that says so. Under Linux, Wayland is used if it answers, else X11.
///
/// ```no_run
/// use fire_engine::vulkan::RendererOptions;
/// use fire_engine::winit::{WindowApp, WindowOptions, run};
///
/// fn show(app: &mut impl WindowApp<Error = fire_engine::Error>) -> Result<(), fire_engine::Error> {
///     let window = WindowOptions { title: "a turning cube".into(), ..WindowOptions::default() };
///     if let Some(reason) = run(app, window, RendererOptions { samples: 4, ..RendererOptions::default() })? {
///         println!("no window: {reason}"); // `app` is as it was, and may draw pictures instead
///     }
///     Ok(())
/// }
/// ```
///
/// # Errors
/// [`WindowError::App`] with what `app` reported, or with what keeps any renderer from being made, with or without a
/// window: no Vulkan loader or driver, no validation layer, a faulty option. [`WindowError::WindowSystem`] if the window
/// system failed later on.
pub fn run<A: WindowApp>(
    app: &mut A,
    window: WindowOptions,
    renderer: RendererOptions,
) -> Result<Option<String>, WindowError<A::Error>> {
    if let Some(reason) = display::missing() {
        return Ok(Some(reason));
    }
    let event_loop = match guarded(event_loop) {
        Ok(Ok(event_loop)) => event_loop,
        Ok(Err(error)) => return Ok(Some(format!("{}{}", plain(error), hint()))),
        Err(reason) if reason.contains("main thread") => return Ok(Some(reason)),
        Err(reason) => return Ok(Some(format!("{reason} (packages to install: {PACKAGES})"))),
    };
    let mut host = Host {
        app,
        wanted: Some((window, renderer)),
        closes_on_escape: false,
        waker: Waker::new(event_loop.create_proxy()),
        open: None,
        schedule: Schedule::new(false),
        size: PhysicalSize::new(0, 0),
        may_have_resized: false,
        was_shown: true,
        end: None,
    };
    let ran = event_loop.run_app(&mut host);
    // `exiting` has dropped renderer and window, unless the loop failed.
    host.close();
    match (host.end, ran) {
        (Some(End::NoWindow(reason)), _) => Ok(Some(reason)),
        (Some(End::Failed(error)), _) => Err(WindowError::App(error)),
        (_, Err(error)) => Err(WindowError::WindowSystem { reason: plain(error) }),
        (_, Ok(())) => Ok(None),
    }
}

/// Connects to the window system: under Linux to Wayland if it is there, else to X11.
fn event_loop() -> Result<EventLoop<()>, EventLoopError> {
    let mut builder = EventLoop::builder();
    #[cfg(target_os = "linux")]
    if display::has_both() && display::is_wayland_stale() {
        winit::platform::x11::EventLoopBuilderExtX11::with_x11(&mut builder);
    }
    builder.build()
}

/// What to try when there is no event loop.
fn hint() -> &'static str {
    #[cfg(target_os = "linux")]
    if display::has_both() && !display::is_wayland_stale() {
        return "; unset WAYLAND_DISPLAY and WAYLAND_SOCKET to use X11";
    }
    ""
}

/// The renderer goes before the window.
struct Open {
    renderer: Renderer,
    window: Arc<Window>,
}

/// How the run came to its end.
enum End<E> {
    NoWindow(String),
    Failed(E),
    Finished,
}

struct Host<'a, A: WindowApp> {
    app: &'a mut A,
    /// What is to be opened, until it is.
    wanted: Option<(WindowOptions, RendererOptions)>,
    closes_on_escape: bool,
    waker: Waker,
    open: Option<Open>,
    schedule: Schedule,
    /// The window's size as the renderer knows it.
    size: PhysicalSize<u32>,
    /// Something happened that can change the size, told or not.
    may_have_resized: bool,
    /// Whether the last frame was shown.
    was_shown: bool,
    end: Option<End<A::Error>>,
}

impl<A: WindowApp> Host<'_, A> {
    fn open(
        &mut self,
        event_loop: &ActiveEventLoop,
        window: WindowOptions,
        renderer: RendererOptions,
    ) -> Result<(), End<A::Error>> {
        self.closes_on_escape = window.close_on_escape;
        let attributes = Window::default_attributes()
            .with_title(window.title)
            .with_inner_size(PhysicalSize::new(window.size.0.max(1), window.size.1.max(1)))
            .with_fullscreen(window.full_screen.then_some(Fullscreen::Borderless(None)));
        let window = guarded(|| event_loop.create_window(attributes)).map_err(End::NoWindow)?;
        let window = Arc::new(window.map_err(|error| End::NoWindow(plain(error)))?);
        self.size = window.inner_size();
        let PhysicalSize { width, height } = self.size;
        let renderer = Renderer::windowed(Arc::clone(&window), (width, height), renderer);
        let renderer = renderer.map_err(|error| match error {
            // Nothing that a window has to do with: headless would fail in the same way.
            RendererError::NoLoader { .. }
            | RendererError::NoDriver { .. }
            | RendererError::ValidationUnavailable { .. }
            | RendererError::InvalidOption { .. } => End::Failed(error.into()),
            _ => End::NoWindow(error.to_string()),
        })?;
        self.schedule = Schedule::new(width > 0 && height > 0);
        self.open = Some(Open { renderer, window });
        Ok(())
    }

    /// Calls the application, unless it is over. A failure and [`WindowContext::close`] end the run.
    fn call<T>(
        &mut self,
        call: impl FnOnce(&mut A, &mut WindowContext<'_>) -> Result<T, A::Error>,
    ) -> Option<T> {
        let open = self.open.as_mut().filter(|_| self.end.is_none())?;
        let mut is_closing = false;
        let mut context = WindowContext {
            renderer: &mut open.renderer,
            window: &open.window,
            waker: &self.waker,
            is_closing: &mut is_closing,
        };
        match call(self.app, &mut context) {
            Ok(_) if is_closing => {
                self.finish();
                None
            }
            Ok(value) => Some(value),
            Err(error) => {
                self.end = Some(End::Failed(error));
                None
            }
        }
    }

    fn finish(&mut self) {
        let finished = self.call(|app, context| {
            let finished = app.finish(context);
            // It is closing already.
            *context.is_closing = false;
            finished
        });
        if finished.is_some() {
            self.end = Some(End::Finished);
        }
    }

    /// Draws a frame and notes when the next is due.
    fn draw(&mut self) {
        let Some(open) = &self.open else { return };
        // Under Wayland this holds the next redraw back until the compositor wants one.
        open.window.pre_present_notify();
        let before = open.renderer.shown_frames();
        let began = Instant::now();
        let Some(next) = self.call(|app, context| app.frame(context, began)) else { return };
        self.was_shown = self.open.as_ref().is_some_and(|open| open.renderer.shown_frames() != before);
        self.schedule.drawn(next, began, Instant::now());
        if next == NextFrame::Done {
            self.finish();
        }
    }

    fn resize(&mut self, size: PhysicalSize<u32>) {
        let has_area = size.width > 0 && size.height > 0;
        let resized = self.call(|app, context| {
            context.renderer.resize(size.width, size.height)?;
            if !has_area {
                app.pause();
            }
            Ok(())
        });
        if resized.is_some() {
            self.size = size;
            self.schedule.resized(has_area);
        }
    }

    /// Follows a size that changed without an event of its own, as when the window moved to a display of another scale.
    fn follow_size(&mut self) {
        if !std::mem::take(&mut self.may_have_resized) {
            return;
        }
        let size = self.open.as_ref().map(|open| open.window.inner_size());
        if let Some(size) = size.filter(|size| *size != self.size) {
            self.resize(size);
        }
    }

    fn ends(&self, event: &WindowEvent) -> bool {
        match event {
            // Destroyed by another program there is nothing to draw into any more.
            WindowEvent::CloseRequested | WindowEvent::Destroyed => true,
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => {
                let KeyEvent { logical_key, state, .. } = event;
                self.closes_on_escape
                    && *logical_key == Key::Named(NamedKey::Escape)
                    && *state == ElementState::Pressed
            }
            _ => false,
        }
    }

    /// The last thing in every call of winit.
    fn leave_at_the_end(&self, event_loop: &ActiveEventLoop) {
        if self.end.is_some() {
            event_loop.exit();
        }
    }

    fn close(&mut self) {
        if let Some(Open { renderer, window }) = self.open.take() {
            drop(renderer);
            drop(window);
        }
    }
}

impl<A: WindowApp> ApplicationHandler for Host<'_, A> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if let Some((window, renderer)) = self.wanted.take() {
            match self.open(event_loop, window, renderer) {
                Ok(()) => {
                    self.call(|app, context| app.start(context));
                }
                Err(end) => self.end = Some(end),
            }
        }
        self.leave_at_the_end(event_loop);
    }

    fn user_event(&mut self, _: &ActiveEventLoop, (): ()) {
        self.waker.arrived();
        self.schedule.happened();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        self.schedule.happened();
        match event {
            WindowEvent::RedrawRequested => {
                if self.schedule.turn(Instant::now()) == Turn::Draw {
                    self.draw();
                }
                return self.leave_at_the_end(event_loop);
            }
            WindowEvent::Resized(size) => self.resize(size),
            // The new size comes later, or not at all.
            WindowEvent::ScaleFactorChanged { .. } | WindowEvent::Moved(_) => self.may_have_resized = true,
            WindowEvent::Occluded(is_covered) => self.schedule.covered(is_covered),
            _ => {}
        }
        self.call(|app, context| app.event(context, &event));
        if self.ends(&event) {
            self.finish();
        }
        self.leave_at_the_end(event_loop);
    }

    fn device_event(&mut self, event_loop: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        self.schedule.happened();
        self.call(|app, context| app.device_event(context, &event));
        self.leave_at_the_end(event_loop);
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.follow_size();
        // The compositor of Wayland answers frames that are shown, and winit waits for that answer: after one that was not
        // shown there would be no redraw any more.
        if !self.was_shown && self.schedule.turn(Instant::now()) == Turn::Draw {
            self.draw();
        }
        if let Some(open) = self.open.as_ref().filter(|_| self.end.is_none()) {
            event_loop.set_control_flow(match self.schedule.turn(Instant::now()) {
                Turn::Sleep => ControlFlow::Wait,
                Turn::SleepUntil(time) => ControlFlow::WaitUntil(time),
                Turn::Draw if self.was_shown => {
                    open.window.request_redraw();
                    ControlFlow::Wait
                }
                Turn::Draw => ControlFlow::Poll,
            });
        }
        self.leave_at_the_end(event_loop);
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.close();
    }
}
