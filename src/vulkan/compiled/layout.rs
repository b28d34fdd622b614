//! What the shaders read, byte for byte; `shaders/scene.vert` and `shaders/scene.glsl` hold the other half.

use crate::assets::{AlphaMode, Material, MaterialFactors, SlotKind, Topology, UvTransform};
use crate::math::{Affine3x4, Vec3};
use crate::preparation::ViewMode;
use bytemuck::{Pod, Zeroable};

/// One element of the material buffer.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuMaterial {
    base_color: [f32; 4],
    /// (a, b, t, alpha cutoff).
    uv_row_u: [f32; 4],
    uv_row_v: [f32; 4],
    slot_row_u: [f32; 4],
    slot_row_v: [f32; 4],
    /// What a view mode shows is texel * scale + offset.
    slot_scale: [f32; 4],
    slot_offset: [f32; 4],
}

impl GpuMaterial {
    pub(crate) fn new(surface: Surface, factors: &MaterialFactors) -> Self {
        let rows = |transform: UvTransform, w| {
            let [[a, b, t], [c, d, s]] = transform.rows();
            [[a, b, t, w], [c, d, s, 0.0]]
        };
        let cutoff = if surface.masks { factors.alpha_cutoff } else { 0.0 };
        let [uv_row_u, uv_row_v] = rows(factors.uv_transform(SlotKind::BaseColor), cutoff);
        let shown = surface.view.slot().map(|slot| factors.uv_transform(slot));
        let [slot_row_u, slot_row_v] = rows(shown.unwrap_or_default(), 0.0);
        let (scale, offset) = surface.slot_factors(factors);
        Self {
            base_color: factors.base_color_factor.to_array(),
            uv_row_u,
            uv_row_v,
            slot_row_u,
            slot_row_v,
            slot_scale: scale.extend(0.0).to_array(),
            slot_offset: offset.extend(0.0).to_array(),
        }
    }
}

/// What a material is to the shaders besides its factors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface {
    view: ViewMode,
    masks: bool,
    has_normal_texture: bool,
}

impl Surface {
    pub(crate) fn new(material: &Material, view: ViewMode) -> Self {
        let masks = matches!(material.alpha_mode, AlphaMode::Mask { .. });
        Self { view, masks, has_normal_texture: material.normal_texture.is_some() }
    }

    /// Scale and offset that make of a slot's texel, which is white without a texture, what the view mode shows.
    fn slot_factors(self, factors: &MaterialFactors) -> (Vec3, Vec3) {
        match self.view {
            ViewMode::MetallicRoughness => {
                (Vec3::new(0.0, factors.roughness_factor, factors.metallic_factor), Vec3::ZERO)
            }
            ViewMode::Occlusion => {
                let strength = factors.occlusion_strength;
                (Vec3::splat(strength), Vec3::splat(1.0 - strength))
            }
            ViewMode::NormalTexture if !self.has_normal_texture => {
                (Vec3::ZERO, Vec3::new(128.0, 128.0, 255.0) / 255.0)
            }
            ViewMode::NormalTexture => {
                // A texel t is the normal 2 t - 1, of which x and y are scaled.
                let scale = factors.normal_scale;
                let offset = (1.0 - scale) * 0.5;
                (Vec3::new(scale, scale, 1.0), Vec3::new(offset, offset, 0.0))
            }
            ViewMode::Emissive => (factors.emissive_factor * factors.emissive_strength, Vec3::ZERO),
            ViewMode::BaseColor | ViewMode::Normals | ViewMode::UvChecker | ViewMode::Wireframe => {
                (Vec3::ONE, Vec3::ZERO)
            }
        }
    }
}

/// Of what a pipeline makes its fragments' colors; the value is the shaders' `SHADE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub(crate) enum Shade {
    BaseColor = 0,
    ColorSlot = 1,
    DataSlot = 2,
    GraySlot = 3,
    VertexNormals = 4,
    FaceNormals = 5,
    /// Mid-gray, where the mesh has nothing of what is shown.
    Missing = 6,
    Checker = 7,
    Edges = 8,
}

impl Shade {
    /// How a mesh of this kind shows what the view mode asks for.
    pub(crate) fn of(view: ViewMode, topology: Topology, has_normals: bool, has_uv: bool) -> Self {
        match view {
            ViewMode::Normals if has_normals => Self::VertexNormals,
            ViewMode::Normals if topology == Topology::Triangles => Self::FaceNormals,
            ViewMode::UvChecker if has_uv => Self::Checker,
            ViewMode::Normals | ViewMode::UvChecker => Self::Missing,
            ViewMode::Wireframe => Self::Edges,
            ViewMode::Emissive => Self::ColorSlot,
            ViewMode::MetallicRoughness | ViewMode::NormalTexture => Self::DataSlot,
            ViewMode::Occlusion => Self::GraySlot,
            ViewMode::BaseColor => Self::BaseColor,
        }
    }
}

/// Set in [`TableEntry::matrix`] of an instance that joints move.
pub(crate) const SKINNED: u32 = 1 << 31;

/// One element of the table: what an instance is drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct TableEntry {
    /// Among the frame's matrices that of the node, or [`SKINNED`] and the first joint's.
    pub(crate) matrix: u32,
    pub(crate) material: u32,
    /// Among the frame's words the one that says which morph targets are added; of a mesh without any it is not read.
    pub(crate) morphs: u32,
}

/// What changes every frame lies in one buffer, because a device need not let a shader read more than four: the nodes' world
/// matrices, the joints' matrices, the words about morph targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FrameLayout {
    pub(crate) nodes: usize,
    pub(crate) joints: usize,
}

impl FrameLayout {
    /// The first joint's matrix.
    pub(crate) fn first_joint(self) -> u32 {
        self.nodes as u32
    }

    /// The first word about morph targets, of 8 bytes each.
    pub(crate) fn first_word(self) -> u32 {
        ((self.nodes + self.joints) * (size_of::<Affine3x4>() / size_of::<[u32; 2]>())) as u32
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_sizes_that_shaders_and_vulkan_expect() {
        assert_eq!(size_of::<GpuMaterial>(), 112);
        assert_eq!(size_of::<TableEntry>(), 12);
        assert_eq!(FrameLayout { nodes: 2, joints: 1 }.first_word() as usize * 8, 3 * size_of::<Affine3x4>());
        assert_eq!(size_of::<DrawCommand>(), size_of::<ash::vk::DrawIndexedIndirectCommand>());
    }

    #[test]
    fn factors_without_a_texture_are_what_is_shown() {
        let material = Material {
            metallic_factor: 0.25,
            roughness_factor: 0.5,
            occlusion_strength: 0.25,
            normal_scale: 3.0,
            emissive_factor: Vec3::new(0.5, 0.25, 0.0),
            emissive_strength: 2.0,
            ..Material::default()
        };
        let shown = |view| {
            let (scale, offset) = Surface::new(&material, view).slot_factors(&material.factors());
            (scale + offset).to_array()
        };
        assert_eq!(shown(ViewMode::MetallicRoughness), [0.0, 0.5, 0.25]);
        assert_eq!(shown(ViewMode::Occlusion), [1.0; 3]);
        assert_eq!(shown(ViewMode::NormalTexture), [128.0 / 255.0, 128.0 / 255.0, 1.0]);
        assert_eq!(shown(ViewMode::Emissive), [1.0, 0.5, 0.0]);
    }
}
