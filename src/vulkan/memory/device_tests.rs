//! Tests of the layers below the renderer that need a driver, and what such tests share.

use std::borrow::Cow;
use std::sync::Arc;

use ash::vk;
use gpu_allocator::MemoryLocation;

use super::buffer::{Buffer, BufferDescription, copies_to_host};
use super::image::{Image, ImageDescription, mip_extent};
use super::upload::Uploader;
use super::uploads::{TexelBlock, Uploads};
use crate::vulkan::driver::capabilities::sample_flags;
use crate::vulkan::driver::device::Device;
use crate::vulkan::driver::instance::Instance;
use crate::vulkan::driver::live_objects::ObjectKind;
use crate::vulkan::error::{RendererError, VkResultExt};
use crate::vulkan::options::{RendererOptions, Validation};
use crate::vulkan::validation::ValidationLog;

/// The tests that need a driver and nothing else.
pub(crate) const TESTS: &[(&str, fn())] = &[
    ("an_uploaded_buffer_reads_back", an_uploaded_buffer_reads_back),
    (
        "large_uploads_pass_through_small_staging_in_pieces",
        large_uploads_pass_through_small_staging_in_pieces,
    ),
    ("blocks_and_wide_pixels_pass_through_small_staging", blocks_and_wide_pixels_pass_through_small_staging),
    ("mips_are_averaged_in_linear_light", mips_are_averaged_in_linear_light),
    ("every_level_of_an_odd_image_is_filled", every_level_of_an_odd_image_is_filled),
    ("sizes_and_ranges_are_checked", sizes_and_ranges_are_checked),
    ("objects_and_memory_are_flat_over_recreation", objects_and_memory_are_flat_over_recreation),
    ("validation_reports_misuse_to_the_log", validation_reports_misuse_to_the_log),
    (
        "a_leak_is_reported_while_the_instance_is_destroyed",
        a_leak_is_reported_while_the_instance_is_destroyed,
    ),
    ("a_filter_that_fits_no_device_lists_them", a_filter_that_fits_no_device_lists_them),
];

/// A device under validation, and what the layer says about its use.
fn open() -> (Arc<Device>, ValidationLog) {
    let options = RendererOptions { validation: Validation::Required, ..RendererOptions::default() };
    let instance = Instance::new(&options, &[]).expect("an instance");
    (Device::new(instance, &options, None).expect("a device"), options.validation_log)
}

/// Runs `test` on a device under validation; afterwards no object may be left and no message may have come.
pub(crate) fn on_device(test: impl FnOnce(&Arc<Device>)) {
    let (device, log) = open();
    let counters = Arc::clone(device.instance().counters());
    test(&device);
    drop(device);
    assert!(counters.snapshot().is_empty(), "{}", counters.snapshot());
    assert_clean(&log);
}

pub(crate) fn assert_clean(log: &ValidationLog) {
    assert!(log.is_clean(), "{log}");
}

fn buffer(
    device: &Arc<Device>,
    name: &str,
    size: u64,
    usage: vk::BufferUsageFlags,
    location: MemoryLocation,
) -> Buffer {
    Buffer::new(device, &BufferDescription { name, size, usage, location }).expect("a buffer")
}

fn device_buffer(device: &Arc<Device>, size: u64) -> Buffer {
    let usage = vk::BufferUsageFlags::TRANSFER_DST
        | vk::BufferUsageFlags::TRANSFER_SRC
        | vk::BufferUsageFlags::VERTEX_BUFFER;
    buffer(device, "target", size, usage, MemoryLocation::GpuOnly)
}

pub(crate) fn texture(device: &Arc<Device>, width: u32, height: u32) -> Image {
    texture_in(device, vk::Format::R8G8B8A8_SRGB, width, height)
}

fn texture_in(device: &Arc<Device>, format: vk::Format, width: u32, height: u32) -> Image {
    let extent = vk::Extent2D { width, height };
    Image::new(
        device,
        &ImageDescription {
            name: "texture",
            extent,
            format,
            second_format: None,
            usage: vk::ImageUsageFlags::SAMPLED
                | vk::ImageUsageFlags::TRANSFER_DST
                | vk::ImageUsageFlags::TRANSFER_SRC,
            aspect: vk::ImageAspectFlags::COLOR,
            mip_levels: width.max(height).ilog2() + 1,
            samples: sample_flags(1),
        },
    )
    .expect("a texture")
}

