//! Vertices moved on the CPU: morph targets, then a skin or a world matrix. Expected values are worked out in `f64` from
//! the formulas of glTF 2.0, sections 3.7.2.2 and 3.7.3.3.

use fire_engine::assets::{
    Color4, GeometryError, JointSet, Mesh, MeshPose, MorphTarget, PosedStreams, PosedVertices,
};
use fire_engine::math::{Affine3x4, Mat4, Quat, Transform, Vec2, Vec3, Vec4};

/// Looks random and is the same every time: within [-1, 1].
struct Random(u64);

impl Random {
    fn part(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.part(), self.part(), self.part())
    }

    fn vectors(&mut self, count: usize) -> Vec<Vec3> {
        (0..count).map(|_| self.vector()).collect()
    }

    /// Any matrix, sheared and mirrored ones among them.
    fn matrix(&mut self) -> Affine3x4 {
        Affine3x4 { rows: [(); 3].map(|()| self.vector().extend(self.part())) }
    }

    fn joint_set(&mut self, vertices: usize, joints: usize, share: f32) -> JointSet {
        let mut set = JointSet::default();
        for _ in 0..vertices {
            set.joints.push([(); 4].map(|()| (self.part().abs() * joints as f32) as u16 % joints as u16));
            let weights = [(); 4].map(|()| self.part().abs() + 0.01);
            let sum: f32 = weights.iter().sum();
            set.weights.push(weights.map(|weight| weight / sum * share));
        }
        set
    }
}

fn posed(mesh: &Mesh, pose: &MeshPose<'_>) -> PosedVertices {
    let mut posed = PosedVertices::default();
    posed.pose(mesh, pose, PosedStreams::ALL).unwrap();
    posed
}

/// Row by row in `f64`.
type Rows = [[f64; 4]; 3];

fn rows(matrix: &Affine3x4) -> Rows {
    matrix.rows.map(|row| row.to_array().map(f64::from))
}

fn apply(matrix: &Rows, v: [f64; 3], w: f64) -> [f64; 3] {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * w)
}

fn wide(v: Vec3) -> [f64; 3] {
    v.to_array().map(f64::from)
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The inverse transpose of the 3x3 part, times its determinant's magnitude, and that determinant.
fn inverse_transpose(matrix: &Rows) -> (Rows, f64) {
    let [a, b, c] = matrix.map(|row| [row[0], row[1], row[2]]);
    let cofactors = [cross(b, c), cross(c, a), cross(a, b)];
    let determinant = (0..3).map(|i| a[i] * cofactors[0][i]).sum::<f64>();
    let sign = determinant.signum();
    (cofactors.map(|row| [row[0] * sign, row[1] * sign, row[2] * sign, 0.0]), determinant)
}

fn assert_near(found: Vec3, expected: [f64; 3], margin: f64, what: &str) {
    let off = wide(found).iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off <= margin, "{what}: {found}, not {expected:?}");
}

#[test]
fn at_rest_under_the_identity_every_stream_is_the_meshs_own() {
    let mut random = Random(1);
    let mesh = Mesh {
        positions: random.vectors(5),
        normals: vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y],
        tangents: vec![Vec4::new(0.0, 0.0, 1.0, -1.0); 5],
        colors: vec![Color4::new(2.0, 0.5, 0.25, 1.0); 5],
        uv_sets: vec![vec![], vec![Vec2::new(0.25, 7.0); 5]],
        joint_sets: vec![random.joint_set(5, 3, 1.0)],
        ..Mesh::default()
    };
    // Joints without a skin: the world matrix counts.
    let posed = posed(&mesh, &MeshPose::default());
    assert_eq!(posed.positions, mesh.positions);
    assert_eq!(posed.normals, mesh.normals);
    assert_eq!(posed.tangents, mesh.tangents);
    assert_eq!(posed.colors, mesh.colors, "nothing morphs colors, so nothing clamps them");
    assert_eq!(posed.uv_sets, mesh.uv_sets);
}

#[test]
fn what_is_not_wanted_or_not_there_is_empty_and_buffers_serve_any_mesh() {
    let large = Mesh {
        positions: vec![Vec3::X; 9],
        normals: vec![Vec3::X; 9],
        uv_sets: vec![vec![Vec2::ONE; 9]; 3],
        ..Mesh::default()
    };
    let small = Mesh { positions: vec![Vec3::Y; 2], ..Mesh::default() };
    let mut posed = PosedVertices::default();
    posed.pose(&large, &MeshPose::default(), PosedStreams::ALL).unwrap();
    assert_eq!((posed.normals.len(), posed.uv_sets.len()), (9, 3));
    posed.pose(&large, &MeshPose::default(), PosedStreams::POSITIONS).unwrap();
    assert_eq!((posed.positions.len(), posed.normals.len()), (9, 0));
    assert!(posed.uv_sets.iter().all(Vec::is_empty));
    posed.pose(&small, &MeshPose::default(), PosedStreams::ALL).unwrap();
    assert_eq!(posed.positions, small.positions);
    assert!(posed.normals.is_empty() && posed.tangents.is_empty() && posed.colors.is_empty());
    assert!(posed.uv_sets.is_empty());
}

