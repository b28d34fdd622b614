//! An example as an application in a window.

use super::options::{Failure, Options};
use super::picture::write;
use super::show::Example;
use fire_engine::vulkan::{FrameOutcome, RendererOptions};
use fire_engine::winit::winit::event::WindowEvent;
use fire_engine::winit::{NextFrame, WindowApp, WindowContext, WindowOptions, run};
use std::time::Instant;

/// Runs an application in a window and returns true. Returns false, and says why, if a picture is wanted instead.
pub fn open<A: WindowApp<Error = Failure>>(
    options: &Options,
    app: &mut A,
    title: &str,
    renderer: &RendererOptions,
) -> Result<bool, Failure> {
    if options.headless {
        return Ok(false);
    }
    let window = WindowOptions { title: title.to_owned(), ..WindowOptions::default() };
    let missing = run(app, window, renderer.clone())?;
    if let Some(reason) = &missing {
        eprintln!("No window: {reason}. Drawing a picture instead.");
    }
    Ok(missing.is_none())
}

/// As [`open`], for what moves by itself.
pub fn open_example<E: Example>(
    options: &Options,
    example: &mut E,
    renderer: &RendererOptions,
) -> Result<bool, Failure> {
    open(options, &mut Windowed { example, options, last: None, shown: 0 }, E::NAME, renderer)
}

struct Windowed<'a, E> {
    example: &'a mut E,
    options: &'a Options,
    /// When the last frame began.
    last: Option<Instant>,
    shown: u64,
}

impl<E: Example> WindowApp for Windowed<'_, E> {
    type Error = Failure;

    fn start(&mut self, context: &mut WindowContext<'_>) -> Result<(), Failure> {
        let content = self.example.content();
        content.scene.update_world_transforms();
        Ok(context.renderer.prepare(&content.assets, &content.scene)?)
    }

    fn event(&mut self, _: &mut WindowContext<'_>, event: &WindowEvent) -> Result<(), Failure> {
        self.example.event(event)
    }

    fn frame(&mut self, context: &mut WindowContext<'_>, now: Instant) -> Result<NextFrame, Failure> {
        let last = self.last.replace(now).unwrap_or(now);
        // After a stall it goes on instead of jumping.
        self.example.step(now.saturating_duration_since(last).as_secs_f64().min(0.1))?;
        self.example.content().scene.update_world_transforms();
        let camera = self.example.camera();
        let outcome = context.renderer.draw_frame(&self.example.content().scene, &camera)?;
        self.shown += u64::from(outcome != FrameOutcome::NotPresented);
        let is_last = self.options.frames.is_some_and(|frames| self.shown >= frames);
        Ok(if is_last { NextFrame::Done } else { outcome.into() })
    }

    fn finish(&mut self, context: &mut WindowContext<'_>) -> Result<(), Failure> {
        self.example.report(context.renderer);
        let Some(output) = &self.options.output else { return Ok(()) };
        let camera = self.example.camera();
        write(output, &context.renderer.render_to_image(&self.example.content().scene, &camera)?)
    }
}