/// Records commands, runs them and waits.
pub(crate) fn execute(device: &Arc<Device>, record: impl FnOnce(vk::CommandBuffer)) {
    let pool = device.create_command_pool("test pool").expect("a pool");
    let commands = device.allocate_command_buffer(&pool, "test commands").expect("commands");
    let fence = device.create_fence(false, "test fence").expect("a fence");
    let infos = [vk::CommandBufferSubmitInfo::default().command_buffer(commands)];
    // SAFETY: the objects live until the wait is over.
    unsafe {
        let raw = device.raw();
        raw.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default()).expect("begin");
        record(commands);
        raw.end_command_buffer(commands).expect("end");
        device
            .submit(&[vk::SubmitInfo2::default().command_buffer_infos(&infos)], fence.handle())
            .expect("submit");
        raw.wait_for_fences(&[fence.handle()], true, u64::MAX).expect("wait");
    }
}

fn read_buffer(device: &Arc<Device>, source: &Buffer) -> Vec<u8> {
    let usage = vk::BufferUsageFlags::TRANSFER_DST;
    let location = MemoryLocation::GpuToCpu;
    let readback = buffer(device, "readback", source.size(), usage, location);
    execute(device, |commands| {
        let region = vk::BufferCopy::default().size(source.size());
        // SAFETY: recording; both buffers hold the region.
        unsafe {
            device.raw().cmd_copy_buffer(commands, source.handle(), readback.handle(), &[region]);
        }
        // SAFETY: recording, outside of rendering.
        unsafe { copies_to_host(device, commands) };
    });
    readback.bytes().expect("mapped").to_vec()
}

pub(crate) fn read_level(device: &Arc<Device>, image: &Image, level: u32) -> Vec<u8> {
    let extent = mip_extent(image.extent(), level);
    let (row, rows) = TexelBlock::of(image.format()).expect("a known format").rows(extent);
    let size = row * u64::from(rows);
    let usage = vk::BufferUsageFlags::TRANSFER_DST;
    let readback = buffer(device, "readback", size, usage, MemoryLocation::GpuToCpu);
    execute(device, |commands| {
        let barriers = [vk::ImageMemoryBarrier2::default()
            .dst_stage_mask(vk::PipelineStageFlags2::COPY)
            .dst_access_mask(vk::AccessFlags2::TRANSFER_READ)
            .src_stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
            .old_layout(vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL)
            .new_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL)
            .image(image.handle())
            .subresource_range(image.range())];
        let info = vk::DependencyInfo::default().image_memory_barriers(&barriers);
        let region = vk::BufferImageCopy::default()
            .image_subresource(
                vk::ImageSubresourceLayers::default()
                    .aspect_mask(vk::ImageAspectFlags::COLOR)
                    .mip_level(level)
                    .layer_count(1),
            )
            .image_extent(extent.into());
        // SAFETY: recording; the level exists and the buffer holds it.
        unsafe {
            let raw = device.raw();
            raw.cmd_pipeline_barrier2(commands, &info);
            raw.cmd_copy_image_to_buffer(
                commands,
                image.handle(),
                vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                readback.handle(),
                &[region],
            );
        }
        // And back, for whoever reads another level.
        let back = [barriers[0]
            .src_stage_mask(vk::PipelineStageFlags2::COPY)
            .src_access_mask(vk::AccessFlags2::NONE)
            .dst_stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
            .dst_access_mask(vk::AccessFlags2::SHADER_SAMPLED_READ)
            .old_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL)
            .new_layout(vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL)];
        let info = vk::DependencyInfo::default().image_memory_barriers(&back);
        // SAFETY: recording, outside of rendering.
        unsafe {
            device.raw().cmd_pipeline_barrier2(commands, &info);
            copies_to_host(device, commands);
        }
    });
    readback.bytes().expect("mapped").to_vec()
}

fn an_uploaded_buffer_reads_back() {
    on_device(|device| {
        let data: Vec<u8> = (0..1000_u32).map(|value| (value * 7) as u8).collect();
        let target = device_buffer(device, 1000);
        let mut uploader = Uploader::new(device).expect("an uploader");
        let mut uploads = Uploads::default();
        uploads.buffer(&target, 0, &data[..300]).expect("in range");
        uploads.buffer(&target, 300, data[300..].to_vec()).expect("in range");
        uploader.run(&uploads).and_then(|()| uploader.finish()).expect("uploaded");
        assert_eq!(read_buffer(device, &target), data);
        // The uploader can be used again, also for a part of the same buffer.
        let mut uploads = Uploads::default();
        uploads.buffer(&target, 10, &[1, 2, 3][..]).expect("in range");
        uploader.run(&uploads).and_then(|()| uploader.finish()).expect("uploaded");
        assert_eq!(read_buffer(device, &target)[9..14], [data[9], 1, 2, 3, data[13]]);
    });
}

