//! Models that come, fail, change and come again.

use super::covered;
use super::loader::Loader;
use super::order::Order;
use super::stage::{Stage, name};
use super::viewer::{Viewer, sight};
use super::watching::Watcher;
use crate::app::error::AppError;
use crate::app::output::{complaint, line, printable};
use crate::app::timed_load::Loaded;
use fire_engine::gltf::{LoadError, LoadOptions, SceneChoice};
use fire_engine::vulkan::Renderer;
use fire_engine::winit::WindowContext;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long the first frame waits for the first model.
const PATIENCE: Duration = Duration::from_millis(80);

/// What a load is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The model that the command line wants, as it wants it.
    First,
    /// Another model.
    Open,
    /// Another scene of the file on show.
    Scene,
    /// The same file, with everything as it was.
    Again,
}

/// A model that is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Its file; `None` for the built-in cube.
    pub path: Option<PathBuf>,
    /// The scene of it, if one was chosen.
    pub scene: Option<SceneChoice>,
    /// What for.
    pub purpose: Purpose,
}

impl Viewer<'_> {
    /// Begins to load; what was being loaded is forgotten.
    pub(super) fn load(&mut self, context: &WindowContext<'_>, request: Request) -> Result<(), AppError> {
        if request.purpose != Purpose::Again {
            self.wanted.clone_from(&request.path);
            (self.failed, self.is_dismissed) = (None, false);
            // From now on, so that no change is missed while it is read.
            self.upcoming = self.watcher_of(context, request.path.as_deref(), &[]);
        }
        let options = LoadOptions {
            scene: request.scene.clone(),
            block_formats: context.renderer.info().block_formats,
            ..LoadOptions::default()
        };
        let waker = context.waker();
        let loader = Loader::start(request.path.clone(), options, move || waker.wake())?;
        self.loading = Some((loader, request));
        Ok(())
    }

    /// Puts a model on show that has been loaded meanwhile. One that cannot be leaves the old one where it is, unless it is
    /// the only one that was asked for.
    pub(super) fn take_loaded(&mut self, context: &mut WindowContext<'_>) -> Result<(), AppError> {
        // A small model is there sooner than a picture without it would be.
        let patience = if self.has_shown || self.has_drawn { Duration::ZERO } else { PATIENCE };
        let result = self.loading.as_ref().and_then(|(loader, _)| loader.take(patience));
        let Some(result) = result else { return Ok(()) };
        let Some((_, request)) = self.loading.take() else { return Ok(()) };
        match result.and_then(|loaded| self.put_on(context.renderer, loaded, &request)) {
            Ok(()) => {
                self.refused.retain(|refused, _| Some(refused) != request.path.as_ref());
                // What failed to be opened is still wanted when the model that stayed on show changes.
                self.failed = self.failed.take().filter(|failed| failed.path != request.path);
                let failed = self.failed.as_ref().and_then(|failed| failed.path.as_ref());
                let reason = failed.and_then(|failed| self.refused.get(failed)).cloned();
                self.message = reason.filter(|_| !self.is_dismissed);
                let shown = printable(&name(request.path.as_deref()));
                context.window.set_title(&format!("{shown} - fire-engine"));
                self.watch(context, request.purpose);
                Ok(())
            }
            Err(error) if error.is_lost() => Err(error),
            Err(error) if request.purpose == Purpose::First && self.models.paths().len() <= 1 => Err(error),
            // The file has other scenes now.
            Err(AppError::Load(LoadError::UnknownScene { .. })) if request.purpose == Purpose::Again => {
                self.load(context, Request { scene: None, ..request })
            }
            Err(error) => {
                self.complain(request.path.as_deref(), &error);
                let watcher = if request.purpose == Purpose::Again {
                    self.watch(context, request.purpose);
                    &self.watcher
                } else {
                    &self.upcoming
                };
                // It may lack a file that nobody knows the name of.
                watcher.iter().for_each(Watcher::widen);
                if request.purpose != Purpose::Again || self.failed.is_none() {
                    self.failed = Some(request);
                }
                Ok(())
            }
        }
    }

    fn put_on(&mut self, renderer: &mut Renderer, loaded: Loaded, request: &Request) -> Result<(), AppError> {
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.loaded(&loaded.times);
        }
        let path = request.path.clone();
        let mut new = match request.purpose {
            Purpose::First => Stage::first(path, loaded, self.arguments)?,
            Purpose::Open => Stage::new(path, loaded)?,
            Purpose::Scene | Purpose::Again => Stage::again(loaded, &self.stage)?,
        };
        new.scene.clone_from(&request.scene);
        let (aspect, bounds) = (Self::aspect(renderer), new.bounds());
        let (mut orbit, was_centered) = (self.orbit, self.is_centered);
        let is_again = request.purpose == Purpose::Again;
        if is_again {
            orbit.set_bounds(bounds);
        } else {
            // Through no camera of another model, nor with its lens.
            new.lens = new.lens.filter(|_| request.purpose == Purpose::First);
            self.is_centered = true;
            orbit = self.framed(renderer, covered::without_lens(orbit), bounds);
        }
        // What no camera can look at is not put on show at all.
        let seen = sight(&orbit, aspect);
        self.lap("wait for the model");
        let prepared = seen.and_then(|_| Ok(renderer.prepare(&new.content.assets, &new.content.scene)?));
        if let Err(error) = prepared {
            self.is_centered = was_centered;
            return Err(error);
        }
        self.lap("prepare");
        if !new.report.is_empty() {
            line(&new.report);
        }
        (self.stage, self.orbit, self.has_shown) = (new, orbit, true);
        self.newcomer = (!is_again).then_some(bounds);
        // What was asked for of the old one means nothing here.
        self.orders.retain(|order| !order.is_of_a_stage());
        Ok(())
    }

    /// Says that a model cannot be shown; the old one stays.
    fn complain(&mut self, path: Option<&Path>, error: &AppError) {
        let text = match error {
            // The loader names it.
            AppError::Load(_) => error.to_string(),
            error => format!("{}: {error}", printable(&name(path))),
        };
        // It was told, and put away: a file came beside it that changed nothing.
        let is_old = path.is_some_and(|path| self.refused.get(path) == Some(&text));
        if is_old && self.is_dismissed {
            return;
        }
        complaint(format_args!("fire-engine: {text}"));
        self.refused.extend(path.map(|path| (path.to_path_buf(), text.clone())));
        (self.message, self.is_dismissed) = (Some(text), false);
    }

    /// Forgets what could not be shown: the model on show is the one that is wanted.
    pub(super) fn stay(&mut self) {
        self.wanted.clone_from(&self.stage.path);
        (self.failed, self.upcoming, self.message) = (None, None, None);
    }

    /// Watches the files of the model on show. What changed while it was loaded is not forgotten.
    fn watch(&mut self, context: &WindowContext<'_>, purpose: Purpose) {
        let old = match purpose {
            Purpose::First | Purpose::Open | Purpose::Scene => self.upcoming.take(),
            Purpose::Again => self.watcher.take(),
        };
        let (path, resources) = (self.stage.path.as_deref(), &self.stage.content.document.resources);
        self.watcher = self.watcher_of(context, path, resources);
        if let (Some(watcher), Some(old)) = (&self.watcher, old) {
            watcher.take_over(&old);
        }
    }

    fn watcher_of(
        &self,
        context: &WindowContext<'_>,
        path: Option<&Path>,
        resources: &[String],
    ) -> Option<Watcher> {
        let path = path.filter(|_| !self.arguments.no_watch)?;
        let waker = context.waker();
        match Watcher::start(path, resources, move || waker.wake()) {
            Ok(watcher) => Some(watcher),
            // As when a system has no more watches to give: everything else works.
            Err(error) => {
                let path = printable(&path.to_string_lossy());
                complaint(format_args!("Note: changes of {path} are not seen: {error}"));
                None
            }
        }
    }

    /// Loads again what changed; returns when to look again.
    pub(super) fn take_changes(
        &mut self,
        context: &WindowContext<'_>,
        now: Instant,
    ) -> Result<Option<Instant>, AppError> {
        let (mut changed, mut when) = (false, None);
        // While another model is being opened, which may fail, its changes are kept.
        if let Some(watcher) = self.watcher.as_ref().filter(|_| !self.opens()) {
            (changed, when) = watcher.take(now);
        }
        // What changes while it is read is looked at when it was.
        let waiting = self.upcoming.as_ref().filter(|_| self.loading.is_none());
        if let Some((true, _)) = waiting.map(|watcher| watcher.take(now))
            && let Some(request) = self.failed.clone()
        {
            let is_dismissed = self.is_dismissed;
            self.load(context, request)?;
            self.is_dismissed = is_dismissed;
        } else if changed {
            self.load_again(context)?;
        }
        let waiting = self.upcoming.as_ref().filter(|_| self.loading.is_none());
        let soon = waiting.and_then(|watcher| watcher.take(now).1);
        Ok([when, soon].into_iter().flatten().min())
    }

    fn load_again(&mut self, context: &WindowContext<'_>) -> Result<(), AppError> {
        // What is being opened is newer than what changed.
        if self.opens() || !self.has_shown {
            return Ok(());
        }
        let (path, scene) = (self.stage.path.clone(), self.stage.scene.clone());
        self.load(context, Request { path, scene, purpose: Purpose::Again })
    }

    /// Whether something other than the model on show is being loaded.
    fn opens(&self) -> bool {
        self.loading.as_ref().is_some_and(|(_, request)| request.purpose != Purpose::Again)
    }

    /// Loads the model on show again, or the one that was wanted last and could not be shown.
    pub(super) fn reload(&mut self, context: &WindowContext<'_>) -> Result<(), AppError> {
        match self.failed.clone() {
            Some(request) if self.loading.is_none() => self.load(context, request),
            _ => self.load_again(context),
        }
    }

    /// Another model of the list.
    pub(super) fn neighbor(&mut self, context: &WindowContext<'_>, step: isize) -> Result<(), AppError> {
        let models = self.models.paths();
        let at = models.iter().position(|model| Some(model) == self.wanted.as_ref());
        let count = models.len() as isize;
        if count == 0 || (count == 1 && at.is_some()) {
            return Ok(());
        }
        let next = at.map_or(0, |at| (at as isize + step).rem_euclid(count) as usize);
        let path = models.get(next).cloned();
        self.load(context, Request { path, scene: None, purpose: Purpose::Open })
    }

    /// Models that are put on the list; the first is shown.
    pub(super) fn open(&mut self, context: &WindowContext<'_>, paths: Vec<PathBuf>) -> Result<(), AppError> {
        let mut first = None;
        for path in paths {
            let path = self.models.add(&path);
            first.get_or_insert_with(|| path.clone());
        }
        match first {
            None => Ok(()),
            path => self.load(context, Request { path, scene: None, purpose: Purpose::Open }),
        }
    }

    /// Another scene of the file on show.
    pub(super) fn open_scene(&mut self, context: &WindowContext<'_>, index: usize) -> Result<(), AppError> {
        let (path, scene) = (self.stage.path.clone(), Some(SceneChoice::Index(index)));
        self.load(context, Request { path, scene, purpose: Purpose::Scene })
    }

    /// Says how long it took, once the first model is seen.
    pub(super) fn first_picture(&mut self) {
        if self.has_shown
            && let Some(mut stopwatch) = self.stopwatch.take()
        {
            stopwatch.lap("first picture");
            complaint(&stopwatch);
        }
    }
}

impl Order {
    /// Whether it names parts of the model that was on show when it was given.
    fn is_of_a_stage(&self) -> bool {
        matches!(
            self,
            Self::Scene(_)
                | Self::Look(_)
                | Self::Variant(_)
                | Self::Clip(..)
                | Self::SeekAll(_)
                | Self::Speed(_)
        )
    }
}
