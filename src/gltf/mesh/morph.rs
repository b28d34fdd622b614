//! Morph targets.

use super::attributes::{Reader, Semantic};
use crate::assets::{Mesh, MorphTarget};
use crate::gltf::LoadError;
use crate::gltf::document::Primitive;
use crate::gltf::report::{LoadReport, Severity};
use crate::gltf::text::{Lazy, shown};
use crate::math::Vec2;
use std::collections::BTreeSet;
use std::fmt::Display;

/// Reads the targets of a primitive whose own attributes are in `mesh`.
///
/// A target may displace only what the primitive has (glTF 2.0, section 3.7.2.2); the rest is reported, once for all
/// targets.
pub(super) fn morph_targets(
    base: &Reader<'_>,
    primitive: &Primitive,
    mesh: &Mesh,
    path: &dyn Display,
    report: &mut LoadReport,
) -> Result<Vec<MorphTarget>, LoadError> {
    let (count, vertices) = (primitive.targets.len(), mesh.positions.len());
    let list = Lazy(|| format!("{path}.targets"));
    // A target takes far more than the two characters that it may be written in.
    let bytes = (count as u64).saturating_mul(size_of::<MorphTarget>() as u64);
    base.source.charge(bytes, list)?;
    base.source.charge_unbacked(bytes, list)?;
    let has_set = |set: usize| mesh.uv_sets.get(set).is_some_and(|set| !set.is_empty());
    let mut targets = Vec::with_capacity(count);
    let (mut unknown, mut baseless) = (BTreeSet::new(), BTreeSet::new());
    for (index, attributes) in primitive.targets.iter().enumerate() {
        let path = Lazy(|| format!("{list}[{index}]"));
        let reader = Reader { path: &path, displaces: true, ..*base };
        let mut target = MorphTarget::default();
        for (name, &accessor) in attributes {
            match Semantic::named(name) {
                Some(semantic @ Semantic::Position) => {
                    target.positions = reader.floats(semantic, name, accessor, vertices)?;
                }
                Some(semantic @ Semantic::Normal) if !mesh.normals.is_empty() => {
                    target.normals = reader.floats(semantic, name, accessor, vertices)?;
                }
                Some(semantic @ Semantic::Tangent) if !mesh.tangents.is_empty() => {
                    target.tangents = reader.floats(semantic, name, accessor, vertices)?;
                }
                Some(Semantic::Color) if !mesh.colors.is_empty() => {
                    target.colors = reader.colors(name, accessor, vertices, 0.0)?;
                }
                Some(semantic @ Semantic::Uv(set)) if has_set(set) => {
                    let uvs = reader.floats::<Vec2>(semantic, name, accessor, vertices)?;
                    if !uvs.is_empty() {
                        target.uv_sets.resize(target.uv_sets.len().max(set + 1), Vec::new());
                        target.uv_sets[set] = uvs;
                    }
                }
                None | Some(Semantic::Joints(_) | Semantic::Weights(_)) => {
                    unknown.insert(name.as_str());
                }
                Some(_) => {
                    baseless.insert(name.as_str());
                }
            }
        }
        targets.push(target);
    }
    let names = |names: BTreeSet<&str>| names.into_iter().map(shown).collect::<Vec<_>>().join(", ");
    if !unknown.is_empty() {
        report.ignored(Severity::Info, list, format!("{} not used", names(unknown)));
    }
    if !baseless.is_empty() {
        let message = format!("{} left out, which the primitive itself does not have", names(baseless));
        report.ignored(Severity::Warning, list, message);
    }
    Ok(targets)
}
