//! What pictures of the window have in common, and what not.

use image::{RgbaImage, imageops};

/// The background that the tests ask for: no model has it.
pub const BACKGROUND: &str = "1e2227";
const BACKGROUND_RGB: [u8; 3] = [0x1e, 0x22, 0x27];

/// The part of all pixels that look different. Rounding at edges, where a moved camera came back, does not count.
pub fn difference(one: &RgbaImage, other: &RgbaImage) -> f64 {
    if one.dimensions() != other.dimensions() {
        return 1.0;
    }
    let differ = |(a, b): &(&image::Rgba<u8>, &image::Rgba<u8>)| {
        a.0.iter().zip(b.0).any(|(one, other)| one.abs_diff(other) > 24)
    };
    let count = one.pixels().zip(other.pixels()).filter(differ).count();
    count as f64 / one.pixels().len() as f64
}

/// Whether they show the same.
pub fn same(one: &RgbaImage, other: &RgbaImage) -> bool {
    difference(one, other) < 0.003
}

/// Whether a user would see a difference at once.
pub fn different(one: &RgbaImage, other: &RgbaImage) -> bool {
    difference(one, other) > 0.02
}

/// The largest difference of any channel anywhere.
pub fn worst(one: &RgbaImage, other: &RgbaImage) -> u8 {
    if one.dimensions() != other.dimensions() {
        return u8::MAX;
    }
    one.as_raw().iter().zip(other.as_raw()).map(|(one, other)| one.abs_diff(*other)).max().unwrap_or(0)
}

fn is_background(pixel: &image::Rgba<u8>) -> bool {
    pixel.0.iter().zip(BACKGROUND_RGB).all(|(channel, clear)| channel.abs_diff(clear) <= 1)
}

/// Where something is drawn at all, whatever its color.
pub fn outline(picture: &RgbaImage) -> RgbaImage {
    let mut outline = picture.clone();
    for pixel in outline.pixels_mut() {
        pixel.0 = if is_background(pixel) { [0; 4] } else { [255; 4] };
    }
    outline
}

/// What is drawn: how much of the picture it covers, and its middle in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub part: f64,
    pub x: f64,
    pub y: f64,
}

/// What is drawn on the background; `None` for nothing.
pub fn shape(picture: &RgbaImage) -> Option<Shape> {
    let (mut count, mut x_sum, mut y_sum) = (0.0, 0.0, 0.0);
    for (x, y, _) in picture.enumerate_pixels().filter(|(_, _, pixel)| !is_background(pixel)) {
        count += 1.0;
        x_sum += f64::from(x);
        y_sum += f64::from(y);
    }
    let part = count / f64::from(picture.width() * picture.height());
    (count > 0.0).then(|| Shape { part, x: x_sum / count, y: y_sum / count })
}

/// Whether all four corners are background: nothing is left of an older size, and the model is in view.
pub fn has_clear_corners(picture: &RgbaImage) -> bool {
    let (right, bottom) = (picture.width() - 1, picture.height() - 1);
    [(0, 0), (right, 0), (0, bottom), (right, bottom)]
        .iter()
        .all(|(x, y)| is_background(picture.get_pixel(*x, *y)))
}

/// The part of a picture from its left top corner.
pub fn part(picture: &RgbaImage, (x, y): (u32, u32), (width, height): (u32, u32)) -> RgbaImage {
    imageops::crop_imm(picture, x, y, width, height).to_image()
}

/// A part of a wide window that neither the panel, nor the time line, nor a message covers.
pub fn free(picture: &RgbaImage) -> RgbaImage {
    let (width, height) = picture.dimensions();
    part(picture, (width * 2 / 5, 140), (width * 3 / 5, height.saturating_sub(140 + 60)))
}

/// The part of the pixels that are red and nothing else.
pub fn red_part(picture: &RgbaImage) -> f64 {
    let is_red = |pixel: &&image::Rgba<u8>| pixel.0[0] > 100 && pixel.0[1] < 30 && pixel.0[2] < 30;
    picture.pixels().filter(is_red).count() as f64 / picture.pixels().len() as f64
}
