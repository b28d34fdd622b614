//! A steady frame allocates nothing.

use fire_engine::animation::{
    Animation, AnimationChannel, AnimationEvent, AnimationId, AnimationSampler, BlendMode, CameraProperty,
    Interpolation, Keyframes, LightProperty, LoopMode, MaterialProperty, PlaybackOptions,
    RotationInterpolation, SlotId, TargetPath,
};
use fire_engine::assets::{
    JointSet, Material, Mesh, MorphTarget, PosedStreams, PosedVertices, RenderAssets, RenderObject, Topology,
};
use fire_engine::math::{Mat4, Quat, Transform, Vec3};
use fire_engine::preparation::RenderPreparation;
use fire_engine::scene::{
    Camera, ClipBinding, DrawList, Light, LightKind, Projection, Scene, Skin, advance_animations,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

/// Counts what this thread asks of the heap, so that the test harness's own threads do not show.
struct Counting;

thread_local! {
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A constant without a destructor: reading it neither allocates nor can find it destroyed.
    REQUESTS.with(|requests| requests.set(requests.get() + 1));
}

// SAFETY: every method hands its arguments unchanged to the system allocator and returns its answer, so that allocator's
// guarantees are kept as they are; counting touches a thread-local integer and neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`, which is this call's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the block came from `System` through this type, and the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the block came from `System` through this type with that layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn requests() -> u64 {
    REQUESTS.with(Cell::get)
}

#[test]
fn steady_frames_make_no_heap_allocation() {
    let before = requests();
    drop(std::hint::black_box(vec![0u8; 64]));
    assert_eq!(requests(), before + 1, "the counter listens");

    let mut assets = RenderAssets::new();
    let mesh = assets.add_mesh(Mesh { positions: vec![Vec3::ZERO; 3], ..Mesh::default() });
    let material = assets.add_material(Material::default());
    let object = assets.add_render_object(RenderObject { mesh, material });

    let keys = (0..9).map(|i| Quat::from_rotation_z(i as f32)).collect();
    let sampler = AnimationSampler::linear_rotation((0..9).map(|i| i as f32 * 0.25).collect(), keys);
    let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Rotation, sampler: 0 };
    let clips = [Animation::new("turn", vec![sampler], vec![channel]).unwrap(), everything()];

    // Animated nodes of both interpolations, looping and not, each with a primitive child; one removed while it plays.
    let mut scene = Scene::new();
    let rig = scene.add_root("rig").unwrap();
    let mut nodes = Vec::new();
    for i in 0..200 {
        let node = scene.add_child(rig, "").unwrap();
        let primitive = scene.add_child(node, "").unwrap();
        scene.find_mut(primitive).unwrap().set_render_object(Some(object));
        let binding = ClipBinding::new(AnimationId::new(0), vec![node]);
        let rotation_interpolation = match i % 2 {
            0 => RotationInterpolation::Slerp,
            _ => RotationInterpolation::Nlerp,
        };
        let start_time = f64::from(i) * 0.01;
        let loop_mode = if i % 5 == 0 { LoopMode::Once } else { LoopMode::Forever };
        let options =
            PlaybackOptions { start_time, loop_mode, rotation_interpolation, ..PlaybackOptions::default() };
        scene.play(&clips[0], &binding, options).unwrap();
        nodes.push(node);
    }
    scene.remove(nodes[7]).unwrap();
    // Mixed and added ones of every path, with events; a fade that goes on, and a mask.
    let mut edit = scene.find_mut(nodes[3]).unwrap();
    edit.set_camera(Some(CAMERA));
    edit.set_light(Some(Light { kind: LightKind::Directional, color: Vec3::ONE, intensity: 1.0 })).unwrap();
    scene.set_material_factors(material, Material::default().factors()).unwrap();
    let mut mixed = ClipBinding::new(AnimationId::new(1), vec![nodes[3]]);
    mixed.materials = vec![material];
    let modes = [LoopMode::Forever, LoopMode::PingPong, LoopMode::Times(900), LoopMode::Forever];
    let playing = modes.map(|loop_mode| {
        let blend = match loop_mode {
            LoopMode::PingPong => BlendMode::Additive { reference: 0.0 },
            _ => BlendMode::Mix,
        };
        let options = PlaybackOptions { weight: 0.3, loop_mode, blend, ..PlaybackOptions::default() };
        scene.play(&clips[1], &mixed, options).unwrap()
    });
    scene.fade(playing[0], 1.0, 1e3).unwrap();
    scene.set_mask(playing[3], |_| false).unwrap();
    let mut fired = 0;
    let switching = scene.add_root("matrix or parts").unwrap();
    scene.find_mut(rig).unwrap().set_camera(Some(CAMERA));

    let (mut list, mut preparation) = (DrawList::new(), RenderPreparation::new());
    let mut frame = |number: u32| {
        let sign = if number.is_multiple_of(3) { -1.0 } else { 1.0 };
        let rig_pose = Transform::from_scale(Vec3::new(sign, 1.0, 1.0));
        scene.find_mut(rig).unwrap().set_transform(rig_pose).unwrap();
        let mut edit = scene.find_mut(switching).unwrap();
        edit.set_matrix(Mat4::from_scale(Vec3::splat(2.0))).unwrap();
        if number.is_multiple_of(2) {
            edit.set_transform(Transform::IDENTITY).unwrap();
        }
        advance_animations(&mut scene, &clips, 1.0 / 60.0).unwrap();
        fired += scene.drain_animation_events().count();
        scene.update_world_transforms();
        scene.build_draw_list(&mut list);
        assert_eq!(preparation.build(&assets, &list).unwrap().objects().len(), 1);
        assert!(preparation.covers(&list));
        assert!(Camera::from_node(&scene, rig).is_some() && Camera::from_node(&scene, nodes[3]).is_some());
        assert_eq!(scene.lights().count(), 1);
        assert!(scene.material_overrides().all(|(_, factors)| factors.metallic_factor < 1.0));
        assert_eq!((list.len(), preparation.generation()), (199, 1));
    };
    // Until each event fired once.
    for number in 0..40 {
        frame(number);
    }
    let before = requests();
    for number in 40..540 {
        frame(number);
        assert_eq!(requests(), before, "frame {number}");
    }
    assert!(fired > 100, "{fired} events");
}

