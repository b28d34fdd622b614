//! Pictures: reading, writing, and the metric of the reference images.

use fire_engine::assets::ImageData;
use image::RgbaImage;
use libtest_mimic::Failed;
use std::path::Path;

/// How far a channel may leave the other picture's 3x3 neighborhood before a pixel counts as bad.
const TOLERANCE: i16 = 8;

/// An RGB picture, row 0 at the top.
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pixels: Vec<[i16; 3]>,
}

/// Differences of two pictures, 0..255 or percent. "Object" pixels differ from the corner's color in either picture.
#[derive(Debug, Default)]
pub struct Difference {
    /// Mean absolute error over everything.
    pub mae: f64,
    /// The same over object pixels.
    pub omae: f64,
    /// Percent of object pixels with a channel off by more than 2.
    pub off2: f64,
    /// Percent of object pixels outside of the other picture's neighborhood, either way round.
    pub nbad: f64,
}

impl Difference {
    /// The value that a manifest's limit of this name bounds.
    pub fn named(&self, name: &str) -> Option<f64> {
        match name {
            "mae" => Some(self.mae),
            "omae" => Some(self.omae),
            "off2" => Some(self.off2),
            "nbad" => Some(self.nbad),
            _ => None,
        }
    }
}

impl Picture {
    pub fn load(path: &Path) -> Result<Self, Failed> {
        let image = open(path)?;
        Ok(Self {
            width: image.width() as usize,
            height: image.height() as usize,
            pixels: image.pixels().map(|pixel| rgb(&pixel.0)).collect(),
        })
    }

    pub fn from_image(image: &ImageData) -> Self {
        let pixels = image.pixels().chunks_exact(4).map(rgb).collect();
        Self { width: image.width as usize, height: image.height as usize, pixels }
    }

    /// A picture of the other's corner color alone.
    pub fn flat(other: &Self) -> Self {
        Self { pixels: vec![other.pixels[0]; other.pixels.len()], ..*other }
    }

    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.width + x].map(|c| c as u8)
    }

    fn object(&self) -> impl Iterator<Item = bool> + '_ {
        self.pixels.iter().map(|&pixel| pixel != self.pixels[0])
    }

    /// Smallest and largest value of each channel among a pixel and its eight neighbors.
    fn extremes(&self) -> Vec<([i16; 3], [i16; 3])> {
        let clamp = |value: isize, size: usize| value.clamp(0, size as isize - 1) as usize;
        let mut found = Vec::with_capacity(self.pixels.len());
        for y in 0..self.height as isize {
            for x in 0..self.width as isize {
                let (mut low, mut high) = ([i16::MAX; 3], [i16::MIN; 3]);
                for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                    let pixel =
                        self.pixels[clamp(y + dy, self.height) * self.width + clamp(x + dx, self.width)];
                    for c in 0..3 {
                        low[c] = low[c].min(pixel[c]);
                        high[c] = high[c].max(pixel[c]);
                    }
                }
                found.push((low, high));
            }
        }
        found
    }

    /// The metric of the reference images' manifest.
    pub fn difference(&self, reference: &Self) -> Result<Difference, String> {
        if (self.width, self.height) != (reference.width, reference.height) {
            return Err("the pictures differ in size".to_owned());
        }
        let (ours, theirs) = (self.extremes(), reference.extremes());
        let outside = |pixel: &[i16; 3], (low, high): &([i16; 3], [i16; 3])| {
            (0..3).any(|c| pixel[c] < low[c] - TOLERANCE || pixel[c] > high[c] + TOLERANCE)
        };
        let (mut total, mut object_total) = (0u64, 0u64);
        let (mut objects, mut off2, mut bad) = (0u64, 0u64, 0u64);
        let is_object = self.object().zip(reference.object()).map(|(a, b)| a || b);
        for (index, is_object) in is_object.enumerate() {
            let (a, b) = (&self.pixels[index], &reference.pixels[index]);
            let difference: [u64; 3] = std::array::from_fn(|c| u64::from(a[c].abs_diff(b[c])));
            let sum: u64 = difference.iter().sum();
            total += sum;
            if is_object {
                objects += 1;
                object_total += sum;
                off2 += u64::from(difference.iter().any(|&d| d > 2));
                bad += u64::from(outside(a, &theirs[index]) || outside(b, &ours[index]));
            }
        }
        let objects = objects.max(1) as f64;
        Ok(Difference {
            mae: total as f64 / (3 * self.pixels.len()) as f64,
            omae: object_total as f64 / (3.0 * objects),
            off2: 100.0 * off2 as f64 / objects,
            nbad: 100.0 * bad as f64 / objects,
        })
    }

    /// Writes our picture, the reference and eight times their difference side by side.
    pub fn save_comparison(&self, reference: &Self, path: &Path) -> Result<(), String> {
        let mut sheet = image::RgbImage::new(3 * self.width as u32, self.height as u32);
        for (index, (a, b)) in self.pixels.iter().zip(&reference.pixels).enumerate() {
            let (x, y) = ((index % self.width) as u32, (index / self.width) as u32);
            let amplified = std::array::from_fn(|c| (8 * a[c].abs_diff(b[c])).min(255) as u8);
            for (part, color) in [a.map(|c| c as u8), b.map(|c| c as u8), amplified].into_iter().enumerate() {
                sheet.put_pixel(x + part as u32 * self.width as u32, y, image::Rgb(color));
            }
        }
        sheet.save(path).map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn rgb(rgba: &[u8]) -> [i16; 3] {
    [rgba[0], rgba[1], rgba[2]].map(i16::from)
}

/// Reads a picture file.
pub fn open(path: &Path) -> Result<RgbaImage, Failed> {
    Ok(image::open(path).map_err(|error| format!("{}: {error}", path.display()))?.to_rgba8())
}

/// The part of all pixels whose color is strong, as that of the letter cube's faces is and the background's is not.
pub fn colorful_part(picture: &RgbaImage) -> f64 {
    let is_colorful = |rgb: &[u8]| {
        let (low, high) = (rgb.iter().min(), rgb.iter().max());
        low.zip(high).is_some_and(|(low, high)| high - low > 80)
    };
    let count = picture.pixels().filter(|pixel| is_colorful(&pixel.0[..3])).count();
    count as f64 / f64::from(picture.width() * picture.height()).max(1.0)
}

/// Writes a rendered picture as PNG.
pub fn save(image: &ImageData, path: &Path) -> Result<(), String> {
    image::save_buffer(path, image.pixels(), image.width, image.height, image::ColorType::Rgba8)
        .map_err(|error| format!("{}: {error}", path.display()))
}
