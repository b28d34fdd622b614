//! A camera of one's own, moved by the events that winit sends: walking through a field of cubes with W, A, S and D,
//! looking round by dragging, zooming with the wheel. While no key is held, nothing is drawn: see `NextFrame::Wait`.
//!
//! ```text
//! cargo run --release --example custom_camera_input
//! ```

mod support;

use clap::Parser;
use fire_engine::math::{LookAtError, Quat, Transform, Vec3};
use fire_engine::scene::{Camera, Content, Projection, Scene};
use fire_engine::vulkan::{FrameOutcome, Renderer};
use fire_engine::winit::winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use fire_engine::winit::winit::keyboard::{KeyCode, PhysicalKey};
use fire_engine::winit::{NextFrame, WindowApp, WindowContext};
use std::time::Instant;
use support::{Failure, Options, check_validation, open, write};

#[derive(Default)]
struct Walker {
    eye: Vec3,
    /// Radians to the left of -Z, and above the horizon.
    yaw: f32,
    pitch: f32,
    fov_y: f32,
}

impl Walker {
    fn camera(&self) -> Result<Camera, LookAtError> {
        let ahead = Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(self.pitch) * Vec3::NEG_Z;
        let projection = Projection::Perspective { fov_y: self.fov_y, aspect: None, near: 0.1, far: None };
        Camera::look_at(self.eye, self.eye + ahead, Vec3::Y, projection)
    }

    fn look(&mut self, x: f32, y: f32) {
        self.yaw -= 0.005 * x;
        // Never straight up or down, where left and right would be lost.
        self.pitch = (self.pitch - 0.005 * y).clamp(-1.5, 1.5);
    }

    /// Walks on the ground, whatever the eye looks up to.
    fn walk(&mut self, right: f32, ahead: f32, seconds: f32) {
        self.eye += Quat::from_rotation_y(self.yaw) * Vec3::new(right, 0.0, -ahead) * 6.0 * seconds;
    }
}

#[derive(Default)]
struct App {
    options: Options,
    content: Content,
    walker: Walker,
    /// The keys that are held.
    held: Vec<KeyCode>,
    is_dragging: bool,
    pointer: Option<(f32, f32)>,
    last: Option<Instant>,
    shown: u64,
}

impl WindowApp for App {
    type Error = Failure;

    fn start(&mut self, context: &mut WindowContext<'_>) -> Result<(), Failure> {
        Ok(context.renderer.prepare(&self.content.assets, &self.content.scene)?)
    }

    fn event(&mut self, _: &mut WindowContext<'_>, event: &WindowEvent) -> Result<(), Failure> {
        match event {
            WindowEvent::KeyboardInput { event, .. } => {
                // The place on the keyboard, not the letter.
                let PhysicalKey::Code(key) = event.physical_key else { return Ok(()) };
                self.held.retain(|held| *held != key);
                if event.state == ElementState::Pressed {
                    self.held.push(key);
                }
            }
            WindowEvent::Focused(false) => self.held.clear(),
            WindowEvent::MouseInput { state, button: MouseButton::Left, .. } => {
                self.is_dragging = *state == ElementState::Pressed;
            }
            WindowEvent::CursorMoved { position, .. } => {
                let now = (position.x as f32, position.y as f32);
                let before = self.pointer.replace(now).unwrap_or(now);
                if self.is_dragging {
                    self.walker.look(now.0 - before.0, now.1 - before.1);
                }
            }
            // Of a wheel; touchpads send pixels.
            WindowEvent::MouseWheel { delta: MouseScrollDelta::LineDelta(_, steps), .. } => {
                self.walker.fov_y = (self.walker.fov_y * 0.9_f32.powf(*steps)).clamp(0.1, 2.0);
            }
            _ => {}
        }
        Ok(())
    }

    fn frame(&mut self, context: &mut WindowContext<'_>, now: Instant) -> Result<NextFrame, Failure> {
        let last = self.last.replace(now).unwrap_or(now);
        let axis = |plus, minus| f32::from(self.held.contains(&plus)) - f32::from(self.held.contains(&minus));
        let (right, ahead) = (axis(KeyCode::KeyD, KeyCode::KeyA), axis(KeyCode::KeyW, KeyCode::KeyS));
        self.walker.walk(right, ahead, (now - last).as_secs_f32().min(0.1));
        let outcome = context.renderer.draw_frame(&self.content.scene, &self.walker.camera()?)?;
        self.shown += u64::from(outcome != FrameOutcome::NotPresented);
        Ok(match self.options.frames {
            Some(frames) if self.shown >= frames => NextFrame::Done,
            None if self.held.is_empty() && outcome == FrameOutcome::Presented => {
                self.last = None;
                NextFrame::Wait(None)
            }
            _ => outcome.into(),
        })
    }

    fn finish(&mut self, context: &mut WindowContext<'_>) -> Result<(), Failure> {
        let Some(output) = &self.options.output else { return Ok(()) };
        write(output, &context.renderer.render_to_image(&self.content.scene, &self.walker.camera()?)?)
    }
}

/// Cubes on a plain, each turned its own way.
fn field() -> Result<Content, Failure> {
    let (assets, cube) = support::letter_cube()?;
    let mut scene = Scene::new();
    for number in 0..400_u16 {
        let (x, z) = (f32::from(number % 20) - 9.5, f32::from(number / 20) - 9.5);
        let node = scene.add_root("")?;
        let (translation, rotation) = (Vec3::new(6.0 * x, 0.0, 6.0 * z), Quat::from_rotation_y(x + z));
        let mut edit = scene.find_mut(node).ok_or("just added")?;
        edit.set_transform(Transform { translation, rotation, ..Transform::IDENTITY })?;
        edit.set_render_object(Some(cube));
    }
    scene.update_world_transforms();
    Ok(Content { assets, scene, ..Content::default() })
}

fn main() -> Result<(), Failure> {
    let options = Options::parse();
    let wanted = options.renderer();
    let walker = Walker { eye: Vec3::new(0.0, 2.5, 20.0), fov_y: 1.0, ..Walker::default() };
    let mut app = App { options: options.clone(), content: field()?, walker, ..App::default() };
    if !open(&options, &mut app, "custom_camera_input", &wanted)? {
        let mut renderer = Renderer::headless((640, 480), wanted.clone())?;
        renderer.prepare(&app.content.assets, &app.content.scene)?;
        let picture = renderer.render_to_image(&app.content.scene, &app.walker.camera()?)?;
        write(&options.output.unwrap_or_else(|| "custom_camera_input.png".into()), &picture)?;
    }
    check_validation(options.validate, &wanted.validation_log)
}
