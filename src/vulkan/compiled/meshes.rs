//! Meshes in the arenas.

use super::arena::{Arena, Lease};
use super::deformation::Deformation;
use super::deltas::Deltas;
use super::layout::Shade;
use super::vertices::{Streams, center, pack_indices};
use crate::assets::{Material, Mesh, MeshId, RenderAssets};
use crate::math::Vec3;
use crate::preparation::{PreparedObject, ViewMode};
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::uploads::Uploads;
use ash::vk;
use std::collections::HashMap;
use std::sync::Arc;

/// A mesh in the arenas, with the streams that some material reads.
pub(crate) struct CompiledMesh {
    pub(crate) vertices: Lease,
    pub(crate) indices: Lease,
    pub(crate) index_count: u32,
    /// Of its bounding box, in object space.
    pub(crate) center: Vec3,
    /// Displacements of its morph targets, if some are drawn.
    pub(crate) deltas: Option<Lease>,
    pub(crate) deformation: Arc<Deformation>,
}

/// One mesh is compiled once for each set of streams that lies in memory.
pub(crate) type MeshMap = HashMap<(MeshId, Streams), Arc<CompiledMesh>>;

/// A planned object with its descriptions.
pub(crate) struct Use<'a> {
    pub(crate) object: &'a PreparedObject,
    pub(crate) mesh: &'a Mesh,
    pub(crate) material: &'a Material,
    pub(crate) streams: Streams,
    pub(crate) shade: Shade,
}

impl<'a> Use<'a> {
    pub(crate) fn new(assets: &'a RenderAssets, object: &'a PreparedObject, view: ViewMode) -> Option<Self> {
        let (mesh, material) = (assets.mesh(object.mesh)?, assets.material(object.material)?);
        let streams = Streams::of(mesh, material, view);
        let shade = Shade::of(view, mesh.topology, streams.has_normals(), streams.has_uv());
        Some(Self { object, mesh, material, streams, shade })
    }

    pub(crate) fn mesh_key(&self) -> (MeshId, Streams) {
        (self.object.mesh, self.streams.packed())
    }
}

/// A mesh that is not on the GPU yet: its place, its vertices, its indices.
pub(crate) struct NewMesh {
    mesh: Arc<CompiledMesh>,
    vertices: Vec<u8>,
    indices: Vec<u8>,
    deltas: Vec<f32>,
}

impl NewMesh {
    pub(crate) fn upload<'u>(&'u self, uploads: &mut Uploads<'u>) -> Result<(), RendererError> {
        let parts: [(_, &[u8]); 3] = [
            (Some(&self.mesh.vertices), &self.vertices),
            (Some(&self.mesh.indices), &self.indices),
            (self.mesh.deltas.as_ref(), bytemuck::cast_slice(&self.deltas)),
        ];
        for (lease, bytes) in parts {
            let Some(lease) = lease else { continue };
            let (at, block) = (u64::from(lease.start()), lease.block());
            uploads.buffer(block.buffer(), at * u64::from(block.element_size()), bytes)?;
        }
        Ok(())
    }
}

/// The arenas of a renderer: one for each size of vertex and of index, and one for displacements.
pub(crate) struct Arenas {
    vertices: HashMap<u32, Arena>,
    indices: [Arena; 2],
    /// Of floats, so that displacements of every layout lie side by side.
    deltas: Arena,
}

impl Arenas {
    pub(crate) fn new() -> Self {
        let indices =
            |name: &str, size| Arena::new(name.to_owned(), size, vk::BufferUsageFlags::INDEX_BUFFER);
        Self {
            vertices: HashMap::new(),
            indices: [indices("16-bit indices", 2), indices("32-bit indices", 4)],
            deltas: Arena::new("morph deltas".to_owned(), 4, vk::BufferUsageFlags::STORAGE_BUFFER),
        }
    }

    /// Gives up blocks that a retired plan emptied; the lease counts are exact by now or at a later call.
    pub(crate) fn trim(&mut self) {
        let rest = self.indices.iter_mut().chain([&mut self.deltas]);
        self.vertices.values_mut().chain(rest).for_each(Arena::trim);
    }

    /// Room for one displacement, so that there is a block to bind for meshes without any.
    pub(crate) fn take_delta(&mut self, device: &Arc<Device>) -> Result<Lease, RendererError> {
        self.deltas.take(device, 1)
    }

