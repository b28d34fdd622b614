//! Properties that do not come from one playback in full: gathered in playback order, then written.

use super::animated::AnimatedNodes;
use super::driven::Driven;
use super::rows::NONE;
use super::weights::MorphWeights;
use crate::animation::{Animation, BlendMode, Mix, MixedNumber, Playback, TargetPath, added, turned};
use crate::math::{Quat, Transform, Vec3};

/// One property of one node in the making.
#[derive(Debug)]
struct Mixed {
    node: u32,
    row: u32,
    path: TargetPath,
    mix: Mix,
    /// Where its numbers start, if it is weights.
    numbers: usize,
}

/// This frame's mixes, and room for them that stays.
#[derive(Debug, Default)]
pub(super) struct Mixing {
    mixes: Vec<Mixed>,
    /// Those of weights.
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
        animated: &mut AnimatedNodes,
        weights: &MorphWeights,
    ) {
        let path = target.path;
        let place = &mut animated.nodes[target.node as usize].mixes[path as usize];
        if *place == NONE {
            *place = self.mixes.len() as u32;
            let (node, row, numbers) = (target.node, target.row, self.numbers.len());
            if path == TargetPath::Weights {
                self.numbers.resize(numbers + weights.count(row), MixedNumber::EMPTY);
            }
            self.mixes.push(Mixed { node, row, path, mix: Mix::EMPTY, numbers });
        }
        let (weight, seconds) = (playback.weight(), playback.time());
        if weight == 0.0 || playback.blend() != BlendMode::Mix {
            return;
        }
        let mixed = &mut self.mixes[*place as usize];
        let (track, cursor) = (clip.track(target.sampler), &mut target.cursor);
        match path {
            TargetPath::Translation | TargetPath::Scale => {
                mixed.mix.add_vector(extended(track.vector_at(seconds, cursor)), weight);
            }
            TargetPath::Rotation => {
                let rotation = track.rotation_at(seconds, playback.rotation_interpolation(), cursor);
                mixed.mix.add_rotation(rotation.to_array(), weight);
            }
            TargetPath::Weights => {
                self.sample.resize(weights.count(target.row), 0.0);
                let count = track.weights_at(seconds, cursor, &mut self.sample);
                let numbers = &mut self.numbers[mixed.numbers..];
                for (number, &sample) in numbers.iter_mut().zip(&self.sample[..count]) {
                    number.add(sample, weight);
                }
            }
        }
    }

    /// Writes everything gathered, and is empty again.
    pub fn write(
        &mut self,
        transforms: &mut [Transform],
        weights: &mut MorphWeights,
        animated: &mut AnimatedNodes,
    ) {
        for Mixed { node, row, path, mix, numbers } in self.mixes.drain(..) {
            let node = &mut animated.nodes[node as usize];
            node.mixes[path as usize] = NONE;
            let rest = &node.rest;
            match path {
                TargetPath::Translation => {
                    transforms[row as usize].translation = shortened(mix.vector(extended(rest.translation)));
                }
                TargetPath::Scale => {
                    transforms[row as usize].scale = shortened(mix.vector(extended(rest.scale)));
                }
                TargetPath::Rotation => {
                    let rotation = mix.rotation(rest.rotation.to_array());
                    transforms[row as usize].rotation = Quat::from_array(rotation);
                }
                TargetPath::Weights => {
                    let (values, rest) = weights.pair(row);
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
        transforms: &mut [Transform],
        weights: &mut MorphWeights,
    ) {
        let (weight, seconds) = (playback.weight(), playback.time());
        let (track, cursor, row) = (clip.track(target.sampler), &mut target.cursor, target.row as usize);
        let vector = |to: &mut Vec3, cursor: &mut u32| {
            let (sample, reference) = (track.vector_at(seconds, cursor), track.vector_at(reference, &mut 0));
            *to = Vec3::from_array(std::array::from_fn(|i| added(to[i], reference[i], sample[i], weight)));
        };
        match target.path {
            TargetPath::Translation => vector(&mut transforms[row].translation, cursor),
            TargetPath::Scale => vector(&mut transforms[row].scale, cursor),
            TargetPath::Rotation => {
                let interpolation = playback.rotation_interpolation();
                let sample = track.rotation_at(seconds, interpolation, cursor).to_array();
                let reference = track.rotation_at(reference, interpolation, &mut 0).to_array();
                let rotation = &mut transforms[row].rotation;
                *rotation = Quat::from_array(turned(rotation.to_array(), reference, sample, weight));
            }
            TargetPath::Weights => {
                let values = weights.values_mut(target.row);
                self.sample.resize(values.len(), 0.0);
                self.reference.resize(values.len(), 0.0);
                let count = track.weights_at(seconds, cursor, &mut self.sample);
                track.weights_at(reference, &mut 0, &mut self.reference);
                for ((value, &sample), &reference) in
                    values[..count].iter_mut().zip(&self.sample).zip(&self.reference)
                {
                    *value = added(*value, reference, sample, weight);
                }
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
