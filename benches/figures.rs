//! What a skinned figure costs a frame on the CPU, for each of its joints: sampling its clip (`advance`), world matrices and
//! joint matrices (`resolve`), and both (`pose`).
//!
//! `cargo bench --bench figures`; criterion shows joints per second. One thread. A figure of the program's own, and the corpus's
//! CesiumMan and Fox where `../shared` is there, a thousand of each, every one at its own time.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fire_engine::animation::{
    Animation, AnimationChannel, AnimationId, AnimationSampler, Interpolation, Keyframes, PlaybackOptions,
    SlotId, TargetPath,
};
use fire_engine::gltf;
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::scene::{ClipBinding, Content, Scene, Skin, advance_animations};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const FIGURES: usize = 1000;
const STEP: f64 = 1.0 / 60.0;

/// Many copies of one figure, each playing a clip from another time on.
struct Crowd {
    scene: Scene,
    animations: Vec<Animation>,
    joints: usize,
}

impl Crowd {
    fn new(figure: Content, clip: usize) -> Self {
        let mut scene = Scene::new();
        for number in 0..FIGURES {
            let place = Transform::from_translation(Vec3::new(number as f32, 0.0, 0.0));
            let map = scene.append(&figure.scene, None, place).expect("room");
            let binding = figure.bindings[clip].remapped(&map);
            let start_time = number as f64 * 0.0137;
            let options = PlaybackOptions { start_time, ..PlaybackOptions::default() };
            scene.play(&figure.animations[clip], &binding, options).expect("a valid binding");
        }
        scene.update_world_transforms();
        let joints = scene.joint_matrices().len();
        Self { scene, animations: figure.animations, joints }
    }

    fn advance(&mut self) {
        advance_animations(&mut self.scene, &self.animations, STEP).expect("the same clips");
    }
}

/// A chain of 67 joints that turn, with 60 keys each.
fn chain() -> Content {
    const JOINTS: usize = 67;
    const KEYS: usize = 60;
    let mut content = Content::default();
    let mut parent = content.scene.add_root("mesh").expect("room");
    let mesh = parent;
    let nodes: Vec<_> = (0..JOINTS)
        .map(|_| {
            parent = content.scene.add_child(parent, "joint").expect("room");
            let place = Transform::from_translation(Vec3::new(0.0, 0.1, 0.0));
            content.scene.find_mut(parent).expect("just added").set_transform(place).expect("finite");
            parent
        })
        .collect();
    let timestamps: Vec<f32> = (0..KEYS).map(|key| key as f32 / 30.0).collect();
    let samplers: Vec<_> = (0..JOINTS)
        .map(|joint| AnimationSampler {
            interpolation: Interpolation::Linear,
            timestamps: timestamps.clone(),
            values: Keyframes::Rotation(
                (0..KEYS).map(|key| Quat::from_rotation_x((key * (joint + 1)) as f32 * 0.01)).collect(),
            ),
        })
        .collect();
    let channel =
        |slot| AnimationChannel { slot: SlotId::new(slot), path: TargetPath::Rotation, sampler: slot };
    let channels = (0..JOINTS as u32).map(channel).collect();
    content.animations.push(Animation::new("turn", samplers, channels).expect("a valid clip"));
    let skin = Skin::new("", nodes.iter().copied().map(Some).collect(), Vec::new()).expect("a valid skin");
    content.scene.find_mut(mesh).expect("kept").set_skin(Some(Arc::new(skin)));
    content.bindings.push(ClipBinding::new(AnimationId::new(0), nodes));
    content
}

fn sample(name: &str) -> Option<Content> {
    let path = format!("../shared/gltf-conformance/samples/{name}/glTF-Binary/{name}.glb");
    Path::new(&path).exists().then(|| gltf::load(&path).expect("a sample that loads").0)
}

fn figures(c: &mut Criterion) {
    let own = ("own chain", Some(chain()), 0);
    for (name, figure, clip) in [own, ("CesiumMan", sample("CesiumMan"), 0), ("Fox", sample("Fox"), 2)] {
        let Some(figure) = figure else {
            println!("figures/{name}: skipped, ../shared is not there");
            continue;
        };
        let mut crowd = Crowd::new(figure, clip);
        let mut group = c.benchmark_group(format!("figures/{name}"));
        group.throughput(Throughput::Elements(crowd.joints as u64));
        group.bench_function(BenchmarkId::new("advance", FIGURES), |b| b.iter(|| crowd.advance()));
        // An advance marks the pose as changed, and is taken off by the difference to the line above.
        group.bench_function(BenchmarkId::new("pose", FIGURES), |b| {
            b.iter(|| {
                crowd.advance();
                crowd.scene.update_world_transforms();
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20);
    targets = figures
}
criterion_main!(benches);
