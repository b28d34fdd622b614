//! The node graph: every reference checked, proven to be a forest, and put in order without recursion.

use super::document::Node;
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::text::Lazy;
use super::{LoadError, SceneChoice};
use crate::math::{Mat4, Quat, Transform, TryNormalize as _, Vec3, Vec4};
use crate::scene::Projection;

/// A node's own transform as the document gives it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Local {
    Trs(Transform),
    Matrix(Mat4),
}

/// The document's nodes, checked.
pub(super) struct Hierarchy {
    /// The imported scene.
    pub scene: Option<usize>,
    /// Nodes of the imported scene in pre-order, each with its parent.
    pub order: Vec<(usize, Option<usize>)>,
    /// For every node of the document, whether it is in the imported scene.
    pub reached: Vec<bool>,
    pub locals: Vec<Local>,
    /// `None` where the numbers admit no picture.
    pub cameras: Vec<Option<Projection>>,
}

/// Checks all nodes and scenes and walks the chosen one.
pub(super) fn check(
    source: &Source<'_>,
    scene: Option<&SceneChoice>,
    report: &mut LoadReport,
) -> Result<Hierarchy, LoadError> {
    let nodes = &source.json.nodes;
    let cameras =
        (0..source.json.cameras.len()).map(|i| camera(source, i, report)).collect::<Result<Vec<_>, _>>()?;
    let mut locals = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        locals.push(local(source, node, index, report)?);
    }
    let parents = parents(source)?;
    let scene = choose(source, scene)?;
    let roots = roots(source, scene, &parents, report)?;
    let (order, reached) = walk(source, &roots)?;
    Ok(Hierarchy { scene, order, reached, locals, cameras })
}

fn local(
    source: &Source<'_>,
    node: &Node,
    index: usize,
    report: &mut LoadReport,
) -> Result<Local, LoadError> {
    let path = Lazy(|| format!("nodes[{index}]"));
    if let Some(columns) = &node.matrix {
        if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
            let reason = "it has a matrix and also translation, rotation or scale; keep one of the two";
            return Err(source.invalid(path, reason));
        }
        let mut matrix = Mat4::from_cols_array(columns);
        // Another fourth row is refused when the scene is built.
        if affine(&mut matrix) == Some(true) {
            report.repaired(format_args!("{path}.matrix"), "its fourth row is rounded to (0, 0, 0, 1)");
        }
        return Ok(Local::Matrix(matrix));
    }
    let rotation = match node.rotation.map(Quat::from_array) {
        None => Quat::IDENTITY,
        Some(rotation) => {
            let unit = rotation.try_normalized().map_err(|error| {
                let reason = format!("{error}; give a quaternion of length 1");
                source.invalid(format_args!("{path}.rotation"), reason)
            })?;
            if (rotation.length_squared() - 1.0).abs() > 1e-3 {
                let message = format!("its length is {}, which should be 1; normalized", rotation.length());
                report.repaired(format_args!("{path}.rotation"), message);
            }
            unit
        }
    };
    Ok(Local::Trs(Transform {
        translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
        rotation,
        scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
    }))
}

/// Whether the fourth row, which is nearly (0, 0, 0, 1), had to be rounded to it; `None` if it is another one.
pub(super) fn affine(matrix: &mut Mat4) -> Option<bool> {
    let row = matrix.row(3);
    if row == Vec4::W {
        return Some(false);
    }
    if !row.abs_diff_eq(Vec4::W, 1e-5) {
        return None;
    }
    for (column, value) in [0.0, 0.0, 0.0, 1.0].into_iter().enumerate() {
        matrix.col_mut(column).w = value;
    }
    Some(true)
}

fn camera(
    source: &Source<'_>,
    index: usize,
    report: &mut LoadReport,
) -> Result<Option<Projection>, LoadError> {
    let camera = &source.json.cameras[index];
    let path = Lazy(|| format!("cameras[{index}]"));
    let projection = match (camera.kind.as_str(), &camera.perspective, &camera.orthographic) {
        ("perspective", Some(p), _) => {
            Projection::Perspective { fov_y: p.yfov, aspect: p.aspect_ratio, near: p.znear, far: p.zfar }
        }
        ("orthographic", _, Some(o)) => {
            Projection::Orthographic { xmag: o.xmag, ymag: o.ymag, near: o.znear, far: o.zfar }
        }
        _ => {
            let reason =
                "its type must be perspective or orthographic, with an object of the same name beside it";
            return Err(source.invalid(path, reason));
        }
    };
    // Any sane target aspect shows whether the camera's own numbers are usable.
    match projection.matrix(1.0) {
        Ok(_) => Ok(Some(projection)),
        Err(error) => {
            report.ignored(Severity::Warning, path, format!("it cannot be looked through: {error}"));
            Ok(None)
        }
    }
}

