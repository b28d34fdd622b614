//! Many pictures on one.

use crate::app::error::AppError;
use fire_engine::assets::ImageData;
use fire_engine::math::linear_to_srgb;
use font8x8::UnicodeFonts as _;

/// Most bytes of a sheet.
const MOST_BYTES: u64 = 1 << 30;

/// Most pixels of a side: what programs that show PNG files can be expected to take.
const LONGEST_SIDE: u64 = 65_535;

/// Pixels of a letter, in each direction.
const LETTER: u32 = 8;

/// Empty pixels around a label.
const LABEL_MARGIN: u32 = 3;

const BRIGHT: [u8; 4] = [220, 224, 230, 255];
const DARK: [u8; 4] = [30, 34, 39, 255];
/// Can be read on black and on white.
const GRAY: [u8; 4] = [128, 128, 128, 255];
const CROSS: [u8; 4] = [200, 60, 50, 255];

/// Cells of one size in rows, filled in any order.
pub struct Sheet {
    cell: (u32, u32),
    columns: u32,
    rows: u32,
    label_height: u32,
    /// What is written below each cell.
    labels: Vec<String>,
    letters: [u8; 4],
    pixels: Vec<u8>,
}

impl Sheet {
    /// An empty sheet for so many pictures of that size in pixels, and of a linear color with straight alpha.
    ///
    /// # Errors
    /// [`AppError::Usage`] if it would be larger than a picture may be.
    pub fn new(
        count: usize,
        cell: (u32, u32),
        columns: Option<u32>,
        labels: Option<Vec<String>>,
        background: [f32; 4],
    ) -> Result<Self, AppError> {
        let count = count.max(1) as u64;
        let columns = columns.map_or_else(|| (count as f64).sqrt().ceil() as u64, u64::from).min(count);
        let rows = count.div_ceil(columns);
        let label_height = if labels.is_some() { LETTER + 2 * LABEL_MARGIN } else { 0 };
        let (width, height) =
            (columns * u64::from(cell.0), rows * (u64::from(cell.1) + u64::from(label_height)));
        let bytes = width.saturating_mul(height).saturating_mul(4);
        if width.max(height) > LONGEST_SIDE || bytes > MOST_BYTES {
            return Err(AppError::Usage(format!(
                "a contact sheet of {width}x{height} pixels is too large: make the pictures smaller with --size, or the models fewer"
            )));
        }
        let [red, green, blue, alpha] = background;
        let background = [linear_to_srgb(red), linear_to_srgb(green), linear_to_srgb(blue)];
        let letters = match background.iter().copied().max() {
            _ if alpha < 1.0 => GRAY,
            Some(brightest) if brightest > 127 => DARK,
            _ => BRIGHT,
        };
        let [red, green, blue] = background;
        let pixels = [red, green, blue, (alpha * 255.0).round() as u8].repeat((width * height) as usize);
        let (columns, rows) = (columns as u32, rows as u32);
        Ok(Self { cell, columns, rows, label_height, labels: labels.unwrap_or_default(), letters, pixels })
    }

    /// Puts the picture of a model into its cell.
    pub fn place(&mut self, index: usize, picture: &ImageData) {
        let (left, top) = self.corner(index);
        let (width, stride) = (self.cell.0.min(picture.width) as usize * 4, picture.width as usize * 4);
        let rows = picture.pixels().chunks_exact(stride.max(4));
        for (row, pixels) in (top..).zip(rows.take(self.cell.1 as usize)) {
            let start = self.position(left, row);
            self.pixels[start..start + width].copy_from_slice(&pixels[..width]);
        }
    }

    /// Crosses the cell of a model out that could not be drawn.
    pub fn cross_out(&mut self, index: usize) {
        let (left, top) = self.corner(index);
        let (width, height) = self.cell;
        for step in 0..width.max(height) {
            let (x, y) = (step.min(width - 1), step.min(height - 1));
            // The diagonals of a cell that is no square leave its corners in the same number of steps.
            let x = if width < height { step * width / height } else { x };
            let y = if height < width { step * height / width } else { y };
            self.dot(left + x, top + y, CROSS);
            self.dot(left + width - 1 - x, top + y, CROSS);
        }
    }

    /// Writes a model's label below its cell, cut to fit; letters beyond Latin become question marks.
    pub fn label(&mut self, index: usize) {
        let Some(label) = self.labels.get_mut(index).map(std::mem::take) else { return };
        let (left, top) = self.corner(index);
        let room = self.cell.0.saturating_sub(2 * LABEL_MARGIN) / LETTER;
        for (place, letter) in (0..room).zip(label.chars()) {
            let (x, y) = (left + LABEL_MARGIN + place * LETTER, top + self.cell.1 + LABEL_MARGIN);
            for (row, bits) in (0..).zip(glyph(letter)) {
                for column in (0..LETTER).filter(|column| bits >> column & 1 == 1) {
                    self.dot(x + column, y + row, self.letters);
                }
            }
        }
    }

    /// The sheet as a picture.
    pub fn into_picture(self) -> ImageData {
        let (width, height) = self.size();
        ImageData::rgba8(width, height, self.pixels)
    }

    fn size(&self) -> (u32, u32) {
        (self.columns * self.cell.0, self.rows * (self.cell.1 + self.label_height))
    }

