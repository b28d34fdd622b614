//! The clips of a model, and what is done with them.

use fire_engine::animation::{AnimationError, LoopMode, Playback, PlaybackId, PlaybackOptions};
use fire_engine::scene::Content;

/// How long one clip takes to give way to another, in seconds.
pub const CROSS_FADE: f64 = 0.3;

/// The clips of the content on show, in the order of its bindings, and the clock that moves all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Deck {
    /// One for each bound clip.
    pub clips: Vec<Clip>,
    /// Whether time stands still.
    pub paused: bool,
    /// Seconds of the clips for each second that passes; negative is backward.
    pub speed: f64,
}

/// How one clip plays, or would play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip {
    /// Its name in the scene while it plays.
    pub playback: Option<PlaybackId>,
    /// How much it counts among those that drive the same, from 0 to 1.
    pub weight: f64,
    /// Its own speed.
    pub speed: f64,
    /// What happens at its end.
    pub loop_mode: LoopMode,
}

/// What [`Deck::restore`] puts back after the file was loaded again.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    clips: Vec<(String, Clip, Option<f64>)>,
    paused: bool,
    speed: f64,
}

impl Deck {
    /// All clips of the content, of which those that are in `playing` were started as `loop_mode` says.
    pub fn new(content: &Content, playing: &[PlaybackId], loop_mode: LoopMode) -> Self {
        let running = |position: usize| {
            let animation = content.bindings[position].animation;
            let mut playbacks = playing.iter().filter_map(|id| content.scene.playback(*id));
            playbacks.find(|playback| playback.animation() == animation).map(Playback::id)
        };
        let clip = |position| Clip { playback: running(position), weight: 1.0, speed: 1.0, loop_mode };
        Self { clips: (0..content.bindings.len()).map(clip).collect(), paused: false, speed: 1.0 }
    }

    /// How far the clips move within `elapsed` seconds.
    pub fn step(&self, elapsed: f64) -> f64 {
        if self.paused { 0.0 } else { elapsed }
    }

