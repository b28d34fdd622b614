//! Primitives: one mesh each, in document order, and one render object for each material that shows it.

use super::LoadError;
use super::accessor::{Accessors, Elements};
use super::document::{Primitive, Whole};
use super::layout::Component;
use super::report::{LoadReport, NoteKind, Severity};
use super::source::Source;
use super::support::QUANTIZATION;
use super::text::shown;
use super::variants;
use crate::assets::{
    Color4, Material, MaterialId, Mesh, RenderAssets, RenderObject, RenderObjectId, Topology,
};
use crate::math::{Vec2, Vec3};
use crate::scene::VariantObjects;
use std::collections::BTreeSet;
use std::sync::Arc;

/// UV sets above this one are reported and left out; no known exporter writes half as many.
const UV_SETS: usize = 16;

/// What the meshes became.
pub(super) struct Meshes {
    /// What is drawn of each glTF mesh.
    pub objects: Vec<Vec<Drawn>>,
    /// For each imported mesh, the indices of the glTF mesh and primitive that it came from.
    pub origins: Vec<(usize, usize)>,
}

impl Meshes {
    /// For each mesh and primitive of the document what is drawn of it.
    pub fn primitives(&self, source: &Source<'_>) -> Vec<Vec<Option<RenderObjectId>>> {
        let meshes = source.json.meshes.iter().zip(&self.objects);
        let primitives = meshes.map(|(mesh, objects)| {
            let mut primitives = vec![None; mesh.primitives.len()];
            objects.iter().for_each(|drawn| primitives[drawn.primitive] = Some(drawn.object));
            primitives
        });
        primitives.collect()
    }
}

/// A primitive that is drawn.
pub(super) struct Drawn {
    /// Its place in the mesh.
    pub primitive: usize,
    pub object: RenderObjectId,
    pub variants: Option<VariantObjects>,
}

/// Imports every primitive of every mesh, drawn or not.
pub(super) fn import(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    assets: &mut RenderAssets,
    report: &mut LoadReport,
) -> Result<Meshes, LoadError> {
    let mut meshes = Meshes { objects: Vec::with_capacity(source.json.meshes.len()), origins: Vec::new() };
    let mut default_material = None;
    for (mesh_index, mesh) in source.json.meshes.iter().enumerate() {
        let mut objects = Vec::with_capacity(mesh.primitives.len());
        let name: Arc<str> = mesh.name.as_deref().unwrap_or("").into();
        if mesh.primitives.is_empty() {
            report.ignored(Severity::Warning, format!("meshes[{mesh_index}]"), "it has no primitives");
        }
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let path = format!("meshes[{mesh_index}].primitives[{index}]");
            let material = match primitive.material {
                Some(material) => {
                    let path = format!("{path}.material");
                    let (material, _) = source.get(&source.json.materials, "material", material, &path)?;
                    Some(MaterialId::new(u32::try_from(material).unwrap_or(u32::MAX)))
                }
                None => None,
            };
            let Some(mut imported) = import_primitive(source, accessors, primitive, &path, report)? else {
                continue;
            };
            imported.name = Arc::clone(&name);
            let material = match material {
                Some(material) => material,
                None => *default_material.get_or_insert_with(|| {
                    let message =
                        "it has no material, and glTF's default asks for lighting; drawn unlit, in white";
                    report.note(Severity::Warning, NoteKind::Approximated, path.as_str(), message);
                    assets.add_material(Material::default())
                }),
            };
            let others = variants::materials(primitive, &path, report);
            let all: BTreeSet<_> = others.iter().map(|&(_, material)| material).chain([material]).collect();
            for material in all {
                report_missing_uvs(assets, material, &imported, &path, report);
            }
            meshes.origins.push((mesh_index, index));
            let drawn = RenderObject { mesh: assets.add_mesh(imported), material };
            let object = assets.add_render_object(drawn);
            let variants = variants::objects(assets, object, drawn, others);
            objects.push(Drawn { primitive: index, object, variants });
        }
        meshes.objects.push(objects);
    }
    Ok(meshes)
}

