//! Materials.

use super::LoadError;
use super::document::{Material as JsonMaterial, TextureInfo};
use super::report::{LoadReport, NoteKind, Severity};
use super::source::Source;
use super::texture::slots;
use crate::assets::{AlphaMode, Color4, Material, RenderAssets, TextureId, TextureSlot, UvTransform};
use crate::math::Vec2;

/// Imports every material under its own index.
pub(super) fn import(
    source: &Source<'_>,
    assets: &mut RenderAssets,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    for (index, material) in source.json.materials.iter().enumerate() {
        let path = format!("materials[{index}]");
        let imported = import_one(source, material, &path)?;
        if !imported.unlit {
            report.note(
                Severity::Warning,
                NoteKind::Approximated,
                path.as_str(),
                "it asks for lighting; drawn unlit, from its base color alone",
            );
        }
        for (slot, info) in &slots(material)[1..] {
            if info.is_some() {
                report.ignored(
                    Severity::Info,
                    format!("{path}.{slot}"),
                    "imported, but not drawn by unlit shading",
                );
            }
        }
        assets.add_material(imported);
    }
    Ok(())
}

fn import_one(source: &Source<'_>, material: &JsonMaterial, path: &str) -> Result<Material, LoadError> {
    let factor = material.pbr_metallic_roughness.as_ref().and_then(|m| m.base_color_factor);
    let alpha_mode = match material.alpha_mode.as_deref() {
        None | Some("OPAQUE") => AlphaMode::Opaque,
        Some("MASK") => AlphaMode::Mask { cutoff: material.alpha_cutoff.unwrap_or(0.5) },
        Some("BLEND") => AlphaMode::Blend,
        Some(mode) => {
            let reason = format!("\"{}\" is not OPAQUE, MASK or BLEND; correct it", super::text::shown(mode));
            return Err(source.invalid(format!("{path}.alphaMode"), reason));
        }
    };
    let [base_color, metallic_roughness, normal, occlusion, emissive] =
        slots(material).map(|(slot, info)| {
            info.map(|info| import_slot(source, info, &format!("{path}.{slot}"))).transpose()
        });
    Ok(Material {
        name: material.name.clone().unwrap_or_default(),
        base_color_factor: factor.map_or(Color4::WHITE, Color4::from),
        base_color_texture: base_color?,
        metallic_roughness_texture: metallic_roughness?,
        normal_texture: normal?,
        occlusion_texture: occlusion?,
        emissive_texture: emissive?,
        alpha_mode,
        double_sided: material.double_sided,
        unlit: material.extensions.as_ref().is_some_and(|e| e.unlit.is_some()),
        ..Material::default()
    })
}

fn import_slot(source: &Source<'_>, info: &TextureInfo, path: &str) -> Result<TextureSlot, LoadError> {
    let (texture, _) = source.get(&source.json.textures, "texture", info.index, &format!("{path}.index"))?;
    let transform = info.extensions.as_ref().and_then(|extensions| extensions.transform.as_ref());
    let set = transform.and_then(|transform| transform.tex_coord).or(info.tex_coord);
    let uv_set = match set {
        None => 0,
        Some(set) => u32::try_from(set.0).map_err(|_| {
            source.invalid(format!("{path}.texCoord"), format!("there is no TEXCOORD_{}; correct it", set.0))
        })?,
    };
    let transform = transform.map_or(UvTransform::IDENTITY, |transform| UvTransform {
        offset: transform.offset.map_or(Vec2::ZERO, Vec2::from_array),
        rotation: transform.rotation.unwrap_or(0.0),
        scale: transform.scale.map_or(Vec2::ONE, Vec2::from_array),
    });
    Ok(TextureSlot { texture: TextureId::new(u32::try_from(texture).unwrap_or(u32::MAX)), uv_set, transform })
}
