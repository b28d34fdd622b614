//! How a swapchain is made for a surface: pure functions of what the surface reports.

use ash::vk;

use crate::vulkan::error::RendererError;
use crate::vulkan::options::PresentMode;

/// Formats of four 8-bit channels that encode sRGB when written.
const SRGB_FORMATS: [vk::Format; 3] =
    [vk::Format::R8G8B8A8_SRGB, vk::Format::B8G8R8A8_SRGB, vk::Format::A8B8G8R8_SRGB_PACK32];

/// Their twins that store what is written as it is.
const PLAIN_FORMATS: [vk::Format; 3] =
    [vk::Format::R8G8B8A8_UNORM, vk::Format::B8G8R8A8_UNORM, vk::Format::A8B8G8R8_UNORM_PACK32];

/// A surface format, and whether the output pass has to encode sRGB because the format does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FormatChoice {
    pub(crate) format: vk::Format,
    pub(crate) color_space: vk::ColorSpaceKHR,
    pub(crate) encode_srgb: bool,
}

/// The first pair, in the surface's order, of an sRGB format and the sRGB color space; else of a plain format and the
/// sRGB color space; else the first pair. `None` when the list is empty.
pub(crate) fn choose_format(formats: &[vk::SurfaceFormatKHR]) -> Option<FormatChoice> {
    let first_of = |wanted: &[vk::Format]| {
        formats.iter().find(|pair| {
            wanted.contains(&pair.format) && pair.color_space == vk::ColorSpaceKHR::SRGB_NONLINEAR
        })
    };
    first_of(&SRGB_FORMATS).or_else(|| first_of(&PLAIN_FORMATS)).or(formats.first()).map(|pair| {
        FormatChoice {
            format: pair.format,
            color_space: pair.color_space,
            encode_srgb: !encodes_srgb(pair.format),
        }
    })
}

fn encodes_srgb(format: vk::Format) -> bool {
    SRGB_FORMATS.contains(&format)
        || matches!(
            format,
            vk::Format::R8_SRGB | vk::Format::R8G8_SRGB | vk::Format::R8G8B8_SRGB | vk::Format::B8G8R8_SRGB
        )
}

/// Vulkan's value for a present mode.
pub(crate) fn present_mode(mode: PresentMode) -> vk::PresentModeKHR {
    match mode {
        PresentMode::Fifo => vk::PresentModeKHR::FIFO,
        PresentMode::FifoRelaxed => vk::PresentModeKHR::FIFO_RELAXED,
        PresentMode::Mailbox => vk::PresentModeKHR::MAILBOX,
        PresentMode::Immediate => vk::PresentModeKHR::IMMEDIATE,
    }
}

/// The wanted mode if it is listed, else FIFO, which every surface has to offer.
pub(crate) fn choose_present_mode(wanted: PresentMode, offered: &[vk::PresentModeKHR]) -> vk::PresentModeKHR {
    let wanted = present_mode(wanted);
    match offered.contains(&wanted) {
        true => wanted,
        false => vk::PresentModeKHR::FIFO,
    }
}

/// The extent of the images: the surface's own where it has one, else the window's, brought into the surface's limits.
/// `None` when a side is zero and there is nothing to draw to.
pub(crate) fn choose_extent(
    capabilities: &vk::SurfaceCapabilitiesKHR,
    window: vk::Extent2D,
) -> Option<vk::Extent2D> {
    let drawable = |extent: &vk::Extent2D| extent.width > 0 && extent.height > 0;
    let fixed = capabilities.current_extent;
    if fixed.width != u32::MAX {
        return Some(fixed).filter(drawable);
    }
    if !drawable(&window) {
        return None;
    }
    let (min, max) = (capabilities.min_image_extent, capabilities.max_image_extent);
    // Not `clamp`, which panics when a driver reports a minimum above the maximum.
    let extent = vk::Extent2D {
        width: window.width.max(min.width).min(max.width),
        height: window.height.max(min.height).min(max.height),
    };
    Some(extent).filter(drawable)
}

