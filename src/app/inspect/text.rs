//! The facts for people.

use super::clips::{ChannelFacts, ClipFacts};
use super::facts::{Counts, Facts, Row};
use super::lines::{Lines, bytes, label, vector};
use super::memory::{Cpu, Gpu, Memory};
use super::nodes::NodeFacts;
use super::pose::Reach;
use super::surfaces::{ImageFacts, MaterialFacts};
use crate::app::output::{counted, printable};

/// So many driven things of a clip are shown.
const TARGETS: usize = 12;

/// Deeper nodes are not indented further.
const DEEPEST: usize = 40;

/// All facts; long lists are cut unless `full`.
pub fn text(facts: &Facts<'_>, full: bool) -> String {
    let mut lines = Lines::new(full);
    lines.add(title(facts));
    lines.add(counts(&facts.counts));
    let elsewhere = facts.counts.nodes - facts.counts.scene_nodes;
    let title = match elsewhere {
        0 => "Nodes".to_owned(),
        _ => format!("Nodes ({elsewhere} of the file are not in this scene)"),
    };
    lines.list(title, &facts.nodes, |lines, node| {
        lines.add(format_args!("{}{}", "  ".repeat(1 + node.depth.min(DEEPEST)), node_line(facts, node)));
    });
    lines.list("Clips", &facts.clips, clip);
    lines.list("Materials", &facts.materials, material);
    if !facts.variants.is_empty() {
        let variants: Vec<_> = facts.variants.iter().enumerate().collect();
        lines.list("Variants", &variants, |lines, (index, name)| {
            lines.add(format_args!("  {}", label(*index, name)));
        });
    }
    lines.list("Images", &facts.images, |lines, image| lines.add(format_args!("  {}", image_line(image))));
    extensions(&mut lines, facts);
    bounds(&mut lines, facts);
    memory(&mut lines, &facts.memory);
    let severe = facts.report.iter().filter(|row| row.severity == "warning").count();
    let title = match facts.report.len() {
        0 => "Report".to_owned(),
        rows => format!("Report ({}, {})", counted(severe, "warning"), counted(rows - severe, "note")),
    };
    lines.list(title, &facts.report, |lines, Row { severity, json_path, kind, message }| {
        let path = if json_path.is_empty() { "document" } else { json_path };
        lines.add(format_args!("  {severity}: {path}: {kind}: {message}"));
    });
    lines.text()
}

fn title(facts: &Facts<'_>) -> String {
    let file = printable(facts.file);
    match facts.scene {
        Some(scene) => {
            let name = facts.scenes.get(scene).map_or("", String::as_str);
            format!("{file}: scene {} of {}", label(scene, name), facts.counts.scenes)
        }
        None => format!("{file}: no scene"),
    }
}

fn counts(counts: &Counts) -> String {
    let Counts { scenes, nodes, meshes, primitives, materials, textures, images, .. } = counts;
    let Counts { samplers, accessors, buffer_views, buffers, animations, skins, cameras, .. } = counts;
    format!(
        "scenes {scenes}, nodes {nodes}, meshes {meshes}, primitives {primitives}, materials {materials}, textures \
         {textures}, images {images}, samplers {samplers}, accessors {accessors}, bufferViews {buffer_views}, buffers \
         {buffers}, animations {animations}, skins {skins}, cameras {cameras}\nin the scene: nodes {}, roots {}, draws {}",
        counts.scene_nodes, counts.scene_root_nodes, counts.scene_draws
    )
}

fn node_line(facts: &Facts<'_>, node: &NodeFacts<'_>) -> String {
    let mut parts = vec![label(node.index, node.name)];
    if let Some(mesh) = node.mesh.and_then(|mesh| facts.meshes.get(mesh)) {
        let mut kinds: Vec<&str> =
            mesh.primitives.iter().filter_map(|primitive| primitive.topology).collect();
        kinds.dedup();
        let kind = if let [kind] = kinds[..] { kind } else { "elements" };
        let primitives = counted(mesh.primitives.len(), "primitive");
        parts.push(format!("mesh {} ({primitives}, {} {kind})", label(mesh.index, mesh.name), mesh.count()));
    }
    if let Some(instances) = node.instances {
        parts.push(counted(instances, "instance"));
    }
    if let Some(skin) = node.skin.and_then(|skin| facts.skins.get(skin)) {
        parts.push(format!("skin {} ({})", label(skin.index, skin.name), counted(skin.joints, "joint")));
    }
    if !node.weights.is_empty() {
        parts.push(counted(node.weights.len(), "morph weight"));
    }
    if let Some(camera) = &node.camera {
        parts.push(format!("{} camera {}", camera.kind, label(camera.number, camera.name)));
    }
    if let Some(light) = &node.light {
        parts.push(match light.name {
            "" => format!("{} light", light.kind),
            name => format!("{} light {name:?}", light.kind),
        });
    }
    parts.join(", ")
}

