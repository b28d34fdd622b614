//! The pose at a time.

use super::arguments::MotionArguments;
use super::paths::Format;
use crate::app::error::AppError;
use crate::app::selection;
use fire_engine::animation::PlaybackOptions;
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
    step: f64,
    /// How many pictures there are.
    pub frames: u32,
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
        let longest = clips.iter().map(|&clip| content.animations[clip].duration()).fold(0.0, f64::max);
        let frames = match (arguments.frames, arguments.turntable, format) {
            (Some(frames), ..) => frames,
            (None, true, _) => TURNTABLE,
            (None, false, Some(Format::Gif | Format::Apng)) => {
                let frames = (longest * arguments.fps).ceil().max(1.0);
                if frames > MOST_BY_THEMSELVES {
                    return Err(AppError::Endless(longest));
                }
                frames as u32
            }
            (None, false, _) => 1,
        };
        let options = PlaybackOptions { loop_mode: arguments.repeats.into(), ..PlaybackOptions::default() };
        Ok(Self { clips, options, start: arguments.time, step: 1.0 / arguments.fps, frames })
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
        assert_eq!(f64::from(frames(&arguments(&[]), Some(Format::Gif))), (duration * 30.0).ceil());
        assert_eq!(frames(&arguments(&["none"]), Some(Format::Apng)), 1);
        assert_eq!(frames(&MotionArguments { turntable: true, ..arguments(&[]) }, Some(Format::Png)), 60);
        let told = MotionArguments { turntable: true, frames: Some(7), ..arguments(&[]) };
        assert_eq!(frames(&told, Some(Format::Gif)), 7);
        let fast = MotionArguments { fps: 1000.0, ..arguments(&["all"]) };
        assert_eq!(f64::from(frames(&fast, Some(Format::Gif))), (duration * 1000.0).ceil());
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
