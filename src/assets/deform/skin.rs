//! Skinning on the CPU.

use super::lanes::{LANES, Matrices, Vectors};
use crate::assets::Mesh;
use crate::math::{Affine3x4, Columns, Mat3, Vec3, Vec4};
use glam::Vec3A;

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
    let mut matrices = Matrices::ZERO;
    let mut vectors = Vectors::ZERO;
    for start in (0..positions.len()).step_by(LANES) {
        let block = start..positions.len().min(start + LANES);
        blend(mesh, palette, block.clone(), &mut matrices);
        let positions = &mut positions[block.clone()];
        vectors.load(positions.iter().copied());
        matrices.points(&mut vectors);
        store(positions, &vectors);
        if normals.is_empty() && tangents.is_empty() {
            continue;
        }
        if let Some(normals) = normals.get(block.clone()) {
            vectors.load(normals.iter().copied());
        }
        // A mirror's sign is a by-product of the normal.
        let signs = matrices.normals(&mut vectors);
        if let Some(normals) = normals.get_mut(block.clone()) {
            store(normals, &vectors);
        }
        if let Some(tangents) = tangents.get_mut(block) {
            vectors.load(tangents.iter().map(|tangent| tangent.truncate()));
            matrices.vectors(&mut vectors);
            vectors.unit();
            store_tangents(tangents, &vectors, signs);
        }
    }
}

/// Turns normals by one [normal matrix](Affine3x4::normal_matrix).
pub(super) fn turn_normals(normals: &mut [Vec3], matrix: &Mat3) {
    let mut vectors = Vectors::ZERO;
    for normals in normals.chunks_mut(LANES) {
        vectors.load(normals.iter().map(|&normal| *matrix * normal));
        vectors.unit();
        store(normals, &vectors);
    }
}

/// Turns tangents by one matrix, whose determinant has this sign.
pub(super) fn turn_tangents(tangents: &mut [Vec4], matrix: &Columns, sign: f32) {
    let mut vectors = Vectors::ZERO;
    for tangents in tangents.chunks_mut(LANES) {
        vectors.load(tangents.iter().map(|tangent| matrix.vector(tangent.truncate()).into()));
        vectors.unit();
        store_tangents(tangents, &vectors, [sign; LANES]);
    }
}

fn store(out: &mut [Vec3], vectors: &Vectors) {
    for (out, vector) in out.iter_mut().zip(vectors.iter()) {
        *out = vector;
    }
}

/// The bitangent is `cross(normal, tangent) * w`; where a matrix mirrors, that product comes out on the other side, so w
/// changes its sign with the determinant.
fn store_tangents(out: &mut [Vec4], directions: &Vectors, signs: [f32; LANES]) {
    for ((out, direction), sign) in out.iter_mut().zip(directions.iter()).zip(signs) {
        *out = direction.extend(out.w * sign);
    }
}

/// The matrices of some vertices: the sums of their joints' matrices, weighted.
fn blend(mesh: &Mesh, palette: &[Columns], block: std::ops::Range<usize>, out: &mut Matrices) {
    let mut is_first = true;
    // A joint of weight 0 may be one that there is not; whatever stands for it counts nothing.
    let last = palette.len().saturating_sub(1);
    for set in mesh.joint_sets.iter().filter(|set| !set.joints.is_empty()) {
        let influences = set.joints[block.clone()].iter().zip(&set.weights[block.clone()]);
        for (lane, (joints, weights)) in influences.enumerate() {
            let [a, b, c, d] = joints.map(|joint| &palette[usize::from(joint).min(last)].0);
            let [wa, wb, wc, wd] = *weights;
            let four: [Vec3A; 4] = std::array::from_fn(|i| a[i] * wa + b[i] * wb + c[i] * wc + d[i] * wd);
            if is_first {
                out.set(lane, &Columns(four));
            } else {
                out.add(lane, &Columns(four));
            }
        }
        is_first = false;
    }
}
