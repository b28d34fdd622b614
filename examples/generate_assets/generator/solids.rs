//! Small meshes out of flat faces, with shading baked into vertex colors where asked.

use std::f32::consts::FRAC_1_SQRT_2;

use super::paint::Rgb;

/// A mesh of flat faces: corners are not shared between faces.
#[derive(Default)]
pub struct Solid {
    /// Corners.
    pub positions: Vec<[f32; 3]>,
    /// Outward, unit length.
    pub normals: Vec<[f32; 3]>,
    /// Every face's picture from (0, 0), upper left, to (1, 1).
    pub uvs: Vec<[f32; 2]>,
    /// Linear, normalized, alpha 255.
    pub colors: Vec<[u8; 4]>,
    /// Triangles, counterclockwise from outside.
    pub indices: Vec<u16>,
}

impl Solid {
    /// Adds an axis-aligned box. Pictures stand upright on the sides; on top the picture's up is
    /// -Z, below +Z.
    pub fn add_box(&mut self, min: [f32; 3], max: [f32; 3], color: Rgb) {
        let center = [0, 1, 2].map(|i| (min[i] + max[i]) * 0.5);
        let half = [0, 1, 2].map(|i| (max[i] - min[i]) * 0.5);
        let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let minus = |v: [f32; 3]| v.map(|number| 0.0 - number);
        for (normal, right, up) in [
            (z, x, y),
            (minus(z), minus(x), y),
            (minus(x), z, y),
            (x, minus(z), y),
            (y, x, minus(z)),
            (minus(y), x, z),
        ] {
            let corner = |a: f32, b: f32| {
                [0, 1, 2].map(|i| center[i] + half[i] * (normal[i] + right[i] * a + up[i] * b))
            };
            self.add_face(
                &[corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
                normal,
                color,
            );
        }
    }

    /// Adds an upright octagonal disc around Z: a front of eight wedges in two colors, and a rim.
    pub fn add_octagon(&mut self, radius: f32, back: f32, front: f32, colors: [Rgb; 2]) {
        let d = FRAC_1_SQRT_2;
        #[rustfmt::skip]
        let around = [
            [1.0, 0.0], [d, d], [0.0, 1.0], [-d, d], [-1.0, 0.0], [-d, -d], [0.0, -1.0], [d, -d],
        ];
        for (index, a) in around.iter().enumerate() {
            let b = around[(index + 1) % around.len()];
            let at = |v: [f32; 2], z: f32| [v[0] * radius, v[1] * radius, z];
            let color = colors[index % 2];
            let z = [0.0, 0.0, 1.0];
            self.add_face(&[[0.0, 0.0, front], at(*a, front), at(b, front)], z, color);
            let (x, y) = (a[0] + b[0], a[1] + b[1]);
            let length = (x * x + y * y).sqrt();
            self.add_face(
                &[at(*a, back), at(b, back), at(b, front), at(*a, front)],
                [x / length, y / length, 0.0],
                color,
            );
        }
    }

    /// Adds a triangle or a quad, counterclockwise from its lower left corner, with baked light.
    fn add_face(&mut self, corners: &[[f32; 3]], normal: [f32; 3], color: Rgb) {
        let first = self.positions.len() as u16;
        for third in 2..corners.len() as u16 {
            self.indices.extend([first, first + third - 1, first + third]);
        }
        self.positions.extend(corners);
        self.normals.extend(corners.iter().map(|_| normal));
        self.uvs.extend(&[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]][..corners.len()]);
        let light = baked_light(normal);
        let [r, g, b] = linear(color).map(|value| (value * light * 255.0 + 0.5) as u8);
        self.colors.extend(corners.iter().map(|_| [r, g, b, 255]));
    }
}

/// A gem with eight facets: points and colors, three a facet, without indices. Its colors are
/// linear; the tips are lighter than the waist.
pub fn gem(waist: f32, height: f32, facets: [Rgb; 8]) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let (mut positions, mut colors) = (Vec::new(), Vec::new());
    for (index, color) in facets.into_iter().enumerate() {
        let sign = |bit: usize| if index >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let (x, y, z) = (sign(0), sign(1), sign(2));
        let color = linear(color);
        let mut corners = [
            ([x * waist, 0.0, 0.0], color),
            ([0.0, y * height, 0.0], color.map(|value| 0.5 + 0.5 * value)),
            ([0.0, 0.0, z * waist], color),
        ];
        // Mirrored octants turn the other way round.
        if x * y * z < 0.0 {
            corners.swap(0, 2);
        }
        positions.extend(corners.map(|corner| corner.0));
        colors.extend(corners.map(|corner| corner.1));
    }
    (positions, colors)
}

/// A little light from above and from the front, so that a solid reads as one without lighting.
fn baked_light(normal: [f32; 3]) -> f32 {
    0.62 + 0.26 * normal[1] + 0.08 * normal[0] + 0.12 * normal[2]
}

/// sRGB to linear, as a square: close enough for a color that is chosen by eye, and exactly
/// reproducible.
fn linear(color: Rgb) -> [f32; 3] {
    color.map(|value| {
        let value = f32::from(value) / 255.0;
        value * value
    })
}
