//! Materials.

use super::LoadError;
use super::document::{Material as JsonMaterial, TextureInfo};
use super::report::{LoadReport, NoteKind, Severity};
use super::source::Source;
use super::text::{Lazy, shown};
use super::usage::slots;
use crate::assets::{AlphaMode, Color4, Material, RenderAssets, TextureId, TextureSlot, UvTransform};
use crate::math::{Vec2, Vec3};
use std::fmt::Display;

/// Imports every material under its own index.
pub(super) fn import(
    source: &Source<'_>,
    assets: &mut RenderAssets,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    for (index, material) in source.json.materials.iter().enumerate() {
        let path = Lazy(|| format!("materials[{index}]"));
        let imported = import_one(source, material, &path, report)?;
        if !imported.unlit {
            report.note(
                Severity::Warning,
                NoteKind::Approximated,
                path,
                "it asks for lighting; drawn unlit, from its base color alone",
            );
        }
        for (slot, info) in &slots(material)[1..] {
            if info.is_some() {
                report.ignored(
                    Severity::Info,
                    format_args!("{path}.{slot}"),
                    "imported; the base-color view does not show it",
                );
            }
        }
        assets.add_material(imported);
    }
    Ok(())
}

fn import_one(
    source: &Source<'_>,
    material: &JsonMaterial,
    path: &dyn Display,
    report: &mut LoadReport,
) -> Result<Material, LoadError> {
    let alpha_mode = match material.alpha_mode.as_deref() {
        None | Some("OPAQUE") => AlphaMode::Opaque,
        Some("MASK") => {
            let cutoff = material.alpha_cutoff.unwrap_or(0.5);
            let [cutoff] = Factors { path, report }.bounded("alphaCutoff", [cutoff], AT_LEAST_0);
            AlphaMode::Mask { cutoff }
        }
        Some("BLEND") => AlphaMode::Blend,
        Some(mode) => {
            let reason = format!("\"{}\" is not OPAQUE, MASK or BLEND; correct it", shown(mode));
            return Err(source.invalid(format_args!("{path}.alphaMode"), reason));
        }
    };
    let [base_color, metallic_roughness, normal, occlusion, emissive] =
        slots(material).map(|(slot, info)| {
            info.map(|info| import_slot(source, info, &format_args!("{path}.{slot}"))).transpose()
        });
    let defaults = Material::default();
    let extensions = material.extensions.as_ref();
    let strength = extensions.and_then(|e| e.emissive_strength.as_ref()).and_then(|e| e.emissive_strength);
    let mut factors = Factors { path, report };
    let metal = material.pbr_metallic_roughness.as_ref();
    let base = metal.and_then(|m| m.base_color_factor).unwrap_or([1.0; 4]);
    let base_color_factor = factors.bounded("pbrMetallicRoughness.baseColorFactor", base, SHARE);
    let [metallic_factor] = factors.bounded(
        "pbrMetallicRoughness.metallicFactor",
        [metal.and_then(|m| m.metallic_factor).unwrap_or(defaults.metallic_factor)],
        SHARE,
    );
    let [roughness_factor] = factors.bounded(
        "pbrMetallicRoughness.roughnessFactor",
        [metal.and_then(|m| m.roughness_factor).unwrap_or(defaults.roughness_factor)],
        SHARE,
    );
    let occlusion_strength = material.occlusion_texture.as_ref().and_then(|info| info.strength);
    let [occlusion_strength] = factors.bounded(
        "occlusionTexture.strength",
        [occlusion_strength.unwrap_or(defaults.occlusion_strength)],
        SHARE,
    );
    let emissive_factor =
        factors.bounded("emissiveFactor", material.emissive_factor.unwrap_or([0.0; 3]), AT_LEAST_0);
    let [emissive_strength] = factors.bounded(
        "extensions.KHR_materials_emissive_strength.emissiveStrength",
        [strength.unwrap_or(defaults.emissive_strength)],
        AT_LEAST_0,
    );
    Ok(Material {
        name: material.name.clone().unwrap_or_default(),
        base_color_factor: Color4::from(base_color_factor),
        base_color_texture: base_color?,
        metallic_factor,
        roughness_factor,
        metallic_roughness_texture: metallic_roughness?,
        normal_texture: normal?,
        normal_scale: material
            .normal_texture
            .as_ref()
            .and_then(|info| info.scale)
            .unwrap_or(defaults.normal_scale),
        occlusion_texture: occlusion?,
        occlusion_strength,
        emissive_factor: Vec3::from_array(emissive_factor),
        emissive_strength,
        emissive_texture: emissive?,
        alpha_mode,
        double_sided: material.double_sided,
        unlit: extensions.is_some_and(|e| e.unlit.is_some()),
    })
}

/// What reflects, covers or hides more than all, or less than nothing, has no meaning.
const SHARE: (f32, f32) = (0.0, 1.0);

/// What may be any amount. glTF bounds emission by 1 too, but files from before KHR_materials_emissive_strength have brighter
/// ones, which means the same.
const AT_LEAST_0: (f32, f32) = (0.0, f32::INFINITY);

/// Brings factors into their ranges, and says so.
struct Factors<'a> {
    path: &'a dyn Display,
    report: &'a mut LoadReport,
}

impl Factors<'_> {
    /// What is not finite stays, for the validation of the content to refuse.
    fn bounded<const N: usize>(
        &mut self,
        field: &str,
        values: [f32; N],
        (low, high): (f32, f32),
    ) -> [f32; N] {
        let bounded = values.map(|value| if value.is_finite() { value.clamp(low, high) } else { value });
        if bounded != values {
            let range = if high == f32::INFINITY { "at least 0" } else { "0 to 1" };
            let message = format!("{values:?} is not {range}; taken as {bounded:?}");
            self.report.repaired(format_args!("{}.{field}", self.path), message);
        }
        bounded
    }
}

fn import_slot(
    source: &Source<'_>,
    info: &TextureInfo,
    path: &dyn Display,
) -> Result<TextureSlot, LoadError> {
    let (texture, _) =
        source.get(&source.json.textures, "texture", info.index, format_args!("{path}.index"))?;
    let transform = info.extensions.as_ref().and_then(|extensions| extensions.transform.as_ref());
    let (place, set) = match transform.and_then(|transform| transform.tex_coord) {
        Some(set) => ("extensions.KHR_texture_transform.texCoord", Some(set)),
        None => ("texCoord", info.tex_coord),
    };
    let uv_set = match set {
        None => 0,
        Some(set) => u32::try_from(set.0).map_err(|_| {
            source.invalid(
                format_args!("{path}.{place}"),
                format!("there is no TEXCOORD_{}; correct it", set.0),
            )
        })?,
    };
    let transform = transform.map_or(UvTransform::IDENTITY, |transform| UvTransform {
        offset: transform.offset.map_or(Vec2::ZERO, Vec2::from_array),
        rotation: transform.rotation.unwrap_or(0.0),
        scale: transform.scale.map_or(Vec2::ONE, Vec2::from_array),
    });
    Ok(TextureSlot { texture: TextureId::new(u32::try_from(texture).unwrap_or(u32::MAX)), uv_set, transform })
}
