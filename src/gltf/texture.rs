//! Textures and samplers.

use super::document::{TextureSampler, Whole};
use super::report::{LoadReport, NoteKind, Severity};
use super::source::Source;
use super::text::Lazy;
use super::texture_source::{chosen, lacking};
use super::usage::{self, Use};
use super::{LoadError, images};
use crate::assets::{ImageData, ImageId, MagFilter, MinFilter, RenderAssets, Sampler, Texture, WrapMode};
use crate::scene::ImageFile;

/// Imports images and textures under their own indices.
///
/// A white pixel, appended once, stands in where a texture names no image that can be read. Returns for each image its file.
pub(super) fn import(
    source: &Source<'_>,
    assets: &mut RenderAssets,
    report: &mut LoadReport,
) -> Result<Vec<Option<ImageFile>>, LoadError> {
    let json = source.json;
    let uses = usage::of_textures(source)?;
    let files = images::import(source, &usage::of_images(source, &uses)?, assets, report)?;
    let mut stand_in = None;
    for (index, texture) in json.textures.iter().enumerate() {
        let path = Lazy(|| format!("textures[{index}]"));
        let image = match chosen(texture) {
            // Range checked with the uses; ids are dense and in source order.
            Some(image) => ImageId::new(u32::try_from(image.index()).unwrap_or(u32::MAX)),
            None => {
                let lacking = lacking(texture);
                if uses[index].kind == Use::Drawn
                    && let Some(lacking) = &lacking
                {
                    let reason =
                        format!("its image is only in the extension {lacking}; give it a PNG or JPEG source");
                    return Err(source.unsupported(path, reason));
                }
                let reason = match lacking {
                    Some(lacking) => {
                        format!("its image is only in the extension {lacking}; a white pixel stands in")
                    }
                    None => "it names no image; a white pixel stands in".to_owned(),
                };
                report.note(Severity::Warning, NoteKind::Approximated, path, reason);
                *stand_in.get_or_insert_with(|| assets.add_image(ImageData::white()))
            }
        };
        let sampler = match texture.sampler {
            Some(sampler) => {
                let (index, sampler) =
                    source.get(&json.samplers, "sampler", sampler, format_args!("{path}.sampler"))?;
                self::sampler(source, sampler, index)?
            }
            None => Sampler::default(),
        };
        assets.add_texture(Texture { name: texture.name.clone().unwrap_or_default(), image, sampler });
    }
    Ok(files)
}

/// A sampler of the document.
pub(super) fn sampler(
    source: &Source<'_>,
    sampler: &TextureSampler,
    index: usize,
) -> Result<Sampler, LoadError> {
    let unknown = |field: &str, number: Whole| {
        let reason = format!("{} is not a value that glTF defines; correct it or leave it out", number.0);
        source.unsupported(format_args!("samplers[{index}].{field}"), reason)
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
