//! Where things stand: world-space boxes at rest and at times of a clip.

use fire_engine::animation::{LoopMode, PlaybackOptions};
use fire_engine::assets::{Mesh, PosedStreams, PosedVertices};
use fire_engine::math::{Bounds, Vec3};
use fire_engine::scene::{Content, DrawItem, posed_bounds, posed_bounds_of};
use libtest_mimic::Failed;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Files that have vertices twice, and of which a load splits others: afterwards they cannot be told from each other, so the
/// mean, which counts the file's own, is left aside.
const TWINS: [&str; 5] = [
    "/Node_Attribute_0",
    "/Node_NegativeScale_0",
    "/TwoCubes.",
    "/TextureEncodingTest.",
    "/TextureLinearInterpolationTest.",
];

/// Compares world-space boxes at rest and at the listed times of each clip; returns how many were compared.
pub fn check_poses(path: &str, pose: &Value, content: &mut Content) -> Result<usize, Failed> {
    // "within 0.5 %", where the reference itself is not sure of more.
    let is_rough = pose["cross_check"].as_str().is_some_and(|note| note.starts_with("within 0.5 %"));
    let mut figure =
        Figure { part: if is_rough { 5e-3 } else { 1e-3 }, owners: owners(content), split: None };
    let expected = pose["vertices"].as_u64().ok_or("no count of vertices")?;
    let splits = [Split::Nothing, Split::ByTangents, Split::ByNormals];
    let counts = splits.map(|split| figure.count(content, split));
    figure.split = counts.iter().position(|&count| count == expected).map(|at| splits[at]);
    if figure.split.is_none() && !TWINS.iter().any(|name| path.contains(name)) {
        return Err(format!("{counts:?} vertices are drawn, the corpus says {expected}").into());
    }
    let mut compared = figure.compare(&pose["rest"], content, "at rest")?;
    for animation in pose["animations"].as_array().into_iter().flatten() {
        let index = animation["index"].as_u64().ok_or("no index")? as usize;
        let options = PlaybackOptions { loop_mode: LoopMode::Once, ..PlaybackOptions::default() };
        let clip = &content.animations[index];
        let playback =
            content.scene.play(clip, &content.bindings[index], options).map_err(|error| error.to_string())?;
        for sample in animation["samples"].as_array().into_iter().flatten() {
            let time = sample["t"].as_f64().ok_or("no time")?;
            content.scene.seek(playback, time).map_err(|error| error.to_string())?;
            content.advance(0.0).map_err(|error| error.to_string())?;
            content.scene.update_world_transforms();
            compared += figure.compare(sample, content, &format!("animation {index} at {time} s"))?;
        }
        content.scene.stop(playback);
        content.scene.reset_pose();
        content.scene.update_world_transforms();
    }
    Ok(compared)
}

/// For each draw, in draw order, the node of the document whose mesh it is a primitive of.
fn owners(content: &Content) -> Vec<Option<usize>> {
    let numbers = content.document.nodes.iter().enumerate();
    let numbers: HashMap<_, _> = numbers.filter_map(|(index, id)| Some(((*id)?, index))).collect();
    let drawing = content.scene.nodes().filter(|node| node.render_object().is_some());
    drawing
        .map(|node| {
            std::iter::successors(Some(node), |node| node.parent())
                .find_map(|node| numbers.get(&node.id()).copied())
        })
        .collect()
}

/// How one file is compared.
struct Figure {
    /// How much of the largest side may be between our box and theirs.
    part: f32,
    owners: Vec<Option<usize>>,
    /// `None` if it cannot be told.
    split: Option<Split>,
}

/// What a load may have split vertices by: it adds what lighting needs and a file leaves out, and the corpus counts the
/// vertices of the file.
#[derive(Clone, Copy, PartialEq)]
enum Split {
    Nothing,
    ByTangents,
    /// And by tangents: without normals each triangle gets vertices of its own.
    ByNormals,
}

