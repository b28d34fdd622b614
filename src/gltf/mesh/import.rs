//! The document's list of meshes: one mesh for each primitive, in document order, and one render object for each material
//! that shows it.

use super::primitive::{Imported, import_primitive};
use super::shading::Shading;
use super::weights::{default_weights, report_node_weights, targets};
use crate::assets::{Material, MaterialId, Mesh, RenderAssets, RenderObject, RenderObjectId};
use crate::gltf::accessor::Accessors;
use crate::gltf::report::{LoadReport, NoteKind, Severity};
use crate::gltf::source::Source;
use crate::gltf::text::Lazy;
use crate::gltf::{LoadError, LoadPhase, variants};
use crate::scene::VariantObjects;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::Arc;

/// What the meshes became.
pub(in crate::gltf) struct Meshes {
    /// What is drawn of each glTF mesh.
    pub objects: Vec<Vec<Drawn>>,
    /// For each imported mesh, the indices of the glTF mesh and primitive that it came from.
    pub origins: Vec<(usize, usize)>,
    /// For each glTF mesh the number of its morph targets.
    pub targets: Vec<usize>,
    /// For each glTF mesh and each of its drawn primitives the number of joints that its influences need; 0 for none.
    pub joints: Vec<Vec<usize>>,
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
pub(in crate::gltf) struct Drawn {
    /// Its place in the mesh.
    pub primitive: usize,
    pub object: RenderObjectId,
    pub variants: Option<VariantObjects>,
}

/// Imports every primitive of every mesh, drawn or not.
pub(in crate::gltf) fn import(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    assets: &mut RenderAssets,
    report: &mut LoadReport,
) -> Result<Meshes, LoadError> {
    let targets = source.json.meshes.iter().map(targets).collect();
    let count = source.json.meshes.len();
    let (objects, joints) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut meshes = Meshes { objects, origins: Vec::new(), targets, joints };
    let mut default_material = None;
    let (mut done, total) = (0, source.json.counts().primitives);
    for (mesh_index, mesh) in source.json.meshes.iter().enumerate() {
        let mut objects = Vec::with_capacity(mesh.primitives.len());
        let mut joints = Vec::new();
        let name: Arc<str> = mesh.name.as_deref().unwrap_or("").into();
        let path = Lazy(|| format!("meshes[{mesh_index}]"));
        if mesh.primitives.is_empty() {
            report.ignored(Severity::Warning, path, "it has no primitives");
        }
        let weights = default_weights(source, mesh, &path, report)?;
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            source.progress(LoadPhase::Meshes, done, total)?;
            done += 1;
            let path = Lazy(|| format!("{path}.primitives[{index}]"));
            let material = match primitive.material {
                Some(material) => {
                    let list = &source.json.materials;
                    let (material, _) =
                        source.get(list, "material", material, format_args!("{path}.material"))?;
                    Some(MaterialId::new(u32::try_from(material).unwrap_or(u32::MAX)))
                }
                None => None,
            };
            let others = variants::materials(primitive, &path, report);
            let fallback = Material::default();
            let own = material.and_then(|material| assets.material(material)).unwrap_or(&fallback);
            let shown = others.iter().filter_map(|&(_, material)| assets.material(material));
            let shading = Shading::of(std::iter::once(own).chain(shown));
            let imported = import_primitive(source, accessors, primitive, shading, weights, &path, report)?;
            let Some(Imported { mut mesh, examined }) = imported else { continue };
            mesh.name = Arc::clone(&name);
            let material = match material {
                Some(material) => material,
                None => *default_material.get_or_insert_with(|| {
                    let message =
                        "it has no material, and glTF's default asks for lighting; drawn unlit, in white";
                    report.note(Severity::Warning, NoteKind::Approximated, path, message);
                    assets.add_material(Material::default())
                }),
            };
            let all: BTreeSet<_> = others.iter().map(|&(_, material)| material).chain([material]).collect();
            for material in all {
                report_missing_uvs(assets, material, &mesh, &path, report);
            }
            meshes.origins.push((mesh_index, index));
            joints.push(mesh.joint_count());
            let mesh = if examined { assets.add_examined_mesh(mesh) } else { assets.add_mesh(mesh) };
            let drawn = RenderObject { mesh, material };
            let object = assets.add_render_object(drawn);
            let variants = variants::objects(assets, object, drawn, others);
            objects.push(Drawn { primitive: index, object, variants });
        }
        meshes.objects.push(objects);
        meshes.joints.push(joints);
    }
    report_node_weights(source, &meshes.targets, report)?;
    source.progress(LoadPhase::Meshes, total, total)?;
    Ok(meshes)
}

/// Says where a drawn texture reads a UV set that the mesh does not have.
fn report_missing_uvs(
    assets: &RenderAssets,
    material: MaterialId,
    mesh: &Mesh,
    path: &dyn Display,
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