    /// The left upper pixel of a cell.
    fn corner(&self, index: usize) -> (u32, u32) {
        let index = index as u32;
        let (column, row) = (index % self.columns, index / self.columns);
        (column * self.cell.0, row * (self.cell.1 + self.label_height))
    }

    /// Where a pixel's bytes begin.
    fn position(&self, x: u32, y: u32) -> usize {
        (y as usize * self.size().0 as usize + x as usize) * 4
    }

    fn dot(&mut self, x: u32, y: u32, color: [u8; 4]) {
        let start = self.position(x, y);
        self.pixels[start..start + 4].copy_from_slice(&color);
    }
}

/// Rows from the top, the lowest bit at the left.
fn glyph(letter: char) -> [u8; 8] {
    let fonts =
        [font8x8::BASIC_FONTS.get(letter), font8x8::LATIN_FONTS.get(letter), font8x8::BASIC_FONTS.get('?')];
    fonts.into_iter().flatten().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKGROUND: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

    fn filled(size: (u32, u32), value: u8) -> ImageData {
        ImageData::rgba8(size.0, size.1, vec![value; (size.0 * size.1 * 4) as usize])
    }

    fn pixel(picture: &ImageData, x: u32, y: u32) -> &[u8] {
        &picture.pixels()[((y * picture.width + x) * 4) as usize..][..4]
    }

    #[test]
    fn pictures_stand_in_rows() {
        let mut sheet = Sheet::new(5, (4, 2), Some(2), None, BACKGROUND).unwrap();
        for index in 0..5 {
            sheet.place(index, &filled((4, 2), 10 * (index as u8 + 1)));
        }
        let picture = sheet.into_picture();
        assert_eq!((picture.width, picture.height), (8, 6));
        for (index, (x, y)) in [(0, 0), (4, 0), (0, 2), (4, 2), (0, 4)].into_iter().enumerate() {
            for (x, y) in [(x, y), (x + 3, y + 1)] {
                assert_eq!(pixel(&picture, x, y), [10 * (index as u8 + 1); 4], "{index}");
            }
        }
        assert_eq!(pixel(&picture, 4, 4), [0, 0, 0, 255]);
    }

    #[test]
    fn rows_are_about_as_many_as_columns_unless_told() {
        let size = |count, columns| Sheet::new(count, (10, 10), columns, None, BACKGROUND).unwrap().size();
        assert_eq!(size(1, None), (10, 10));
        assert_eq!(size(46, None), (70, 70));
        assert_eq!(size(3, Some(100)), (30, 10));
        assert_eq!(size(0, None), (10, 10));
    }

    #[test]
    fn a_failure_is_a_cross_from_corner_to_corner() {
        for size in [(9, 9), (20, 5), (5, 20), (1, 1)] {
            let mut sheet = Sheet::new(1, size, None, None, BACKGROUND).unwrap();
            sheet.cross_out(0);
            let picture = sheet.into_picture();
            for (x, y) in [(0, 0), (size.0 - 1, 0)] {
                assert_eq!(pixel(&picture, x, y), CROSS, "{size:?}");
            }
            assert!(
                picture.pixels().chunks_exact(4).filter(|pixel| *pixel == CROSS).count() >= size.0 as usize
            );
        }
    }

    #[test]
    fn labels_stay_in_their_cell() {
        for (name, width) in [("Box", 40), ("a very long name indeed", 40), ("❤♻é", 40), ("Box", 3)] {
            let labels = Some(vec![name.to_owned()]);
            let mut sheet = Sheet::new(2, (width, 4), Some(2), labels, BACKGROUND).unwrap();
            sheet.label(0);
            sheet.label(1);
            let picture = sheet.into_picture();
            assert_eq!(picture.height, 4 + 14);
            let lit = |x: u32| (0..18).filter(|&y| pixel(&picture, x, y) == BRIGHT).count();
            assert_eq!((width..2 * width).map(lit).sum::<usize>(), 0, "{name}");
            assert_eq!((0..width).map(lit).sum::<usize>() > 0, width > 14, "{name}");
        }
    }

    #[test]
    fn what_lies_between_pictures_is_the_background_and_letters_stand_out() {
        for (background, bytes, letters) in [
            ([1.0, 1.0, 1.0, 1.0], [255; 4], DARK),
            ([0.215_86, 0.0, 0.0, 1.0], [128, 0, 0, 255], DARK),
            ([0.0, 0.0, 0.1, 1.0], [0, 0, 89, 255], BRIGHT),
            ([0.0; 4], [0; 4], GRAY),
        ] {
            let mut sheet = Sheet::new(1, (40, 4), None, Some(vec!["I".to_owned()]), background).unwrap();
            sheet.label(0);
            let picture = sheet.into_picture();
            assert_eq!(pixel(&picture, 39, 17), bytes);
            let written = picture.pixels().chunks_exact(4).filter(|pixel| *pixel == letters).count();
            let empty = picture.pixels().chunks_exact(4).filter(|pixel| *pixel == bytes).count();
            assert!(written > 8 && written + empty == 40 * 18, "{written} of {letters:?}");
        }
    }

    #[test]
    fn a_sheet_beyond_reason_is_refused_before_it_is_made() {
        for (count, cell) in [(100_000, (1024, 1024)), (10, (16_384, 16_384)), (usize::MAX >> 8, (16_384, 1))]
        {
            let error = Sheet::new(count, cell, Some(3), None, BACKGROUND).err().unwrap().to_string();
            assert!(error.contains("too large"), "{error}");
        }
    }
}
