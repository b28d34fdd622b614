//! What materials use textures and images for.

use super::LoadError;
use super::document::{Material, TextureInfo};
use super::source::Source;
use super::text::Lazy;
use super::texture_source::chosen;
use crate::assets::{SlotKind, TextureRole};

/// The slots of a material in glTF's order, each with its path below the material.
pub(super) fn slots(material: &Material) -> [(&'static str, Option<&TextureInfo>); 5] {
    let metallic_roughness = material.pbr_metallic_roughness.as_ref();
    [
        (
            "pbrMetallicRoughness.baseColorTexture",
            metallic_roughness.and_then(|m| m.base_color_texture.as_ref()),
        ),
        (
            "pbrMetallicRoughness.metallicRoughnessTexture",
            metallic_roughness.and_then(|m| m.metallic_roughness_texture.as_ref()),
        ),
        ("normalTexture", material.normal_texture.as_ref()),
        ("occlusionTexture", material.occlusion_texture.as_ref()),
        ("emissiveTexture", material.emissive_texture.as_ref()),
    ]
}

/// What becomes of a texture or image in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Use {
    /// No slot that is read uses it; one of an extension that is not read still may.
    #[default]
    None,
    /// Materials use it, in slots that the base-color view does not show.
    Kept,
    /// A base color, which is drawn.
    Drawn,
}

/// All that materials want of a texture or image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Usage {
    pub kind: Use,
    /// Some slot reads it as colors.
    pub color: bool,
    /// Some slot reads it as data.
    pub data: bool,
    /// It is the base color of a material that blends.
    pub blended: bool,
    /// The first material that masks by its alpha, as its base color, and the lowest byte that passes there.
    pub mask: Option<(usize, u8)>,
    /// Other materials mask by it with another cutoff.
    pub other_masks: bool,
}

impl Usage {
    pub fn merge(&mut self, other: &Self) {
        self.kind = self.kind.max(other.kind);
        self.color |= other.color;
        self.data |= other.data;
        self.blended |= other.blended;
        self.other_masks |= other.other_masks;
        self.mask = match (self.mask, other.mask) {
            (Some(one), Some(two)) => {
                self.other_masks |= one.1 != two.1;
                Some(if two.0 < one.0 { two } else { one })
            }
            (one, two) => one.or(two),
        };
    }
}

/// The usage of each texture.
pub(super) fn of_textures(source: &Source<'_>) -> Result<Vec<Usage>, LoadError> {
    let json = source.json;
    let mut usages = vec![Usage::default(); json.textures.len()];
    for (index, material) in json.materials.iter().enumerate() {
        for (slot, (place, info)) in SlotKind::ALL.into_iter().zip(slots(material)) {
            let Some(info) = info else { continue };
            let path = Lazy(|| format!("materials[{index}].{place}.index"));
            let (texture, _) = source.get(&json.textures, "texture", info.index, path)?;
            let drawn = slot == SlotKind::BaseColor;
            usages[texture].merge(&Usage {
                kind: if drawn { Use::Drawn } else { Use::Kept },
                color: slot.role() == TextureRole::Color,
                data: slot.role() == TextureRole::Data,
                blended: drawn && material.alpha_mode.as_deref() == Some("BLEND"),
                mask: Some(material).filter(|_| drawn).and_then(lowest_passing).map(|pass| (index, pass)),
                other_masks: false,
            });
        }
    }
    Ok(usages)
}

/// The usage of each image, from that of the textures.
pub(super) fn of_images(source: &Source<'_>, textures: &[Usage]) -> Result<Vec<Usage>, LoadError> {
    let json = source.json;
    let mut usages = vec![Usage::default(); json.images.len()];
    for (index, (texture, usage)) in json.textures.iter().zip(textures).enumerate() {
        if let Some(image) = chosen(texture) {
            let (image, _) = source.get(&json.images, "image", image, format_args!("textures[{index}]"))?;
            usages[image].merge(usage);
        }
    }
    Ok(usages)
}

/// The lowest alpha of the base color texture, as a byte, that passes the material's cutoff. `None` for other alpha modes,
/// and where all of them pass or none does.
fn lowest_passing(material: &Material) -> Option<u8> {
    if material.alpha_mode.as_deref() != Some("MASK") {
        return None;
    }
    let cutoff = material.alpha_cutoff.unwrap_or(0.5);
    let factor = material.pbr_metallic_roughness.as_ref().and_then(|m| m.base_color_factor);
    let factor = factor.map_or(1.0, |[.., alpha]| alpha.clamp(0.0, 1.0));
    (0..=u8::MAX).find(|&alpha| f32::from(alpha) / 255.0 * factor >= cutoff).filter(|&alpha| alpha > 0)
}
