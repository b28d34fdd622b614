//! The one call per frame that moves nodes.

use super::arena::Scene;
use super::driven::{Company, Driven, Part};
use super::events::EventQueue;
use super::mixing::Mixing;
use super::playing::Playing;
use super::pose_parts::PoseParts;
use super::rows::NONE;
use crate::animation::{Animation, AnimationError, BlendMode, FiredEvent, Located, Playback};
use crate::math::Transform;

/// Advances every playback of `scene` by `elapsed_seconds` and writes the sampled properties into the local transforms,
/// the weights, cameras, lights and factors of materials.
///
/// Fades move on, and events that time reaches wait for [`Scene::drain_animation_events`].
///
/// Only driven properties are replaced; world matrices follow at [`Scene::update_world_transforms`]. What one playback
/// alone drives with weight 1 gets exactly its sample. Where several drive one property, or with less weight, they are
/// mixed as [`BlendMode`] says. `animations` is the list that the playbacks' clips are positions in; the caller owns the
/// clock. Nothing is allocated once everything has played that plays, and nothing is sampled or resolved again while
/// everything stands still.
///
/// # Errors
/// [`AnimationError::Time`] unless `elapsed_seconds` is finite and at least 0; [`AnimationError::UnknownClip`] or
/// [`AnimationError::ClipChanged`] if the list does not hold a clip that plays. All of it is checked before any node or
/// time changes.
pub fn advance_animations(
    scene: &mut Scene,
    animations: &[Animation],
    elapsed_seconds: f64,
) -> Result<(), AnimationError> {
    let elapsed = crate::animation::checked_time("elapsed time", elapsed_seconds)?;
    scene.playing.compact();
    scene.playing.check_clips(animations)?;
    scene.refresh_driven();
    if scene.playing.stands_still(elapsed) {
        return Ok(());
    }
    let (playing, mut pose) = scene.playing_and_pose();
    let Playing { playbacks, spans, driven, mixing, events, .. } = &mut *playing;
    let (mut some_add, mut some_end) = (false, false);
    for (playback, span) in playbacks.iter_mut().zip(spans.iter()) {
        let clip = &animations[playback.animation().index()];
        let plain = if playback.is_steady() && clip.events().is_empty() {
            playback.advance_steady(elapsed);
            true
        } else {
            advance_one(clip, playback, elapsed, events);
            playback.is_plain()
        };
        let targets = &mut driven[span.range()];
        match span.company {
            Company::AloneWithLinearRotations if plain => {
                write_linear_rotations(clip, playback, targets, pose.transforms);
                continue;
            }
            Company::Alone if plain => {
                let linear_rotations = span.linear_rotations as usize;
                write_samples(clip, playback, targets, linear_rotations, &mut pose);
                continue;
            }
            _ => {}
        }
        write_or_mix(clip, playback, targets, mixing, &mut pose);
        some_add |= playback.blend() != BlendMode::Mix;
        some_end |= playback.is_over();
    }
    mixing.write(&mut pose);
    if some_add {
        add_layers(animations, playing, &mut pose);
    }
    scene.pose_dirty |= !scene.playing.driven.is_empty();
    scene.playing.settled = true;
    if some_end {
        scene.stop_faded();
    }
    Ok(())
}

impl Scene {
    pub(super) fn pose_parts(&mut self) -> PoseParts<'_> {
        self.playing_and_pose().1
    }

    /// What plays, and what it writes to.
    pub(super) fn playing_and_pose(&mut self) -> (&mut Playing, PoseParts<'_>) {
        let Self { playing, rows, animated, weights, factors, cameras, lights, .. } = self;
        let transforms = rows.transform.as_mut_slice();
        (playing, PoseParts { transforms, weights, animated, factors, cameras, lights })
    }
}

#[inline(never)]
fn advance_one(clip: &Animation, playback: &mut Playback, elapsed: f64, events: &mut EventQueue) {
    let (id, animation) = (playback.id(), playback.animation());
    playback.advance(elapsed, clip.events(), |event, crossings| {
        events.push(FiredEvent { playback: id, animation, event, crossings });
    });
}

