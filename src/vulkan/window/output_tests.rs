//! The output pass on a device: every gray arrives as it is, whoever encodes sRGB.

use ash::vk;
use vk::{AccessFlags2 as Access, ImageLayout as Layout, PipelineStageFlags2 as Stage};

use crate::vulkan::compiled::pipelines::{Pipelines, TargetFormats, sampled_layout};
use crate::vulkan::compiled::textures::DescriptorSets;
use crate::vulkan::driver::capabilities::sample_flags;
use crate::vulkan::frame::record::{COLOR_ATTACHMENT, barrier, barriers, set_viewport};
use crate::vulkan::memory::device_tests::{execute, on_device, read_level, texture};
use crate::vulkan::memory::image::{Image, ImageDescription};
use crate::vulkan::memory::upload::Uploader;
use crate::vulkan::memory::uploads::Uploads;

/// The tests that need a driver and nothing else.
pub(crate) const TESTS: &[(&str, fn())] =
    &[("all_grays_survive_both_ways_of_encoding", all_grays_survive_both_ways_of_encoding)];

fn all_grays_survive_both_ways_of_encoding() {
    on_device(|device| {
        let ramp: Vec<u8> = (0..=255).flat_map(|gray| [gray, gray, gray, 255]).collect();
        let source = texture(device, 256, 1);
        let mut uploads = Uploads::default();
        uploads.image(device, &source, &ramp[..]).expect("described");
        let mut uploader = Uploader::new(device).expect("an uploader");
        uploader.run(&uploads).and_then(|()| uploader.finish()).expect("uploaded");

        let (color, depth) = (vk::Format::R8G8B8A8_SRGB, device.capabilities().depth_format);
        let formats = TargetFormats { color, depth, samples: sample_flags(1) };
        let pipelines = Pipelines::new(device, formats).expect("layouts");
        let set_layout = sampled_layout(device, 1, "output set layout").expect("a layout");
        let kind = (vk::DescriptorType::COMBINED_IMAGE_SAMPLER, 1);
        let sets = DescriptorSets::new(device, &set_layout, kind, 1, "output set").expect("a set");
        let layouts = [set_layout.handle()];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
        // SAFETY: the layout is alive; the sampler's description refers to nothing.
        let (layout, sampler) = unsafe {
            (
                device.create(&info, "output pipeline layout").expect("a layout"),
                device.create(&vk::SamplerCreateInfo::default(), "output sampler").expect("a sampler"),
            )
        };
        sets.write_image(0, 0, source.view(), &sampler);

        for (format, encode_srgb) in [(vk::Format::R8G8B8A8_UNORM, true), (vk::Format::R8G8B8A8_SRGB, false)]
        {
            let pipeline = pipelines.create_output(&layout, format, encode_srgb).expect("a pipeline");
            let target = Image::new(
                device,
                &ImageDescription {
                    name: "output",
                    extent: source.extent(),
                    format,
                    second_format: None,
                    usage: vk::ImageUsageFlags::COLOR_ATTACHMENT
                        | vk::ImageUsageFlags::SAMPLED
                        | vk::ImageUsageFlags::TRANSFER_SRC,
                    aspect: vk::ImageAspectFlags::COLOR,
                    mip_levels: 1,
                    samples: sample_flags(1),
                },
            )
            .expect("a target");
            let attachment = [vk::RenderingAttachmentInfo::default()
                .image_view(target.view())
                .image_layout(Layout::COLOR_ATTACHMENT_OPTIMAL)
                .store_op(vk::AttachmentStoreOp::STORE)];
            let rendering = vk::RenderingInfo::default()
                .render_area(target.extent().into())
                .layer_count(1)
                .color_attachments(&attachment);
            let unused = (Layout::UNDEFINED, Stage::COLOR_ATTACHMENT_OUTPUT, Access::NONE);
            let sampled =
                (Layout::SHADER_READ_ONLY_OPTIMAL, Stage::ALL_COMMANDS, Access::SHADER_SAMPLED_READ);
            execute(device, |commands| {
                let (raw, graphics) = (device.raw(), vk::PipelineBindPoint::GRAPHICS);
                let turn = |from, to| barrier(target.handle(), target.range(), from, to);
                // SAFETY: recording; everything is alive until `execute` has waited.
                unsafe {
                    barriers(device, commands, &[turn(unused, COLOR_ATTACHMENT)]);
                    raw.cmd_begin_rendering(commands, &rendering);
                    set_viewport(device, commands, target.extent(), false);
                    raw.cmd_set_cull_mode(commands, vk::CullModeFlags::NONE);
                    raw.cmd_set_front_face(commands, vk::FrontFace::COUNTER_CLOCKWISE);
                    raw.cmd_bind_pipeline(commands, graphics, pipeline.handle());
                    raw.cmd_bind_descriptor_sets(commands, graphics, layout.handle(), 0, &sets.sets, &[]);
                    raw.cmd_draw(commands, 3, 1, 0, 0);
                    raw.cmd_end_rendering(commands);
                    barriers(device, commands, &[turn(COLOR_ATTACHMENT, sampled)]);
                }
            });
            assert_eq!(read_level(device, &target, 0), ramp, "{format:?}, encoding {encode_srgb}");
        }
    });
}
