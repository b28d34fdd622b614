//! What the GPU holds for one plan.

use super::arena::{Arena, Block, Lease};
use super::batches::{DrawState, ObjectDraw};
use super::layout::{GpuMaterial, Streams, drawn_uv_set, pack_indices};
use super::pipelines::{AlphaKind, PipelineKey, Pipelines};
use super::textures::{DescriptorSets, Samplers, TextureSet};
use crate::assets::{
    ImageData, ImageId, Material, MaterialId, MeshId, MinFilter, RenderAssets, Sampler, TextureId, WrapMode,
};
use crate::preparation::{PreparedObject, RenderPlan};
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::buffer::{Buffer, BufferDescription};
use crate::vulkan::memory::image::{Image, ImageDescription};
use crate::vulkan::memory::upload::Uploader;
use crate::vulkan::memory::uploads::Uploads;
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::collections::HashMap;
use std::sync::Arc;

/// A mesh in the arenas, with the UV set that some material reads.
struct CompiledMesh {
    streams: Streams,
    vertices: Lease,
    indices: Lease,
    index_count: u32,
}

/// The compiled form of a plan: everything that its draws bind.
///
/// Immutable once made. The next plan's form shares what both need, so replacing and retiring a whole one keeps
/// what stays and frees what left.
pub(crate) struct Compiled {
    meshes: MeshMap,
    images: ImageMap,
    /// `None` is the white texture of untextured materials.
    texture_sets: HashMap<Option<TextureId>, Arc<TextureSet>>,
    pub(crate) materials: Arc<Buffer>,
    /// By render-object id.
    pub(crate) objects: Vec<Option<ObjectDraw>>,
    /// What a draw's state indexes.
    pub(crate) vertex_blocks: Vec<Arc<Block>>,
    pub(crate) index_blocks: Vec<Arc<Block>>,
    pub(crate) bound_sets: Vec<Arc<TextureSet>>,
}

impl Compiled {
    /// The descriptor set of the white texture, which every plan has.
    pub(crate) fn white(&self) -> vk::DescriptorSet {
        self.texture_sets.get(&None).map(|set| set.handle()).unwrap_or_default()
    }
}

/// What stays from plan to plan and makes the parts of the next one.
pub(crate) struct Compiler {
    device: Arc<Device>,
    uploader: Uploader,
    pub(crate) pipelines: Pipelines,
    samplers: Samplers,
    vertex_arenas: HashMap<Streams, Arena>,
    index_arenas: [Arena; 2],
    /// White, one pixel; made with the first plan.
    white: Option<Arc<Image>>,
}

impl Compiler {
    pub(crate) fn new(
        device: &Arc<Device>,
        pipelines: Pipelines,
        anisotropy: f32,
    ) -> Result<Self, RendererError> {
        let indices =
            |name: &str, size| Arena::new(name.to_owned(), size, vk::BufferUsageFlags::INDEX_BUFFER);
        Ok(Self {
            uploader: Uploader::new(device)?,
            pipelines,
            samplers: Samplers::new(device, anisotropy),
            vertex_arenas: HashMap::new(),
            index_arenas: [indices("16-bit indices", 2), indices("32-bit indices", 4)],
            white: None,
            device: Arc::clone(device),
        })
    }

