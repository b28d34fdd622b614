//! Boxes around what a scene draws: the cheap one contains the exact one, whatever the pose.

use fire_engine::assets::{
    JointSet, Material, Mesh, MorphTarget, RenderAssets, RenderObject, RenderObjectId,
};
use fire_engine::math::{Affine3x4, Bounds, Mat4, Quat, Transform, Vec3};
use fire_engine::scene::{Scene, SceneNodeId, Skin, posed_bounds, posed_bounds_of};
use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

/// Looks random and is the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }

    /// Within [-1, 1].
    fn part(&mut self) -> f32 {
        (self.next() & 0xff_ffff) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.part(), self.part(), self.part())
    }

    /// Of any magnitude from a millionth to a million; flat along some axes at times.
    fn spread(&mut self) -> Vec3 {
        let size = 10f32.powi(self.below(13) as i32 - 6);
        let flat = Vec3::from_array([(); 3].map(|()| if self.below(8) == 0 { 0.0 } else { 1.0 }));
        self.vector() * size * flat
    }

    /// Turned, stretched, mirrored and flattened; or a sheared matrix.
    fn place(&mut self, scene: &mut Scene, node: SceneNodeId) {
        let mut node = scene.find_mut(node).unwrap();
        if self.below(4) == 0 {
            let axes = [(); 4].map(|()| self.vector());
            let [x, y, z, t] = axes;
            let matrix = Mat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), t.extend(1.0));
            node.set_matrix(matrix).unwrap();
            return;
        }
        let turn = Quat::from_xyzw(self.part(), self.part(), self.part(), self.part() + 1.5).normalize();
        let scale = match self.below(4) {
            0 => Vec3::ONE,
            1 => Vec3::new(self.part(), 0.0, self.part()),
            _ => self.vector() * 2.0,
        };
        let translation = self.spread();
        node.set_transform(Transform { translation, rotation: turn, scale }).unwrap();
    }

    fn joint_sets(&mut self, vertices: usize, joints: usize) -> Vec<JointSet> {
        let sets = self.below(3);
        let mut out = vec![JointSet::default(); sets];
        for _ in 0..vertices {
            let mut weights: Vec<f32> =
                (0..4 * sets).map(|_| if self.below(3) == 0 { 0.0 } else { self.part().abs() }).collect();
            if let Some(first) = weights.first_mut() {
                *first += 1e-3;
            }
            // As far from 1 as validation lets pass.
            let sum = weights.iter().sum::<f32>() * (1.0 + self.part() * 9e-4);
            for (set, four) in out.iter_mut().zip(weights.as_chunks::<4>().0) {
                set.joints.push([(); 4].map(|()| self.below(joints) as u16));
                set.weights.push(four.map(|weight| weight / sum));
            }
        }
        out
    }

    fn mesh(&mut self, joints: usize) -> Mesh {
        let vertices = 1 + self.below(20);
        let (middle, size) = (self.spread(), self.spread());
        let mut positions =
            || -> Vec<Vec3> { (0..vertices).map(|_| middle + self.vector() * size).collect() };
        let positions = positions();
        let target = |random: &mut Self| MorphTarget {
            positions: match random.below(4) {
                0 => vec![],
                1 => vec![Vec3::ZERO; vertices],
                _ => {
                    let by = random.spread();
                    (0..vertices).map(|_| random.vector() * by).collect()
                }
            },
            ..MorphTarget::default()
        };
        let targets = self.below(5);
        let morph_targets: Vec<MorphTarget> = (0..targets).map(|_| target(self)).collect();
        // Vertices that nothing draws do not count.
        let indices = (self.below(3) > 0)
            .then(|| (0..3 * (1 + self.below(4))).map(|_| self.below(vertices.div_ceil(2)) as u32).collect());
        let corners = if indices.is_none() { vertices - vertices % 3 } else { vertices };
        let topology =
            if corners == vertices { Default::default() } else { fire_engine::assets::Topology::Points };
        Mesh {
            topology,
            positions,
            indices,
            joint_sets: self.joint_sets(vertices, joints),
            morph_weights: if self.below(2) == 0 { vec![] } else { self.weights(targets) },
            morph_targets,
            ..Mesh::default()
        }
    }

    /// Negative ones, zeros and ones above 1.
    fn weights(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| if self.below(3) == 0 { 0.0 } else { self.part() * 2.0 }).collect()
    }
}

fn object(assets: &mut RenderAssets, mesh: Mesh) -> RenderObjectId {
    let mesh = assets.add_mesh(mesh);
    let material = assets.add_material(Material::default());
    assets.add_render_object(RenderObject { mesh, material })
}

