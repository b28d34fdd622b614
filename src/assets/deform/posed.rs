//! The vertices of a mesh in a pose.

use super::check::{check_joints, check_streams};
use super::mesh_pose::{MeshPose, PosedStreams};
use super::morph::{active, morph};
use super::skin::{skin, turn_normals, turn_tangents};
use crate::assets::{Color4, GeometryError, Mesh};
use crate::math::{Columns, Vec2, Vec3, Vec4};

/// The streams of one mesh in a pose, in world space. Keep it from frame to frame: then [`pose`](Self::pose) allocates
/// only for more vertices than ever before.
///
/// ```
/// use fire_engine::assets::{Mesh, MeshPose, MorphTarget, PosedStreams, PosedVertices};
/// use fire_engine::math::{Transform, Vec3};
///
/// let mesh = Mesh {
///     positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
///     morph_targets: vec![MorphTarget { positions: vec![Vec3::Z; 3], ..MorphTarget::default() }],
///     ..Mesh::default()
/// };
/// let world = Transform::from_translation(Vec3::new(5.0, 0.0, 0.0)).affine();
/// let mut posed = PosedVertices::default();
/// posed.pose(&mesh, &MeshPose { weights: &[0.5], ..MeshPose::at(world) }, PosedStreams::ALL)?;
/// assert_eq!(posed.positions[1], Vec3::new(6.0, 0.0, 0.5));
/// # Ok::<(), fire_engine::assets::GeometryError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PosedVertices {
    /// World positions; not finite where they overflow.
    pub positions: Vec<Vec3>,
    /// Unit world normals; zero where the transform leaves none. Empty if the mesh has none, or they were not wanted; so
    /// with the others.
    pub normals: Vec<Vec3>,
    /// Unit world tangents, zero where the transform leaves none, with the bitangent's sign in w: a transform that mirrors
    /// changes it.
    pub tangents: Vec<Vec4>,
    /// Linear colors; clamped to 0 to 1 if a morph target of the mesh displaces colors, whatever its weight.
    pub colors: Vec<Color4>,
    /// Texture coordinates, set by set.
    pub uv_sets: Vec<Vec<Vec2>>,
    /// The joint matrices in the form in which they are blended.
    palette: Vec<Columns>,
}

impl PosedVertices {
    /// Replaces everything by the wanted streams of `mesh` in `pose`. Only morph targets of a weight other than 0 cost
    /// something.
    ///
    /// # Errors
    /// [`GeometryError`] if a stream is neither empty nor as long as the positions, or a vertex has a joint (of a weight
    /// other than 0) that the pose lacks. Then all streams are empty.
    pub fn pose(
        &mut self,
        mesh: &Mesh,
        pose: &MeshPose<'_>,
        wanted: PosedStreams,
    ) -> Result<(), GeometryError> {
        self.clear();
        check_streams(mesh)?;
        let skins = pose.skins(mesh);
        if skins {
            check_joints(mesh, pose.joints.len())?;
        }
        self.morph(mesh, pose.weights_of(mesh), wanted);
        let Self { positions, normals, tangents, palette, .. } = self;
        if skins {
            skin(mesh, pose.joints, palette, positions, normals, tangents);
            return Ok(());
        }
        let columns = Columns::from(&pose.world);
        for position in positions {
            *position = columns.point(*position).into();
        }
        turn_normals(normals, &pose.world.normal_matrix());
        turn_tangents(tangents, &columns, if pose.world.mirrors() { -1.0 } else { 1.0 });
        Ok(())
    }

    /// Object space: the mesh's streams and what its targets add.
    fn morph(&mut self, mesh: &Mesh, weights: &[f32], wanted: PosedStreams) {
        let targets = active(mesh, weights);
        let positions = targets.clone().map(|(target, weight)| (&target.positions[..], weight));
        morph(&mut self.positions, &mesh.positions, positions);
        if wanted.normals {
            let normals = targets.clone().map(|(target, weight)| (&target.normals[..], weight));
            morph(&mut self.normals, &mesh.normals, normals);
        }
        if wanted.tangents {
            self.tangents.extend_from_slice(&mesh.tangents);
            for (target, weight) in targets.clone() {
                for (tangent, displacement) in self.tangents.iter_mut().zip(&target.tangents) {
                    *tangent += displacement.extend(0.0) * weight;
                }
            }
        }
        if wanted.colors {
            let colors = targets.clone().map(|(target, weight)| (&target.colors[..], weight));
            morph(&mut self.colors, &mesh.colors, colors);
            if mesh.morph_targets.iter().any(|target| !target.colors.is_empty()) {
                for component in bytemuck::cast_slice_mut::<Color4, f32>(&mut self.colors) {
                    *component = component.clamp(0.0, 1.0);
                }
            }
        }
        if wanted.uv_sets {
            self.uv_sets.resize_with(mesh.uv_sets.len(), Vec::new);
            for (set, (out, base)) in self.uv_sets.iter_mut().zip(&mesh.uv_sets).enumerate() {
                let uvs = targets.clone().map(|(target, weight)| {
                    (target.uv_sets.get(set).map_or(&[][..], |uvs| &uvs[..]), weight)
                });
                morph(out, base, uvs);
            }
        }
    }

    fn clear(&mut self) {
        self.positions.clear();
        self.normals.clear();
        self.tangents.clear();
        self.colors.clear();
        self.uv_sets.iter_mut().for_each(Vec::clear);
    }
}
