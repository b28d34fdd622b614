//! Clips: channels over slots, with samplers shared as the document shares them.

use super::LoadError;
use super::accessor::Accessors;
use super::document::{Animation as JsonAnimation, AnimationSampler as JsonSampler, Whole};
use super::hierarchy::{Hierarchy, Local};
use super::layout::Component;
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::text::shown;
use crate::animation::{Animation, AnimationChannel, AnimationSampler, SlotId, TargetPath};
use crate::math::Quat;
use std::collections::HashMap;

/// A clip and the document's node for each of its slots.
pub(super) struct Clip {
    pub animation: Animation,
    pub nodes: Vec<usize>,
}

/// Imports every animation under its own index.
pub(super) fn import(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    hierarchy: &Hierarchy,
    report: &mut LoadReport,
) -> Result<Vec<Clip>, LoadError> {
    let animations = source.json.animations.iter().enumerate();
    animations
        .map(|(index, animation)| import_one(source, accessors, hierarchy, animation, index, report))
        .collect()
}

fn import_one(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    hierarchy: &Hierarchy,
    animation: &JsonAnimation,
    index: usize,
    report: &mut LoadReport,
) -> Result<Clip, LoadError> {
    let path = format!("animations[{index}]");
    let mut slots: HashMap<usize, SlotId> = HashMap::new();
    let mut nodes = Vec::new();
    let mut sampler_ids: HashMap<usize, u32> = HashMap::new();
    let mut samplers = Vec::new();
    let mut channels = Vec::new();
    for (number, channel) in animation.channels.iter().enumerate() {
        let channel_path = format!("{path}.channels[{number}]");
        let Some(node) = channel.target.node else {
            report.ignored(Severity::Warning, channel_path, "it names no node");
            continue;
        };
        if channel.target.path != "rotation" {
            let reason = format!(
                "the path \"{}\" is not animated yet, only rotation is; export the animation without it",
                shown(&channel.target.path)
            );
            return Err(source.unsupported(format!("{channel_path}.target.path"), reason));
        }
        let node_path = format!("{channel_path}.target.node");
        let (node, _) = source.get(&source.json.nodes, "node", node, &node_path)?;
        let sampler_path = format!("{channel_path}.sampler");
        let (sampler, json_sampler) =
            source.get(&animation.samplers, "the animation's sampler", channel.sampler, &sampler_path)?;
        if !hierarchy.reached[node] {
            report.ignored(
                Severity::Warning,
                channel_path,
                format!("node {node} is not in the imported scene"),
            );
            continue;
        }
        if matches!(hierarchy.locals[node], Local::Matrix(_)) {
            let message = format!("node {node} has a matrix, which has no rotation to drive");
            report.ignored(Severity::Warning, channel_path, message);
            continue;
        }
        let sampler = match sampler_ids.get(&sampler) {
            Some(&id) => id,
            None => {
                samplers.push(import_sampler(
                    source,
                    accessors,
                    json_sampler,
                    &format!("{path}.samplers[{sampler}]"),
                    report,
                )?);
                let id = u32::try_from(samplers.len() - 1).unwrap_or(u32::MAX);
                sampler_ids.insert(sampler, id);
                id
            }
        };
        let slot = *slots.entry(node).or_insert_with(|| {
            nodes.push(node);
            SlotId::new(u32::try_from(nodes.len() - 1).unwrap_or(u32::MAX))
        });
        channels.push(AnimationChannel { slot, path: TargetPath::Rotation, sampler });
    }
    let name = animation.name.clone().unwrap_or_default();
    match Animation::new(name, samplers, channels) {
        Ok(animation) => Ok(Clip { animation, nodes }),
        Err(error) => {
            Err(LoadError::Animation { file: source.file.to_owned(), json_path: path, cause: error })
        }
    }
}

fn import_sampler(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    sampler: &JsonSampler,
    path: &str,
    report: &mut LoadReport,
) -> Result<AnimationSampler, LoadError> {
    match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => {}
        Some(other) => {
            let reason = format!(
                "the interpolation \"{}\" is not supported yet, only LINEAR is; sample the animation when exporting",
                shown(other)
            );
            return Err(source.unsupported(format!("{path}.interpolation"), reason));
        }
    }
    let elements = |accessor: Whole, field: &str, components: usize, float_only: bool| {
        let path = format!("{path}.{field}");
        let elements = accessors.elements(accessor, &path)?;
        let format = elements.format;
        let usable = match format.component {
            Component::F32 => true,
            Component::U32 => false,
            _ => format.normalized && !float_only,
        };
        if usable && format.components == components {
            return Ok(elements);
        }
        let shape = if float_only { "FLOAT SCALAR" } else { "FLOAT or normalized integer VEC4" };
        let reason = format!("accessors[{}] is {format}; it must be {shape}", elements.index);
        Err(source.unsupported(path, reason))
    };
    let input = elements(sampler.input, "input", 1, true)?;
    let output = elements(sampler.output, "output", 4, false)?;
    let (times, rotations) = (accessors.floats(&input)?, accessors.floats::<Quat>(&output)?);
    // Integers cannot hold every unit quaternion: four components are each off by half a step at most.
    let tolerance = match output.format.component {
        Component::I8 | Component::U8 => 2e-2,
        _ => 1e-3,
    };
    let off = rotations.iter().filter(|rotation| (rotation.length_squared() - 1.0).abs() > tolerance).count();
    if off > 0 {
        let message = format!("{off} of {} rotations are not of length 1; normalized", rotations.len());
        report.repaired(format!("{path}.output"), message);
    }
    Ok(AnimationSampler::linear_rotation(times, rotations))
}
