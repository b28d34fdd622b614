//! An application that waits: the test program itself, started once more.

use crate::support::check;
use crate::support::desktop::Desktop;
use crate::support::process::{Running, empty_folder, poll};
use fire_engine::assets::{Material, Mesh, RenderObject};
use fire_engine::math::Vec3;
use fire_engine::scene::{Camera, Content, Projection};
use fire_engine::vulkan::{RendererOptions, Validation};
use fire_engine::winit::winit::event::{ElementState, WindowEvent};
use fire_engine::winit::winit::keyboard::Key;
use fire_engine::winit::winit::window::Fullscreen;
use fire_engine::winit::{NextFrame, WindowApp, WindowContext, WindowOptions, run};
use libtest_mimic::Failed;
use std::error::Error;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set for the application; its value says how it starts.
const VARIABLE: &str = "FIRE_ENGINE_TEST_WAITING_APP";

/// Runs the application if this process was started for it.
pub fn application() -> Option<ExitCode> {
    let how = std::env::var(VARIABLE).ok()?;
    let options = RendererOptions { validation: Validation::Required, ..RendererOptions::default() };
    let log = options.validation_log.clone();
    let window = WindowOptions {
        title: how.clone(),
        size: (320, 240),
        full_screen: how == "full screen",
        close_on_escape: false,
    };
    let mut app = Waiting::new(&how).expect("a scene of one triangle");
    let ran = run(&mut app, window, options);
    println!("validation: {:?} ended: {ran:?}", log.counts());
    let again = run(&mut app, WindowOptions::default(), RendererOptions::default());
    println!("again: {again:?}");
    Some(if matches!(ran, Ok(None)) && log.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Draws a triangle when something happens, and says so on standard output. Keys: W wakes it from a thread, T has it draw
/// again at a point in time, F changes full screen, C closes.
struct Waiting {
    content: Content,
    camera: Camera,
    /// Draws always.
    is_restless: bool,
    /// Draws every other frame, and ends by itself.
    is_lazy: bool,
    frames: u32,
    was_woken: Arc<AtomicBool>,
    at: Option<Instant>,
}

impl Waiting {
    fn new(how: &str) -> Result<Self, Box<dyn Error>> {
        let mut content = Content::default();
        let corners = vec![Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
        let mesh = content.assets.add_mesh(Mesh { positions: corners, ..Mesh::default() });
        let material = content.assets.add_material(Material::default());
        let object = content.assets.add_render_object(RenderObject { mesh, material });
        let node = content.scene.add_root("triangle")?;
        content.scene.find_mut(node).ok_or("no node")?.set_render_object(Some(object));
        content.scene.update_world_transforms();
        let projection = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: None };
        let camera = Camera::look_at(Vec3::new(0.0, 0.0, 4.0), Vec3::ZERO, Vec3::Y, projection)?;
        let (is_restless, is_lazy) = (how == "restless", how == "lazy");
        Ok(Self { content, camera, is_restless, is_lazy, frames: 0, was_woken: Arc::default(), at: None })
    }
}

impl WindowApp for Waiting {
    type Error = Box<dyn Error>;

    fn start(&mut self, context: &mut WindowContext<'_>) -> Result<(), Self::Error> {
        println!("started");
        Ok(context.renderer.prepare(&self.content.assets, &self.content.scene)?)
    }

    fn event(&mut self, context: &mut WindowContext<'_>, event: &WindowEvent) -> Result<(), Self::Error> {
        match event {
            WindowEvent::Resized(size) => {
                let knows = (size.width, size.height) == <(u32, u32)>::from(context.window.inner_size());
                println!("resized {}x{} {knows}", size.width, size.height);
            }
            WindowEvent::Occluded(is_covered) => println!("covered {is_covered}"),
            WindowEvent::RedrawRequested => println!("an event that is no event"),
            WindowEvent::KeyboardInput { event, .. } if event.state == ElementState::Released => {
                let Key::Character(key) = &event.logical_key else { return Ok(()) };
                match key.as_str() {
                    "w" => {
                        let (waker, was_woken) = (context.waker(), Arc::clone(&self.was_woken));
                        std::thread::spawn(move || {
                            std::thread::sleep(Duration::from_millis(300));
                            was_woken.store(true, Ordering::Relaxed);
                            for _ in 0..1000 {
                                waker.wake();
                            }
                        });
                    }
                    "t" => self.at = Some(Instant::now() + Duration::from_millis(300)),
                    "f" => {
                        let is_full = context.window.fullscreen().is_some();
                        context.window.set_fullscreen((!is_full).then_some(Fullscreen::Borderless(None)));
                    }
                    "c" => context.close(),
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn frame(&mut self, context: &mut WindowContext<'_>, now: Instant) -> Result<NextFrame, Self::Error> {
        self.frames += 1;
        if self.is_lazy && self.frames == 9 {
            return Ok(NextFrame::Done);
        }
        if self.is_lazy && self.frames.is_multiple_of(2) {
            return Ok(NextFrame::Wait(Some(now + Duration::from_millis(10))));
        }
        let outcome = context.renderer.draw_frame(&self.content.scene, &self.camera)?;
        let (width, height) = context.renderer.size();
        println!("frame {} {width}x{height}", self.frames);
        if self.was_woken.swap(false, Ordering::Relaxed) {
            println!("woken");
        }
        if let Some(at) = self.at.take_if(|at| *at <= now) {
            println!("in time {}", now - at < Duration::from_millis(200));
        }
        Ok(match outcome.into() {
            NextFrame::Continue if !self.is_restless && !self.is_lazy => NextFrame::Wait(self.at),
            next => next,
        })
    }

    fn finish(&mut self, context: &mut WindowContext<'_>) -> Result<(), Self::Error> {
        println!("finished");
        // Has no effect any more.
        context.close();
        Ok(())
    }
}

/// The running application and its window.
struct Stage<'a> {
    desktop: &'a Desktop,
    app: Running,
    window: String,
}

impl<'a> Stage<'a> {
    fn new(desktop: &'a Desktop, how: &str) -> Result<Self, Failed> {
        let mut command: Command = desktop.command(&std::env::current_exe()?.to_string_lossy());
        let mut app = desktop.run(command.env(VARIABLE, how));
        let window = desktop.window_named(&format!("^{how}$"), &mut app)?;
        let mut stage = Self { desktop, app, window };
        stage.waits_for("frame 1 ")?;
        stage.desktop.xdotool(&["windowactivate", "--sync", &stage.window])?;
        Ok(stage)
    }

    fn frames(&self) -> usize {
        self.app.said("stdout").lines().filter(|line| line.starts_with("frame ")).count()
    }

    fn waits_for(&mut self, text: &str) -> Result<(), Failed> {
        let found = poll(20, || self.app.said("stdout").contains(text).then_some(()));
        // Thousands of frames say nothing.
        let said = || {
            let stdout = self.app.said("stdout");
            let frames = stdout.lines().rfind(|line| line.starts_with("frame "));
            let others = stdout.lines().filter(|line| !line.starts_with("frame ")).collect::<Vec<_>>();
            format!("no {text:?} in {others:?} by {frames:?}\n{}", self.app.said("stderr"))
        };
        found.ok_or_else(|| said().into())
    }

    /// Waits until no more frames come: half a second without one.
    fn settles(&self) -> Result<usize, Failed> {
        let mut last = (self.frames(), Instant::now());
        let settled = poll(20, || {
            let frames = self.frames();
            if frames != last.0 {
                last = (frames, Instant::now());
            }
            (last.1.elapsed() > Duration::from_millis(500)).then_some(frames)
        });
        settled.ok_or_else(|| format!("it never comes to rest: {}", self.app.said("stdout")).into())
    }

    fn key(&self, key: &str) -> Result<(), Failed> {
        self.desktop.xdotool(&["key", key]).map(drop)
    }

    fn closes(self) -> Result<(), Failed> {
        self.key("c")?;
        let ended = self.app.end(30)?;
        check(ended.code == Some(0), || format!("{ended:?}"))?;
        for text in ["finished\nvalidation", "ended: Ok(None)", "again: Ok(Some("] {
            check(ended.stdout.contains(text), || format!("no {text:?} in {ended:?}"))?;
        }
        check(ended.stdout.matches("finished").count() == 1, || format!("{ended:?}"))?;
        check(ended.stdout.matches("started").count() == 1, || format!("{ended:?}"))?;
        check(!ended.stdout.contains("no event"), || format!("{ended:?}"))
    }
}

/// Frames come for events, for a waker and in time, and for nothing else; meanwhile no processor time is used.
pub fn draws_only_when_something_happens() -> Result<(), Failed> {
    let desktop = Desktop::new("window.waiting")?;
    let mut stage = Stage::new(&desktop, "waiting")?;
    // The pointer far away: its events are not what this is about.
    desktop.xdotool(&["mousemove", "1270", "790"])?;
    let rest = stage.settles()?;
    let spent = stage.app.processor_time().ok_or("no processor time")?;
    std::thread::sleep(Duration::from_secs(2));
    let spent = stage.app.processor_time().ok_or("no processor time")? - spent;
    check(stage.frames() == rest, || format!("{} frames while idle", stage.frames() - rest))?;
    check(spent < Duration::from_millis(100), || format!("{spent:?} of 2 s spent while idle"))?;

    stage.key("x")?;
    check(stage.settles()? > rest, || "no frame for a key".to_owned())?;
    stage.key("w")?;
    stage.waits_for("woken")?;
    stage.key("t")?;
    stage.waits_for("in time true")?;
    let rest = stage.settles()?;
    // The thousand calls of the thread were one frame, and each key a few.
    check(rest < 60, || format!("{rest} frames"))?;

    desktop.xdotool(&["windowsize", &stage.window, "500", "300"])?;
    stage.waits_for("resized 500x300 true\nframe ")?;
    stage.waits_for(" 500x300\n")?;
    // Escape is the application's own here.
    stage.key("Escape")?;
    stage.settles()?;
    check(stage.app.status().is_none(), || "Escape closed it".to_owned())?;
    stage.closes()
}

pub fn covers_the_display() -> Result<(), Failed> {
    let desktop = Desktop::new("window.fullscreen")?;
    let mut stage = Stage::new(&desktop, "full screen")?;
    stage.waits_for(" 1280x800\n")?;
    stage.settles()?;
    stage.key("f")?;
    stage.waits_for(" 320x240\n")?;
    stage.settles()?;
    stage.closes()
}

/// A window that cannot be seen at all is drawn about ten times a second, and at full pace when it can be seen again.
pub fn draws_rarely_while_covered() -> Result<(), Failed> {
    let desktop = Desktop::new("window.covered")?;
    let mut stage = Stage::new(&desktop, "restless")?;
    let mut cover = Stage::new(&desktop, "full screen")?;
    cover.waits_for(" 1280x800\n")?;
    stage.waits_for("covered true")?;
    let pace = |stage: &Stage| {
        let (start, before) = (Instant::now(), stage.frames());
        std::thread::sleep(Duration::from_secs(1));
        (stage.frames() - before) as f64 / start.elapsed().as_secs_f64()
    };
    let covered = pace(&stage);
    check((1.0..=12.0).contains(&covered), || format!("{covered} frames a second while covered"))?;
    cover.closes()?;
    stage.waits_for("covered false\n")?;
    let seen = poll(20, || (pace(&stage) > 1.5 * covered.max(10.0)).then_some(()));
    check(seen.is_some(), || format!("no more than while covered, {covered} frames a second"))?;
    desktop.xdotool(&["windowactivate", "--sync", &stage.window])?;
    stage.closes()
}

/// Under Wayland the compositor is asked for an answer to each frame, which comes only to those that are shown.
pub fn goes_on_after_a_frame_without_a_picture() -> Result<(), Failed> {
    let folder = empty_folder("window.wayland");
    let logs = |name| empty_folder(&format!("window.wayland.{name}"));
    let command = |program: &str| {
        let mut command = Command::new(program);
        command.env("XDG_RUNTIME_DIR", &folder).env("WAYLAND_DISPLAY", "wl").env_remove("DISPLAY");
        command.env_remove("WAYLAND_SOCKET");
        command
    };
    let mut weston = command("weston");
    weston.args(["--backend=headless-backend.so", "--socket=wl", "--idle-time=0"]);
    let _weston = Running::start(weston.env_remove("WAYLAND_DISPLAY"), &logs("weston"));
    check(poll(20, || folder.join("wl").exists().then_some(())).is_some(), || "no weston".to_owned())?;
    let program = std::env::current_exe()?;
    let mut app = command(&program.to_string_lossy());
    let ended = Running::start(app.env(VARIABLE, "lazy"), &logs("app")).end(30)?;
    check(ended.code == Some(0) && ended.stdout.contains("frame 7 "), || format!("{ended:?}"))
}
