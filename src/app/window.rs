//! The host with a window.

use super::arguments::Size;
#[cfg(target_os = "linux")]
use super::display;
use super::error::AppError;
use super::progress::Next;
use super::show::Show;
use fire_engine::vulkan::{Renderer, RendererError, RendererOptions};
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::error::EventLoopError;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

/// How long to wait after a frame that was not shown. With nothing to see there is no hurry.
const RETRY_AFTER: Duration = Duration::from_millis(10);

/// What the window library opens at run time under Debian and Ubuntu.
const PACKAGES: &str = "libxcursor1 libxi6 libxkbcommon-x11-0";

/// Drives `show` in a window of that size in pixels, until it is done or the window is closed. Returns why there is no
/// window, if none could be opened; then `show` was not started.
///
/// # Errors
/// What `show` or the renderer report, and [`AppError::WindowSystem`].
pub fn run(show: &mut dyn Show, size: Size, options: RendererOptions) -> Result<Option<String>, AppError> {
    let event_loop = match guarded(event_loop) {
        Ok(Ok(event_loop)) => event_loop,
        Ok(Err(error)) => return Ok(Some(format!("{}{}", plain(error), hint()))),
        Err(reason) => return Ok(Some(format!("{reason} (packages to install: {PACKAGES})"))),
    };
    let mut host = Host { show, size, options, open: None, wake: Wake::Now, end: None };
    let ran = event_loop.run_app(&mut host);
    // `exiting` has dropped renderer and window, unless the loop failed.
    host.close();
    match (host.end, ran) {
        (Some(End::NoWindow(reason)), _) => Ok(Some(reason)),
        (Some(End::Failed(error)), _) => Err(error),
        (_, Err(error)) => Err(AppError::WindowSystem(plain(error))),
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

/// An error of the window library without the place in its source, `os error at <path>:<line>: `, that it may begin with.
fn plain(error: impl Display) -> String {
    let text = error.to_string();
    let reason = text.strip_prefix("os error at ").and_then(|text| {
        let (_, text) = text.split_once(".rs:")?;
        Some(text.trim_start_matches(|letter: char| letter.is_ascii_digit()).strip_prefix(": ")?.to_owned())
    });
    reason.unwrap_or(text)
}

/// Calls a function of the window library, some of which panic where libraries are missing.
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    panic::set_hook(hook);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        format!("the window library failed: {}", text.unwrap_or_else(|| "no reason given".to_owned()))
    })
}

/// The renderer goes before the window.
struct Open {
    renderer: Renderer,
    window: Arc<Window>,
}

/// When the next frame is due.
enum Wake {
    Now,
    At(Instant),
    /// When something happens: the window has no area.
    OnEvent,
}

/// How the show came to its end.
enum End {
    NoWindow(String),
    Failed(AppError),
    Finished,
}

struct Host<'a> {
    show: &'a mut dyn Show,
    size: Size,
    options: RendererOptions,
    open: Option<Open>,
    wake: Wake,
    end: Option<End>,
}

