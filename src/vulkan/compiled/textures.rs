//! Samplers and the descriptor sets of materials' textures.

use super::images::SampledView;
use crate::assets::{ImageData, ImageFormat, MagFilter, MinFilter, Sampler, WrapMode};
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::{RendererError, VkResultExt};
use crate::vulkan::memory::buffer::Buffer;
use crate::vulkan::memory::object::Owned;
use ash::vk;
use std::collections::HashMap;
use std::sync::Arc;

/// Samplers of one anisotropy made so far, one for each description; there are 54 at most.
pub(crate) struct Samplers {
    device: Arc<Device>,
    anisotropy: Option<f32>,
    made: HashMap<Sampler, Arc<Owned<vk::Sampler>>>,
}

impl Samplers {
    pub(crate) fn new(device: &Arc<Device>, anisotropy: f32) -> Self {
        let anisotropy = device.capabilities().anisotropy(anisotropy);
        Self { device: Arc::clone(device), anisotropy, made: HashMap::new() }
    }

    /// Whether samplers made by both are the same.
    pub(crate) fn filter_as(&self, other: &Self) -> bool {
        self.anisotropy == other.anisotropy
    }

    pub(crate) fn require(&mut self, sampler: Sampler) -> Result<Arc<Owned<vk::Sampler>>, RendererError> {
        if let Some(made) = self.made.get(&sampler) {
            return Ok(Arc::clone(made));
        }
        let (min_filter, mipmap_mode) = match sampler.min_filter {
            MinFilter::Nearest | MinFilter::NearestMipmapNearest => {
                (vk::Filter::NEAREST, vk::SamplerMipmapMode::NEAREST)
            }
            MinFilter::Linear | MinFilter::LinearMipmapNearest => {
                (vk::Filter::LINEAR, vk::SamplerMipmapMode::NEAREST)
            }
            MinFilter::NearestMipmapLinear => (vk::Filter::NEAREST, vk::SamplerMipmapMode::LINEAR),
            MinFilter::LinearMipmapLinear => (vk::Filter::LINEAR, vk::SamplerMipmapMode::LINEAR),
        };
        let mag_filter = match sampler.mag_filter {
            MagFilter::Nearest => vk::Filter::NEAREST,
            MagFilter::Linear => vk::Filter::LINEAR,
        };
        let mut info = vk::SamplerCreateInfo::default()
            .mag_filter(mag_filter)
            .min_filter(min_filter)
            .mipmap_mode(mipmap_mode)
            .address_mode_u(address_mode(sampler.wrap_u))
            .address_mode_v(address_mode(sampler.wrap_v))
            .address_mode_w(vk::SamplerAddressMode::REPEAT)
            // Without mips a maximum of 0.25 still tells minification from magnification (Vulkan specification,
            // VkSamplerCreateInfo).
            .max_lod(if sampler.min_filter.uses_mips() { vk::LOD_CLAMP_NONE } else { 0.25 });
        // Anisotropy means taking several linear samples, so it has no meaning for nearest ones.
        if let Some(anisotropy) = self.anisotropy
            && anisotropy > 1.0
            && min_filter == vk::Filter::LINEAR
            && mag_filter == vk::Filter::LINEAR
        {
            info = info.anisotropy_enable(true).max_anisotropy(anisotropy);
        }
        // SAFETY: the description refers to nothing, and anisotropy is within the enabled feature's limit.
        let made = Arc::new(unsafe { self.device.create(&info, &format!("{sampler:?}")) }?);
        self.made.insert(sampler, Arc::clone(&made));
        Ok(made)
    }
}

fn address_mode(wrap: WrapMode) -> vk::SamplerAddressMode {
    match wrap {
        WrapMode::Repeat => vk::SamplerAddressMode::REPEAT,
        WrapMode::MirroredRepeat => vk::SamplerAddressMode::MIRRORED_REPEAT,
        WrapMode::ClampToEdge => vk::SamplerAddressMode::CLAMP_TO_EDGE,
    }
}

/// A pool from which some sets of one layout were allocated; freed with its last set.
pub(crate) struct DescriptorSets {
    pool: Owned<vk::DescriptorPool>,
    pub(crate) sets: Vec<vk::DescriptorSet>,
}

