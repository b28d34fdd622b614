//! How much memory a scene takes on a device, known without one.

use super::meshes::Use;
use super::vertices::INDEX_LIMIT;
use crate::assets::{ImageData, ImageFormat, RenderAssets};
use crate::preparation::{ImageUse, PreparationError, RenderPreparation, ViewMode};
use crate::scene::{DrawList, Scene};
use std::collections::HashSet;

/// Bytes that a renderer uploads for a scene. Without what drivers and allocators add, render targets, and the matrices and
/// draws of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GpuMemory {
    /// Bytes of vertices: of each mesh the streams that are drawn, once for each set of streams that some material asks for.
    pub vertices: u64,
    /// Bytes of their indices, 16 or 32 bits each.
    pub indices: u64,
    /// Bytes of the displacements of morph targets, as far as they displace what is drawn.
    pub morph_targets: u64,
    /// Bytes of images with all of their mip levels. Data of 16 bits a component is taken to be stored so; a device that
    /// cannot filter it stores half.
    pub images: u64,
}

impl GpuMemory {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> u64 {
        let parts = [self.vertices, self.indices, self.morph_targets, self.images];
        parts.into_iter().fold(0, u64::saturating_add)
    }
}

/// What [`Renderer::prepare`](crate::vulkan::Renderer::prepare) would upload for everything that the scene draws in this view
/// mode. Needs no driver.
///
/// ```
/// use fire_engine::assets::{Material, Mesh, RenderObject};
/// use fire_engine::math::Vec3;
/// use fire_engine::scene::Content;
/// use fire_engine::vulkan::{ViewMode, gpu_memory};
///
/// let mut content = Content::default();
/// let mesh = content.assets.add_mesh(Mesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], ..Mesh::default() });
/// let material = content.assets.add_material(Material::default());
/// let triangle = content.assets.add_render_object(RenderObject { mesh, material });
/// let node = content.scene.add_root("triangle")?;
/// content.scene.find_mut(node).ok_or("gone")?.set_render_object(Some(triangle));
///
/// let memory = gpu_memory(&content.assets, &content.scene, ViewMode::BaseColor)?;
/// assert_eq!(memory.indices, 3 * 2);
/// assert_eq!(memory.total(), memory.vertices + memory.indices);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PreparationError`] if the catalogue is faulty or lacks an object of the scene.
pub fn gpu_memory(
    assets: &RenderAssets,
    scene: &Scene,
    view: ViewMode,
) -> Result<GpuMemory, PreparationError> {
    let mut list = DrawList::new();
    scene.build_draw_list(&mut list);
    let mut preparation = RenderPreparation::new();
    preparation.set_view(view);
    let plan = preparation.build(assets, &list)?;
    let mut memory = GpuMemory::default();
    let mut known = HashSet::new();
    for used in plan.objects().iter().filter_map(|object| Use::new(assets, object, view)) {
        if known.insert(used.mesh_key()) {
            let (count, stride) = (used.mesh.positions.len() as u64, u64::from(used.streams.layout().stride));
            memory.vertices += count * stride;
            let index = if used.mesh.positions.len() <= INDEX_LIMIT { 2 } else { 4 };
            memory.indices += used.mesh.index_count() as u64 * index;
            memory.morph_targets += 4 * used.streams.deltas.pack(used.mesh).floats.len() as u64;
        }
    }
    for used in plan.images() {
        let Some(image) = assets.image(used.image) else { continue };
        memory.images = memory.images.saturating_add(image_bytes(used, image));
    }
    Ok(memory)
}

