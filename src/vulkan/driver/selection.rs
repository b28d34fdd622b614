//! Which device is used, and which of its queue families: pure functions of [`DeviceFacts`].

use ash::vk;

use super::facts::DeviceFacts;
use super::instance::REQUIRED_API;
use super::instance_support::version_text;
use crate::vulkan::error::{RejectedDevice, RendererError};

/// Queue families for drawing and for presenting; the same one where a family can do both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueueFamilies {
    pub(crate) graphics: u32,
    /// `None` when there is no window.
    pub(crate) present: Option<u32>,
}

impl QueueFamilies {
    /// The families without repetition, graphics first.
    pub(crate) fn distinct(self) -> Vec<u32> {
        let mut families = vec![self.graphics];
        families.extend(self.present.filter(|&present| present != self.graphics));
        families
    }
}

/// The chosen device: its position in the list and its families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) index: usize,
    pub(crate) families: QueueFamilies,
}

/// The best suitable device; of equals the first. `filter` keeps only devices whose name contains it, ignoring case.
pub(crate) fn choose(devices: &[DeviceFacts], filter: Option<&str>) -> Result<Choice, RendererError> {
    if devices.is_empty() {
        return Err(RendererError::NoDriver { reason: "the loader lists no device".to_owned() });
    }
    let mut rejected = Vec::new();
    let mut best: Option<(u32, Choice)> = None;
    for (index, facts) in devices.iter().enumerate() {
        match suitable_families(facts, filter) {
            Ok(families) => {
                let score = score(facts.device_type);
                if best.is_none_or(|(highest, _)| score > highest) {
                    best = Some((score, Choice { index, families }));
                }
            }
            Err(reason) => {
                event!(DEBUG, device = facts.name.as_str(), reason = reason.as_str(), "device rejected");
                rejected.push(RejectedDevice { name: facts.name.clone(), reason });
            }
        }
    }
    best.map(|(_, choice)| choice).ok_or(RendererError::NoSuitableDevice { rejected })
}

/// How much a kind of device is preferred.
fn score(device_type: vk::PhysicalDeviceType) -> u32 {
    match device_type {
        vk::PhysicalDeviceType::DISCRETE_GPU => 4,
        vk::PhysicalDeviceType::INTEGRATED_GPU => 3,
        vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
        _ => 1,
    }
}

/// The families to use, or the first requirement that the device does not meet.
pub(crate) fn suitable_families(facts: &DeviceFacts, filter: Option<&str>) -> Result<QueueFamilies, String> {
    if let Some(filter) = filter
        && !facts.name.to_lowercase().contains(&filter.to_lowercase())
    {
        return Err(format!("its name does not contain `{filter}`, which was asked for"));
    }
    if facts.api_version < REQUIRED_API {
        let version = version_text(facts.api_version);
        return Err(format!("it offers Vulkan {version}, and 1.3 is needed"));
    }
    if let Some(failure) = &facts.query_failure {
        return Err(failure.clone());
    }
    let window = facts.surface;
    let requirements = [
        (window.is_none() || facts.swapchain_extension, "no extension VK_KHR_swapchain"),
        (facts.dynamic_rendering, "no feature dynamicRendering"),
        (facts.synchronization2, "no feature synchronization2"),
        (facts.multi_draw_indirect, "no feature multiDrawIndirect"),
        (facts.draw_indirect_first_instance, "no feature drawIndirectFirstInstance"),
    ];
    if let Some((_, reason)) = requirements.iter().find(|(met, _)| !met) {
        return Err((*reason).to_owned());
    }
    let families = choose_families(facts)?;
    if let Some(surface) = window {
        let requirements = [
            (surface.formats > 0, "no image format for the window"),
            (surface.present_modes > 0, "no present mode for the window"),
            (surface.color_attachment, "the window's images cannot be drawn to"),
        ];
        if let Some((_, reason)) = requirements.iter().find(|(met, _)| !met) {
            return Err((*reason).to_owned());
        }
    }
    Ok(families)
}

/// The first family that draws and presents, else the first that draws and the first that presents.
fn choose_families(facts: &DeviceFacts) -> Result<QueueFamilies, String> {
    let first = |wanted: fn(&super::facts::FamilyFacts) -> bool| {
        (0_u32..).zip(&facts.families).find(|(_, family)| wanted(family)).map(|(index, _)| index)
    };
    let graphics = first(|family| family.graphics).ok_or("no queue family for graphics")?;
    if facts.surface.is_none() {
        return Ok(QueueFamilies { graphics, present: None });
    }
    if let Some(both) = first(|family| family.graphics && family.presents) {
        return Ok(QueueFamilies { graphics: both, present: Some(both) });
    }
    let present = first(|family| family.presents).ok_or("no queue family that can present to the window")?;
    Ok(QueueFamilies { graphics, present: Some(present) })
}

#[cfg(test)]
mod tests {
    use super::super::facts::{FamilyFacts, SurfaceFacts};
    use super::*;

    fn family(graphics: bool, presents: bool) -> FamilyFacts {
        FamilyFacts { graphics, presents, timestamp_valid_bits: 64 }
    }

    fn good(name: &str, device_type: vk::PhysicalDeviceType) -> DeviceFacts {
        DeviceFacts {
            name: name.to_owned(),
            device_type,
            api_version: REQUIRED_API,
            swapchain_extension: true,
            dynamic_rendering: true,
            synchronization2: true,
            multi_draw_indirect: true,
            draw_indirect_first_instance: true,
            families: vec![family(true, true)],
            surface: Some(SurfaceFacts { formats: 1, present_modes: 1, color_attachment: true }),
            query_failure: None,
        }
    }

