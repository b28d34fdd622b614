//! Joints and their weights, four at a time.

use super::attributes::{Reader, Semantic};
use super::influences::settle;
use crate::assets::JointSet;
use crate::gltf::LoadError;
use crate::gltf::document::{Primitive, Whole};
use crate::gltf::report::{LoadReport, Severity};
use std::collections::BTreeMap;

/// Reads each JOINTS_n with its WEIGHTS_n, in the order of their numbers. One without the other is reported and left out.
pub(super) fn joint_sets(
    reader: &Reader<'_>,
    primitive: &Primitive,
    vertices: usize,
    report: &mut LoadReport,
) -> Result<Vec<JointSet>, LoadError> {
    let mut pairs: BTreeMap<usize, [Option<(&str, Whole)>; 2]> = BTreeMap::new();
    for (name, &accessor) in &primitive.attributes {
        let (set, half) = match Semantic::named(name) {
            Some(Semantic::Joints(set)) => (set, 0),
            Some(Semantic::Weights(set)) => (set, 1),
            _ => continue,
        };
        pairs.entry(set).or_default()[half] = Some((name, accessor));
    }
    let mut sets = Vec::with_capacity(pairs.len());
    for (set, pair) in pairs {
        match pair {
            [Some((joints_name, joints)), Some((weights_name, weights))] => {
                let elements = reader.elements(Semantic::Joints(set), joints_name, joints, Some(vertices))?;
                let joints = reader.accessors.quadruples(&elements)?;
                let weights = reader.floats(Semantic::Weights(set), weights_name, weights, vertices)?;
                sets.push(JointSet { joints, weights });
            }
            [Some((name, _)), None] => lonely(reader, name, format!("WEIGHTS_{set}"), report),
            [None, Some((name, _))] => lonely(reader, name, format!("JOINTS_{set}"), report),
            [None, None] => {}
        }
    }
    settle(&mut sets, reader.path, report);
    Ok(sets)
}

fn lonely(reader: &Reader<'_>, name: &str, other: String, report: &mut LoadReport) {
    let message = format!("there is no {other} that belongs to it; left out");
    report.ignored(Severity::Warning, reader.path_of(name), message);
}
