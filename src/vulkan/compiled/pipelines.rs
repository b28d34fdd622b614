//! Pipelines and what their shaders are bound to.

use super::deltas::DeltaLayout;
use super::layout::Shade;
use super::shaders;
use super::vertices::VertexLayout;
use crate::assets::{AlphaMode, Topology};
use crate::trace::Stopwatch;
use crate::vulkan::driver::device::Device;
use crate::vulkan::error::RendererError;
use crate::vulkan::memory::object::Owned;
use ash::vk;
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of push constants: the view-projection matrix.
pub(crate) const CAMERA_SIZE: u32 = 64;

/// How a pipeline treats alpha; the value is the shader's `ALPHA_MODE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub(crate) enum AlphaKind {
    Opaque = 0,
    Mask = 1,
    Blend = 2,
}

impl From<AlphaMode> for AlphaKind {
    fn from(mode: AlphaMode) -> Self {
        match mode {
            AlphaMode::Opaque => Self::Opaque,
            AlphaMode::Mask { .. } => Self::Mask,
            AlphaMode::Blend => Self::Blend,
        }
    }
}

/// What distinguishes scene pipelines of one renderer; cull mode and front face are dynamic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PipelineKey {
    pub(crate) topology: Topology,
    pub(crate) alpha: AlphaKind,
    pub(crate) shade: Shade,
    pub(crate) vertices: VertexLayout,
    pub(crate) deltas: DeltaLayout,
    pub(crate) front: Front,
}

impl PipelineKey {
    /// Whether joints or morph targets may move the vertices.
    pub(crate) fn deforms(&self) -> bool {
        self.is_skinned() || self.deltas.stride > 0
    }

    fn is_skinned(&self) -> bool {
        self.vertices.joint_sets[0].is_some()
    }
}

/// How a pipeline tells front from back; the value is the shaders' `FRONT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub(crate) enum Front {
    /// By the winding, which the draw knows.
    Winding = 0,
    /// By the winding and whether the joints that move the triangle's first vertex mirror.
    Vertex = 1,
    /// Likewise, and backs are discarded.
    VertexCulled = 2,
}

impl Front {
    /// Of the draws of a pipeline's kind some of whose joints mirror.
    pub(crate) fn of_mixed(key: &PipelineKey, double_sided: bool) -> Self {
        match (key.topology, double_sided) {
            (Topology::Triangles, false) if key.is_skinned() => Self::VertexCulled,
            (Topology::Triangles, true) if key.is_skinned() && key.shade == Shade::VertexNormals => {
                Self::Vertex
            }
            _ => Self::Winding,
        }
    }
}

/// Formats and samples of the targets that scene pipelines draw to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TargetFormats {
    pub(crate) color: vk::Format,
    pub(crate) depth: vk::Format,
    pub(crate) samples: vk::SampleCountFlags,
}

/// Every pipeline made so far; they stay for the renderer's life.
pub(crate) struct Pipelines {
    device: Arc<Device>,
    formats: TargetFormats,
    cache: Owned<vk::PipelineCache>,
    pub(crate) frame_layout: Owned<vk::DescriptorSetLayout>,
    /// The base color's texture, and that of the slot that a view mode shows; the overlay's sets use the first alone.
    pub(crate) texture_layout: Owned<vk::DescriptorSetLayout>,
    /// A block of displacements of morph targets.
    pub(crate) delta_layout: Owned<vk::DescriptorSetLayout>,
    pub(crate) scene_layout: Owned<vk::PipelineLayout>,
    indices: HashMap<PipelineKey, u32>,
    scene: Vec<Owned<vk::Pipeline>>,
}

