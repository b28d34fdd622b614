//! Properties that do not come from one playback in full: gathered in playback order, then written.

use super::driven::{Driven, Part};
use super::pose_parts::PoseParts;
use super::rows::NONE;
use crate::animation::{Animation, BlendMode, Mix, MixedNumber, Playback, added, turned};
use crate::math::{Quat, Vec3};

/// One property in the making.
#[derive(Debug)]
struct Mixed {
    subject: u32,
    row: u32,
    part: Part,
    mix: Mix,
    /// Where its numbers start, if it is weights or a factor.
    numbers: usize,
}

/// How many numbers a factor is mixed as, whatever its width: the others are 0 and not looked at.
const FACTOR: usize = 4;

/// This frame's mixes, and room for them that stays.
#[derive(Debug, Default)]
pub(super) struct Mixing {
    mixes: Vec<Mixed>,
    /// Those of weights and factors.
    numbers: Vec<MixedNumber>,
    /// A sample of weights, and the one to take off it.
    sample: Vec<f32>,
    reference: Vec<f32>,
}

impl Mixing {
    /// Adds what a playback contributes to a target. One that contributes nothing still keeps the property in the pose
    /// that the others, or the rest, give.
    pub fn gather(
        &mut self,
        clip: &Animation,
        playback: &Playback,
        target: &mut Driven,
        pose: &mut PoseParts<'_>,
    ) {
        let (part, subject) = (target.part, target.subject as usize);
        let place = match part {
            Part::Factor => &mut pose.factors.animated[subject].mix,
            _ => &mut pose.animated.nodes[subject].mixes[part as usize],
        };
        if *place == NONE {
            *place = self.mixes.len() as u32;
            let (subject, row, numbers) = (target.subject, target.row, self.numbers.len());
            let count = match part {
                Part::Weights => pose.weights.count(row),
                Part::Factor => FACTOR,
                _ => 0,
            };
            self.numbers.resize(numbers + count, MixedNumber::EMPTY);
            self.mixes.push(Mixed { subject, row, part, mix: Mix::EMPTY, numbers });
        }
        let (weight, seconds) = (playback.weight(), playback.time());
        if weight == 0.0 || playback.blend() != BlendMode::Mix {
            return;
        }
        let mixed = &mut self.mixes[*place as usize];
        let track = clip.track(target.sampler);
        match part {
            Part::Translation | Part::Scale => {
                mixed.mix.add_vector(extended(track.vector_at(seconds, &mut target.cursor)), weight);
            }
            Part::Rotation => {
                let interpolation = playback.rotation_interpolation();
                let rotation = track.rotation_at(seconds, interpolation, &mut target.cursor);
                mixed.mix.add_rotation(rotation.to_array(), weight);
            }
            Part::Weights => {
                let driven = target.weights(pose.weights.count(target.row));
                self.sample.resize(driven.len(), 0.0);
                let count = track.weights_at(seconds, &mut target.cursor, &mut self.sample);
                let numbers = &mut self.numbers[mixed.numbers + driven.start..];
                for (number, &sample) in numbers.iter_mut().zip(&self.sample[..count]) {
                    number.add(sample, weight);
                }
            }
            Part::Factor => {
                let sample = track.factor_at(seconds, &mut target.cursor);
                let numbers = &mut self.numbers[mixed.numbers..][..FACTOR];
                numbers.iter_mut().zip(sample).for_each(|(number, sample)| number.add(sample, weight));
            }
        }
    }

    /// Writes everything gathered, and is empty again.
    pub fn write(&mut self, pose: &mut PoseParts<'_>) {
        for Mixed { subject, row, part, mix, numbers } in self.mixes.drain(..) {
            let subject = subject as usize;
            if part == Part::Factor {
                let factor = &mut pose.factors.animated[subject];
                factor.mix = NONE;
                let path = factor.path;
                if let Some(rest) = pose.rest_factor(path, row) {
                    let mixed = std::array::from_fn(|i| self.numbers[numbers + i].value(rest[i]));
                    pose.put_factor(path, row, mixed);
                }
                continue;
            }
            let node = &mut pose.animated.nodes[subject];
            node.mixes[part as usize] = NONE;
            let (rest, at) = (&node.rest, row as usize);
            match part {
                Part::Translation => {
                    pose.transforms[at].translation = shortened(mix.vector(extended(rest.translation)));
                }
                Part::Scale => pose.transforms[at].scale = shortened(mix.vector(extended(rest.scale))),
                Part::Rotation => {
                    let rotation = mix.rotation(rest.rotation.to_array());
                    pose.transforms[at].rotation = Quat::from_array(rotation);
                }
                Part::Weights | Part::Factor => {
                    let (values, rest) = pose.weights.pair(row);
                    for ((value, &rest), number) in values.iter_mut().zip(rest).zip(&self.numbers[numbers..])
                    {
                        *value = number.value(rest);
                    }
                }
            }
        }
        self.numbers.clear();
    }

    /// Adds the part of an additive playback to a target, on top of what was written.
    pub fn add(
        &mut self,
        clip: &Animation,
        playback: &Playback,
        reference: f64,
        target: &mut Driven,
        pose: &mut PoseParts<'_>,
    ) {
        let (weight, seconds) = (playback.weight(), playback.time());
        let (track, row) = (clip.track(target.sampler), target.row as usize);
        let vector = |to: &mut Vec3, cursor: &mut u32| {
            let (sample, reference) = (track.vector_at(seconds, cursor), track.vector_at(reference, &mut 0));
            *to = Vec3::from_array(std::array::from_fn(|i| added(to[i], reference[i], sample[i], weight)));
        };
        match target.part {
            Part::Translation => vector(&mut pose.transforms[row].translation, &mut target.cursor),
            Part::Scale => vector(&mut pose.transforms[row].scale, &mut target.cursor),
            Part::Rotation => {
                let interpolation = playback.rotation_interpolation();
                let sample = track.rotation_at(seconds, interpolation, &mut target.cursor).to_array();
                let reference = track.rotation_at(reference, interpolation, &mut 0).to_array();
                let rotation = &mut pose.transforms[row].rotation;
                *rotation = Quat::from_array(turned(rotation.to_array(), reference, sample, weight));
            }
            Part::Weights => {
                let values = pose.weights.values_mut(target.row);
                let driven = target.weights(values.len());
                let values = &mut values[driven];
                self.sample.resize(values.len(), 0.0);
                self.reference.resize(values.len(), 0.0);
                let count = track.weights_at(seconds, &mut target.cursor, &mut self.sample);
                track.weights_at(reference, &mut 0, &mut self.reference);
                for ((value, &sample), &reference) in
                    values[..count].iter_mut().zip(&self.sample).zip(&self.reference)
                {
                    *value = added(*value, reference, sample, weight);
                }
            }
            Part::Factor => {
                let path = pose.factors.animated[target.subject as usize].path;
                let Some(now) = pose.factor(path, target.row) else { return };
                let sample = track.factor_at(seconds, &mut target.cursor);
                let reference = track.factor_at(reference, &mut 0);
                let sum = std::array::from_fn(|i| added(now[i], reference[i], sample[i], weight));
                pose.put_factor(path, target.row, sum);
            }
        }
    }
}

fn extended(v: Vec3) -> [f32; 4] {
    [v.x, v.y, v.z, 0.0]
}

fn shortened([x, y, z, _]: [f32; 4]) -> Vec3 {
    Vec3::new(x, y, z)
}
