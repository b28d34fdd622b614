//! Meshes of the document.

use fire_engine::assets::{Mesh, Topology};
use fire_engine::scene::Content;
use serde::Serialize;

/// A mesh of the document.
#[derive(Debug, Serialize)]
pub struct MeshFacts<'a> {
    pub index: usize,
    pub name: &'a str,
    pub primitives: Vec<PrimitiveFacts>,
}

/// One of its primitives, as it is drawn: vertices that a load had to split are counted apart.
#[derive(Debug, Serialize)]
pub struct PrimitiveFacts {
    /// `points`, `lines` or `triangles`, which strips, fans and loops have become; `None` if there is nothing to draw.
    pub topology: Option<&'static str>,
    /// How many points, lines or triangles.
    pub count: usize,
    pub vertices: usize,
    /// The number of its material; `None` for the default one.
    pub material: Option<usize>,
    pub morph_targets: usize,
    /// Influences of joints on a vertex, at most.
    pub influences: usize,
}

impl MeshFacts<'_> {
    /// How many points, lines or triangles all of its primitives have together.
    pub fn count(&self) -> usize {
        self.primitives.iter().map(|primitive| primitive.count).sum()
    }
}

/// The document's meshes in order.
pub fn meshes(content: &Content) -> Vec<MeshFacts<'_>> {
    let (assets, document) = (&content.assets, &content.document);
    let primitives = |objects: &[Option<_>]| {
        objects
            .iter()
            .map(|object| {
                let object = object.and_then(|object| assets.render_object(object))?;
                Some((assets.mesh(object.mesh)?, object.material.index()))
            })
            .collect::<Vec<_>>()
    };
    document
        .primitives
        .iter()
        .enumerate()
        .map(|(index, objects)| {
            let primitives = primitives(objects);
            let name = primitives.iter().flatten().next().map_or("", |(mesh, _)| &*mesh.name);
            let facts = |primitive: &Option<(&Mesh, usize)>| match primitive {
                Some((mesh, material)) => {
                    primitive_facts(mesh, Some(*material).filter(|&m| m < document.counts.materials))
                }
                None => PrimitiveFacts {
                    topology: None,
                    count: 0,
                    vertices: 0,
                    material: None,
                    morph_targets: 0,
                    influences: 0,
                },
            };
            MeshFacts { index, name, primitives: primitives.iter().map(facts).collect() }
        })
        .collect()
}

fn primitive_facts(mesh: &Mesh, material: Option<usize>) -> PrimitiveFacts {
    PrimitiveFacts {
        topology: Some(match mesh.topology {
            Topology::Points => "points",
            Topology::Lines => "lines",
            Topology::Triangles => "triangles",
            _ => "other",
        }),
        count: mesh.index_count() / mesh.topology.arity(),
        vertices: mesh.positions.len(),
        material,
        morph_targets: mesh.morph_targets.len(),
        influences: 4 * mesh.joint_sets.len(),
    }
}
