//! Clips: channels over slots, with samplers shared as the document shares them.

use super::LoadError;
use super::accessor::{Accessors, Elements};
use super::document::{Animation as JsonAnimation, AnimationSampler as JsonSampler};
use super::hierarchy::{Hierarchy, Local};
use super::layout::Component;
use super::mesh::{MORPHS_NOT_APPLIED, Meshes};
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::text::{Lazy, shown};
use crate::animation::{
    Animation, AnimationChannel, AnimationSampler, Interpolation, Keyframes, SlotId, TargetPath,
};
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
    meshes: &Meshes,
    report: &mut LoadReport,
) -> Result<Vec<Clip>, LoadError> {
    let import = |(index, animation): (usize, &JsonAnimation)| {
        let path = Lazy(|| format!("animations[{index}]"));
        let name = animation.name.as_deref().unwrap_or("");
        let importer = Importer { source, accessors, hierarchy, meshes, path: &path };
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
    meshes: &'a Meshes,
    path: &'a dyn Display,
}

/// What a channel's path needs of its sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Rotation,
    Vector,
    Weights,
}

impl Kind {
    fn of(path: TargetPath) -> Self {
        match path {
            TargetPath::Rotation => Self::Rotation,
            TargetPath::Weights => Self::Weights,
            _ => Self::Vector,
        }
    }

    /// Components of an output element, and what they are called.
    fn shape(self) -> (usize, &'static str) {
        match self {
            Self::Rotation => (4, "VEC4"),
            Self::Vector => (3, "VEC3"),
            Self::Weights => (1, "SCALAR"),
        }
    }
}

impl Importer<'_> {
    fn import(&self, name: &str, animation: &JsonAnimation, report: &mut LoadReport) -> OrFault<Clip> {
        let source = self.source;
        let mut slots: HashMap<usize, SlotId> = HashMap::with_capacity(animation.channels.len());
        let mut nodes = Vec::new();
        let mut sampler_ids: HashMap<(usize, Kind), u32> = HashMap::with_capacity(animation.samplers.len());
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        let mut unplayed: BTreeMap<String, usize> = BTreeMap::new();
        let mut morphs = 0;
        for (number, channel) in animation.channels.iter().enumerate() {
            let channel_path = Lazy(|| format!("{}.channels[{number}]", self.path));
            let Some(node) = channel.target.node else {
                report.ignored(Severity::Warning, channel_path, "it names no node");
                continue;
            };
            let (node, json_node) = source.get(&source.json.nodes, "node", node, channel_path)?;
            let (sampler, json_sampler) =
                source.get(&animation.samplers, "the animation's sampler", channel.sampler, channel_path)?;
            let target = match target(&channel.target.path) {
                Ok(target) => target,
                Err(missing) => {
                    *unplayed.entry(missing).or_default() += 1;
                    continue;
                }
            };
            if !self.hierarchy.reached[node] {
                let message = format!("node {node} is not in the imported scene");
                report.ignored(Severity::Warning, channel_path, message);
                continue;
            }
            if target != TargetPath::Weights && matches!(self.hierarchy.locals[node], Local::Matrix(_)) {
                let message = format!("node {node} has a matrix, which has no {target} to drive");
                report.ignored(Severity::Warning, channel_path, message);
                continue;
            }
            let targets = json_node.mesh.map_or(0, |mesh| self.meshes.targets[mesh.index()]);
            if target == TargetPath::Weights && targets == 0 {
                let message = format!("node {node} has no mesh with morph targets to weigh");
                report.ignored(Severity::Warning, channel_path, message);
                continue;
            }
            let kind = Kind::of(target);
            let sampler = match sampler_ids.get(&(sampler, kind)) {
                Some(&id) => id,
                None => {
                    let path = Lazy(|| format!("{}.samplers[{sampler}]", self.path));
                    match import_sampler(self.accessors, json_sampler, kind, path, report)? {
                        Ok(imported) => samplers.push(imported),
                        Err(fault) => return Ok(Err(fault)),
                    }
                    let id = u32::try_from(samplers.len() - 1).unwrap_or(u32::MAX);
                    sampler_ids.insert((sampler, kind), id);
                    id
                }
            };
            if target == TargetPath::Weights {
                morphs += 1;
                let driven = samplers[sampler as usize].width();
                if driven != targets {
                    let message = format!(
                        "{driven} weights a keyframe for the {targets} morph targets of node {node}; the smaller number \
                         is driven"
                    );
                    report.repaired(channel_path.to_string(), message);
                }
            }
            let slot = *slots.entry(node).or_insert_with(|| {
                nodes.push(node);
                SlotId::new(u32::try_from(nodes.len() - 1).unwrap_or(u32::MAX))
            });
            channels.push(AnimationChannel { slot, path: target, sampler });
        }
        for (kind, count) in unplayed {
            let message = format!("{} not played: {kind}", counted(count));
            report.ignored(Severity::Warning, self.path, message);
        }
        if morphs > 0 {
            let message = format!("{} of weights: {MORPHS_NOT_APPLIED}", counted(morphs));
            report.ignored(Severity::Warning, self.path, message);
        }
        let clip = Animation::new(name, samplers, channels);
        Ok(clip.map(|animation| Clip { animation, nodes }).map_err(|fault| fault.to_string()))
    }
}

