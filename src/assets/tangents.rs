//! Tangents by Mikkelsen's algorithm, which normal maps are baked for.

use super::gather::reserved;
use super::{GeometryError, Mesh};
use crate::math::{TryNormalize, Vec2, Vec3, Vec4};
use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use std::collections::HashMap;

/// The algorithm compares all triangles around a vertex with each other and walks around it by recursion.
const MOST_AROUND_A_VERTEX: usize = 1024;

/// Comparisons that any mesh may cost; a fifth of a second of them.
const COMPARISONS: u64 = 1 << 24;

/// Comparisons that a mesh may cost for each of its corners besides, on average. Six triangles meet in a regular vertex.
const COMPARISONS_A_CORNER: u64 = 64;

/// The largest cosine between a tangent and the normal, to which it is perpendicular but for rounding and for normals that
/// are not quite of length 1.
const MOST_ALONG_THE_NORMAL: f32 = 0.05;

impl Mesh {
    /// Bytes of working memory that [`compute_tangents`](Self::compute_tangents) is to be reckoned with for each triangle,
    /// in addition to the mesh itself.
    pub const TANGENT_SCRATCH: usize = 768;

    /// Computes tangents from positions, normals and a UV set by MikkTSpace, which normal maps are made for, and with the
    /// sign that glTF asks for: the bitangent `cross(normal, tangent.xyz) * tangent.w` points where v falls, upwards in
    /// the picture (glTF 2.0, section 3.7.2.1).
    ///
    /// Where the triangles around a vertex disagree, as along a mirrored seam, the vertex is split in every stream: the
    /// first triangle's tangent stays with the old vertex, and each other one is appended, in the order of the indices.
    /// Vertices for which the UVs give no direction get a unit tangent that is perpendicular to the normal. Displacements
    /// of the former tangents by morph targets are removed.
    ///
    /// # Errors
    /// [`GeometryError`], if the mesh is not made of whole triangles, lacks normals or the UV set, has an index or a stream
    /// that does not fit it, if more than 1,024 triangles meet in a vertex (or nearly as many in most of them), or if
    /// memory is short.
    ///
    /// ```
    /// use fire_engine::assets::Mesh;
    /// use fire_engine::math::{Vec2, Vec3, Vec4};
    ///
    /// // An upright quad with the whole picture on it.
    /// let mut mesh = Mesh {
    ///     positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
    ///     normals: vec![Vec3::Z; 4],
    ///     uv_sets: vec![vec![Vec2::Y, Vec2::ONE, Vec2::X, Vec2::ZERO]],
    ///     indices: Some(vec![0, 1, 2, 0, 2, 3]),
    ///     ..Mesh::default()
    /// };
    /// mesh.compute_tangents(0)?;
    /// assert_eq!(mesh.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
    /// # Ok::<(), fire_engine::assets::GeometryError>(())
    /// ```
    pub fn compute_tangents(&mut self, uv_set: usize) -> Result<(), GeometryError> {
        self.check_triangles()?;
        let vertices = self.positions.len();
        let uvs = self.uv_sets.get(uv_set).map_or(&[][..], Vec::as_slice);
        for (stream, actual) in [("normals".to_owned(), self.normals.len()), (uv_name(uv_set), uvs.len())] {
            match actual {
                _ if actual == vertices => {}
                0 => return Err(GeometryError::MissingStream { stream }),
                _ => return Err(GeometryError::StreamLength { stream, actual, vertices }),
            }
        }
        // What follows allocates in many places, in the crate too, where an error is not to be had.
        drop(reserved::<u8>((self.index_count() / 3).saturating_mul(Self::TANGENT_SCRATCH))?);

        let tangents = self.corner_tangents(uvs)?;
        let mut split = Split::new(vertices);
        let mut indices: Vec<u32> = self.triangles().flatten().collect();
        for (index, tangent) in indices.iter_mut().zip(&tangents) {
            if let Some(tangent) = *tangent {
                *index = split.place(*index, tangent);
            }
        }
        if split.from.len() > vertices {
            if u32::try_from(split.from.len()).is_err() {
                return Err(GeometryError::TooLarge);
            }
            *self = self.gathered(&split.from, Some(indices))?;
        }
        let fallback = |normal: &Vec3| {
            let direction = normal.try_normalized().map_or(Vec3::X, Vec3::any_orthonormal_vector);
            direction.extend(1.0)
        };
        let tangents = split.tangents.iter().zip(&self.normals);
        self.tangents =
            tangents.map(|(tangent, normal)| tangent.unwrap_or_else(|| fallback(normal))).collect();
        for target in &mut self.morph_targets {
            target.tangents = Vec::new();
        }
        Ok(())
    }

    /// A tangent for each corner of each triangle, where there is one.
    fn corner_tangents(&self, uvs: &[Vec2]) -> Result<Vec<Option<Vec4>>, GeometryError> {
        let welded = self.welded(uvs);
        let weld = |corners: [u32; 3]| corners.map(|corner| welded[corner as usize]);
        // The crate takes quadratic time for triangles without area, so it gets none.
        let good: Vec<[u32; 3]> = self.triangles().filter(|&corners| self.has_area(corners)).collect();
        check_crowding(good.iter().copied().map(weld), self.positions.len())?;
        let mut space = Space { mesh: self, uvs, tangents: vec![None; 3 * good.len()], triangles: good };
        // The error has no variant yet; should it get one, there are no tangents.
        let _ = generate_tangents(&mut space);
        let mut computed = space.triangles.iter().zip(space.tangents.as_chunks::<3>().0);
        if computed.len() == self.index_count() / 3 {
            return Ok(space.tangents);
        }
        // A triangle without area takes over what its corners have elsewhere.
        let mut elsewhere: Vec<Option<Vec4>> = vec![None; self.positions.len()];
        for (&corner, tangent) in space.triangles.as_flattened().iter().zip(&space.tangents) {
            let known = &mut elsewhere[welded[corner as usize] as usize];
            *known = known.or(*tangent);
        }
        let mut out = Vec::with_capacity(self.index_count());
        for corners in self.triangles() {
            match if self.has_area(corners) { computed.next() } else { None } {
                Some((_, tangents)) => out.extend(tangents),
                None => out.extend(weld(corners).map(|corner| elsewhere[corner as usize])),
            }
        }
        Ok(out)
    }