fn drawn(scene: &mut Scene, object: RenderObjectId) -> SceneNodeId {
    let node = scene.add_root("drawn").unwrap();
    scene.find_mut(node).unwrap().set_render_object(Some(object));
    node
}

fn corners(min: [f32; 3], max: [f32; 3]) -> Vec<Vec3> {
    let corner = |i: usize| {
        Vec3::from_array(std::array::from_fn(|axis| if i >> axis & 1 == 0 { min[axis] } else { max[axis] }))
    };
    (0..8).chain([0]).map(corner).collect()
}

fn bounds(min: [f32; 3], max: [f32; 3]) -> Bounds {
    Bounds { min: Vec3::from_array(min), max: Vec3::from_array(max) }
}

#[test]
fn the_cheap_box_contains_the_exact_one_of_every_random_scene_draw_and_node() {
    let mut skinned = 0;
    for seed in 0..600 {
        let mut random = Random(seed);
        let mut assets = RenderAssets::new();
        let joint_count = 1 + random.below(6);
        let objects: Vec<_> = (0..1 + random.below(3))
            .map(|_| {
                let mesh = random.mesh(joint_count);
                object(&mut assets, mesh)
            })
            .collect();
        assert_eq!(assets.validate(), Ok(()), "seed {seed}");
        let mut scene = Scene::new();
        let mut nodes: Vec<SceneNodeId> = Vec::new();
        for _ in 0..1 + random.below(9) {
            let node = match nodes.len() {
                0 => scene.add_root("root").unwrap(),
                count => scene.add_child(nodes[random.below(count)], "child").unwrap(),
            };
            random.place(&mut scene, node);
            nodes.push(node);
        }
        for _ in 0..1 + random.below(4) {
            let at = nodes[random.below(nodes.len())];
            let node = scene.add_child(at, "primitive").unwrap();
            let (skin, weights) = (random.below(3) > 0, random.below(3) > 0);
            if skin {
                let joint =
                    |random: &mut Random| (random.below(9) > 0).then(|| nodes[random.below(nodes.len())]);
                let joints = (0..joint_count).map(|_| joint(&mut random)).collect();
                let inverse = |random: &mut Random| Affine3x4 {
                    rows: [(); 3].map(|()| random.vector().extend(random.spread().x)),
                };
                let inverse = (0..joint_count).map(|_| inverse(&mut random)).collect();
                let skin = Arc::new(Skin::new("skin", joints, inverse).unwrap());
                scene.find_mut(node).unwrap().set_skin(Some(skin));
            }
            let mut edit = scene.find_mut(node).unwrap();
            edit.set_render_object(Some(objects[random.below(objects.len())]));
            if weights {
                edit.set_weights(&random.weights(1 + seed as usize % 5)).unwrap();
            }
        }
        scene.update_world_transforms();
        let contains = |cheap: Option<Bounds>, exact: Option<Bounds>| {
            let (cheap, exact) = (cheap.unwrap(), exact.unwrap());
            assert!(exact.is_finite() && cheap.is_finite(), "seed {seed}: {cheap:?} {exact:?}");
            assert!(cheap.contains(&exact), "seed {seed}: {cheap:?} does not contain {exact:?}");
        };
        contains(scene.bounds(&assets), posed_bounds(&assets, &scene));
        for item in scene.draw_items() {
            skinned += usize::from(!item.joints.is_empty());
            contains(scene.bounds_of(&assets, [item]), posed_bounds_of(&assets, &scene, [item]));
        }
        for node in scene.nodes().filter(|node| node.draw_items().next().is_some()) {
            let exact = posed_bounds_of(&assets, &scene, node.draw_items());
            contains(scene.bounds_of(&assets, node.draw_items()), exact);
            assert!(posed_bounds(&assets, &scene).unwrap().contains(&exact.unwrap()));
        }
    }
    assert!(skinned > 300, "{skinned}");
}

#[test]
fn both_are_the_box_itself_of_one_that_is_not_turned_and_unused_vertices_do_not_count() {
    let mut assets = RenderAssets::new();
    let mut positions = corners([-1.0, -2.0, -3.0], [1.0, 2.0, 3.5]);
    positions.push(Vec3::splat(1e6));
    let object = object(&mut assets, Mesh { positions, indices: Some((0..9).collect()), ..Mesh::default() });
    let mut scene = Scene::new();
    let node = drawn(&mut scene, object);
    let transform =
        Transform { translation: Vec3::X * 10.0, scale: Vec3::new(2.0, -1.0, 1.0), ..Transform::IDENTITY };
    scene.find_mut(node).unwrap().set_transform(transform).unwrap();
    scene.update_world_transforms();
    let expected = Some(bounds([8.0, -2.0, -3.0], [12.0, 2.0, 3.5]));
    assert_eq!(posed_bounds(&assets, &scene), expected);
    assert_eq!(scene.bounds(&assets), expected);
    let mesh = assets.render_object(object).unwrap().mesh;
    assert_eq!(assets.mesh_bounds(mesh), Some(bounds([-1.0, -2.0, -3.0], [1.0, 2.0, 3.5])));
}

