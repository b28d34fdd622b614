//! Moving vertices on the CPU: nanoseconds a vertex for skinning, and a vertex and target for morphing. One thread; buffers
//! are kept, as a program would. 34,159 vertices and 67 joints. And the cheap box of a scene: nanoseconds a draw.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fire_engine::assets::{
    JointSet, Material, Mesh, MeshPose, MorphTarget, PosedStreams, PosedVertices, RenderAssets, RenderObject,
};
use fire_engine::math::{Affine3x4, Mat4, Quat, Transform, Vec3, Vec4};
use fire_engine::scene::{Scene, Skin};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

const VERTICES: usize = 34_159;
const JOINTS: usize = 67;

/// Influences of near joints, as a figure's vertices have them.
fn joint_set(first: usize, share: f32) -> JointSet {
    let joint = |vertex: usize, nth: usize| ((vertex * JOINTS / VERTICES + first + nth) % JOINTS) as u16;
    JointSet {
        joints: (0..VERTICES).map(|vertex| std::array::from_fn(|nth| joint(vertex, nth))).collect(),
        weights: vec![[0.4, 0.3, 0.2, 0.1].map(|weight| weight * share); VERTICES],
    }
}

fn mesh(sets: usize, targets: usize) -> Mesh {
    let vectors =
        |scale: f32| (0..VERTICES).map(move |i| Vec3::new((i % 97) as f32, (i % 89) as f32, 1.0) * scale);
    let target = MorphTarget { positions: vectors(1e-4).collect(), ..MorphTarget::default() };
    Mesh {
        positions: vectors(0.01).collect(),
        normals: vectors(0.01).map(Vec3::normalize).collect(),
        tangents: vec![Vec4::X; VERTICES],
        joint_sets: (0..sets).map(|set| joint_set(4 * set, 1.0 / sets as f32)).collect(),
        morph_targets: vec![target; targets],
        ..Mesh::default()
    }
}

fn joints() -> Vec<Affine3x4> {
    let turned = |joint: usize| Transform {
        translation: Vec3::new(0.0, joint as f32 * 0.1, 0.0),
        rotation: Quat::from_rotation_z(joint as f32 * 0.05),
        ..Transform::IDENTITY
    };
    (0..JOINTS).map(|joint| turned(joint).affine()).collect()
}

/// What one writes first: positions and normals by 4x4 matrices, right without uneven scales, vertex by vertex.
fn plain(mesh: &Mesh, joints: &[Mat4], out: &mut [(Vec3, Vec3)]) {
    let set = &mesh.joint_sets[0];
    for (vertex, out) in out.iter_mut().enumerate() {
        let [a, b, c, d] = set.joints[vertex].map(|joint| joints[usize::from(joint)]);
        let [wa, wb, wc, wd] = set.weights[vertex];
        let matrix = a * wa + b * wb + c * wc + d * wd;
        let normal = matrix.transform_vector3(mesh.normals[vertex]).normalize();
        *out = (matrix.transform_point3(mesh.positions[vertex]), normal);
    }
}

fn vertices(c: &mut Criterion) {
    let joints = joints();
    let mut posed = PosedVertices::default();
    let mut group = c.benchmark_group("deform");
    group.throughput(Throughput::Elements(VERTICES as u64));
    let normals = PosedStreams { normals: true, ..PosedStreams::POSITIONS };
    let tangents = PosedStreams { tangents: true, ..normals };
    let wanted =
        [("positions", PosedStreams::POSITIONS), ("and normals", normals), ("and tangents", tangents)];
    for sets in [1, 2] {
        let mesh = mesh(sets, 0);
        let pose = MeshPose { joints: &joints, ..MeshPose::default() };
        for (name, wanted) in wanted {
            group.bench_function(BenchmarkId::new(format!("skin/{name}"), 4 * sets), |b| {
                b.iter(|| posed.pose(black_box(&mesh), &pose, wanted));
            });
        }
    }
    let figure = mesh(1, 0);
    let matrices: Vec<Mat4> = joints.iter().map(Affine3x4::to_mat4).collect();
    let mut out = vec![(Vec3::ZERO, Vec3::ZERO); VERTICES];
    group.bench_function("skin/plain, for comparison", |b| {
        b.iter(|| plain(&figure, &matrices, black_box(&mut out)))
    });
    let mesh = mesh(0, 8);
    let world = MeshPose::default();
    for (name, wanted) in wanted {
        group.bench_function(format!("world/{name}"), |b| {
            b.iter(|| posed.pose(black_box(&mesh), &world, wanted))
        });
    }
    let weights = [0.1; 8];
    for targets in [1, 8] {
        let pose = MeshPose { weights: &weights[..targets], ..MeshPose::default() };
        group.bench_function(BenchmarkId::new("morph/positions", targets), |b| {
            b.iter(|| posed.pose(black_box(&mesh), &pose, PosedStreams::POSITIONS));
        });
    }
    group.finish();
}

/// The cheap box of a scene: nanoseconds a draw.
fn boxes(c: &mut Criterion) {
    const DRAWS: usize = 1000;
    let mut group = c.benchmark_group("bounds");
    group.throughput(Throughput::Elements(DRAWS as u64));
    for (name, sets, targets) in [("world", 0, 0), ("8 targets", 0, 8), ("67 joints", 1, 0)] {
        let mut assets = RenderAssets::new();
        let mut mesh = mesh(sets, targets);
        mesh.morph_weights = vec![0.1; targets];
        let mesh = assets.add_mesh(mesh);
        let material = assets.add_material(Material::default());
        let object = assets.add_render_object(RenderObject { mesh, material });
        let mut scene = Scene::new();
        let joints = joints().into_iter().map(|matrix| {
            let node = scene.add_root("joint").expect("room");
            scene.find_mut(node).expect("just added").set_matrix(matrix.to_mat4()).expect("finite");
            Some(node)
        });
        let skin = Arc::new(Skin::new("skin", joints.collect(), vec![]).expect("joints"));
        for _ in 0..DRAWS {
            let node = scene.add_root("drawn").expect("room");
            let mut edit = scene.find_mut(node).expect("just added");
            edit.set_render_object(Some(object));
            edit.set_skin((sets > 0).then(|| Arc::clone(&skin)));
        }
        scene.update_world_transforms();
        assert!(scene.bounds(&assets).is_some_and(|bounds| bounds.is_finite()));
        group.bench_function(name, |b| b.iter(|| black_box(scene.bounds(&assets))));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500))
        .sample_size(20);
    targets = vertices, boxes
}
criterion_main!(benches);
