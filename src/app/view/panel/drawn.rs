//! How much is drawn.

use crate::app::view::seen::Seen;
use crate::app::view::stage::Stage;
use fire_engine::assets::{CatalogueIdentity, Topology};
use fire_engine::scene::SceneIdentity;

/// What is said of a scene without anything that is drawn.
pub const NOTHING: &str = "nothing to draw in this scene";

/// What a topology's primitives are called.
pub fn primitives(topology: Topology) -> &'static str {
    match topology {
        Topology::Points => "points",
        Topology::Lines => "lines",
        Topology::Triangles => "triangles",
        _ => "primitives",
    }
}

/// The names of what is compared to tell whether anything changed.
type Key = (SceneIdentity, u64, CatalogueIdentity, u64);

/// Sums over all nodes, taken again only when the structure changes.
#[derive(Debug, Default)]
pub struct Drawn {
    key: Option<Key>,
    /// Nodes that draw something.
    pub nodes: u64,
    /// Vertices of their meshes, once for each of them.
    pub vertices: u64,
    /// Triangles, lines and points.
    pub triangles: u64,
    /// See [`triangles`](Self::triangles).
    pub lines: u64,
    /// See [`triangles`](Self::triangles).
    pub points: u64,
}

impl Drawn {
    /// Whether a model is on show in which there is nothing to see. While one is being loaded, and where one was refused,
    /// that is not told of the empty stage.
    pub fn is_nothing(&mut self, seen: &Seen<'_>) -> bool {
        self.update(seen.stage);
        let is_there = seen.stage.path.as_ref().is_some_and(|path| !seen.refused.contains_key(path));
        self.vertices == 0 && is_there && seen.loading.is_none()
    }

    /// Takes notice of what is on show.
    pub fn update(&mut self, stage: &Stage) {
        let (scene, assets) = (&stage.content.scene, &stage.content.assets);
        let key = (scene.identity(), scene.structure_revision(), assets.identity(), assets.revision());
        if self.key == Some(key) {
            return;
        }
        *self = Self { key: Some(key), ..Self::default() };
        let meshes = scene.nodes().filter_map(|node| {
            let object = assets.render_object(node.render_object()?)?;
            assets.mesh(object.mesh)
        });
        for mesh in meshes {
            let primitives = (mesh.index_count() / mesh.topology.arity()) as u64;
            self.nodes += 1;
            self.vertices += mesh.positions.len() as u64;
            match mesh.topology {
                Topology::Points => self.points += primitives,
                Topology::Lines => self.lines += primitives,
                _ => self.triangles += primitives,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::stage;
    use fire_engine::assets::{Material, Mesh, RenderObject};
    use fire_engine::math::Vec3;
    use fire_engine::scene::Content;

    #[test]
    fn meshes_count_once_for_each_node_that_draws_them() {
        let mut content = Content::default();
        let quad =
            Mesh { positions: vec![Vec3::ZERO; 4], indices: Some(vec![0, 1, 2, 2, 1, 3]), ..Mesh::default() };
        let line = Mesh { topology: Topology::Lines, positions: vec![Vec3::ZERO; 2], ..Mesh::default() };
        let material = content.assets.add_material(Material::default());
        let [quad, line] = [quad, line].map(|mesh| content.assets.add_mesh(mesh));
        for mesh in [quad, quad, line] {
            let object = content.assets.add_render_object(RenderObject { mesh, material });
            let node = content.scene.add_root("").unwrap();
            content.scene.find_mut(node).unwrap().set_render_object(Some(object));
        }
        let stage = stage(content);
        let mut drawn = Drawn::default();
        drawn.update(&stage);
        assert_eq!((drawn.nodes, drawn.vertices), (3, 10));
        assert_eq!((drawn.triangles, drawn.lines, drawn.points), (4, 1, 0));
        drawn.vertices = 0;
        drawn.update(&stage);
        assert_eq!(drawn.vertices, 0, "nothing changed, so nothing is counted");
        drawn.update(&super::super::testing::stage(Content::default()));
        assert_eq!(drawn.nodes, 0);
    }
}
