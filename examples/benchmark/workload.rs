//! The scene that is measured: a grid of cubes under one root.

use crate::app::error::AppError;
use crate::app::model;
use fire_engine::animation::{AnimationId, PlaybackOptions};
use fire_engine::assets::RenderObjectId;
use fire_engine::math::{Transform, Vec3};
use fire_engine::scene::{ClipBinding, Content, Scene, SceneNodeId};

/// Distance between neighbors, in meters; a cube is 2 wide.
const SPACING: f32 = 2.5;

/// Content with its one root.
pub struct Workload {
    /// What is drawn.
    pub content: Content,
    root: SceneNodeId,
}

impl Workload {
    /// `instances` letter cubes under one root; if `is_animated`, each with its own playback at its own time.
    pub fn new(instances: u64, is_animated: bool) -> Result<Self, AppError> {
        let (mut content, _) = model::load_model(None)?;
        let object = content.scene.nodes().find_map(|node| node.render_object());
        let object = object.unwrap_or(RenderObjectId::new(0));
        content.scene = Scene::new();
        content.bindings.clear();
        let root = content.scene.add_root("grid")?;
        for index in 0..instances {
            let child = content.scene.add_child(root, "")?;
            if let Some(mut child) = content.scene.find_mut(child) {
                child.set_transform(Transform::from_translation(place(index, instances)))?;
                child.set_render_object(Some(object));
            }
            if is_animated {
                play(&mut content, child, index)?;
            }
        }
        content.scene.update_world_transforms();
        Ok(Self { content, root })
    }

    /// Poses the root for the `frame`th shown frame.
    pub fn move_root(&mut self, frame: u64) -> Result<(), AppError> {
        let x = 0.25 * (frame as f64 / 60.0).sin();
        if let Some(mut root) = self.content.scene.find_mut(self.root) {
            root.set_transform(Transform::from_translation(Vec3::new(x as f32, 0.0, 0.0)))?;
        }
        Ok(())
    }
}

/// Starts the clip on one cube. Multiples of the golden ratio spread the start times evenly, whatever their number.
fn play(content: &mut Content, node: SceneNodeId, index: u64) -> Result<(), AppError> {
    let Some(clip) = content.animations.first() else { return Ok(()) };
    let binding = ClipBinding::new(AnimationId::new(0), vec![node; clip.slot_count()]);
    let phase = (index as f64 * 0.618_033_988_749_895).fract();
    let options = PlaybackOptions { start_time: phase * clip.duration(), ..PlaybackOptions::default() };
    content.scene.play(clip, &binding, options)?;
    Ok(())
}

/// Where a cube stands: rows as wide as the square root of the number, around the origin.
fn place(index: u64, instances: u64) -> Vec3 {
    let width = row_width(instances);
    let middle = (width - 1) as f32 / 2.0;
    let (column, row) = ((index % width) as f32, (index / width) as f32);
    Vec3::new(column - middle, row - middle, 0.0) * SPACING
}

/// The square root, rounded up.
fn row_width(instances: u64) -> u64 {
    let root = instances.isqrt();
    (root + u64::from(root * root < instances)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_as_wide_as_the_root_rounded_up() {
        assert_eq!([1, 2, 4, 5, 9, 10, 10_000].map(row_width), [1, 2, 2, 3, 3, 4, 100]);
        assert_eq!(place(0, 1), Vec3::ZERO);
        assert_eq!(place(0, 4), Vec3::new(-1.25, -1.25, 0.0));
        assert_eq!(place(3, 4), Vec3::new(1.25, 1.25, 0.0));
        assert_eq!(place(4, 5), Vec3::new(0.0, 0.0, 0.0));
    }

    #[test]
    fn one_root_and_as_many_cubes_as_asked_for() {
        let mut workload = Workload::new(7, false).unwrap();
        assert_eq!(workload.content.scene.len(), 8);
        assert!(workload.content.scene.playbacks().is_empty());
        workload.content.validate().unwrap();
        workload.move_root(60).unwrap();
        workload.content.scene.update_world_transforms();
        let root = workload.content.scene.find(workload.root).unwrap().world().translation();
        assert!((root.x - 0.25 * 1.0_f32.sin()).abs() < 1e-6);
    }

    #[test]
    fn animated_cubes_have_times_of_their_own() {
        let workload = Workload::new(5, true).unwrap();
        let mut times: Vec<f64> = workload.content.scene.playbacks().iter().map(|p| p.time()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        assert_eq!(times.len(), 5);
        assert_eq!(workload.content.scene.len(), 6);
    }
}