    /// Compiles `plan`, taking over what `old` (of the same catalogue) already has.
    ///
    /// Waits for no frame, unless one upload needs more staging memory than is used at once, or the upload of the last call
    /// is not finished. After an error `old` is as it was and the new parts are gone.
    pub(crate) fn compile(
        &mut self,
        assets: &RenderAssets,
        plan: &RenderPlan,
        old: Option<&Compiled>,
    ) -> Result<Compiled, RendererError> {
        // What the last compilation uploaded may have left use since; from here on nothing but frames uses anything.
        self.uploader.finish()?;
        // Gives up blocks that a retired plan emptied; the lease counts are exact by now or at a later compile.
        self.vertex_arenas.values_mut().chain(&mut self.index_arenas).for_each(Arena::trim);
        let uses: Vec<Use<'_>> =
            plan.objects().iter().filter_map(|object| Use::new(assets, object)).collect();
        let (meshes, new_meshes) = self.meshes(assets, &uses, old)?;
        let (images, new_images) = self.images(assets, plan, old)?;
        let white = match &self.white {
            Some(white) => (Arc::clone(white), None),
            None => {
                let data = ImageData::rgba8(1, 1, vec![255; 4]);
                (Arc::new(self.image("white", &data)?), Some(data))
            }
        };
        let materials: Vec<GpuMaterial> =
            plan.materials().iter().filter_map(|&id| Some(GpuMaterial::new(assets.material(id)?))).collect();
        let texture_sets = self.texture_sets(assets, plan, &images, &white.0, old)?;
        let mut compiled = Compiled {
            meshes,
            images,
            texture_sets,
            materials: Arc::new(self.material_buffer(materials.len())?),
            objects: Vec::new(),
            vertex_blocks: Vec::new(),
            index_blocks: Vec::new(),
            bound_sets: Vec::new(),
        };
        self.object_table(assets, plan, &uses, &mut compiled)?;

        // Uploading comes last: what it is given must not be dropped while the GPU writes it, as an error would do.
        let mut uploads = Uploads::default();
        for (mesh, vertices, indices) in &new_meshes {
            let (at, block) = (u64::from(mesh.vertices.start()), mesh.vertices.block());
            uploads.buffer(block.buffer(), at * u64::from(block.element_size()), &vertices[..])?;
            let (at, block) = (u64::from(mesh.indices.start()), mesh.indices.block());
            uploads.buffer(block.buffer(), at * u64::from(block.element_size()), &indices[..])?;
        }
        for (image, data) in &new_images {
            match data.mips.len() {
                1 => uploads.image(&self.device, image, data.pixels())?,
                _ => uploads.image_levels(image, &data.mips)?,
            }
        }
        if let (white, Some(data)) = &white {
            uploads.image(&self.device, white, data.pixels())?;
        }
        uploads.buffer(&compiled.materials, 0, bytemuck::cast_slice::<_, u8>(&materials))?;
        self.uploader.run(&uploads)?;
        drop(uploads);
        self.white = Some(white.0);
        Ok(compiled)
    }

    /// A texture apart from any plan, sampled linearly and clamped at its edges. Whoever drops it calls
    /// [`finish_uploads`](Self::finish_uploads) before.
    pub(crate) fn upload_texture(
        &mut self,
        name: &str,
        data: &ImageData,
    ) -> Result<TextureSet, RendererError> {
        let sampler = self.samplers.require(Sampler {
            min_filter: MinFilter::Linear,
            wrap_u: WrapMode::ClampToEdge,
            wrap_v: WrapMode::ClampToEdge,
            ..Sampler::default()
        })?;
        self.uploader.finish()?;
        let image = Arc::new(self.image(name, data)?);
        let kind = (vk::DescriptorType::COMBINED_IMAGE_SAMPLER, 1);
        let layout = &self.pipelines.texture_layout;
        let pool = Arc::new(DescriptorSets::new(&self.device, layout, kind, 1, name)?);
        pool.write_image(0, &image, &sampler);
        let mut uploads = Uploads::default();
        uploads.image(&self.device, &image, data.pixels())?;
        self.uploader.run(&uploads)?;
        drop(uploads);
        Ok(TextureSet { pool, index: 0, _image: image, _sampler: sampler })
    }

    /// Waits for the last upload.
    pub(crate) fn finish_uploads(&mut self) -> Result<(), RendererError> {
        self.uploader.finish()
    }

