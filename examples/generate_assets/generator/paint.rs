//! Anti-aliased painting with signed distances, and PNG encoding.
//!
//! A shape is a function from a point to its signed distance (negative inside). Points are in
//! drawing units, x to the right and y down, whatever the size of the canvas in pixels.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageError};

/// A point, in drawing units.
pub type Point = [f32; 2];

/// An sRGB color, or three numbers of a data texture.
pub type Rgb = [u8; 3];

/// What the three channels mean, which decides how an edge is blended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// sRGB colors, blended as squares: close to linear light, and exactly
    /// reproducible, which a power function is not.
    Color,
    /// Plain numbers, blended as they are.
    Data,
}

/// A square picture under construction.
pub struct Canvas {
    size: u32,
    /// Pixels per drawing unit.
    scale: f32,
    encoding: Encoding,
    pixels: Vec<[f32; 3]>,
    alpha: Vec<f32>,
}

impl Canvas {
    /// An opaque canvas of `size` x `size` pixels that shows `units` x `units` drawing units.
    pub fn new(size: u32, units: f32, encoding: Encoding, background: Rgb) -> Self {
        let count = (size * size) as usize;
        Self {
            size,
            scale: size as f32 / units,
            encoding,
            pixels: vec![decode(encoding, background); count],
            alpha: vec![1.0; count],
        }
    }

    /// Paints a shape.
    pub fn fill(&mut self, color: Rgb, shape: impl Fn(Point) -> f32) {
        let color = decode(self.encoding, color);
        for index in 0..self.pixels.len() {
            let coverage = self.coverage(index, &shape);
            if coverage > 0.0 {
                for (old, new) in self.pixels[index].iter_mut().zip(color) {
                    *old += (new - *old) * coverage;
                }
            }
        }
    }

    /// Makes everything outside a shape transparent; colors stay, so that filtering finds the
    /// right color beyond the edge.
    pub fn keep(&mut self, shape: impl Fn(Point) -> f32) {
        for index in 0..self.alpha.len() {
            self.alpha[index] *= self.coverage(index, &shape);
        }
    }

    /// How much of a pixel the shape covers, 0 to 1, from the distance at the pixel's center.
    fn coverage(&self, index: usize, shape: impl Fn(Point) -> f32) -> f32 {
        let (x, y) = (index as u32 % self.size, index as u32 / self.size);
        let point = [(x as f32 + 0.5) / self.scale, (y as f32 + 0.5) / self.scale];
        (0.5 - shape(point) * self.scale).clamp(0.0, 1.0)
    }

    /// Encodes red, green and blue.
    pub fn png_rgb(&self) -> Result<Vec<u8>, ImageError> {
        let bytes: Vec<u8> =
            self.pixels.iter().flat_map(|pixel| pixel.map(|value| encode(self.encoding, value))).collect();
        png(&bytes, self.size, ExtendedColorType::Rgb8)
    }

    /// Encodes red, green, blue and straight alpha.
    pub fn png_rgba(&self) -> Result<Vec<u8>, ImageError> {
        let bytes: Vec<u8> = self
            .pixels
            .iter()
            .zip(&self.alpha)
            .flat_map(|(pixel, alpha)| {
                let [r, g, b] = pixel.map(|value| encode(self.encoding, value));
                [r, g, b, encode(Encoding::Data, *alpha)]
            })
            .collect();
        png(&bytes, self.size, ExtendedColorType::Rgba8)
    }
}

fn png(bytes: &[u8], size: u32, color: ExtendedColorType) -> Result<Vec<u8>, ImageError> {
    let mut file = Vec::new();
    PngEncoder::new_with_quality(&mut file, CompressionType::Best, FilterType::Adaptive)
        .write_image(bytes, size, size, color)?;
    Ok(file)
}

fn decode(encoding: Encoding, color: Rgb) -> [f32; 3] {
    color.map(|value| {
        let value = f32::from(value) / 255.0;
        if encoding == Encoding::Color { value * value } else { value }
    })
}

fn encode(encoding: Encoding, value: f32) -> u8 {
    let value = if encoding == Encoding::Color { value.sqrt() } else { value };
    (value * 255.0 + 0.5) as u8
}

/// Distance between two points.
pub fn distance(a: Point, b: Point) -> f32 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    (x * x + y * y).sqrt()
}

/// A disc.
pub fn disc(point: Point, center: Point, radius: f32) -> f32 {
    distance(point, center) - radius
}

/// The center line from `a` to `b`, thickened by `radius`, with round ends.
pub fn stroke(point: Point, a: Point, b: Point, radius: f32) -> f32 {
    let (along, to_point) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
    let length_squared = along[0] * along[0] + along[1] * along[1];
    let t = (to_point[0] * along[0] + to_point[1] * along[1]) / length_squared;
    let t = t.clamp(0.0, 1.0);
    distance(to_point, [along[0] * t, along[1] * t]) - radius
}

/// A rectangle with rounded corners.
pub fn rounded_rectangle(point: Point, min: Point, max: Point, corner: f32) -> f32 {
    let outside = |axis: usize| {
        let center = (min[axis] + max[axis]) * 0.5;
        (point[axis] - center).abs() - (max[axis] - min[axis]) * 0.5 + corner
    };
    let (x, y) = (outside(0), outside(1));
    distance([x.max(0.0), y.max(0.0)], [0.0, 0.0]) + x.max(y).min(0.0) - corner
}

/// A convex polygon, corners clockwise as seen in the picture (y down).
pub fn convex_polygon(point: Point, corners: &[Point]) -> f32 {
    let mut farthest = f32::NEG_INFINITY;
    for (index, a) in corners.iter().enumerate() {
        let b = corners[(index + 1) % corners.len()];
        let (x, y) = (b[0] - a[0], b[1] - a[1]);
        // The outward normal of a clockwise edge (y down) is (y, -x).
        let side = ((point[0] - a[0]) * y - (point[1] - a[1]) * x) / distance(*a, b);
        farthest = farthest.max(side);
    }
    farthest
}
