//! What an application in a window is.

use super::waker::Waker;
use crate::vulkan::{FrameOutcome, Renderer, RendererError};
use std::sync::Arc;
use std::time::Instant;
use winit::event::{DeviceEvent, WindowEvent};
use winit::window::Window;

/// What runs in a window. [`run`](super::run) calls it, always on the thread that `run` was called on.
///
/// An error of any call ends the run: nothing more is called, not even [`finish`](Self::finish).
///
/// ```
/// use fire_engine::scene::{Camera, Content};
/// use fire_engine::winit::winit::event::WindowEvent;
/// use fire_engine::winit::{NextFrame, WindowApp, WindowContext};
/// use std::time::Instant;
///
/// /// Shows a model that does not move, and takes no time while nothing happens.
/// struct Still {
///     content: Content,
///     camera: Camera,
/// }
///
/// impl WindowApp for Still {
///     type Error = fire_engine::Error;
///
///     fn start(&mut self, context: &mut WindowContext<'_>) -> Result<(), Self::Error> {
///         self.content.scene.update_world_transforms();
///         Ok(context.renderer.prepare(&self.content.assets, &self.content.scene)?)
///     }
///
///     fn event(&mut self, context: &mut WindowContext<'_>, event: &WindowEvent) -> Result<(), Self::Error> {
///         if matches!(event, WindowEvent::MouseInput { .. }) {
///             context.close(); // a click ends it
///         }
///         Ok(())
///     }
///
///     fn frame(&mut self, context: &mut WindowContext<'_>, _: Instant) -> Result<NextFrame, Self::Error> {
///         match context.renderer.draw_frame(&self.content.scene, &self.camera)?.into() {
///             NextFrame::Continue => Ok(NextFrame::Wait(None)), // it was shown
///             again => Ok(again),
///         }
///     }
/// }
/// ```
pub trait WindowApp {
    /// What its calls fail with, such as [`Error`](crate::Error) or `Box<dyn std::error::Error>`.
    type Error: From<RendererError>;

    /// Called once, when window and renderer are there.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn start(&mut self, context: &mut WindowContext<'_>) -> Result<(), Self::Error>;

    /// Something happened to the window: input, say. The host has done its own part before, so after a resize the
    /// renderer knows the new size. Not called for `RedrawRequested`, which is what [`frame`](Self::frame) is for.
    /// Closing cannot be prevented: after `CloseRequested` comes [`finish`](Self::finish).
    ///
    /// # Errors
    /// Whatever ends the run.
    fn event(&mut self, context: &mut WindowContext<'_>, event: &WindowEvent) -> Result<(), Self::Error> {
        let _ = (context, event);
        Ok(())
    }

    /// Something happened to an input device, wherever the pointer is: the way to follow a mouse whose pointer is locked.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn device_event(
        &mut self,
        context: &mut WindowContext<'_>,
        event: &DeviceEvent,
    ) -> Result<(), Self::Error> {
        let _ = (context, event);
        Ok(())
    }

    /// Draws one frame, which begins at `now`, and says when the next is due. Not called while the window has no area.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn frame(&mut self, context: &mut WindowContext<'_>, now: Instant) -> Result<NextFrame, Self::Error>;

    /// The window has no area: there are no frames until it has one again, however long that takes.
    fn pause(&mut self) {}

    /// Called once after the last frame, while window and renderer are still there.
    ///
    /// # Errors
    /// Whatever the run should report.
    fn finish(&mut self, context: &mut WindowContext<'_>) -> Result<(), Self::Error> {
        let _ = context;
        Ok(())
    }
}

/// What a call of a [`WindowApp`] can use.
#[derive(Debug)]
pub struct WindowContext<'a> {
    /// Draws into the window. The host resizes it.
    pub renderer: &'a mut Renderer,
    /// The window, to change its title, its pointer, full screen and the like.
    pub window: &'a Arc<Window>,
    pub(super) waker: &'a Waker,
    pub(super) is_closing: &'a mut bool,
}

impl WindowContext<'_> {
    /// Wakes this window from another thread.
    #[must_use]
    pub fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// Ends the run after this call: what is called next, and last, is [`finish`](WindowApp::finish).
    pub fn close(&mut self) {
        *self.is_closing = true;
    }
}

/// When the next frame is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NextFrame {
    /// As soon as the screen takes one.
    Continue,
    /// In 10 ms, because this one was not shown. With nothing to see there is no hurry. Another size of the window ends
    /// the delay.
    Retry,
    /// When something happens: an event of the window or of an input device, a [`Waker`], the window system that wants
    /// its picture again, or that point in time. Until then the thread sleeps.
    Wait(Option<Instant>),
    /// Never: the run is over.
    Done,
}

impl From<FrameOutcome> for NextFrame {
    /// For an application that always moves: [`Retry`](Self::Retry) after a frame that was not shown, else
    /// [`Continue`](Self::Continue).
    fn from(outcome: FrameOutcome) -> Self {
        match outcome {
            FrameOutcome::NotPresented => Self::Retry,
            _ => Self::Continue,
        }
    }
}