impl Pipelines {
    pub(crate) fn new(device: &Arc<Device>, formats: TargetFormats) -> Result<Self, RendererError> {
        let storage = |binding, stages| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(1)
                .stage_flags(stages)
        };
        let frame_bindings = [0, 1, 2].map(|binding| storage(binding, vk::ShaderStageFlags::VERTEX));
        let frame_info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&frame_bindings);
        let delta_bindings = [storage(0, vk::ShaderStageFlags::VERTEX)];
        let delta_info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&delta_bindings);
        let (frame_layout, delta_layout, scene_layout);
        let texture_layout = sampled_layout(device, 2, "texture set layout")?;
        // SAFETY: the descriptions refer to arrays and layouts that are alive here.
        unsafe {
            frame_layout = device.create(&frame_info, "frame set layout")?;
            delta_layout = device.create(&delta_info, "delta set layout")?;
            let sets = [frame_layout.handle(), texture_layout.handle(), delta_layout.handle()];
            let camera = [vk::PushConstantRange::default()
                .stage_flags(vk::ShaderStageFlags::VERTEX)
                .size(CAMERA_SIZE)];
            let info =
                vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&camera);
            scene_layout = device.create(&info, "scene pipeline layout")?;
        }
        // SAFETY: the description refers to nothing.
        let cache = unsafe { device.create(&vk::PipelineCacheCreateInfo::default(), "pipeline cache") }?;
        Ok(Self {
            device: Arc::clone(device),
            formats,
            cache,
            frame_layout,
            texture_layout,
            delta_layout,
            scene_layout,
            indices: HashMap::new(),
            scene: Vec::new(),
        })
    }

    /// The pipeline with this index.
    pub(crate) fn scene(&self, index: u32) -> Option<vk::Pipeline> {
        self.scene.get(index as usize).map(Owned::handle)
    }

    /// The index of the pipeline for `key`, made if it is new.
    pub(crate) fn require(&mut self, key: PipelineKey) -> Result<u32, RendererError> {
        if let Some(&index) = self.indices.get(&key) {
            return Ok(index);
        }
        let pipeline = self.create_scene(key)?;
        let index = self.scene.len() as u32;
        self.scene.push(pipeline);
        self.indices.insert(key, index);
        Ok(index)
    }

    fn create_scene(&self, key: PipelineKey) -> Result<Owned<vk::Pipeline>, RendererError> {
        let draws_edges = key.shade == Shade::Edges && key.topology == Topology::Triangles;
        if draws_edges && !self.device.capabilities().fill_mode_non_solid {
            return Err(RendererError::MissingDeviceSupport {
                what: "the edges of triangles alone (fillModeNonSolid), as ViewMode::Wireframe shows them"
                    .to_owned(),
            });
        }
        let vertices = key.vertices;
        let is_base = key.shade == Shade::BaseColor;
        // One that the mesh lacks is given the position, of which nothing is read.
        let optional = |location, format, offset: Option<u32>| match offset {
            Some(offset) => attribute(location, format, offset),
            None => attribute(location, vk::Format::R32G32B32_SFLOAT, 0),
        };
        let joints = |location, offset: Option<u32>| {
            attribute(location, vk::Format::R16G16B16A16_UINT, offset.unwrap_or(0))
        };
        let weights = |location, offset: Option<u32>| {
            optional(location, vk::Format::R32G32B32A32_SFLOAT, offset.map(|offset| offset + 8))
        };
        let [first_set, second_set] = vertices.joint_sets;
        let mut attributes = Vec::with_capacity(9);
        attributes.extend([
            attribute(0, vk::Format::R32G32B32_SFLOAT, 0),
            optional(1, vk::Format::R32G32_SFLOAT, vertices.uv),
            optional(2, vk::Format::R32G32B32A32_SFLOAT, vertices.color),
        ]);
        if !is_base {
            attributes.extend([
                optional(3, vk::Format::R32G32_SFLOAT, vertices.slot_uv),
                optional(4, vk::Format::R32G32B32_SFLOAT, vertices.normal),
            ]);
        }
        if key.deforms() {
            attributes.extend([
                joints(5, first_set),
                weights(6, first_set),
                joints(7, second_set),
                weights(8, second_set),
            ]);
        }
        let bindings = [vk::VertexInputBindingDescription::default().stride(vertices.stride)];
        let (vertex, fragment) = match (is_base, key.deforms(), key.front) {
            (true, false, _) => (shaders::SCENE_VERT, shaders::SCENE_FRAG),
            (false, false, _) => (shaders::SCENE_VERT_VIEW, shaders::SCENE_FRAG_VIEW),
            (true, true, Front::Winding) => (shaders::SCENE_VERT_DEFORM, shaders::SCENE_FRAG),
            (false, true, Front::Winding) => (shaders::SCENE_VERT_VIEW_DEFORM, shaders::SCENE_FRAG_VIEW),
            (true, true, _) => (shaders::SCENE_VERT_MIXED, shaders::SCENE_FRAG_MIXED),
            (false, true, _) => (shaders::SCENE_VERT_VIEW_MIXED, shaders::SCENE_FRAG_VIEW_MIXED),
        };
        let blend = match key.alpha {
            AlphaKind::Opaque | AlphaKind::Mask => vk::PipelineColorBlendAttachmentState::default(),
            AlphaKind::Blend => over(),
        };
        let constants = [
            key.alpha as u32,
            key.shade as u32,
            vertices.uv.is_some().into(),
            vertices.color.is_some().into(),
            vertices.slot_uv.is_some().into(),
            key.front as u32,
            vertices.joint_sets.iter().flatten().count() as u32,
            key.deltas.stride,
            key.deltas.uv,
            key.deltas.slot_uv,
            key.deltas.color,
            key.deltas.normal,
        ];
        let description = PipelineDescription {
            name: &format!("scene {key:?}"),
            vertex,
            fragment,
            constants: &constants,
            layout: self.scene_layout.handle(),
            bindings: &bindings,
            attributes: &attributes,
            topology: match key.topology {
                Topology::Points => vk::PrimitiveTopology::POINT_LIST,
                Topology::Lines => vk::PrimitiveTopology::LINE_LIST,
                Topology::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
            },
            polygon: if draws_edges { vk::PolygonMode::LINE } else { vk::PolygonMode::FILL },
            samples: self.formats.samples,
            color: self.formats.color,
            depth: Some((self.formats.depth, key.alpha != AlphaKind::Blend)),
            blend,
        };
        description.create(&self.device, &self.cache)
    }

    /// The pipeline of the overlay pass; its vertices are [`crate::vulkan::OverlayVertex`].
    pub(crate) fn create_overlay(
        &self,
        layout: &Owned<vk::PipelineLayout>,
    ) -> Result<Owned<vk::Pipeline>, RendererError> {
        let attributes = [
            attribute(0, vk::Format::R32G32_SFLOAT, 0),
            attribute(1, vk::Format::R32G32_SFLOAT, 8),
            attribute(2, vk::Format::R8G8B8A8_UNORM, 16),
        ];
        let bindings = [vk::VertexInputBindingDescription::default().stride(20)];
        let description = PipelineDescription {
            name: "overlay",
            vertex: shaders::OVERLAY_VERT,
            fragment: shaders::OVERLAY_FRAG,
            constants: &[],
            layout: layout.handle(),
            bindings: &bindings,
            attributes: &attributes,
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            polygon: vk::PolygonMode::FILL,
            samples: vk::SampleCountFlags::TYPE_1,
            color: self.formats.color,
            depth: None,
            blend: over(),
        };
        description.create(&self.device, &self.cache)
    }

    /// A pipeline that fills a target from one sampled image, for the output pass.
    #[cfg(feature = "window")]
    pub(crate) fn create_output(
        &self,
        layout: &Owned<vk::PipelineLayout>,
        color: vk::Format,
        encode_srgb: bool,
    ) -> Result<Owned<vk::Pipeline>, RendererError> {
        let description = PipelineDescription {
            name: "output",
            vertex: shaders::OUTPUT_VERT,
            fragment: shaders::OUTPUT_FRAG,
            constants: &[u32::from(encode_srgb)],
            layout: layout.handle(),
            bindings: &[],
            attributes: &[],
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            polygon: vk::PolygonMode::FILL,
            samples: vk::SampleCountFlags::TYPE_1,
            color,
            depth: None,
            blend: vk::PipelineColorBlendAttachmentState::default(),
        };
        description.create(&self.device, &self.cache)
    }
}

