//! Random plays, masks, weights, fades and edits against a naive account of what each property should be.

use crate::clips::*;
use crate::random::Random;
use fire_engine::animation::{
    Animation, AnimationId, BlendMode, LoopMode, PlaybackId, PlaybackOptions, SlotId, TargetPath,
};
use fire_engine::math::{Quat, Transform};
use fire_engine::scene::{ClipBinding, Scene, SceneNodeId, advance_animations};

/// A property in double precision: a vector, a quaternion or weights.
type Property = Vec<f64>;

struct Node {
    id: SceneNodeId,
    rest: Transform,
    pose: Transform,
    rest_weights: Vec<f32>,
    weights: Vec<f32>,
}

struct Playing {
    id: PlaybackId,
    clip: usize,
    nodes: [SceneNodeId; 2],
    masked: Vec<SceneNodeId>,
}

struct World {
    random: Random,
    scene: Scene,
    clips: Vec<Animation>,
    nodes: Vec<Node>,
    playing: Vec<Playing>,
    mixed: usize,
}

const PATHS: [TargetPath; 4] =
    [TargetPath::Translation, TargetPath::Rotation, TargetPath::Scale, TargetPath::Weights];

/// Takes over the parts that nothing drives, in the order of [`PATHS`].
fn copy_undriven(to: &mut Transform, from: Transform, driven: [bool; 4]) {
    if !driven[0] {
        to.translation = from.translation;
    }
    if !driven[1] {
        to.rotation = from.rotation;
    }
    if !driven[2] {
        to.scale = from.scale;
    }
}

fn part(transform: &Transform, weights: &[f32], path: TargetPath) -> Property {
    let numbers: &[f32] = match path {
        TargetPath::Translation => &transform.translation.to_array(),
        TargetPath::Rotation => &transform.rotation.to_array(),
        TargetPath::Scale => &transform.scale.to_array(),
        _ => weights,
    };
    numbers.iter().map(|&x| f64::from(x)).collect()
}

fn aligned(q: Property, first: &Property) -> Property {
    let dot: f64 = q.iter().zip(first).map(|(a, b)| a * b).sum();
    if dot < 0.0 { q.iter().map(|c| -c).collect() } else { q }
}

fn unit(q: Property) -> Property {
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.iter().map(|c| c / length).collect()
}