#[test]
fn of_nothing_there_is_no_box_and_faulty_draws_are_left_out() {
    let mut assets = RenderAssets::new();
    let mut scene = Scene::new();
    assert_eq!((scene.bounds(&assets), posed_bounds(&assets, &scene)), (None, None));
    drawn(&mut scene, RenderObjectId::new(7));
    let set = JointSet { joints: vec![[5, 0, 0, 0]; 3], weights: vec![[1.0, 0.0, 0.0, 0.0]; 3] };
    let figure =
        object(&mut assets, Mesh { positions: vec![Vec3::X; 3], joint_sets: vec![set], ..Mesh::default() });
    let joint = scene.add_root("joint").unwrap();
    let node = drawn(&mut scene, figure);
    let skin = Skin::new("too few", vec![Some(joint)], vec![]).unwrap();
    scene.find_mut(node).unwrap().set_skin(Some(Arc::new(skin)));
    let empty =
        object(&mut assets, Mesh { indices: Some(vec![]), positions: vec![Vec3::X], ..Mesh::default() });
    drawn(&mut scene, empty);
    scene.update_world_transforms();
    assert_eq!((scene.bounds(&assets), posed_bounds(&assets, &scene)), (None, None));
    let point = object(&mut assets, Mesh { positions: vec![Vec3::Y; 3], ..Mesh::default() });
    drawn(&mut scene, point);
    scene.update_world_transforms();
    let expected = Some(bounds([0.0, 1.0, 0.0], [0.0, 1.0, 0.0]));
    assert_eq!((scene.bounds(&assets), posed_bounds(&assets, &scene)), (expected, expected));
}

/// A bar from (0, 0, 0) to (0, 2, 0) whose upper half follows a second joint.
fn bar(assets: &mut RenderAssets, scene: &mut Scene) -> [SceneNodeId; 2] {
    let positions = [[-0.1, 0.0, -0.1], [0.1, 1.0, 0.1], [-0.1, 1.0, -0.1], [0.1, 2.0, 0.1]];
    let low = |joint| [joint, 0, 0, 0];
    let set =
        JointSet { joints: vec![low(0), low(0), low(1), low(1)], weights: vec![[1.0, 0.0, 0.0, 0.0]; 4] };
    let mesh = Mesh {
        positions: positions.map(Vec3::from_array).to_vec(),
        indices: Some(vec![0, 1, 2, 1, 2, 3]),
        joint_sets: vec![set],
        ..Mesh::default()
    };
    let object = object(assets, mesh);
    let lower = scene.add_root("lower").unwrap();
    let upper = scene.add_child(lower, "upper").unwrap();
    let at = Transform::from_translation(Vec3::Y);
    scene.find_mut(upper).unwrap().set_transform(at).unwrap();
    let back = Transform::from_translation(Vec3::NEG_Y).affine();
    let skin = Skin::new("bar", vec![Some(lower), Some(upper)], vec![Affine3x4::IDENTITY, back]).unwrap();
    let node = drawn(scene, object);
    scene.find_mut(node).unwrap().set_skin(Some(Arc::new(skin)));
    scene.update_world_transforms();
    [lower, upper]
}

/// T-CULL-ANIM: a figure that leaves its rest box, at the edge of the view, is not culled by that box: each joint carries
/// its own. Nor does the box grow beyond what the joints do.
#[test]
fn t_cull_anim_the_box_follows_the_joints_and_not_the_rest() {
    let (mut assets, mut scene) = (RenderAssets::new(), Scene::new());
    let [lower, upper] = bar(&mut assets, &mut scene);
    let near = |found: Bounds, expected: Bounds, when: &str| {
        let off = (found.min - expected.min).abs().max((found.max - expected.max).abs()).max_element();
        // The margin for rounding is in proportion to the coordinates that are added.
        let size = expected.min.abs().max(expected.max.abs()).max_element();
        assert!(off < (1.0 + size) * 4e-6, "{when}: {found:?}, not {expected:?}");
    };
    let both = |scene: &Scene, expected, when: &str| {
        near(posed_bounds(&assets, scene).unwrap(), expected, when);
        near(scene.bounds(&assets).unwrap(), expected, when);
    };
    both(&scene, bounds([-0.1, 0.0, -0.1], [0.1, 2.0, 0.1]), "at rest");
    // The upper half bends to -x about (0, 1, 0).
    let bent =
        Transform { translation: Vec3::Y, rotation: Quat::from_rotation_z(FRAC_PI_2), ..Transform::IDENTITY };
    scene.find_mut(upper).unwrap().set_transform(bent).unwrap();
    scene.update_world_transforms();
    both(&scene, bounds([-1.0, 0.0, -0.1], [0.1, 1.1, 0.1]), "bent");
    // The whole walks off; the node that draws stays, and does not count.
    let away = Transform::from_translation(Vec3::new(50.0, 0.0, 0.0));
    scene.find_mut(lower).unwrap().set_transform(away).unwrap();
    scene.update_world_transforms();
    both(&scene, bounds([49.0, 0.0, -0.1], [50.1, 1.1, 0.1]), "away");
}

