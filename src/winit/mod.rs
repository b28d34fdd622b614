//! A window that drives an application: what stands between winit's events and a [`Renderer`](crate::vulkan::Renderer).
//!
//! [`run`] opens the window and the renderer, and calls a [`WindowApp`] until that is done or the window is closed:
//!
//! | the host does | the application does |
//! | --- | --- |
//! | chooses X11 or Wayland; says why there is no window instead of failing | draws headless instead, if it can |
//! | opens the window, then the renderer; drops them in the right order | [`start`](WindowApp::start): loads, prepares |
//! | follows the window's size, across displays too; pauses without an area | [`frame`](WindowApp::frame): moves and draws |
//! | sleeps as long as [`NextFrame`] allows; draws a covered window rarely | says when the next frame is due |
//! | ends on the close button and on Escape | [`event`](WindowApp::event): the rest of the input |
//!
//! It is no more than that: input becomes a moving camera in the application, or elsewhere in this library. An
//! application with an event loop of its own calls [`Renderer::windowed`](crate::vulkan::Renderer::windowed) itself.
//!
//! The crate winit is re-exported as `fire_engine::winit::winit`. Name its events and windows through that, and the versions agree
//! without a dependency of your own: after `use fire_engine::winit::winit;`, `winit::event::WindowEvent` is what
//! [`WindowApp::event`] takes.
//!
//! ```no_run
//! use fire_engine::math::Vec3;
//! use fire_engine::scene::{Camera, Content, Projection};
//! use fire_engine::vulkan::RendererOptions;
//! use fire_engine::winit::{NextFrame, WindowApp, WindowContext, WindowOptions, run};
//! use std::time::Instant;
//!
//! struct Turning {
//!     content: Content,
//!     camera: Camera,
//!     last: Option<Instant>,
//! }
//!
//! impl WindowApp for Turning {
//!     type Error = fire_engine::Error;
//!
//!     fn start(&mut self, context: &mut WindowContext<'_>) -> Result<(), Self::Error> {
//!         self.content.play_all()?;
//!         self.content.scene.update_world_transforms();
//!         Ok(context.renderer.prepare(&self.content.assets, &self.content.scene)?)
//!     }
//!
//!     fn frame(&mut self, context: &mut WindowContext<'_>, now: Instant) -> Result<NextFrame, Self::Error> {
//!         let last = self.last.replace(now).unwrap_or(now);
//!         self.content.advance(now.saturating_duration_since(last).as_secs_f64())?;
//!         self.content.scene.update_world_transforms();
//!         Ok(context.renderer.draw_frame(&self.content.scene, &self.camera)?.into())
//!     }
//! }
//!
//! fn main() -> Result<(), fire_engine::Error> {
//!     let projection = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: Some(100.0) };
//!     let camera = Camera::look_at(Vec3::new(0.0, 1.5, 4.0), Vec3::ZERO, Vec3::Y, projection)?;
//!     let content = Content::default(); // such as `gltf::load` gives
//!     let mut app = Turning { content, camera, last: None };
//!     if let Some(reason) = run(&mut app, WindowOptions::default(), RendererOptions::default())? {
//!         eprintln!("no window: {reason}");
//!     }
//!     Ok(())
//! }
//! ```

mod app;
mod display;
mod error;
mod guard;
mod host;
mod options;
mod schedule;
mod waker;

pub use ::winit;
pub use app::{NextFrame, WindowApp, WindowContext};
pub use error::WindowError;
pub use host::run;
pub use options::WindowOptions;
pub use waker::Waker;
