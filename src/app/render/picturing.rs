//! One model, from what is chosen of it to its last picture.

use super::arguments::RenderArguments;
use super::motion::Motion;
use super::paths::Pattern;
use super::sheet::Sheet;
use super::sink::{Sequence, Sink};
use super::view::View;
use crate::app::error::AppError;
use crate::app::output::{complaint, printable};
use crate::app::selection;
use crate::app::stopwatch::Stopwatch;
use crate::app::timed_load::Loaded;
use fire_engine::vulkan::Renderer;
use indicatif::ProgressBar;
use std::path::PathBuf;

/// Draws models one after the other.
pub struct Picturing<'a> {
    /// What was asked for.
    pub arguments: &'a RenderArguments,
    /// Where pictures go, if not to the sheet alone.
    pub pattern: Option<&'a Pattern>,
    /// What draws.
    pub renderer: Renderer,
    /// Where first pictures go, too.
    pub sheet: Option<Sheet>,
    /// Running until the first picture is written.
    pub watch: Option<Stopwatch>,
    /// Shown on a terminal.
    pub bar: ProgressBar,
}

impl Picturing<'_> {
    /// Draws every picture of a model; returns the files that were written.
    ///
    /// # Errors
    /// What was asked for and is not there, what cannot be drawn, and files that cannot be written. An animation that was
    /// begun is deleted then; whole pictures stay.
    pub fn picture(&mut self, index: usize, loaded: Loaded) -> Result<Vec<PathBuf>, AppError> {
        let Loaded { mut content, times, .. } = loaded;
        let arguments = self.arguments;
        if let Some(watch) = &mut self.watch {
            watch.loaded(&times);
        }
        if let Some(variant) = &arguments.variant {
            selection::show_variant(variant, &mut content)?;
        }
        let size = (arguments.size.width, arguments.size.height);
        let aspect = size.0 as f32 / size.1 as f32;
        let motion = Motion::new(&arguments.motion, self.pattern.map(|pattern| pattern.format), &content)?;
        let bounds = match View::needs_bounds(&arguments.camera) {
            true => motion.bounds(&mut content)?,
            false => None,
        };
        let turns = arguments.motion.turntable.then_some(motion.frames);
        let view = View::new(&arguments.camera, &content, bounds, aspect, turns)?;
        motion.pose(&mut content, 0)?;
        if !arguments.quiet && content.scene.draw_items().next().is_none() {
            let model = printable(&arguments.models[index].to_string_lossy());
            self.bar.suspend(|| complaint(format_args!("{model}: its scene draws nothing.")));
        }
        self.lap("pose and camera");
        self.renderer.prepare(&content.assets, &content.scene)?;
        self.lap("prepare");
        let sequence = Sequence { frames: motion.frames, size, fps: motion.fps(), repeats: motion.repeats };
        let mut sink = match self.pattern {
            Some(pattern) => Some(Sink::open(pattern, &arguments.models[index], index, sequence)?),
            None => None,
        };
        // Of the frames of a sequence the sheet alone shows none but the first.
        let frames = if sink.is_some() { motion.frames } else { 1 };
        self.bar.inc_length(u64::from(frames - 1));
        for frame in 0..frames {
            if frame > 0 {
                motion.pose(&mut content, frame)?;
            }
            let camera = view.camera(&content.scene, aspect, frame, turns)?;
            let picture = self.renderer.render_to_image(&content.scene, &camera)?;
            self.lap("draw and read back");
            if let Some(sink) = &mut sink {
                sink.write(frame, &picture)?;
            }
            if let (0, Some(sheet)) = (frame, &mut self.sheet) {
                sheet.place(index, &picture);
            }
            self.lap("encode and write");
            if let Some(watch) = self.watch.take() {
                self.bar.suspend(|| complaint(&watch));
            }
            if frame + 1 < frames {
                self.bar.inc(1);
            }
        }
        sink.map_or_else(|| Ok(Vec::new()), Sink::finish)
    }

    fn lap(&mut self, name: &str) {
        if let Some(watch) = &mut self.watch {
            watch.lap(name);
        }
    }
}
