//! Clips: channels over slots, with samplers shared as the document shares them.

use super::LoadError;
use super::accessor::{Accessors, Elements};
use super::document::{Animation as JsonAnimation, AnimationSampler as JsonSampler};
use super::hierarchy::{Hierarchy, Local};
use super::layout::{Component, Format};
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::text::{Lazy, shown};
use crate::animation::{Animation, AnimationChannel, AnimationSampler, SlotId, TargetPath};
use crate::math::Quat;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

/// A clip and the document's node for each of its slots.
pub(super) struct Clip {
    pub animation: Animation,
    pub nodes: Vec<usize>,
}

/// Imports every animation under its own index.
///
/// A clip whose own data is at fault keeps its place, empty and reported, so that the others play; what it refers to has
/// been checked before.
pub(super) fn import(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    hierarchy: &Hierarchy,
    report: &mut LoadReport,
) -> Result<Vec<Clip>, LoadError> {
    let import = |(index, animation): (usize, &JsonAnimation)| {
        let path = Lazy(|| format!("animations[{index}]"));
        let name = animation.name.as_deref().unwrap_or("");
        let importer = Importer { source, accessors, hierarchy, path: &path };
        match importer.import(name, animation, report)? {
            Ok(clip) => Ok(clip),
            Err(fault) => {
                report.ignored(Severity::Warning, path, format!("the whole clip is left out: {fault}"));
                let empty = Animation::new(name, Vec::new(), Vec::new());
                let animation = empty.map_err(|fault| source.invalid(path, fault.to_string()))?;
                Ok(Clip { animation, nodes: Vec::new() })
            }
        }
    };
    source.json.animations.iter().enumerate().map(import).collect()
}

/// What a clip's own data can be wrong in, besides what makes the document faulty.
type OrFault<T> = Result<Result<T, String>, LoadError>;

struct Importer<'a> {
    source: &'a Source<'a>,
    accessors: &'a Accessors<'a>,
    hierarchy: &'a Hierarchy,
    path: &'a dyn Display,
}

impl Importer<'_> {
    fn import(&self, name: &str, animation: &JsonAnimation, report: &mut LoadReport) -> OrFault<Clip> {
        let source = self.source;
        let mut slots: HashMap<usize, SlotId> = HashMap::new();
        let mut nodes = Vec::new();
        let mut sampler_ids: HashMap<usize, u32> = HashMap::new();
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        let mut unplayed: BTreeMap<String, usize> = BTreeMap::new();
        for (number, channel) in animation.channels.iter().enumerate() {
            let channel_path = Lazy(|| format!("{}.channels[{number}]", self.path));
            let Some(node) = channel.target.node else {
                report.ignored(Severity::Warning, channel_path, "it names no node");
                continue;
            };
            let (node, _) = source.get(&source.json.nodes, "node", node, channel_path)?;
            let (sampler, json_sampler) =
                source.get(&animation.samplers, "the animation's sampler", channel.sampler, channel_path)?;
            if let Some(missing) = unplayed_kind(&channel.target.path, json_sampler) {
                *unplayed.entry(missing).or_default() += 1;
                continue;
            }
            if !self.hierarchy.reached[node] {
                let message = format!("node {node} is not in the imported scene");
                report.ignored(Severity::Warning, channel_path, message);
                continue;
            }
            if matches!(self.hierarchy.locals[node], Local::Matrix(_)) {
                let message = format!("node {node} has a matrix, which has no rotation to drive");
                report.ignored(Severity::Warning, channel_path, message);
                continue;
            }
            let sampler = match sampler_ids.get(&sampler) {
                Some(&id) => id,
                None => {
                    let path = Lazy(|| format!("{}.samplers[{sampler}]", self.path));
                    match import_sampler(self.accessors, json_sampler, path, report)? {
                        Ok(imported) => samplers.push(imported),
                        Err(fault) => return Ok(Err(fault)),
                    }
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
        for (kind, count) in unplayed {
            let channels = if count == 1 { "1 channel".to_owned() } else { format!("{count} channels") };
            report.ignored(Severity::Warning, self.path, format!("{channels} not played: {kind}"));
        }
        let clip = Animation::new(name, samplers, channels);
        Ok(clip.map(|animation| Clip { animation, nodes }).map_err(|fault| fault.to_string()))
    }
}

/// Why a channel is not played, where the reason is its kind.
fn unplayed_kind(path: &str, sampler: &JsonSampler) -> Option<String> {
    match path {
        "rotation" => match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => None,
            Some(other) => Some(format!("{} rotation is not animated yet, only LINEAR is", shown(other))),
        },
        "translation" | "scale" | "weights" => Some(format!("{path} is not animated yet, only rotation is")),
        other => Some(format!("\"{}\" is not a property that glTF animates", shown(other))),
    }
}

fn import_sampler(
    accessors: &Accessors<'_>,
    sampler: &JsonSampler,
    path: impl Display,
    report: &mut LoadReport,
) -> OrFault<AnimationSampler> {
    let (input, output) = (Lazy(|| format!("{path}.input")), Lazy(|| format!("{path}.output")));
    let times = accessors.elements(sampler.input, input)?;
    if (times.format.components, times.format.component) != (1, Component::F32) {
        let (index, format) = (times.index, times.format);
        return Ok(Err(format!("{input}: accessors[{index}] is {format}; it must be FLOAT SCALAR")));
    }
    let values = accessors.elements(sampler.output, output)?;
    if !values.format.holds_rotations() {
        let (index, format, wanted) = (values.index, values.format, Format::ROTATIONS);
        return Ok(Err(format!("{output}: accessors[{index}] is {format}; it must be {wanted}")));
    }
    let (times, rotations) = (accessors.floats(&times)?, rotations(accessors, &values, output, report)?);
    Ok(Ok(AnimationSampler::linear_rotation(times, rotations)))
}

/// Rotations as the file has them, with a note on those that are not of length 1. Whoever uses them normalizes them.
pub(super) fn rotations(
    accessors: &Accessors<'_>,
    elements: &Elements<'_>,
    path: impl Display,
    report: &mut LoadReport,
) -> Result<Vec<Quat>, LoadError> {
    let rotations = accessors.floats::<Quat>(elements)?;
    // Integers cannot hold every unit quaternion: four components are each off by half a step at most.
    let tolerance = match elements.format.component {
        Component::I8 | Component::U8 => 2e-2,
        _ => 1e-3,
    };
    let off = rotations.iter().filter(|rotation| (rotation.length_squared() - 1.0).abs() > tolerance).count();
    if off > 0 {
        let message = format!("{off} of {} rotations are not of length 1; normalized", rotations.len());
        report.repaired(path, message);
    }
    Ok(rotations)
}
