//! Skinning on the CPU.

use crate::assets::Mesh;
use crate::math::{Affine3x4, Columns, Vec3, Vec4, unit};
use glam::Vec3A;

/// Vertices whose matrices are blended together: so few that the matrices stay in the first-level cache.
const BLOCK: usize = 32;

/// Moves positions, and as many normals and tangents as there are, by each vertex's blend of the joint matrices (glTF 2.0,
/// section 3.7.3.3). `palette` is scratch. The joints were checked.
pub(super) fn skin(
    mesh: &Mesh,
    joints: &[Affine3x4],
    palette: &mut Vec<Columns>,
    positions: &mut [Vec3],
    normals: &mut [Vec3],
    tangents: &mut [Vec4],
) {
    palette.clear();
    palette.extend(joints.iter().map(Columns::from));
    let mut blended = [Columns([Vec3A::ZERO; 4]); BLOCK];
    for start in (0..positions.len()).step_by(BLOCK) {
        let end = positions.len().min(start + BLOCK);
        let blended = &mut blended[..end - start];
        blend(mesh, palette, start, blended);
        for (position, matrix) in positions[start..end].iter_mut().zip(&*blended) {
            *position = matrix.point(*position).into();
        }
        if let Some(normals) = normals.get_mut(start..end) {
            for (normal, matrix) in normals.iter_mut().zip(&*blended) {
                let ([x, y, z], _) = matrix.cofactors();
                *normal = unit(x * normal.x + y * normal.y + z * normal.z).into();
            }
        }
        if let Some(tangents) = tangents.get_mut(start..end) {
            for (tangent, matrix) in tangents.iter_mut().zip(&*blended) {
                let (_, sign) = matrix.cofactors();
                *tangent = turned(*tangent, matrix, sign);
            }
        }
    }
}

/// The matrices of the vertices from `start` on: the sums of their joints' matrices, weighted.
fn blend(mesh: &Mesh, palette: &[Columns], start: usize, out: &mut [Columns]) {
    let mut is_first = true;
    for set in mesh.joint_sets.iter().filter(|set| !set.joints.is_empty()) {
        let vertices = start..start + out.len();
        let (joints, weights) = (&set.joints[vertices.clone()], &set.weights[vertices]);
        for ((sum, joints), weights) in out.iter_mut().zip(joints).zip(weights) {
            let [a, b, c, d] = joints.map(|joint| &palette[usize::from(joint)].0);
            let [wa, wb, wc, wd] = *weights;
            let four: [Vec3A; 4] = std::array::from_fn(|i| a[i] * wa + b[i] * wb + c[i] * wc + d[i] * wd);
            *sum =
                if is_first { Columns(four) } else { Columns(std::array::from_fn(|i| sum.0[i] + four[i])) };
        }
        is_first = false;
    }
}

/// A tangent by the matrix, at length 1. The bitangent is `cross(normal, tangent) * w`; where the matrix mirrors, that cross
/// product comes out on the other side, so w changes its sign with the determinant.
pub(super) fn turned(tangent: Vec4, matrix: &Columns, sign: f32) -> Vec4 {
    Vec3::from(unit(matrix.vector(tangent.truncate()))).extend(tangent.w * sign)
}
