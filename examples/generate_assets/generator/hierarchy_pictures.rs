//! The two pictures of Hierarchy.

use super::paint::{Canvas, Encoding, Point, Rgb, disc, rounded_rectangle, stroke};

/// Four planks in a frame, with a brace from the lower left to the upper right.
pub fn crate_picture() -> Canvas {
    const GAP: Rgb = [74, 44, 26];
    const FRAME: Rgb = [186, 126, 70];
    const NAIL: Rgb = [92, 60, 40];
    const PLANKS: [Rgb; 4] = [[214, 160, 98], [204, 148, 88], [218, 166, 106], [200, 144, 84]];
    let mut canvas = Canvas::new(256, 128.0, Encoding::Color, GAP);
    for (index, plank) in (0u8..).zip(PLANKS) {
        let top = 14.0 + 25.0 * f32::from(index);
        canvas.fill(plank, |point| rounded_rectangle(point, [6.0, top + 0.75], [122.0, top + 24.25], 1.5));
        // A line of grain on each plank.
        let grain = plank.map(|value| value - value / 8);
        let (y, start) = (top + 9.0 + f32::from(index % 2) * 6.0, 22.0 + 13.0 * f32::from(index));
        canvas.fill(grain, |point| stroke(point, [start, y], [start + 38.0, y], 0.9));
    }
    // The brace, with a dark seam on both sides.
    for (color, radius) in [(GAP, 10.5), (FRAME, 9.0)] {
        canvas.fill(color, |point| stroke(point, [14.0, 114.0], [114.0, 14.0], radius));
    }
    for (min, max) in [
        ([1.0, 1.0], [127.0, 15.0]),
        ([1.0, 113.0], [127.0, 127.0]),
        ([1.0, 16.0], [15.0, 112.0]),
        ([113.0, 16.0], [127.0, 112.0]),
    ] {
        canvas.fill(GAP, |point| {
            rounded_rectangle(point, min.map(|v: f32| v - 1.25), max.map(|v: f32| v + 1.25), 1.5)
        });
        canvas.fill(FRAME, |point| rounded_rectangle(point, min, max, 1.5));
    }
    for center in [[8.0, 38.0], [8.0, 64.0], [8.0, 90.0], [120.0, 38.0], [120.0, 64.0], [120.0, 90.0]] {
        canvas.fill(NAIL, |point| disc(point, center, 2.0));
    }
    canvas
}

/// A leaf, tip up: the left half lighter than the right, three holes in the left half and a bite
/// out of the right edge.
pub fn leaf_picture() -> Canvas {
    const LIGHT: Rgb = [124, 190, 66];
    const DARK: Rgb = [62, 142, 58];
    const VEIN: Rgb = [206, 232, 140];
    let mut canvas = Canvas::new(256, 128.0, Encoding::Color, DARK);
    canvas.fill(LIGHT, |point| point[0] - 64.0);
    let veins: [[Point; 2]; 7] = [
        [[64.0, 124.0], [64.0, 14.0]],
        [[64.0, 98.0], [26.0, 74.0]],
        [[64.0, 98.0], [102.0, 74.0]],
        [[64.0, 74.0], [26.0, 46.0]],
        [[64.0, 74.0], [102.0, 46.0]],
        [[64.0, 48.0], [40.0, 28.0]],
        [[64.0, 48.0], [88.0, 28.0]],
    ];
    for [from, to] in veins {
        let radius = if from[0] == to[0] { 2.6 } else { 1.4 };
        canvas.fill(VEIN, |point| stroke(point, from, to, radius));
    }
    canvas.keep(|point| {
        // Two large discs overlap in the blade, from the tip at (64, 4) to (64, 112).
        let blade = disc(point, [52.9, 58.0], 55.1).max(disc(point, [75.1, 58.0], 55.1));
        let holes = disc(point, [40.0, 46.0], 8.0)
            .min(disc(point, [51.0, 67.0], 6.0))
            .min(disc(point, [36.0, 74.0], 5.0))
            .min(disc(point, [104.0, 36.0], 13.0));
        let stalk = stroke(point, [64.0, 108.0], [64.0, 121.0], 2.2);
        blade.max(0.0 - holes).min(stalk)
    });
    canvas
}
