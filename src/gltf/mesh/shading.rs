//! The normals and tangents that lighting needs and a file may leave out.

use crate::assets::{GeometryError, Material, Mesh, Topology};
use crate::gltf::LoadError;
use crate::gltf::report::{LoadReport, NoteKind, Severity};
use crate::gltf::source::Source;
use crate::math::{Vec3, Vec4};
use std::fmt::Display;

/// What the materials of a primitive need of its geometry.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shading {
    /// Whether one asks for lighting.
    lit: bool,
    /// The UV set that the normal texture reads, if there is one. Of several materials the first decides, since a vertex
    /// has one tangent.
    normal_uv_set: Option<u32>,
}

impl Shading {
    pub fn of<'a>(materials: impl IntoIterator<Item = &'a Material>) -> Self {
        let mut shading = Self::default();
        for material in materials.into_iter().filter(|material| !material.unlit) {
            shading.lit = true;
            let set = material.normal_texture.map(|slot| slot.uv_set);
            shading.normal_uv_set = shading.normal_uv_set.or(set);
        }
        shading
    }

    /// Adds to a mesh what lighting needs and is missing: flat normals, then tangents (glTF 2.0, section 3.7.2.1). Returns
    /// whether there was anything to add.
    pub fn complete(
        self,
        source: &Source<'_>,
        mesh: &mut Mesh,
        path: &dyn Display,
        report: &mut LoadReport,
    ) -> Result<bool, LoadError> {
        if !self.lit || mesh.topology != Topology::Triangles {
            return Ok(false);
        }
        let mut added = false;
        if mesh.normals.is_empty() {
            flat_normals(source, mesh, path)?;
            added = true;
        }
        if let Some(set) = self.normal_uv_set
            && mesh.tangents.is_empty()
        {
            tangents(source, mesh, set as usize, path, report)?;
            added = true;
        }
        Ok(added)
    }
}

fn flat_normals(source: &Source<'_>, mesh: &mut Mesh, path: &dyn Display) -> Result<(), LoadError> {
    let displaced = mesh.morph_targets.iter().filter(|target| !target.positions.is_empty()).count();
    // Every corner gets a normal, and without sharing all else that a vertex has.
    let shared = if mesh.indices.is_some() { mesh.vertex_bytes() } else { 0 };
    let bytes = (shared as u64).saturating_add((size_of::<Vec3>() * (1 + displaced)) as u64);
    source.charge(bytes.saturating_mul(mesh.index_count() as u64), path)?;
    mesh.compute_flat_normals().map_err(|error| refusal(source, error, path))
}

fn tangents(
    source: &Source<'_>,
    mesh: &mut Mesh,
    set: usize,
    path: &dyn Display,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    let mut without = |reason: String| {
        let message = format!("{reason}; it gets no tangents");
        report.note(Severity::Info, NoteKind::Approximated, path, message);
    };
    if mesh.uv_sets.get(set).is_none_or(Vec::is_empty) {
        without(format!("it has no TEXCOORD_{set}, which its material's normal texture reads"));
        return Ok(());
    }
    // At worst each corner gets a vertex of its own, with a tangent; how it turns out shows only afterwards.
    let size = |mesh: &Mesh| (mesh.vertex_bytes() as u64).saturating_mul(mesh.positions.len() as u64);
    let corners = mesh.index_count().max(mesh.positions.len()) as u64;
    let most = ((mesh.vertex_bytes() + size_of::<Vec4>()) as u64).saturating_mul(corners);
    let scratch = (Mesh::TANGENT_SCRATCH as u64).saturating_mul(mesh.index_count() as u64 / 3);
    let before = size(mesh);
    let charged = most.saturating_add(scratch);
    source.charge(charged, path)?;
    let result = mesh.compute_tangents(set);
    source.give_back(charged.saturating_sub(size(mesh).saturating_sub(before)));
    match result {
        Err(error @ GeometryError::Crowded { .. }) => {
            without(error.to_string());
            Ok(())
        }
        result => result.map_err(|error| refusal(source, error, path)),
    }
}

fn refusal(source: &Source<'_>, error: GeometryError, path: &dyn Display) -> LoadError {
    match error {
        GeometryError::OutOfMemory { bytes } => source.out_of_memory(bytes as u64, path),
        error => source.invalid(path, error.to_string()),
    }
}