fn clip(lines: &mut Lines, clip: &ClipFacts<'_>) {
    let channels = counted(clip.channels.len(), "channel");
    lines.add(format_args!("  {}: {} s, {channels}", label(clip.index, clip.name), clip.duration));
    // Channels of one thing are shown in one line, where the first of them stands.
    let mut targets: Vec<(Target<'_>, Vec<&str>)> = Vec::new();
    let mut known = std::collections::HashMap::new();
    for channel in &clip.channels {
        let target = Target::of(channel);
        let at = *known.entry(target).or_insert_with(|| {
            targets.push((target, Vec::new()));
            targets.len() - 1
        });
        targets[at].1.push(&channel.path);
    }
    let shown = lines.shown(targets.len(), TARGETS);
    for (target, paths) in &targets[..shown] {
        lines.add(format_args!("      {}: {}", target.label(), paths.join(", ")));
    }
    lines.rest("      ", targets.len() - shown);
}

/// What channels drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Target<'a> {
    node: Option<usize>,
    material: Option<usize>,
    name: &'a str,
}

impl<'a> Target<'a> {
    fn of(channel: &ChannelFacts<'a>) -> Self {
        Self { node: channel.node, material: channel.material, name: channel.name }
    }

    fn label(&self) -> String {
        match (self.node, self.material) {
            (Some(node), _) => format!("node {}", label(node, self.name)),
            (None, Some(material)) => format!("material {}", label(material, self.name)),
            (None, None) => format!("{:?}", self.name),
        }
    }
}

fn material(lines: &mut Lines, material: &MaterialFacts<'_>) {
    let mut parts = vec![match material.alpha_cutoff {
        Some(cutoff) => format!("{} at {cutoff}", material.alpha_mode),
        None => material.alpha_mode.to_owned(),
    }];
    if material.double_sided {
        parts.push("double-sided".to_owned());
    }
    if material.unlit {
        parts.push("unlit".to_owned());
    }
    parts.push(format!("base color {}", vector(&material.base_color_factor)));
    parts.push(format!("metallic {}, roughness {}", material.metallic_factor, material.roughness_factor));
    if material.emissive_factor != [0.0; 3] {
        let strength = match material.emissive_strength {
            1.0 => String::new(),
            strength => format!(" x {strength}"),
        };
        parts.push(format!("emissive {}{strength}", vector(&material.emissive_factor)));
    }
    lines.add(format_args!("  {}: {}", label(material.index, material.name), parts.join(", ")));
    for slot in &material.textures {
        let image = slot.image.map_or("no image".to_owned(), |image| format!("image {image}"));
        let factor = match slot.slot {
            "normalTexture" => format!(", scale {}", material.normal_scale),
            "occlusionTexture" => format!(", strength {}", material.occlusion_strength),
            _ => String::new(),
        };
        let transformed = if slot.transformed { ", transformed" } else { "" };
        lines.add(format_args!(
            "      {}: texture {} ({image}), TEXCOORD_{}{transformed}{factor}",
            slot.slot, slot.texture, slot.tex_coord
        ));
    }
}

fn image_line(image: &ImageFacts<'_>) -> String {
    let label = label(image.index, image.name);
    match (image.format, image.bytes, image.width, image.height, image.pixels, image.decoded_bytes) {
        (Some(format), Some(file), Some(width), Some(height), Some(pixels), Some(decoded)) => {
            format!("{label}: {format}, {width} x {height}, {}; {} as {pixels}", bytes(file), bytes(decoded))
        }
        _ => format!("{label}: not decoded; the report says why"),
    }
}

fn extensions(lines: &mut Lines, facts: &Facts<'_>) {
    let extensions = &facts.extensions;
    lines.add("");
    if extensions.drawn.is_empty() && extensions.reported.is_empty() {
        lines.add("Extensions: none");
        return;
    }
    lines.add("Extensions:");
    for (what, names) in [("drawn", &extensions.drawn), ("reported", &extensions.reported)] {
        let name = |name: &&str| {
            let required = if extensions.required.contains(name) { " (required)" } else { "" };
            format!("{}{required}", printable(name))
        };
        let names: Vec<String> = names.iter().map(name).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        lines.add(format_args!("  {what}: {names}"));
    }
}

fn bounds(lines: &mut Lines, facts: &Facts<'_>) {
    let when = match facts.pose.and_then(|pose| Some((pose, facts.clips.get(pose.clip)?))) {
        None => "at rest".to_owned(),
        Some((pose, clip)) => format!("at {} s of clip {}", pose.time, label(clip.index, clip.name)),
    };
    lines.add("");
    lines.add(match facts.bounds {
        Reach::Nothing => format!("Bounds {when}: nothing is drawn"),
        Reach::Infinite => format!("Bounds {when}: the coordinates overflow"),
        Reach::Within(extent) => {
            let size: [f32; 3] = std::array::from_fn(|axis| extent.max[axis] - extent.min[axis]);
            let (min, max, size) = (vector(&extent.min), vector(&extent.max), vector(&size));
            format!("Bounds {when}, in meters:\n  min {min}\n  max {max}\n  size {size}")
        }
    });
}

fn memory(lines: &mut Lines, Memory { cpu, gpu }: &Memory) {
    let Cpu { vertices, indices, images, keyframes, total } = *cpu;
    lines.add("");
    lines.add("Memory (estimates):");
    lines.add(format_args!(
        "  CPU {}: vertices {}, indices {}, images {}, keyframes {}",
        bytes(total),
        bytes(vertices),
        bytes(indices),
        bytes(images),
        bytes(keyframes)
    ));
    let Gpu { vertices, indices, morph_targets, images, total } = *gpu;
    lines.add(format_args!(
        "  GPU {}: vertices {}, indices {}, morph targets {}, images with mip levels {}",
        bytes(total),
        bytes(vertices),
        bytes(indices),
        bytes(morph_targets),
        bytes(images)
    ));
}