#[test]
fn targets_add_up_by_weight_negative_and_above_one_and_missing_weights_are_zero() {
    let target = |by: Vec3| MorphTarget { positions: vec![by; 2], ..MorphTarget::default() };
    let mut mesh = Mesh {
        positions: vec![Vec3::ZERO, Vec3::X],
        morph_targets: vec![target(Vec3::X), target(Vec3::Y), MorphTarget::default(), target(Vec3::Z)],
        ..Mesh::default()
    };
    let at =
        |mesh: &Mesh, weights: &[f32]| posed(mesh, &MeshPose { weights, ..MeshPose::default() }).positions[1];
    assert_eq!(at(&mesh, &[2.0, -0.5, 1.0, 0.25]), Vec3::new(3.0, -0.5, 0.25));
    assert_eq!(at(&mesh, &[2.0]), Vec3::new(3.0, 0.0, 0.0), "missing ones are 0");
    assert_eq!(at(&mesh, &[0.0, 0.0, 0.0, 1.0, 9.0, 9.0]), Vec3::new(1.0, 0.0, 1.0), "surplus has no effect");
    assert_eq!(at(&mesh, &[]), Vec3::X);
    mesh.morph_weights = vec![1.0, 1.0, 1.0, 1.0];
    assert_eq!(at(&mesh, &[]), Vec3::new(2.0, 1.0, 1.0), "the mesh's own, where none are given");
    assert_eq!(at(&mesh, &[0.0; 4]), Vec3::X, "zeros that are given count");
}

/// glTF 2.0, section 3.7.2.2: colors are clamped after morphing. By the mesh and not by the weight, so that a weight that
/// passes 0 does not make a jump.
#[test]
fn morphed_colors_are_clamped_also_where_the_weight_is_zero_and_uvs_are_not() {
    let target = MorphTarget {
        colors: vec![Color4::new(1.0, -1.0, 0.25, -0.5)],
        uv_sets: vec![vec![], vec![Vec2::new(2.0, -3.0)]],
        ..MorphTarget::default()
    };
    let mesh = Mesh {
        positions: vec![Vec3::ZERO],
        colors: vec![Color4::new(1.5, 0.5, 0.5, 1.0)],
        uv_sets: vec![vec![Vec2::ONE], vec![Vec2::ONE], vec![Vec2::ONE]],
        morph_targets: vec![target],
        ..Mesh::default()
    };
    let at = |weight| posed(&mesh, &MeshPose { weights: &[weight], ..MeshPose::default() });
    assert_eq!(at(1.0).colors, [Color4::new(1.0, 0.0, 0.75, 0.5)]);
    assert_eq!(at(0.0).colors, [Color4::new(1.0, 0.5, 0.5, 1.0)]);
    assert_eq!(at(1.0).uv_sets, [[Vec2::ONE], [Vec2::new(3.0, -2.0)], [Vec2::ONE]]);
}

/// T-SKIN: the mesh node's own transform does not count where a skin moves the mesh.
#[test]
fn a_skin_replaces_the_world_matrix_and_a_mesh_without_joints_has_no_use_for_one() {
    let joint = Transform::from_translation(Vec3::new(0.0, 3.0, 0.0)).affine();
    let world = Transform::from_translation(Vec3::new(100.0, 0.0, 0.0)).affine();
    let set = JointSet { joints: vec![[0; 4]], weights: vec![[1.0, 0.0, 0.0, 0.0]] };
    let pose = MeshPose { world, joints: &[joint], ..MeshPose::default() };
    let mut mesh = Mesh { positions: vec![Vec3::X], joint_sets: vec![set], ..Mesh::default() };
    assert_eq!(posed(&mesh, &pose).positions, [Vec3::new(1.0, 3.0, 0.0)]);
    for none in [vec![], vec![JointSet::default()]] {
        mesh.joint_sets = none;
        assert_eq!(posed(&mesh, &pose).positions, [Vec3::new(101.0, 0.0, 0.0)]);
    }
}