/// Writes LINEAR rotations as they are sampled: most of what moves in a scene, and what several lanes at once could do.
#[inline(always)]
fn write_linear_rotations(
    clip: &Animation,
    playback: &Playback,
    targets: &mut [Driven],
    transforms: &mut [Transform],
) {
    let (seconds, interpolation) = (playback.time(), playback.rotation_interpolation());
    let mut located = Located::NOWHERE;
    for target in targets {
        // No row is `NONE`.
        if let Some(transform) = transforms.get_mut(target.row as usize) {
            let track = clip.track(target.sampler);
            let span = located.among(&track, seconds, &mut target.cursor);
            transform.rotation = track.linear_rotation_in(span, seconds, interpolation);
        }
    }
}

/// Writes a playback's samples as they are; the first `linear_rotations` targets are that.
#[inline(never)]
fn write_samples(
    clip: &Animation,
    playback: &Playback,
    targets: &mut [Driven],
    linear_rotations: usize,
    pose: &mut PoseParts<'_>,
) {
    let (rotations, others) = targets.split_at_mut(linear_rotations);
    write_linear_rotations(clip, playback, rotations, pose.transforms);
    let (seconds, interpolation) = (playback.time(), playback.rotation_interpolation());
    let mut located = Located::NOWHERE;
    for target in others {
        if target.row == NONE {
            continue;
        }
        let (track, row) = (clip.track(target.sampler), target.row as usize);
        match target.part {
            Part::Translation => {
                let span = located.among(&track, seconds, &mut target.cursor);
                pose.transforms[row].translation = track.vector_in(span, seconds);
            }
            Part::Scale => {
                let span = located.among(&track, seconds, &mut target.cursor);
                pose.transforms[row].scale = track.vector_in(span, seconds);
            }
            Part::Rotation => {
                let rotation = track.rotation_at(seconds, interpolation, &mut target.cursor);
                pose.transforms[row].rotation = rotation;
            }
            Part::Weights => {
                let (values, rest) = pose.weights.pair(target.row);
                let driven = target.weights(values.len());
                let count = track.weights_at(seconds, &mut target.cursor, &mut values[driven.clone()]);
                // As when they are mixed: what the clip has no number for rests.
                let (start, end) = (driven.start, driven.start + count);
                values[..start].copy_from_slice(&rest[..start]);
                values[end..].copy_from_slice(&rest[end..]);
            }
            Part::Factor => {
                let path = pose.factors.animated[target.subject as usize].path;
                pose.put_factor(path, target.row, track.factor_at(seconds, &mut target.cursor));
            }
        }
    }
}

/// Writes what nobody else drives, and lets the rest be mixed.
#[inline(never)]
fn write_or_mix(
    clip: &Animation,
    playback: &Playback,
    targets: &mut [Driven],
    mixing: &mut Mixing,
    pose: &mut PoseParts<'_>,
) {
    let plain = playback.is_plain();
    for target in targets.iter_mut().filter(|target| target.row != NONE) {
        if plain && pose.drivers(target) == 1 {
            write_samples(clip, playback, std::slice::from_mut(target), 0, pose);
        } else {
            mixing.gather(clip, playback, target, pose);
        }
    }
}

