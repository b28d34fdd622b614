//! Clips, and what they drive.

use fire_engine::animation::{AnimationChannel, Interpolation, TargetPath};
use fire_engine::scene::Content;
use serde::Serialize;
use std::collections::HashMap;

#[derive(Debug, Serialize)]
pub struct ClipFacts<'a> {
    pub index: usize,
    pub name: &'a str,
    /// Seconds.
    pub duration: f64,
    /// Those that play.
    pub channels: Vec<ChannelFacts<'a>>,
}

#[derive(Debug, Serialize)]
pub struct ChannelFacts<'a> {
    /// The node that is driven, or whose camera or light is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// The material that is driven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<usize>,
    /// The name of either.
    pub name: &'a str,
    /// Which property.
    pub path: String,
    pub interpolation: &'static str,
    pub keyframes: usize,
}

/// The document's clips in order.
pub fn clips(content: &Content) -> Vec<ClipFacts<'_>> {
    let numbers = content.document.nodes.iter().enumerate();
    let numbers: HashMap<_, _> = numbers.filter_map(|(index, id)| Some(((*id)?, index))).collect();
    let channel = |clip: usize, channel: &AnimationChannel| {
        let (binding, animation) = (content.bindings.get(clip)?, &content.animations[clip]);
        let slot = channel.slot.index();
        let (node, material, name) = match channel.path {
            TargetPath::Material(_) => {
                let id = *binding.materials.get(slot)?;
                (None, Some(id.index()), content.assets.material(id)?.name.as_str())
            }
            _ => {
                let id = *binding.nodes.get(slot)?;
                (numbers.get(&id).copied(), None, content.scene.find(id)?.name())
            }
        };
        let sampler = animation.samplers().get(channel.sampler as usize)?;
        Some(ChannelFacts {
            node,
            material,
            name,
            path: channel.path.to_string(),
            interpolation: match sampler.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
                _ => "other",
            },
            keyframes: sampler.timestamps.len(),
        })
    };
    let clips = content.animations.iter().enumerate();
    clips
        .map(|(index, clip)| ClipFacts {
            index,
            name: clip.name(),
            duration: clip.duration(),
            channels: clip.channels().iter().filter_map(|driven| channel(index, driven)).collect(),
        })
        .collect()
}