const CAMERA: Projection = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: None };

#[test]
fn boxes_and_vertices_on_the_cpu_make_no_heap_allocation_once_asked_for() {
    let mut assets = RenderAssets::new();
    let set = JointSet { joints: vec![[0, 1, 0, 0]; 40], weights: vec![[0.5, 0.5, 0.0, 0.0]; 40] };
    let target = MorphTarget { positions: vec![Vec3::Y; 40], ..MorphTarget::default() };
    let mesh = Mesh {
        topology: Topology::Points,
        positions: vec![Vec3::X; 40],
        normals: vec![Vec3::Y; 40],
        joint_sets: vec![set],
        morph_targets: vec![target],
        ..Mesh::default()
    };
    let mesh = assets.add_mesh(mesh);
    let material = assets.add_material(Material::default());
    let object = assets.add_render_object(RenderObject { mesh, material });
    let mut scene = Scene::new();
    let joints = [scene.add_root("a").unwrap(), scene.add_root("b").unwrap()];
    let skin = Arc::new(Skin::new("skin", joints.map(Some).to_vec(), vec![]).unwrap());
    for wears in [true, false] {
        let node = scene.add_root("drawn").unwrap();
        let mut edit = scene.find_mut(node).unwrap();
        edit.set_render_object(Some(object));
        edit.set_weights(&[0.5]).unwrap();
        edit.set_skin(wears.then(|| Arc::clone(&skin)));
    }
    let mut posed = PosedVertices::default();
    let mut frame = |number: u16| {
        let place = Transform::from_translation(Vec3::Z * f32::from(number));
        scene.find_mut(joints[0]).unwrap().set_transform(place).unwrap();
        scene.update_world_transforms();
        let bounds = scene.bounds(&assets).unwrap();
        for item in scene.draw_items() {
            let pose = scene.mesh_pose(&item);
            posed.pose(assets.mesh(mesh).unwrap(), &pose, PosedStreams::ALL).unwrap();
            assert!(posed.positions.iter().all(|&position| bounds.contains_point(position)));
        }
    };
    frame(0);
    let before = requests();
    (1..100).for_each(&mut frame);
    assert_eq!(requests(), before);
}

/// Every path of slot 0, and a material, in mixed modes, with an event.
fn everything() -> Animation {
    let times = || vec![0.0, 0.125, 0.25];
    let vectors = |interpolation: Interpolation| AnimationSampler {
        interpolation,
        timestamps: times(),
        values: Keyframes::Vec3(vec![Vec3::ONE; 3 * interpolation.elements()]),
    };
    let turns = AnimationSampler {
        interpolation: Interpolation::Step,
        timestamps: times(),
        values: Keyframes::Rotation(vec![Quat::IDENTITY; 3]),
    };
    let weights = AnimationSampler {
        interpolation: Interpolation::Linear,
        timestamps: times(),
        values: Keyframes::Weights(vec![0.5; 15]),
    };
    let numbers = |interpolation: Interpolation, width: usize| AnimationSampler {
        interpolation,
        timestamps: times(),
        values: Keyframes::Numbers(vec![0.5; 3 * width * interpolation.elements()]),
    };
    let samplers = vec![
        vectors(Interpolation::Linear),
        turns,
        vectors(Interpolation::CubicSpline),
        weights,
        numbers(Interpolation::Linear, 1),
        numbers(Interpolation::CubicSpline, 3),
        numbers(Interpolation::Step, 1),
    ];
    let paths = [
        TargetPath::Translation,
        TargetPath::Rotation,
        TargetPath::Scale,
        TargetPath::Weights,
        TargetPath::Camera(CameraProperty::FovY),
        TargetPath::Light(LightProperty::Color),
        TargetPath::Material(MaterialProperty::MetallicFactor),
    ];
    let channel = |(path, sampler)| AnimationChannel { slot: SlotId::new(0), path, sampler };
    let channels = paths.into_iter().zip(0..).map(channel).collect();
    let event = AnimationEvent { time: 0.1, name: "step".into() };
    Animation::new("everything", samplers, channels).unwrap().with_events(vec![event]).unwrap()
}
