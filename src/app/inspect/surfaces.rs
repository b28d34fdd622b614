//! Materials with their textures, and images.

use fire_engine::assets::{AlphaMode, ImageData, ImageFormat, Material, UvTransform};
use fire_engine::scene::Content;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct MaterialFacts<'a> {
    pub index: usize,
    pub name: &'a str,
    pub alpha_mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_cutoff: Option<f32>,
    pub double_sided: bool,
    pub unlit: bool,
    pub base_color_factor: [f32; 4],
    pub metallic_factor: f32,
    pub roughness_factor: f32,
    pub normal_scale: f32,
    pub occlusion_strength: f32,
    pub emissive_factor: [f32; 3],
    pub emissive_strength: f32,
    pub textures: Vec<SlotFacts>,
}

/// A texture in a slot of a material.
#[derive(Debug, Serialize)]
pub struct SlotFacts {
    pub slot: &'static str,
    pub texture: usize,
    /// `None` where the texture has no image.
    pub image: Option<usize>,
    /// Which UV set of the mesh.
    pub tex_coord: u32,
    /// Whether the coordinates are moved, turned or scaled.
    pub transformed: bool,
}

#[derive(Debug, Serialize)]
pub struct ImageFacts<'a> {
    pub index: usize,
    pub name: &'a str,
    /// Of its file: "PNG", "JPEG", "WebP" or "KTX2". `None`, as all that follows, if it was not decoded.
    pub format: Option<&'static str>,
    /// Of its file.
    pub bytes: Option<u64>,
    pub width: Option<u32>,
    pub height: Option<u32>,
    /// How a pixel is stored once it is decoded.
    pub pixels: Option<&'static str>,
    /// How much that takes, with the mip levels that the file has.
    pub decoded_bytes: Option<u64>,
}

/// The document's materials in order.
pub fn materials(content: &Content) -> Vec<MaterialFacts<'_>> {
    let materials = content.assets.materials().iter().take(content.document.counts.materials).enumerate();
    materials.map(|(index, material)| material_facts(content, index, material)).collect()
}

fn material_facts<'a>(content: &'a Content, index: usize, material: &'a Material) -> MaterialFacts<'a> {
    let (alpha_mode, alpha_cutoff) = match material.alpha_mode {
        AlphaMode::Opaque => ("OPAQUE", None),
        AlphaMode::Mask { cutoff } => ("MASK", Some(cutoff)),
        AlphaMode::Blend => ("BLEND", None),
    };
    let textures = material.texture_slots().map(|(kind, slot)| {
        let image = content.assets.texture(slot.texture).map(|texture| texture.image.index());
        SlotFacts {
            slot: kind.name(),
            texture: slot.texture.index(),
            image: image.filter(|&image| image < content.document.counts.images),
            tex_coord: slot.uv_set,
            transformed: slot.transform != UvTransform::IDENTITY,
        }
    });
    MaterialFacts {
        index,
        name: &material.name,
        alpha_mode,
        alpha_cutoff,
        double_sided: material.double_sided,
        unlit: material.unlit,
        base_color_factor: material.base_color_factor.to_array(),
        metallic_factor: material.metallic_factor,
        roughness_factor: material.roughness_factor,
        normal_scale: material.normal_scale,
        occlusion_strength: material.occlusion_strength,
        emissive_factor: material.emissive_factor.to_array(),
        emissive_strength: material.emissive_strength,
        textures: textures.collect(),
    }
}

/// The document's images in order.
pub fn images(content: &Content) -> Vec<ImageFacts<'_>> {
    let files = content.document.images.iter().zip(content.assets.images()).enumerate();
    files
        .map(|(index, (file, image))| {
            // Without a file a white pixel stands in, which is nothing to tell of.
            let decoded = file.map(|_| image);
            ImageFacts {
                index,
                name: &image.name,
                format: file.map(|file| file.format),
                bytes: file.map(|file| file.bytes),
                width: decoded.map(|image| image.width),
                height: decoded.map(|image| image.height),
                pixels: decoded.map(|image| pixels(image.format)),
                decoded_bytes: decoded.map(stored),
            }
        })
        .collect()
}

/// Bytes of an image's levels.
pub fn stored(image: &ImageData) -> u64 {
    image.mips.iter().map(|level| level.len() as u64).sum()
}

/// What the pixels are in memory.
pub fn pixels(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Rgba8 => "RGBA8",
        ImageFormat::Rgba16 => "RGBA16",
        ImageFormat::Bc7 => "BC7",
        ImageFormat::Etc2Rgba8 => "ETC2",
        ImageFormat::Astc4x4 => "ASTC 4x4",
        _ => "other",
    }
}
