//! Proves that the validation layer sees hazards on dynamic-rendering attachments, by recording one.
//!
//! Layers before 1.3.268 or so do not look there, so that a clean log from them says nothing about the barriers around
//! render targets. `.ci/run` gives this test a newer layer and sets `FIRE_ENGINE_EXPECT_NEW_LAYER=1`; without that it
//! is skipped.

mod support;

use ash::{ext, vk};
use libtest_mimic::{Failed, Trial};
use std::ffi::{CStr, c_void};
use std::process::ExitCode;
use std::sync::Mutex;

const EXPECT: &str = "FIRE_ENGINE_EXPECT_NEW_LAYER";
const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";
const HAZARD: &str = "SYNC-HAZARD-WRITE-AFTER-WRITE";

fn main() -> ExitCode {
    let wanted = std::env::var_os(EXPECT).is_some_and(|value| value == "1");
    let name = "a_missing_barrier_after_dynamic_rendering_is_reported";
    let trial = match wanted {
        true => Trial::test(name, missing_barrier_is_reported),
        false => support::skipped(name, &format!("{EXPECT}=1 is not set")),
    };
    support::run(vec![trial]).exit_code()
}

fn missing_barrier_is_reported() -> Result<(), Failed> {
    // The same commands with the right source scope show that it is the fault which is reported.
    let (version, right) =
        messages(vk::PipelineStageFlags2::COLOR_ATTACHMENT_OUTPUT, vk::AccessFlags2::COLOR_ATTACHMENT_WRITE)?;
    if !right.is_empty() {
        return Err(format!("messages about commands without a fault: {right:#?}").into());
    }
    println!("{version}");
    let (_, wrong) = messages(vk::PipelineStageFlags2::NONE, vk::AccessFlags2::NONE)?;
    match wrong.iter().filter(|message| message.starts_with(HAZARD)).count() {
        1 => Ok(()),
        count => {
            Err(format!("{count} messages of {HAZARD} instead of 1 from {version} among {wrong:#?}").into())
        }
    }
}

type Messages = Mutex<Vec<String>>;

/// Draws nothing into an image by dynamic rendering, then changes its layout in a barrier with this source scope.
///
/// The layer's version, and what it says to that. Nothing is submitted: hazards within one command buffer are found
/// while recording.
fn messages(
    stage: vk::PipelineStageFlags2,
    access: vk::AccessFlags2,
) -> Result<(String, Vec<String>), Failed> {
    let log = Messages::default();
    // SAFETY: the objects are destroyed in the reverse order of their creation, before `log`, which the messenger
    // writes to; when one cannot be made those before it are leaked and not called again. All create infos and what
    // they point to live through the calls that read them.
    let version = unsafe {
        let entry = ash::Entry::load()?;
        let instance = instance(&entry)?;
        let debug = ext::debug_utils::Instance::new(&entry, &instance);
        let messenger = debug.create_debug_utils_messenger(&messenger(&log), None)?;
        let version = layer_version();
        let physical = *instance.enumerate_physical_devices()?.first().ok_or("no device")?;
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
        let mut features =
            vk::PhysicalDeviceVulkan13Features::default().dynamic_rendering(true).synchronization2(true);
        let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues).push_next(&mut features);
        let device = instance.create_device(physical, &info, None)?;
        let recorded = record(&instance, physical, &device, stage, access);
        device.destroy_device(None);
        debug.destroy_debug_utils_messenger(messenger, None);
        instance.destroy_instance(None);
        recorded?;
        version?
    };
    let messages = log.into_inner().map_err(|error| error.to_string())?;
    Ok((version, messages))
}

/// # Safety
/// The entry's library has to stay loaded while the instance lives.
unsafe fn instance(entry: &ash::Entry) -> Result<ash::Instance, Failed> {
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
    let enabled = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
    let mut features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&enabled);
    let (layers, extensions) = ([LAYER.as_ptr()], [ext::debug_utils::NAME.as_ptr()]);
    let info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(&layers)
        .enabled_extension_names(&extensions)
        .push_next(&mut features);
    // SAFETY: the names are NUL-terminated, and everything lives until the call returns.
    Ok(unsafe { entry.create_instance(&info, None) }?)
}

fn messenger(log: &Messages) -> vk::DebugUtilsMessengerCreateInfoEXT<'_> {
    use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Type};
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(Severity::WARNING | Severity::ERROR)
        .message_type(Type::VALIDATION)
        .pfn_user_callback(Some(on_message))
        .user_data(std::ptr::from_ref(log).cast_mut().cast())
}

