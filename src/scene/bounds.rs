//! Boxes around what is drawn: a cheap one that is certainly large enough, and the exact one.

use super::arena::Scene;
use super::draw_list::DrawItem;
use crate::assets::{MeshPose, PosedStreams, PosedVertices, RenderAssets};
use crate::math::Bounds;

impl Scene {
    /// A world-space box around everything that is drawn, in its present pose, as of the last
    /// [`update_world_transforms`](Self::update_world_transforms): for culling and for framing.
    ///
    /// It contains [`posed_bounds`] always, and costs a few multiplications a draw: what is remembered of each mesh are
    /// boxes of its vertices, of those that each joint moves, and of what each morph target adds. For one mesh that is not
    /// turned, skinned or morphed it is the same box. Figures are not culled by their rest: each joint carries its own box.
    ///
    /// `None` if nothing is drawn; [`Bounds::EVERYWHERE`] where coordinates overflow. Faulty draws are left out: of ids
    /// that `assets` does not have, or of a skin with too few joints. Weights of joints have to be as
    /// [`RenderAssets::validate`] demands.
    #[must_use]
    pub fn bounds(&self, assets: &RenderAssets) -> Option<Bounds> {
        self.bounds_of(assets, self.draw_items())
    }

    /// As [`bounds`](Self::bounds), around some of this scene's draws: those of a
    /// [`DrawList`](super::DrawList), or [of a node](super::NodeRef::draw_items).
    #[must_use]
    pub fn bounds_of(
        &self,
        assets: &RenderAssets,
        items: impl IntoIterator<Item = DrawItem>,
    ) -> Option<Bounds> {
        let bounds = items.into_iter().filter_map(|item| {
            let id = assets.render_object(item.render_object)?.mesh;
            assets.mesh_extent(id)?.posed(assets.mesh(id)?, &self.mesh_pose(&item))
        });
        bounds.reduce(|all, bounds| all.union(&bounds))
    }

    /// What moves the vertices of a draw of this scene: for [`PosedVertices::pose`].
    #[must_use]
    pub fn mesh_pose(&self, item: &DrawItem) -> MeshPose<'_> {
        MeshPose {
            weights: item.weights.of(self.morph_weights()),
            world: self.world_transforms().get(item.world as usize).copied().unwrap_or_default(),
            joints: item.joints.of(self.joint_matrices()),
        }
    }
}

/// The world-space box of every vertex that is drawn (that an index uses), in the present pose, as of the last
/// [`update_world_transforms`](Scene::update_world_transforms): exact, by moving every vertex on the CPU. For tools and
/// tests; [`Scene::bounds`] is made for every frame.
///
/// `None`, [`Bounds::EVERYWHERE`] and faulty draws as there.
#[must_use]
pub fn posed_bounds(assets: &RenderAssets, scene: &Scene) -> Option<Bounds> {
    posed_bounds_of(assets, scene, scene.draw_items())
}

/// As [`posed_bounds`], of some of the scene's draws: those of a [`DrawList`](super::DrawList), or
/// [of a node](super::NodeRef::draw_items).
#[must_use]
pub fn posed_bounds_of(
    assets: &RenderAssets,
    scene: &Scene,
    items: impl IntoIterator<Item = DrawItem>,
) -> Option<Bounds> {
    let mut posed = PosedVertices::default();
    let bounds = items.into_iter().filter_map(|item| {
        let mesh = assets.mesh(assets.render_object(item.render_object)?.mesh)?;
        posed.pose(mesh, &scene.mesh_pose(&item), PosedStreams::POSITIONS).ok()?;
        Bounds::of_points(mesh.drawn().filter_map(|vertex| posed.positions.get(vertex).copied()))
    });
    bounds.reduce(|all, bounds| all.union(&bounds))
}