#[test]
fn morphing_comes_before_skinning() {
    let turn = Transform::from_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)).affine();
    let mesh = Mesh {
        positions: vec![Vec3::ZERO],
        joint_sets: vec![JointSet { joints: vec![[0; 4]], weights: vec![[1.0, 0.0, 0.0, 0.0]] }],
        morph_targets: vec![MorphTarget { positions: vec![Vec3::X], ..MorphTarget::default() }],
        ..Mesh::default()
    };
    let found = posed(&mesh, &MeshPose { weights: &[2.0], joints: &[turn], ..MeshPose::default() });
    assert!(found.positions[0].abs_diff_eq(Vec3::new(0.0, 2.0, 0.0), 1e-6), "{}", found.positions[0]);
}

#[test]
fn random_meshes_agree_with_the_formulas_in_f64() {
    for seed in 0..60 {
        let mut random = Random(seed);
        // Around the size of a block, and few enough that all kinds occur.
        let (vertices, joints, sets) = (1 + seed as usize * 7 % 70, 1 + seed as usize % 9, seed as usize % 3);
        let targets = seed as usize / 3 % 4;
        let directions = |random: &mut Random| -> Vec<Vec3> {
            (0..vertices).map(|_| (random.vector() + Vec3::splat(1.5)).normalize()).collect()
        };
        let mesh = Mesh {
            positions: random.vectors(vertices),
            normals: directions(&mut random),
            tangents: directions(&mut random).into_iter().map(|tangent| tangent.extend(-1.0)).collect(),
            joint_sets: (0..sets).map(|_| random.joint_set(vertices, joints, 1.0 / sets as f32)).collect(),
            morph_targets: (0..targets)
                .map(|_| MorphTarget {
                    positions: random.vectors(vertices),
                    normals: random.vectors(vertices),
                    tangents: random.vectors(vertices),
                    ..MorphTarget::default()
                })
                .collect(),
            ..Mesh::default()
        };
        let palette: Vec<Affine3x4> = (0..joints).map(|_| random.matrix()).collect();
        let weights: Vec<f32> = (0..targets).map(|_| random.part() * 1.5).collect();
        let pose = MeshPose { weights: &weights, world: random.matrix(), joints: &palette };
        let found = posed(&mesh, &pose);
        for vertex in 0..vertices {
            let morphed = |base: Vec3, stream: fn(&MorphTarget) -> &Vec<Vec3>| {
                let mut value = wide(base);
                for (target, &weight) in mesh.morph_targets.iter().zip(&weights) {
                    let displacement = wide(stream(target)[vertex]);
                    value = std::array::from_fn(|i| value[i] + f64::from(weight) * displacement[i]);
                }
                value
            };
            let mut matrix = rows(&pose.world);
            if sets > 0 {
                matrix = [[0.0; 4]; 3];
                for set in &mesh.joint_sets {
                    for (joint, weight) in set.joints[vertex].into_iter().zip(set.weights[vertex]) {
                        let joint = rows(&palette[usize::from(joint)]);
                        for (sum, term) in matrix.as_flattened_mut().iter_mut().zip(joint.as_flattened()) {
                            *sum += f64::from(weight) * term;
                        }
                    }
                }
            }
            let what = |stream| format!("seed {seed}, vertex {vertex}, {stream}");
            let position = morphed(mesh.positions[vertex], |target| &target.positions);
            assert_near(found.positions[vertex], apply(&matrix, position, 1.0), 1e-5, &what("position"));
            let (inverse_transpose, determinant) = inverse_transpose(&matrix);
            // A nearly flat matrix, or a nearly vanished vector, magnifies the rounding of its elements.
            let normal =
                apply(&inverse_transpose, morphed(mesh.normals[vertex], |target| &target.normals), 0.0);
            if normal.iter().any(|x| x.abs() > 1e-2) && determinant.abs() > 1e-4 {
                assert_near(found.normals[vertex], unit(normal), 1e-3, &what("normal"));
            }
            let tangent = morphed(mesh.tangents[vertex].truncate(), |target| &target.tangents);
            let tangent = apply(&matrix, tangent, 0.0);
            if tangent.iter().any(|x| x.abs() > 1e-2) && determinant.abs() > 1e-4 {
                let at = found.tangents[vertex];
                assert_near(at.truncate(), unit(tangent), 1e-3, &what("tangent"));
                assert_eq!(f64::from(at.w), -determinant.signum(), "{}", what("tangent"));
            }
        }
    }
}

