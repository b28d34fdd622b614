//! Where vertices stand: morph targets, then joints.

use crate::formulas::about_z;
use crate::sheet::Sheet;
use fire_engine::assets::{
    JointSet, Material, Mesh, MeshPose, MorphTarget, PosedStreams, PosedVertices, RenderAssets, RenderObject,
    RenderObjectId, Topology,
};
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::scene::{DrawList, Scene, SceneNodeId, Skin, posed_bounds};
use std::sync::Arc;

/// Moves, then turns about z, then scales along x: as a node's TRS, and what it does to a point.
#[derive(Clone, Copy)]
struct Place {
    moved: [f64; 3],
    degrees: f64,
    stretch: f64,
}

impl Place {
    fn transform(self) -> Transform {
        Transform {
            translation: Vec3::from_array(self.moved.map(|c| c as f32)),
            rotation: Quat::from_array(about_z(self.degrees).map(|c| c as f32)),
            scale: Vec3::new(self.stretch as f32, 1.0, 1.0),
        }
    }

    fn apply(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (sine, cosine) = self.degrees.to_radians().sin_cos();
        let x = x * self.stretch;
        let turned = [cosine * x - sine * y, sine * x + cosine * y, z];
        std::array::from_fn(|i| turned[i] + self.moved[i])
    }

    /// Normals by the inverse transpose.
    fn normal(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (sine, cosine) = self.degrees.to_radians().sin_cos();
        let x = x / self.stretch;
        unit([cosine * x - sine * y, sine * x + cosine * y, z])
    }
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
    v.map(|c| c / length)
}

const POINT: [f64; 3] = [0.5, 0.25, -1.0];
const NORMAL: [f64; 3] = [0.6, 0.8, 0.0];

/// A mesh of one point with these influences.
fn mesh(influences: &[(u16, f32)]) -> Mesh {
    let sets = influences.chunks(4).map(|four| {
        let mut set = JointSet { joints: vec![[0; 4]], weights: vec![[0.0; 4]] };
        for (i, &(joint, weight)) in four.iter().enumerate() {
            (set.joints[0][i], set.weights[0][i]) = (joint, weight);
        }
        set
    });
    Mesh {
        positions: vec![Vec3::from_array(POINT.map(|c| c as f32))],
        normals: vec![Vec3::from_array(NORMAL.map(|c| c as f32))],
        joint_sets: sets.collect(),
        ..Mesh::default()
    }
}

/// A scene of joints, one below the other if they are a `chain`, and the node that draws, whose own place is not the origin.
fn scene(joints: &[Place], chain: bool, inverse: &[Place]) -> Scene {
    let mut scene = Scene::new();
    let place = |scene: &mut Scene, node: SceneNodeId, place: Place| {
        scene.find_mut(node).unwrap().set_transform(place.transform()).unwrap();
    };
    let mut nodes: Vec<SceneNodeId> = Vec::new();
    for &joint in joints {
        let node = match nodes.last().filter(|_| chain) {
            Some(&parent) => scene.add_child(parent, "joint"),
            None => scene.add_root("joint"),
        };
        nodes.push(node.unwrap());
        place(&mut scene, *nodes.last().unwrap(), joint);
    }
    let drawn = scene.add_root("mesh").unwrap();
    place(&mut scene, drawn, Place { moved: [50.0, 60.0, 70.0], degrees: 33.0, stretch: 9.0 });
    let inverse = inverse.iter().map(|place| place.transform().affine()).collect();
    let skin = Skin::new("", nodes.into_iter().map(Some).collect(), inverse).unwrap();
    let mut node = scene.find_mut(drawn).unwrap();
    node.set_render_object(Some(RenderObjectId::new(0)));
    node.set_skin(Some(Arc::new(skin)));
    scene.update_world_transforms();
    scene
}

/// Position and normal of the point.
fn posed(mesh: &Mesh, pose: &MeshPose<'_>) -> ([f32; 3], [f32; 3]) {
    let mut posed = PosedVertices::default();
    posed.pose(mesh, pose, PosedStreams::ALL).unwrap();
    (posed.positions[0].to_array(), posed.normals.first().copied().unwrap_or_default().to_array())
}

fn skinned(scene: &Scene, mesh: &Mesh) -> ([f32; 3], [f32; 3]) {
    let mut list = DrawList::new();
    scene.build_draw_list(&mut list);
    let item = list.items()[0];
    let world = list.worlds()[item.world as usize];
    posed(mesh, &MeshPose { joints: item.joints.of(list.joint_matrices()), ..MeshPose::at(world) })
}

