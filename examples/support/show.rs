//! Driving an example, in a window or into a picture.

use super::options::{Failure, Options};
use super::picture::{check_validation, write};
use fire_engine::scene::{Camera, Content};
use fire_engine::vulkan::{Renderer, RendererOptions};

/// Frames that are drawn without a window when no number is given: two seconds.
const FRAMES: u64 = 60;

/// Something that moves and is drawn.
pub trait Example {
    /// The file name of its picture, without the ending.
    const NAME: &str;

    fn content(&mut self) -> &mut Content;

    fn camera(&self) -> Camera;

    /// Moves everything on by so many seconds.
    fn step(&mut self, seconds: f64) -> Result<(), Failure> {
        Ok(self.content().advance(seconds)?)
    }

    /// Input, where there is a window.
    #[cfg(feature = "winit")]
    fn event(&mut self, event: &winit::event::WindowEvent) -> Result<(), Failure> {
        let _ = event;
        Ok(())
    }

    /// Has something to say after the last frame.
    fn report(&self, renderer: &Renderer) {
        let _ = renderer;
    }
}

/// Shows it in a window if one can be opened, and otherwise writes a picture.
pub fn show<E: Example>(options: &Options, mut example: E) -> Result<(), Failure> {
    let renderer = options.renderer();
    let log = renderer.validation_log.clone();
    #[cfg(feature = "winit")]
    let is_shown = super::window::open_example(options, &mut example, &renderer)?;
    #[cfg(not(feature = "winit"))]
    let is_shown = false;
    if !is_shown {
        draw(options, &mut example, renderer)?;
    }
    check_validation(options.validate, &log)
}

/// Draws some frames, a thirtieth of a second apart, and writes the last.
fn draw<E: Example>(options: &Options, example: &mut E, renderer: RendererOptions) -> Result<(), Failure> {
    let mut renderer = Renderer::headless((640, 480), renderer)?;
    example.content().scene.update_world_transforms();
    let content = example.content();
    renderer.prepare(&content.assets, &content.scene)?;
    for frame in 0..options.frames.unwrap_or(FRAMES) {
        example.step(if frame == 0 { 0.0 } else { 1.0 / 30.0 })?;
        example.content().scene.update_world_transforms();
        let camera = example.camera();
        renderer.draw_frame(&example.content().scene, &camera)?;
    }
    example.report(&renderer);
    let camera = example.camera();
    let picture = renderer.render_to_image(&example.content().scene, &camera)?;
    let path = options.output.clone().unwrap_or_else(|| format!("{}.png", E::NAME).into());
    write(&path, &picture)
}
