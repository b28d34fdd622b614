//! Meshes as vertex and index buffers hold them.

use super::deformation::{joint_sets, used_joints};
use super::deltas::DeltaStreams;
use crate::assets::{Material, Mesh};
use crate::math::Vec3;
use crate::preparation::ViewMode;

/// Which streams of a mesh are compiled for drawing; the position always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Streams {
    /// The UV set that addresses the base color texture, if the mesh has it.
    uv: Option<u32>,
    /// The UV set that addresses the texture of the view mode's slot, likewise.
    slot_uv: Option<u32>,
    color: bool,
    normal: bool,
    /// Number of sets of influences.
    joint_sets: u8,
    pub(crate) deltas: DeltaStreams,
}

/// Where the streams lie in an interleaved vertex: byte offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct VertexLayout {
    pub(crate) uv: Option<u32>,
    pub(crate) slot_uv: Option<u32>,
    pub(crate) color: Option<u32>,
    pub(crate) normal: Option<u32>,
    /// Of each set of influences: four joints in 16 bits, then their weights.
    pub(crate) joint_sets: [Option<u32>; 2],
    /// From one vertex to the next.
    pub(crate) stride: u32,
}

impl Streams {
    /// The streams that drawing reads: of the UV sets only those that the drawn textures ask for.
    pub(crate) fn of(mesh: &Mesh, material: &Material, view: ViewMode) -> Self {
        let present = |set: u32| mesh.uv_sets.get(set as usize).is_some_and(|uvs| !uvs.is_empty());
        let base_set = material.base_color_texture.map_or(0, |slot| slot.uv_set);
        let uv = Some(base_set).filter(|&set| present(set));
        let slot_uv = view.texture_slot(material).map(|slot| slot.uv_set).filter(|&set| present(set));
        let color = !mesh.colors.is_empty();
        let normal = view == ViewMode::Normals && !mesh.normals.is_empty();
        Self {
            uv,
            slot_uv,
            color,
            normal,
            joint_sets: joint_sets(mesh).count() as u8,
            deltas: DeltaStreams::of(mesh, [uv, slot_uv], color, normal),
        }
    }

    pub(crate) fn has_normals(self) -> bool {
        self.normal
    }

    /// Whether the base color's UV set is there.
    pub(crate) fn has_uv(self) -> bool {
        self.uv.is_some()
    }

    /// The streams of a vertex in memory: two slots with one UV set share it.
    pub(crate) fn packed(self) -> Self {
        let slot_uv = self.slot_uv.filter(|_| self.slot_uv != self.uv);
        Self { slot_uv, deltas: self.deltas.packed(), ..self }
    }

    /// One after the other: position, UVs, color, normal, influences.
    pub(crate) fn layout(self) -> VertexLayout {
        let packed = self.packed();
        let mut stride = 12;
        let mut place = |present: bool, size: u32| {
            let at = stride;
            stride += if present { size } else { 0 };
            present.then_some(at)
        };
        let (uv, own) = (place(packed.uv.is_some(), 8), place(packed.slot_uv.is_some(), 8));
        let slot_uv = if self.slot_uv == self.uv { uv } else { own };
        let (color, normal) = (place(self.color, 16), place(self.normal, 12));
        let joint_sets = [0, 1].map(|set| place(self.joint_sets > set, 24));
        VertexLayout { uv, slot_uv, color, normal, joint_sets, stride }
    }

    /// The mesh's vertices, interleaved.
    pub(crate) fn pack(self, mesh: &Mesh) -> Vec<u8> {
        let (packed, layout) = (self.packed(), self.layout());
        let [uvs, slot_uvs] = [packed.uv, packed.slot_uv].map(|set| mesh.uv_sets.get(set? as usize));
        let mut bytes = Vec::with_capacity(mesh.positions.len() * layout.stride as usize);
        for (vertex, position) in mesh.positions.iter().enumerate() {
            bytes.extend_from_slice(bytemuck::bytes_of(position));
            for uvs in [uvs, slot_uvs].into_iter().flatten() {
                bytes.extend_from_slice(bytemuck::bytes_of(&uvs[vertex]));
            }
            if self.color {
                bytes.extend_from_slice(bytemuck::bytes_of(&mesh.colors[vertex]));
            }
            if self.normal {
                bytes.extend_from_slice(bytemuck::bytes_of(&mesh.normals[vertex]));
            }
            for set in joint_sets(mesh) {
                bytes.extend_from_slice(bytemuck::bytes_of(&used_joints(set, vertex)));
                bytes.extend_from_slice(bytemuck::bytes_of(&set.weights[vertex]));
            }
        }
        bytes
    }
}

/// The middle of the bounding box of the vertices that are drawn, in object space.
pub(crate) fn center(mesh: &Mesh) -> Vec3 {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut add = |point: Vec3| (low, high) = (low.min(point), high.max(point));
    match &mesh.indices {
        Some(indices) => {
            indices.iter().filter_map(|&i| mesh.positions.get(i as usize)).for_each(|&point| add(point))
        }
        None => mesh.positions.iter().for_each(|&point| add(point)),
    }
    // Halved first: the sum of two large numbers may overflow.
    low * 0.5 + high * 0.5
}

/// The most vertices that 16-bit indices name: 0xffff stays free, because it means "restart" to other topologies.
pub(crate) const INDEX_LIMIT: usize = u16::MAX as usize;