    fn reason(change: impl FnOnce(&mut DeviceFacts)) -> String {
        let mut facts = good("gpu", vk::PhysicalDeviceType::DISCRETE_GPU);
        change(&mut facts);
        match choose(&[facts], None) {
            Err(RendererError::NoSuitableDevice { mut rejected }) => {
                assert_eq!(rejected.len(), 1);
                assert_eq!(rejected[0].name, "gpu");
                rejected.remove(0).reason
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_missing_requirement_is_named() {
        let old = vk::make_api_version(0, 1, 2, 7);
        assert_eq!(reason(|f| f.api_version = old), "it offers Vulkan 1.2.7, and 1.3 is needed");
        assert!(reason(|f| f.swapchain_extension = false).contains("VK_KHR_swapchain"));
        assert!(reason(|f| f.dynamic_rendering = false).contains("dynamicRendering"));
        assert!(reason(|f| f.synchronization2 = false).contains("synchronization2"));
        assert!(reason(|f| f.multi_draw_indirect = false).contains("multiDrawIndirect"));
        assert!(reason(|f| f.draw_indirect_first_instance = false).contains("drawIndirectFirstInstance"));
        assert!(reason(|f| f.families = vec![family(false, true)]).contains("graphics"));
        assert!(reason(|f| f.families = vec![family(true, false)]).contains("present"));
        let surface =
            |change: fn(&mut SurfaceFacts)| reason(|f| change(f.surface.as_mut().expect("a window")));
        assert!(surface(|s| s.formats = 0).contains("format"));
        assert!(surface(|s| s.present_modes = 0).contains("present mode"));
        assert!(surface(|s| s.color_attachment = false).contains("drawn to"));
        assert_eq!(reason(|f| f.query_failure = Some("lost".into())), "lost");
    }

    #[test]
    fn the_first_failing_requirement_is_the_reason() {
        let text = reason(|f| {
            f.synchronization2 = false;
            f.dynamic_rendering = false;
            f.families.clear();
        });
        assert!(text.contains("dynamicRendering"));
    }

    #[test]
    fn headless_needs_nothing_of_a_window() {
        let mut facts = good("gpu", vk::PhysicalDeviceType::CPU);
        facts.surface = None;
        facts.swapchain_extension = false;
        facts.families = vec![family(false, false), family(true, false)];
        let families = QueueFamilies { graphics: 1, present: None };
        assert_eq!(choose(&[facts], None), Ok(Choice { index: 0, families }));
        assert_eq!(families.distinct(), [1]);
    }

    #[test]
    fn discrete_beats_integrated_beats_virtual_beats_cpu() {
        use vk::PhysicalDeviceType as Type;
        let order = [Type::CPU, Type::VIRTUAL_GPU, Type::INTEGRATED_GPU, Type::DISCRETE_GPU];
        let all = order.map(|kind| good("gpu", kind));
        for count in 1..=all.len() {
            let choice = choose(&all[..count], None).unwrap();
            assert_eq!(choice.index, count - 1);
        }
        let other = [good("a", Type::OTHER), good("b", Type::CPU)];
        assert_eq!(choose(&other, None).unwrap().index, 0, "equal: first");
    }

    #[test]
    fn a_suitable_cpu_beats_an_unsuitable_gpu() {
        let mut gpu = good("gpu", vk::PhysicalDeviceType::DISCRETE_GPU);
        gpu.synchronization2 = false;
        let cpu = good("cpu", vk::PhysicalDeviceType::CPU);
        assert_eq!(choose(&[gpu, cpu], None).unwrap().index, 1);
    }

    #[test]
    fn the_name_filter_ignores_case_and_is_a_reason() {
        let devices = [
            good("NVIDIA H200", vk::PhysicalDeviceType::DISCRETE_GPU),
            good("llvmpipe (LLVM)", vk::PhysicalDeviceType::CPU),
        ];
        assert_eq!(choose(&devices, Some("LLVMpipe")).unwrap().index, 1);
        let Err(RendererError::NoSuitableDevice { rejected }) = choose(&devices, Some("amd")) else {
            panic!("no device is called amd");
        };
        assert_eq!(rejected.len(), 2);
        assert!(rejected.iter().all(|device| device.reason.contains("`amd`")));
    }

    #[test]
    fn one_family_for_both_is_preferred_to_two() {
        let choose_from = |families: Vec<FamilyFacts>| {
            let mut facts = good("gpu", vk::PhysicalDeviceType::OTHER);
            facts.families = families;
            choose(&[facts], None).unwrap().families
        };
        let both = choose_from(vec![family(true, false), family(false, true), family(true, true)]);
        assert_eq!((both.graphics, both.present), (2, Some(2)));
        assert_eq!(both.distinct(), [2]);
        let apart = choose_from(vec![family(false, false), family(true, false), family(false, true)]);
        assert_eq!((apart.graphics, apart.present), (1, Some(2)));
        assert_eq!(apart.distinct(), [1, 2]);
    }

    #[test]
    fn no_device_at_all_is_a_missing_driver() {
        assert!(matches!(choose(&[], None), Err(RendererError::NoDriver { .. })));
    }
}