#[test]
fn morph_targets_stretch_the_box_by_their_weights_and_not_at_weight_zero() {
    let mut assets = RenderAssets::new();
    let stretch = |by: Vec3| MorphTarget {
        positions: (0..9).map(|i| if i % 2 == 1 { by } else { Vec3::ZERO }).collect(),
        ..MorphTarget::default()
    };
    let mesh = Mesh {
        positions: corners([0.0; 3], [1.0; 3]),
        morph_targets: vec![stretch(Vec3::X), stretch(Vec3::Y)],
        morph_weights: vec![0.0, 0.5],
        ..Mesh::default()
    };
    let object = object(&mut assets, mesh);
    let mut scene = Scene::new();
    let node = drawn(&mut scene, object);
    scene.update_world_transforms();
    assert_eq!(scene.bounds(&assets), Some(bounds([0.0; 3], [1.0, 1.5, 1.0])), "the mesh's own weights");
    for (weights, min, max) in [
        ([2.0, 0.0], [0.0; 3], [3.0, 1.0, 1.0]),
        ([-3.0, 0.0], [-3.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
        ([0.0, 0.0], [0.0; 3], [1.0; 3]),
    ] {
        scene.find_mut(node).unwrap().set_weights(&weights).unwrap();
        assert_eq!(scene.bounds(&assets), Some(bounds(min, max)), "{weights:?}");
        assert!(scene.bounds(&assets).unwrap().contains(&posed_bounds(&assets, &scene).unwrap()));
    }
}

#[test]
fn what_overflows_is_everywhere_and_never_nan() {
    let mut assets = RenderAssets::new();
    let huge = vec![Vec3::splat(-3e38), Vec3::splat(3e38), Vec3::ZERO];
    let plain = object(&mut assets, Mesh { positions: huge.clone(), ..Mesh::default() });
    let set = JointSet { joints: vec![[0; 4]; 3], weights: vec![[0.25; 4]; 3] };
    let figure =
        object(&mut assets, Mesh { positions: huge, joint_sets: vec![set.clone()], ..Mesh::default() });
    let tiny = object(
        &mut assets,
        Mesh { positions: vec![Vec3::ZERO; 3], joint_sets: vec![set], ..Mesh::default() },
    );
    for object in [plain, figure, tiny] {
        let mut scene = Scene::new();
        // Two scales of a chain whose product overflows in x and is 0 times that in y.
        let outer = scene.add_root("outer").unwrap();
        let node = scene.add_child(outer, "inner").unwrap();
        let scale = |x| Transform::from_scale(Vec3::new(x, 0.0, 1.0));
        scene.find_mut(outer).unwrap().set_transform(scale(3e38)).unwrap();
        scene.find_mut(node).unwrap().set_transform(scale(3e38)).unwrap();
        let skin = Skin::new("", vec![Some(node)], vec![]).unwrap();
        let mut edit = scene.find_mut(node).unwrap();
        edit.set_render_object(Some(object));
        edit.set_skin(Some(Arc::new(skin)));
        scene.update_world_transforms();
        assert_eq!(scene.bounds(&assets), Some(Bounds::EVERYWHERE), "{object:?}");
        assert_eq!(posed_bounds(&assets, &scene), Some(Bounds::EVERYWHERE), "{object:?}");
    }
    // Within the numbers, a large one has a box.
    let mut scene = Scene::new();
    drawn(&mut scene, plain);
    scene.update_world_transforms();
    assert_eq!(scene.bounds(&assets), Some(bounds([-3e38; 3], [3e38; 3])));
}

/// What is remembered may be asked for from several threads at once.
#[test]
fn a_catalogue_and_a_scene_are_asked_from_several_threads() {
    let (mut assets, mut scene) = (RenderAssets::new(), Scene::new());
    bar(&mut assets, &mut scene);
    let found: Vec<_> = std::thread::scope(|threads| {
        let ask = |_| threads.spawn(|| scene.bounds(&assets));
        let asked: Vec<_> = (0..4).map(ask).collect();
        asked.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(found[0].is_some() && found.iter().all(|bounds| *bounds == found[0]));
}
