//! The Vulkan instance: loader, layers, extensions and the messenger.

use std::ffi::{CStr, CString, c_char};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use ash::{ext, khr, vk};

use super::instance_support::{Offered, VALIDATION_LAYER, version_text};
use super::live_objects::{ObjectCounters, ObjectKind};
use crate::vulkan::error::{RendererError, VkResultExt};
use crate::vulkan::options::{RendererOptions, Validation};
use crate::vulkan::validation::{ValidationLog, messenger_info};

/// The version that the loader and the device have to reach.
pub(crate) const REQUIRED_API: u32 = vk::API_VERSION_1_3;

/// A loaded Vulkan instance. Everything made from it holds it through an `Arc`.
pub(crate) struct Instance {
    handle: ash::Instance,
    entry: ash::Entry,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    has_debug_utils: bool,
    has_surface_maintenance: bool,
    validation: String,
    counters: Arc<ObjectCounters>,
    // Read by the messenger until the instance is destroyed; a field is dropped after `drop` ran.
    log: ValidationLog,
}

impl Instance {
    /// Loads Vulkan and makes an instance with `surface_extensions` (none when headless).
    pub(crate) fn new(
        options: &RendererOptions,
        surface_extensions: &[&'static CStr],
    ) -> Result<Arc<Self>, RendererError> {
        let entry = load_entry()?;
        check_loader_version(&entry)?;
        keep_drivers_loaded(&entry);
        let offered = Offered::query(&entry)?;

        let mut extensions = Vec::new();
        for &extension in surface_extensions {
            if !offered.has(extension) {
                return Err(missing_surface_support(&entry, options, &offered, extension));
            }
            extensions.push(extension);
        }
        let portability = offered.has(khr::portability_enumeration::NAME);
        if portability {
            extensions.push(khr::portability_enumeration::NAME);
        }
        let has_debug_utils = offered.has(ext::debug_utils::NAME)
            || (options.validation != Validation::Off && offered.layer_has(ext::debug_utils::NAME));
        if has_debug_utils {
            extensions.push(ext::debug_utils::NAME);
        }
        let (validation, layer) = offered.validation(options.validation, has_debug_utils)?;
        // Without present fences old swapchains are released by waiting for queues, which every layer follows.
        let has_surface_maintenance = !surface_extensions.is_empty()
            && offered.has(khr::get_surface_capabilities2::NAME)
            && offered.has(ext::surface_maintenance1::NAME)
            && (layer.is_none() || offered.layer_follows_present_fences());
        if has_surface_maintenance {
            extensions.push(khr::get_surface_capabilities2::NAME);
            extensions.push(ext::surface_maintenance1::NAME);
        }
        let synchronization = match layer {
            Some(_) => offered.synchronization_setting(),
            None => None,
        };
        extensions.extend(synchronization);

        let log = options.validation_log.clone();
        let handle = create(&entry, options, &extensions, layer, synchronization, portability, &log)?;
        let counters = Arc::new(ObjectCounters::default());
        counters.created(ObjectKind::Instance);
        let mut instance = Self {
            handle,
            entry,
            messenger: None,
            has_debug_utils,
            has_surface_maintenance,
            validation,
            counters,
            log,
        };
        if layer.is_some() {
            instance.create_messenger()?;
        }
        Ok(Arc::new(instance))
    }

    fn create_messenger(&mut self) -> Result<(), RendererError> {
        let functions = ext::debug_utils::Instance::new(&self.entry, &self.handle);
        // SAFETY: the extension is enabled, and `self.log` outlives the messenger.
        let messenger = unsafe { functions.create_debug_utils_messenger(&messenger_info(&self.log), None) }
            .at("vkCreateDebugUtilsMessengerEXT")?;
        self.counters.created(ObjectKind::DebugMessenger);
        self.messenger = Some((functions, messenger));
        Ok(())
    }

    pub(crate) fn raw(&self) -> &ash::Instance {
        &self.handle
    }

    /// The devices in the driver's order.
    pub(crate) fn physical_devices(&self) -> Result<Vec<vk::PhysicalDevice>, RendererError> {
        // SAFETY: the instance is alive.
        match unsafe { self.handle.enumerate_physical_devices() } {
            // What a loader says when it has no driver that starts.
            Err(vk::Result::ERROR_INITIALIZATION_FAILED) => Ok(Vec::new()),
            other => other.at("vkEnumeratePhysicalDevices"),
        }
    }

    pub(crate) fn entry(&self) -> &ash::Entry {
        &self.entry
    }

    /// Whether objects can be given names.
    pub(crate) fn has_debug_utils(&self) -> bool {
        self.has_debug_utils
    }

    /// Whether devices may use `VK_EXT_swapchain_maintenance1`: the loader and the enabled validation layer know it.
    pub(crate) fn has_surface_maintenance(&self) -> bool {
        self.has_surface_maintenance
    }

    /// The state of validation in words.
    pub(crate) fn validation(&self) -> &str {
        &self.validation
    }

    pub(crate) fn counters(&self) -> &Arc<ObjectCounters> {
        &self.counters
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: all objects made from this instance hold it, so none is left; the messenger goes first, and what is
        // reported while the instance goes reaches the log through the messenger chained into its creation.
        unsafe {
            if let Some((functions, messenger)) = self.messenger.take() {
                functions.destroy_debug_utils_messenger(messenger, None);
                self.counters.destroyed(ObjectKind::DebugMessenger);
            }
            self.handle.destroy_instance(None);
        }
        self.counters.destroyed(ObjectKind::Instance);
    }
}

/// Why a window's extension is not there: with no driver at all the loader lists none.
fn missing_surface_support(
    entry: &ash::Entry,
    options: &RendererOptions,
    offered: &Offered,
    extension: &CStr,
) -> RendererError {
    let portability = offered.has(khr::portability_enumeration::NAME);
    let extensions: &[&CStr] = match portability {
        true => &[khr::portability_enumeration::NAME],
        false => &[],
    };
    match create(entry, options, extensions, None, None, portability, &options.validation_log) {
        Err(no_driver @ RendererError::NoDriver { .. }) => return no_driver,
        // SAFETY: nothing was made from it.
        Ok(instance) => unsafe { instance.destroy_instance(None) },
        Err(_) => {}
    }
    RendererError::MissingInstanceSupport {
        what: format!(
            "{}, which this window needs; no installed driver can draw to it",
            extension.to_string_lossy()
        ),
    }
}

/// The Vulkan loader, opened once and kept for the life of the process.
fn load_entry() -> Result<ash::Entry, RendererError> {
    static ENTRY: OnceLock<ash::Entry> = OnceLock::new();
    if let Some(entry) = ENTRY.get() {
        return Ok(entry.clone());
    }
    // SAFETY: loading the system's Vulkan loader runs its initializers; it is the library that all programs use.
    let entry = unsafe { ash::Entry::load() }
        .map_err(|error| RendererError::NoLoader { reason: error.to_string() })?;
    Ok(ENTRY.get_or_init(|| entry).clone())
}

/// Keeps the drivers loaded from the process's second instance on, by an instance that is never destroyed.
///
/// With its last instance the loader unloads its drivers, and NVIDIA's cannot be loaded without end: the 32nd time in one
/// process it is refused for good (580.159.04). A process that opens one renderer pays nothing.
fn keep_drivers_loaded(entry: &ash::Entry) {
    static INSTANCES: AtomicUsize = AtomicUsize::new(0);
    if INSTANCES.fetch_add(1, Ordering::Relaxed) != 1 {
        return;
    }
    let application = vk::ApplicationInfo::default().api_version(REQUIRED_API);
    let info = vk::InstanceCreateInfo::default().application_info(&application);
    // SAFETY: the description is valid for the call. A failure only means that drivers are loaded more often; the handle
    // is given up on purpose.
    let _kept = unsafe { entry.create_instance(&info, None) };
}

fn check_loader_version(entry: &ash::Entry) -> Result<(), RendererError> {
    // SAFETY: the entry was loaded; the call has no other condition.
    let version = unsafe { entry.try_enumerate_instance_version() }
        .at("vkEnumerateInstanceVersion")?
        .unwrap_or(vk::API_VERSION_1_0);
    if version < REQUIRED_API {
        return Err(RendererError::MissingInstanceSupport {
            what: format!(
                "Vulkan 1.3: it is of version {}; install a newer loader (libvulkan1)",
                version_text(version)
            ),
        });
    }
    Ok(())
}

fn create(
    entry: &ash::Entry,
    options: &RendererOptions,
    extensions: &[&CStr],
    layer: Option<&CStr>,
    synchronization: Option<&CStr>,
    portability: bool,
    log: &ValidationLog,
) -> Result<ash::Instance, RendererError> {
    let name = c_string(&options.application_name);
    let application = vk::ApplicationInfo::default()
        .application_name(&name)
        .engine_name(c"fire-engine")
        .api_version(REQUIRED_API);
    let extensions: Vec<*const c_char> = extensions.iter().map(|name| name.as_ptr()).collect();
    let layers: Vec<*const c_char> = layer.iter().map(|name| name.as_ptr()).collect();
    let flags = match portability {
        true => vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR,
        false => vk::InstanceCreateFlags::empty(),
    };

    let enabled = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
    let mut features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&enabled);
    let yes = vk::TRUE.to_ne_bytes();
    let settings = [vk::LayerSettingEXT::default()
        .layer_name(VALIDATION_LAYER)
        .setting_name(c"validate_sync")
        .ty(vk::LayerSettingTypeEXT::BOOL32)
        .values(&yes)];
    // `values` counts bytes; the setting is one 32-bit boolean.
    let settings = settings.map(|setting| vk::LayerSettingEXT { value_count: 1, ..setting });
    let mut settings = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
    let mut messenger = messenger_info(log);

    let mut info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_extension_names(&extensions)
        .enabled_layer_names(&layers)
        .flags(flags);
    if layer.is_some() {
        info = info.push_next(&mut messenger);
        if synchronization == Some(ext::validation_features::NAME) {
            info = info.push_next(&mut features);
        } else if synchronization == Some(ext::layer_settings::NAME) {
            info = info.push_next(&mut settings);
        }
    }
    // SAFETY: every name is a NUL-terminated string that the loader listed, and all of `info` lives until the call
    // returns; the log behind the chained messenger is kept by the `Instance` until the instance is destroyed.
    unsafe { entry.create_instance(&info, None) }.map_err(|result| match result {
        vk::Result::ERROR_INCOMPATIBLE_DRIVER => {
            RendererError::NoDriver { reason: format!("vkCreateInstance failed with {result:?}") }
        }
        other => RendererError::from_vk(other, "vkCreateInstance"),
    })
}

/// The text up to its first NUL, as Vulkan takes names.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_at_a_nul() {
        assert_eq!(c_string("a\0b").as_c_str(), c"a");
        assert_eq!(c_string("").as_c_str(), c"");
    }
}
