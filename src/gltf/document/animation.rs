//! Animations.

use super::whole::Whole;
use super::word::Word;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Animation {
    pub name: Option<String>,
    pub channels: Vec<Channel>,
    pub samplers: Vec<AnimationSampler>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct Channel {
    pub sampler: Whole,
    pub target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct ChannelTarget {
    pub node: Option<Whole>,
    pub path: Word,
    pub extensions: Option<ChannelTargetExtensions>,
}

/// What the path `pointer` points at.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct AnimationPointer {
    pub pointer: String,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(in crate::gltf) struct AnimationSampler {
    pub input: Whole,
    pub output: Whole,
    pub interpolation: Option<Word>,
}

from_objects! { Animation Channel ChannelTarget AnimationPointer AnimationSampler }

extensions! {
    /// Extensions of a channel's target.
    ChannelTargetExtensions {
        "KHR_animation_pointer" => pointer: AnimationPointer,
    }
}
