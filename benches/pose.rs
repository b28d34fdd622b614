//! The CPU side of a frame, phase by phase, for N animated cubes (a driven node with a primitive child each).
//!
//! `cargo bench --bench pose` measures; divide a phase's time by N (criterion shows it as elements per second). Rotation
//! keys are a quarter turn apart. One thread. The phases of one frame are also measured together, as `frame`. `channels`
//! samples translation, rotation and scale of 10,000 nodes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fire_engine::animation::{
    Animation, AnimationChannel, AnimationId, AnimationSampler, Interpolation, Keyframes, PlaybackId,
    PlaybackOptions, RotationInterpolation, SlotId, TargetPath,
};
use fire_engine::assets::{Material, Mesh, RenderAssets, RenderObject};
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::preparation::RenderPreparation;
use fire_engine::scene::{ClipBinding, DrawList, Scene, SceneNodeId, advance_animations};
use std::f32::consts::FRAC_PI_2;
use std::hint::black_box;
use std::time::Duration;

const STEP: f64 = 1.0 / 60.0;

struct Cubes {
    assets: RenderAssets,
    scene: Scene,
    clips: [Animation; 1],
    nodes: Vec<SceneNodeId>,
    list: DrawList,
    preparation: RenderPreparation,
}

impl Cubes {
    /// `count` cubes whose playbacks start at different times, resolved, listed and prepared once.
    fn new(count: usize, rotation_interpolation: RotationInterpolation) -> Self {
        let mut assets = RenderAssets::new();
        let mesh = assets.add_mesh(Mesh { positions: vec![Vec3::ZERO; 3], ..Mesh::default() });
        let material = assets.add_material(Material::default());
        let object = assets.add_render_object(RenderObject { mesh, material });
        let keys = (0..5).map(|i| Quat::from_rotation_y(i as f32 * FRAC_PI_2)).collect();
        let sampler = AnimationSampler::linear_rotation(vec![0.0, 0.5, 1.0, 1.5, 2.0], keys);
        let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Rotation, sampler: 0 };
        let clip = Animation::new("turn", vec![sampler], vec![channel]).expect("a valid clip");
        let mut scene = Scene::new();
        let nodes: Vec<_> = (0..count)
            .map(|i| {
                let node = scene.add_root("cube").expect("room");
                let primitive = scene.add_child(node, "primitive").expect("room");
                scene.find_mut(primitive).expect("just added").set_render_object(Some(object));
                let place = Transform::from_translation(Vec3::new(i as f32, 0.0, 0.0));
                scene.find_mut(node).expect("just added").set_transform(place).expect("finite");
                let binding = ClipBinding::new(AnimationId::new(0), vec![node]);
                let start_time = (i % 120) as f64 * STEP;
                let options =
                    PlaybackOptions { start_time, rotation_interpolation, ..PlaybackOptions::default() };
                scene.play(&clip, &binding, options).expect("a valid binding");
                node
            })
            .collect();
        let (list, preparation) = (DrawList::new(), RenderPreparation::new());
        let mut cubes = Self { assets, scene, clips: [clip], nodes, list, preparation };
        cubes.frame();
        cubes
    }

    fn advance(&mut self) {
        advance_animations(&mut self.scene, &self.clips, STEP).expect("the same clips");
    }

    /// Marks the pose as changed, so that a resolution has to be done.
    fn touch(&mut self) {
        let node = self.nodes[0];
        self.scene.find_mut(node).expect("kept").set_transform(Transform::IDENTITY).expect("finite");
    }

    fn list(&mut self) {
        self.scene.build_draw_list(&mut self.list);
    }

    fn prepare(&mut self) {
        black_box(self.preparation.build(&self.assets, &self.list).expect("valid assets"));
    }

    fn frame(&mut self) {
        self.advance();
        self.scene.update_world_transforms();
        self.list();
        self.prepare();
    }
}

