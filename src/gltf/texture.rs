//! Images, samplers and textures.

use super::LoadError;
use super::decode::{Fault, Kind, decode, measure};
use super::document::{Image, Material, Texture as JsonTexture, TextureInfo, TextureSampler, Whole};
use super::report::{LoadReport, NoteKind, Severity};
use super::source::Source;
use super::support::{self, BASISU, Support, WEBP};
use super::text::shown;
use crate::assets::{ImageData, ImageId, MagFilter, MinFilter, RenderAssets, Sampler, Texture, WrapMode};
use std::collections::HashMap;

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

/// The images that a texture names, the best first, each with its path below the texture.
pub(super) fn sources(texture: &JsonTexture) -> [(&'static str, Option<Whole>); 3] {
    let extensions = texture.extensions.as_ref();
    [
        (
            "extensions.KHR_texture_basisu.source",
            extensions.and_then(|e| e.basisu.as_ref()).and_then(|s| s.source),
        ),
        (
            "extensions.EXT_texture_webp.source",
            extensions.and_then(|e| e.webp.as_ref()).and_then(|s| s.source),
        ),
        ("source", texture.source),
    ]
}

/// The best image of a texture that this build can decode.
fn chosen(texture: &JsonTexture) -> Option<Whole> {
    let [(_, basisu), (_, webp), (_, plain)] = sources(texture);
    let read =
        |extension: &str, image: Option<Whole>| image.filter(|_| support::support(extension) == Support::Yes);
    read(BASISU, basisu).or(read(WEBP, webp)).or(plain)
}

/// What a texture's image needs that this build lacks, where every image of it is in extensions.
fn lacking(texture: &JsonTexture) -> Option<String> {
    let extensions = texture.extensions.as_ref()?;
    let named = [(BASISU, extensions.basisu.is_some()), (WEBP, extensions.webp.is_some())];
    let named = named.into_iter().filter_map(|(name, is_there)| is_there.then_some(name));
    let reasons: Vec<String> = named
        .chain(extensions.others.iter().map(String::as_str))
        .filter_map(|name| Some(format!("{}, which is {}", shown(name), support::missing(name)?)))
        .collect();
    (!reasons.is_empty()).then(|| reasons.join(", and in "))
}

/// What becomes of a texture or image in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// No material uses it.
    None,
    /// Materials use it, in slots that are kept and not drawn.
    Kept,
    /// A base color, which is drawn.
    Drawn,
}

fn texture_uses(source: &Source<'_>) -> Result<Vec<Use>, LoadError> {
    let json = source.json;
    let mut uses = vec![Use::None; json.textures.len()];
    for (index, material) in json.materials.iter().enumerate() {
        for (position, (slot, info)) in slots(material).into_iter().enumerate() {
            if let Some(info) = info {
                let path = format!("materials[{index}].{slot}.index");
                let (texture, _) = source.get(&json.textures, "texture", info.index, &path)?;
                uses[texture] = uses[texture].max(if position == 0 { Use::Drawn } else { Use::Kept });
            }
        }
    }
    Ok(uses)
}

/// Where an image's bytes come from. Images that share them are decoded once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Origin<'a> {
    Uri(&'a str),
    View(Whole),
}