/// Of one image with its levels. The same levels serve colors and data, but for data of 16 bits.
fn image_bytes(used: &ImageUse, image: &ImageData) -> u64 {
    let chain = |format: ImageFormat| -> u64 {
        let sizes = (0..image.full_level_count()).map(|level| image.level_dimensions(level));
        sizes.filter_map(|(width, height)| format.level_size(width, height)).map(|size| size as u64).sum()
    };
    match image.format {
        ImageFormat::Rgba8 => chain(ImageFormat::Rgba8),
        ImageFormat::Rgba16 => {
            let part = |is_used, format| if is_used { chain(format) } else { 0 };
            part(used.color, ImageFormat::Rgba8) + part(used.data, ImageFormat::Rgba16)
        }
        // No level is made of blocks.
        ImageFormat::Bc7 | ImageFormat::Etc2Rgba8 | ImageFormat::Astc4x4 => {
            image.mips.iter().map(|level| level.len() as u64).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::vertices::pack_indices;
    use super::*;
    use crate::assets::{ImageId, Material, Mesh, MorphTarget, RenderObject, Texture, TextureSlot, Topology};
    use crate::math::{Vec2, Vec3};

    #[test]
    fn what_is_uploaded_counts_once_however_often_it_is_drawn() {
        let mut assets = RenderAssets::new();
        let mesh = assets.add_mesh(Mesh {
            positions: vec![Vec3::ZERO; 5],
            uv_sets: vec![vec![Vec2::ZERO; 5]],
            normals: vec![Vec3::Z; 5],
            indices: Some(vec![0, 1, 2, 2, 3, 4]),
            morph_targets: vec![
                MorphTarget {
                    positions: vec![Vec3::X; 5],
                    normals: vec![Vec3::X; 5],
                    ..MorphTarget::default()
                },
                MorphTarget::default(),
            ],
            ..Mesh::default()
        });
        let unused = ImageData::rgba8(64, 64, vec![0; 64 * 64 * 4]);
        let [image, _] = [ImageData::rgba8(4, 2, vec![0; 32]), unused].map(|image| assets.add_image(image));
        let slot = Some(TextureSlot::new(assets.add_texture(Texture::new(image))));
        let materials = [
            Material { base_color_texture: slot, ..Material::default() },
            Material { base_color_texture: slot, double_sided: true, ..Material::default() },
        ];
        let mut scene = Scene::new();
        for material in materials.map(|material| assets.add_material(material)) {
            let object = assets.add_render_object(RenderObject { mesh, material });
            for _ in 0..3 {
                let node = scene.add_root("node").unwrap();
                scene.find_mut(node).unwrap().set_render_object(Some(object));
            }
        }
        scene.update_world_transforms();
        let memory = gpu_memory(&assets, &scene, ViewMode::BaseColor).unwrap();
        // Position and UVs; the levels of 4 x 2 pixels are 8, 2 and 1 of them.
        assert_eq!((memory.vertices, memory.indices, memory.images), (5 * (12 + 8), 6 * 2, (8 + 2 + 1) * 4));
        assert_eq!(memory.morph_targets, 5 * 12, "the second target moves nothing, and no normal is drawn");
        assert_eq!(memory.total(), 100 + 12 + 60 + 44);
        let memory = gpu_memory(&assets, &scene, ViewMode::Normals).unwrap();
        assert_eq!((memory.vertices, memory.morph_targets), (5 * (12 + 8 + 12), 5 * (12 + 12)));
    }

    #[test]
    fn indices_are_counted_as_they_are_packed() {
        for count in [INDEX_LIMIT, INDEX_LIMIT + 1] {
            let mut assets = RenderAssets::new();
            let positions = vec![Vec3::ZERO; count];
            let mesh = assets.add_mesh(Mesh { positions, topology: Topology::Points, ..Mesh::default() });
            let packed = pack_indices(&assets.meshes()[0]).0.len() as u64;
            let material = assets.add_material(Material::default());
            let object = assets.add_render_object(RenderObject { mesh, material });
            let mut scene = Scene::new();
            let node = scene.add_root("node").unwrap();
            scene.find_mut(node).unwrap().set_render_object(Some(object));
            assert_eq!(gpu_memory(&assets, &scene, ViewMode::BaseColor).unwrap().indices, packed);
        }
    }

    #[test]
    fn sixteen_bits_are_stored_for_data_and_eight_for_colors() {
        let level = |side: usize| vec![0; side * side * 8];
        let image =
            ImageData { format: ImageFormat::Rgba16, mips: vec![level(2)], ..ImageData::rgba8(2, 2, vec![]) };
        let bytes = |color, data| image_bytes(&ImageUse { image: ImageId::new(0), color, data }, &image);
        assert_eq!([bytes(true, false), bytes(false, true), bytes(true, true)], [20, 40, 60]);
        let blocks = ImageData { format: ImageFormat::Bc7, mips: vec![vec![0; 16]; 2], ..image };
        assert_eq!(image_bytes(&ImageUse { image: ImageId::new(0), color: true, data: true }, &blocks), 32);
    }
}
