//! Playbacks that drive some of their nodes only.

use crate::clips::*;
use fire_engine::animation::{Animation, AnimationError, PlaybackOptions, TargetPath};
use fire_engine::math::{Transform, Vec3};
use fire_engine::scene::NodeRef;

/// Puts three slots to one x.
fn three(x: f32) -> Animation {
    let at = |slot| (slot, TargetPath::Translation, vectors(STEP, &[0.0], &[[x, 0.0, 0.0]]));
    clip_of((0..3).map(at).collect())
}

fn xs(stage: &Stage) -> [f32; 3] {
    [0, 1, 2].map(|node| stage.x(node))
}

#[test]
fn two_masks_split_a_body_between_two_clips() {
    let mut stage = Stage::new(1);
    for parent in 0..2 {
        let child = stage.scene.add_child(stage.nodes[parent], "").unwrap();
        stage.nodes.push(child);
    }
    let below = stage.play_on(three(1.0), &[0, 1, 2], PlaybackOptions::default());
    let above = stage.play_on(three(2.0), &[0, 1, 2], PlaybackOptions::default());
    stage.advance(0.0);
    assert_eq!(xs(&stage), [1.5; 3], "without masks both count");
    let spine = stage.nodes[1];
    stage.scene.set_mask(above, |node| node.is_within(spine)).unwrap();
    stage.scene.set_mask(below, |node| !node.is_within(spine)).unwrap();
    stage.advance(0.0);
    assert_eq!(xs(&stage), [1.0, 2.0, 2.0]);
    stage.scene.set_mask(below, |_| true).unwrap();
    stage.advance(0.0);
    assert_eq!(xs(&stage), [1.0, 1.5, 1.5]);
}

#[test]
fn a_masked_node_belongs_to_the_application() {
    let mut stage = Stage::new(3);
    let playback = stage.play_on(three(4.0), &[0, 1, 2], PlaybackOptions::default());
    stage.advance(0.0);
    let head = stage.nodes[1];
    stage.scene.set_mask(playback, |node| node.id() != head).unwrap();
    stage.advance(0.0);
    assert_eq!(xs(&stage), [4.0; 3], "it keeps its pose");
    stage.put(1, Transform::from_translation(Vec3::X));
    stage.advance(0.0);
    assert_eq!(xs(&stage), [4.0, 1.0, 4.0]);
    assert!(stage.scene.find(head).unwrap().is_animated(), "it is still bound");
    stage.scene.set_weight(playback, 0.5).unwrap();
    stage.scene.set_mask(playback, |_| true).unwrap();
    stage.advance(0.0);
    assert_eq!(xs(&stage), [2.0, 2.5, 2.0], "what was set under the mask is its rest now");
}

#[test]
fn masks_survive_removed_nodes_and_stopped_neighbors() {
    let mut stage = Stage::new(3);
    let first = stage.play_on(three(1.0), &[0, 1, 2], PlaybackOptions::default());
    let second = stage.play_on(three(3.0), &[0, 1, 2], PlaybackOptions::default());
    let gone = stage.nodes[1];
    let only = |id| move |node: NodeRef<'_>| node.id() == id;
    stage.scene.set_mask(second, only(gone)).unwrap();
    stage.advance(0.0);
    assert_eq!(xs(&stage), [1.0, 2.0, 1.0]);
    stage.scene.remove(gone).unwrap();
    stage.scene.set_mask(second, only(stage.nodes[2])).unwrap();
    stage.advance(0.0);
    assert_eq!([stage.x(0), stage.x(2)], [1.0, 2.0]);
    assert!(stage.scene.stop(first));
    stage.advance(0.0);
    assert_eq!([stage.x(0), stage.x(2)], [1.0, 3.0]);
    assert!(stage.scene.stop(second));
    assert_eq!(stage.scene.set_mask(second, |_| true), Err(AnimationError::UnknownPlayback));
    assert!(stage.scene.nodes().all(|node| !node.is_animated()));
}
