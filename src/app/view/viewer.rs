//! The window's show: a frame from what happened to the picture.

use super::arguments::ViewArguments;
use super::covered;
use super::dropped;
use super::keys::{self, Held};
use super::loader::Loader;
use super::loads::{Purpose, Request};
use super::model_list::ModelList;
#[cfg(not(feature = "egui"))]
use super::no_panel::Panel;
use super::order::{ClipOrder, Order};
#[cfg(feature = "egui")]
use super::panel::Panel;
use super::pointer::{self, Pointer};
use super::scenery::Scenery;
use super::stage::Stage;
use super::watching::Watcher;
use crate::app::error::AppError;
use crate::app::output::facts;
use crate::app::pace::Pace;
use crate::app::progress::{Next, Progress};
use crate::app::selection;
use crate::app::stopwatch::Stopwatch;
use fire_engine::controls::OrbitCamera;
use fire_engine::math::{Bounds, Vec2};
use fire_engine::scene::Camera;
use fire_engine::vulkan::{FrameOutcome, PresentMode, Renderer, RendererError};
use fire_engine::winit::{NextFrame, WindowApp, WindowContext};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;
use winit::event::{ElementState, KeyEvent, TouchPhase, WindowEvent};

/// What a camera that goes around sees in a picture of that aspect.
///
/// # Errors
/// There is no picture: it is where numbers end.
pub(super) fn sight(orbit: &OrbitCamera, aspect: f32) -> Result<Camera, AppError> {
    let camera = orbit.camera()?;
    camera.view_projection(aspect).map_err(RendererError::from)?;
    Ok(camera)
}

/// As many steps of a wheel is a second of flight into a parallel view.
const STEPS_A_SECOND: f32 = 5.0;

/// The kind of device that is none, as the renderer calls it.
const CPU: &str = "CPU";

/// Shows models and does what it is asked for.
pub struct Viewer<'a> {
    pub(super) arguments: &'a ViewArguments,
    /// The list of models.
    pub(super) models: ModelList,
    /// Those of them that could not be shown when they were last wanted, and why.
    pub(super) refused: BTreeMap<PathBuf, String>,
    pub(super) stage: Stage,
    /// Where the camera is, unless one of the file is looked through.
    pub(super) orbit: OrbitCamera,
    pub(super) loading: Option<(Loader, Request)>,
    /// What was wanted last and could not be shown.
    pub(super) failed: Option<Request>,
    /// The model that was wanted last, on show or not.
    pub(super) wanted: Option<PathBuf>,
    /// Whether any was on show yet.
    pub(super) has_shown: bool,
    /// Whether any frame was drawn yet.
    pub(super) has_drawn: bool,
    /// The files of the model on show.
    pub(super) watcher: Option<Watcher>,
    /// The file that is to be shown instead.
    pub(super) upcoming: Option<Watcher>,
    pub(super) orders: Vec<Order>,
    /// Files that were dropped on the window.
    dropped: Vec<PathBuf>,
    /// A model that was put on just now, by its bounds: it is framed once the panel is laid out for it.
    pub(super) newcomer: Option<Option<Bounds>>,
    /// What went wrong.
    pub(super) message: Option<String>,
    /// Whether what failed last needs not be said again.
    pub(super) is_dismissed: bool,
    pub(super) shows_panel: bool,
    /// Whether it is said what keys and the mouse do.
    pub(super) shows_keys: bool,
    /// Whether the view around the model is in the middle of what the panel leaves free. Not where it was taken over from a
    /// camera of the file: it would jump.
    pub(super) is_centered: bool,
    pointer: Pointer,
    held: Held,
    pace: Pace,
    progress: Progress,
    pub(super) stopwatch: Option<Stopwatch>,
    /// There once the window is.
    panel: Option<Panel>,
}

impl<'a> Viewer<'a> {
    /// A show of what the arguments name. Loading begins with the window.
    pub fn new(arguments: &'a ViewArguments) -> Self {
        let aspect = arguments.size.width as f32 / arguments.size.height as f32;
        let mut models = ModelList::default();
        for model in &arguments.models {
            models.add(model);
        }
        Self {
            arguments,
            stage: Stage::empty(models.paths().first().cloned()),
            models,
            refused: BTreeMap::new(),
            orbit: OrbitCamera::new(None, aspect),
            loading: None,
            failed: None,
            wanted: None,
            has_shown: false,
            has_drawn: false,
            watcher: None,
            upcoming: None,
            orders: Vec::new(),
            dropped: Vec::new(),
            newcomer: None,
            message: None,
            is_dismissed: false,
            shows_panel: !arguments.no_panel,
            shows_keys: false,
            is_centered: true,
            pointer: Pointer::default(),
            held: Held::default(),
            pace: Pace::clock(),
            progress: Progress::new(arguments.frames),
            stopwatch: arguments.timings.then(|| Stopwatch::new(Instant::now())),
            panel: None,
        }
    }

    /// Frames shown so far.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Whether models were wanted, and none could be shown.
    pub fn has_failed(&self) -> bool {
        !self.has_shown && !self.refused.is_empty()
    }

