//! The pose at a time.

use super::arguments::MotionArguments;
use super::paths::Format;
use super::sink::GIF_FPS;
use crate::app::error::AppError;
use crate::app::selection;
use fire_engine::animation::{LoopMode, PlaybackOptions};
use fire_engine::math::Bounds;
use fire_engine::scene::{Content, posed_bounds};

/// Pictures of a turntable for which no number was given.
const TURNTABLE: u32 = 60;

/// More than that have to be asked for.
const MOST_BY_THEMSELVES: f64 = 10_000.0;

/// How many poses the view of a sequence is made for, at most.
const FRAMED_POSES: u32 = 256;

/// How many vertices are moved to find out exactly where they come to lie; beyond that a larger box is good enough.
const MOVED_VERTICES: u64 = 20_000_000;

/// What plays, and when each picture is.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    clips: Vec<usize>,
    options: PlaybackOptions,
    start: f64,
    /// Seconds from picture to picture.
    step: f64,
    /// How many pictures there are.
    pub frames: u32,
    /// Whether the first picture follows the last.
    pub repeats: bool,
}

/// How many pictures there are of each model, unless that is for its clips to say.
pub fn told_frames(arguments: &MotionArguments, format: Option<Format>) -> Option<u32> {
    match (arguments.frames, arguments.turntable, format) {
        (Some(frames), ..) => Some(frames),
        (None, true, _) => Some(TURNTABLE),
        (None, false, Some(Format::Gif | Format::Apng)) => None,
        (None, false, _) => Some(1),
    }
}

impl Motion {
    /// Chooses the clips and counts the pictures.
    ///
    /// # Errors
    /// [`AppError::Unknown`] for a clip that is not there, [`AppError::Endless`] for one that would fill a disk.
    pub fn new(
        arguments: &MotionArguments,
        format: Option<Format>,
        content: &Content,
    ) -> Result<Self, AppError> {
        let clips = selection::clips(&arguments.clip, content)?;
        let loop_mode = LoopMode::from(arguments.repeats);
        let once = loop_mode == LoopMode::Once;
        let (frames, step) = match told_frames(arguments, format) {
            Some(frames) => (frames, 1.0 / arguments.fps),
            None => {
                let longest =
                    clips.iter().map(|&clip| content.animations[clip].duration()).fold(0.0, f64::max);
                let lasts = if once { (longest - arguments.time).max(0.0) } else { longest };
                let most_fps = if format == Some(Format::Gif) { GIF_FPS } else { f64::INFINITY };
                let Some((steps, step)) = spread(lasts, arguments.fps, most_fps) else {
                    return Err(AppError::Endless(longest));
                };
                // The end of a loop is its start; that of a clip which stays there is a picture of its own.
                (if once && lasts > 0.0 { steps + 1 } else { steps }, step)
            }
        };
        Ok(Self {
            clips,
            options: PlaybackOptions { loop_mode, ..PlaybackOptions::default() },
            start: arguments.time,
            step,
            frames,
            repeats: !once || arguments.turntable,
        })
    }

    /// Pictures a second.
    pub fn fps(&self) -> f64 {
        self.step.recip()
    }

    /// Puts the scene into the pose of a picture, which depends on nothing that was posed before.
    ///
    /// # Errors
    /// [`AppError::Animation`] if a clip cannot be played.
    pub fn pose(&self, content: &mut Content, frame: u32) -> Result<(), AppError> {
        let playing: Vec<_> = content.scene.playbacks().iter().map(|playback| playback.id()).collect();
        for playback in playing {
            content.scene.stop(playback);
        }
        for &clip in &self.clips {
            content.scene.play(&content.animations[clip], &content.bindings[clip], self.options)?;
        }
        content.advance(self.start + f64::from(frame) * self.step)?;
        content.scene.update_world_transforms();
        Ok(())
    }

    /// The box around everything that is drawn in the pictures, or in many of them. `None` if there is nothing, or no end
    /// to it.
    ///
    /// # Errors
    /// As [`pose`](Self::pose).
    pub fn bounds(&self, content: &mut Content) -> Result<Option<Bounds>, AppError> {
        let frames = if self.clips.is_empty() { 1 } else { self.frames };
        let is_cheap = u64::from(frames.min(FRAMED_POSES)) * vertices(content) <= MOVED_VERTICES;
        let mut all: Option<Bounds> = None;
        for frame in (0..frames).step_by(frames.div_ceil(FRAMED_POSES).max(1) as usize) {
            self.pose(content, frame)?;
            let bounds = match is_cheap {
                true => posed_bounds(&content.assets, &content.scene),
                false => content.scene.bounds(&content.assets),
            };
            let bounds = bounds.filter(Bounds::is_finite);
            all = all.into_iter().chain(bounds).reduce(|all, bounds| all.union(&bounds));
        }
        Ok(all)
    }
}

/// How many even steps of about the pace that is asked for make up so many seconds, and how long each is: without
/// a shorter one at the end, by which a loop would stumble. `None` if they would be too many.
fn spread(seconds: f64, fps: f64, most_fps: f64) -> Option<(u32, f64)> {
    let steps = (seconds * fps).round().min((seconds * most_fps).floor()).max(1.0);
    // Of no time at all one picture is made, which lasts as long as any.
    let step = if seconds > 0.0 { seconds / steps } else { 1.0 / fps };
    (steps <= MOST_BY_THEMSELVES).then_some((steps as u32, step))
}