fn product(a: &Property, b: &Property) -> Property {
    let quat = |q: &Property| Quat::from_xyzw(q[0] as f32, q[1] as f32, q[2] as f32, q[3] as f32);
    (quat(a) * quat(b)).to_array().map(f64::from).to_vec()
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let clips = (0..4).map(|_| random.clip()).collect();
        Self { random, scene: Scene::new(), clips, nodes: Vec::new(), playing: Vec::new(), mixed: 0 }
    }

    /// The samples of one property that a playback gives a node: usually one, two if both slots mean the node. Then
    /// LINEAR rotations come first, then the order is that of the channels.
    fn samples(&self, playing: &Playing, seconds: f64, node: SceneNodeId, path: TargetPath) -> Vec<Property> {
        if playing.masked.contains(&node) {
            return Vec::new();
        }
        let pose = sampled(&self.clips[playing.clip], seconds);
        let clip = &self.clips[playing.clip];
        let channels = || clip.channels().iter().filter(|channel| channel.path == path);
        let linear = |slot: usize| {
            let mut of_slot = channels().filter(|channel| channel.slot.index() == slot);
            of_slot.any(|channel| clip.samplers()[channel.sampler as usize].interpolation == LINEAR)
        };
        let mut slots: Vec<usize> = (0..2).filter(|&slot| playing.nodes[slot] == node).collect();
        if path == TargetPath::Rotation {
            slots.sort_by_key(|&slot| !linear(slot));
        }
        let slots = slots.into_iter().map(|slot| SlotId::new(slot as u32));
        let found = slots.filter_map(|slot| match path {
            TargetPath::Translation => pose.translation(slot).map(|v| v.to_array().to_vec()),
            TargetPath::Rotation => pose.rotation(slot).map(|q| q.to_array().to_vec()),
            TargetPath::Scale => pose.scale(slot).map(|v| v.to_array().to_vec()),
            _ => pose.weights(slot).map(<[f32]>::to_vec),
        });
        found.map(|numbers| numbers.into_iter().map(f64::from).collect()).collect()
    }

    fn driven(&self, node: SceneNodeId, path: TargetPath) -> bool {
        self.playing.iter().any(|playing| !self.samples(playing, 0.0, node, path).is_empty())
    }

    /// What a property should be after an advance, or `None` if nothing drives it.
    fn expected(&self, node: &Node, path: TargetPath) -> Option<Property> {
        let rest = part(&node.rest, &node.rest_weights, path);
        let (mut sum, mut weight_of) = (vec![0.0; rest.len()], vec![0.0; rest.len()]);
        let (mut first, mut driven): (Option<Property>, bool) = (None, false);
        let mut additions = Vec::new();
        for playing in &self.playing {
            // One that faded out in this step counted for nothing.
            let state = self.scene.playback(playing.id);
            let (seconds, weight) = state.map_or((0.0, 0.0), |state| (state.time(), state.weight()));
            for sample in self.samples(playing, seconds, node.id, path) {
                driven = true;
                if weight == 0.0 {
                    continue;
                }
                if let Some(BlendMode::Additive { reference }) = state.map(|state| state.blend()) {
                    additions.push((sample, reference, weight, playing));
                    continue;
                }
                let sample = match (&first, path) {
                    (Some(first), TargetPath::Rotation) => aligned(sample, first),
                    _ => sample,
                };
                first.get_or_insert_with(|| sample.clone());
                for (i, number) in sample.iter().enumerate().take(rest.len()) {
                    sum[i] += weight * number;
                    weight_of[i] += weight;
                }
            }
        }
        if !driven {
            return None;
        }
        let rest = match (&first, path) {
            (Some(first), TargetPath::Rotation) => aligned(rest, first),
            _ => rest,
        };
        let mut mixed: Property = (0..rest.len())
            .map(|i| match weight_of[i] {
                whole if whole > 1.0 => sum[i] / whole,
                some => sum[i] + (1.0 - some) * rest[i],
            })
            .collect();
        if path == TargetPath::Rotation {
            mixed = unit(mixed);
        }
        for (position, (sample, reference, weight, playing)) in additions.iter().enumerate() {
            let same = additions[..position].iter().filter(|a| std::ptr::eq(a.3, *playing)).count();
            let from = self.samples(playing, *reference, node.id, path)[same].clone();
            if path == TargetPath::Rotation {
                let inverse = vec![-from[0], -from[1], -from[2], from[3]];
                let delta = aligned(product(&inverse, sample), &vec![0.0, 0.0, 0.0, 1.0]);
                let some: Property =
                    (0..4).map(|i| delta[i] * weight + if i == 3 { 1.0 - weight } else { 0.0 }).collect();
                mixed = unit(product(&mixed, &some));
            } else {
                for i in 0..mixed.len().min(sample.len()) {
                    mixed[i] += (sample[i] - from[i]) * weight;
                }
            }
        }
        Some(mixed)
    }

    fn advance(&mut self) {
        let seconds = [0.0, 0.07, 0.5][self.random.below(3)];
        advance_animations(&mut self.scene, &self.clips, seconds).unwrap();
        for index in 0..self.nodes.len() {
            let expected = PATHS.map(|path| self.expected(&self.nodes[index], path));
            let node = &mut self.nodes[index];
            let found = self.scene.find(node.id).unwrap();
            let (local, weights) = (found.local().transform().unwrap(), found.weights().to_vec());
            for (path, expected) in PATHS.into_iter().zip(expected) {
                let ours = part(&local, &weights, path);
                let Some(expected) = expected else {
                    assert_eq!(ours, part(&node.pose, &node.weights, path), "an undriven {path} moved");
                    continue;
                };
                self.mixed += 1;
                let expected = if path == TargetPath::Rotation { aligned(expected, &ours) } else { expected };
                assert_eq!(ours.len(), expected.len(), "{path}");
                for (ours, expected) in ours.iter().zip(&expected) {
                    assert!((ours - expected).abs() < 1e-5, "{path}: {ours} {expected}");
                }
            }
            (node.pose, node.weights) = (local, weights);
        }
        let scene = &self.scene;
        self.playing.retain(|playing| scene.playback(playing.id).is_some());
    }

    fn play(&mut self) {
        let [a, b] = [0, 1].map(|_| self.random.below(self.nodes.len()));
        let nodes = [self.nodes[a].id, self.nodes[b].id];
        let clip = self.random.below(self.clips.len());
        let binding = ClipBinding::new(AnimationId::new(clip as u32), nodes.to_vec());
        let options = PlaybackOptions {
            start_time: f64::from(self.random.part().abs()),
            speed: [1.0, -0.6, 2.0][self.random.below(3)],
            loop_mode: [LoopMode::Forever, LoopMode::PingPong, LoopMode::Once][self.random.below(3)],
            weight: [0.0, 0.3, 1.0, 1.0][self.random.below(4)],
            blend: match self.random.below(4) {
                0 => BlendMode::Additive { reference: f64::from(self.random.part().abs()) },
                _ => BlendMode::Mix,
            },
            ..PlaybackOptions::default()
        };
        let id = self.scene.play(&self.clips[clip], &binding, options).unwrap();
        // A node without weights got as many as the first channel that drives some has.
        for (slot, node) in nodes.into_iter().enumerate() {
            let driven = self.clips[clip].channels().iter();
            let mut driven = driven.filter(|c| c.path == TargetPath::Weights && c.slot.index() == slot);
            let node = self.nodes.iter_mut().find(|n| n.id == node).unwrap();
            if let (true, Some(channel)) = (node.weights.is_empty(), driven.next()) {
                node.weights = vec![0.0; self.clips[clip].samplers()[channel.sampler as usize].width()];
                node.rest_weights.clone_from(&node.weights);
            }
        }
        self.playing.push(Playing { id, clip, nodes, masked: Vec::new() });
    }

    fn edit(&mut self, index: usize) {
        let transform = self.random.transform();
        let id = self.nodes[index].id;
        let driven = PATHS.map(|path| self.driven(id, path));
        let node = &mut self.nodes[index];
        let mut edit = self.scene.find_mut(id).unwrap();
        match self.random.below(3) {
            0 => {
                edit.set_transform(transform).unwrap();
                node.pose = transform;
                copy_undriven(&mut node.rest, transform, driven);
            }
            1 => {
                edit.set_rest(transform).unwrap();
                node.rest = transform;
                copy_undriven(&mut node.pose, transform, driven);
            }
            _ => {
                let weights: Vec<f32> = (0..self.random.below(4)).map(|_| self.random.part()).collect();
                edit.set_weights(&weights).unwrap();
                if !driven[3] || weights.len() != node.weights.len() {
                    node.rest_weights.clone_from(&weights);
                }
                node.weights = weights;
            }
        }
    }

    fn control(&mut self) {
        let at = self.random.below(self.playing.len());
        let id = self.playing[at].id;
        match self.random.below(8) {
            0 => {
                assert!(self.scene.stop(id));
                self.playing.remove(at);
            }
            1 | 2 => {
                let bits = self.random.next();
                let ids: Vec<_> = self.nodes.iter().map(|node| node.id).collect();
                let masked = |node| ids.iter().position(|&id| id == node).is_some_and(|i| bits >> i & 1 == 1);
                self.scene.set_mask(id, |node| !masked(node.id())).unwrap();
                let nodes = self.playing[at].nodes;
                self.playing[at].masked = nodes.into_iter().filter(|&node| masked(node)).collect();
            }
            3 => self.scene.set_weight(id, [0.0, 0.4, 1.0][self.random.below(3)]).unwrap(),
            4 => self.scene.fade(id, f64::from(self.random.part().abs()), 0.3).unwrap(),
            5 => {
                let to = self.playing[self.random.below(self.playing.len())].id;
                if to != id {
                    self.scene.cross_fade(id, to, 0.2).unwrap();
                }
            }
            6 => self.scene.seek(id, f64::from(self.random.part())).unwrap(),
            _ => self.scene.set_paused(id, self.random.below(2) == 0).unwrap(),
        }
    }

    fn step(&mut self) {
        match self.random.below(20) {
            _ if self.nodes.is_empty() => self.add(),
            0 if self.nodes.len() < 8 => self.add(),
            1 if self.random.below(3) == 0 => {
                let node = self.nodes.swap_remove(self.random.below(self.nodes.len()));
                self.scene.remove(node.id).unwrap();
            }
            2..5 if self.playing.len() < 7 => self.play(),
            5..8 => {
                let index = self.random.below(self.nodes.len());
                self.edit(index);
            }
            8..12 if !self.playing.is_empty() => self.control(),
            12 => {
                self.scene.reset_pose();
                for node in &mut self.nodes {
                    node.pose = node.rest;
                    node.weights.clone_from(&node.rest_weights);
                }
            }
            13 => self.scene.update_world_transforms(),
            _ => self.advance(),
        }
    }

    fn add(&mut self) {
        let id = self.scene.add_root("").unwrap();
        let (rest, pose) = (Transform::IDENTITY, Transform::IDENTITY);
        self.nodes.push(Node { id, rest, pose, rest_weights: Vec::new(), weights: Vec::new() });
    }
}

#[test]
fn random_mixes_equal_a_naive_account() {
    let mut mixed = 0;
    for seed in 0..60 {
        let mut world = World::new(seed);
        for _ in 0..400 {
            world.step();
        }
        world.advance();
        mixed += world.mixed;
    }
    assert!(mixed > 50_000, "only {mixed} properties were compared");
}