    /// Whether there was a window, and a renderer for it.
    pub fn has_started(&self) -> bool {
        self.panel.is_some()
    }

    /// Ends a step on the way to the first picture.
    pub(super) fn lap(&mut self, name: &str) {
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.lap(name);
        }
    }

    /// The picture's width over its height.
    pub(super) fn aspect(renderer: &Renderer) -> f32 {
        let (width, height) = renderer.size();
        width.max(1) as f32 / height.max(1) as f32
    }

    /// How far the middle of what the panel leaves free is from the picture's, to the right and up; see [`Covered::off_center`].
    pub(super) fn off_center(&self, renderer: &Renderer) -> Vec2 {
        let covered = self.panel.as_ref().filter(|_| self.is_centered).map(Panel::covered);
        covered.unwrap_or_default().off_center(renderer.size())
    }

    /// Brings a box into view from the side from which a camera looks, beside the panel.
    pub(super) fn framed(
        &self,
        renderer: &Renderer,
        mut orbit: OrbitCamera,
        bounds: Option<Bounds>,
    ) -> OrbitCamera {
        covered::frame(&mut orbit, bounds, Self::aspect(renderer), self.off_center(renderer));
        orbit
    }

    /// A camera is moved by hand: from where it is looked through now.
    pub(super) fn take_over(&mut self, renderer: &Renderer) {
        if let Some(camera) = self.stage.camera(Self::aspect(renderer)) {
            self.orbit.adopt(&camera);
            self.is_centered = false;
        }
        self.stage.lens = None;
    }

    fn camera(&mut self, renderer: &Renderer) -> Result<Camera, AppError> {
        let aspect = Self::aspect(renderer);
        match self.stage.camera(aspect) {
            Some(camera) => Ok(camera),
            None => {
                self.orbit.set_aspect(aspect);
                let camera = match sight(&self.orbit, aspect) {
                    Ok(camera) => camera,
                    // Who flies to where numbers end, starts anew.
                    Err(_) => {
                        self.orbit = OrbitCamera::new(self.stage.bounds(), aspect);
                        self.orbit.camera()?
                    }
                };
                Ok(Camera { shift: self.off_center(renderer), ..camera })
            }
        }
    }

    /// The mouse and keys that no panel wants.
    fn steer(&mut self, context: &mut WindowContext<'_>, event: &WindowEvent) {
        let size = context.renderer.size();
        let size = Vec2::new(size.0 as f32, size.1 as f32);
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                if self.pointer.is_dragging() {
                    self.take_over(context.renderer);
                }
                let to = Vec2::new(position.x as f32, position.y as f32);
                self.pointer.moved(to, size, &mut self.orbit);
            }
            WindowEvent::MouseInput { state, button, .. } => {
                self.pointer.button(*button, *state, self.held.is_hasty());
            }
            WindowEvent::MouseWheel { delta, .. } if pointer::steps(*delta) != 0.0 => {
                self.take_over(context.renderer);
                let off_center = self.off_center(context.renderer);
                self.pointer.scrolled(*delta, size, off_center, &mut self.orbit);
            }
            WindowEvent::PinchGesture { delta, phase: TouchPhase::Moved, .. } => {
                self.take_over(context.renderer);
                let off_center = self.off_center(context.renderer);
                self.pointer.pinched(*delta, size, off_center, &mut self.orbit);
            }
            // Keys that were held when the window got the focus are not meant for it.
            WindowEvent::KeyboardInput { event: key, is_synthetic: true, .. }
                if key.state == ElementState::Pressed =>
            {
                self.held.was_down(key.physical_key);
            }
            WindowEvent::KeyboardInput { event: key, is_synthetic: false, .. } => self.key(key),
            _ => {}
        }
    }

    fn key(&mut self, key: &KeyEvent) {
        if key.state == ElementState::Pressed && self.held.is_foreign(key.physical_key) {
            return;
        }
        self.held.set(key.physical_key, key.state == ElementState::Pressed);
        if key.state == ElementState::Pressed
            && !self.held.is_chord()
            && let Some(order) = keys::order(&key.logical_key, key.physical_key)
            && (!key.repeat || matches!(order, Order::Nudge(_)))
        {
            self.orders.push(order);
        }
    }

    /// What the keys that are held do within `seconds`.
    fn fly(&mut self, renderer: &Renderer, seconds: f32) {
        if let Some((motion, haste)) = self.held.motion() {
            self.take_over(renderer);
            let seconds = seconds * haste;
            if self.orbit.is_orthographic() {
                // Nothing comes nearer there, whatever one passes.
                self.orbit.zoom(motion.z * seconds * STEPS_A_SECOND);
                self.orbit.fly(motion.with_z(0.0), seconds);
            } else {
                self.orbit.fly(motion, seconds);
            }
        }
    }

    /// Draws the panel over the picture; returns when it wants to be drawn again.
    fn show_panel(
        &mut self,
        context: &mut WindowContext<'_>,
        now: Instant,
    ) -> Result<Option<Instant>, AppError> {
        let Some(panel) = &mut self.panel else { return Ok(None) };
        let scenery = Scenery {
            stage: &self.stage,
            models: self.models.paths(),
            refused: &self.refused,
            loader: self.loading.as_ref().map(|(loader, _)| loader),
            message: self.message.as_deref(),
            shows_keys: self.shows_keys,
        };
        panel.draw(context, scenery, self.shows_panel, now, &mut self.orders)
    }

    fn rest(&mut self) {
        if let Some(panel) = &mut self.panel {
            panel.rests();
        }
        // What the clips did not move while nothing moved is not caught up with.
        self.pace = Pace::clock();
    }

    /// Whether the next frame will look different without anybody doing anything.
    fn moves(&self) -> bool {
        self.arguments.frames.is_some()
            || !self.orders.is_empty()
            || self.held.motion().is_some()
            || self.stage.deck.moves(&self.stage.content)
    }
}