fn counted(channels: usize) -> String {
    if channels == 1 { "1 channel".to_owned() } else { format!("{channels} channels") }
}

/// The property that a path names, or why there is none.
fn target(path: &str) -> Result<TargetPath, String> {
    match path {
        "translation" => Ok(TargetPath::Translation),
        "rotation" => Ok(TargetPath::Rotation),
        "scale" => Ok(TargetPath::Scale),
        "weights" => Ok(TargetPath::Weights),
        other => Err(format!("\"{}\" is not a property that glTF animates", shown(other))),
    }
}

/// No other names reach this: references were checked before.
fn interpolation(sampler: &JsonSampler) -> Interpolation {
    match sampler.interpolation.as_deref() {
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        _ => Interpolation::Linear,
    }
}

fn import_sampler(
    accessors: &Accessors<'_>,
    sampler: &JsonSampler,
    kind: Kind,
    path: impl Display,
    report: &mut LoadReport,
) -> OrFault<AnimationSampler> {
    let interpolation = interpolation(sampler);
    let (input, output) = (Lazy(|| format!("{path}.input")), Lazy(|| format!("{path}.output")));
    let times = accessors.elements(sampler.input, input)?;
    if (times.format.components, times.format.component) != (1, Component::F32) {
        let (index, format) = (times.index, times.format);
        return Ok(Err(format!("{input}: accessors[{index}] is {format}; it must be FLOAT SCALAR")));
    }
    let values = accessors.elements(sampler.output, output)?;
    let (components, shape) = kind.shape();
    if values.format.components != components || !values.format.holds_fractions() {
        let (index, format) = (values.index, values.format);
        let fault = format!(
            "{output}: accessors[{index}] is {format}; it must be FLOAT or normalized integer {shape}"
        );
        return Ok(Err(fault));
    }
    let timestamps = accessors.floats(&times)?;
    let values = match kind {
        Kind::Rotation => Keyframes::Rotation(rotations(accessors, &values, interpolation, output, report)?),
        Kind::Vector => Keyframes::Vec3(accessors.floats(&values)?),
        Kind::Weights => Keyframes::Weights(accessors.floats(&values)?),
    };
    Ok(Ok(AnimationSampler { interpolation, timestamps, values }))
}

/// Rotations as the file has them, with a note on those that are not of length 1, tangents aside. Whoever uses them
/// normalizes them.
pub(super) fn rotations(
    accessors: &Accessors<'_>,
    elements: &Elements<'_>,
    interpolation: Interpolation,
    path: impl Display,
    report: &mut LoadReport,
) -> Result<Vec<Quat>, LoadError> {
    let rotations = accessors.floats::<Quat>(elements)?;
    // Integers cannot hold every unit quaternion: four components are each off by half a step at most.
    let tolerance = match elements.format.component {
        Component::I8 | Component::U8 => 2e-2,
        _ => 1e-3,
    };
    let each = interpolation.elements();
    let values = || rotations.iter().skip(each / 2).step_by(each);
    let off = values().filter(|rotation| (rotation.length_squared() - 1.0).abs() > tolerance).count();
    if off > 0 {
        let message = format!("{off} of {} rotations are not of length 1; normalized", values().count());
        report.repaired(path, message);
    }
    Ok(rotations)
}