/// `None`, with a note, for a primitive without positions, which glTF says not to draw (section 3.7.2.1).
fn import_primitive(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    primitive: &Primitive,
    path: &str,
    report: &mut LoadReport,
) -> Result<Option<Mesh>, LoadError> {
    let topology = topology(source, primitive, path)?;
    let attribute_path = |name: &str| format!("{path}.attributes.{}", shown(name));
    if !primitive.targets.is_empty() {
        let message = format!("{} morph targets not used; drawn undeformed", primitive.targets.len());
        report.ignored(Severity::Warning, format!("{path}.targets"), message);
    }
    let Some(&position) = primitive.attributes.get("POSITION") else {
        report.ignored(Severity::Warning, path, "it has no POSITION, so there is nothing to draw");
        return Ok(None);
    };
    let compressed = "KHR_draco_mesh_compression";
    if primitive.extensions.as_ref().is_some_and(|extensions| extensions.draco.is_some())
        && source.json.accessors.get(position.index()).is_some_and(|accessor| accessor.buffer_view.is_none())
    {
        let reason =
            format!("its data is only in {compressed}, which is not supported; export it uncompressed");
        return Err(source.unsupported(path, reason));
    }
    let reader = AttributeReader { source, accessors, path, quantized: source.uses(QUANTIZATION) };
    let mut mesh = Mesh { topology, ..Mesh::default() };
    let elements = reader.elements("POSITION", position, None)?;
    let vertices = elements.count;
    reader.require("POSITION", &elements, &[3], reader.quantized_types(&[]))?;
    mesh.positions = accessors.floats::<Vec3>(&elements)?;
    let mut unused = Vec::new();
    for (name, &accessor) in &primitive.attributes {
        if name == "POSITION" {
            continue;
        }
        if let Some(set) = uv_set(name) {
            let elements = reader.elements(name, accessor, Some(vertices))?;
            let types = [(Component::U8, true), (Component::U16, true)];
            reader.require(name, &elements, &[2], reader.quantized_types(&types))?;
            mesh.uv_sets.resize(mesh.uv_sets.len().max(set + 1), Vec::new());
            mesh.uv_sets[set] = accessors.floats::<Vec2>(&elements)?;
        } else if name == "COLOR_0" {
            let elements = reader.elements(name, accessor, Some(vertices))?;
            let types = vec![(Component::F32, false), (Component::U8, true), (Component::U16, true)];
            reader.require(name, &elements, &[3, 4], types)?;
            mesh.colors = if elements.format.components == 4 {
                accessors.floats::<Color4>(&elements)?
            } else {
                let colors = accessors.floats::<[f32; 3]>(&elements)?;
                let mut opaque: Vec<Color4> = source.zeros(colors.len(), &attribute_path(name))?;
                for (opaque, &[r, g, b]) in opaque.iter_mut().zip(&colors) {
                    *opaque = Color4::new(r, g, b, 1.0);
                }
                opaque
            };
        } else {
            unused.push(shown(name));
        }
    }
    if !unused.is_empty() {
        let message = format!("{} not used", unused.join(", "));
        report.ignored(Severity::Info, format!("{path}.attributes"), message);
    }
    mesh.indices = match primitive.indices {
        Some(accessor) => {
            Some(read_indices(source, accessors, accessor, vertices, &format!("{path}.indices"))?)
        }
        None => None,
    };
    Ok(Some(mesh))
}

fn topology(source: &Source<'_>, primitive: &Primitive, path: &str) -> Result<Topology, LoadError> {
    let name = match primitive.mode.map_or(4, |mode| mode.0) {
        0 => return Ok(Topology::Points),
        1 => return Ok(Topology::Lines),
        4 => return Ok(Topology::Triangles),
        2 => "LINE_LOOP",
        3 => "LINE_STRIP",
        5 => "TRIANGLE_STRIP",
        6 => "TRIANGLE_FAN",
        mode => {
            let reason = format!("{mode} is not a mode that glTF defines; 4 means TRIANGLES");
            return Err(source.invalid(format!("{path}.mode"), reason));
        }
    };
    let reason = format!("{name} is not supported; export separate triangles (TRIANGLES), lines or points");
    Err(source.unsupported(format!("{path}.mode"), reason))
}

/// Says where a drawn texture reads a UV set that the mesh does not have.
fn report_missing_uvs(
    assets: &RenderAssets,
    material: MaterialId,
    mesh: &Mesh,
    path: &str,
    report: &mut LoadReport,
) {
    let slot = assets.material(material).and_then(|material| material.base_color_texture);
    if let Some(slot) = slot
        && mesh.uv_sets.get(slot.uv_set as usize).is_none_or(Vec::is_empty)
    {
        let message = format!(
            "it has no TEXCOORD_{}, which its material's base color texture reads; (0, 0) is read instead",
            slot.uv_set
        );
        report.note(Severity::Warning, NoteKind::Approximated, path, message);
    }
}

