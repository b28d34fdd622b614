//! What the shaders read, byte for byte; `shaders/scene.glsl` holds the other half.

use crate::assets::{AlphaMode, Material, Mesh, TextureSlot};
use bytemuck::{Pod, Zeroable};

/// One element of the material buffer.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuMaterial {
    base_color: [f32; 4],
    /// (a, b, t, alpha cutoff).
    uv_row_u: [f32; 4],
    uv_row_v: [f32; 4],
}

impl GpuMaterial {
    pub(crate) fn new(material: &Material) -> Self {
        let transform = material.base_color_texture.map(|slot| slot.transform).unwrap_or_default();
        let [[a, b, t], [c, d, s]] = transform.rows();
        let cutoff = match material.alpha_mode {
            AlphaMode::Mask { cutoff } => cutoff,
            AlphaMode::Opaque | AlphaMode::Blend => 0.0,
        };
        Self {
            base_color: material.base_color_factor.to_array(),
            uv_row_u: [a, b, t, cutoff],
            uv_row_v: [c, d, s, 0.0],
        }
    }
}

/// One element of the table: which world matrix and which material an instance has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct TableEntry {
    pub(crate) world: u32,
    pub(crate) material: u32,
}

/// `VkDrawIndexedIndirectCommand`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct DrawCommand {
    pub(crate) index_count: u32,
    pub(crate) instance_count: u32,
    pub(crate) first_index: u32,
    pub(crate) vertex_offset: i32,
    pub(crate) first_instance: u32,
}

/// Which optional streams a compiled mesh has; the position is always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Streams {
    pub(crate) uv: bool,
    pub(crate) color: bool,
}

impl Streams {
    /// The streams that drawing reads: of the UV sets only the one that the material's texture asks for.
    pub(crate) fn of(mesh: &Mesh, uv_set: u32) -> Self {
        Self {
            uv: mesh.uv_sets.get(uv_set as usize).is_some_and(|set| !set.is_empty()),
            color: !mesh.colors.is_empty(),
        }
    }

    /// Bytes from one interleaved vertex to the next.
    pub(crate) fn stride(self) -> u32 {
        12 + if self.uv { 8 } else { 0 } + if self.color { 16 } else { 0 }
    }

    /// Byte offset of the color in a vertex that has one.
    pub(crate) fn color_offset(self) -> u32 {
        12 + if self.uv { 8 } else { 0 }
    }

    /// The mesh's vertices, interleaved: position, UV, color.
    pub(crate) fn pack(self, mesh: &Mesh, uv_set: u32) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(mesh.positions.len() * self.stride() as usize);
        let uvs = mesh.uv_sets.get(uv_set as usize).filter(|_| self.uv);
        for (vertex, position) in mesh.positions.iter().enumerate() {
            bytes.extend_from_slice(bytemuck::bytes_of(position));
            if let Some(uvs) = uvs {
                bytes.extend_from_slice(bytemuck::bytes_of(&uvs[vertex]));
            }
            if self.color {
                bytes.extend_from_slice(bytemuck::bytes_of(&mesh.colors[vertex]));
            }
        }
        bytes
    }
}

/// The indices in the narrowest type that the device always has, and whether that is 16 bits.
///
/// A mesh without indices gets 0, 1, 2, …, so that everything is drawn by one kind of command.
pub(crate) fn pack_indices(mesh: &Mesh) -> (Vec<u8>, bool) {
    // 0xffff stays free: it means "restart" to other topologies.
    let narrow = mesh.positions.len() <= usize::from(u16::MAX);
    let counted = || 0..mesh.positions.len() as u32;
    let bytes = match (&mesh.indices, narrow) {
        (Some(indices), true) => {
            bytemuck::cast_slice(&indices.iter().map(|&i| i as u16).collect::<Vec<u16>>()).to_vec()
        }
        (None, true) => bytemuck::cast_slice(&counted().map(|i| i as u16).collect::<Vec<u16>>()).to_vec(),
        (Some(indices), false) => bytemuck::cast_slice(indices).to_vec(),
        (None, false) => bytemuck::cast_slice(&counted().collect::<Vec<u32>>()).to_vec(),
    };
    (bytes, narrow)
}

/// The UV set that drawing with this material reads.
pub(crate) fn drawn_uv_set(material: &Material) -> u32 {
    material.base_color_texture.map_or(0, |slot: TextureSlot| slot.uv_set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Color4;
    use crate::math::{Vec2, Vec3};

    fn mesh() -> Mesh {
        Mesh {
            positions: vec![Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO],
            uv_sets: vec![vec![Vec2::new(4.0, 5.0); 2], vec![Vec2::new(6.0, 7.0); 2]],
            colors: vec![Color4::WHITE; 2],
            ..Mesh::default()
        }
    }

    #[test]
    fn structures_have_the_sizes_that_shaders_and_vulkan_expect() {
        assert_eq!(size_of::<GpuMaterial>(), 48);
        assert_eq!(size_of::<TableEntry>(), 8);
        assert_eq!(size_of::<DrawCommand>(), size_of::<ash::vk::DrawIndexedIndirectCommand>());
    }

    #[test]
    fn vertices_interleave_the_streams_that_are_there() {
        let mesh = mesh();
        let streams = Streams::of(&mesh, 1);
        assert_eq!((streams.uv, streams.color, streams.stride()), (true, true, 36));
        let bytes = streams.pack(&mesh, 1);
        let first: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes[..36]);
        assert_eq!(first, [1.0, 2.0, 3.0, 6.0, 7.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(bytes.len(), 72);
        let plain = Streams::of(&mesh, 2);
        assert_eq!((plain.uv, plain.stride()), (false, 28));
        assert_eq!(plain.pack(&mesh, 2).len(), 56);
    }

    #[test]
    fn indices_are_narrowed_and_made_up_where_there_are_none() {
        let mut mesh = mesh();
        assert_eq!(pack_indices(&mesh), (vec![0, 0, 1, 0], true));
        mesh.indices = Some(vec![1, 0]);
        assert_eq!(pack_indices(&mesh), (vec![1, 0, 0, 0], true));
        mesh.positions = vec![Vec3::ZERO; 65_536];
        assert_eq!(pack_indices(&mesh), (vec![1, 0, 0, 0, 0, 0, 0, 0], false));
        mesh.positions.pop();
        assert!(pack_indices(&mesh).1);
    }
}
