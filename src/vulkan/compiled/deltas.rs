//! Displacements of morph targets as the GPU holds them.

use crate::assets::{Mesh, MorphTarget};
use bytemuck::cast_slice;

/// The streams of a mesh that are drawn and that some morph target displaces; the position is always among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct DeltaStreams {
    /// Whether any is.
    any: bool,
    uv: Option<u32>,
    slot_uv: Option<u32>,
    color: bool,
    normal: bool,
}

/// Where the displacements of a vertex lie, one target's after the other: offsets in floats, 0 for a stream that no
/// target displaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct DeltaLayout {
    pub(crate) uv: u32,
    pub(crate) slot_uv: u32,
    pub(crate) color: u32,
    pub(crate) normal: u32,
    /// From one vertex to the next; 0 without any displacement.
    pub(crate) stride: u32,
}

/// The displacements of a mesh's targets, and which of the targets they belong to.
#[derive(Debug, PartialEq, Default)]
pub(crate) struct Deltas {
    /// Vertex by vertex, target by target.
    pub(crate) floats: Vec<f32>,
    /// For each target its position among those in `floats`, or `None` if it displaces nothing that is drawn.
    pub(crate) positions: Vec<Option<u32>>,
}

impl DeltaStreams {
    /// Of a mesh of which these UV sets are drawn, its colors, and its normals.
    pub(crate) fn of(mesh: &Mesh, uv_sets: [Option<u32>; 2], color: bool, normal: bool) -> Self {
        let some = |displaces: &dyn Fn(&MorphTarget) -> bool| mesh.morph_targets.iter().any(displaces);
        let displaced = |set: &u32| some(&|target| !uvs(target, Some(*set)).is_empty());
        let [uv, slot_uv] = uv_sets.map(|set| set.filter(displaced));
        let color = color && some(&|target| !target.colors.is_empty());
        let normal = normal && some(&|target| !target.normals.is_empty());
        let position = some(&|target| !target.positions.is_empty());
        let any = position || uv.is_some() || slot_uv.is_some() || color || normal;
        Self { any, uv, slot_uv, color, normal }
    }

    /// The same in memory: two slots with one UV set share it.
    pub(crate) fn packed(self) -> Self {
        Self { slot_uv: self.slot_uv.filter(|_| self.slot_uv != self.uv), ..self }
    }

    pub(crate) fn layout(self) -> DeltaLayout {
        if !self.any {
            return DeltaLayout::default();
        }
        let packed = self.packed();
        let mut stride = 3;
        let mut place = |present: bool, size| {
            let at = if present { stride } else { 0 };
            stride += if present { size } else { 0 };
            at
        };
        let (uv, own) = (place(packed.uv.is_some(), 2), place(packed.slot_uv.is_some(), 2));
        let slot_uv = if self.slot_uv == self.uv { uv } else { own };
        let (color, normal) = (place(self.color, 4), place(self.normal, 3));
        DeltaLayout { uv, slot_uv, color, normal, stride }
    }

    pub(crate) fn pack(self, mesh: &Mesh) -> Deltas {
        let (packed, vertices) = (self.packed(), mesh.positions.len());
        let stride = self.layout().stride as usize;
        let mut deltas = Deltas::default();
        for target in &mesh.morph_targets {
            let uv_sets = [packed.uv, packed.slot_uv].map(|set| cast_slice::<_, [f32; 2]>(uvs(target, set)));
            let positions = cast_slice::<_, [f32; 3]>(&target.positions);
            let colors = cast_slice::<_, [f32; 4]>(if self.color { &target.colors } else { &[] });
            let normals = cast_slice::<_, [f32; 3]>(if self.normal { &target.normals } else { &[] });
            let moves = [positions.as_flattened(), colors.as_flattened(), normals.as_flattened()]
                .into_iter()
                .chain(uv_sets.map(<[_]>::as_flattened))
                .any(|stream| stream.iter().any(|&component| component != 0.0));
            deltas.positions.push(moves.then(|| (deltas.floats.len() / (stride * vertices)) as u32));
            if !moves {
                continue;
            }
            for vertex in 0..vertices {
                deltas.floats.extend(positions.get(vertex).copied().unwrap_or_default());
                for (set, uvs) in [packed.uv, packed.slot_uv].into_iter().zip(uv_sets) {
                    deltas
                        .floats
                        .extend(set.map(|_| uvs.get(vertex).copied().unwrap_or_default()).iter().flatten());
                }
                if self.color {
                    deltas.floats.extend(colors.get(vertex).copied().unwrap_or_default());
                }
                if self.normal {
                    deltas.floats.extend(normals.get(vertex).copied().unwrap_or_default());
                }
            }
        }
        deltas
    }
}

