//! A context, a painter and a renderer without a window.

use crate::support::options;
use crate::support::stage::flat_camera;
use fire_engine::assets::ImageData;
use fire_engine::egui::EguiPainter;
use fire_engine::egui::egui::{Context, FullOutput, Pos2, RawInput, Rect, Theme, vec2};
use fire_engine::scene::Scene;
use fire_engine::vulkan::{Renderer, ValidationLog};
use libtest_mimic::Failed;

/// A test with its name.
pub type Test = (&'static str, fn() -> Result<(), Failed>);

/// Size of the pictures in pixels.
pub const SIZE: (u32, u32) = (320, 240);

pub struct Gui {
    pub context: Context,
    pub painter: EguiPainter,
    pub renderer: Renderer,
    pub scene: Scene,
    pub pixels_per_point: f32,
}

impl Gui {
    /// Over black, with nothing in the scene.
    pub fn new(theme: Theme, pixels_per_point: f32) -> Result<(Self, ValidationLog), Failed> {
        let (mut options, log) = options();
        options.clear_color = [0.0, 0.0, 0.0, 1.0];
        let mut renderer = Renderer::headless(SIZE, options)?;
        let scene = Scene::new();
        renderer.prepare(&Default::default(), &scene)?;
        let context = Context::default();
        context.set_theme(theme);
        let gui = Self { context, painter: EguiPainter::new(), renderer, scene, pixels_per_point };
        Ok((gui, log))
    }

    pub fn run(&mut self, interface: impl FnMut(&Context)) -> FullOutput {
        let (width, height) = SIZE;
        let size = vec2(width as f32, height as f32) / self.pixels_per_point;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            max_texture_side: Some(EguiPainter::max_texture_side(&self.renderer).min(2048)),
            ..RawInput::default()
        };
        let viewport = input.viewports.entry(input.viewport_id).or_default();
        viewport.native_pixels_per_point = Some(self.pixels_per_point);
        self.context.run(input, interface)
    }

    pub fn paint(&mut self, interface: impl FnMut(&Context)) -> Result<(), Failed> {
        let output = self.run(interface);
        Ok(self.painter.paint(&mut self.renderer, &self.context, output)?)
    }

    /// Paints, and draws a frame that nothing waits for.
    pub fn frame(&mut self, interface: impl FnMut(&Context)) -> Result<(), Failed> {
        self.paint(interface)?;
        self.renderer.draw_frame(&self.scene, &flat_camera())?;
        Ok(())
    }

    /// Paints and takes a picture; with `FIRE_ENGINE_EGUI_PICTURES` set to a folder, writes it there to be looked at.
    pub fn picture(&mut self, name: &str, interface: impl FnMut(&Context)) -> Result<ImageData, Failed> {
        self.paint(interface)?;
        let picture = self.renderer.render_to_image(&self.scene, &flat_camera())?;
        if let Some(folder) = std::env::var_os("FIRE_ENGINE_EGUI_PICTURES") {
            let path = std::path::Path::new(&folder).join(format!("{name}.png"));
            image::save_buffer(
                path,
                picture.pixels(),
                picture.width,
                picture.height,
                image::ColorType::Rgba8,
            )?;
        }
        Ok(picture)
    }
}
