//! The show of one model.

use super::arguments::Arguments;
use super::destination::{check_folder, make_folder};
use super::error::AppError;
use super::framing::Framing;
use super::inputs::Inputs;
use super::numbers;
use super::output::{complaint, facts, line, printable};
use super::pace::Pace;
use super::picture;
use super::progress::{Next, Progress};
use super::show::Show;
use fire_engine::scene::{Camera, Content};
use fire_engine::vulkan::{FrameOutcome, Renderer};
use std::path::PathBuf;
use std::time::Instant;

/// Frames that are drawn headless when no number is given: two seconds.
const HEADLESS_FRAMES: u64 = 60;

/// Folder for the pictures when none is given.
const FOLDER: &str = "frames";

/// Plays a model's first clip, and those that drive something else, and draws it.
pub struct Slideshow {
    content: Content,
    framing: Framing,
    pace: Pace,
    progress: Progress,
    recreate_every_frame: bool,
    /// Where each frame goes; `None` in a window, or if only the last is wanted.
    folder: Option<PathBuf>,
    /// Where the last frame goes.
    output: Option<PathBuf>,
    /// A folder was asked for, which only a show without a window fills.
    wants_folder: bool,
    has_started: bool,
}

impl Slideshow {
    /// A show for a window. Starts what plays when nothing is chosen.
    ///
    /// # Errors
    /// [`AppError::Animation`] if a clip cannot be played.
    pub fn new(mut content: Content, arguments: &Arguments) -> Result<Self, AppError> {
        content.scene.update_world_transforms();
        let framing = Framing::of(&content);
        content.play_first()?;
        Ok(Self {
            content,
            framing,
            pace: if arguments.smoke { Pace::smoke() } else { Pace::clock() },
            progress: Progress::new(arguments.frames),
            recreate_every_frame: arguments.recreate_every_frame,
            folder: None,
            output: arguments.output.clone(),
            wants_folder: arguments.output_dir.is_some(),
            has_started: false,
        })
    }

    /// Makes it a show for pictures: a finite number of frames, at fixed times.
    ///
    /// # Errors
    /// [`AppError::Unwritable`] if the folder for the pictures is no place for them, or the model is read from one of their
    /// files.
    pub fn go_headless(&mut self, arguments: &Arguments) -> Result<(), AppError> {
        self.progress = Progress::new(Some(arguments.frames.unwrap_or(HEADLESS_FRAMES)));
        if !arguments.smoke {
            self.pace = Pace::pictures();
        }
        self.folder = match (&arguments.output_dir, &arguments.output) {
            (Some(folder), _) => Some(folder.clone()),
            (None, Some(_)) => None,
            (None, None) => Some(FOLDER.into()),
        };
        let Some(folder) = &self.folder else { return Ok(()) };
        check_folder(folder, &file_name(0))?;
        let inputs = Inputs::of(arguments.model.as_slice());
        let frames = arguments.frames.unwrap_or(HEADLESS_FRAMES);
        let there = numbers::in_folder(folder)?.into_iter().take_while(|number| *number < frames);
        there.map(|frame| folder.join(file_name(frame))).try_for_each(|file| inputs.spare(&file))
    }

    /// Whether there was a renderer for it.
    pub fn has_started(&self) -> bool {
        self.has_started
    }

    /// Frames shown so far.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    fn camera(&self, renderer: &Renderer) -> Result<Camera, AppError> {
        self.framing.camera(renderer.size())
    }

    /// Draws the present pose, to a file where one is asked for.
    fn draw(&self, renderer: &mut Renderer) -> Result<FrameOutcome, AppError> {
        let camera = self.camera(renderer)?;
        let Some(folder) = &self.folder else {
            return Ok(renderer.draw_frame(&self.content.scene, &camera)?);
        };
        let picture = renderer.render_to_image(&self.content.scene, &camera)?;
        picture::write(&folder.join(file_name(self.progress.presented())), &picture)?;
        Ok(FrameOutcome::Presented)
    }
}

fn file_name(number: u64) -> String {
    format!("frame_{number:04}.png")
}

impl Show for Slideshow {
    fn start(&mut self, renderer: &mut Renderer) -> Result<(), AppError> {
        self.has_started = true;
        facts(renderer.info());
        if let Some(folder) = &self.folder {
            make_folder(folder)?;
        } else if self.wants_folder {
            complaint("Note: --output-dir has no effect in a window; add --headless to write every frame.");
        }
        Ok(renderer.prepare(&self.content.assets, &self.content.scene)?)
    }

    fn frame(&mut self, renderer: &mut Renderer, now: Instant) -> Result<Next, AppError> {
        self.content.advance(self.pace.step(now))?;
        self.content.scene.update_world_transforms();
        let outcome = self.draw(renderer)?;
        let next = self.progress.record(outcome, Instant::now())?;
        let (width, height) = renderer.size();
        if self.recreate_every_frame && width > 0 && height > 0 {
            renderer.resize(width, height)?;
        }
        Ok(next)
    }

    fn pause(&mut self) {
        self.progress.pause();
    }

    fn finish(&mut self, renderer: &mut Renderer) -> Result<(), AppError> {
        let presented = self.progress.presented();
        if let (Some(folder), Some(last)) = (&self.folder, presented.checked_sub(1)) {
            let (first, last) = (folder.join(file_name(0)), folder.join(file_name(last)));
            let [first, last] = [first, last].map(|file| printable(&file.to_string_lossy()));
            line(format_args!("Wrote {first} to {last}."));
        }
        let Some(output) = self.output.as_ref().filter(|_| presented > 0) else { return Ok(()) };
        // The same pose once more: the same device draws the same picture.
        let camera = self.camera(renderer)?;
        let picture = renderer.render_to_image(&self.content.scene, &camera)?;
        picture::write(output, &picture)?;
        line(format_args!("Wrote {}.", printable(&output.to_string_lossy())));
        Ok(())
    }
}