    /// The plan's meshes, and of those the new ones with their bytes.
    fn meshes(
        &mut self,
        assets: &RenderAssets,
        uses: &[Use<'_>],
        old: Option<&Compiled>,
    ) -> Result<(MeshMap, Vec<NewMesh>), RendererError> {
        let mut meshes = MeshMap::new();
        let mut new = Vec::new();
        for used in uses {
            let key = used.mesh_key();
            if meshes.contains_key(&key) {
                continue;
            }
            if let Some(kept) = old.and_then(|old| old.meshes.get(&key)) {
                meshes.insert(key, Arc::clone(kept));
                continue;
            }
            let Some(mesh) = assets.mesh(key.0) else { continue };
            let capabilities = self.device.capabilities();
            let largest = capabilities.limits.max_draw_indexed_index_value;
            if !capabilities.full_draw_index_uint32 && mesh.positions.len() > largest as usize {
                let what = format!("mesh {}: more than {largest} vertices in one mesh", key.0);
                return Err(RendererError::MissingDeviceSupport { what });
            }
            let streams = used.streams;
            let (indices, narrow) = pack_indices(mesh);
            let vertices = streams.pack(mesh, key.1);
            let arena = self.vertex_arenas.entry(streams).or_insert_with(|| {
                let name = format!("vertices of {} bytes", streams.stride());
                Arena::new(name, streams.stride(), vk::BufferUsageFlags::VERTEX_BUFFER)
            });
            let index_arena = &mut self.index_arenas[usize::from(!narrow)];
            let compiled = Arc::new(CompiledMesh {
                streams,
                // Validation bounds both counts to 32 bits.
                vertices: arena.take(&self.device, mesh.positions.len() as u32)?,
                indices: index_arena.take(&self.device, mesh.index_count() as u32)?,
                index_count: mesh.index_count() as u32,
            });
            new.push((Arc::clone(&compiled), vertices, indices));
            meshes.insert(key, compiled);
        }
        Ok((meshes, new))
    }

    /// The plan's images, and of those the new ones with their pixels.
    fn images<'a>(
        &self,
        assets: &'a RenderAssets,
        plan: &RenderPlan,
        old: Option<&Compiled>,
    ) -> Result<(ImageMap, NewImages<'a>), RendererError> {
        let mut images = ImageMap::new();
        let mut new = Vec::new();
        for &id in plan.images() {
            if let Some(kept) = old.and_then(|old| old.images.get(&id)) {
                images.insert(id, Arc::clone(kept));
                continue;
            }
            let Some(data) = assets.image(id) else { continue };
            let image = Arc::new(self.image(&format!("image {id} {}", data.name), data)?);
            new.push((Arc::clone(&image), data));
            images.insert(id, image);
        }
        Ok((images, new))
    }

    /// A base color image with room for all its mip levels.
    fn image(&self, name: &str, data: &ImageData) -> Result<Image, RendererError> {
        Image::new(
            &self.device,
            &ImageDescription {
                name,
                extent: vk::Extent2D { width: data.width, height: data.height },
                format: vk::Format::R8G8B8A8_SRGB,
                usage: vk::ImageUsageFlags::SAMPLED
                    | vk::ImageUsageFlags::TRANSFER_DST
                    | vk::ImageUsageFlags::TRANSFER_SRC,
                aspect: vk::ImageAspectFlags::COLOR,
                mip_levels: data.full_level_count(),
                samples: vk::SampleCountFlags::TYPE_1,
            },
        )
    }

    fn material_buffer(&self, count: usize) -> Result<Buffer, RendererError> {
        // An empty plan still has something to bind.
        let size = (count.max(1) * size_of::<GpuMaterial>()) as u64;
        let limit = self.device.capabilities().limits.max_storage_buffer_range;
        if size > u64::from(limit) {
            let what = format!("{count} materials in one buffer (its limit is {limit} bytes)");
            return Err(RendererError::MissingDeviceSupport { what });
        }
        Buffer::new(
            &self.device,
            &BufferDescription {
                name: "materials",
                size,
                usage: vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::TRANSFER_DST,
                location: MemoryLocation::GpuOnly,
            },
        )
    }

    /// A descriptor set for each of the plan's textures, and one for white.
    fn texture_sets(
        &mut self,
        assets: &RenderAssets,
        plan: &RenderPlan,
        images: &ImageMap,
        white: &Arc<Image>,
        old: Option<&Compiled>,
    ) -> Result<HashMap<Option<TextureId>, Arc<TextureSet>>, RendererError> {
        let wanted = std::iter::once(None).chain(plan.textures().iter().copied().map(Some));
        let kept = |id| old.and_then(|old| old.texture_sets.get(&id));
        let mut sets = HashMap::new();
        let mut new = Vec::new();
        for id in wanted {
            match kept(id) {
                Some(set) => {
                    sets.insert(id, Arc::clone(set));
                }
                None => new.push(id),
            }
        }
        if new.is_empty() {
            return Ok(sets);
        }
        let kind = (vk::DescriptorType::COMBINED_IMAGE_SAMPLER, 1);
        let layout = &self.pipelines.texture_layout;
        let pool =
            Arc::new(DescriptorSets::new(&self.device, layout, kind, new.len() as u32, "texture set")?);
        for (index, id) in new.into_iter().enumerate() {
            let texture = id.and_then(|id| assets.texture(id));
            let image = texture.and_then(|texture| images.get(&texture.image)).unwrap_or(white);
            let sampler =
                self.samplers.require(texture.map_or_else(Sampler::default, |texture| texture.sampler))?;
            pool.write_image(index, image, &sampler);
            let (pool, _image, _sampler) = (Arc::clone(&pool), Arc::clone(image), sampler);
            sets.insert(id, Arc::new(TextureSet { pool, index, _image, _sampler }));
        }
        Ok(sets)
    }