/// An attribute of the one vertex binding that each pipeline has.
fn attribute(location: u32, format: vk::Format, offset: u32) -> vk::VertexInputAttributeDescription {
    vk::VertexInputAttributeDescription { location, binding: 0, format, offset }
}

/// "Over", with straight alpha in the source.
fn over() -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState::default()
        .blend_enable(true)
        .src_color_blend_factor(vk::BlendFactor::SRC_ALPHA)
        .dst_color_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
        .color_blend_op(vk::BlendOp::ADD)
        .src_alpha_blend_factor(vk::BlendFactor::ONE)
        .dst_alpha_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
        .alpha_blend_op(vk::BlendOp::ADD)
}

/// A layout of sampled images for the fragment shader, at the bindings from 0 on.
pub(crate) fn sampled_layout(
    device: &Arc<Device>,
    count: u32,
    name: &str,
) -> Result<Owned<vk::DescriptorSetLayout>, RendererError> {
    let binding = |binding| {
        vk::DescriptorSetLayoutBinding::default()
            .binding(binding)
            .descriptor_type(vk::DescriptorType::COMBINED_IMAGE_SAMPLER)
            .descriptor_count(1)
            .stage_flags(vk::ShaderStageFlags::FRAGMENT)
    };
    let bindings: Vec<_> = (0..count).map(binding).collect();
    // SAFETY: the bindings are alive here.
    unsafe { device.create(&vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings), name) }
}

