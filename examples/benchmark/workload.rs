//! The scene that is measured: a grid of cubes, or of a model's copies, under one root.

use crate::app::error::AppError;
use crate::app::model;
use crate::arguments::Arguments;
use fire_engine::animation::{Animation, AnimationId, PlaybackOptions};
use fire_engine::assets::RenderObjectId;
use fire_engine::math::{Bounds, Transform, Vec3};
use fire_engine::scene::{ClipBinding, Content, Scene, SceneNodeId};
use std::path::Path;

/// Distance between neighbors, in meters; a cube is 2 wide.
const SPACING: f32 = 2.5;

/// Content with its one root.
pub struct Workload {
    /// What is drawn.
    pub content: Content,
    root: SceneNodeId,
    /// How far the root moves to and fro, in meters.
    sway: f32,
}

impl Workload {
    /// What the arguments ask for.
    pub fn new(arguments: &Arguments) -> Result<Self, AppError> {
        match &arguments.model {
            Some(model) => Self::of_model(model, arguments),
            None => Self::of_cubes(arguments.instances, arguments.animated),
        }
    }

    /// `instances` letter cubes under one root; if `is_animated`, each with its own playback at its own time.
    fn of_cubes(instances: u64, is_animated: bool) -> Result<Self, AppError> {
        let (mut content, _) = model::load_model(None)?;
        let object = content.scene.nodes().find_map(|node| node.render_object());
        let object = object.unwrap_or(RenderObjectId::new(0));
        content.scene = Scene::new();
        content.bindings.clear();
        let root = content.scene.add_root("grid")?;
        for index in 0..instances {
            let child = content.scene.add_child(root, "")?;
            if let Some(mut child) = content.scene.find_mut(child) {
                child.set_transform(Transform::from_translation(place(index, instances) * SPACING))?;
                child.set_render_object(Some(object));
            }
            if let (true, Some(clip)) = (is_animated, content.animations.first()) {
                let binding = ClipBinding::new(AnimationId::new(0), vec![child; clip.slot_count()]);
                play(&mut content.scene, clip, &binding, index)?;
            }
        }
        content.scene.update_world_transforms();
        Ok(Self { content, root, sway: 0.25 })
    }

    /// Copies of a model's scene, as far apart as it is large, on the plane that its +Y stands on.
    fn of_model(model: &Path, arguments: &Arguments) -> Result<Self, AppError> {
        let (mut content, _) = model::load_model(Some(model))?;
        let figure = std::mem::take(&mut content.scene);
        let bindings = std::mem::take(&mut content.bindings);
        let clip = arguments.clip as usize;
        let size = figure.bounds(&content.assets).filter(Bounds::is_finite).map_or(1.0, |box_of_all| {
            let size = box_of_all.max - box_of_all.min;
            size.x.max(size.z).max(size.y * 0.5)
        });
        let root = content.scene.add_root("grid")?;
        for index in 0..arguments.instances {
            let at = place(index, arguments.instances) * size * 1.1;
            let at = Transform::from_translation(Vec3::new(at.x, 0.0, at.y));
            let map = content.scene.append(&figure, Some(root), at)?;
            if let (true, Some(binding)) = (arguments.animated, bindings.get(clip)) {
                let clip = &content.animations[binding.animation.index()];
                play(&mut content.scene, clip, &binding.remapped(&map), index)?;
            }
        }
        content.scene.update_world_transforms();
        Ok(Self { content, root, sway: size * 0.1 })
    }

    /// Poses the root for the `frame`th shown frame.
    pub fn move_root(&mut self, frame: u64) -> Result<(), AppError> {
        let x = self.sway * (frame as f32 / 60.0).sin();
        if let Some(mut root) = self.content.scene.find_mut(self.root) {
            root.set_transform(Transform::from_translation(Vec3::new(x, 0.0, 0.0)))?;
        }
        Ok(())
    }
}

/// Starts the clip on one cube or copy. Multiples of the golden ratio spread the start times evenly, whatever their number.
fn play(scene: &mut Scene, clip: &Animation, binding: &ClipBinding, index: u64) -> Result<(), AppError> {
    let phase = (index as f64 * 0.618_033_988_749_895).fract();
    let options = PlaybackOptions { start_time: phase * clip.duration(), ..PlaybackOptions::default() };
    scene.play(clip, binding, options)?;
    Ok(())
}

/// Where one stands, in spacings: rows as wide as the square root of the number, around the origin.
fn place(index: u64, instances: u64) -> Vec3 {
    let width = row_width(instances);
    let middle = (width - 1) as f32 / 2.0;
    let (column, row) = ((index % width) as f32, (index / width) as f32);
    Vec3::new(column - middle, row - middle, 0.0)
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
        assert_eq!(place(0, 4), Vec3::new(-0.5, -0.5, 0.0));
        assert_eq!(place(3, 4), Vec3::new(0.5, 0.5, 0.0));
        assert_eq!(place(4, 5), Vec3::new(0.0, 0.0, 0.0));
    }

    #[test]
    fn one_root_and_as_many_cubes_as_asked_for() {
        let mut workload = Workload::of_cubes(7, false).unwrap();
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
        let workload = Workload::of_cubes(5, true).unwrap();
        let mut times: Vec<f64> = workload.content.scene.playbacks().iter().map(|p| p.time()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        assert_eq!(times.len(), 5);
        assert_eq!(workload.content.scene.len(), 6);
    }

    #[test]
    fn copies_of_a_model_have_times_of_their_own_and_do_not_overlap() {
        let cube = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/LetterCube/LetterCube.gltf");
        let arguments = ["benchmark", "--model", cube, "--instances", "3", "--animated"];
        let workload = Workload::new(&clap::Parser::parse_from(arguments)).unwrap();
        let scene = &workload.content.scene;
        let times: Vec<f64> = scene.playbacks().iter().map(|playback| playback.time()).collect();
        assert!(times.len() == 3 && times[0] < times[2] && times[2] < times[1], "{times:?}");
        let drawn: Vec<_> = scene.nodes().filter(|node| node.render_object().is_some()).collect();
        let apart = drawn[0].world().translation().distance(drawn[1].world().translation());
        assert!(drawn.len() == 3 && apart > 2.0, "{apart}");
    }
}