    /// What each render object binds and draws, in indices that sort well.
    fn object_table(
        &mut self,
        assets: &RenderAssets,
        plan: &RenderPlan,
        uses: &[Use<'_>],
        compiled: &mut Compiled,
    ) -> Result<(), RendererError> {
        let material_index: HashMap<MaterialId, u32> = plan.materials().iter().copied().zip(0..).collect();
        let mut mesh_index = HashMap::new();
        let mut set_index = HashMap::new();
        compiled.objects = vec![None; assets.render_objects().len()];
        for used in uses {
            let key = used.mesh_key();
            let Some(mesh) = compiled.meshes.get(&key) else { continue };
            let texture = used.material.base_color_texture.map(|slot| slot.texture);
            let texture_set = match set_index.get(&texture) {
                Some(&index) => index,
                None => {
                    let Some(set) = compiled.texture_sets.get(&texture) else { continue };
                    compiled.bound_sets.push(Arc::clone(set));
                    let index = compiled.bound_sets.len() as u32 - 1;
                    set_index.insert(texture, index);
                    index
                }
            };
            let pipeline = PipelineKey {
                topology: used.topology,
                alpha: AlphaKind::from(used.material.alpha_mode),
                streams: mesh.streams,
            };
            let state = DrawState {
                pipeline: self.pipelines.require(pipeline)?,
                double_sided: used.material.double_sided,
                vertex_block: block_index(&mut compiled.vertex_blocks, mesh.vertices.block()),
                index_block: block_index(&mut compiled.index_blocks, mesh.indices.block()),
                texture_set,
            };
            let next_mesh = mesh_index.len() as u32;
            compiled.objects[used.object.object.index()] = Some(ObjectDraw {
                state,
                mesh: *mesh_index.entry(key).or_insert(next_mesh),
                index_count: mesh.index_count,
                first_index: mesh.indices.start(),
                vertex_offset: mesh.vertices.start() as i32,
                material: material_index.get(&used.object.material).copied().unwrap_or(0),
                blend: pipeline.alpha == AlphaKind::Blend,
            });
        }
        Ok(())
    }

    /// Whether an index block holds 16-bit indices.
    pub(crate) fn index_type(block: &Block) -> vk::IndexType {
        match block.element_size() {
            2 => vk::IndexType::UINT16,
            _ => vk::IndexType::UINT32,
        }
    }
}

type MeshMap = HashMap<(MeshId, u32), Arc<CompiledMesh>>;
/// Images that are not on the GPU yet, with their pixels.
type NewImages<'a> = Vec<(Arc<Image>, &'a ImageData)>;
type ImageMap = HashMap<ImageId, Arc<Image>>;

/// A mesh that is not on the GPU yet: its place, its vertices, its indices.
type NewMesh = (Arc<CompiledMesh>, Vec<u8>, Vec<u8>);

/// A planned object with its descriptions.
struct Use<'a> {
    object: &'a PreparedObject,
    material: &'a Material,
    topology: crate::assets::Topology,
    streams: Streams,
}

impl<'a> Use<'a> {
    fn new(assets: &'a RenderAssets, object: &'a PreparedObject) -> Option<Self> {
        let (mesh, material) = (assets.mesh(object.mesh)?, assets.material(object.material)?);
        let streams = Streams::of(mesh, drawn_uv_set(material));
        Some(Self { object, material, topology: mesh.topology, streams })
    }

    /// One mesh is compiled once for each UV set that is read.
    fn mesh_key(&self) -> (MeshId, u32) {
        (self.object.mesh, if self.streams.uv { drawn_uv_set(self.material) } else { u32::MAX })
    }
}

fn block_index(blocks: &mut Vec<Arc<Block>>, block: &Arc<Block>) -> u32 {
    let found = blocks.iter().position(|other| Arc::ptr_eq(other, block));
    let index = found.unwrap_or_else(|| {
        blocks.push(Arc::clone(block));
        blocks.len() - 1
    });
    index as u32
}