fn uvs(target: &MorphTarget, set: Option<u32>) -> &[crate::math::Vec2] {
    set.and_then(|set| target.uv_sets.get(set as usize)).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Color4;
    use crate::math::{Vec2, Vec3};

    fn mesh(morph_targets: Vec<MorphTarget>) -> Mesh {
        Mesh { positions: vec![Vec3::ZERO; 2], morph_targets, ..Mesh::default() }
    }

    fn moved() -> MorphTarget {
        MorphTarget { positions: vec![Vec3::X, Vec3::Y], ..MorphTarget::default() }
    }

    fn streams(mesh: &Mesh, color: bool, normal: bool) -> DeltaStreams {
        DeltaStreams::of(mesh, [Some(0), Some(1)], color, normal)
    }

    #[test]
    fn a_mesh_without_targets_or_with_empty_ones_has_no_deltas() {
        for targets in [vec![], vec![MorphTarget::default(); 2]] {
            let mesh = mesh(targets);
            assert_eq!(streams(&mesh, true, true).layout(), DeltaLayout::default());
            assert!(streams(&mesh, true, true).pack(&mesh).floats.is_empty());
        }
    }

    #[test]
    fn targets_that_displace_nothing_that_is_drawn_take_no_memory() {
        let still = MorphTarget { positions: vec![Vec3::ZERO; 2], ..MorphTarget::default() };
        let shine = MorphTarget { normals: vec![Vec3::Z; 2], ..MorphTarget::default() };
        let mesh = mesh(vec![still, moved(), shine, moved()]);
        let deltas = streams(&mesh, true, false).pack(&mesh);
        assert_eq!(deltas.positions, [None, Some(0), None, Some(1)]);
        assert_eq!(deltas.floats, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0].repeat(2));
        let deltas = streams(&mesh, true, true).pack(&mesh);
        assert_eq!(deltas.positions, [None, Some(0), Some(1), Some(2)]);
        assert_eq!(deltas.floats[12..18], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn streams_follow_each_other_and_a_target_without_one_leaves_it_as_it_is() {
        let full = MorphTarget {
            normals: vec![Vec3::Z; 2],
            colors: vec![Color4::new(0.1, 0.2, 0.3, 0.4); 2],
            uv_sets: vec![vec![Vec2::new(5.0, 6.0); 2], vec![Vec2::new(7.0, 8.0); 2]],
            ..moved()
        };
        let mesh = mesh(vec![full, moved()]);
        let all = streams(&mesh, true, true);
        let layout = DeltaLayout { uv: 3, slot_uv: 5, color: 7, normal: 11, stride: 14 };
        assert_eq!(all.layout(), layout);
        let floats = all.pack(&mesh).floats;
        assert_eq!(floats[..14], [1.0, 0.0, 0.0, 5.0, 6.0, 7.0, 8.0, 0.1, 0.2, 0.3, 0.4, 0.0, 0.0, 1.0]);
        assert_eq!(floats[28..31], [1.0, 0.0, 0.0]);
        assert_eq!(floats[31..42], [0.0; 11]);
    }

    #[test]
    fn a_slot_that_shares_the_base_colors_uv_set_shares_its_deltas() {
        let mesh = mesh(vec![MorphTarget { uv_sets: vec![vec![Vec2::ONE; 2]], ..MorphTarget::default() }]);
        let layout = |sets| DeltaStreams::of(&mesh, sets, false, false).layout();
        let shared = DeltaLayout { uv: 3, slot_uv: 3, stride: 5, ..DeltaLayout::default() };
        assert_eq!(layout([Some(0), Some(0)]), shared);
        assert_eq!(layout([Some(0), Some(1)]), DeltaLayout { slot_uv: 0, ..shared });
        assert_eq!(layout([None, Some(0)]), DeltaLayout { uv: 0, ..shared });
        assert_eq!(layout([None, None]), DeltaLayout::default());
    }
}
