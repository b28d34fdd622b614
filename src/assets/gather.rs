//! Rearranging the vertices of a mesh, and what operations on triangles check first.

use super::{GeometryError, JointSet, Mesh, MorphTarget, Topology};
use crate::math::Vec2;

impl Mesh {
    /// Checks that the mesh has whole triangles of existing vertices.
    pub(super) fn check_triangles(&self) -> Result<(), GeometryError> {
        if self.topology != Topology::Triangles {
            return Err(GeometryError::NotTriangles { topology: self.topology });
        }
        let (count, vertices) = (self.index_count(), self.positions.len());
        if !count.is_multiple_of(3) {
            return Err(GeometryError::IndexCount { count });
        }
        if u32::try_from(count.max(vertices)).is_err() {
            return Err(GeometryError::TooLarge);
        }
        if let Some(indices) = &self.indices
            && let Some(position) = indices.iter().position(|&index| index as usize >= vertices)
        {
            return Err(GeometryError::IndexRange { position, index: indices[position], vertices });
        }
        Ok(())
    }

    /// The vertices of each triangle, whether they are listed or taken in order.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        let listed = self.indices.as_deref().unwrap_or_default().as_chunks::<3>().0.iter().copied();
        let counted = if self.indices.is_some() { 0 } else { self.positions.len() / 3 };
        listed.chain((0..counted as u32).map(|triangle| [0, 1, 2].map(|corner| 3 * triangle + corner)))
    }

    /// A mesh whose vertex `i` is this one's vertex `from[i]` in every stream, and whose indices are these.
    ///
    /// `from` holds existing vertices only.
    pub(super) fn gathered(&self, from: &[u32], indices: Option<Vec<u32>>) -> Result<Self, GeometryError> {
        let gather = Gather { vertices: self.positions.len(), from };
        let mut joint_sets = Vec::with_capacity(self.joint_sets.len());
        for (set, joints) in self.joint_sets.iter().enumerate() {
            joint_sets.push(JointSet {
                joints: gather.stream(|| format!("joint_sets[{set}].joints"), &joints.joints)?,
                weights: gather.stream(|| format!("joint_sets[{set}].weights"), &joints.weights)?,
            });
        }
        let mut morph_targets = Vec::with_capacity(self.morph_targets.len());
        for (index, target) in self.morph_targets.iter().enumerate() {
            let name = |stream: &str| format!("morph_targets[{index}].{stream}");
            morph_targets.push(MorphTarget {
                positions: gather.stream(|| name("positions"), &target.positions)?,
                normals: gather.stream(|| name("normals"), &target.normals)?,
                tangents: gather.stream(|| name("tangents"), &target.tangents)?,
                colors: gather.stream(|| name("colors"), &target.colors)?,
                uv_sets: gather.uv_sets(&name(""), &target.uv_sets)?,
            });
        }
        Ok(Self {
            name: self.name.clone(),
            topology: self.topology,
            indices,
            positions: gather.stream(|| "positions".into(), &self.positions)?,
            normals: gather.stream(|| "normals".into(), &self.normals)?,
            tangents: gather.stream(|| "tangents".into(), &self.tangents)?,
            colors: gather.stream(|| "colors".into(), &self.colors)?,
            uv_sets: gather.uv_sets("", &self.uv_sets)?,
            joint_sets,
            morph_targets,
            morph_weights: self.morph_weights.clone(),
        })
    }
}

/// An empty list with room for `count`; an error rather than an abort where memory is short.
pub(super) fn reserved<T>(count: usize) -> Result<Vec<T>, GeometryError> {
    let mut out = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    out.try_reserve_exact(count).map_err(|_| GeometryError::OutOfMemory { bytes })?;
    Ok(out)
}

struct Gather<'a> {
    vertices: usize,
    from: &'a [u32],
}

impl Gather<'_> {
    fn stream<T: Copy>(&self, name: impl Fn() -> String, stream: &[T]) -> Result<Vec<T>, GeometryError> {
        if stream.is_empty() {
            return Ok(Vec::new());
        }
        if stream.len() != self.vertices {
            let (actual, vertices) = (stream.len(), self.vertices);
            return Err(GeometryError::StreamLength { stream: name(), actual, vertices });
        }
        let mut out = reserved(self.from.len())?;
        out.extend(self.from.iter().map(|&vertex| stream[vertex as usize]));
        Ok(out)
    }

    fn uv_sets(&self, owner: &str, sets: &[Vec<Vec2>]) -> Result<Vec<Vec<Vec2>>, GeometryError> {
        let gather = |(set, uvs): (usize, &Vec<Vec2>)| self.stream(|| format!("{owner}uv_sets[{set}]"), uvs);
        sets.iter().enumerate().map(gather).collect()
    }
}
