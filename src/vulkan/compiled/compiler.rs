//! What the GPU holds for one plan.

use super::arena::{Block, Lease};
use super::batches::{DrawState, ObjectDraw};
use super::deformation::Deformation;
use super::delta_sets::{DeltaSets, NO_SET};
use super::images::{Images, SampledView, create};
use super::layout::GpuMaterial;
use super::meshes::{Arenas, CompiledMesh, MeshMap, Use};
use super::pipelines::{AlphaKind, Front, PipelineKey, Pipelines};
use super::surfaces::Surfaces;
use super::textures::{DescriptorSets, Samplers, TextureSet, check_pixels};
use crate::assets::{ImageData, MaterialId, RenderAssets, Sampler, SlotKind, TextureId, TextureRole};
use crate::preparation::RenderPlan;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::buffer::{Buffer, BufferDescription};
use crate::vulkan::memory::image::Image;
use crate::vulkan::memory::upload::Uploader;
use crate::vulkan::memory::uploads::Uploads;
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::collections::HashMap;
use std::sync::Arc;

/// The textures that a draw binds, with how they are read: the base color's, and that of the slot that a view mode shows.
/// `None` is white, of materials without such a texture.
type SetKey = [Option<(TextureId, TextureRole)>; 2];

/// The compiled form of a plan: everything that its draws bind.
///
/// Immutable once made. The next plan's form shares what both need, so replacing and retiring a whole one keeps
/// what stays and frees what left.
pub(crate) struct Compiled {
    meshes: MeshMap,
    images: Images,
    texture_sets: HashMap<SetKey, Arc<TextureSet>>,
    pub(crate) materials: Arc<Buffer>,
    /// What `materials` holds.
    pub(crate) surfaces: Surfaces,
    /// By render-object id.
    pub(crate) objects: Vec<Option<ObjectDraw>>,
    /// By the number of a mesh in a draw.
    pub(crate) deformations: Vec<Arc<Deformation>>,
    /// What a draw's state indexes.
    pub(crate) vertex_blocks: Vec<Arc<Block>>,
    pub(crate) index_blocks: Vec<Arc<Block>>,
    pub(crate) bound_sets: Vec<Arc<TextureSet>>,
    pub(crate) delta_sets: DeltaSets,
    /// What was not taken over from the plan before.
    pub(crate) uploaded: Uploaded,
}

/// What compiling a plan has uploaded.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Uploaded {
    pub(crate) meshes: usize,
    pub(crate) images: usize,
    pub(crate) bytes: u64,
}

impl Compiled {
    /// The descriptor set of the white texture, which every plan has.
    pub(crate) fn white(&self) -> vk::DescriptorSet {
        self.texture_sets.get(&SetKey::default()).map(|set| set.handle()).unwrap_or_default()
    }
}

/// What stays from plan to plan and makes the parts of the next one.
pub(crate) struct Compiler {
    device: Arc<Device>,
    uploader: Uploader,
    pub(crate) pipelines: Pipelines,
    samplers: Samplers,
    arenas: Arenas,
    /// White, one pixel; made with the first plan.
    white: Option<Arc<Image>>,
    /// Keeps a block to be bound for meshes that are skinned alone; made with the first of them.
    no_deltas: Option<Lease>,
}

