//! Morph targets on the CPU.

use crate::assets::{Mesh, MorphTarget};
use bytemuck::Pod;

/// The targets that apply, with their weights. Those of weight 0 cost nothing and change nothing, not even a -0.
pub(super) fn active<'a>(
    mesh: &'a Mesh,
    weights: &'a [f32],
) -> impl Iterator<Item = (&'a MorphTarget, f32)> + Clone {
    mesh.morph_targets.iter().zip(weights.iter().copied()).filter(|&(_, weight)| weight != 0.0)
}

/// Fills `out` with `base` plus the weighted displacements, target by target. An empty stream displaces nothing.
pub(super) fn morph<'a, T: Pod>(out: &mut Vec<T>, base: &[T], targets: impl Iterator<Item = (&'a [T], f32)>) {
    out.clear();
    out.extend_from_slice(base);
    // As components, whose loop is vectorized whatever they belong to.
    let values: &mut [f32] = bytemuck::cast_slice_mut(out);
    for (displacements, weight) in targets {
        for (value, displacement) in values.iter_mut().zip(bytemuck::cast_slice::<T, f32>(displacements)) {
            *value += displacement * weight;
        }
    }
}
