//! One primitive.

use super::attributes::{Reader, Semantic};
use super::indices::read_indices;
use super::modes::{Mode, list};
use super::morph::morph_targets;
use super::repair;
use super::shading::Shading;
use super::skinning::joint_sets;
use super::weights::fitted;
use crate::assets::Mesh;
use crate::gltf::LoadError;
use crate::gltf::accessor::Accessors;
use crate::gltf::document::Primitive;
use crate::gltf::layout::Component;
use crate::gltf::report::{LoadReport, Severity};
use crate::gltf::source::Source;
use crate::gltf::support::QUANTIZATION;
use crate::gltf::text::{Lazy, shown};
use crate::math::{Vec2, Vec3, Vec4};
use std::cell::Cell;
use std::fmt::Display;

/// A mesh, and whether every component is known to be finite.
pub(super) struct Imported {
    pub mesh: Mesh,
    pub examined: bool,
}

/// `None`, with a note, for a primitive with nothing to draw: without positions, which glTF says to skip (section 3.7.2.1),
/// or without enough vertices for one point, line or triangle.
pub(super) fn import_primitive(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    primitive: &Primitive,
    shading: Shading,
    weights: &[f32],
    path: &dyn Display,
    report: &mut LoadReport,
) -> Result<Option<Imported>, LoadError> {
    let mode = Mode::read(source, primitive.mode, path)?;
    let Some(&position) = primitive.attributes.get("POSITION") else {
        report.ignored(Severity::Warning, path, "it has no POSITION, so there is nothing to draw");
        return Ok(None);
    };
    let compressed = "KHR_draco_mesh_compression";
    if primitive.extensions.as_ref().is_some_and(|extensions| extensions.draco.is_some())
        && source.json.accessors.get(position.index()).is_some_and(|accessor| accessor.buffer_view.is_none())
    {
        // An accessor without a view is zeros, so the file is still a valid one.
        let message = format!(
            "its data is only in {compressed}, which is not supported; drawn as zeros, so as nothing"
        );
        report.ignored(Severity::Warning, path, message);
    }
    let attributes = Lazy(|| format!("{path}.attributes"));
    let quantized = source.uses(QUANTIZATION);
    let finite = Cell::new(true);
    let reader =
        Reader { source, accessors, path: &attributes, quantized, displaces: false, finite: &finite };
    let elements = reader.elements(Semantic::Position, "POSITION", position, None)?;
    let vertices = elements.count;
    let indices = match primitive.indices {
        Some(accessor) => {
            Some(read_indices(source, accessors, accessor, vertices, &format_args!("{path}.indices"))?)
        }
        None => None,
    };
    let Some(indices) = list(source, mode, indices, vertices, path, report)? else { return Ok(None) };
    let positions = reader.convert::<Vec3>(&elements)?;
    let mut mesh = Mesh { topology: mode.topology(), indices, positions, ..Mesh::default() };
    read_streams(&reader, primitive, &mut mesh, report)?;
    mesh.joint_sets = joint_sets(&reader, primitive, vertices, report)?;
    mesh.morph_targets = morph_targets(&reader, primitive, &mesh, path, report)?;
    mesh.morph_weights = fitted(source, weights, mesh.morph_targets.len(), path)?;
    let completed = shading.complete(source, &mut mesh, path, report)?;
    // All indices were seen as they were read.
    Ok(Some(Imported { mesh, examined: finite.get() && !completed }))
}

/// Reads what a vertex has besides its position and its joints.
fn read_streams(
    reader: &Reader<'_>,
    primitive: &Primitive,
    mesh: &mut Mesh,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    let vertices = mesh.positions.len();
    let mut unused = Vec::new();
    // The attributes are sorted by name, so that a normal is there before its tangent.
    for (name, &accessor) in &primitive.attributes {
        let path = reader.path_of(name);
        match Semantic::named(name) {
            Some(semantic @ Semantic::Normal) => {
                let elements = reader.elements(semantic, name, accessor, Some(vertices))?;
                let quantized = elements.format.component != Component::F32;
                let off = |part: &[Vec3]| repair::is_any_normal_off(part, quantized);
                let (normals, off) = reader.accessors.seen_floats(&elements, off)?;
                mesh.normals = normals;
                if off {
                    repair::normals(reader.source, mesh, quantized, &path, report)?;
                }
            }
            Some(Semantic::Tangent) if mesh.normals.is_empty() => {
                // Section 3.7.2.1: without normals, tangents must be ignored.
                report.ignored(Severity::Info, path, "it has no meaning without a NORMAL");
            }
            Some(semantic @ Semantic::Tangent) => {
                let elements = reader.elements(semantic, name, accessor, Some(vertices))?;
                let quantized = elements.format.component != Component::F32;
                let off = |part: &[Vec4]| repair::is_any_tangent_off(part, quantized);
                let (tangents, off) = reader.accessors.seen_floats(&elements, off)?;
                mesh.tangents = tangents;
                if off {
                    repair::tangents(mesh, quantized, &path, report);
                }
            }
            Some(semantic @ Semantic::Uv(set)) => {
                let uvs = reader.floats::<Vec2>(semantic, name, accessor, vertices)?;
                mesh.uv_sets.resize(mesh.uv_sets.len().max(set + 1), Vec::new());
                mesh.uv_sets[set] = uvs;
            }
            Some(Semantic::Color) => mesh.colors = reader.colors(name, accessor, vertices, 1.0)?,
            Some(Semantic::Position | Semantic::Joints(_) | Semantic::Weights(_)) => {}
            None => unused.push(shown(name)),
        }
    }
    if !unused.is_empty() {
        report.ignored(Severity::Info, reader.path, format!("{} not used", unused.join(", ")));
    }
    Ok(())
}
