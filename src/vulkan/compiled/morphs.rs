//! Which morph targets a frame's draws add up.

use super::deformation::Deformation;
use crate::scene::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// Draws of one mesh with the same weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Morphed {
    mesh: u32,
    weights: Span,
}

/// The targets of a frame's draws with weights other than 0.
///
/// Rebuilding keeps every buffer's capacity, so a scene of steady size allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Morphs {
    draws: Vec<Morphed>,
    places: HashMap<Morphed, u32>,
    /// For each of the draws (first pair, number of pairs), and behind them the pairs: (place of a target's displacements,
    /// bits of its weight).
    pub(crate) words: Vec<[u32; 2]>,
}

impl Morphs {
    pub(crate) fn clear(&mut self) {
        self.draws.clear();
        self.places.clear();
    }

    /// The number of the draw of this mesh with these weights. Draws that share both share the number.
    pub(crate) fn place(&mut self, mesh: u32, weights: Span) -> u32 {
        let draw = Morphed { mesh, weights };
        *self.places.entry(draw).or_insert_with(|| {
            self.draws.push(draw);
            self.draws.len() as u32 - 1
        })
    }

    /// Lists the targets of each draw by the present weights: those of the scene, or the mesh's own. The first word will
    /// lie at `base`.
    pub(crate) fn fill(&mut self, base: u32, weights: &[f32], meshes: &[Arc<Deformation>]) {
        self.words.clear();
        self.words.resize(self.draws.len(), [0; 2]);
        for (index, draw) in self.draws.iter().enumerate() {
            let Some(mesh) = meshes.get(draw.mesh as usize) else { continue };
            let given = draw.weights.of(weights);
            let weights = if given.is_empty() { &mesh.weights } else { given };
            let first = self.words.len();
            let listed = mesh.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
            self.words.extend(listed.filter_map(|(target, weight)| Some([(*target)?, weight.to_bits()])));
            self.words[index] = [base + first as u32, (self.words.len() - first) as u32];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meshes() -> [Arc<Deformation>; 2] {
        let with = |targets: &[Option<u32>], weights: &[f32]| {
            let (targets, weights) = (targets.to_vec(), weights.to_vec());
            Arc::new(Deformation { targets, weights, ..Deformation::default() })
        };
        [with(&[Some(100), None, Some(200)], &[0.5, 1.0, 0.0]), with(&[Some(300)], &[])]
    }

    fn span(start: u32, count: u32) -> Span {
        Span { start, count }
    }

    fn filled(draws: &[(u32, Span)], weights: &[f32]) -> Vec<[u32; 2]> {
        let mut morphs = Morphs::default();
        for &(mesh, weights) in draws {
            morphs.place(mesh, weights);
        }
        morphs.fill(10, weights, &meshes());
        morphs.words
    }

    #[test]
    fn only_targets_with_a_weight_and_something_to_displace_are_listed() {
        let words = filled(&[(0, span(0, 3)), (0, span(3, 3))], &[0.0, 7.0, -2.0, 1.0, 0.0, 3.0]);
        assert_eq!(words[..2], [[12, 1], [13, 2]]);
        let pairs = [(200, -2.0_f32), (100, 1.0), (200, 3.0)];
        assert_eq!(words[2..], pairs.map(|(at, weight)| [at, weight.to_bits()]));
    }

    #[test]
    fn weights_of_the_mesh_apply_where_the_scene_has_none() {
        let half = [100, 0.5_f32.to_bits()];
        assert_eq!(filled(&[(0, Span::default())], &[9.0; 3]), [[11, 1], half]);
        // Not inside of the scene's weights.
        assert_eq!(filled(&[(0, span(2, 3))], &[9.0; 3]), [[11, 1], half]);
        assert_eq!(filled(&[(1, Span::default())], &[]), [[11, 0]]);
    }

    #[test]
    fn missing_weights_are_0_and_more_than_there_are_targets_do_nothing() {
        let one = 1.0_f32.to_bits();
        assert_eq!(filled(&[(0, span(0, 1))], &[1.0, 1.0, 1.0]), [[11, 1], [100, one]]);
        assert_eq!(filled(&[(1, span(0, 3))], &[1.0, 1.0, 1.0]), [[11, 1], [300, one]]);
    }

    #[test]
    fn draws_with_the_same_mesh_and_weights_share_a_place() {
        let mut morphs = Morphs::default();
        let places = [(0, span(0, 3)), (1, span(0, 3)), (0, span(0, 3)), (0, Span::default())]
            .map(|(mesh, weights)| morphs.place(mesh, weights));
        assert_eq!(places, [0, 1, 0, 2]);
        morphs.clear();
        assert_eq!(morphs.place(0, Span::default()), 0);
    }
}
