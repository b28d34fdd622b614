//! Morph targets and joints by the CPU, in 64 bits.

use fire_engine::assets::{Color4, Mesh, MorphTarget, Topology};
use fire_engine::math::{Affine3x4, Vec3};
use fire_engine::scene::{DrawItem, DrawList};
use glam::{DMat3, DVec3, DVec4};

/// The matrix of a vertex as columns, in 64 bits.
#[derive(Clone, Copy)]
struct Placed {
    part: DMat3,
    translation: DVec3,
}

impl Placed {
    fn of(matrices: impl Iterator<Item = (f64, Affine3x4)>) -> Self {
        let mut rows = [DVec4::ZERO; 3];
        for (weight, matrix) in matrices {
            for (sum, row) in rows.iter_mut().zip(matrix.rows) {
                *sum += row.as_dvec4() * weight;
            }
        }
        let part = DMat3::from_cols(rows[0].truncate(), rows[1].truncate(), rows[2].truncate()).transpose();
        Self { part, translation: DVec3::new(rows[0].w, rows[1].w, rows[2].w) }
    }
}

/// glTF 2.0, sections 3.7.2.2 and 3.7.3.3: targets first, then joints or else the node. Triangles that a transform turns
/// inside out are turned back, as the front of a mirrored node is its other side.
pub fn posed(mesh: &Mesh, item: &DrawItem, list: &DrawList) -> Mesh {
    let given = item.weights.of(list.morph_weights());
    let weights = if given.is_empty() { &mesh.morph_weights[..] } else { given };
    let targets = || mesh.morph_targets.iter().zip(weights.iter().map(|&weight| f64::from(weight)));
    let joints = item.joints.of(list.joint_matrices());
    let placed = |vertex: usize| {
        let influences = mesh.joint_sets.iter().flat_map(|set| {
            let pairs = set.joints[vertex].into_iter().zip(set.weights[vertex]);
            pairs.filter(|(_, weight)| *weight != 0.0)
        });
        match joints.is_empty() || mesh.joint_sets.is_empty() {
            true => Placed::of([(1.0, list.worlds()[item.world as usize])].into_iter()),
            false => Placed::of(influences.map(|(joint, w)| (f64::from(w), joints[usize::from(joint)]))),
        }
    };
    let moved = |base: Vec3, vertex: usize, stream: fn(&MorphTarget) -> &Vec<Vec3>| {
        let deltas =
            targets().filter_map(|(target, weight)| Some(stream(target).get(vertex)?.as_dvec3() * weight));
        base.as_dvec3() + deltas.sum::<DVec3>()
    };
    let mut baked = Mesh { joint_sets: vec![], morph_targets: vec![], morph_weights: vec![], ..mesh.clone() };
    let places: Vec<Placed> = (0..mesh.positions.len()).map(placed).collect();
    for (vertex, place) in places.iter().enumerate() {
        let position = moved(mesh.positions[vertex], vertex, |target| &target.positions);
        baked.positions[vertex] = (place.part * position + place.translation).as_vec3();
        if let Some(normal) = baked.normals.get_mut(vertex) {
            let cofactors = DMat3::from_cols(
                place.part.y_axis.cross(place.part.z_axis),
                place.part.z_axis.cross(place.part.x_axis),
                place.part.x_axis.cross(place.part.y_axis),
            );
            let sign = if place.part.determinant() < 0.0 { -1.0 } else { 1.0 };
            let moved = cofactors * moved(*normal, vertex, |target| &target.normals) * sign;
            *normal = moved.normalize_or_zero().as_vec3();
        }
        if let Some(color) = baked.colors.get_mut(vertex) {
            let deltas = targets().filter_map(|(target, weight)| Some((target.colors.get(vertex)?, weight)));
            let add = |sum: [f64; 4], (delta, weight): (&Color4, f64)| {
                let delta = delta.to_array();
                std::array::from_fn(|c| sum[c] + f64::from(delta[c]) * weight)
            };
            let [r, g, b, a] =
                deltas.fold(color.to_array().map(f64::from), add).map(|c| c.clamp(0.0, 1.0) as f32);
            *color = Color4::new(r, g, b, a);
        }
        for (set, uvs) in baked.uv_sets.iter_mut().enumerate() {
            let Some(uv) = uvs.get_mut(vertex) else { continue };
            for (target, weight) in targets() {
                let delta = target.uv_sets.get(set).and_then(|deltas| deltas.get(vertex)).copied();
                *uv += delta.unwrap_or_default() * weight as f32;
            }
        }
    }
    if mesh.topology == Topology::Triangles {
        let mut indices = baked.indices.take().unwrap_or_else(|| (0..mesh.positions.len() as u32).collect());
        for triangle in indices.chunks_exact_mut(3) {
            if places[triangle[0] as usize].part.determinant() < 0.0 {
                triangle.swap(1, 2);
            }
        }
        baked.indices = Some(indices);
    }
    baked
}
