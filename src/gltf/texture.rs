//! Images, samplers and textures.

use super::LoadError;
use super::decode::{Fault, Kind, decode};
use super::document::{Image, Material, TextureInfo, TextureSampler, Whole};
use super::report::{LoadReport, NoteKind, Severity};
use super::source::Source;
use super::uri::shown;
use crate::assets::{ImageData, ImageId, MagFilter, MinFilter, RenderAssets, Sampler, Texture, WrapMode};

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

/// Which textures some material uses.
fn used_textures(source: &Source<'_>) -> Result<Vec<bool>, LoadError> {
    let json = source.json;
    let mut used = vec![false; json.textures.len()];
    for (index, material) in json.materials.iter().enumerate() {
        for (slot, info) in slots(material) {
            if let Some(info) = info {
                let path = format!("materials[{index}].{slot}.index");
                used[source.get(&json.textures, "texture", info.index, &path)?.0] = true;
            }
        }
    }
    Ok(used)
}

/// Imports images and textures under their own indices.
///
/// Only images that a material uses are read and decoded; a white pixel stands in for each other one, so that the rest
/// keep their indices. It also stands in, appended once, where a texture names no image at all.
pub(super) fn import(
    source: &Source<'_>,
    assets: &mut RenderAssets,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    let json = source.json;
    let used = used_textures(source)?;
    let mut used_images = vec![false; json.images.len()];
    for (index, texture) in json.textures.iter().enumerate() {
        if let Some(image) = texture.source {
            let path = format!("textures[{index}].source");
            let (image, _) = source.get(&json.images, "image", image, &path)?;
            used_images[image] |= used[index];
        }
    }
    for (index, image) in json.images.iter().enumerate() {
        let path = format!("images[{index}]");
        let mut data = if used_images[index] {
            decode_image(source, image, &path, report)?
        } else {
            report.ignored(Severity::Info, path, "no material uses it; not decoded, a white pixel stands in");
            white()
        };
        data.name = image.name.clone().unwrap_or_default();
        assets.add_image(data);
    }
    let mut stand_in = None;
    for (index, texture) in json.textures.iter().enumerate() {
        let path = format!("textures[{index}]");
        let image = match texture.source {
            // Range checked above; ids are dense and in source order.
            Some(image) => ImageId::new(u32::try_from(image.index()).unwrap_or(u32::MAX)),
            None => {
                let extensions: Vec<String> =
                    texture.extensions.iter().flatten().map(|(name, _)| shown(name)).collect();
                if used[index] && !extensions.is_empty() {
                    let reason = format!(
                        "its image is only in the extension {}, which is not supported; give it a PNG or JPEG source",
                        extensions.join(", ")
                    );
                    return Err(source.unsupported(path, reason));
                }
                report.note(
                    Severity::Warning,
                    NoteKind::Approximated,
                    path.as_str(),
                    "it names no image; a white pixel stands in",
                );
                *stand_in.get_or_insert_with(|| assets.add_image(white()))
            }
        };
        let sampler = match texture.sampler {
            Some(sampler) => {
                let (index, sampler) =
                    source.get(&json.samplers, "sampler", sampler, &format!("{path}.sampler"))?;
                import_sampler(source, sampler, index)?
            }
            None => Sampler::default(),
        };
        assets.add_texture(Texture { name: texture.name.clone().unwrap_or_default(), image, sampler });
    }
    Ok(())
}

fn white() -> ImageData {
    ImageData::rgba8(1, 1, vec![u8::MAX; 4])
}

fn decode_image(
    source: &Source<'_>,
    image: &Image,
    path: &str,
    report: &mut LoadReport,
) -> Result<ImageData, LoadError> {
    let fetched;
    let bytes = match (&image.uri, image.buffer_view) {
        (Some(uri), None) => {
            fetched = source.fetch(uri, &format!("{path}.uri"))?;
            &fetched[..]
        }
        (None, Some(view)) => source.view(view, &format!("{path}.bufferView"))?,
        (Some(_), Some(_)) => {
            return Err(source.invalid(path, "it has both a uri and a bufferView; keep one"));
        }
        (None, None) => {
            return Err(source.invalid(path, "it has neither a uri nor a bufferView; give it one"));
        }
    };
    let damaged = |reason: String| LoadError::Image {
        file: source.file.to_owned(),
        json_path: path.to_owned(),
        reason: format!("{reason}; export the image again"),
    };
    let kind = Kind::sniff(bytes)
        .ok_or_else(|| damaged("neither a PNG nor a JPEG by its first bytes".to_owned()))?;
    if let (Some(declared), Some(found)) = (&image.mime_type, kind.mime())
        && declared != found
    {
        report.repaired(path, format!("declared as {}, found to be {found}", shown(declared)));
    }
    let largest = source.limits.image_dimension;
    decode(bytes, kind, largest, |bytes| source.charge(bytes, path)).map_err(|fault| match fault {
        Fault::Unsupported(reason) => source.unsupported(path, reason),
        Fault::TooLarge(side) => LoadError::Limit {
            file: source.file.to_owned(),
            json_path: path.to_owned(),
            what: "the image's larger side",
            actual: u64::from(side),
            limit: u64::from(largest),
            field: "image_dimension",
        },
        Fault::Refused(error) => error,
        Fault::Damaged(reason) => damaged(reason),
    })
}

fn import_sampler(source: &Source<'_>, sampler: &TextureSampler, index: usize) -> Result<Sampler, LoadError> {
    let unknown = |field: &str, number: Whole| {
        let reason = format!("{} is not a value that glTF defines; correct it or leave it out", number.0);
        source.unsupported(format!("samplers[{index}].{field}"), reason)
    };
    let mag_filter = match sampler.mag_filter {
        None => MagFilter::default(),
        Some(Whole(9728)) => MagFilter::Nearest,
        Some(Whole(9729)) => MagFilter::Linear,
        Some(number) => return Err(unknown("magFilter", number)),
    };
    let min_filter = match sampler.min_filter {
        None => MinFilter::default(),
        Some(Whole(9728)) => MinFilter::Nearest,
        Some(Whole(9729)) => MinFilter::Linear,
        Some(Whole(9984)) => MinFilter::NearestMipmapNearest,
        Some(Whole(9985)) => MinFilter::LinearMipmapNearest,
        Some(Whole(9986)) => MinFilter::NearestMipmapLinear,
        Some(Whole(9987)) => MinFilter::LinearMipmapLinear,
        Some(number) => return Err(unknown("minFilter", number)),
    };
    let wrap = |field: &str, mode: Option<Whole>| match mode {
        None | Some(Whole(10497)) => Ok(WrapMode::Repeat),
        Some(Whole(33648)) => Ok(WrapMode::MirroredRepeat),
        Some(Whole(33071)) => Ok(WrapMode::ClampToEdge),
        Some(number) => Err(unknown(field, number)),
    };
    Ok(Sampler {
        mag_filter,
        min_filter,
        wrap_u: wrap("wrapS", sampler.wrap_s)?,
        wrap_v: wrap("wrapT", sampler.wrap_t)?,
    })
}