/// Imports images and textures under their own indices.
///
/// Only images that a material uses are read and decoded; a white pixel stands in for each other one, so that the rest
/// keep their indices. It also stands in for images that cannot be had and would not be drawn, and, appended once, where
/// a texture names no image at all.
pub(super) fn import(
    source: &Source<'_>,
    assets: &mut RenderAssets,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    let json = source.json;
    let uses = texture_uses(source)?;
    let mut image_uses = vec![Use::None; json.images.len()];
    for (index, texture) in json.textures.iter().enumerate() {
        if let Some(image) = chosen(texture) {
            let (image, _) = source.get(&json.images, "image", image, &format!("textures[{index}]"))?;
            image_uses[image] = image_uses[image].max(uses[index]);
        }
    }
    let mut decoded: HashMap<Origin<'_>, (ImageId, Kind)> = HashMap::new();
    for (index, (image, &used)) in json.images.iter().zip(&image_uses).enumerate() {
        let path = format!("images[{index}]");
        let origin = origin(source, image, &path)?;
        let mut data = if used == Use::None {
            report.ignored(
                Severity::Info,
                path.as_str(),
                "no material uses it; not decoded, a white pixel stands in",
            );
            white()
        } else {
            match import_image(source, image, origin, assets, &mut decoded, &path, report) {
                Ok(data) => data,
                Err(error) if used == Use::Kept => {
                    let message = format!(
                        "{}; none of its textures is drawn, so a white pixel stands in",
                        stand_in_reason(&error)
                    );
                    report.note(Severity::Warning, NoteKind::Ignored, path.as_str(), message);
                    white()
                }
                Err(error) => return Err(error),
            }
        };
        data.name = image.name.clone().unwrap_or_default();
        assets.add_image(data);
    }
    let mut stand_in = None;
    for (index, texture) in json.textures.iter().enumerate() {
        let path = format!("textures[{index}]");
        let image = match chosen(texture) {
            // Range checked above; ids are dense and in source order.
            Some(image) => ImageId::new(u32::try_from(image.index()).unwrap_or(u32::MAX)),
            None => {
                if uses[index] == Use::Drawn
                    && let Some(lacking) = lacking(texture)
                {
                    let reason =
                        format!("its image is only in the extension {lacking}; give it a PNG or JPEG source");
                    return Err(source.unsupported(path, reason));
                }
                let reason = match lacking(texture) {
                    Some(lacking) => {
                        format!("its image is only in the extension {lacking}; a white pixel stands in")
                    }
                    None => "it names no image; a white pixel stands in".to_owned(),
                };
                report.note(Severity::Warning, NoteKind::Approximated, path.as_str(), reason);
                *stand_in.get_or_insert_with(|| assets.add_image(white()))
            }
        };
        let sampler = match texture.sampler {
            Some(sampler) => {
                let (index, sampler) =
                    source.get(&json.samplers, "sampler", sampler, &format!("{path}.sampler"))?;
                self::sampler(source, sampler, index)?
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

/// The one place that an image names for its bytes.
pub(super) fn origin<'a>(source: &Source<'_>, image: &'a Image, path: &str) -> Result<Origin<'a>, LoadError> {
    match (&image.uri, image.buffer_view) {
        (Some(uri), None) => Ok(Origin::Uri(uri)),
        (None, Some(view)) => Ok(Origin::View(view)),
        (Some(_), Some(_)) => Err(source.invalid(path, "it has both a uri and a bufferView; keep one")),
        (None, None) => Err(source.invalid(path, "it has neither a uri nor a bufferView; give it one")),
    }
}

/// Decodes an image, or copies the pixels of an earlier one with the same bytes.
fn import_image<'a>(
    source: &Source<'a>,
    image: &Image,
    origin: Origin<'a>,
    assets: &RenderAssets,
    decoded: &mut HashMap<Origin<'a>, (ImageId, Kind)>,
    path: &str,
    report: &mut LoadReport,
) -> Result<ImageData, LoadError> {
    let earlier = decoded.get(&origin).and_then(|&(id, kind)| Some((assets.image(id)?, kind)));
    let (data, kind) = match earlier {
        Some((earlier, kind)) => {
            source.charge(earlier.pixels().len() as u64, path)?;
            (earlier.clone(), kind)
        }
        None => {
            let (data, kind) = decode_image(source, origin, path)?;
            let id = ImageId::new(u32::try_from(assets.images().len()).unwrap_or(u32::MAX));
            decoded.insert(origin, (id, kind));
            (data, kind)
        }
    };
    if let (Some(declared), Some(found)) = (&image.mime_type, kind.mime())
        && declared != found
    {
        report.repaired(path, format!("declared as {}, found to be {found}", shown(declared)));
    }
    Ok(data)
}

/// An image's error without the file and the path, which a report's row has already.
fn stand_in_reason(error: &LoadError) -> String {
    match error {
        LoadError::Image { reason, .. } | LoadError::Unsupported { reason, .. } => reason.clone(),
        LoadError::Resource { uri, cause, .. } => format!("\"{uri}\": {cause}"),
        error => error.to_string(),
    }
}

fn decode_image(source: &Source<'_>, origin: Origin<'_>, path: &str) -> Result<(ImageData, Kind), LoadError> {
    let fetched;
    let bytes = match origin {
        Origin::Uri(uri) => {
            fetched = source.fetch(uri, &format!("{path}.uri"))?;
            &fetched[..]
        }
        Origin::View(view) => source.view(view, &format!("{path}.bufferView"))?,
    };
    let damaged = |reason: String| LoadError::Image {
        file: source.file.to_owned(),
        json_path: path.to_owned(),
        reason: format!("{reason}; export the image again"),
    };
    let unavailable = |fault: Fault| match fault {
        Fault::Unsupported(reason) => source.unsupported(path, reason),
        Fault::TooLarge(side) => LoadError::Limit {
            file: source.file.to_owned(),
            json_path: path.to_owned(),
            what: "the image's larger side",
            actual: u64::from(side),
            limit: u64::from(source.limits.image_dimension),
            field: "image_dimension",
        },
        Fault::OutOfMemory(bytes) => source.out_of_memory(bytes, path),
        Fault::Damaged(reason) => damaged(reason),
    };
    let kind = Kind::sniff(bytes)
        .ok_or_else(|| damaged("neither a PNG nor a JPEG by its first bytes".to_owned()))?;
    let header = measure(bytes, kind, source.limits.image_dimension, false).map_err(unavailable)?;
    source.charge(header.bytes, path)?;
    Ok((decode(bytes, kind, &header).map_err(unavailable)?, kind))
}

/// A sampler of the document.
pub(super) fn sampler(
    source: &Source<'_>,
    sampler: &TextureSampler,
    index: usize,
) -> Result<Sampler, LoadError> {
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