/// Each node's parent; an error if a node has two, or if some nodes form a ring.
fn parents(source: &Source<'_>) -> Result<Vec<Option<usize>>, LoadError> {
    let nodes = &source.json.nodes;
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for (position, &child) in node.children.iter().enumerate() {
            let path = Lazy(|| format!("nodes[{parent}].children[{position}]"));
            let (child, _) = source.get(nodes, "node", child, path)?;
            if let Some(first) = parents[child].replace(parent) {
                let reason = format!(
                    "node {child} is a child of node {first} already; a node has one parent, so copy it instead"
                );
                return Err(source.invalid(path, reason));
            }
        }
    }
    // With one parent each, a node is on or below a ring exactly if it is not reached from one without a parent.
    let mut state = vec![0_usize; nodes.len()];
    for start in 0..nodes.len() {
        let mark = start + 1;
        let mut node = Some(start);
        while let Some(at) = node {
            if state[at] == mark {
                let reason = "it is its own ancestor; break the cycle of children";
                return Err(source.invalid(format_args!("nodes[{at}]"), reason));
            }
            if state[at] != 0 {
                break;
            }
            state[at] = mark;
            node = parents[at];
        }
    }
    Ok(parents)
}

fn choose(source: &Source<'_>, scene: Option<&SceneChoice>) -> Result<Option<usize>, LoadError> {
    let json = source.json;
    let Some(choice) = scene else {
        return match json.scene {
            Some(scene) => Ok(Some(source.get(&json.scenes, "scene", scene, "scene")?.0)),
            None => Ok((!json.scenes.is_empty()).then_some(0)),
        };
    };
    let found = match choice {
        SceneChoice::Index(index) => (*index < json.scenes.len()).then_some(*index),
        SceneChoice::Name(name) => {
            json.scenes.iter().position(|scene| scene.name.as_deref().unwrap_or("") == name)
        }
    };
    let names = || json.scenes.iter().map(|scene| scene.name.clone().unwrap_or_default()).collect();
    let unknown =
        || LoadError::UnknownScene { file: source.file.to_owned(), scene: choice.clone(), names: names() };
    found.map(Some).ok_or_else(unknown)
}

/// The roots of the chosen scene; every scene's references are checked.
fn roots(
    source: &Source<'_>,
    chosen: Option<usize>,
    parents: &[Option<usize>],
    report: &mut LoadReport,
) -> Result<Vec<usize>, LoadError> {
    let json = source.json;
    let mut listed = vec![usize::MAX; json.nodes.len()];
    for (index, scene) in json.scenes.iter().enumerate() {
        for (position, &node) in scene.nodes.iter().enumerate() {
            let path = Lazy(|| format!("scenes[{index}].nodes[{position}]"));
            let (node, _) = source.get(&json.nodes, "node", node, path)?;
            if let Some(parent) = parents[node] {
                let reason =
                    format!("node {node} is a child of node {parent}; list only nodes without a parent");
                return Err(source.invalid(path, reason));
            }
            if listed[node] == index {
                return Err(source.invalid(path, format!("node {node} is listed twice; keep one")));
            }
            listed[node] = index;
        }
        if Some(index) != chosen {
            report.ignored(Severity::Info, format_args!("scenes[{index}]"), "another scene was imported");
        }
    }
    let Some(chosen) = chosen else {
        if !json.nodes.is_empty() {
            report.ignored(Severity::Warning, "nodes", "the document has no scene, so no node is imported");
        }
        return Ok(Vec::new());
    };
    for (index, _) in
        listed.iter().enumerate().filter(|&(node, &scene)| scene == usize::MAX && parents[node].is_none())
    {
        let message = "no scene lists it, so neither it nor what is below it is imported";
        report.ignored(Severity::Info, format_args!("nodes[{index}]"), message);
    }
    Ok(json.scenes[chosen].nodes.iter().map(|node| node.index()).collect())
}

/// Nodes below the roots in pre-order, with their parents, and which nodes those are.
type Walk = (Vec<(usize, Option<usize>)>, Vec<bool>);

fn walk(source: &Source<'_>, roots: &[usize]) -> Result<Walk, LoadError> {
    let nodes = &source.json.nodes;
    let mut order = Vec::new();
    let mut reached = vec![false; nodes.len()];
    let mut stack: Vec<(usize, Option<usize>, u64)> =
        roots.iter().rev().map(|&root| (root, None, 1)).collect();
    while let Some((node, parent, depth)) = stack.pop() {
        let limit = source.limits.node_depth as u64;
        source.check("the node's depth", depth, limit, "node_depth", format_args!("nodes[{node}]"))?;
        order.push((node, parent));
        reached[node] = true;
        stack.extend(nodes[node].children.iter().rev().map(|child| (child.index(), Some(node), depth + 1)));
    }
    Ok((order, reached))
}