/// Everything that differs between the pipelines of this renderer.
struct PipelineDescription<'a> {
    name: &'a str,
    vertex: &'a [u32],
    fragment: &'a [u32],
    /// The shaders' specialization constants from 0 on; a shader need not have all of them.
    constants: &'a [u32],
    layout: vk::PipelineLayout,
    bindings: &'a [vk::VertexInputBindingDescription],
    attributes: &'a [vk::VertexInputAttributeDescription],
    topology: vk::PrimitiveTopology,
    polygon: vk::PolygonMode,
    samples: vk::SampleCountFlags,
    color: vk::Format,
    /// Format, and whether depth is written.
    depth: Option<(vk::Format, bool)>,
    blend: vk::PipelineColorBlendAttachmentState,
}

impl PipelineDescription<'_> {
    fn create(
        &self,
        device: &Arc<Device>,
        cache: &Owned<vk::PipelineCache>,
    ) -> Result<Owned<vk::Pipeline>, RendererError> {
        let watch = Stopwatch::start();
        let vertex = shaders::module(device, self.vertex, self.name)?;
        let fragment = shaders::module(device, self.fragment, self.name)?;
        let entries: Vec<_> = (0..self.constants.len() as u32)
            .map(|id| vk::SpecializationMapEntry { constant_id: id, offset: id * 4, size: 4 })
            .collect();
        let specialization = vk::SpecializationInfo::default()
            .map_entries(&entries)
            .data(bytemuck::cast_slice(self.constants));
        let stage = |stage, module: &Owned<vk::ShaderModule>| {
            vk::PipelineShaderStageCreateInfo::default()
                .stage(stage)
                .module(module.handle())
                .name(c"main")
                .specialization_info(&specialization)
        };
        let stages =
            [stage(vk::ShaderStageFlags::VERTEX, &vertex), stage(vk::ShaderStageFlags::FRAGMENT, &fragment)];
        let input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(self.bindings)
            .vertex_attribute_descriptions(self.attributes);
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(self.topology);
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
        let raster =
            vk::PipelineRasterizationStateCreateInfo::default().polygon_mode(self.polygon).line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(self.samples);
        let depth = vk::PipelineDepthStencilStateCreateInfo::default()
            .depth_test_enable(self.depth.is_some())
            .depth_write_enable(self.depth.is_some_and(|(_, writes)| writes))
            .depth_compare_op(vk::CompareOp::LESS);
        let attachments = [self.blend.color_write_mask(vk::ColorComponentFlags::RGBA)];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachments);
        let dynamic = [
            vk::DynamicState::VIEWPORT,
            vk::DynamicState::SCISSOR,
            vk::DynamicState::CULL_MODE,
            vk::DynamicState::FRONT_FACE,
        ];
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&dynamic);
        let colors = [self.color];
        let mut rendering = vk::PipelineRenderingCreateInfo::default()
            .color_attachment_formats(&colors)
            .depth_attachment_format(self.depth.map_or(vk::Format::UNDEFINED, |(format, _)| format));
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .dynamic_state(&dynamic)
            .layout(self.layout)
            .push_next(&mut rendering);
        // SAFETY: modules, layout and all that the description refers to are alive; the shaders' interfaces match the
        // layout and the vertex input, which are written together in this file and `shaders/`.
        let pipeline = unsafe { device.create_graphics_pipeline(Some(cache), &info, self.name) }?;
        event!(DEBUG, name = self.name, ms = watch.ms(), "pipeline made");
        Ok(pipeline)
    }
}
