//! What the Vulkan loader and its validation layer offer.

use std::ffi::CStr;

use ash::{ext, vk};

use crate::vulkan::error::{RendererError, VkResultExt};
use crate::vulkan::options::Validation;

pub(crate) const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// The first validation layer that is trusted to follow present fences.
///
/// Older ones do not know that such a fence frees its semaphore, and call each one that is destroyed after it an error
/// (1.3.239 does, 1.4.364 does not; KhronosGroup/Vulkan-ValidationLayers pull requests 7694, 8400 and 9908 mended it in
/// steps from March 2024 to April 2025, which this release of the SDK came after).
const FOLLOWS_PRESENT_FENCES: u32 = vk::make_api_version(0, 1, 4, 313);

/// Extensions and layers as the loader lists them.
pub(crate) struct Offered {
    extensions: Vec<vk::ExtensionProperties>,
    layer: Option<vk::LayerProperties>,
    layer_extensions: Vec<vk::ExtensionProperties>,
}

impl Offered {
    pub(crate) fn query(entry: &ash::Entry) -> Result<Self, RendererError> {
        const EXTENSIONS: &str = "vkEnumerateInstanceExtensionProperties";
        // SAFETY: plain queries of a loaded loader; the layer name is NUL-terminated.
        unsafe {
            let extensions = entry.enumerate_instance_extension_properties(None).at(EXTENSIONS)?;
            let layer = entry
                .enumerate_instance_layer_properties()
                .at("vkEnumerateInstanceLayerProperties")?
                .into_iter()
                .find(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION_LAYER));
            let layer_extensions = match layer {
                Some(_) => {
                    entry.enumerate_instance_extension_properties(Some(VALIDATION_LAYER)).at(EXTENSIONS)?
                }
                None => Vec::new(),
            };
            Ok(Self { extensions, layer, layer_extensions })
        }
    }

    pub(crate) fn has(&self, name: &CStr) -> bool {
        contains_extension(&self.extensions, name)
    }

    pub(crate) fn layer_has(&self, name: &CStr) -> bool {
        contains_extension(&self.layer_extensions, name)
    }

    /// The state of validation in words, and the layer to enable.
    pub(crate) fn validation(
        &self,
        wanted: Validation,
        has_debug_utils: bool,
    ) -> Result<(String, Option<&'static CStr>), RendererError> {
        let missing = match (&self.layer, has_debug_utils) {
            _ if wanted == Validation::Off => return Ok(("off".to_owned(), None)),
            (Some(layer), true) => {
                let version = version_text(layer.spec_version);
                let synchronization = match self.synchronization_setting() {
                    Some(_) => "with",
                    None => "without",
                };
                return Ok((
                    format!("on (layer {version}, {synchronization} synchronization)"),
                    Some(VALIDATION_LAYER),
                ));
            }
            (None, _) => VALIDATION_LAYER,
            (Some(_), false) => ext::debug_utils::NAME,
        };
        let what = missing.to_string_lossy().into_owned();
        match wanted {
            Validation::Required => Err(RendererError::ValidationUnavailable { what }),
            _ => Ok((format!("off ({what} is not available)"), None)),
        }
    }

    /// Whether the validation layer understands `VK_EXT_swapchain_maintenance1`, should it be enabled.
    pub(crate) fn layer_follows_present_fences(&self) -> bool {
        self.layer.is_none_or(|layer| layer.spec_version >= FOLLOWS_PRESENT_FENCES)
    }

    /// The extension through which synchronization validation is turned on: the older one, or its successor.
    pub(crate) fn synchronization_setting(&self) -> Option<&'static CStr> {
        [ext::validation_features::NAME, ext::layer_settings::NAME]
            .into_iter()
            .find(|name| self.layer_has(name))
    }
}

/// Whether a list from Vulkan holds an extension.
pub(crate) fn contains_extension(list: &[vk::ExtensionProperties], name: &CStr) -> bool {
    list.iter().any(|extension| extension.extension_name_as_c_str() == Ok(name))
}

/// `1.3.230` for a version number of Vulkan.
pub(crate) fn version_text(version: u32) -> String {
    format!(
        "{}.{}.{}",
        vk::api_version_major(version),
        vk::api_version_minor(version),
        vk::api_version_patch(version)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(layer: bool, layer_extensions: &[&CStr]) -> Offered {
        let extension = |name: &CStr| vk::ExtensionProperties::default().extension_name(name).unwrap();
        Offered {
            extensions: Vec::new(),
            layer: layer.then(|| vk::LayerProperties::default().spec_version(vk::API_VERSION_1_3)),
            layer_extensions: layer_extensions.iter().copied().map(extension).collect(),
        }
    }

    #[test]
    fn required_validation_fails_without_the_layer() {
        let error = offered(false, &[]).validation(Validation::Required, true);
        assert_eq!(
            error.unwrap_err(),
            RendererError::ValidationUnavailable { what: "VK_LAYER_KHRONOS_validation".into() }
        );
        let (text, layer) = offered(false, &[]).validation(Validation::IfAvailable, true).unwrap();
        assert_eq!((text.as_str(), layer), ("off (VK_LAYER_KHRONOS_validation is not available)", None));
    }

    #[test]
    fn old_layers_do_not_follow_present_fences() {
        assert!(offered(false, &[]).layer_follows_present_fences());
        for (release, follows) in [((3, 239), false), ((4, 312), false), ((4, 313), true), ((5, 0), true)] {
            let mut with_layer = offered(true, &[]);
            let version = vk::make_api_version(0, 1, release.0, release.1);
            with_layer.layer = Some(vk::LayerProperties::default().spec_version(version));
            assert_eq!(with_layer.layer_follows_present_fences(), follows, "{release:?}");
        }
    }

    #[test]
    fn validation_says_whether_synchronization_is_checked() {
        let plain = offered(true, &[]).validation(Validation::Required, true);
        assert_eq!(plain.unwrap().0, "on (layer 1.3.0, without synchronization)");
        let newer = offered(true, &[ext::layer_settings::NAME]);
        assert_eq!(newer.synchronization_setting(), Some(ext::layer_settings::NAME));
        let both = offered(true, &[ext::layer_settings::NAME, ext::validation_features::NAME]);
        assert_eq!(both.synchronization_setting(), Some(ext::validation_features::NAME));
        let off = both.validation(Validation::Off, true).unwrap();
        assert_eq!(off, ("off".to_owned(), None));
    }
}
