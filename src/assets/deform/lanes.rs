//! Matrices and vectors of several vertices, component by component.
//!
//! A loop over the lanes has no branch and nothing that depends on another lane, so the compiler does four or more vertices
//! with each instruction.

use crate::math::{Columns, Vec3, normal_of, unit_of};

/// Vertices that are done together: few enough for their matrices to stay in the first-level cache.
pub(super) const LANES: usize = 32;

type Lane = [f32; LANES];

/// A vector a lane.
#[derive(Clone, Copy)]
pub(super) struct Vectors([Lane; 3]);

impl Vectors {
    pub const ZERO: Self = Self([[0.0; LANES]; 3]);

    /// Takes at most as many as there are lanes; the others stay.
    pub fn load(&mut self, vectors: impl IntoIterator<Item = Vec3>) {
        let [x, y, z] = &mut self.0;
        for ((vector, x), (y, z)) in vectors.into_iter().zip(x).zip(y.iter_mut().zip(z)) {
            (*x, *y, *z) = (vector.x, vector.y, vector.z);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Vec3> {
        let [x, y, z] = &self.0;
        x.iter().zip(y.iter().zip(z)).map(|(&x, (&y, &z))| Vec3::new(x, y, z))
    }

    /// Length 1, or zero where there is no direction.
    pub fn unit(&mut self) {
        let [x, y, z] = &mut self.0;
        for lane in 0..LANES {
            [x[lane], y[lane], z[lane]] = unit_of([x[lane], y[lane], z[lane]]);
        }
    }
}

/// A matrix a lane: three axes and the translation.
pub(super) struct Matrices([Vectors; 4]);

impl Matrices {
    pub const ZERO: Self = Self([Vectors::ZERO; 4]);

    pub fn set(&mut self, lane: usize, matrix: &Columns) {
        for (vectors, column) in self.0.iter_mut().zip(&matrix.0) {
            let [x, y, z] = column.to_array();
            (vectors.0[0][lane], vectors.0[1][lane], vectors.0[2][lane]) = (x, y, z);
        }
    }

    pub fn add(&mut self, lane: usize, matrix: &Columns) {
        for (vectors, column) in self.0.iter_mut().zip(&matrix.0) {
            let [x, y, z] = column.to_array();
            vectors.0[0][lane] += x;
            vectors.0[1][lane] += y;
            vectors.0[2][lane] += z;
        }
    }

    /// Moves points.
    pub fn points(&self, points: &mut Vectors) {
        self.vectors(points);
        for (out, translation) in points.0.iter_mut().zip(&self.0[3].0) {
            for lane in 0..LANES {
                out[lane] += translation[lane];
            }
        }
    }

    /// Turns vectors.
    pub fn vectors(&self, vectors: &mut Vectors) {
        let [x, y, z, _] = &self.0;
        let from = *vectors;
        for (component, out) in vectors.0.iter_mut().enumerate() {
            let (x, y, z) = (&x.0[component], &y.0[component], &z.0[component]);
            for lane in 0..LANES {
                out[lane] = x[lane] * from.0[0][lane] + y[lane] * from.0[1][lane] + z[lane] * from.0[2][lane];
            }
        }
    }

    /// Turns normals, to length 1; see [`normal_of`]. Returns the signs of the determinants.
    pub fn normals(&self, normals: &mut Vectors) -> Lane {
        let [x, y, z, _] = &self.0;
        let [nx, ny, nz] = &mut normals.0;
        let mut signs = [0.0; LANES];
        for lane in 0..LANES {
            let axis = |axis: &Vectors| [axis.0[0][lane], axis.0[1][lane], axis.0[2][lane]];
            let normal = [nx[lane], ny[lane], nz[lane]];
            ([nx[lane], ny[lane], nz[lane]], signs[lane]) = normal_of([axis(x), axis(y), axis(z)], normal);
        }
        signs
    }
}