    /// Whether the corners lie in three places; the algorithm's own measure.
    fn has_area(&self, corners: [u32; 3]) -> bool {
        let [a, b, c] = corners.map(|corner| self.positions[corner as usize]);
        a != b && b != c && c != a
    }

    /// For each vertex the first one with the same position, normal and coordinates, which the algorithm takes for one.
    fn welded(&self, uvs: &[Vec2]) -> Vec<u32> {
        let mut first: HashMap<[u32; 8], u32> = HashMap::with_capacity(self.positions.len());
        let vertices = self.positions.iter().zip(&self.normals).zip(uvs);
        let weld = |(vertex, ((position, normal), uv)): (u32, ((&Vec3, &Vec3), &Vec2))| {
            let ([x, y, z], [a, b, c], [u, v]) = (plain(*position), plain(*normal), plain2(*uv));
            *first.entry([x, y, z, a, b, c, u, v].map(f32::to_bits)).or_insert(vertex)
        };
        (0..).zip(vertices).map(weld).collect()
    }
}

fn uv_name(uv_set: usize) -> String {
    format!("uv_sets[{uv_set}]")
}

/// Without negative zeros, which equal the others and have other bits.
fn plain(vector: Vec3) -> [f32; 3] {
    (vector + Vec3::ZERO).to_array()
}

fn plain2(vector: Vec2) -> [f32; 2] {
    (vector + Vec2::ZERO).to_array()
}

/// Refuses meshes for which the algorithm would take quadratic time or deep recursion.
fn check_crowding(triangles: impl Iterator<Item = [u32; 3]>, vertices: usize) -> Result<(), GeometryError> {
    let mut around = vec![0_u32; vertices];
    let mut corners = 0;
    for corner in triangles.flatten() {
        around[corner as usize] += 1;
        corners += 1;
    }
    let most = around.iter().copied().max().unwrap_or(0) as usize;
    let comparisons: u64 = around.iter().map(|&count| u64::from(count).pow(2)).fold(0, u64::saturating_add);
    if most > MOST_AROUND_A_VERTEX || comparisons > COMPARISONS + COMPARISONS_A_CORNER * corners {
        return Err(GeometryError::Crowded { most, limit: MOST_AROUND_A_VERTEX });
    }
    Ok(())
}

/// What the crate reads and writes.
struct Space<'a> {
    mesh: &'a Mesh,
    uvs: &'a [Vec2],
    triangles: Vec<[u32; 3]>,
    tangents: Vec<Option<Vec4>>,
}

impl Space<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.triangles[face][corner] as usize
    }
}

impl Geometry for Space<'_> {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        plain(self.mesh.positions[self.vertex(face, corner)])
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        plain(self.mesh.normals[self.vertex(face, corner)])
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        plain2(self.uvs[self.vertex(face, corner)])
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let normal = Vec3::from_array(self.normal(face, corner)).try_normalized().unwrap_or(Vec3::ZERO);
        let tangent = space.and_then(|space| {
            // Coordinates without a direction give zeros, ones near the end of the range give no numbers, and a direction
            // along the normal leaves only its rounding.
            let unit = Vec3::from_array(space.tangent()).try_normalized().ok()?;
            if unit.dot(normal).abs() > MOST_ALONG_THE_NORMAL {
                return None;
            }
            // The crate's sign is for a v that runs upwards; glTF's runs downwards.
            Some(unit.extend(if space.is_orientation_preserving() { -1.0 } else { 1.0 }))
        });
        self.tangents[3 * face + corner] = tangent;
    }
}

/// Vertices, of which some are doubled because their corners disagree.
struct Split {
    /// For each new vertex the old one.
    from: Vec<u32>,
    /// For each new vertex its tangent, once it is known.
    tangents: Vec<Option<Vec4>>,
    /// The copies of an old vertex, by tangent.
    copies: HashMap<(u32, [u32; 4]), u32>,
}

impl Split {
    fn new(vertices: usize) -> Self {
        Self { from: (0..vertices as u32).collect(), tangents: vec![None; vertices], copies: HashMap::new() }
    }

    /// The vertex that carries the tangent for a corner at an old vertex.
    fn place(&mut self, vertex: u32, tangent: Vec4) -> u32 {
        let bits = |tangent: Vec4| tangent.to_array().map(f32::to_bits);
        match &mut self.tangents[vertex as usize] {
            free @ None => {
                *free = Some(tangent);
                vertex
            }
            Some(taken) if bits(*taken) == bits(tangent) => vertex,
            Some(_) => *self.copies.entry((vertex, bits(tangent))).or_insert_with(|| {
                self.from.push(vertex);
                self.tangents.push(Some(tangent));
                self.from.len() as u32 - 1
            }),
        }
    }
}
