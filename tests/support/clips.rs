//! Short names for clips of every kind, and a scene to play them in.
#![allow(dead_code)] // not every test binary needs all of it

use fire_engine::animation::{
    Animation, AnimationChannel, AnimationId, AnimationSampler, Interpolation, Keyframes, PlaybackId,
    PlaybackOptions, Pose, SlotId, TargetPath, sample_clip,
};
use fire_engine::assets::MaterialId;
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::scene::{ClipBinding, Scene, SceneNodeId, advance_animations};

pub const STEP: Interpolation = Interpolation::Step;
pub const LINEAR: Interpolation = Interpolation::Linear;
pub const CUBIC: Interpolation = Interpolation::CubicSpline;

pub fn vectors(interpolation: Interpolation, times: &[f32], values: &[[f32; 3]]) -> AnimationSampler {
    let values = Keyframes::Vec3(values.iter().map(|&v| Vec3::from_array(v)).collect());
    AnimationSampler { interpolation, timestamps: times.to_vec(), values }
}

pub fn rotations(interpolation: Interpolation, times: &[f32], values: &[[f32; 4]]) -> AnimationSampler {
    let values = Keyframes::Rotation(values.iter().map(|&q| Quat::from_array(q)).collect());
    AnimationSampler { interpolation, timestamps: times.to_vec(), values }
}

pub fn weights(interpolation: Interpolation, times: &[f32], values: &[f32]) -> AnimationSampler {
    AnimationSampler {
        interpolation,
        timestamps: times.to_vec(),
        values: Keyframes::Weights(values.to_vec()),
    }
}

pub fn numbers(interpolation: Interpolation, times: &[f32], values: &[f32]) -> AnimationSampler {
    AnimationSampler {
        interpolation,
        timestamps: times.to_vec(),
        values: Keyframes::Numbers(values.to_vec()),
    }
}

/// A clip of channels, each a slot, a path and a sampler of its own.
pub fn clip_of(channels: Vec<(u32, TargetPath, AnimationSampler)>) -> Animation {
    let mut samplers = Vec::new();
    let channels = channels.into_iter().zip(0..).map(|((slot, path, sampler), index)| {
        samplers.push(sampler);
        AnimationChannel { slot: SlotId::new(slot), path, sampler: index }
    });
    let channels = channels.collect();
    Animation::new("clip", samplers, channels).unwrap()
}

/// A clip of one channel on slot 0.
pub fn clip(path: TargetPath, sampler: AnimationSampler) -> Animation {
    clip_of(vec![(0, path, sampler)])
}

/// A clip that moves slot 0 along x with its time: x is the seconds.
pub fn ramp(seconds: f32) -> Animation {
    clip(TargetPath::Translation, vectors(LINEAR, &[0.0, seconds], &[[0.0; 3], [seconds, 0.0, 0.0]]))
}

/// A clip that holds slot 0 at one x.
pub fn still(x: f32) -> Animation {
    clip(TargetPath::Translation, vectors(STEP, &[0.0], &[[x, 0.0, 0.0]]))
}

/// A unit quaternion about an axis, in degrees.
pub fn about(axis: Vec3, degrees: f64) -> [f32; 4] {
    let (sine, cosine) = (degrees.to_radians() / 2.0).sin_cos();
    let part = |c: f32| (f64::from(c) * sine) as f32;
    [part(axis.x), part(axis.y), part(axis.z), cosine as f32]
}

/// What a clip says about slot 0.
pub fn sampled(clip: &Animation, seconds: f64) -> Pose {
    let mut pose = Pose::default();
    sample_clip(clip, seconds, &mut pose).unwrap();
    pose
}

/// Some root nodes and the clips that play on them.
pub struct Stage {
    pub scene: Scene,
    pub clips: Vec<Animation>,
    pub nodes: Vec<SceneNodeId>,
}

impl Stage {
    pub fn new(nodes: usize) -> Self {
        let mut scene = Scene::new();
        let nodes = (0..nodes).map(|i| scene.add_root(&format!("node {i}")).unwrap()).collect();
        Self { scene, clips: Vec::new(), nodes }
    }

    /// The clip's slots on these nodes.
    pub fn bind(&mut self, clip: Animation, nodes: &[usize]) -> ClipBinding {
        let animation = AnimationId::new(self.clips.len() as u32);
        self.clips.push(clip);
        ClipBinding::new(animation, nodes.iter().map(|&node| self.nodes[node]).collect())
    }

    pub fn play_on(&mut self, clip: Animation, nodes: &[usize], options: PlaybackOptions) -> PlaybackId {
        let binding = self.bind(clip, nodes);
        self.scene.play(&self.clips[binding.animation.index()], &binding, options).unwrap()
    }

    /// On these materials, which have factors in the scene, and no node.
    pub fn play_on_materials(
        &mut self,
        clip: Animation,
        materials: &[u32],
        options: PlaybackOptions,
    ) -> PlaybackId {
        let materials = materials.iter().map(|&material| MaterialId::new(material)).collect();
        let binding = ClipBinding { materials, ..self.bind(clip, &[]) };
        self.scene.play(&self.clips[binding.animation.index()], &binding, options).unwrap()
    }

    pub fn play(&mut self, clip: Animation, options: PlaybackOptions) -> PlaybackId {
        self.play_on(clip, &[0], options)
    }

    pub fn advance(&mut self, seconds: f64) {
        advance_animations(&mut self.scene, &self.clips, seconds).unwrap();
    }

    pub fn time(&self, playback: PlaybackId) -> f64 {
        self.scene.playback(playback).unwrap().time()
    }

    pub fn transform(&self, node: usize) -> Transform {
        self.scene.find(self.nodes[node]).unwrap().local().transform().unwrap()
    }

    pub fn x(&self, node: usize) -> f32 {
        self.transform(node).translation.x
    }

    pub fn weights(&self, node: usize) -> &[f32] {
        self.scene.find(self.nodes[node]).unwrap().weights()
    }

    pub fn put(&mut self, node: usize, transform: Transform) {
        self.scene.find_mut(self.nodes[node]).unwrap().set_transform(transform).unwrap();
    }
}
