//! Clips: channels over slots, with samplers shared as the document shares them.

use super::accessor::Accessors;
use super::claims::Claims;
use super::document::{Animation as JsonAnimation, ChannelTarget, Whole};
use super::hierarchy::{Hierarchy, Local};
use super::keyframes::{Kind, OrFault, Values, import_sampler};
use super::mesh::Meshes;
use super::pointer::{self, Carriers, Object};
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::support::POINTER;
use super::text::{Lazy, shown};
use super::{LoadError, LoadPhase};
use crate::animation::{Animation, AnimationChannel, AnimationSampler, Keyframes, SlotId, TargetPath};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

/// A clip and the document's node, or material, for each of its slots.
pub(super) struct Clip {
    pub animation: Animation,
    pub nodes: Vec<usize>,
    pub materials: Vec<usize>,
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
    let carriers = OnceCell::new();
    let animations = &source.json.animations;
    let import = |(index, animation): (usize, &JsonAnimation)| {
        let path = Lazy(|| format!("animations[{index}]"));
        let name = animation.name.as_deref().unwrap_or("");
        let importer = Importer { source, accessors, hierarchy, meshes, carriers: &carriers, path: &path };
        let clip = match importer.import(name, animation, report)? {
            Ok(clip) => clip,
            Err(fault) => {
                report.ignored(Severity::Warning, path, format!("the whole clip is left out: {fault}"));
                let empty = Animation::new(name, Vec::new(), Vec::new());
                let animation = empty.map_err(|fault| source.invalid(path, fault.to_string()))?;
                Clip { animation, nodes: Vec::new(), materials: Vec::new() }
            }
        };
        // The last step is not the animations'.
        source.progress(LoadPhase::Scene, index + 1, animations.len() + 1)?;
        Ok(clip)
    };
    animations.iter().enumerate().map(import).collect()
}

struct Importer<'a> {
    source: &'a Source<'a>,
    accessors: &'a Accessors<'a>,
    hierarchy: &'a Hierarchy,
    meshes: &'a Meshes,
    /// Made for the first pointer that needs it.
    carriers: &'a OnceCell<Carriers>,
    path: &'a dyn Display,
}

/// A channel of the document that could be played.
struct Found {
    number: usize,
    object: Object,
    path: TargetPath,
    by_pointer: bool,
    sampler: u32,
}

/// The parts of a clip as they come together.
#[derive(Default)]
struct Parts {
    node_slots: Slots,
    material_slots: Slots,
    /// For each of the document's samplers that was read, what became of it.
    sampler_ids: HashMap<(usize, Kind), Result<u32, String>>,
    samplers: Vec<AnimationSampler>,
    channels: Vec<AnimationChannel>,
    /// The least and the greatest value of samplers, tangents aside, where that was asked for.
    extremes: HashMap<u32, (f32, f32)>,
    unplayed: BTreeMap<String, usize>,
}

impl Parts {
    /// Notes values that will be held at the end of what the property may be.
    fn report_range(
        &mut self,
        sampler: u32,
        path: TargetPath,
        channel_path: &dyn Display,
        report: &mut LoadReport,
    ) {
        let Some((least, greatest)) = path.range() else { return };
        let (low, high) = *self.extremes.entry(sampler).or_insert_with(|| {
            let AnimationSampler { interpolation, values, .. } = &self.samplers[sampler as usize];
            let Keyframes::Numbers(numbers) = values else { return (0.0, 0.0) };
            let width = self.samplers[sampler as usize].width().max(1);
            let each = interpolation.elements();
            let values = numbers.chunks(width).skip(each / 2).step_by(each).flatten();
            values.fold((f32::MAX, f32::MIN), |(low, high), &value| (low.min(value), high.max(value)))
        });
        if low < least || high > greatest {
            let range = if greatest == f32::MAX { "at least 0" } else { "0 to 1" };
            report.repaired(channel_path, format!("values from {low} to {high}; the {path} is held {range}"));
        }
    }
}

/// Slots in the order in which their objects were first driven.
#[derive(Default)]
struct Slots {
    of: HashMap<usize, SlotId>,
    objects: Vec<usize>,
}

impl Slots {
    fn of(&mut self, object: usize) -> SlotId {
        *self.of.entry(object).or_insert_with(|| {
            self.objects.push(object);
            SlotId::new(u32::try_from(self.objects.len() - 1).unwrap_or(u32::MAX))
        })
    }
}