fn large_uploads_pass_through_small_staging_in_pieces() {
    on_device(|device| {
        let data: Vec<u8> = (0..10_000_u32).map(|value| (value % 251) as u8).collect();
        let target = device_buffer(device, 10_000);
        let image = texture(device, 64, 40);
        let pixels = &data[..64 * 40 * 4 - 240].repeat(2)[..64 * 40 * 4];
        let mut uploader = Uploader::with_staging(device, 1000).expect("an uploader");
        let mut uploads = Uploads::default();
        uploads.buffer(&target, 0, &data[..]).expect("in range");
        uploads.image(device, &image, pixels).expect("the right size");
        uploader.run(&uploads).and_then(|()| uploader.finish()).expect("uploaded");
        assert_eq!(read_buffer(device, &target), data);
        assert_eq!(read_level(device, &image, 0), pixels);
        // A row of 2000 pixels does not fit: an error, and the uploader goes on.
        let wide = texture(device, 2000, 1);
        let mut uploads = Uploads::default();
        uploads.image(device, &wide, vec![0; 8000]).expect("the right size");
        assert!(matches!(uploader.run(&uploads), Err(RendererError::OutOfBounds { .. })));
        let mut uploads = Uploads::default();
        uploads.buffer(&target, 0, &[9; 8][..]).expect("in range");
        uploader.run(&uploads).and_then(|()| uploader.finish()).expect("uploaded");
        assert_eq!(read_buffer(device, &target)[..9], [9, 9, 9, 9, 9, 9, 9, 9, data[8]]);
    });
}

/// Rows of blocks, of which the last ones reach over the edges, and pixels of eight bytes.
fn blocks_and_wide_pixels_pass_through_small_staging() {
    on_device(|device| {
        let mut formats = vec![vk::Format::R16G16B16A16_UNORM];
        if device.capabilities().block_formats.bc7 {
            formats.push(vk::Format::BC7_UNORM_BLOCK);
        }
        for format in formats {
            let image = texture_in(device, format, 61, 37);
            let levels: Vec<Vec<u8>> = (0..image.mip_levels())
                .map(|level| {
                    let extent = mip_extent(image.extent(), level);
                    let (row, rows) = TexelBlock::of(format).expect("a known format").rows(extent);
                    (0..row * u64::from(rows)).map(|at| (at % 251) as u8).collect()
                })
                .collect();
            let borrowed = || levels.iter().map(|level| Cow::from(&level[..]));
            let mut uploader = Uploader::with_staging(device, 600).expect("an uploader");
            let mut uploads = Uploads::default();
            uploads.image_levels(&image, borrowed()).expect("the right sizes");
            uploader.run(&uploads).and_then(|()| uploader.finish()).expect("uploaded");
            for (level, bytes) in (0..).zip(&levels) {
                assert_eq!(&read_level(device, &image, level), bytes, "{format:?}, level {level}");
            }
            let mut uploads = Uploads::default();
            let short = borrowed().map(|level| Cow::from(level[1..].to_vec()));
            assert!(matches!(uploads.image_levels(&image, short), Err(RendererError::OutOfBounds { .. })));
        }
    });
}

fn mips_are_averaged_in_linear_light() {
    on_device(|device| {
        let image = texture(device, 2, 2);
        let (black, white) = ([0, 0, 0, 255], [255; 4]);
        let pixels = [black, white, white, black].concat();
        let mut uploads = Uploads::default();
        uploads.image(device, &image, pixels).expect("the right size");
        Uploader::new(device).expect("an uploader").run(&uploads).expect("uploaded");
        let mean = read_level(device, &image, 1);
        // sRGB of 0.5 is 187.5; the mean of the codes would be 128.
        assert!((187..=188).contains(&mean[0]), "{mean:?}");
        assert_eq!((mean[0], mean[0], 255), (mean[1], mean[2], mean[3]));
    });
}

fn every_level_of_an_odd_image_is_filled() {
    on_device(|device| {
        let color = [200, 100, 50, 255];
        for level in [0, 2, 5] {
            let image = texture(device, 37, 5);
            assert_eq!(image.mip_levels(), 6);
            let mut uploads = Uploads::default();
            uploads.image(device, &image, color.repeat(37 * 5)).expect("the right size");
            Uploader::new(device).expect("an uploader").run(&uploads).expect("uploaded");
            let pixels = read_level(device, &image, level);
            for pixel in pixels.chunks(4) {
                for (value, expected) in pixel.iter().zip(color) {
                    assert!(value.abs_diff(expected) <= 1, "level {level}: {pixel:?}");
                }
            }
        }
    });
}

