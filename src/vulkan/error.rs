//! Everything that can go wrong between the renderer and a driver, as values without a Vulkan type.

use std::fmt;

use ash::vk;

/// A device that the renderer looked at and could not use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RejectedDevice {
    /// The name that the driver gives the device.
    pub name: String,
    /// The first requirement that the device does not meet.
    pub reason: String,
}

impl fmt::Display for RejectedDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.reason)
    }
}

/// Why a call of the renderer failed.
///
/// Failures of Vulkan calls carry the name of the call and the name and number of the result. After
/// [`DeviceLost`](Self::DeviceLost) and [`SurfaceLost`](Self::SurfaceLost) the renderer has to be built again.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RendererError {
    /// No Vulkan loader library could be opened.
    #[error(
        "no Vulkan loader was found ({reason}); on Debian or Ubuntu install the package libvulkan1, and \
         mesa-vulkan-drivers for a driver"
    )]
    NoLoader {
        /// What the system said about the library.
        reason: String,
    },
    /// The loader works but no driver offers a device.
    #[error(
        "no Vulkan driver offers a device ({reason}); on Debian or Ubuntu install the package mesa-vulkan-drivers, \
         which also holds a software driver"
    )]
    NoDriver {
        /// What was seen.
        reason: String,
    },
    /// There are devices, and none of them can be used.
    #[error("no suitable Vulkan device:{}", lines(rejected))]
    NoSuitableDevice {
        /// Each device with the first requirement it does not meet, in the order of the driver.
        rejected: Vec<RejectedDevice>,
    },
    /// The Vulkan loader or its layers lack something that the renderer cannot do without.
    #[error("the Vulkan loader does not offer {what}")]
    MissingInstanceSupport {
        /// What is missing.
        what: String,
    },
    /// The chosen device lacks something that the requested work needs.
    #[error("the device does not support {what}")]
    MissingDeviceSupport {
        /// What is missing.
        what: String,
    },
    /// Validation was required but cannot be had.
    #[error(
        "validation was required, but {what} is not available; on Debian or Ubuntu install the package \
         vulkan-validationlayers, or choose Validation::IfAvailable"
    )]
    ValidationUnavailable {
        /// The layer or extension that is missing.
        what: String,
    },
    /// A field of [`RendererOptions`](super::RendererOptions) has a value that cannot be used.
    #[error("option `{option}`: {reason}")]
    InvalidOption {
        /// The name of the field.
        option: &'static str,
        /// What is wrong with the value, and what would be right.
        reason: String,
    },
    /// The window gave no handle that a surface can be made from.
    #[error("the window cannot be drawn to: {reason}")]
    WindowHandle {
        /// What the window library said.
        reason: String,
    },
    /// The device stopped working: a driver crash, a reset or a removal. Build a new renderer.
    #[error("the GPU was lost during {call}; drop the renderer and build a new one")]
    DeviceLost {
        /// The call that noticed it.
        call: &'static str,
    },
    /// The window's surface is gone. Build a new renderer for the window.
    #[error(
        "the window's surface was lost during {call}; drop the renderer and build a new one for the window"
    )]
    SurfaceLost {
        /// The call that noticed it.
        call: &'static str,
    },
    /// Memory ran out, the device's or the host's.
    #[error("out of {memory} memory during {call}")]
    OutOfMemory {
        /// The call, or the name of the object that was to be made.
        call: String,
        /// `"device"`, `"host"` or `"descriptor pool"`.
        memory: &'static str,
    },
    /// Any other failure of a Vulkan call.
    #[error("{call} failed with {result} ({code})")]
    Vulkan {
        /// The name of the call.
        call: &'static str,
        /// The name of the result, such as `ERROR_UNKNOWN`.
        result: String,
        /// The number of the result.
        code: i32,
    },
    /// Memory for an object could not be allocated for another reason than lack of it.
    #[error("no memory for `{name}`: {reason}")]
    Allocation {
        /// The object.
        name: String,
        /// What the allocator said.
        reason: String,
    },
    /// An image, render target or window is larger than the device can hold.
    #[error(
        "`{name}` is {width}x{height}, but the device's images are at most {limit} pixels wide and high; make it smaller, \
         or choose another device with RendererOptions::device"
    )]
    ImageTooLarge {
        /// The image.
        name: String,
        /// Requested width in pixels.
        width: u32,
        /// Requested height in pixels.
        height: u32,
        /// The device's limit for each side, in pixels.
        limit: u32,
    },
    /// An object without any extent was asked for.
    #[error(
        "`{name}` has a size of zero; give it at least one pixel each way, and draw to a window once it has an area"
    )]
    ZeroSize {
        /// The object.
        name: String,
    },
    /// A range does not lie inside the buffer or image it was meant for.
    #[error("`{name}` holds {size} bytes; {length} bytes at offset {offset} do not fit")]
    OutOfBounds {
        /// The object.
        name: String,
        /// First byte of the range.
        offset: u64,
        /// Length of the range in bytes.
        length: u64,
        /// Size of the object in bytes.
        size: u64,
    },
    /// A node is drawn with a skin that has fewer joints than the mesh refers to.
    #[error(
        "a node that draws render object {object} wears a skin with {worn} joints, but the mesh refers to {needed}; give \
         the node the skin that the mesh was made for"
    )]
    SkinJoints {
        /// What the node draws.
        object: crate::assets::RenderObjectId,
        /// Number of joints of the skin.
        worn: u32,
        /// One more than the largest joint that the mesh refers to.
        needed: u32,
    },
    /// What is to be drawn uses something that this version does not draw.
    #[error("this version cannot draw {what}")]
    UnsupportedContent {
        /// What it is, which object has it, and what to do.
        what: String,
    },
    /// What is to be drawn could not be planned.
    #[error(transparent)]
    Preparation(#[from] crate::preparation::PreparationError),
    /// The overlay refers to something that is not there.
    #[error("overlay: {reason}")]
    InvalidOverlay {
        /// Which draw or index, and why.
        reason: String,
    },
    /// The camera's projection has an argument out of range.
    #[error(transparent)]
    Camera(#[from] crate::math::ProjectionError),
    /// The scene or the assets changed since the last successful `prepare`.
    #[error("{reason}; call prepare before drawing")]
    NotPrepared {
        /// What is not compiled.
        reason: String,
    },
    /// An earlier failure left the renderer in a state it cannot draw from.
    #[error("the renderer cannot be used any more: {reason}; drop it and build a new one")]
    Unusable {
        /// The earlier failure.
        reason: String,
    },
}

fn lines(rejected: &[RejectedDevice]) -> String {
    rejected.iter().map(|device| format!("\n  {device}")).collect()
}

impl RendererError {
    /// The error for a Vulkan result that is not a success.
    pub(crate) fn from_vk(result: vk::Result, call: &'static str) -> Self {
        let out_of = |memory| Self::OutOfMemory { call: call.to_owned(), memory };
        match result {
            vk::Result::ERROR_DEVICE_LOST => Self::DeviceLost { call },
            vk::Result::ERROR_SURFACE_LOST_KHR => Self::SurfaceLost { call },
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => out_of("device"),
            vk::Result::ERROR_OUT_OF_HOST_MEMORY => out_of("host"),
            vk::Result::ERROR_OUT_OF_POOL_MEMORY | vk::Result::ERROR_FRAGMENTED_POOL => {
                out_of("descriptor pool")
            }
            other => Self::Vulkan { call, result: format!("{other:?}"), code: other.as_raw() },
        }
    }

    /// Whether the failure means that this device or surface will never work again.
    pub(crate) fn is_fatal(&self) -> bool {
        matches!(self, Self::DeviceLost { .. } | Self::SurfaceLost { .. })
    }
}

/// Gives a Vulkan result the name of the call it came from.
pub(crate) trait VkResultExt<T> {
    /// The value, or the error that fits the result.
    fn at(self, call: &'static str) -> Result<T, RendererError>;
}

impl<T> VkResultExt<T> for Result<T, vk::Result> {
    fn at(self, call: &'static str) -> Result<T, RendererError> {
        self.map_err(|result| RendererError::from_vk(result, call))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(result: vk::Result) -> RendererError {
        Err::<(), _>(result).at("vkQueueSubmit2").unwrap_err()
    }

    /// T-VK-LOST: the loss is an error of its own.
    #[test]
    fn lost_device_surface_and_memory_have_their_own_kind() {
        assert_eq!(
            failed(vk::Result::ERROR_DEVICE_LOST),
            RendererError::DeviceLost { call: "vkQueueSubmit2" }
        );
        assert_eq!(
            failed(vk::Result::ERROR_SURFACE_LOST_KHR),
            RendererError::SurfaceLost { call: "vkQueueSubmit2" }
        );
        for (result, memory) in [
            (vk::Result::ERROR_OUT_OF_DEVICE_MEMORY, "device"),
            (vk::Result::ERROR_OUT_OF_HOST_MEMORY, "host"),
            (vk::Result::ERROR_OUT_OF_POOL_MEMORY, "descriptor pool"),
        ] {
            let RendererError::OutOfMemory { memory: named, .. } = failed(result) else {
                panic!("{result:?}");
            };
            assert_eq!(named, memory);
        }
        assert!(failed(vk::Result::ERROR_DEVICE_LOST).is_fatal());
        assert!(!failed(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY).is_fatal());
    }

    #[test]
    fn other_results_keep_call_name_and_number() {
        assert_eq!(
            failed(vk::Result::ERROR_UNKNOWN).to_string(),
            "vkQueueSubmit2 failed with ERROR_UNKNOWN (-13)"
        );
    }

    #[test]
    fn rejected_devices_are_listed_one_a_line() {
        let rejected = ["old: Vulkan 1.1", "odd: no graphics queue"].map(|text| {
            let (name, reason) = text.split_once(": ").unwrap();
            RejectedDevice { name: name.to_owned(), reason: reason.to_owned() }
        });
        let error = RendererError::NoSuitableDevice { rejected: rejected.to_vec() };
        assert_eq!(
            error.to_string(),
            "no suitable Vulkan device:\n  old: Vulkan 1.1\n  odd: no graphics queue"
        );
    }

    #[test]
    fn messages_name_the_package_to_install() {
        let reason = String::from("x");
        let loader = RendererError::NoLoader { reason: reason.clone() };
        assert!(loader.to_string().contains("libvulkan1"));
        let driver = RendererError::NoDriver { reason };
        assert!(driver.to_string().contains("mesa-vulkan-drivers"));
        let validation = RendererError::ValidationUnavailable { what: "x".into() };
        assert!(validation.to_string().contains("vulkan-validationlayers"));
    }

    #[test]
    fn messages_about_sizes_say_what_to_do() {
        let name = || "target".to_owned();
        let zero = RendererError::ZeroSize { name: name() }.to_string();
        assert!(zero.contains("`target`") && zero.contains("at least one pixel"), "{zero}");
        let large = RendererError::ImageTooLarge { name: name(), width: 9, height: 7, limit: 8 }.to_string();
        assert!(large.contains("9x7") && large.contains("at most 8 pixels"), "{large}");
        assert!(large.contains("make it smaller"), "{large}");
    }

    #[test]
    fn errors_travel_between_threads() {
        fn assert_travels<T: std::error::Error + Send + Sync + 'static>() {}
        assert_travels::<RendererError>();
    }
}