fn mixed(points: &[([f64; 3], f64)]) -> [f64; 3] {
    std::array::from_fn(|i| points.iter().map(|(point, weight)| point[i] * weight).sum())
}

/// A line from one joint's vertex to another's.
fn boxes(sheet: &mut Sheet, places: [Place; 2]) {
    let mut line = mesh(&[(0, 1.0)]);
    line.topology = Topology::Lines;
    for stream in [&mut line.positions, &mut line.normals] {
        stream.push(stream[0]);
    }
    line.joint_sets[0] =
        JointSet { joints: vec![[0; 4], [1, 0, 0, 0]], weights: vec![[1.0, 0.0, 0.0, 0.0]; 2] };
    let mut assets = RenderAssets::new();
    let (mesh, material) = (assets.add_mesh(line), assets.add_material(Material::default()));
    assets.add_render_object(RenderObject { mesh, material });
    let scene = scene(&places, false, &[]);
    let [p, q] = places.map(|place| place.apply(POINT));
    let (low, high): ([f64; 3], [f64; 3]) =
        (std::array::from_fn(|i| p[i].min(q[i])), std::array::from_fn(|i| p[i].max(q[i])));
    let exact = posed_bounds(&assets, &scene).unwrap();
    sheet.numbers("two joints, a vertex of each: least", &low, &exact.min.to_array(), 1e-6);
    sheet.numbers("largest", &high, &exact.max.to_array(), 1e-6);
    let cheap = scene.bounds(&assets).unwrap();
    let holds = cheap.min.cmple(exact.min).all() && cheap.max.cmpge(exact.max).all();
    let room = (exact.min - cheap.min).max(cheap.max - exact.max).max_element();
    let words = |holds: bool| if holds { "contains it" } else { "does not contain it" };
    sheet.words("the box that no vertex is looked at for", words(true), words(holds && room < 1e-4));
    let rest = Vec3::from_array(POINT.map(|c| c as f32));
    let holds = rest.cmpge(cheap.min).all() && rest.cmple(cheap.max).all();
    sheet.words("and the mesh at rest", words(false), words(holds));
}

