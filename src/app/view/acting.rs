//! What orders do.

use super::key_list;
use super::order::{ClipOrder, Order};
use super::stage::Stage;
use super::viewer::Viewer;
use crate::app::error::AppError;
use crate::app::output::line;
use fire_engine::scene::VariantId;
use fire_engine::vulkan::{Renderer, ViewMode};
use fire_engine::winit::WindowContext;
use winit::window::Fullscreen;

impl Viewer<'_> {
    /// Does what is asked for. What cannot be done is said, and everything stays as it was.
    ///
    /// # Errors
    /// Those after which nothing can be drawn any more.
    pub(super) fn obey(&mut self, context: &mut WindowContext<'_>, order: Order) -> Result<(), AppError> {
        match self.act(context, order) {
            Err(error) if !error.is_lost() => {
                self.message = Some(error.to_string());
                Ok(())
            }
            done => done,
        }
    }

    fn act(&mut self, context: &mut WindowContext<'_>, order: Order) -> Result<(), AppError> {
        match order {
            Order::Frame => {
                (self.stage.lens, self.is_centered) = (None, true);
                self.orbit = self.framed(context.renderer, self.orbit, self.stage.bounds());
            }
            Order::Dismiss => (self.message, self.is_dismissed) = (None, true),
            Order::Stay if self.loading.is_some() => {}
            Order::Stay if self.has_shown => self.stay(),
            // Its name alone is on show.
            Order::Stay => self.reload(context)?,
            Order::TogglePanel => self.shows_panel = !self.shows_panel,
            Order::ToggleKeys if cfg!(feature = "egui") => self.shows_keys = !self.shows_keys,
            // Nothing is drawn over the picture then.
            Order::ToggleKeys => line(key_list::columns()),
            Order::ToggleFullScreen => toggle_full_screen(context),
            Order::Escape if self.shows_keys => self.shows_keys = false,
            Order::Escape if context.window.fullscreen().is_some() => context.window.set_fullscreen(None),
            Order::Escape => context.close(),
            Order::Neighbor(step) => self.neighbor(context, step)?,
            Order::Open(paths) => self.open(context, paths)?,
            Order::Reload => self.reload(context)?,
            Order::Scene(index) => self.open_scene(context, index)?,
            Order::Mode(mode) => self.show_mode(context.renderer, mode)?,
            Order::NextMode => {
                let modes = context.renderer.view_modes();
                let now = modes.iter().position(|mode| *mode == context.renderer.view_mode()).unwrap_or(0);
                self.show_mode(context.renderer, modes[(now + 1) % modes.len().max(1)])?;
            }
            Order::Present(mode) => context.renderer.set_present_mode(mode)?,
            Order::Background(color) => context.renderer.set_clear_color(color)?,
            Order::Look(lens) => self.stage.lens = lens,
            Order::NextCamera => self.stage.next_camera(),
            Order::ToggleProjection => {
                self.take_over(context.renderer);
                self.orbit.set_orthographic(!self.orbit.is_orthographic());
            }
            Order::Variant(variant) => self.show_variant(context.renderer, variant)?,
            Order::NextVariant => self.show_variant(context.renderer, self.stage.next_variant())?,
            order => self.act_on_clips(order)?,
        }
        Ok(())
    }

    fn act_on_clips(&mut self, order: Order) -> Result<(), AppError> {
        let Stage { content, deck, .. } = &mut self.stage;
        match order {
            // What came to its end plays once more.
            Order::TogglePlay if deck.is_over(content) => {
                deck.restart(content)?;
                deck.paused = false;
            }
            // Of a model in which nothing plays the first clip is meant.
            Order::TogglePlay if content.scene.playbacks().is_empty() => {
                deck.start(content, 0, 0.0)?;
                deck.paused = false;
            }
            Order::TogglePlay => deck.paused = !deck.paused,
            Order::Nudge(seconds) => {
                deck.paused = true;
                deck.nudge(content, seconds)?;
            }
            Order::SeekAll(seconds) => deck.seek_all(content, seconds)?,
            Order::Restart => deck.restart(content)?,
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

    /// Makes ready what is to be shown now; where that cannot be, `undo` puts back what was shown.
    fn prepare(
        &mut self,
        renderer: &mut Renderer,
        undo: impl FnOnce(&mut Self, &mut Renderer) -> Result<(), AppError>,
    ) -> Result<(), AppError> {
        let error = match renderer.prepare(&self.stage.content.assets, &self.stage.content.scene) {
            Ok(()) => return Ok(()),
            Err(error) => AppError::from(error),
        };
        if !error.is_lost() {
            undo(self, renderer)?;
            renderer.prepare(&self.stage.content.assets, &self.stage.content.scene)?;
        }
        Err(error)
    }

    fn show_mode(&mut self, renderer: &mut Renderer, mode: ViewMode) -> Result<(), AppError> {
        let before = renderer.view_mode();
        renderer.set_view_mode(mode);
        self.prepare(renderer, |_, renderer| {
            renderer.set_view_mode(before);
            Ok(())
        })
    }

    fn show_variant(&mut self, renderer: &mut Renderer, variant: Option<VariantId>) -> Result<(), AppError> {
        let before = self.stage.content.scene.variant();
        self.stage.content.scene.set_variant(variant)?;
        self.prepare(renderer, |viewer, _| Ok(viewer.stage.content.scene.set_variant(before)?))
    }
}

fn toggle_full_screen(context: &WindowContext<'_>) {
    let window = &context.window;
    let wanted = window.fullscreen().is_none().then_some(Fullscreen::Borderless(None));
    window.set_fullscreen(wanted);
}
