//! How far a mesh reaches in any pose, without a look at its vertices.

use super::mesh_pose::MeshPose;
use crate::assets::{ByJoint, Mesh};
use crate::math::{Affine3x4, Bounds, Columns, Vec3, Vec4};
use glam::Vec3A;

/// Boxes of the vertices that a mesh draws, made once.
#[derive(Debug, Default)]
pub(crate) struct MeshExtent {
    /// The box of their positions, or `None` if the mesh draws nothing.
    rest: Option<Bounds>,
    /// For each joint of a weight above 0 the box of the vertices that have it.
    joints: Vec<(u16, Bounds)>,
    /// The least and the largest sum of a vertex's weights: 1, but for rounding.
    weight_sums: [f32; 2],
    /// For each morph target the box of its displacements, or `None` if it moves nothing.
    targets: Vec<Option<Bounds>>,
}

impl MeshExtent {
    /// Reads the vertices of `mesh` that are drawn.
    pub fn of(mesh: &Mesh) -> Self {
        let drawn = drawn_vertices(mesh);
        let of_drawn = |stream: &[Vec3]| {
            Bounds::of_points(stream.iter().zip(&drawn).filter(|(_, drawn)| **drawn).map(|(at, _)| *at))
        };
        let targets = mesh.morph_targets.iter().map(|target| of_drawn(&target.positions));
        let moves = |bounds: &Bounds| *bounds != Bounds { min: Vec3::ZERO, max: Vec3::ZERO };
        let (joints, weight_sums) = joint_boxes(mesh, &drawn);
        Self {
            rest: of_drawn(&mesh.positions),
            joints,
            weight_sums,
            targets: targets.map(|bounds| bounds.filter(moves)).collect(),
        }
    }

    /// The box of the mesh without a skin, morph targets and world.
    pub fn rest(&self) -> Option<Bounds> {
        self.rest
    }

    /// A box around every vertex that `mesh`, of which this is the extent, draws in `pose`. `None` if it draws nothing, or
    /// if the pose lacks joints that it needs; [`Bounds::EVERYWHERE`] where numbers overflow.
    ///
    /// A morphed coordinate is a sum of products, so it lies between the same sums of the least and of the largest
    /// products. A skinned vertex is a sum over its joints of `weight * (joint matrix * position)`, of weights that are
    /// not negative and have a sum near 1: it lies inside every box around the joints' own, transformed boxes.
    pub fn posed(&self, mesh: &Mesh, pose: &MeshPose<'_>) -> Option<Bounds> {
        let rest = self.rest?;
        if !rest.is_finite() {
            return Some(Bounds::EVERYWHERE);
        }
        let weights = pose.weights_of(mesh);
        if pose.skins(mesh) {
            return self.skinned(pose.joints, &self.reach(weights));
        }
        let Bounds { mut min, mut max } = rest;
        // In the order of the targets, as vertices are morphed: then rounding cannot carry one outside.
        for (least, largest) in self.moved_by(weights) {
            (min, max) = (min + least, max + largest);
        }
        Some(Bounds { min, max }.transformed(&pose.world))
    }

    /// For each target that applies the least and the largest of what it adds to a position.
    fn moved_by(&self, weights: &[f32]) -> impl Iterator<Item = (Vec3, Vec3)> {
        self.targets.iter().zip(weights).filter(|&(_, &weight)| weight != 0.0).filter_map(
            |(target, &weight)| {
                let Bounds { min, max } = (*target)?;
                let (a, b) = (min * weight, max * weight);
                Some((a.min(b), a.max(b)))
            },
        )
    }

    fn reach(&self, weights: &[f32]) -> Reach {
        let zero = Reach { least: Vec3::ZERO, largest: Vec3::ZERO, size: Vec3::ZERO, count: 0 };
        self.moved_by(weights).fold(zero, |reach, (least, largest)| Reach {
            least: reach.least + least,
            largest: reach.largest + largest,
            size: reach.size + least.abs().max(largest.abs()),
            count: reach.count + 1,
        })
    }

    fn skinned(&self, matrices: &[Affine3x4], reach: &Reach) -> Option<Bounds> {
        let mut low = Vec3A::INFINITY;
        let mut high = Vec3A::NEG_INFINITY;
        let mut magnitude = Vec3A::ZERO;
        for &(joint, bounds) in &self.joints {
            let columns = Columns::from(matrices.get(usize::from(joint))?);
            let [least, largest] = columns.range(bounds.min + reach.least, bounds.max + reach.largest);
            (low, high) = (low.min(least), high.max(largest));
            // Where a product or sum above is infinite or NaN, this is infinite, and no maximum loses that.
            let far = bounds.min.abs().max(bounds.max.abs()) + reach.size;
            magnitude = magnitude.max(columns.magnitude(far));
        }
        // Joints without vertices count too: a weight of 0 hides no infinity, and a blend of what is nearly infinite is.
        let total =
            matrices.iter().flat_map(|matrix| matrix.rows).fold(Vec4::ZERO, |sum, row| sum + row.abs());
        if total.max_element() > f32::MAX / 4.0 || !total.is_finite() {
            return Some(Bounds::EVERYWHERE);
        }
        let [least, largest] = self.weight_sums;
        low = (low * least).min(low * largest);
        high = (high * least).max(high * largest);
        // Here sums are in another order than those of the vertices. Up to 8 products for a blended matrix, 4 for a point
        // and one for each target are added, there and here, and each operation is off by half an epsilon at most.
        let rounding = (16.0 + reach.count as f32) * f32::EPSILON;
        let margin = magnitude * (largest * rounding) + Vec3A::splat(f32::MIN_POSITIVE);
        Some(Bounds { min: (low - margin).into(), max: (high + margin).into() }.or_everywhere())
    }
}

/// How far morph targets carry vertices.
struct Reach {
    least: Vec3,
    largest: Vec3,
    /// The magnitudes of what is added.
    size: Vec3,
    /// How many targets apply.
    count: usize,
}

/// For each vertex whether it is drawn.
fn drawn_vertices(mesh: &Mesh) -> Vec<bool> {
    let mut is_drawn = vec![false; mesh.positions.len()];
    for vertex in mesh.drawn() {
        if let Some(is_drawn) = is_drawn.get_mut(vertex) {
            *is_drawn = true;
        }
    }
    is_drawn
}

/// The boxes of the vertices of each joint, and the range of the sums of weights.
fn joint_boxes(mesh: &Mesh, drawn: &[bool]) -> (Vec<(u16, Bounds)>, [f32; 2]) {
    let mut boxes: ByJoint<Option<Bounds>> = ByJoint::new(mesh, None);
    let mut sums = [f64::INFINITY, f64::NEG_INFINITY];
    for (vertex, (&position, _)) in
        mesh.positions.iter().zip(drawn).enumerate().filter(|(_, (_, drawn))| **drawn)
    {
        let mut sum = 0.0;
        for set in &mesh.joint_sets {
            let (Some(joints), Some(weights)) = (set.joints.get(vertex), set.weights.get(vertex)) else {
                continue;
            };
            for (&joint, &weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
                sum += f64::from(weight);
                let here = Bounds { min: position, max: position };
                if let Some(bounds) = boxes.get_mut(joint) {
                    *bounds = Some(bounds.map_or(here, |bounds| bounds.union(&here)));
                }
            }
        }
        sums = [sums[0].min(sum), sums[1].max(sum)];
    }
    let boxes = boxes.into_entries().filter_map(|(joint, bounds)| Some((joint, bounds?)));
    (boxes.collect(), sums.map(|sum| sum as f32))
}