impl Importer<'_> {
    fn import(&self, name: &str, animation: &JsonAnimation, report: &mut LoadReport) -> OrFault<Clip> {
        let mut parts = Parts::default();
        let mut found = Vec::new();
        for (number, channel) in animation.channels.iter().enumerate() {
            let channel_path = self.channel(number);
            let Some((object, path, by_pointer)) =
                self.target(&channel.target, &channel_path, &mut parts, report)?
            else {
                continue;
            };
            let kind = Kind { values: Values::of(path), integers: by_pointer };
            let sampler =
                match self.sampler(animation, channel.sampler, kind, &channel_path, &mut parts, report)? {
                    Ok(sampler) => sampler,
                    // The rules of the extension are about its channels alone.
                    Err(fault) if by_pointer => {
                        report.ignored(Severity::Warning, channel_path, fault);
                        continue;
                    }
                    Err(fault) => return Ok(Err(fault)),
                };
            found.push(Found { number, object, path, by_pointer, sampler });
        }
        // Channels without pointers count, wherever they stand. Two of those are the clip's fault, as it says when it is
        // built.
        let mut claims = Claims::default();
        found.iter().filter(|found| !found.by_pointer).for_each(|found| {
            claims.claim(found.object, found.path);
        });
        found.retain(|&Found { number, object, path, by_pointer, .. }| {
            let counts = !by_pointer || claims.claim(object, path);
            if !counts {
                let message =
                    format!("left out: another channel drives the {path} of {object}; keep one of them");
                report.ignored(Severity::Warning, self.channel(number), message);
            }
            counts
        });
        for found in found {
            self.play(found, &claims, &mut parts, report)?;
        }
        let Parts { node_slots, material_slots, samplers, channels, unplayed, .. } = parts;
        for (kind, count) in unplayed {
            let message = format!("{} not played: {kind}", counted(count));
            report.ignored(Severity::Warning, self.path, message);
        }
        let (nodes, materials) = (node_slots.objects, material_slots.objects);
        let clip = Animation::new(name, samplers, channels);
        Ok(clip.map(|animation| Clip { animation, nodes, materials }).map_err(|fault| fault.to_string()))
    }

    /// The path of a channel.
    fn channel(&self, number: usize) -> impl Display + Copy {
        Lazy(move || format!("{}.channels[{number}]", self.path))
    }

    /// Adds the channels of the clip that one of the document stands for.
    fn play(
        &self,
        found: Found,
        claims: &Claims,
        parts: &mut Parts,
        report: &mut LoadReport,
    ) -> Result<(), LoadError> {
        let Found { number, object, path, by_pointer, sampler } = found;
        let channel_path = self.channel(number);
        if by_pointer {
            parts.report_range(sampler, path, &channel_path, report);
        }
        match object {
            Object::Material(material) => {
                let slot = parts.material_slots.of(material);
                parts.channels.push(AnimationChannel { slot, path, sampler });
            }
            Object::Node(node) => self.drive(node, path, sampler, &channel_path, parts, report),
            Object::Camera(_) | Object::Light(_) | Object::Mesh(_) => {
                // However often a file refers to it, an object that many nodes carry takes room for each.
                let nodes = self.carriers().of(object);
                let room = size_of::<AnimationChannel>() + size_of::<[usize; 4]>();
                self.source.charge(nodes.len() as u64 * room as u64, channel_path)?;
                let (mut first, mut count) = (None, 0);
                for &node in nodes {
                    // Weights that a node has for itself, here by being driven, replace the mesh's.
                    if claims.is_driven(Object::Node(node), path) {
                        first.get_or_insert(node);
                        count += 1;
                        continue;
                    }
                    self.drive(node, path, sampler, &channel_path, parts, report);
                }
                if let Some(first) = first {
                    let others = match count {
                        1 => String::new(),
                        2 => " and another".to_owned(),
                        _ => format!(" and {} others", count - 1),
                    };
                    let message = format!(
                        "the {path} of {object} is not driven on node {first}{others}, where another channel drives the \
                         node's own"
                    );
                    report.ignored(Severity::Warning, channel_path, message);
                }
            }
        }
        Ok(())
    }

    /// Adds a channel on a node.
    fn drive(
        &self,
        node: usize,
        path: TargetPath,
        sampler: u32,
        channel_path: &dyn Display,
        parts: &mut Parts,
        report: &mut LoadReport,
    ) {
        if path == TargetPath::Weights {
            let (driven, targets) = (parts.samplers[sampler as usize].width(), self.targets(node));
            if driven != targets {
                let message = format!(
                    "{driven} weights a keyframe for the {targets} morph targets of node {node}; the smaller number \
                     is driven"
                );
                report.repaired(channel_path, message);
            }
        }
        let slot = parts.node_slots.of(node);
        parts.channels.push(AnimationChannel { slot, path, sampler });
    }

    /// How many morph targets a node's mesh has.
    fn targets(&self, node: usize) -> usize {
        self.source.json.nodes[node].mesh.map_or(0, |mesh| self.meshes.targets[mesh.index()])
    }

    /// What a channel drives, and whether a pointer says so; `None`, with a note, where there is nothing to drive.
    fn target(
        &self,
        target: &ChannelTarget,
        channel_path: &dyn Display,
        parts: &mut Parts,
        report: &mut LoadReport,
    ) -> Result<Option<(Object, TargetPath, bool)>, LoadError> {
        let source = self.source;
        let pointer = target.extensions.as_ref().and_then(|extensions| extensions.pointer.as_ref());
        if let Some(pointer) = pointer.filter(|_| target.path == "pointer") {
            let pointer = pointer.pointer.as_str();
            let path = Lazy(|| format!("{channel_path}.target.extensions.{POINTER}.pointer"));
            if target.node.is_some() {
                let message = "its target names a node besides the pointer, which counts";
                report.repaired(channel_path, message);
            }
            let followed = pointer::follow(source, self.hierarchy, pointer);
            let driven = followed.and_then(|(object, path)| {
                self.undrivable(object, path).map_or(Ok((object, path, true)), Err)
            });
            return Ok(driven
                .map_err(|reason| {
                    report.ignored(Severity::Warning, path, format!("\"{}\": {reason}", shown(pointer)));
                })
                .ok());
        }
        if pointer.is_some() {
            let message = format!("{POINTER} is beside the path \"{}\", which counts", shown(&target.path));
            report.ignored(Severity::Warning, channel_path, message);
        }
        let Some(node) = target.node else {
            report.ignored(Severity::Warning, channel_path, "it names no node");
            return Ok(None);
        };
        let (node, _) = source.get(&source.json.nodes, "node", node, channel_path)?;
        let path = match node_target(&target.path) {
            Ok(path) => path,
            Err(missing) => {
                *parts.unplayed.entry(missing).or_default() += 1;
                return Ok(None);
            }
        };
        if let Some(reason) = self.undrivable(Object::Node(node), path) {
            report.ignored(Severity::Warning, channel_path, reason);
            return Ok(None);
        }
        Ok(Some((Object::Node(node), path, false)))
    }

    /// Why a property cannot be driven, if it cannot.
    fn undrivable(&self, object: Object, path: TargetPath) -> Option<String> {
        let weights = |object: &dyn Display, targets: usize| match path {
            TargetPath::Weight(weight) if usize::from(weight) >= targets => {
                Some(format!("{object} has {targets} morph targets, numbered from 0"))
            }
            TargetPath::Weight(u16::MAX) => Some("so many weights cannot be told apart".to_owned()),
            _ => None,
        };
        match object {
            Object::Node(node) => {
                if !self.hierarchy.reached[node] {
                    return Some(format!("node {node} is not in the imported scene"));
                }
                if path.is_transform() && matches!(self.hierarchy.locals[node], Local::Matrix(_)) {
                    return Some(format!("node {node} has a matrix, which has no {path} to drive"));
                }
                let targets = self.targets(node);
                if path == TargetPath::Weights && targets == 0 {
                    return Some(format!("node {node} has no mesh with morph targets to weigh"));
                }
                weights(&format_args!("the mesh of node {node}"), targets)
            }
            Object::Mesh(mesh) if self.meshes.targets[mesh] == 0 => {
                Some(format!("mesh {mesh} has no morph targets to weigh"))
            }
            Object::Mesh(mesh) => {
                weights(&object, self.meshes.targets[mesh]).or_else(|| self.uncarried(object))
            }
            Object::Camera(_) | Object::Light(_) => self.uncarried(object),
            Object::Material(_) => None,
        }
    }

    fn uncarried(&self, object: Object) -> Option<String> {
        let own = if matches!(object, Object::Mesh(_)) { " without weights of its own" } else { "" };
        let nobody = self.carriers().of(object).is_empty();
        nobody.then(|| format!("no node of the imported scene{own} has {object}"))
    }

    fn carriers(&self) -> &Carriers {
        self.carriers.get_or_init(|| Carriers::new(self.source, self.hierarchy))
    }

    /// The clip's sampler for one of the document's, read when it is first met.
    fn sampler(
        &self,
        animation: &JsonAnimation,
        sampler: Whole,
        kind: Kind,
        channel_path: &dyn Display,
        parts: &mut Parts,
        report: &mut LoadReport,
    ) -> OrFault<u32> {
        let (index, json) =
            self.source.get(&animation.samplers, "the animation's sampler", sampler, channel_path)?;
        if let Some(known) = parts.sampler_ids.get(&(index, kind)) {
            return Ok(known.clone());
        }
        let path = Lazy(|| format!("{}.samplers[{index}]", self.path));
        let imported = import_sampler(self.accessors, json, kind, path, report)?.map(|imported| {
            parts.samplers.push(imported);
            u32::try_from(parts.samplers.len() - 1).unwrap_or(u32::MAX)
        });
        parts.sampler_ids.insert((index, kind), imported.clone());
        Ok(imported)
    }
}

fn counted(channels: usize) -> String {
    if channels == 1 { "1 channel".to_owned() } else { format!("{channels} channels") }
}

/// The node's property that a path names, or why there is none.
fn node_target(path: &str) -> Result<TargetPath, String> {
    match path {
        "translation" => Ok(TargetPath::Translation),
        "rotation" => Ok(TargetPath::Rotation),
        "scale" => Ok(TargetPath::Scale),
        "weights" => Ok(TargetPath::Weights),
        other => Err(format!("\"{}\" is not a property that glTF animates", shown(other))),
    }
}