/// One image more than the minimum, as far as the surface allows.
pub(crate) fn choose_image_count(capabilities: &vk::SurfaceCapabilitiesKHR) -> u32 {
    let wanted = capabilities.min_image_count.saturating_add(1);
    match capabilities.max_image_count {
        0 => wanted,
        max => wanted.min(max),
    }
}

/// The first supported of opaque, pre-multiplied, post-multiplied and inherit.
pub(crate) fn choose_composite_alpha(
    supported: vk::CompositeAlphaFlagsKHR,
) -> Result<vk::CompositeAlphaFlagsKHR, RendererError> {
    use vk::CompositeAlphaFlagsKHR as Alpha;
    [Alpha::OPAQUE, Alpha::PRE_MULTIPLIED, Alpha::POST_MULTIPLIED, Alpha::INHERIT]
        .into_iter()
        .find(|&alpha| supported.contains(alpha))
        .ok_or_else(|| RendererError::MissingDeviceSupport {
            what: "any composite alpha mode for the window".to_owned(),
        })
}

/// Color attachment, and copies from and to the images where the surface allows them.
pub(crate) fn choose_usage(supported: vk::ImageUsageFlags) -> Result<vk::ImageUsageFlags, RendererError> {
    use vk::ImageUsageFlags as Usage;
    if !supported.contains(Usage::COLOR_ATTACHMENT) {
        return Err(RendererError::MissingDeviceSupport {
            what: "drawing to the window's images".to_owned(),
        });
    }
    Ok(supported & (Usage::COLOR_ATTACHMENT | Usage::TRANSFER_SRC | Usage::TRANSFER_DST))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONLINEAR: vk::ColorSpaceKHR = vk::ColorSpaceKHR::SRGB_NONLINEAR;

    fn pair(format: vk::Format, color_space: vk::ColorSpaceKHR) -> vk::SurfaceFormatKHR {
        vk::SurfaceFormatKHR { format, color_space }
    }

    fn extent(width: u32, height: u32) -> vk::Extent2D {
        vk::Extent2D { width, height }
    }

    fn free_extent(min: vk::Extent2D, max: vk::Extent2D) -> vk::SurfaceCapabilitiesKHR {
        vk::SurfaceCapabilitiesKHR {
            current_extent: extent(u32::MAX, u32::MAX),
            min_image_extent: min,
            max_image_extent: max,
            ..Default::default()
        }
    }

    #[test]
    fn surface_format_is_the_first_srgb_pair_in_surface_order() {
        let choice = choose_format(&[
            pair(vk::Format::B8G8R8A8_UNORM, NONLINEAR),
            pair(vk::Format::R8_SRGB, NONLINEAR),
            pair(vk::Format::R8G8B8A8_SRGB, vk::ColorSpaceKHR::DISPLAY_P3_NONLINEAR_EXT),
            pair(vk::Format::B8G8R8A8_SRGB, NONLINEAR),
            pair(vk::Format::R8G8B8A8_SRGB, NONLINEAR),
        ])
        .unwrap();
        assert_eq!(choice.format, vk::Format::B8G8R8A8_SRGB);
        assert_eq!(choice.color_space, NONLINEAR);
        assert!(!choice.encode_srgb);
        for format in SRGB_FORMATS {
            let list = [pair(vk::Format::R8G8B8A8_UNORM, NONLINEAR), pair(format, NONLINEAR)];
            assert_eq!(choose_format(&list).unwrap().format, format);
        }
    }

    #[test]
    fn surface_format_falls_back_to_the_first_pair_and_says_who_encodes() {
        let p3 = vk::ColorSpaceKHR::DISPLAY_P3_NONLINEAR_EXT;
        let choice = choose_format(&[
            pair(vk::Format::B8G8R8A8_UNORM, NONLINEAR),
            pair(vk::Format::R8G8B8A8_SRGB, p3),
        ])
        .unwrap();
        assert_eq!(choice.format, vk::Format::B8G8R8A8_UNORM);
        assert!(choice.encode_srgb);
        let small = choose_format(&[pair(vk::Format::R8_SRGB, NONLINEAR)]).unwrap();
        assert!(!small.encode_srgb);
        assert_eq!(choose_format(&[]), None);
    }

    #[test]
    fn present_mode_is_the_wanted_one_or_fifo() {
        use vk::PresentModeKHR as Mode;
        let offered = [Mode::IMMEDIATE, Mode::MAILBOX, Mode::FIFO];
        let choose = |wanted| choose_present_mode(wanted, &offered);
        assert_eq!(choose(PresentMode::Mailbox), Mode::MAILBOX);
        assert_eq!(choose(PresentMode::Immediate), Mode::IMMEDIATE);
        assert_eq!(choose(PresentMode::Fifo), Mode::FIFO);
        assert_eq!(choose(PresentMode::FifoRelaxed), Mode::FIFO);
        assert_eq!(choose_present_mode(PresentMode::Mailbox, &[]), Mode::FIFO);
    }

    #[test]
    fn extent_fixed_by_the_surface_wins() {
        let fixed = vk::SurfaceCapabilitiesKHR { current_extent: extent(640, 480), ..Default::default() };
        assert_eq!(choose_extent(&fixed, extent(10, 10)), Some(extent(640, 480)));
        assert_eq!(choose_extent(&fixed, extent(0, 0)), Some(extent(640, 480)));
    }

    #[test]
    fn extent_of_the_window_is_clamped_to_the_limits() {
        let surface = free_extent(extent(320, 240), extent(1920, 1080));
        assert_eq!(choose_extent(&surface, extent(2560, 200)), Some(extent(1920, 240)));
        assert_eq!(choose_extent(&surface, extent(800, 600)), Some(extent(800, 600)));
    }

    /// T-VK-MIN, one side of which may be zero too.
    #[test]
    fn extent_without_an_area_pauses() {
        for empty in [extent(0, 0), extent(120, 0), extent(0, 120)] {
            let fixed = vk::SurfaceCapabilitiesKHR { current_extent: empty, ..Default::default() };
            assert_eq!(choose_extent(&fixed, extent(800, 600)), None);
            let free = free_extent(extent(1, 1), extent(4096, 4096));
            assert_eq!(choose_extent(&free, empty), None);
        }
        let closed = free_extent(extent(0, 0), extent(0, 0));
        assert_eq!(choose_extent(&closed, extent(800, 600)), None);
    }

    #[test]
    fn image_count_is_one_more_than_the_minimum_up_to_the_maximum() {
        let count = |min, max| {
            choose_image_count(&vk::SurfaceCapabilitiesKHR {
                min_image_count: min,
                max_image_count: max,
                ..Default::default()
            })
        };
        assert_eq!(count(2, 0), 3);
        assert_eq!(count(2, 2), 2);
        assert_eq!(count(2, 8), 3);
        assert_eq!(count(u32::MAX, 0), u32::MAX);
    }

    #[test]
    fn composite_alpha_prefers_opaque_then_pre_then_post_then_inherit() {
        use vk::CompositeAlphaFlagsKHR as Alpha;
        let order = [Alpha::OPAQUE, Alpha::PRE_MULTIPLIED, Alpha::POST_MULTIPLIED, Alpha::INHERIT];
        for first in 0..order.len() {
            let supported = order[first..].iter().fold(Alpha::empty(), |all, &one| all | one);
            assert_eq!(choose_composite_alpha(supported), Ok(order[first]));
        }
        assert!(choose_composite_alpha(Alpha::empty()).is_err());
    }

    #[test]
    fn usage_takes_copies_only_where_supported() {
        use vk::ImageUsageFlags as Usage;
        let color = Usage::COLOR_ATTACHMENT;
        assert_eq!(choose_usage(color | Usage::STORAGE), Ok(color));
        let all = color | Usage::TRANSFER_SRC | Usage::TRANSFER_DST;
        assert_eq!(choose_usage(all), Ok(all));
        assert!(choose_usage(Usage::TRANSFER_DST).is_err());
    }
}