impl Host<'_> {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), End> {
        let attributes = Window::default_attributes()
            .with_title("fire-engine")
            .with_inner_size(PhysicalSize::new(self.size.width, self.size.height));
        let window = guarded(|| event_loop.create_window(attributes)).map_err(End::NoWindow)?;
        let window = Arc::new(window.map_err(|error| End::NoWindow(plain(error)))?);
        let PhysicalSize { width, height } = window.inner_size();
        let renderer = Renderer::windowed(Arc::clone(&window), (width, height), self.options.clone());
        let renderer = renderer.map_err(|error| match error {
            // Nothing that a window has to do with: headless would fail in the same way.
            RendererError::NoLoader { .. }
            | RendererError::NoDriver { .. }
            | RendererError::ValidationUnavailable { .. }
            | RendererError::InvalidOption { .. } => End::Failed(error.into()),
            _ => End::NoWindow(error.to_string()),
        })?;
        let open = self.open.insert(Open { renderer, window });
        self.show.start(&mut open.renderer).map_err(End::Failed)
    }

    /// Draws a frame, unless there is no area or it is too early.
    fn redraw(&mut self) -> Result<Next, AppError> {
        let Some(open) = &mut self.open else { return Ok(Next::Continue) };
        match self.wake {
            Wake::OnEvent => return Ok(Next::Continue),
            Wake::At(time) if Instant::now() < time => return Ok(Next::Continue),
            Wake::At(_) | Wake::Now => {}
        }
        // Under Wayland this holds the next redraw back until the compositor wants one.
        open.window.pre_present_notify();
        let next = self.show.frame(&mut open.renderer, Instant::now())?;
        self.wake = match next {
            Next::Retry => Wake::At(Instant::now() + RETRY_AFTER),
            Next::Continue | Next::Done => Wake::Now,
        };
        Ok(next)
    }

    fn resize(&mut self, size: PhysicalSize<u32>) -> Result<Next, AppError> {
        let Some(open) = &mut self.open else { return Ok(Next::Continue) };
        open.renderer.resize(size.width, size.height)?;
        if size.width == 0 || size.height == 0 {
            self.wake = Wake::OnEvent;
            self.show.pause();
        } else {
            self.wake = Wake::Now;
        }
        Ok(Next::Continue)
    }

    /// Ends the loop if that was the last frame, or a failure.
    fn after(&mut self, event_loop: &ActiveEventLoop, next: Result<Next, AppError>) {
        match next {
            Ok(Next::Done) => self.finish(event_loop),
            Ok(Next::Continue | Next::Retry) => {}
            Err(error) => self.exit(event_loop, End::Failed(error)),
        }
    }

    fn finish(&mut self, event_loop: &ActiveEventLoop) {
        if self.end.is_some() {
            return;
        }
        let finished = self.open.as_mut().map_or(Ok(()), |open| self.show.finish(&mut open.renderer));
        self.exit(event_loop, finished.map_or_else(End::Failed, |()| End::Finished));
    }

    fn exit(&mut self, event_loop: &ActiveEventLoop, end: End) {
        self.end.get_or_insert(end);
        event_loop.exit();
    }

    fn close(&mut self) {
        if let Some(Open { renderer, window }) = self.open.take() {
            drop(renderer);
            drop(window);
        }
    }
}

impl ApplicationHandler for Host<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_none()
            && self.end.is_none()
            && let Err(end) = self.open(event_loop)
        {
            self.exit(event_loop, end);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if self.end.is_some() {
            return;
        }
        match event {
            WindowEvent::CloseRequested => self.finish(event_loop),
            WindowEvent::KeyboardInput {
                event:
                    KeyEvent { logical_key: Key::Named(NamedKey::Escape), state: ElementState::Pressed, .. },
                ..
            } => self.finish(event_loop),
            WindowEvent::Resized(size) => {
                let resized = self.resize(size);
                self.after(event_loop, resized);
            }
            WindowEvent::RedrawRequested => {
                let next = self.redraw();
                self.after(event_loop, next);
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(open) = self.open.as_ref().filter(|_| self.end.is_none()) else { return };
        let now = Instant::now();
        event_loop.set_control_flow(match self.wake {
            Wake::OnEvent => ControlFlow::Wait,
            Wake::At(time) if now < time => ControlFlow::WaitUntil(time),
            Wake::At(_) | Wake::Now => {
                open.window.request_redraw();
                ControlFlow::Poll
            }
        });
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn the_place_in_the_library_is_cut_off() {
        let at = "os error at /home/me/registry/winit-0.30/src/platform_impl/linux/mod.rs:788: no: display";
        assert_eq!(plain(at), "no: display");
        assert_eq!(plain(r"os error at C:\registry\winit\src\window.rs:1: refused"), "refused");
        for other in ["no display", "os error at noon", "os error at a.rs:b", "in mod.rs:7: no"] {
            assert_eq!(plain(other), other);
        }
    }
}