/// The set of a `TEXCOORD_n` that is imported.
fn uv_set(name: &str) -> Option<usize> {
    let digits = name.strip_prefix("TEXCOORD_")?;
    let set: usize = digits.parse().ok()?;
    // "TEXCOORD_01" parses too, and is another name.
    (set < UV_SETS && set.to_string() == digits).then_some(set)
}

struct AttributeReader<'a> {
    source: &'a Source<'a>,
    accessors: &'a Accessors<'a>,
    path: &'a str,
    quantized: bool,
}

impl<'a> AttributeReader<'a> {
    fn elements(
        &self,
        name: &str,
        accessor: Whole,
        vertices: Option<usize>,
    ) -> Result<Elements<'a>, LoadError> {
        let path = || format!("{}.attributes.{name}", self.path);
        let elements = self.accessors.elements(accessor, &path())?;
        match vertices {
            Some(vertices) if vertices != elements.count => {
                let reason = format!(
                    "{} elements, but POSITION has {vertices}; give every attribute as many",
                    elements.count
                );
                Err(self.source.invalid(path(), reason))
            }
            _ => Ok(elements),
        }
    }

    /// Float and the core's own types, and every 8- and 16-bit integer if the document declares quantization.
    fn quantized_types(&self, core: &[(Component, bool)]) -> Vec<(Component, bool)> {
        let mut types = vec![(Component::F32, false)];
        types.extend_from_slice(core);
        if self.quantized {
            for component in [Component::I8, Component::U8, Component::I16, Component::U16] {
                types.extend([(component, false), (component, true)]);
            }
        }
        types
    }

    fn require(
        &self,
        name: &str,
        elements: &Elements<'_>,
        shapes: &[usize],
        types: Vec<(Component, bool)>,
    ) -> Result<(), LoadError> {
        let format = elements.format;
        // FLOAT has no use for the flag, so it says nothing there.
        let normalized = format.normalized && format.component != Component::F32;
        if shapes.contains(&format.components) && types.contains(&(format.component, normalized)) {
            return Ok(());
        }
        let names: Vec<_> = shapes.iter().map(|&size| ["SCALAR", "VEC2", "VEC3", "VEC4"][size - 1]).collect();
        let quantizable = shapes.contains(&format.components) && !self.quantized;
        let hint = if quantizable { " (or declare KHR_mesh_quantization, if it is used)" } else { "" };
        let reason = format!(
            "accessors[{}] is {format}, which {name} may not be; export it as FLOAT {}{hint}",
            elements.index,
            names.join(" or ")
        );
        Err(self.source.unsupported(format!("{}.attributes.{name}", self.path), reason))
    }
}

fn read_indices(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    accessor: Whole,
    vertices: usize,
    path: &str,
) -> Result<Vec<u32>, LoadError> {
    let elements = accessors.elements(accessor, path)?;
    let format = elements.format;
    let restart = match (format.components, format.component) {
        (1, Component::U8) => u32::from(u8::MAX),
        (1, Component::U16) => u32::from(u16::MAX),
        (1, Component::U32) => u32::MAX,
        _ => {
            let reason = format!(
                "accessors[{}] is {format}; indices must be SCALAR of UNSIGNED_BYTE, UNSIGNED_SHORT or UNSIGNED_INT",
                elements.index
            );
            return Err(source.unsupported(path, reason));
        }
    };
    let indices = accessors.integers(&elements)?;
    let largest = indices.iter().copied().max().unwrap_or(0);
    if largest == restart {
        let reason =
            format!("it holds {restart}, the primitive restart value, which glTF forbids; use wider indices");
        return Err(source.invalid(path, reason));
    }
    if largest as usize >= vertices {
        let reason =
            format!("index {largest} is out of range for {vertices} vertices; export the mesh again");
        return Err(source.invalid(path, reason));
    }
    Ok(indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uv_sets_are_named_exactly() {
        assert_eq!(uv_set("TEXCOORD_0"), Some(0));
        assert_eq!(uv_set("TEXCOORD_15"), Some(15));
        for other in
            ["TEXCOORD_16", "TEXCOORD_01", "TEXCOORD_", "TEXCOORD_+1", "texcoord_0", "TEXCOORD_99999999999"]
        {
            assert_eq!(uv_set(other), None, "{other}");
        }
    }
}