fn sizes_and_ranges_are_checked() {
    on_device(|device| {
        let describe = |size| BufferDescription {
            name: "none",
            size,
            usage: vk::BufferUsageFlags::TRANSFER_DST,
            location: MemoryLocation::CpuToGpu,
        };
        assert!(matches!(Buffer::new(device, &describe(0)), Err(RendererError::ZeroSize { .. })));
        let mut mapped = Buffer::new(device, &describe(16)).expect("a buffer");
        mapped.write(12, &[1, 2, 3, 4]).expect("in range");
        assert_eq!(mapped.bytes().expect("mapped")[12..], [1, 2, 3, 4]);
        for (offset, length) in [(13, 4), (17, 0), (u64::MAX, 2)] {
            let written = mapped.write(offset, &vec![0; length]);
            assert!(matches!(written, Err(RendererError::OutOfBounds { .. })));
        }
        let mut hidden = device_buffer(device, 16);
        assert!(hidden.write(0, &[0]).is_err(), "not for the CPU");
        let limit = device.capabilities().limits.max_image_dimension2_d;
        let image = |width, height| {
            Image::new(
                device,
                &ImageDescription {
                    name: "big",
                    extent: vk::Extent2D { width, height },
                    format: vk::Format::R8G8B8A8_SRGB,
                    second_format: None,
                    usage: vk::ImageUsageFlags::SAMPLED,
                    aspect: vk::ImageAspectFlags::COLOR,
                    mip_levels: 1,
                    samples: sample_flags(1),
                },
            )
        };
        assert!(matches!(image(0, 4), Err(RendererError::ZeroSize { .. })));
        assert!(matches!(image(limit + 1, 1), Err(RendererError::ImageTooLarge { .. })));
        let small = texture(device, 2, 2);
        let mut uploads = Uploads::default();
        assert!(uploads.image(device, &small, vec![0; 15]).is_err());
        assert!(uploads.is_empty());
    });
}

fn objects_and_memory_are_flat_over_recreation() {
    on_device(|device| {
        let mut uploader = Uploader::new(device).expect("an uploader");
        let mut cycle = || {
            let image = texture(device, 33, 17);
            let target = device_buffer(device, 4096);
            let mut uploads = Uploads::default();
            uploads.image(device, &image, vec![7; 33 * 17 * 4]).expect("the right size");
            uploads.buffer(&target, 0, vec![1; 4096]).expect("in range");
            uploader.run(&uploads).and_then(|()| uploader.finish()).expect("uploaded");
        };
        cycle();
        let before = (device.live_objects(), device.memory_usage());
        assert_eq!(before.0.count(ObjectKind::Allocation), 0);
        for _ in 0..100 {
            cycle();
        }
        assert_eq!(before, (device.live_objects(), device.memory_usage()));
    });
}

fn validation_reports_misuse_to_the_log() {
    let (device, log) = open();
    let target = device_buffer(&device, 64);
    let source = device_buffer(&device, 64);
    // Two copies to one range without a barrier: a hazard that only synchronization validation sees.
    execute(&device, |commands| {
        let region = [vk::BufferCopy::default().size(64)];
        for _ in 0..2 {
            // SAFETY: recording; both buffers hold the region. The hazard is the test's purpose.
            unsafe {
                let (from, to) = (source.handle(), target.handle());
                device.raw().cmd_copy_buffer(commands, from, to, &region);
            }
        }
    });
    let messages = log.messages();
    assert!(
        messages
            .iter()
            .any(|message| message.id.contains("WRITE-AFTER-WRITE")
                || message.text.contains("WRITE_AFTER_WRITE")),
        "{log}"
    );
    assert!(messages[0].text.contains("target") || messages[0].text.contains("test commands"));
}

fn a_leak_is_reported_while_the_instance_is_destroyed() {
    let (device, log) = open();
    // SAFETY: the fence is leaked on purpose.
    unsafe {
        let fence = device.raw().create_fence(&vk::FenceCreateInfo::default(), None);
        fence.at("vkCreateFence").expect("a fence");
    }
    assert_clean(&log);
    drop(device);
    assert!(log.counts().errors > 0);
}

fn a_filter_that_fits_no_device_lists_them() {
    let options = RendererOptions {
        device: Some("no such device".into()),
        validation: Validation::Off,
        ..RendererOptions::default()
    };
    let instance = Instance::new(&options, &[]).expect("an instance");
    match Device::new(instance, &options, None) {
        Err(RendererError::NoSuitableDevice { rejected }) => {
            assert!(rejected.iter().all(|device| device.reason.contains("no such device")));
        }
        other => panic!("{other:?}"),
    }
}
