//! What orders, loads and changed files do.

use super::loader::Loader;
use super::order::{ClipOrder, Order};
use super::stage::{Stage, name};
use super::viewer::{Purpose, Viewer};
use super::watcher::Watcher;
use crate::app::error::AppError;
use crate::app::output::{complaint, line};
use crate::app::timed_load::Loaded;
use fire_engine::gltf::{LoadOptions, SceneChoice};
use fire_engine::math::Bounds;
use fire_engine::scene::posed_bounds;
use fire_engine::vulkan::{Renderer, RendererError, ViewMode};
use fire_engine::winit::WindowContext;
use std::path::{Path, PathBuf};
use std::time::Instant;
use winit::window::Fullscreen;

impl Viewer<'_> {
    /// Begins to load; what was being loaded is forgotten.
    pub(super) fn load(
        &mut self,
        context: &WindowContext<'_>,
        path: Option<PathBuf>,
        purpose: Purpose,
    ) -> Result<(), AppError> {
        self.wanted.clone_from(&path);
        let options = LoadOptions {
            scene: self.scene.clone(),
            block_formats: context.renderer.info().block_formats,
            ..LoadOptions::default()
        };
        let waker = context.waker();
        self.loading = Some((Loader::start(path, options, move || waker.wake())?, purpose));
        Ok(())
    }

    /// Puts a model on show that has been loaded meanwhile. One that cannot be leaves the old one where it is, unless it is
    /// the only one that was asked for.
    pub(super) fn take_loaded(&mut self, context: &mut WindowContext<'_>) -> Result<(), AppError> {
        let Some(result) = self.loading.as_ref().and_then(|(loader, _)| loader.take()) else { return Ok(()) };
        let Some((loader, purpose)) = self.loading.take() else { return Ok(()) };
        let path = loader.path().map(Path::to_path_buf);
        match result.and_then(|loaded| self.put_on(context.renderer, path.clone(), loaded, purpose)) {
            Ok(()) => {
                self.message = None;
                context.window.set_title(&format!("{} - fire-engine", name(path.as_deref())));
                self.watch(context, purpose == Purpose::Again);
                Ok(())
            }
            Err(error) if is_lost(&error) => Err(error),
            Err(error) if purpose == Purpose::First && self.models.len() <= 1 => Err(error),
            Err(error) => {
                self.complain(path.as_deref(), &error);
                Ok(())
            }
        }
    }

    fn put_on(
        &mut self,
        renderer: &mut Renderer,
        path: Option<PathBuf>,
        loaded: Loaded,
        purpose: Purpose,
    ) -> Result<(), AppError> {
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.loaded(&loaded.times);
        }
        let new = match purpose {
            Purpose::First => Stage::first(path, loaded, self.arguments)?,
            Purpose::Open => Stage::new(path, loaded)?,
            Purpose::Again => Stage::again(loaded, &self.stage)?,
        };
        self.lap("wait for the model");
        renderer.prepare(&new.content.assets, &new.content.scene)?;
        self.lap("prepare");
        if !new.report.is_empty() {
            line(&new.report);
        }
        self.stage = new;
        self.has_shown = true;
        match purpose {
            Purpose::First | Purpose::Open => self.frame_model(renderer),
            Purpose::Again => self.orbit.set_bounds(self.bounds()),
        }
        Ok(())
    }

    /// Looks at all of the model as it is posed, from the direction that the camera has.
    fn frame_model(&mut self, renderer: &Renderer) {
        self.is_centered = true;
        self.orbit.frame(self.bounds(), self.free_aspect(renderer));
    }

    /// How far the model reaches as it is posed.
    fn bounds(&self) -> Option<Bounds> {
        posed_bounds(&self.stage.content.assets, &self.stage.content.scene)
    }

    /// Says that a model cannot be shown; the old one stays.
    fn complain(&mut self, path: Option<&Path>, error: &AppError) {
        let text = match error {
            // The loader names it.
            AppError::Load(_) => error.to_string(),
            error => format!("{}: {error}", name(path)),
        };
        complaint(format_args!("fire-engine: {text}"));
        self.message = Some(text);
    }

    /// Watches the files of the model on show. What changed while the same one was loaded again is not forgotten.
    fn watch(&mut self, context: &WindowContext<'_>, is_same: bool) {
        let old = self.watcher.take().filter(|_| is_same);
        let Some(path) = self.stage.path.as_deref().filter(|_| !self.arguments.no_watch) else { return };
        let waker = context.waker();
        match Watcher::start(path, &self.stage.content.document.resources, move || waker.wake()) {
            Ok(watcher) => {
                if let Some(old) = old {
                    watcher.take_over(&old);
                }
                self.watcher = Some(watcher);
            }
            // As when a system has no more watches to give: everything else works.
            Err(error) => {
                complaint(format_args!("Note: changes of {} are not seen: {error}", path.display()))
            }
        }
    }

    /// Loads again what changed; returns when to look again.
    pub(super) fn take_changes(
        &mut self,
        context: &WindowContext<'_>,
        now: Instant,
    ) -> Result<Option<Instant>, AppError> {
        let Some(watcher) = &self.watcher else { return Ok(None) };
        let (changed, when) = watcher.take(now);
        if changed {
            self.reload(context)?;
        }
        Ok(when)
    }

    fn reload(&mut self, context: &WindowContext<'_>) -> Result<(), AppError> {
        match &self.loading {
            // What is being opened is newer than what changed.
            Some((_, Purpose::First | Purpose::Open)) => Ok(()),
            _ if !self.has_shown => self.load(context, self.wanted.clone(), Purpose::First),
            _ => self.load(context, self.stage.path.clone(), Purpose::Again),
        }
    }

    /// Does what is asked for.
    pub(super) fn act(&mut self, context: &mut WindowContext<'_>, order: Order) -> Result<(), AppError> {
        match order {
            Order::Frame => {
                self.stage.lens = None;
                self.frame_model(context.renderer);
            }
            Order::Dismiss => self.message = None,
            Order::TogglePanel => self.shows_panel = !self.shows_panel,
            Order::ToggleFullScreen => toggle_full_screen(context),
            Order::Escape if context.window.fullscreen().is_some() => context.window.set_fullscreen(None),
            Order::Escape => context.close(),
            Order::Neighbor(step) => self.neighbor(context, step)?,
            Order::Open(path) => self.open(context, path)?,
            Order::Reload => self.reload(context)?,
            Order::Scene(index) => {
                self.scene = Some(SceneChoice::Index(index));
                self.load(context, self.stage.path.clone(), Purpose::Open)?;
            }
            Order::Mode(mode) => self.show_mode(context.renderer, mode)?,
            Order::NextMode => {
                let modes: Vec<ViewMode> = context.renderer.view_modes().collect();
                let now = modes.iter().position(|mode| *mode == context.renderer.view_mode()).unwrap_or(0);
                self.show_mode(context.renderer, modes[(now + 1) % modes.len().max(1)])?;
            }
            Order::Present(mode) => context.renderer.set_present_mode(mode)?,
            Order::Background(color) => context.renderer.set_clear_color(color)?,
            Order::Look(lens) => self.stage.lens = lens,
            Order::NextCamera => self.stage.next_camera(),
            Order::Variant(variant) => {
                self.stage.content.scene.set_variant(variant)?;
                self.prepare(context.renderer)?;
            }
            Order::NextVariant => {
                self.stage.next_variant()?;
                self.prepare(context.renderer)?;
            }
            order => self.act_on_clips(order)?,
        }
        Ok(())
    }

    fn act_on_clips(&mut self, order: Order) -> Result<(), AppError> {
        let Stage { content, deck, .. } = &mut self.stage;
        match order {
            Order::TogglePlay => deck.paused = !deck.paused,
            Order::Nudge(seconds) => {
                deck.paused = true;
                deck.nudge(content, seconds)?;
            }
            Order::Restart => (0..deck.clips.len()).try_for_each(|clip| deck.seek(content, clip, 0.0))?,
            Order::Speed(speed) => deck.set_speed(content, speed)?,
            Order::Clip(clip, ClipOrder::Start) => deck.start(content, clip, 0.0)?,
            Order::Clip(clip, ClipOrder::Stop) => deck.stop(content, clip)?,
            Order::Clip(clip, ClipOrder::Solo) => deck.solo(content, clip)?,
            Order::Clip(clip, ClipOrder::Seek(seconds)) => deck.seek(content, clip, seconds)?,
            Order::Clip(clip, ClipOrder::Set(wanted)) => deck.set(content, clip, wanted)?,
            _ => {}
        }
        Ok(())
    }

    fn neighbor(&mut self, context: &WindowContext<'_>, step: isize) -> Result<(), AppError> {
        let at = self.models.iter().position(|model| Some(model) == self.wanted.as_ref());
        let count = self.models.len() as isize;
        if count == 0 || (count == 1 && at.is_some()) {
            return Ok(());
        }
        let next = at.map_or(0, |at| (at as isize + step).rem_euclid(count) as usize);
        self.scene = None;
        self.load(context, self.models.get(next).cloned(), Purpose::Open)
    }

    fn open(&mut self, context: &WindowContext<'_>, path: PathBuf) -> Result<(), AppError> {
        let is_known = self.models.contains(&path);
        if !is_known {
            self.models.push(path.clone());
        }
        self.scene = None;
        self.load(context, Some(path), Purpose::Open)
    }

    fn show_mode(&mut self, renderer: &mut Renderer, mode: ViewMode) -> Result<(), AppError> {
        let before = renderer.view_mode();
        renderer.set_view_mode(mode);
        match self.prepare(renderer) {
            Err(error) if !is_lost(&error) => {
                renderer.set_view_mode(before);
                self.message = Some(error.to_string());
                self.prepare(renderer)
            }
            prepared => prepared,
        }
    }

    fn prepare(&self, renderer: &mut Renderer) -> Result<(), AppError> {
        Ok(renderer.prepare(&self.stage.content.assets, &self.stage.content.scene)?)
    }

    /// Says how long it took, once the first model is seen.
    pub(super) fn first_picture(&mut self) {
        if self.loading.is_none()
            && let Some(mut stopwatch) = self.stopwatch.take()
        {
            stopwatch.lap("first picture");
            complaint(&stopwatch);
        }
    }
}

fn toggle_full_screen(context: &WindowContext<'_>) {
    let window = &context.window;
    let wanted = window.fullscreen().is_none().then_some(Fullscreen::Borderless(None));
    window.set_fullscreen(wanted);
}

fn is_lost(error: &AppError) -> bool {
    matches!(error, AppError::Renderer(RendererError::DeviceLost { .. } | RendererError::Unusable { .. }))
}