fn pose(c: &mut Criterion) {
    let interpolations = [("slerp", RotationInterpolation::Slerp), ("nlerp", RotationInterpolation::Nlerp)];
    for count in [1, 100, 10_000, 100_000] {
        let mut group = c.benchmark_group("pose");
        group.throughput(Throughput::Elements(count as u64));
        for (name, interpolation) in interpolations {
            let mut cubes = Cubes::new(count, interpolation);
            group.bench_function(BenchmarkId::new(format!("advance/{name}"), count), |b| {
                b.iter(|| cubes.advance());
            });
            group.bench_function(BenchmarkId::new(format!("frame/{name}"), count), |b| {
                b.iter(|| cubes.frame());
            });
            assert_eq!(cubes.preparation.generation(), 1, "a moving scene is compiled once");
        }
        let mut cubes = Cubes::new(count, RotationInterpolation::Nlerp);
        group.bench_function(BenchmarkId::new("resolve", count), |b| {
            b.iter(|| {
                cubes.touch();
                cubes.scene.update_world_transforms();
            });
        });
        group.bench_function(BenchmarkId::new("unchanged", count), |b| {
            b.iter(|| cubes.scene.update_world_transforms());
        });
        group.bench_function(BenchmarkId::new("draw list", count), |b| b.iter(|| cubes.list()));
        group.bench_function(BenchmarkId::new("preparation hit", count), |b| b.iter(|| cubes.prepare()));
        group.finish();
    }
}

/// Nodes whose translation, rotation and scale all move, by so many keys each.
struct Movers {
    scene: Scene,
    clips: [Animation; 1],
    playbacks: Vec<PlaybackId>,
    random: u64,
}

impl Movers {
    fn new(count: usize, keys: usize, layers: usize, speed: f64) -> Self {
        let timestamps: Vec<f32> = (0..keys).map(|i| 2.0 * i as f32 / (keys - 1) as f32).collect();
        let vectors = (0..keys).map(|i| Vec3::splat(1.0 + i as f32)).collect();
        let turns = (0..keys).map(|i| Quat::from_rotation_y(i as f32)).collect();
        let sampler = |values| AnimationSampler {
            interpolation: Interpolation::Linear,
            timestamps: timestamps.clone(),
            values,
        };
        let samplers = vec![sampler(Keyframes::Vec3(vectors)), sampler(Keyframes::Rotation(turns))];
        let paths = [(TargetPath::Translation, 0), (TargetPath::Rotation, 1), (TargetPath::Scale, 0)];
        let channels = paths.map(|(path, sampler)| AnimationChannel { slot: SlotId::new(0), path, sampler });
        let clip = Animation::new("move", samplers, channels.to_vec()).expect("a valid clip");
        let mut scene = Scene::new();
        let mut playbacks = Vec::new();
        for i in 0..count {
            let nodes = vec![scene.add_root("mover").expect("room")];
            let binding = ClipBinding::new(AnimationId::new(0), nodes);
            for layer in 0..layers {
                let start_time = ((i + 7 * layer) % 120) as f64 * STEP;
                let weight = 1.0 / layers as f64;
                let options = PlaybackOptions { start_time, speed, weight, ..PlaybackOptions::default() };
                playbacks.push(scene.play(&clip, &binding, options).expect("a valid binding"));
            }
        }
        Self { scene, clips: [clip], playbacks, random: 1 }
    }

    fn advance(&mut self, seconds: f64) {
        advance_animations(&mut self.scene, &self.clips, seconds).expect("the same clips");
    }

    fn scatter(&mut self) {
        for &playback in &self.playbacks {
            self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let seconds = (self.random >> 11) as f64 / (1u64 << 53) as f64 * 2.0;
            self.scene.seek(playback, seconds).expect("it plays");
        }
    }
}

/// Sampling of three channels a node: forward, backward, at times without order (the seeks included), and mixed of two.
fn channels(c: &mut Criterion) {
    const COUNT: usize = 10_000;
    for keys in [3, 100] {
        let mut group = c.benchmark_group(format!("channels/{keys} keys"));
        group.throughput(Throughput::Elements(COUNT as u64));
        for (name, speed) in [("forward", 1.0), ("backward", -1.0)] {
            let mut movers = Movers::new(COUNT, keys, 1, speed);
            group.bench_function(name, |b| b.iter(|| movers.advance(STEP)));
        }
        let mut movers = Movers::new(COUNT, keys, 1, 1.0);
        group.bench_function("random", |b| {
            b.iter(|| {
                movers.scatter();
                movers.advance(0.0);
            });
        });
        let mut movers = Movers::new(COUNT, keys, 2, 1.0);
        group.bench_function("mixed of two", |b| b.iter(|| movers.advance(STEP)));
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500))
        .sample_size(20);
    targets = pose, channels
}
criterion_main!(benches);