/// T-XF-NORMAL under joints: normals stay perpendicular to their surface and on its outer side, and the bitangent stays on
/// its side, under uneven scales and mirrors.
#[test]
fn mirrored_and_stretched_joints_keep_normals_perpendicular_and_bitangents_on_their_side() {
    for scale in [Vec3::new(3.0, 1.0, 0.5), Vec3::new(-3.0, 1.0, 0.5), Vec3::splat(-1e-12), Vec3::splat(1e12)]
    {
        let joint = Affine3x4::from_mat4(&(Mat4::from_rotation_x(0.7) * Mat4::from_scale(scale)));
        let (tangent, bitangent) = (Vec3::new(1.0, -1.0, 0.0).normalize(), Vec3::Z);
        let normal = tangent.cross(bitangent);
        // cross(normal, tangent) * w is the bitangent.
        let w = normal.cross(tangent).dot(bitangent).signum();
        let mesh = |joint_sets| Mesh {
            positions: vec![Vec3::ZERO],
            normals: vec![normal],
            tangents: vec![tangent.extend(w)],
            joint_sets,
            ..Mesh::default()
        };
        let set = JointSet { joints: vec![[0; 4]], weights: vec![[0.25; 4]] };
        let poses = [
            posed(&mesh(vec![set]), &MeshPose { joints: &[joint], ..MeshPose::default() }),
            posed(&mesh(vec![]), &MeshPose::at(joint)),
        ];
        for found in poses {
            let vector = |v: Vec3| (joint.transform_point(v) - joint.translation()).normalize();
            let (n, t) = (found.normals[0], found.tangents[0]);
            assert!(
                n.dot(vector(tangent)).abs() < 1e-6 && n.dot(vector(bitangent)).abs() < 1e-6,
                "{scale}: {n}"
            );
            assert!(n.dot(vector(normal)) > 0.0, "{scale}: outward");
            assert!(t.truncate().abs_diff_eq(vector(tangent), 1e-6), "{scale}: {t}");
            let side = n.cross(t.truncate()) * t.w;
            assert!(side.abs_diff_eq(vector(bitangent), 1e-5), "{scale}: {side}, not {}", vector(bitangent));
        }
    }
}

#[test]
fn joints_that_flatten_to_a_line_or_a_point_leave_no_normal_and_no_nan() {
    let set = JointSet { joints: vec![[0; 4]], weights: vec![[1.0, 0.0, 0.0, 0.0]] };
    let mesh = Mesh {
        positions: vec![Vec3::ONE],
        normals: vec![Vec3::Y],
        tangents: vec![Vec4::new(0.0, 1.0, 0.0, 1.0)],
        joint_sets: vec![set],
        ..Mesh::default()
    };
    for scale in [Vec3::X, Vec3::ZERO] {
        let joints = [Transform::from_scale(scale).affine()];
        let found = posed(&mesh, &MeshPose { joints: &joints, ..MeshPose::default() });
        assert_eq!((found.positions[0], found.normals[0]), (scale, Vec3::ZERO));
        assert_eq!(found.tangents[0], Vec4::W);
    }
}

#[test]
fn streams_that_do_not_fit_and_joints_that_are_missing_are_named_and_leave_nothing() {
    let mut posed = PosedVertices::default();
    let mut fault = |mesh: &Mesh| {
        let joints = [Affine3x4::IDENTITY; 2];
        let pose = MeshPose { joints: &joints, ..MeshPose::default() };
        let error = posed.pose(mesh, &pose, PosedStreams::ALL).unwrap_err();
        assert!(posed.positions.is_empty());
        error
    };
    let three = || Mesh { positions: vec![Vec3::ZERO; 3], ..Mesh::default() };
    let short =
        |stream: &str, actual| GeometryError::StreamLength { stream: stream.into(), actual, vertices: 3 };
    assert_eq!(fault(&Mesh { normals: vec![Vec3::X; 2], ..three() }), short("normals", 2));
    let target = MorphTarget { uv_sets: vec![vec![Vec2::ZERO; 4]], ..MorphTarget::default() };
    let found = fault(&Mesh { morph_targets: vec![target], ..three() });
    assert_eq!(found, short("morph_targets[0].uv_sets[0]", 4));
    let mut set = JointSet { joints: vec![[0; 4]; 3], weights: vec![] };
    let found = fault(&Mesh { joint_sets: vec![set.clone()], ..three() });
    assert_eq!(found, short("joint_sets[0].weights", 0));
    set.weights = vec![[1.0, 0.0, 0.0, 0.0]; 3];
    set.joints[1][2] = 2;
    let unweighted = Mesh { joint_sets: vec![set.clone()], ..three() };
    set.weights[1] = [0.5, 0.0, 0.5, 0.0];
    let error = fault(&Mesh { joint_sets: vec![set], ..three() });
    assert_eq!(error, GeometryError::JointRange { vertex: 1, joint: 2, joints: 2 });
    assert_eq!(
        error.to_string(),
        "vertex 1 has joint 2, but the pose has 2 joint matrices; give one a joint"
    );
    // As on the GPU: a weight of 0 leaves its joint out, whatever it is.
    let pose = MeshPose { joints: &[Affine3x4::IDENTITY; 2], ..MeshPose::default() };
    posed.pose(&unweighted, &pose, PosedStreams::ALL).unwrap();
    assert_eq!(posed.positions, [Vec3::ZERO; 3]);
}