/// The indices in the narrowest type that the device always has, and whether that is 16 bits.
///
/// A mesh without indices gets 0, 1, 2, …, so that everything is drawn by one kind of command.
pub(crate) fn pack_indices(mesh: &Mesh) -> (Vec<u8>, bool) {
    let narrow = mesh.positions.len() <= INDEX_LIMIT;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::{Color4, JointSet, TextureId, TextureSlot};
    use crate::math::Vec2;

    fn mesh() -> Mesh {
        Mesh {
            positions: vec![Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO],
            uv_sets: vec![vec![Vec2::new(4.0, 5.0); 2], vec![Vec2::new(6.0, 7.0); 2]],
            colors: vec![Color4::WHITE; 2],
            normals: vec![Vec3::new(0.0, 0.5, -1.0); 2],
            ..Mesh::default()
        }
    }

    /// A material whose base color and occlusion read these UV sets.
    fn material(base: u32, occlusion: u32) -> Material {
        let slot = |uv_set| Some(TextureSlot { uv_set, ..TextureSlot::new(TextureId::new(0)) });
        Material { base_color_texture: slot(base), occlusion_texture: slot(occlusion), ..Material::default() }
    }

    fn first_vertex(material: &Material, view: ViewMode) -> (VertexLayout, Vec<f32>) {
        let mesh = mesh();
        let streams = Streams::of(&mesh, material, view);
        let (layout, bytes) = (streams.layout(), streams.pack(&mesh));
        assert_eq!(bytes.len(), 2 * layout.stride as usize);
        (layout, bytemuck::pod_collect_to_vec(&bytes[..layout.stride as usize]))
    }

    #[test]
    fn vertices_interleave_the_streams_that_are_drawn() {
        let (layout, first) = first_vertex(&material(1, 0), ViewMode::BaseColor);
        assert_eq!((layout.uv, layout.slot_uv), (Some(12), None));
        assert_eq!((layout.color, layout.normal, layout.stride), (Some(20), None, 36));
        assert_eq!(first, [1.0, 2.0, 3.0, 6.0, 7.0, 1.0, 1.0, 1.0, 1.0]);
        let (layout, first) = first_vertex(&material(2, 0), ViewMode::BaseColor);
        assert_eq!((layout.uv, layout.color), (None, Some(12)));
        assert_eq!(first, [1.0, 2.0, 3.0, 1.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn a_slot_has_its_own_uv_set_or_shares_the_base_colors() {
        let (layout, first) = first_vertex(&material(1, 0), ViewMode::Occlusion);
        assert_eq!((layout.uv, layout.slot_uv, layout.color), (Some(12), Some(20), Some(28)));
        assert_eq!(first[3..7], [6.0, 7.0, 4.0, 5.0]);
        let (layout, first) = first_vertex(&material(1, 1), ViewMode::Occlusion);
        assert_eq!((layout.uv, layout.slot_uv, layout.color), (Some(12), Some(12), Some(20)));
        assert_eq!(first[3..5], [6.0, 7.0]);
        let (layout, first) = first_vertex(&material(7, 1), ViewMode::Occlusion);
        assert_eq!((layout.uv, layout.slot_uv), (None, Some(12)));
        assert_eq!(first[3..5], [6.0, 7.0]);
        let (layout, _) = first_vertex(&material(7, 7), ViewMode::Occlusion);
        assert_eq!((layout.uv, layout.slot_uv, layout.stride), (None, None, 28));
    }

    #[test]
    fn normals_are_there_only_when_they_are_shown() {
        let (layout, first) = first_vertex(&material(2, 0), ViewMode::Normals);
        assert_eq!((layout.slot_uv, layout.normal, layout.stride), (None, Some(28), 40));
        assert_eq!(first[7..], [0.0, 0.5, -1.0]);
    }

    #[test]
    fn influences_come_last_whatever_is_shown() {
        let set = |joint, weight: f32| JointSet {
            joints: vec![[joint, 9, 9, 9]; 2],
            weights: vec![[weight, 0.0, 0.0, 0.0]; 2],
        };
        let mesh = Mesh {
            joint_sets: vec![set(3, 0.25), JointSet::default(), set(7, 0.75)],
            normals: vec![Vec3::Z; 2],
            ..Mesh { uv_sets: vec![], colors: vec![], ..mesh() }
        };
        for (view, first, stride) in [(ViewMode::BaseColor, 12, 60), (ViewMode::Normals, 24, 72)] {
            let streams = Streams::of(&mesh, &Material::default(), view);
            let layout = streams.layout();
            assert_eq!((layout.joint_sets, layout.stride), ([Some(first), Some(first + 24)], stride));
            let bytes = streams.pack(&mesh);
            assert_eq!(bytes.len(), 2 * stride as usize);
            let at = |offset: u32, length: usize| &bytes[offset as usize..][..length];
            // Joints without a weight are none.
            assert_eq!(at(first, 8), bytemuck::bytes_of(&[3_u16, 0, 0, 0]));
            assert_eq!(at(first + 8, 16), bytemuck::bytes_of(&[0.25_f32, 0.0, 0.0, 0.0]));
            assert_eq!(at(first + 24, 8), bytemuck::bytes_of(&[7_u16, 0, 0, 0]));
            assert_eq!(at(first + 32, 16), bytemuck::bytes_of(&[0.75_f32, 0.0, 0.0, 0.0]));
        }
    }

    #[test]
    fn the_center_is_that_of_the_drawn_vertices_and_does_not_overflow() {
        let mut mesh = mesh();
        mesh.positions = vec![Vec3::splat(100.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(3.0, 5.0, 0.0)];
        mesh.indices = Some(vec![1, 2]);
        assert_eq!(center(&mesh), Vec3::new(2.0, 2.0, 0.0));
        mesh.indices = None;
        assert_eq!(center(&mesh), Vec3::new(50.5, 49.5, 50.0));
        mesh.positions = vec![Vec3::splat(f32::MAX), Vec3::splat(f32::MAX)];
        assert_eq!(center(&mesh), Vec3::splat(f32::MAX));
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