pub fn rules(sheet: &mut Sheet) {
    sheet.section("Skins and morph targets");
    let a = Place { moved: [1.0, 2.0, 3.0], degrees: 40.0, stretch: 1.0 };
    let b = Place { moved: [-2.0, 0.5, 0.0], degrees: -75.0, stretch: 1.5 };

    sheet.rule(
        "Joints stand for the mesh's node, whose own transform does not count (3.7.3.3)",
        &["T-SKIN-ROOT 52"],
    );
    let one = mesh(&[(0, 1.0)]);
    let (at, normal) = skinned(&scene(&[a], false, &[]), &one);
    sheet.numbers("one joint, the node elsewhere", &a.apply(POINT), &at, 1e-6);
    sheet.numbers("its normal", &a.normal(NORMAL), &normal, 1e-6);
    let two = mesh(&[(0, 0.25), (1, 0.75)]);
    let expected = mixed(&[(a.apply(POINT), 0.25), (b.apply(POINT), 0.75)]);
    sheet.numbers(
        "two joints without a common root",
        &expected,
        &skinned(&scene(&[a, b], false, &[]), &two).0,
        1e-6,
    );
    let below = |place: Place| a.apply(place.apply(POINT));
    let expected = mixed(&[(a.apply(POINT), 0.25), (below(b), 0.75)]);
    sheet.numbers(
        "the second below the first",
        &expected,
        &skinned(&scene(&[a, b], true, &[]), &two).0,
        1e-6,
    );

    sheet.rule("Inverse bind matrices apply first; without any they are the identity", &["T-SKIN 48"]);
    let bind = Place { moved: [-0.5, 4.0, 1.0], degrees: 10.0, stretch: 2.0 };
    let (at, normal) = skinned(&scene(&[a], false, &[bind]), &one);
    sheet.numbers("one", &a.apply(bind.apply(POINT)), &at, 1e-6);
    sheet.numbers("its normal", &a.normal(bind.normal(NORMAL)), &normal, 1e-6);
    sheet.numbers("none", &a.apply(POINT), &skinned(&scene(&[a], false, &[]), &one).0, 1e-6);

    sheet.rule("Eight influences count, those of JOINTS_1 like those of JOINTS_0", &["T-SKIN 53"]);
    let joints: Vec<Place> = (0..8)
        .map(|i| Place {
            moved: [f64::from(i), 1.0, -f64::from(i * i)],
            degrees: 20.0 * f64::from(i),
            stretch: 1.0,
        })
        .collect();
    let eight: Vec<(u16, f32)> = (0..8).map(|i| (i, 0.125)).collect();
    let expected: Vec<_> = joints.iter().map(|joint| (joint.apply(POINT), 0.125)).collect();
    let ours = skinned(&scene(&joints, false, &[]), &mesh(&eight)).0;
    sheet.numbers("eight joints, an eighth of each", &mixed(&expected), &ours, 1e-6);

    sheet.rule("There is no limit to the number of joints", &["T-SKIN 55"]);
    let chain = vec![Place { moved: [0.0, 0.1, 0.0], degrees: 0.6, stretch: 1.0 }; 300];
    let expected = chain.iter().rev().fold(POINT, |point, joint| joint.apply(point));
    let ours = skinned(&scene(&chain, true, &[]), &mesh(&[(299, 1.0)])).0;
    sheet.numbers("the last of a chain of 300, to 1e-4 after as many products", &expected, &ours, 1e-4);

    sheet.rule(
        "The box around what is drawn follows the joints: nothing is culled by its rest",
        &["T-CULL-ANIM 56"],
    );
    // Away from where the mesh rests.
    let away =
        |place: Place| Place { moved: [place.moved[0] + 10.0, place.moved[1], place.moved[2]], ..place };
    boxes(sheet, [away(a), away(b)]);

    sheet.rule("Normals go by the inverse transpose, also under a joint that mirrors (T-XF-NORMAL)", &[]);
    let mirror = Place { moved: [0.0; 3], degrees: 30.0, stretch: -2.0 };
    let (at, normal) = skinned(&scene(&[mirror], false, &[]), &one);
    sheet.numbers("position", &mirror.apply(POINT), &at, 1e-6);
    sheet.numbers("normal", &mirror.normal(NORMAL), &normal, 1e-6);

    morphs(sheet, a);
}

fn morphs(sheet: &mut Sheet, a: Place) {
    sheet.rule(
        "Morph targets add up by their weights, of any sign and size (3.7.2.2)",
        &["T-ANIM-WEIGHTS 23"],
    );
    let (first, second) = ([1.0, 0.0, 2.0], [0.0, -3.0, 0.5]);
    let target = |delta: [f64; 3]| MorphTarget {
        positions: vec![Vec3::from_array(delta.map(|c| c as f32))],
        ..MorphTarget::default()
    };
    let mut mesh = mesh(&[]);
    mesh.morph_targets = vec![target(first), target(second)];
    let sum =
        |w: [f64; 2]| -> [f64; 3] { std::array::from_fn(|i| POINT[i] + w[0] * first[i] + w[1] * second[i]) };
    let at = |mesh: &Mesh, weights: &[f32]| posed(mesh, &MeshPose { weights, ..MeshPose::default() }).0;
    sheet.numbers("0.5 and -1.5", &sum([0.5, -1.5]), &at(&mesh, &[0.5, -1.5]), 1e-6);
    sheet.numbers("one weight for two targets", &sum([2.0, 0.0]), &at(&mesh, &[2.0]), 1e-6);
    sheet.numbers("three weights for two targets", &sum([1.0, 1.0]), &at(&mesh, &[1.0, 1.0, 1.0]), 1e-6);
    sheet.numbers("none, and the mesh has none", &POINT, &at(&mesh, &[]), 1e-6);
    mesh.morph_weights = vec![0.0, 0.75];
    sheet.numbers("none, and the mesh has 0 and 0.75", &sum([0.0, 0.75]), &at(&mesh, &[]), 1e-6);

    sheet.rule("Targets displace before joints move", &[]);
    let mut skinned_mesh = self::mesh(&[(0, 1.0)]);
    skinned_mesh.morph_targets = mesh.morph_targets;
    let joints = [a.transform().affine()];
    let pose = MeshPose { weights: &[1.0, 0.5], joints: &joints, ..MeshPose::default() };
    sheet.numbers(
        "weights 1 and 0.5, one joint",
        &a.apply(sum([1.0, 0.5])),
        &posed(&skinned_mesh, &pose).0,
        1e-6,
    );
}