impl DescriptorSets {
    /// `count` (not 0) sets of `layout`, each with `per_set` descriptors of one type.
    pub(crate) fn new(
        device: &Arc<Device>,
        layout: &Owned<vk::DescriptorSetLayout>,
        (descriptor_type, per_set): (vk::DescriptorType, u32),
        count: u32,
        name: &str,
    ) -> Result<Self, RendererError> {
        let sizes =
            [vk::DescriptorPoolSize { ty: descriptor_type, descriptor_count: per_set.saturating_mul(count) }];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(count).pool_sizes(&sizes);
        let layouts = vec![layout.handle(); count as usize];
        // SAFETY: the descriptions refer to arrays and a layout that are alive here; the pool holds enough for all sets.
        unsafe {
            let pool = device.create(&info, name)?;
            let info =
                vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool.handle()).set_layouts(&layouts);
            let sets = device.raw().allocate_descriptor_sets(&info).at("vkAllocateDescriptorSets")?;
            for &set in &sets {
                device.set_name(set, name);
            }
            Ok(Self { pool, sets })
        }
    }

    fn device(&self) -> &Arc<Device> {
        self.pool.device()
    }

    /// Points a binding of a set at an image in `SHADER_READ_ONLY_OPTIMAL`.
    ///
    /// The caller makes sure that no submitted work uses the set, and keeps image and sampler alive as long as it does.
    pub(crate) fn write_image(
        &self,
        index: usize,
        binding: u32,
        view: vk::ImageView,
        sampler: &Owned<vk::Sampler>,
    ) {
        let Some(&set) = self.sets.get(index) else { return };
        let infos = [vk::DescriptorImageInfo {
            sampler: sampler.handle(),
            image_view: view,
            image_layout: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
        }];
        let write = vk::WriteDescriptorSet::default()
            .dst_set(set)
            .dst_binding(binding)
            .descriptor_type(vk::DescriptorType::COMBINED_IMAGE_SAMPLER)
            .image_info(&infos);
        // SAFETY: set, view and sampler are alive; by this function's contract nothing uses the set.
        unsafe { self.device().raw().update_descriptor_sets(&[write], &[]) };
    }

    /// Points bindings 0, 1, … of set 0 at buffers, as far as the device lets a shader read. The same contract as
    /// [`write_image`](Self::write_image).
    pub(crate) fn write_buffers<const COUNT: usize>(&self, buffers: [&Buffer; COUNT]) {
        let Some(&set) = self.sets.first() else { return };
        let limit = u64::from(self.device().capabilities().limits.max_storage_buffer_range);
        let infos = buffers.map(|buffer| {
            let range = buffer.size().min(limit);
            [vk::DescriptorBufferInfo { buffer: buffer.handle(), offset: 0, range }]
        });
        let writes: [_; COUNT] = std::array::from_fn(|binding| {
            vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(binding as u32)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .buffer_info(&infos[binding])
        });
        // SAFETY: set and buffers are alive; by this function's contract nothing uses the set.
        unsafe { self.device().raw().update_descriptor_sets(&writes, &[]) };
    }
}

/// A descriptor set of textures with what it refers to.
pub(crate) struct TextureSet {
    pool: Arc<DescriptorSets>,
    index: usize,
    // Kept because the set points at them.
    pub(crate) bound: BoundTextures,
    _samplers: [Arc<Owned<vk::Sampler>>; 2],
}

/// The images that a set holds, with how they are sampled.
pub(crate) type BoundTextures = [(SampledView, Sampler); 2];

impl TextureSet {
    /// Place for `count` (not 0) sets that share it.
    pub(crate) fn pool(
        device: &Arc<Device>,
        layout: &Owned<vk::DescriptorSetLayout>,
        count: u32,
        name: &str,
    ) -> Result<Arc<DescriptorSets>, RendererError> {
        let kind = (vk::DescriptorType::COMBINED_IMAGE_SAMPLER, 2);
        Ok(Arc::new(DescriptorSets::new(device, layout, kind, count, name)?))
    }

    /// Fills a set of a pool, which nothing uses yet.
    pub(crate) fn write(
        pool: &Arc<DescriptorSets>,
        index: usize,
        bound: BoundTextures,
        samplers: &mut Samplers,
    ) -> Result<Self, RendererError> {
        let [base, slot] = &bound;
        let samplers = [samplers.require(base.1)?, samplers.require(slot.1)?];
        for ((binding, (view, _)), sampler) in (0..).zip(&bound).zip(&samplers) {
            pool.write_image(index, binding, view.handle(), sampler);
        }
        Ok(Self { pool: Arc::clone(pool), index, bound, _samplers: samplers })
    }

    /// Fails for pixels that cannot be written into the first texture with the upper left one at (`x`, `y`).
    pub(crate) fn check_part(&self, ((x, y), part): ((u32, u32), &ImageData)) -> Result<(), RendererError> {
        let image = self.bound[0].0.image();
        let (name, vk::Extent2D { width, height }) = (image.name(), image.extent());
        check_pixels(name, part)?;
        if part.width == 0 || part.height == 0 {
            return Err(RendererError::ZeroSize { name: format!("part of {name}") });
        }
        let reaches = |from: u32, length: u32, limit| from.checked_add(length).is_none_or(|end| end > limit);
        if reaches(x, part.width, width) || reaches(y, part.height, height) {
            let reason = format!(
                "`{name}` is {width}x{height}; {}x{} pixels at column {x}, row {y} reach outside",
                part.width, part.height
            );
            return Err(RendererError::InvalidOverlay { reason });
        }
        let size = u64::from(part.width) * u64::from(part.height) * 4;
        if part.pixels().len() as u64 == size {
            return Ok(());
        }
        let length = part.pixels().len() as u64;
        Err(RendererError::OutOfBounds { name: format!("part of {name}"), offset: 0, length, size })
    }

    pub(crate) fn handle(&self) -> vk::DescriptorSet {
        self.pool.sets.get(self.index).copied().unwrap_or_default()
    }
}

/// Fails for an image apart from any plan that is not in pixels of 8 bits.
pub(crate) fn check_pixels(name: &str, data: &ImageData) -> Result<(), RendererError> {
    if data.format == ImageFormat::Rgba8 {
        return Ok(());
    }
    let what = format!("the {name} in the format {:?}; give it in Rgba8", data.format);
    Err(RendererError::UnsupportedContent { what })
}
