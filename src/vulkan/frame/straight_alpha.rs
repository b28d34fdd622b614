//! From what blending leaves in a target to the straight alpha of a picture file.
//!
//! Drawing over a clear color multiplied by its alpha keeps the whole target premultiplied in linear light: "over" with a
//! straight source is premultiplied compositing, and so is the average of a multisample resolve (Porter and Duff,
//! *Compositing Digital Images*, SIGGRAPH 1984).

use crate::math::{linear_to_srgb, srgb_to_linear};

/// Clear color with the color multiplied by alpha.
pub(crate) fn premultiplied([r, g, b, a]: [f32; 4]) -> [f32; 4] {
    [r * a, g * a, b * a, a]
}

/// Divides the linear colors of sRGB-encoded, premultiplied RGBA pixels by their alpha, in place. Opaque pixels keep their
/// exact bytes; where nothing is covered the color is unknown and stays black.
pub(crate) fn make_straight(pixels: &mut [u8]) {
    let (pixels, _) = pixels.as_chunks_mut::<4>();
    for [r, g, b, a] in pixels {
        if *a == 0 || *a == 255 {
            continue;
        }
        let alpha = f32::from(*a) / 255.0;
        for color in [r, g, b] {
            *color = linear_to_srgb(srgb_to_linear(*color) / alpha);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opaque_and_uncovered_pixels_keep_their_bytes() {
        let mut pixels = [1, 2, 3, 255, 0, 0, 0, 0];
        make_straight(&mut pixels);
        assert_eq!(pixels, [1, 2, 3, 255, 0, 0, 0, 0]);
    }

    #[test]
    fn half_covered_red_is_red() {
        // Linear 0.5 is 188 in sRGB.
        let mut pixels = [188, 0, 0, 128];
        make_straight(&mut pixels);
        assert_eq!(pixels, [255, 0, 0, 128]);
    }

    #[test]
    fn a_cut_off_pixel_and_no_pixels_are_left_alone() {
        make_straight(&mut []);
        let mut cut = [9, 9, 9];
        make_straight(&mut cut);
        assert_eq!(cut, [9; 3]);
    }
}