/// Adds what additive playbacks contribute, on top of everything else.
#[inline(never)]
fn add_layers(animations: &[Animation], playing: &mut Playing, pose: &mut PoseParts<'_>) {
    let Playing { playbacks, spans, driven, mixing, .. } = playing;
    for (playback, span) in playbacks.iter().zip(spans) {
        let BlendMode::Additive { reference } = playback.blend() else { continue };
        if playback.weight() == 0.0 {
            continue;
        }
        let clip = &animations[playback.animation().index()];
        for target in driven[span.range()].iter_mut().filter(|target| target.row != NONE) {
            mixing.add(clip, playback, reference, target, pose);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::{
        AnimationChannel, AnimationEvent, AnimationId, AnimationSampler, Interpolation, Keyframes, LoopMode,
        PlaybackOptions, Pose, SlotId, TargetPath, sample_clip,
    };
    use crate::math::Vec3;
    use crate::scene::{ClipBinding, SceneNodeId};

    /// x goes from 0 to 1 in one second.
    fn clip() -> Animation {
        let values = Keyframes::Vec3(vec![Vec3::ZERO, Vec3::X]);
        let interpolation = Interpolation::Linear;
        let sampler = AnimationSampler { interpolation, timestamps: vec![0.0, 1.0], values };
        let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Translation, sampler: 0 };
        Animation::new("clip", vec![sampler], vec![channel]).unwrap()
    }

    struct World {
        scene: Scene,
        clips: [Animation; 1],
        node: SceneNodeId,
    }

    impl World {
        fn new(clip: Animation) -> Self {
            let mut scene = Scene::new();
            let node = scene.add_root("").unwrap();
            // Rows have their places.
            scene.update_world_transforms();
            Self { scene, clips: [clip], node }
        }

        fn play(&mut self, options: PlaybackOptions) -> crate::animation::PlaybackId {
            let nodes = vec![self.node; self.clips[0].slot_count()];
            let binding = ClipBinding::new(AnimationId::new(0), nodes);
            self.scene.play(&self.clips[0], &binding, options).unwrap()
        }

        /// Whether matrices had to be resolved after an advance.
        fn resolves(&mut self, seconds: f64) -> bool {
            advance_animations(&mut self.scene, &self.clips, seconds).unwrap();
            let dirty = self.scene.pose_dirty;
            self.scene.update_world_transforms();
            dirty
        }

        /// How far along the x axis the node stands.
        fn along(&self) -> f32 {
            self.scene.find(self.node).unwrap().world().rows[0].w
        }
    }

    #[test]
    fn nothing_is_resolved_while_everything_is_paused_or_no_time_passes() {
        let mut world = World::new(clip());
        let one = world.play(PlaybackOptions { weight: 0.5, start_time: 0.5, ..PlaybackOptions::default() });
        let other =
            world.play(PlaybackOptions { weight: 0.5, start_time: 0.5, ..PlaybackOptions::default() });
        assert!(world.resolves(0.0) && !world.resolves(0.0) && world.resolves(0.25));
        world.scene.set_paused(one, true).unwrap();
        assert!(world.resolves(0.0) && !world.resolves(0.0) && world.resolves(0.125));
        world.scene.set_speed(other, 0.0).unwrap();
        assert!(world.resolves(0.125) && !world.resolves(0.125) && !world.resolves(1e9));
        assert_eq!(world.along(), 0.5 * 0.75 + 0.5 * 0.875);
        // A fade goes on while time stands.
        world.scene.fade(one, 0.0, 1.0).unwrap();
        assert!(world.resolves(0.5) && world.resolves(0.25) && world.resolves(0.25) && !world.resolves(0.5));
        assert_eq!(world.along(), 0.5 * 0.875);
    }

    #[test]
    fn nothing_is_resolved_once_clips_are_at_their_end_and_all_events_were_reached() {
        let end = AnimationEvent { time: 1.0, name: String::new() };
        for (clip, events) in [(clip(), 0), (clip().with_events(vec![end]).unwrap(), 1)] {
            for (loop_mode, rounds) in [(LoopMode::Once, 1), (LoopMode::Times(2), 2)] {
                let mut world = World::new(clip.clone());
                let playback = world.play(PlaybackOptions { loop_mode, ..PlaybackOptions::default() });
                assert!(world.resolves(0.0) && world.resolves(0.75) && world.resolves(9.0));
                assert!(!world.resolves(9.0) && world.along() == 1.0);
                let fired = |world: &mut World| {
                    world.scene.drain_animation_events().map(|event| event.crossings).sum::<u64>()
                };
                assert_eq!(fired(&mut world), events * rounds);
                // After a seek to the end, an event there is still to come, though the pose stays.
                world.scene.set_loop_mode(playback, LoopMode::Once).unwrap();
                world.scene.seek(playback, 1.0).unwrap();
                world.resolves(0.0);
                world.resolves(9.0);
                assert!(!world.resolves(9.0) && world.along() == 1.0);
                assert_eq!(fired(&mut world), events);
            }
        }
    }

    #[test]
    fn clips_without_length_stand_still_in_every_mode_once_posed_and_their_events_fired() {
        let values = Keyframes::Vec3(vec![Vec3::X]);
        let interpolation = Interpolation::Linear;
        let sampler = AnimationSampler { interpolation, timestamps: vec![0.0], values };
        let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Translation, sampler: 0 };
        let one_key = Animation::new("one key", vec![sampler], vec![channel]).unwrap();
        let no_channel = Animation::new("no channel", vec![], vec![]).unwrap();
        let start = || vec![AnimationEvent { time: 0.0, name: String::new() }];
        for (clip, x) in [(one_key, 1.0), (no_channel, 0.0)] {
            for (clip, events) in [(clip.clone(), 0), (clip.with_events(start()).unwrap(), 1)] {
                for loop_mode in [LoopMode::Once, LoopMode::Times(3), LoopMode::Forever, LoopMode::PingPong] {
                    for speed in [1.0, -1.0] {
                        let mut world = World::new(clip.clone());
                        let options = PlaybackOptions { loop_mode, speed, ..PlaybackOptions::default() };
                        let playback = world.play(options);
                        let fired = |world: &mut World| {
                            world.scene.drain_animation_events().map(|event| event.crossings).sum::<u64>()
                        };
                        for _ in 0..2 {
                            assert!(!world.scene.playing.stands_still(0.25), "{loop_mode:?}");
                            world.resolves(0.0);
                            assert_eq!((fired(&mut world), world.along()), (0, x));
                            world.resolves(0.25);
                            assert!(world.scene.playing.stands_still(0.25), "{loop_mode:?}");
                            assert!(!world.resolves(9.0) && world.along() == x);
                            assert_eq!(fired(&mut world), events, "{loop_mode:?} {speed}");
                            assert!(world.scene.playback(playback).unwrap().is_finished());
                            world.scene.seek(playback, 0.0).unwrap();
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_scene_that_stands_still_takes_every_change_over() {
        let mut world = World::new(clip());
        let paused = PlaybackOptions { paused: true, start_time: 0.5, ..PlaybackOptions::default() };
        let playback = world.play(paused);
        assert!(world.resolves(1.0) && !world.resolves(1.0));
        let elsewhere = Transform { translation: Vec3::new(7.0, 0.0, 0.0), ..Transform::IDENTITY };
        type Change = fn(&mut World, crate::animation::PlaybackId, Transform);
        let changes: [(&str, Change, f32); 9] = [
            ("seek", |w, id, _| w.scene.seek(id, 0.25).unwrap(), 0.25),
            ("weight", |w, id, _| w.scene.set_weight(id, 0.5).unwrap(), 0.125),
            ("full weight", |w, id, _| w.scene.set_weight(id, 1.0).unwrap(), 0.25),
            ("transform", |w, _, to| w.scene.find_mut(w.node).unwrap().set_transform(to).unwrap(), 0.25),
            ("reset", |w, _, _| w.scene.reset_pose(), 0.25),
            (
                "pose",
                |w, _, _| {
                    let mut pose = Pose::default();
                    sample_clip(&w.clips[0], 1.0, &mut pose).unwrap();
                    let binding = ClipBinding::new(AnimationId::new(0), vec![w.node]);
                    w.scene.apply_pose(&pose, &binding).unwrap();
                },
                0.25,
            ),
            (
                "another",
                |w, _, _| {
                    w.play(PlaybackOptions { paused: true, ..PlaybackOptions::default() });
                },
                0.125,
            ),
            ("mask", |w, id, _| w.scene.set_mask(id, |_| false).unwrap(), 0.0),
            ("unmask", |w, id, _| w.scene.set_mask(id, |_| true).unwrap(), 0.125),
        ];
        for (name, change, x) in changes {
            change(&mut world, playback, elsewhere);
            world.scene.update_world_transforms();
            assert!(world.resolves(1.0), "{name}");
            assert_eq!(world.along(), x, "{name}");
            assert!(!world.resolves(1.0), "{name}");
        }
    }
}