unsafe extern "system" fn on_message(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    log: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a valid message, and the pointer that `messenger` gave it, whose log outlives it.
    let (data, log) = unsafe { (&*data, &*log.cast::<Messages>()) };
    // SAFETY: both texts are null or NUL-terminated and live through this call.
    let texts = unsafe { [data.message_id_name_as_c_str(), data.message_as_c_str()] };
    let [id, text] = texts.map(|text| text.unwrap_or(c"").to_string_lossy());
    if let Ok(mut messages) = log.lock() {
        messages.push(format!("{id}: {text}"));
    }
    vk::FALSE
}

/// # Safety
/// `device` has to be of `physical`, with dynamic rendering and synchronization2, and one queue of family 0.
unsafe fn record(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    device: &ash::Device,
    stage: vk::PipelineStageFlags2,
    access: vk::AccessFlags2,
) -> Result<(), Failed> {
    let extent = vk::Extent2D { width: 16, height: 16 };
    let image_info = vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(vk::Format::R8G8B8A8_UNORM)
        .extent(extent.into())
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC);
    let range = vk::ImageSubresourceRange::default()
        .aspect_mask(vk::ImageAspectFlags::COLOR)
        .level_count(1)
        .layer_count(1);
    // SAFETY: each object is made from live parents with valid parameters (the image's format and usage are among
    // those that Vulkan demands of every device), nothing is submitted, and each is destroyed once, users first.
    unsafe {
        let image = device.create_image(&image_info, None)?;
        let needs = device.get_image_memory_requirements(image);
        let memory_type = needs.memory_type_bits.trailing_zeros();
        let properties = instance.get_physical_device_memory_properties(physical);
        assert!(memory_type < properties.memory_type_count, "no memory type for the image");
        let allocation =
            vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(memory_type);
        let memory = device.allocate_memory(&allocation, None)?;
        device.bind_image_memory(image, memory, 0)?;
        let view_info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(image_info.format)
            .subresource_range(range);
        let view = device.create_image_view(&view_info, None)?;
        let pool = device.create_command_pool(&vk::CommandPoolCreateInfo::default(), None)?;
        let buffer_info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
        let commands = device.allocate_command_buffers(&buffer_info)?[0];

        let barrier = vk::ImageMemoryBarrier2::default().image(image).subresource_range(range);
        let into_attachment = barrier
            .dst_stage_mask(vk::PipelineStageFlags2::COLOR_ATTACHMENT_OUTPUT)
            .dst_access_mask(vk::AccessFlags2::COLOR_ATTACHMENT_WRITE)
            .new_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL);
        let into_copy = barrier
            .src_stage_mask(stage)
            .src_access_mask(access)
            .dst_stage_mask(vk::PipelineStageFlags2::COPY)
            .dst_access_mask(vk::AccessFlags2::TRANSFER_READ)
            .old_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
            .new_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL);
        let attachments = [vk::RenderingAttachmentInfo::default()
            .image_view(view)
            .image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let rendering = vk::RenderingInfo::default()
            .render_area(extent.into())
            .layer_count(1)
            .color_attachments(&attachments);

        device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
        let pipeline_barrier = |barrier| {
            let barriers = [barrier];
            let dependency = vk::DependencyInfo::default().image_memory_barriers(&barriers);
            device.cmd_pipeline_barrier2(commands, &dependency);
        };
        pipeline_barrier(into_attachment);
        device.cmd_begin_rendering(commands, &rendering);
        device.cmd_end_rendering(commands);
        pipeline_barrier(into_copy);
        device.end_command_buffer(commands)?;

        device.destroy_command_pool(pool, None);
        device.destroy_image_view(view, None);
        device.destroy_image(image, None);
        device.free_memory(memory, None);
    }
    Ok(())
}

/// What the layer that this process has loaded says about itself; the loader would only repeat its manifest.
fn layer_version() -> Result<String, Failed> {
    let maps = std::fs::read_to_string("/proc/self/maps")?;
    let line = maps.lines().find(|line| line.contains("libVkLayer_khronos_validation"));
    let start = line.and_then(|line| Some((line, line.find('/')?)));
    let (line, start) = start.ok_or("the layer's library is not loaded")?;
    let mut properties = vk::LayerProperties::default();
    let mut count = 1;
    // SAFETY: the library is loaded already, so that no initializer runs; layers export this function, with this type,
    // to be called like this, and there is room for the one entry that `count` speaks of.
    unsafe {
        let layer = libloading::Library::new(&line[start..])?;
        let enumerate: libloading::Symbol<'_, vk::PFN_vkEnumerateInstanceLayerProperties> =
            layer.get(b"vkEnumerateInstanceLayerProperties\0")?;
        enumerate(&mut count, &mut properties).result()?;
    }
    let version = properties.spec_version;
    Ok(format!(
        "validation layer {}.{}.{}, implementation {}",
        vk::api_version_major(version),
        vk::api_version_minor(version),
        vk::api_version_patch(version),
        properties.implementation_version
    ))
}