    /// The name of a clip, and how long it is.
    pub fn facts<'a>(&self, content: &'a Content, position: usize) -> (&'a str, f64) {
        let clip = content
            .bindings
            .get(position)
            .and_then(|binding| content.animations.get(binding.animation.index()));
        clip.map_or(("", 0.0), |clip| (clip.name(), clip.duration()))
    }

    /// Where a clip stands in its time, if it plays.
    pub fn time(&self, content: &Content, position: usize) -> Option<f64> {
        let playback = self.clips.get(position)?.playback?;
        content.scene.playback(playback).map(Playback::time)
    }

    /// Whether anything would look different a moment later.
    pub fn moves(&self, content: &Content) -> bool {
        let moving = |playback: &Playback| {
            let passes = playback.duration() > 0.0 && playback.speed() != 0.0 && !playback.is_finished();
            passes || playback.is_fading()
        };
        // At a speed of 0 one clip still fades into another.
        !self.paused && content.scene.playbacks().iter().any(moving)
    }

    /// Whether clips play, all of which came to their end.
    pub fn is_over(&self, content: &Content) -> bool {
        let playbacks = content.scene.playbacks();
        !playbacks.is_empty()
            && playbacks.iter().all(|playback| playback.duration() > 0.0 && playback.is_finished())
    }

    /// Puts every clip that plays to where it begins: its start, or its end if it plays backward.
    ///
    /// # Errors
    /// As [`seek`](Self::seek).
    pub fn restart(&mut self, content: &mut Content) -> Result<(), AnimationError> {
        for position in 0..self.clips.len() {
            let backward = self.clips[position].speed * self.speed < 0.0;
            let begin = if backward { self.facts(content, position).1 } else { 0.0 };
            self.seek(content, position, begin)?;
        }
        Ok(())
    }

    /// The clip whose time a single time line shows: the longest of those that play.
    pub fn leader(&self, content: &Content) -> Option<usize> {
        let playing = (0..self.clips.len()).filter(|position| self.clips[*position].playback.is_some());
        playing.max_by(|one, other| {
            let [one, other] = [one, other].map(|position| self.facts(content, *position).1);
            one.total_cmp(&other)
        })
    }

    /// Starts a clip beside those that play.
    ///
    /// # Errors
    /// As [`Scene::play`](fire_engine::scene::Scene::play).
    pub fn start(&mut self, content: &mut Content, position: usize, time: f64) -> Result<(), AnimationError> {
        let Some(clip) = self.clips.get_mut(position).filter(|clip| clip.playback.is_none()) else {
            return Ok(());
        };
        let binding = &content.bindings[position];
        let animation = &content.animations[binding.animation.index()];
        let options = PlaybackOptions {
            // One beyond the end is wrapped or clamped as the clip repeats.
            start_time: time.max(0.0),
            speed: clip.speed * self.speed,
            loop_mode: clip.loop_mode,
            weight: clip.weight,
            ..PlaybackOptions::default()
        };
        clip.playback = Some(content.scene.play(animation, binding, options)?);
        Ok(())
    }

    /// Stops a clip. What only it drove goes back to rest.
    ///
    /// # Errors
    /// As [`Content::advance`].
    pub fn stop(&mut self, content: &mut Content, position: usize) -> Result<(), AnimationError> {
        let Some(playback) = self.clips.get_mut(position).and_then(|clip| clip.playback.take()) else {
            return Ok(());
        };
        content.scene.stop(playback);
        content.scene.reset_pose();
        content.advance(0.0)
    }

    /// Plays this clip, in full, instead of all others, which fade out unless time stands still.
    ///
    /// # Errors
    /// As [`start`](Self::start) and [`stop`](Self::stop).
    pub fn solo(&mut self, content: &mut Content, position: usize) -> Result<(), AnimationError> {
        let Some(clip) = self.clips.get_mut(position) else { return Ok(()) };
        clip.weight = 1.0;
        for (other, clip) in self.clips.iter_mut().enumerate() {
            clip.playback = clip.playback.filter(|_| other == position);
        }
        self.start(content, position, 0.0)?;
        let Some(playback) = self.clips[position].playback else { return Ok(()) };
        // Those that fade out for another reason, too.
        let others: Vec<PlaybackId> =
            content.scene.playbacks().iter().map(Playback::id).filter(|id| *id != playback).collect();
        if self.paused || others.is_empty() {
            content.scene.set_weight(playback, 1.0)?;
            for other in others {
                content.scene.stop(other);
            }
            content.scene.reset_pose();
        } else {
            for other in others {
                content.scene.cross_fade(other, playback, CROSS_FADE)?;
            }
        }
        content.advance(0.0)
    }

    /// Moves a clip to a time of its own.
    ///
    /// # Errors
    /// As [`Scene::seek`](fire_engine::scene::Scene::seek).
    pub fn seek(&mut self, content: &mut Content, position: usize, time: f64) -> Result<(), AnimationError> {
        match self.clips.get(position).and_then(|clip| clip.playback) {
            Some(playback) => content.scene.seek(playback, time),
            None => Ok(()),
        }
    }

    /// Moves every clip that plays by so many seconds of its own, round where it repeats.
    ///
    /// # Errors
    /// As [`seek`](Self::seek).
    pub fn nudge(&mut self, content: &mut Content, seconds: f64) -> Result<(), AnimationError> {
        for position in 0..self.clips.len() {
            let Some(time) = self.time(content, position) else { continue };
            let (duration, to) = (self.facts(content, position).1, time + seconds);
            let round = self.clips[position].loop_mode == LoopMode::Forever && duration > 0.0;
            self.seek(content, position, if round { to.rem_euclid(duration) } else { to.max(0.0) })?;
        }
        Ok(())
    }

    /// Changes how a clip plays, now or when it is started next.
    ///
    /// # Errors
    /// A weight outside of 0 to 1 or a speed that is no number.
    pub fn set(
        &mut self,
        content: &mut Content,
        position: usize,
        wanted: Clip,
    ) -> Result<(), AnimationError> {
        let Some(clip) = self.clips.get_mut(position) else { return Ok(()) };
        if let Some(playback) = clip.playback {
            content.scene.set_weight(playback, wanted.weight)?;
            content.scene.set_speed(playback, wanted.speed * self.speed)?;
            content.scene.set_loop_mode(playback, wanted.loop_mode)?;
        }
        *clip = Clip { playback: clip.playback, ..wanted };
        Ok(())
    }

    /// Changes the speed of all clips together.
    ///
    /// # Errors
    /// A speed that is no number.
    pub fn set_speed(&mut self, content: &mut Content, speed: f64) -> Result<(), AnimationError> {
        for clip in &self.clips {
            if let Some(playback) = clip.playback {
                content.scene.set_speed(playback, clip.speed * speed)?;
            }
        }
        self.speed = speed;
        Ok(())
    }

    /// What is to be kept while the file is loaded again.
    pub fn remember(&self, content: &Content) -> Remembered {
        let clip = |position: usize| {
            let name = self.facts(content, position).0.to_owned();
            (name, self.clips[position], self.time(content, position))
        };
        Remembered {
            clips: (0..self.clips.len()).map(clip).collect(),
            paused: self.paused,
            speed: self.speed,
        }
    }

    /// A deck for new content, of which nothing plays yet, as the old one was: clips are found by their place if that has
    /// the same name, else by their name, if they have any. Each stands for one, so clips that are new do not play.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn restore(content: &mut Content, remembered: &Remembered) -> Result<Self, AnimationError> {
        let mut deck = Self::new(content, &[], LoopMode::default());
        (deck.paused, deck.speed) = (remembered.paused, remembered.speed);
        let mut left: Vec<Option<_>> = remembered.clips.iter().map(Some).collect();
        let mut found = vec![None; deck.clips.len()];
        let names: Vec<String> =
            (0..found.len()).map(|position| deck.facts(content, position).0.to_owned()).collect();
        for (position, name) in names.iter().enumerate() {
            if let Some(old) = left.get_mut(position).filter(|old| old.is_some_and(|(was, ..)| was == name)) {
                found[position] = old.take();
            }
        }
        for (position, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            if found[position].is_none()
                && let Some(old) = left.iter_mut().find(|old| old.is_some_and(|(was, ..)| was == name))
            {
                found[position] = old.take();
            }
        }
        for (position, old) in found.into_iter().enumerate() {
            let Some((_, clip, time)) = old else { continue };
            deck.clips[position] = Clip { playback: None, ..*clip };
            if let Some(time) = time {
                deck.start(content, position, *time)?;
            }
        }
        Ok(deck)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use fire_engine::animation::{
        Animation, AnimationChannel, AnimationId, AnimationSampler, Interpolation, Keyframes, SlotId,
        TargetPath,
    };
    use fire_engine::math::Vec3;
    use fire_engine::scene::ClipBinding;

    /// Clips of these names and lengths, each of which moves the same node along x at a meter a second.
    fn content(clips: &[(&str, f32)]) -> Content {
        let mut content = Content::default();
        let node = content.scene.add_root("node").unwrap();
        for (number, &(name, length)) in clips.iter().enumerate() {
            let keys = if length > 0.0 { vec![0.0, length] } else { vec![0.0] };
            let sampler = AnimationSampler {
                interpolation: Interpolation::Linear,
                values: Keyframes::Vec3(keys.iter().map(|seconds| Vec3::X * *seconds).collect()),
                timestamps: keys,
            };
            let channel =
                AnimationChannel { slot: SlotId::new(0), path: TargetPath::Translation, sampler: 0 };
            content.animations.push(Animation::new(name, vec![sampler], vec![channel]).unwrap());
            content.bindings.push(ClipBinding::new(AnimationId::new(number as u32), vec![node]));
        }
        content
    }

    fn x(content: &mut Content) -> f32 {
        content.scene.update_world_transforms();
        content.scene.roots().next().unwrap().world().translation().x
    }

    /// The same, of which the first plays.
    pub(in crate::app::view) fn started(clips: &[(&str, f32)]) -> (Content, Deck) {
        let mut content = content(clips);
        let playing = content.play_first().unwrap();
        let deck = Deck::new(&content, &playing, LoopMode::Forever);
        (content, deck)
    }

    #[test]
    fn a_deck_knows_what_was_started_and_leads_with_the_longest() {
        let (mut content, mut deck) = started(&[("short", 1.0), ("long", 3.0)]);
        assert_eq!(deck.clips.iter().map(|clip| clip.playback.is_some()).collect::<Vec<_>>(), [true, false]);
        assert_eq!((deck.leader(&content), deck.facts(&content, 1)), (Some(0), ("long", 3.0)));
        deck.start(&mut content, 1, 0.0).unwrap();
        assert_eq!(deck.leader(&content), Some(1));
        assert!(deck.moves(&content));
        deck.paused = true;
        assert!(!deck.moves(&content));
        assert_eq!((deck.step(0.5), deck.facts(&content, 9)), (0.0, ("", 0.0)));
    }

    #[test]
    fn scrubbing_poses_while_time_stands_still() {
        let (mut content, mut deck) = started(&[("walk", 2.0)]);
        deck.paused = true;
        deck.seek(&mut content, 0, 1.25).unwrap();
        content.advance(deck.step(0.1)).unwrap();
        assert_eq!((x(&mut content), deck.time(&content, 0)), (1.25, Some(1.25)));
        deck.nudge(&mut content, 1.0).unwrap();
        content.advance(0.0).unwrap();
        assert_eq!(x(&mut content), 0.25, "round the end");
        deck.nudge(&mut content, -0.5).unwrap();
        content.advance(0.0).unwrap();
        assert_eq!(x(&mut content), 1.75, "round the start");
    }

    #[test]
    fn what_came_to_its_end_can_be_played_again_in_either_direction() {
        let (mut content, mut deck) = started(&[("walk", 2.0)]);
        let once = |speed| Clip { playback: None, weight: 1.0, speed, loop_mode: LoopMode::Once };
        deck.set(&mut content, 0, once(1.0)).unwrap();
        content.advance(1.0).unwrap();
        assert!(!deck.is_over(&content));
        content.advance(5.0).unwrap();
        assert!(deck.is_over(&content) && !deck.moves(&content));
        deck.restart(&mut content).unwrap();
        assert_eq!((deck.time(&content, 0), deck.is_over(&content)), (Some(0.0), false));
        deck.set(&mut content, 0, once(-1.0)).unwrap();
        deck.restart(&mut content).unwrap();
        assert_eq!((deck.time(&content, 0), deck.is_over(&content)), (Some(2.0), false));
    }

    #[test]
    fn a_stopped_clip_leaves_its_node_at_rest() {
        let (mut content, mut deck) = started(&[("walk", 2.0)]);
        content.advance(1.0).unwrap();
        assert_eq!(x(&mut content), 1.0);
        deck.stop(&mut content, 0).unwrap();
        assert_eq!((x(&mut content), deck.clips[0].playback, deck.leader(&content)), (0.0, None, None));
        deck.stop(&mut content, 0).unwrap();
        deck.stop(&mut content, 7).unwrap();
    }

    #[test]
    fn one_clip_gives_way_to_another() {
        let (mut content, mut deck) = started(&[("walk", 2.0), ("run", 2.0)]);
        content.advance(1.0).unwrap();
        deck.solo(&mut content, 1).unwrap();
        assert_eq!(content.scene.playbacks().len(), 2, "they mix for a moment");
        assert_eq!(deck.clips.iter().map(|clip| clip.playback.is_some()).collect::<Vec<_>>(), [false, true]);
        content.advance(2.0 * CROSS_FADE).unwrap();
        assert_eq!(content.scene.playbacks().len(), 1);
        deck.paused = true;
        deck.solo(&mut content, 0).unwrap();
        assert_eq!(content.scene.playbacks().len(), 1, "no time for a fade");
        assert_eq!(x(&mut content), 0.0, "from its start");
        deck.solo(&mut content, 0).unwrap();
        deck.solo(&mut content, 5).unwrap();
        assert_eq!(content.scene.playbacks().len(), 1);
    }

    #[test]
    fn a_clip_alone_is_alone_also_amid_a_fade_while_time_stands_still() {
        let (mut content, mut deck) = started(&[("walk", 2.0), ("run", 2.0)]);
        content.advance(1.0).unwrap();
        deck.solo(&mut content, 1).unwrap();
        content.advance(0.1).unwrap();
        assert!(deck.moves(&content));
        deck.paused = true;
        deck.solo(&mut content, 1).unwrap();
        assert_eq!((x(&mut content), content.scene.playbacks().len()), (0.1, 1));
    }

    #[test]
    fn a_fade_goes_on_at_a_speed_of_0() {
        let (mut content, mut deck) = started(&[("walk", 2.0), ("run", 2.0)]);
        deck.set_speed(&mut content, 0.0).unwrap();
        assert!(!deck.moves(&content));
        deck.solo(&mut content, 1).unwrap();
        assert!(deck.moves(&content));
        content.advance(CROSS_FADE).unwrap();
        assert!(!deck.moves(&content) && content.scene.playbacks().len() == 1);
    }

    #[test]
    fn what_stands_still_at_its_end_is_over_too() {
        let (mut content, mut deck) = started(&[("walk", 2.0)]);
        deck.set(&mut content, 0, Clip { loop_mode: LoopMode::Once, ..deck.clips[0] }).unwrap();
        deck.paused = true;
        deck.seek(&mut content, 0, 1.0).unwrap();
        assert!(!deck.is_over(&content));
        deck.seek(&mut content, 0, 2.0).unwrap();
        content.advance(deck.step(1.0)).unwrap();
        assert!(deck.is_over(&content));
    }

    #[test]
    fn a_clip_without_length_does_not_move_but_its_fade_does() {
        let (mut content, mut deck) = started(&[("pose", 0.0), ("walk", 2.0)]);
        assert!(!deck.moves(&content));
        content.scene.fade(deck.clips[0].playback.unwrap(), 0.5, 1.0).unwrap();
        assert!(deck.moves(&content));
        content.advance(2.0).unwrap();
        assert!(!deck.moves(&content));
        deck.start(&mut content, 1, 0.0).unwrap();
        assert!(deck.moves(&content));
    }

    #[test]
    fn clips_that_are_new_do_not_play_whatever_they_are_called() {
        let (old, deck) = started(&[("", 2.0)]);
        let remembered = deck.remember(&old);
        for names in [&[("", 2.0), ("", 2.0), ("", 2.0)][..], &[("new", 1.0), ("", 2.0)]] {
            let mut new = content(names);
            let deck = Deck::restore(&mut new, &remembered).unwrap();
            let playing: Vec<bool> = deck.clips.iter().map(|clip| clip.playback.is_some()).collect();
            let expected: Vec<bool> = (0..names.len()).map(|at| at == 0 && names[0].0.is_empty()).collect();
            assert_eq!(playing, expected, "{names:?}");
        }
        let (old, deck) = started(&[("walk", 2.0)]);
        let mut new = content(&[("walk", 2.0), ("walk", 2.0)]);
        let deck = Deck::restore(&mut new, &deck.remember(&old)).unwrap();
        assert!(deck.clips[0].playback.is_some() && deck.clips[1].playback.is_none());
    }

    #[test]
    fn settings_hold_for_what_plays_and_for_what_is_started_later() {
        let (mut content, mut deck) = started(&[("walk", 2.0), ("run", 2.0)]);
        for position in [0, 1] {
            let wanted = Clip { playback: None, weight: 0.5, speed: 2.0, loop_mode: LoopMode::Once };
            deck.set(&mut content, position, wanted).unwrap();
        }
        deck.set_speed(&mut content, 0.25).unwrap();
        deck.start(&mut content, 1, 0.0).unwrap();
        for playback in content.scene.playbacks() {
            assert_eq!((playback.weight(), playback.speed()), (0.5, 0.5));
            assert_eq!(playback.loop_mode(), LoopMode::Once);
        }
        assert!(deck.set(&mut content, 0, Clip { weight: 2.0, ..deck.clips[0] }).is_err());
        assert!(deck.set_speed(&mut content, f64::NAN).is_err());
        assert_eq!((deck.clips[0].weight, deck.speed), (0.5, 0.25), "as they were");
    }

    #[test]
    fn a_loaded_again_file_plays_on_where_it_was() {
        let (mut old, mut deck) = started(&[("walk", 2.0), ("run", 4.0)]);
        deck.solo(&mut old, 1).unwrap();
        old.advance(1.5).unwrap();
        deck.set_speed(&mut old, 2.0).unwrap();
        deck.paused = true;
        let remembered = deck.remember(&old);
        // The clips changed places, one is shorter, one is new.
        let mut new = content(&[("run", 1.0), ("idle", 1.0), ("walk", 2.0)]);
        let deck = Deck::restore(&mut new, &remembered).unwrap();
        assert_eq!((deck.paused, deck.speed, new.scene.playbacks().len()), (true, 2.0, 1));
        new.advance(0.0).unwrap();
        assert_eq!(deck.time(&new, 0), Some(0.5), "1.5 s of a clip that is 1 s long now");
        assert_eq!(new.scene.playbacks()[0].speed(), 2.0);
        let mut none = content(&[]);
        assert_eq!(Deck::restore(&mut none, &remembered).unwrap().clips.len(), 0);
    }
}
