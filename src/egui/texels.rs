//! egui's images as textures of the overlay.

use super::color::{Ink, straight, text_curve};
use crate::assets::{ImageData, MagFilter, MinFilter, Sampler, WrapMode};
use ::egui::{Color32, ColorImage, TextureFilter, TextureOptions, TextureWrapMode};

/// How a texture is read. Where egui asks for mips, they are made.
pub(super) fn sampler(options: TextureOptions) -> Sampler {
    use TextureFilter::{Linear, Nearest};
    let wrap = match options.wrap_mode {
        TextureWrapMode::ClampToEdge => WrapMode::ClampToEdge,
        TextureWrapMode::Repeat => WrapMode::Repeat,
        TextureWrapMode::MirroredRepeat => WrapMode::MirroredRepeat,
    };
    Sampler {
        mag_filter: match options.magnification {
            Nearest => MagFilter::Nearest,
            Linear => MagFilter::Linear,
        },
        min_filter: match (options.minification, options.mipmap_mode) {
            (Nearest, None) => MinFilter::Nearest,
            (Linear, None) => MinFilter::Linear,
            (Nearest, Some(Nearest)) => MinFilter::NearestMipmapNearest,
            (Nearest, Some(Linear)) => MinFilter::NearestMipmapLinear,
            (Linear, Some(Nearest)) => MinFilter::LinearMipmapNearest,
            (Linear, Some(Linear)) => MinFilter::LinearMipmapLinear,
        },
        wrap_u: wrap,
        wrap_v: wrap,
    }
}

/// An image of colors, in straight alpha.
pub(super) fn picture(name: &str, image: &ColorImage) -> ImageData {
    let mut pixels: Vec<[u8; 4]> = image.pixels.iter().map(|&color| straight(color)).collect();
    spread_into_transparent(&mut pixels, image);
    image_data(name, image.size, pixels.into_flattened())
}

/// Texels of a font, with their alpha for text of that ink.
pub(super) fn glyphs(image: &ColorImage, ink: Ink) -> ImageData {
    let curve = text_curve(ink);
    let texels = image.pixels.iter().flat_map(|&color| {
        let [red, green, blue, alpha] = straight(color);
        [red, green, blue, curve[usize::from(alpha)]]
    });
    image_data("egui font", image.size, texels.collect())
}

/// A font's texture: the texels for light ink above those for dark ink.
pub(super) fn font(image: &ColorImage) -> ImageData {
    let mut both = glyphs(image, Ink::Light);
    both.height = both.height.saturating_mul(2);
    if let Some(level) = both.mips.first_mut() {
        level.extend_from_slice(glyphs(image, Ink::Dark).pixels());
    }
    both
}

fn image_data(name: &str, [width, height]: [usize; 2], pixels: Vec<u8>) -> ImageData {
    // A size beyond the type is beyond every device, which the upload then says.
    let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    ImageData { name: name.to_owned(), ..ImageData::rgba8(side(width), side(height), pixels) }
}

/// Gives transparent pixels the mean color of their neighbors that are not. Filters mix straight colors, so without it
/// edges would darken.
fn spread_into_transparent(pixels: &mut [[u8; 4]], image: &ColorImage) {
    let [width, height] = image.size;
    for (at, &color) in image.pixels.iter().enumerate() {
        if color != Color32::TRANSPARENT || width == 0 {
            continue;
        }
        let (x, y) = (at % width, at / width);
        let (mut sum, mut count) = ([0_u32; 3], 0);
        for y in y.saturating_sub(1)..(y + 2).min(height) {
            for x in x.saturating_sub(1)..(x + 2).min(width) {
                let neighbor = image.pixels.get(y * width + x).copied().unwrap_or_default();
                if neighbor != Color32::TRANSPARENT {
                    let [color @ .., _] = straight(neighbor);
                    sum = std::array::from_fn(|channel| sum[channel] + u32::from(color[channel]));
                    count += 1;
                }
            }
        }
        if let (Some(pixel), 1..) = (pixels.get_mut(at), count) {
            let [red, green, blue] = sum.map(|sum| ((sum + count / 2) / count) as u8);
            *pixel = [red, green, blue, 0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fonts_texture_holds_both_inks_one_above_the_other() {
        let alphas = [0, 64, 128, 255];
        let image = ColorImage::new([2, 2], alphas.map(Color32::from_white_alpha).to_vec());
        let font = font(&image);
        assert_eq!((font.width, font.height, font.pixels().len()), (2, 4, 32));
        let alpha = |x, y| font.pixel(x, y).map(|[.., alpha]| alpha);
        for (at, given) in alphas.into_iter().enumerate() {
            let (x, y) = (at as u32 % 2, at as u32 / 2);
            assert_eq!(alpha(x, y), Some(text_curve(Ink::Light)[usize::from(given)]));
            assert_eq!(alpha(x, y + 2), Some(text_curve(Ink::Dark)[usize::from(given)]));
        }
        assert_eq!(font.pixel(1, 0).map(|[red, ..]| red), Some(255));
    }

    #[test]
    fn transparent_texels_take_the_color_beside_them() {
        let half = Color32::from_rgba_unmultiplied(200, 100, 0, 128);
        let image = ColorImage::new([3, 1], vec![half, Color32::TRANSPARENT, Color32::TRANSPARENT]);
        let picture = picture("", &image);
        let [red, green, blue, alpha] = picture.pixel(0, 0).unwrap();
        assert!(red.abs_diff(200) <= 1 && green.abs_diff(100) <= 1 && blue == 0 && alpha == 128);
        assert_eq!(picture.pixel(1, 0), Some([red, green, blue, 0]));
        assert_eq!(picture.pixel(2, 0), Some([0; 4]));
    }

    #[test]
    fn an_image_without_pixels_stays_without() {
        let empty = picture("", &ColorImage::new([0, 0], vec![]));
        assert_eq!((empty.width, empty.height, empty.pixels().len()), (0, 0, 0));
    }

    #[test]
    fn every_option_has_its_sampler() {
        let nearest = sampler(TextureOptions::NEAREST_REPEAT);
        assert_eq!((nearest.mag_filter, nearest.min_filter), (MagFilter::Nearest, MinFilter::Nearest));
        assert_eq!((nearest.wrap_u, nearest.wrap_v), (WrapMode::Repeat, WrapMode::Repeat));
        let mips = TextureOptions::LINEAR.with_mipmap_mode(Some(TextureFilter::Linear));
        assert_eq!(sampler(mips).min_filter, MinFilter::LinearMipmapLinear);
        assert_eq!(sampler(TextureOptions::LINEAR).min_filter, MinFilter::Linear);
    }
}
