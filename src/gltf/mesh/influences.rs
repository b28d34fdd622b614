//! Influences as drawing needs them: at most eight a vertex, none negative, and their weights sum to 1.

use crate::assets::{JointSet, MAX_JOINT_SETS};
use crate::gltf::report::{LoadReport, Severity};
use std::fmt::Display;

/// How far from 1 a sum of weights may be before that is worth a note; it is corrected in any case.
const TOLERANCE: f32 = 1e-3;

/// Normalizes the weights of each vertex (glTF 2.0, section 3.7.3.3, demands that they are) and names joint 0 where a weight
/// is 0. Of more than eight influences a vertex keeps the strongest.
pub(super) fn settle(sets: &mut Vec<JointSet>, path: &dyn Display, report: &mut LoadReport) {
    let vertices = sets.first().map_or(0, |set| set.joints.len());
    if sets.len() > MAX_JOINT_SETS {
        let message = format!(
            "{} influences a vertex; the {} strongest of each are kept",
            sets.len() * 4,
            MAX_JOINT_SETS * 4
        );
        report.ignored(Severity::Warning, path, message);
        (0..vertices).for_each(|vertex| keep_strongest(sets, vertex));
        sets.truncate(MAX_JOINT_SETS);
    }
    let (mut negative, mut without, mut off) = (0, 0, 0);
    for vertex in 0..vertices {
        let mut sum = 0.0;
        let mut had_negative = false;
        for set in &mut *sets {
            for (weight, joint) in set.weights[vertex].iter_mut().zip(&mut set.joints[vertex]) {
                had_negative |= *weight < 0.0;
                // Not a number stays, for validation to refuse.
                if *weight <= 0.0 {
                    (*weight, *joint) = (0.0, 0);
                }
                sum += *weight;
            }
        }
        negative += usize::from(had_negative);
        if sum == 0.0 {
            without += 1;
            sets[0].weights[vertex][0] = 1.0;
        } else if sum != 1.0 && sum.is_finite() {
            off += usize::from((sum - 1.0).abs() > TOLERANCE && !had_negative);
            sets.iter_mut().for_each(|set| set.weights[vertex].iter_mut().for_each(|weight| *weight /= sum));
        }
    }
    for (count, what) in [
        (negative, "have negative weights of joints, which are taken for 0"),
        (without, "have weights that are all 0; they follow the skin's first joint"),
        (off, "have weights of joints that do not sum to 1; normalized"),
    ] {
        if count > 0 {
            report.repaired(path, format!("{count} of {vertices} vertices {what}"));
        }
    }
}

/// Moves a vertex's strongest influences to the first sets; equally strong ones stay in order.
fn keep_strongest(sets: &mut [JointSet], vertex: usize) {
    let all = sets.iter().flat_map(|set| set.weights[vertex].into_iter().zip(set.joints[vertex]));
    let mut all: Vec<(f32, u16)> = all.collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (place, (weight, joint)) in all.into_iter().enumerate() {
        sets[place / 4].weights[vertex][place % 4] = weight;
        sets[place / 4].joints[vertex][place % 4] = joint;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(sets: &[([u16; 4], [f32; 4])]) -> (Vec<JointSet>, usize) {
        let set = |&(joints, weights)| JointSet { joints: vec![joints], weights: vec![weights] };
        let (mut sets, mut report) = (sets.iter().map(set).collect(), LoadReport::with_room(9));
        settle(&mut sets, &"primitive", &mut report);
        (sets, report.iter().count())
    }

    #[test]
    fn weights_are_normalized_over_all_sets_and_only_large_differences_are_noted() {
        let (sets, notes) =
            settled(&[([1, 2, 3, 9], [1.0, 1.0, 0.0, 0.0]), ([4, 9, 9, 9], [2.0, 0.0, 0.0, 0.0])]);
        assert_eq!((sets[0].weights[0], sets[1].weights[0]), ([0.25, 0.25, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0]));
        assert_eq!((sets[0].joints[0], sets[1].joints[0], notes), ([1, 2, 0, 0], [4, 0, 0, 0], 1));
        let (sets, notes) = settled(&[([1, 2, 0, 0], [0.5, 0.5005, 0.0, 0.0])]);
        assert!((sets[0].weights[0].iter().sum::<f32>() - 1.0).abs() < 1e-6 && notes == 0);
    }

    #[test]
    fn a_vertex_without_any_weight_follows_the_first_joint_and_negative_ones_count_as_none() {
        assert_eq!(settled(&[([5; 4], [0.0; 4])]).0[0].weights[0], [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(settled(&[([5; 4], [0.0; 4])]).0[0].joints[0], [0; 4]);
        let (sets, notes) = settled(&[([5, 6, 0, 0], [-1.0, 0.5, 0.0, 0.0])]);
        assert_eq!((sets[0].weights[0], sets[0].joints[0], notes), ([0.0, 1.0, 0.0, 0.0], [0, 6, 0, 0], 1));
    }

    #[test]
    fn of_more_than_eight_influences_the_strongest_stay() {
        let part = |first: u16, weight: f32| ([first, first + 1, first + 2, first + 3], [weight; 4]);
        let (sets, notes) = settled(&[part(0, 0.03125), part(10, 0.0625), part(20, 0.0625)]);
        let joints: Vec<u16> = sets.iter().flat_map(|set| set.joints[0]).collect();
        assert_eq!((joints, notes), (vec![10, 11, 12, 13, 20, 21, 22, 23], 2));
        assert!(sets.iter().all(|set| set.weights[0] == [0.125; 4]));
    }
}
