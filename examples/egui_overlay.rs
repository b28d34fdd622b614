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
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

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

struct App {
    demo: Demo,
    last: Instant,
    /// The renderer goes before its window.
    open: Option<(Renderer, EguiWindow, Arc<Window>)>,
    failure: Option<Box<dyn Error>>,
}

impl App {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), Box<dyn Error>> {
        let size = PhysicalSize::new(SIZE.0, SIZE.1);
        let window = Arc::new(event_loop.create_window(Window::default_attributes().with_inner_size(size))?);
        let size = window.inner_size().into();
        let mut renderer = Renderer::windowed(Arc::clone(&window), size, RendererOptions::default())?;
        renderer.prepare(&self.demo.content.assets, &self.demo.content.scene)?;
        let gui = EguiWindow::new(&window, &renderer);
        self.open = Some((renderer, gui, window));
        Ok(())
    }

    fn event(&mut self, event: &WindowEvent) -> Result<(), Box<dyn Error>> {
        let Some((renderer, gui, window)) = &mut self.open else { return Ok(()) };
        let _is_for_egui_alone = gui.on_event(window, event).consumed;
        match event {
            WindowEvent::Resized(size) => renderer.resize(size.width, size.height)?,
            WindowEvent::RedrawRequested => {
                self.demo
                    .advance(std::mem::replace(&mut self.last, Instant::now()).elapsed().as_secs_f64())?;
                let generation = renderer.preparation().generation();
                gui.run(window, renderer, |context| self.demo.panel(context, generation))?;
                renderer.draw_frame(&self.demo.content.scene, &self.demo.camera)?;
                window.request_redraw();
            }
            _ => {}
        }
        Ok(())
    }

    fn after(&mut self, event_loop: &ActiveEventLoop, done: Result<(), Box<dyn Error>>) {
        self.failure = self.failure.take().or(done.err());
        if self.failure.is_some() {
            event_loop.exit();
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let opened = self.open(event_loop);
        self.after(event_loop, opened);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let done = self.event(&event);
        self.after(event_loop, done);
        if event == WindowEvent::CloseRequested {
            event_loop.exit();
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            let mut app = App { demo: Demo::new()?, last: Instant::now(), open: None, failure: None };
            EventLoop::new()?.run_app(&mut app)?;
            app.failure.map_or(Ok(()), Err)
        }
        ["--headless", "--output", output] => headless(output),
        _ => Err("usage: egui_overlay [--headless --output FILE.png]".into()),
    }
}
