//! The letter cube turns behind an egui window with its speed, a pause, and the generation, which stays 1.
//!
//! ```text
//! cargo run --release --features egui --example egui_overlay
//! cargo run --release --features egui --example egui_overlay -- --headless --output egui.png
//! ```

use fire_engine::egui::egui::{Context, Pos2, RawInput, Rect, Slider, Window as Panel, vec2};
use fire_engine::egui::{EguiPainter, EguiWindow};
use fire_engine::math::Vec3;
use fire_engine::scene::{Camera, Content, Projection};
use fire_engine::vulkan::{Renderer, RendererOptions};
use fire_engine::winit::winit::event::WindowEvent;
use fire_engine::winit::{NextFrame, WindowApp, WindowContext, WindowOptions};
use std::error::Error;
use std::time::Instant;

const SIZE: (u32, u32) = (800, 600);

struct Demo {
    content: Content,
    camera: Camera,
    speed: f64,
    is_paused: bool,
}

impl Demo {
    fn new() -> Result<Self, Box<dyn Error>> {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/LetterCube/LetterCube.gltf");
        let (mut content, _report) = fire_engine::gltf::load(file)?;
        content.play_all()?;
        let projection = Projection::Perspective { fov_y: 0.8, aspect: None, near: 0.1, far: Some(100.0) };
        let camera = Camera::look_at(Vec3::new(1.6, 1.8, 5.0), Vec3::ZERO, Vec3::Y, projection)?;
        Ok(Self { content, camera, speed: 1.0, is_paused: false })
    }

    fn panel(&mut self, context: &Context, generation: u64) {
        Panel::new("Letter cube").show(context, |ui| {
            ui.add(Slider::new(&mut self.speed, 0.0..=4.0).text("speed"));
            if ui.button(if self.is_paused { "Play" } else { "Pause" }).clicked() {
                self.is_paused = !self.is_paused;
            }
            ui.label(format!("generation {generation}"));
        });
    }

    fn advance(&mut self, seconds: f64) -> Result<(), Box<dyn Error>> {
        self.content.advance(if self.is_paused { 0.0 } else { seconds * self.speed })?;
        self.content.scene.update_world_transforms();
        Ok(())
    }
}

/// One frame into a file, without a display: the context gets its screen from the size of the picture.
pub fn headless(output: &str) -> Result<(), Box<dyn Error>> {
    let mut demo = Demo::new()?;
    let mut renderer = Renderer::headless(SIZE, RendererOptions::default())?;
    let (context, mut painter) = (Context::default(), EguiPainter::new());
    demo.advance(0.4)?;
    renderer.prepare(&demo.content.assets, &demo.content.scene)?;
    // In the first run egui measures the window, which has then a second to fade in.
    for second in [0.0, 1.0] {
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(SIZE.0 as f32, SIZE.1 as f32));
        let input = RawInput { screen_rect: Some(screen), time: Some(second), ..Default::default() };
        let generation = renderer.preparation().generation();
        let shown = context.run(input, |context| demo.panel(context, generation));
        painter.paint(&mut renderer, &context, shown)?;
    }
    let picture = renderer.render_to_image(&demo.content.scene, &demo.camera)?;
    Ok(image::save_buffer(output, picture.pixels(), SIZE.0, SIZE.1, image::ColorType::Rgba8)?)
}

/// The demo in a window. Its interface needs the window, so it is made when that is there.
struct App {
    demo: Demo,
    last: Instant,
    interface: Option<EguiWindow>,
}

impl WindowApp for App {
    type Error = Box<dyn Error>;

    fn start(&mut self, context: &mut WindowContext<'_>) -> Result<(), Self::Error> {
        self.interface = Some(EguiWindow::new(context.window, context.renderer));
        Ok(context.renderer.prepare(&self.demo.content.assets, &self.demo.content.scene)?)
    }

    fn event(&mut self, context: &mut WindowContext<'_>, event: &WindowEvent) -> Result<(), Self::Error> {
        if let Some(interface) = &mut self.interface {
            // A program with input of its own asks `is_over` before it begins a drag.
            let _response = interface.on_event(context.window, event);
        }
        Ok(())
    }

    fn frame(&mut self, context: &mut WindowContext<'_>, now: Instant) -> Result<NextFrame, Self::Error> {
        let elapsed = now - std::mem::replace(&mut self.last, now);
        self.demo.advance(elapsed.as_secs_f64())?;
        let generation = context.renderer.preparation().generation();
        let mut delay = None;
        if let Some(interface) = &mut self.interface {
            delay =
                interface.run(context.window, context.renderer, |egui| self.demo.panel(egui, generation))?;
        }
        let next = context.renderer.draw_frame(&self.demo.content.scene, &self.demo.camera)?.into();
        Ok(match next {
            // Only egui may want another frame.
            NextFrame::Continue if self.demo.is_paused => NextFrame::Wait(delay.map(|delay| now + delay)),
            _ => next,
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            let mut app = App { demo: Demo::new()?, last: Instant::now(), interface: None };
            let window = WindowOptions { title: "egui overlay".into(), size: SIZE, ..Default::default() };
            match fire_engine::winit::run(&mut app, window, RendererOptions::default())? {
                None => Ok(()),
                Some(reason) => {
                    println!("No window: {reason}. Writing egui_overlay.png instead.");
                    headless("egui_overlay.png")
                }
            }
        }
        ["--headless", "--output", output] => headless(output),
        _ => Err("usage: egui_overlay [--headless --output FILE.png]".into()),
    }
}