impl Figure {
    fn compare(&self, sample: &Value, content: &Content, when: &str) -> Result<usize, Failed> {
        let (assets, scene) = (&content.assets, &content.scene);
        let found = posed_bounds(assets, scene);
        let side = bounds_of(sample).map_or(0.0, |bounds| bounds.size().max_element());
        let close = |a: Vec3, b: Vec3| (a - b).abs().max_element() <= side * self.part;
        let same = |found: Option<Bounds>, sample: &Value, what: &str| match (found, bounds_of(sample)) {
            (Some(found), Some(expected))
                if close(found.min, expected.min) && close(found.max, expected.max) =>
            {
                Ok(())
            }
            (None, None) => Ok(()),
            (found, expected) => {
                Err(format!("{when}{what}: the box is {found:?}, the corpus says {expected:?}"))
            }
        };
        same(found, sample, "")?;
        // The cheap one, around everything and around each draw.
        let contains = |cheap: Option<Bounds>, exact: Option<Bounds>| match (cheap, exact) {
            (Some(cheap), Some(exact)) => cheap.contains(&exact),
            (cheap, exact) => cheap.is_none() && exact.is_none(),
        };
        if !contains(scene.bounds(assets), found) {
            return Err(format!("{when}: {:?} does not contain {found:?}", scene.bounds(assets)).into());
        }
        for item in scene.draw_items() {
            let (cheap, exact) = (scene.bounds_of(assets, [item]), posed_bounds_of(assets, scene, [item]));
            if !contains(cheap, exact) {
                return Err(format!("{when}: {cheap:?} of {item:?} does not contain {exact:?}").into());
            }
        }
        let mut compared = 1;
        for (node, expected) in sample["nodes"].as_object().into_iter().flatten() {
            let number: usize = node.parse().map_err(|_| "the key is no node")?;
            let mine = self.items(content).filter(|(owner, _)| *owner == Some(number)).map(|(_, item)| item);
            same(posed_bounds_of(assets, scene, mine), expected, &format!(", node {number}"))?;
            compared += 1;
        }
        if let (Some(expected), Some(split)) = (vector(sample, "mean"), self.split) {
            let mut sum = [0.0; 3];
            let mut count = 0;
            self.each_vertex(content, split, |at| {
                sum = std::array::from_fn(|i| sum[i] + f64::from(at[i]));
                count += 1;
            });
            let mean = Vec3::from_array(sum.map(|sum| (sum / f64::from(count)) as f32));
            if !close(mean, expected) {
                return Err(format!("{when}: the mean is {mean}, the corpus says {expected}").into());
            }
        }
        Ok(compared)
    }

    fn items<'a>(&'a self, content: &'a Content) -> impl Iterator<Item = (Option<usize>, DrawItem)> {
        self.owners.iter().copied().zip(content.scene.draw_items())
    }

    /// The vertices that indices use, those of each draw once; of those that a load has split, the first.
    fn each_vertex(&self, content: &Content, split: Split, mut each: impl FnMut(Vec3)) {
        let mut posed = PosedVertices::default();
        for item in content.scene.draw_items() {
            let object = content.assets.render_object(item.render_object);
            let Some(mesh) = object.and_then(|object| content.assets.mesh(object.mesh)) else { continue };
            let pose = content.scene.mesh_pose(&item);
            if posed.pose(mesh, &pose, PosedStreams::POSITIONS).is_err() {
                continue;
            }
            let drawn: BTreeSet<usize> = mesh.drawn().collect();
            let mut seen = HashSet::new();
            for vertex in drawn {
                if split == Split::Nothing || seen.insert(authored(mesh, vertex, split)) {
                    each(posed.positions[vertex]);
                }
            }
        }
    }

    fn count(&self, content: &Content, split: Split) -> u64 {
        let mut count = 0;
        self.each_vertex(content, split, |_| count += 1);
        count
    }
}

/// The bits of what the file says of a vertex.
fn authored(mesh: &Mesh, vertex: usize, split: Split) -> Vec<u32> {
    let mut bits = mesh.positions[vertex].to_array().to_vec();
    if split != Split::ByNormals {
        bits.extend(mesh.normals.get(vertex).into_iter().flat_map(|normal| normal.to_array()));
    }
    bits.extend(mesh.colors.get(vertex).into_iter().flat_map(|color| color.to_array()));
    bits.extend(mesh.uv_sets.iter().filter_map(|set| set.get(vertex)).flat_map(|uv| uv.to_array()));
    for set in &mesh.joint_sets {
        bits.extend(set.joints[vertex].map(f32::from));
        bits.extend(set.weights[vertex]);
    }
    for target in &mesh.morph_targets {
        bits.extend(
            target.positions.get(vertex).into_iter().flat_map(|displacement| displacement.to_array()),
        );
    }
    bits.into_iter().map(f32::to_bits).collect()
}

fn vector(sample: &Value, name: &str) -> Option<Vec3> {
    let mut parts = sample[name].as_array()?.iter().filter_map(Value::as_f64).map(|part| part as f32);
    Some(Vec3::new(parts.next()?, parts.next()?, parts.next()?))
}

fn bounds_of(sample: &Value) -> Option<Bounds> {
    Some(Bounds { min: vector(sample, "min")?, max: vector(sample, "max")? })
}