impl Compiler {
    pub(crate) fn new(
        device: &Arc<Device>,
        pipelines: Pipelines,
        anisotropy: f32,
    ) -> Result<Self, RendererError> {
        Ok(Self {
            uploader: Uploader::new(device)?,
            pipelines,
            samplers: Samplers::new(device, anisotropy),
            arenas: Arenas::new(),
            white: None,
            no_deltas: None,
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
        self.arenas.trim();
        let view = plan.view();
        let uses: Vec<Use<'_>> =
            plan.objects().iter().filter_map(|object| Use::new(assets, object, view)).collect();
        let (meshes, new_meshes) = self.arenas.compile(&self.device, &uses, old.map(|old| &old.meshes))?;
        let (images, new_images) = Images::compile(&self.device, assets, plan, old.map(|old| &old.images))?;
        let white = match &self.white {
            Some(white) => (Arc::clone(white), None),
            None => {
                let data = ImageData::rgba8(1, 1, vec![255; 4]);
                (Arc::new(self.color_image("white", &data, false)?), Some(data))
            }
        };
        let surfaces = Surfaces::new(assets, plan);
        let texture_sets = self.texture_sets(assets, plan, &uses, &images, &white.0, old)?;
        let mut compiled = Compiled {
            meshes,
            images,
            texture_sets,
            materials: Arc::new(self.material_buffer(surfaces.materials())?),
            surfaces,
            objects: Vec::new(),
            deformations: Vec::new(),
            vertex_blocks: Vec::new(),
            index_blocks: Vec::new(),
            bound_sets: Vec::new(),
            delta_sets: DeltaSets::default(),
            uploaded: Uploaded { meshes: new_meshes.len(), images: new_images.len(), bytes: 0 },
        };
        self.object_table(assets, plan, &uses, &mut compiled, old)?;

        // Uploading comes last: what it is given must not be dropped while the GPU writes it, as an error would do.
        let mut uploads = Uploads::default();
        new_meshes.iter().try_for_each(|mesh| mesh.upload(&mut uploads))?;
        new_images.iter().try_for_each(|image| image.upload(&self.device, &mut uploads))?;
        if let (white, Some(data)) = &white {
            uploads.image(&self.device, white, data.pixels())?;
        }
        let materials = compiled.surfaces.materials();
        uploads.buffer(&compiled.materials, 0, bytemuck::cast_slice::<_, u8>(materials))?;
        self.uploader.run(&uploads)?;
        let bytes = uploads.bytes();
        drop(uploads);
        compiled.uploaded.bytes = bytes;
        self.white = Some(white.0);
        Ok(compiled)
    }

    /// A texture apart from any plan, with mips if the sampler uses them. Whoever drops it calls
    /// [`finish_uploads`](Self::finish_uploads) before.
    pub(crate) fn upload_texture(
        &mut self,
        name: &str,
        data: &ImageData,
        sampler: Sampler,
    ) -> Result<TextureSet, RendererError> {
        check_pixels(name, data)?;
        let mips = sampler.min_filter.uses_mips();
        self.uploader.finish()?;
        let image = Arc::new(self.color_image(name, data, mips)?);
        // The overlay reads the first alone, but some drivers look at all that a set holds.
        let bound = [(); 2].map(|()| (SampledView::first(&image), sampler));
        let pool = TextureSet::pool(&self.device, &self.pipelines.texture_layout, 1, name)?;
        let set = TextureSet::write(&pool, 0, bound, &mut self.samplers)?;
        let mut uploads = Uploads::default();
        uploads.image(&self.device, &image, data.pixels())?;
        self.uploader.run(&uploads)?;
        drop(uploads);
        Ok(set)
    }

    /// Writes parts of a texture that [`upload_texture`](Self::upload_texture) made, each at its upper left corner; frames
    /// that were submitted before show what it held. `TextureSet::check_part` admits each part. A failed upload leaves it in an unknown state.
    pub(crate) fn update_texture(
        &mut self,
        texture: &TextureSet,
        parts: &[((u32, u32), &ImageData)],
    ) -> Result<(), RendererError> {
        let [(view, _), _] = &texture.bound;
        let mut uploads = Uploads::default();
        for &((x, y), part) in parts {
            let offset = vk::Offset2D { x: x as i32, y: y as i32 };
            let extent = vk::Extent2D { width: part.width, height: part.height };
            uploads.region(&self.device, view.image(), vk::Rect2D { offset, extent }, part.pixels())?;
        }
        self.uploader.run(&uploads)
    }

    /// Waits for the last upload.
    pub(crate) fn finish_uploads(&mut self) -> Result<(), RendererError> {
        self.uploader.finish()
    }

    /// An image of sRGB colors.
    fn color_image(&self, name: &str, data: &ImageData, mips: bool) -> Result<Image, RendererError> {
        create(&self.device, name, [vk::Format::R8G8B8A8_SRGB; 2], data, mips)
    }

    fn material_buffer(&self, materials: &[GpuMaterial]) -> Result<Buffer, RendererError> {
        let count = materials.len();
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

    /// A descriptor set for each pair of textures that the plan's draws bind, and one for white.
    fn texture_sets(
        &mut self,
        assets: &RenderAssets,
        plan: &RenderPlan,
        uses: &[Use<'_>],
        images: &Images,
        white: &Arc<Image>,
        old: Option<&Compiled>,
    ) -> Result<HashMap<SetKey, Arc<TextureSet>>, RendererError> {
        let mut sets = HashMap::new();
        let mut new = HashMap::new();
        let drawn = uses.iter().map(|used| set_key(used, plan));
        for key in std::iter::once(SetKey::default()).chain(drawn) {
            if sets.contains_key(&key) || new.contains_key(&key) {
                continue;
            }
            let described = key.map(|bound| {
                let (id, role) = bound?;
                let texture = assets.texture(id)?;
                Some((images.view(texture.image, role)?.clone(), texture.sampler))
            });
            let bound = described
                .map(|bound| bound.unwrap_or_else(|| (SampledView::first(white), Sampler::default())));
            // An image that is read in other ways than before was made anew.
            let kept = old.and_then(|old| old.texture_sets.get(&key));
            match kept.filter(|set| set.bound == bound) {
                Some(set) => {
                    sets.insert(key, Arc::clone(set));
                }
                None => {
                    new.insert(key, bound);
                }
            }
        }
        if new.is_empty() {
            return Ok(sets);
        }
        let pool = self.texture_set_pool(new.len())?;
        for (index, (key, bound)) in new.into_iter().enumerate() {
            let set = TextureSet::write(&pool, index, bound, &mut self.samplers)?;
            sets.insert(key, Arc::new(set));
        }
        Ok(sets)
    }

    /// Samples with another anisotropy from now on, what is compiled included. Returns what frames in flight may still use,
    /// or `None` if nothing is filtered in another way. After an error everything is as it was.
    pub(crate) fn set_anisotropy(
        &mut self,
        anisotropy: f32,
        compiled: Option<&mut Compiled>,
    ) -> Result<Option<Vec<Arc<TextureSet>>>, RendererError> {
        let mut samplers = Samplers::new(&self.device, anisotropy);
        if samplers.filter_as(&self.samplers) {
            return Ok(None);
        }
        let mut replaced = Vec::new();
        if let Some(compiled) = compiled {
            let pool = self.texture_set_pool(compiled.texture_sets.len())?;
            let written = compiled.texture_sets.values().enumerate().map(|(index, old)| {
                let new = TextureSet::write(&pool, index, old.bound.clone(), &mut samplers)?;
                Ok((Arc::as_ptr(old), Arc::new(new)))
            });
            let new_of = written.collect::<Result<HashMap<_, _>, RendererError>>()?;
            for set in compiled.texture_sets.values_mut().chain(&mut compiled.bound_sets) {
                if let Some(new) = new_of.get(&Arc::as_ptr(set)) {
                    replaced.push(std::mem::replace(set, Arc::clone(new)));
                }
            }
        }
        self.samplers = samplers;
        Ok(Some(replaced))
    }

    fn texture_set_pool(&self, count: usize) -> Result<Arc<DescriptorSets>, RendererError> {
        TextureSet::pool(&self.device, &self.pipelines.texture_layout, count as u32, "texture set")
    }

    /// What each render object binds and draws, in indices that sort well.
    fn object_table(
        &mut self,
        assets: &RenderAssets,
        plan: &RenderPlan,
        uses: &[Use<'_>],
        compiled: &mut Compiled,
        old: Option<&Compiled>,
    ) -> Result<(), RendererError> {
        let material_index: HashMap<MaterialId, u32> = plan.materials().iter().copied().zip(0..).collect();
        let mut mesh_index = HashMap::new();
        let mut set_index = HashMap::new();
        compiled.objects = vec![None; assets.render_objects().len()];
        for used in uses {
            let key = used.mesh_key();
            let Some(mesh) = compiled.meshes.get(&key).cloned() else { continue };
            let textures = set_key(used, plan);
            let texture_set = match set_index.get(&textures) {
                Some(&index) => index,
                None => {
                    let Some(set) = compiled.texture_sets.get(&textures) else { continue };
                    compiled.bound_sets.push(Arc::clone(set));
                    let index = compiled.bound_sets.len() as u32 - 1;
                    set_index.insert(textures, index);
                    index
                }
            };
            let pipeline = PipelineKey {
                topology: used.mesh.topology,
                alpha: AlphaKind::from(used.material.alpha_mode),
                shade: used.shade,
                vertices: used.streams.layout(),
                deltas: used.streams.deltas.layout(),
                front: Front::Winding,
            };
            let front = Front::of_mixed(&pipeline, used.material.double_sided);
            let old_sets = old.map(|old| &old.delta_sets);
            let state = DrawState {
                pipeline: self.pipelines.require(pipeline)?,
                double_sided: used.material.double_sided,
                vertex_block: block_index(&mut compiled.vertex_blocks, mesh.vertices.block()),
                index_block: block_index(&mut compiled.index_blocks, mesh.indices.block()),
                texture_set,
                delta_set: match pipeline.deforms() {
                    true => self.delta_set(&mesh, &mut compiled.delta_sets, old_sets)?,
                    false => NO_SET,
                },
            };
            let mesh_number = *mesh_index.entry(key).or_insert_with(|| {
                compiled.deformations.push(Arc::clone(&mesh.deformation));
                compiled.deformations.len() as u32 - 1
            });
            compiled.objects[used.object.object.index()] = Some(ObjectDraw {
                state,
                // Made in advance: no pose may call for a pipeline.
                mixed_pipeline: self.pipelines.require(PipelineKey { front, ..pipeline })?,
                mesh: mesh_number,
                index_count: mesh.index_count,
                first_index: mesh.indices.start(),
                vertex_offset: mesh.vertices.start() as i32,
                material: material_index.get(&used.object.material).copied().unwrap_or(0),
                center: mesh.center,
                blend: pipeline.alpha == AlphaKind::Blend,
                joint_count: mesh.deformation.joint_count,
                morphed: pipeline.deltas.stride > 0,
            });
        }
        Ok(())
    }

    /// What a mesh binds whose pipeline may read displacements: any block, if it has none.
    fn delta_set(
        &mut self,
        mesh: &CompiledMesh,
        sets: &mut DeltaSets,
        old: Option<&DeltaSets>,
    ) -> Result<u32, RendererError> {
        if mesh.deltas.is_none() && self.no_deltas.is_none() {
            self.no_deltas = Some(self.arenas.take_delta(&self.device)?);
        }
        let Some(lease) = mesh.deltas.as_ref().or(self.no_deltas.as_ref()) else { return Ok(NO_SET) };
        sets.require(&self.device, &self.pipelines.delta_layout, lease.block(), old)
    }

    /// Whether an index block holds 16-bit indices.
    pub(crate) fn index_type(block: &Block) -> vk::IndexType {
        match block.element_size() {
            2 => vk::IndexType::UINT16,
            _ => vk::IndexType::UINT32,
        }
    }
}

fn set_key(used: &Use<'_>, plan: &RenderPlan) -> SetKey {
    let bound = |kind: SlotKind| Some((used.material.texture_slot(kind)?.texture, kind.role()));
    [bound(SlotKind::BaseColor), plan.view().slot().and_then(bound)]
}

fn block_index(blocks: &mut Vec<Arc<Block>>, block: &Arc<Block>) -> u32 {
    let found = blocks.iter().position(|other| Arc::ptr_eq(other, block));
    let index = found.unwrap_or_else(|| {
        blocks.push(Arc::clone(block));
        blocks.len() - 1
    });
    index as u32
}