    /// The meshes of a plan, and of those the new ones with their bytes.
    pub(crate) fn compile(
        &mut self,
        device: &Arc<Device>,
        uses: &[Use<'_>],
        old: Option<&MeshMap>,
    ) -> Result<(MeshMap, Vec<NewMesh>), RendererError> {
        let mut meshes = MeshMap::new();
        let mut new = Vec::new();
        for used in uses {
            let key = used.mesh_key();
            if meshes.contains_key(&key) {
                continue;
            }
            if let Some(kept) = old.and_then(|old| old.get(&key)) {
                meshes.insert(key, Arc::clone(kept));
                continue;
            }
            let made = self.place(device, used)?;
            meshes.insert(key, Arc::clone(&made.mesh));
            new.push(made);
        }
        Ok((meshes, new))
    }

    fn place(&mut self, device: &Arc<Device>, used: &Use<'_>) -> Result<NewMesh, RendererError> {
        let (id, mesh) = (used.object.mesh, used.mesh);
        let capabilities = device.capabilities();
        let largest = capabilities.limits.max_draw_indexed_index_value;
        if !capabilities.full_draw_index_uint32 && mesh.positions.len() > largest as usize {
            let what = format!("mesh {id}: more than {largest} vertices in one mesh");
            return Err(RendererError::MissingDeviceSupport { what });
        }
        let (indices, narrow) = pack_indices(mesh);
        let stride = used.streams.layout().stride;
        let arena = self.vertices.entry(stride).or_insert_with(|| {
            let name = format!("vertices of {stride} bytes");
            Arena::new(name, stride, vk::BufferUsageFlags::VERTEX_BUFFER)
        });
        // Validation bounds this count and that of the indices to 32 bits.
        let vertices = arena.take(device, mesh.positions.len() as u32)?;
        let Deltas { floats, positions } = used.streams.deltas.pack(mesh);
        let deltas = self.place_deltas(device, used, floats.len())?;
        let delta_stride = used.streams.deltas.layout().stride;
        let first = deltas.as_ref().map_or(0, Lease::start);
        // The shader counts vertices from the block's first one, so that many strides are taken off in advance. Its sum wraps
        // around too.
        let first = first.wrapping_sub(vertices.start().wrapping_mul(delta_stride));
        let target = |position: u32| {
            first.wrapping_add(position.wrapping_mul(mesh.positions.len() as u32).wrapping_mul(delta_stride))
        };
        let targets = positions.into_iter().map(|position| position.map(target)).collect();
        let compiled = CompiledMesh {
            vertices,
            indices: self.indices[usize::from(!narrow)].take(device, mesh.index_count() as u32)?,
            index_count: mesh.index_count() as u32,
            center: center(mesh),
            deltas,
            deformation: Arc::new(Deformation::new(mesh, targets)),
        };
        let vertices = used.streams.pack(mesh);
        Ok(NewMesh { mesh: Arc::new(compiled), vertices, indices, deltas: floats })
    }

    fn place_deltas(
        &mut self,
        device: &Arc<Device>,
        used: &Use<'_>,
        floats: usize,
    ) -> Result<Option<Lease>, RendererError> {
        if floats == 0 {
            return Ok(None);
        }
        let limit = device.capabilities().limits.max_storage_buffer_range;
        let Some(length) = delta_count(floats, limit) else {
            let (id, bytes) = (used.object.mesh, 4 * floats as u64);
            let what =
                format!("mesh {id}: {bytes} bytes of morph targets in one mesh (its limit is {limit})");
            return Err(RendererError::MissingDeviceSupport { what });
        };
        self.deltas.take(device, length).map(Some)
    }
}

/// That many floats as a length, if a shader can read them all from one buffer, of which it reads `limit` bytes.
fn delta_count(floats: usize, limit: u32) -> Option<u32> {
    u32::try_from(floats).ok().filter(|&length| length <= limit / 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::{RenderObject, TextureId, TextureSlot};
    use crate::math::Vec2;

    #[test]
    fn displacements_that_no_shader_could_reach_are_refused() {
        assert_eq!([256, 257].map(|floats| delta_count(floats, 1024)), [Some(256), None]);
        assert_eq!(delta_count(1 << 30, u32::MAX), None);
        assert_eq!(delta_count(usize::MAX, u32::MAX), None);
    }

    /// Neither another view mode nor another material makes a second copy of a mesh that is stored the same way.
    #[test]
    fn a_slot_that_shares_the_base_colors_uv_set_shares_the_mesh() {
        let slot = |uv_set| Some(TextureSlot { uv_set, ..TextureSlot::new(TextureId::new(0)) });
        let key = |view, base_color_texture, occlusion_texture| {
            let mut assets = RenderAssets::new();
            let mesh = assets.add_mesh(Mesh {
                positions: vec![Vec3::ZERO; 3],
                uv_sets: vec![vec![Vec2::ZERO; 3]; 2],
                ..Mesh::default()
            });
            let material = assets.add_material(Material {
                base_color_texture,
                occlusion_texture,
                ..Material::default()
            });
            let object = assets.add_render_object(RenderObject { mesh, material });
            Use::new(&assets, &PreparedObject { object, mesh, material }, view).unwrap().mesh_key()
        };
        let plain = key(ViewMode::BaseColor, slot(0), slot(0));
        assert_eq!(plain, key(ViewMode::Occlusion, slot(0), slot(0)));
        assert_eq!(plain, key(ViewMode::Occlusion, slot(0), None));
        assert_ne!(plain, key(ViewMode::Occlusion, slot(0), slot(1)));
        assert_ne!(plain, key(ViewMode::Occlusion, slot(1), slot(1)));
    }
}