impl WindowApp for Viewer<'_> {
    type Error = AppError;

    fn start(&mut self, context: &mut WindowContext<'_>) -> Result<(), AppError> {
        self.lap("open window and device");
        facts(context.renderer.info());
        // Software takes seconds for what costs a GPU nothing.
        if self.arguments.anisotropy.is_none() && context.renderer.info().device_type == CPU {
            context.renderer.set_anisotropy(1.0)?;
        }
        let modes = context.renderer.present_modes();
        // Without tearing where that is as fast.
        if self.arguments.vsync == super::arguments::Vsync::Off
            && !modes.contains(&PresentMode::Immediate)
            && modes.contains(&PresentMode::Mailbox)
        {
            context.renderer.set_present_mode(PresentMode::Mailbox)?;
        }
        self.panel = Some(Panel::new(context));
        // Laid out before a model is framed beside it.
        self.show_panel(context, Instant::now())?;
        let scene = selection::scene(self.arguments.scene.as_ref());
        let path = self.models.paths().first().cloned();
        self.load(context, Request { path, scene, purpose: Purpose::First })?;
        Ok(context.renderer.prepare(&self.stage.content.assets, &self.stage.content.scene)?)
    }

    fn event(&mut self, context: &mut WindowContext<'_>, event: &WindowEvent) -> Result<(), AppError> {
        let is_taken = self.panel.as_mut().is_some_and(|panel| panel.takes(context, event));
        match event {
            // One after the other, and all before the next frame.
            WindowEvent::DroppedFile(file) => self.dropped.push(file.clone()),
            WindowEvent::ModifiersChanged(modifiers) => self.held.set_modifiers(modifiers.state()),
            WindowEvent::Focused(false) => {
                self.held = Held::default();
                self.pointer.release();
            }
            // Whatever went down outside of the panel goes up there too.
            WindowEvent::MouseInput { state: ElementState::Released, .. } => self.steer(context, event),
            WindowEvent::KeyboardInput { event: KeyEvent { state: ElementState::Released, .. }, .. } => {
                self.steer(context, event);
            }
            WindowEvent::CursorMoved { .. } if self.pointer.is_dragging() => self.steer(context, event),
            _ if !is_taken => self.steer(context, event),
            _ => {}
        }
        Ok(())
    }

    fn frame(&mut self, context: &mut WindowContext<'_>, now: Instant) -> Result<NextFrame, AppError> {
        self.take_loaded(context)?;
        let quiet_at = self.take_changes(context, now)?;
        let is_sought =
            |order: &Order| matches!(order, Order::Clip(_, ClipOrder::Seek(_)) | Order::SeekAll(_));
        let is_held = self.orders.iter().any(is_sought);
        if !self.dropped.is_empty() {
            self.orders.push(Order::Open(dropped::models(std::mem::take(&mut self.dropped))));
        }
        for order in std::mem::take(&mut self.orders) {
            self.obey(context, order)?;
        }
        let seconds = self.pace.step(now);
        self.fly(context.renderer, seconds as f32);
        // What is held at a time stays there.
        self.stage.advance(if is_held { 0.0 } else { seconds })?;
        let repaint_at = self.show_panel(context, now)?;
        if let Some(bounds) = self.newcomer.take() {
            self.orbit = self.framed(context.renderer, self.orbit, bounds);
        }
        let camera = self.camera(context.renderer)?;
        let outcome = context.renderer.draw_frame(&self.stage.content.scene, &camera)?;
        self.has_drawn = true;
        let next = match outcome {
            // Those that are counted show the model.
            FrameOutcome::Presented | FrameOutcome::Suboptimal
                if self.loading.is_some() && !self.has_shown =>
            {
                Next::Continue
            }
            outcome => self.progress.record(outcome, Instant::now())?,
        };
        if next != Next::Retry {
            if let Some(panel) = &mut self.panel {
                panel.shown(now);
            }
            self.first_picture();
        }
        Ok(match next {
            Next::Done => NextFrame::Done,
            Next::Retry => NextFrame::Retry,
            Next::Continue if self.moves() || repaint_at.is_some_and(|at| at <= now) => NextFrame::Continue,
            Next::Continue => {
                self.rest();
                NextFrame::Wait([quiet_at, repaint_at].into_iter().flatten().min())
            }
        })
    }

    fn pause(&mut self) {
        self.progress.pause();
        self.rest();
    }
}