/// How many vertices are drawn.
fn vertices(content: &Content) -> u64 {
    let objects =
        content.scene.nodes().filter_map(|node| content.assets.render_object(node.render_object()?));
    let meshes = objects.filter_map(|object| content.assets.mesh(object.mesh));
    meshes.map(|mesh| mesh.positions.len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::drawing::Repeats;
    use crate::app::model::load_model;
    use crate::app::values::{Choice, choice};

    fn arguments(clips: &[&str]) -> MotionArguments {
        MotionArguments {
            clip: clips.iter().map(|clip| choice(clip).unwrap()).collect::<Vec<Choice>>(),
            time: 0.0,
            repeats: Repeats::Repeat,
            frames: None,
            fps: 30.0,
            turntable: false,
        }
    }

    #[test]
    fn pictures_are_counted_by_what_is_asked_for() {
        let (content, _) = load_model(None).unwrap();
        let duration = content.animations[0].duration();
        let frames =
            |arguments: &MotionArguments, format| Motion::new(arguments, format, &content).unwrap().frames;
        assert_eq!(frames(&arguments(&[]), Some(Format::Png)), 1);
        assert_eq!(frames(&arguments(&[]), None), 1);
        assert_eq!(f64::from(frames(&arguments(&[]), Some(Format::Gif))), (duration * 30.0).round());
        assert_eq!(frames(&arguments(&["none"]), Some(Format::Apng)), 1);
        assert_eq!(frames(&MotionArguments { turntable: true, ..arguments(&[]) }, Some(Format::Png)), 60);
        let told = MotionArguments { turntable: true, frames: Some(7), ..arguments(&[]) };
        assert_eq!(frames(&told, Some(Format::Gif)), 7);
        let fast = MotionArguments { fps: 1000.0, ..arguments(&["all"]) };
        assert_eq!(f64::from(frames(&fast, Some(Format::Apng))), (duration * 1000.0).round());
    }

    #[test]
    fn a_round_is_divided_evenly_and_a_clip_that_stays_shows_its_end() {
        let (content, _) = load_model(None).unwrap();
        let duration = content.animations[0].duration();
        for fps in [0.01, 7.0, 23.976, 30.0, 49.0] {
            for format in [Format::Gif, Format::Apng] {
                let looping = MotionArguments { fps, ..arguments(&[]) };
                let round = Motion::new(&looping, Some(format), &content).unwrap();
                // From the last picture to the first one of the next round is as long as between any two.
                assert!((f64::from(round.frames) * round.step - duration).abs() < 1e-9, "{fps} {round:?}");
                assert!(round.repeats && (round.fps() * round.step - 1.0).abs() < 1e-9);
                let once = MotionArguments { repeats: Repeats::Once, time: 0.25, ..looping };
                let once = Motion::new(&once, Some(format), &content).unwrap();
                let last = once.start + f64::from(once.frames - 1) * once.step;
                assert!(!once.repeats && (last - duration).abs() < 1e-9, "{fps} {once:?}");
            }
        }
        let late = MotionArguments { repeats: Repeats::Once, time: 1e3, ..arguments(&[]) };
        assert_eq!(Motion::new(&late, Some(Format::Gif), &content).unwrap().frames, 1);
    }

    #[test]
    fn steps_are_near_the_pace_and_none_is_too_short_for_a_gif() {
        assert_eq!(spread(1.04, 30.0, f64::INFINITY), Some((31, 1.04 / 31.0)));
        assert_eq!(spread(0.0, 25.0, GIF_FPS), Some((1, 0.04)));
        assert_eq!(spread(1e-9, 25.0, GIF_FPS), Some((1, 1e-9)));
        assert_eq!(spread(0.03, 50.0, GIF_FPS), Some((1, 0.03)), "two steps of 15 ms would be too fast");
        assert_eq!(spread(1e9, 30.0, GIF_FPS), None);
        assert_eq!(spread(f64::INFINITY, 30.0, GIF_FPS), None);
    }

    #[test]
    fn an_unknown_clip_is_told_which_there_are() {
        let (content, _) = load_model(None).unwrap();
        let error = Motion::new(&arguments(&["Walk"]), None, &content).unwrap_err().to_string();
        assert!(error.starts_with("no clip \"Walk\"; there are: 0 "), "{error}");
        assert!(error.contains(content.animations[0].name()), "{error}");
        let error = Motion::new(&arguments(&["0"]), None, &Content::default()).unwrap_err().to_string();
        assert_eq!(error, "no clip \"0\"; the file has no clip");
    }

    #[test]
    fn a_pose_does_not_depend_on_those_before() {
        let (mut content, _) = load_model(None).unwrap();
        let motion =
            Motion { frames: 100, ..Motion::new(&arguments(&["0", "all"]), None, &content).unwrap() };
        assert_eq!(motion.clips, [0], "played once, however often it is named");
        motion.pose(&mut content, 17).unwrap();
        let alone = content.scene.world_transforms().to_vec();
        for frame in [0, 16, 99, 17] {
            motion.pose(&mut content, frame).unwrap();
        }
        assert_eq!(content.scene.world_transforms(), alone);
        motion.pose(&mut content, 18).unwrap();
        assert_ne!(content.scene.world_transforms(), alone);
    }

    #[test]
    fn the_bounds_of_a_sequence_hold_every_pose() {
        let (mut content, _) = load_model(None).unwrap();
        let motion = Motion { frames: 40, ..Motion::new(&arguments(&[]), None, &content).unwrap() };
        let all = motion.bounds(&mut content).unwrap().unwrap();
        for frame in 0..40 {
            motion.pose(&mut content, frame).unwrap();
            assert!(all.contains(&content.scene.bounds(&content.assets).unwrap()), "{frame}");
        }
        let mut nothing = Content::default();
        let motion = Motion::new(&arguments(&[]), None, &nothing).unwrap();
        assert_eq!(motion.bounds(&mut nothing).unwrap(), None);
    }
}
