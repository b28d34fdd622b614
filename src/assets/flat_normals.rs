//! Flat normals: each triangle's own.

use super::gather::reserved;
use super::{GeometryError, Mesh};
use crate::math::Vec3;

impl Mesh {
    /// Gives every triangle its own normal, as glTF asks for where a file has none (glTF 2.0, section 3.7.2.1).
    ///
    /// Afterwards each triangle has three vertices of its own in every stream, in the order of the old indices, and no
    /// indices are left. The normal is that of the side from which the corners run counter-clockwise; a triangle without
    /// area gets +Z. A morph target that moves positions gets the displacements that lead to the moved triangle's normal
    /// (section 3.7.2.2), exact where it alone is applied in full. Tangents belonged to other normals: they and their
    /// displacements are removed, as are displacements of normals by targets that move nothing.
    ///
    /// # Errors
    /// [`GeometryError`], if the mesh is not made of whole triangles, has an index or a stream that does not fit it, or if
    /// memory is short.
    ///
    /// ```
    /// use fire_engine::assets::Mesh;
    /// use fire_engine::math::Vec3;
    ///
    /// // Two triangles at a right angle along the x axis.
    /// let mut mesh = Mesh {
    ///     positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
    ///     indices: Some(vec![0, 1, 2, 0, 3, 1]),
    ///     ..Mesh::default()
    /// };
    /// mesh.compute_flat_normals()?;
    /// assert_eq!(mesh.positions.len(), 6);
    /// assert_eq!(mesh.normals, [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Y, Vec3::Y, Vec3::Y]);
    /// # Ok::<(), fire_engine::assets::GeometryError>(())
    /// ```
    pub fn compute_flat_normals(&mut self) -> Result<(), GeometryError> {
        self.check_triangles()?;
        let count = self.index_count();
        let mut normals: Vec<Vec3> = reserved(count)?;
        for corners in self.triangles() {
            let normal = face_normal(corners.map(|corner| self.positions[corner as usize]));
            normals.extend([normal.unwrap_or(Vec3::Z); 3]);
        }
        let mut displacements: Vec<Vec<Vec3>> = reserved(self.morph_targets.len())?;
        for (index, target) in self.morph_targets.iter().enumerate() {
            displacements.push(self.normal_displacements(index, &target.positions, &normals)?);
        }
        if let Some(indices) = &self.indices {
            *self = self.gathered(indices, None)?;
        }
        self.normals = normals;
        self.tangents = Vec::new();
        for (target, displacements) in self.morph_targets.iter_mut().zip(displacements) {
            target.normals = displacements;
            target.tangents = Vec::new();
        }
        Ok(())
    }

    /// What leads from the normal of each corner to that of its triangle once `moves` are added to the positions.
    fn normal_displacements(
        &self,
        target: usize,
        moves: &[Vec3],
        normals: &[Vec3],
    ) -> Result<Vec<Vec3>, GeometryError> {
        if moves.is_empty() {
            return Ok(Vec::new());
        }
        let (actual, vertices) = (moves.len(), self.positions.len());
        if actual != vertices {
            let stream = format!("morph_targets[{target}].positions");
            return Err(GeometryError::StreamLength { stream, actual, vertices });
        }
        let mut out = reserved(normals.len())?;
        for (corners, at_rest) in self.triangles().zip(normals.chunks_exact(3)) {
            let moved = corners.map(|corner| self.positions[corner as usize] + moves[corner as usize]);
            let displacement = face_normal(moved).map_or(Vec3::ZERO, |normal| normal - at_rest[0]);
            out.extend([displacement; 3]);
        }
        Ok(out)
    }
}

/// The unit normal of a triangle, towards the side from which its corners run counter-clockwise; `None` without area.
fn face_normal(corners: [Vec3; 3]) -> Option<Vec3> {
    // In f64 the product of no two finite f32 edges overflows or vanishes.
    let [a, b, c] = corners.map(|corner| corner.to_array().map(f64::from));
    let u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    let v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = cross.iter().map(|part| part * part).sum::<f64>().sqrt();
    (length > 0.0 && length.is_finite()).then(|| Vec3::from_array(cross.map(|part| (part / length) as f32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_normals_follow_the_winding_at_any_size() {
        for size in [1e-18, 1e-5, 1.0, 1e18] {
            let [a, b, c] = [Vec3::ZERO, Vec3::X * size, Vec3::Y * size];
            assert_eq!(face_normal([a, b, c]), Some(Vec3::Z), "{size}");
            assert_eq!(face_normal([a, c, b]), Some(Vec3::NEG_Z), "{size}");
        }
    }

    #[test]
    fn points_lines_and_infinite_corners_have_no_normal() {
        assert_eq!(face_normal([Vec3::X; 3]), None);
        assert_eq!(face_normal([Vec3::ZERO, Vec3::X, Vec3::X * 2.0]), None);
        assert_eq!(face_normal([Vec3::ZERO, Vec3::X, Vec3::splat(f32::INFINITY)]), None);
        assert_eq!(face_normal([Vec3::ZERO, Vec3::X, Vec3::NAN]), None);
    }
}
