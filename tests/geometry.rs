//! Operations on meshes: flat normals and tangents, for programs that make their own geometry and for the loader.

use fire_engine::assets::{Color4, GeometryError, JointSet, Mesh, MorphTarget, RenderAssets, Topology};
use fire_engine::math::{Vec2, Vec3, Vec4};

/// Two triangles at a right angle that share the x axis, with something different in every stream of every vertex.
fn folded() -> Mesh {
    let numbers = [0.0_f32, 1.0, 2.0, 3.0];
    Mesh {
        name: "folded".into(),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
        indices: Some(vec![0, 1, 2, 0, 3, 1]),
        tangents: vec![Vec4::ONE; 4],
        colors: numbers.map(|n| Color4::new(n, 0.0, 0.0, 1.0)).to_vec(),
        uv_sets: vec![vec![], numbers.map(|n| Vec2::new(n, 0.5)).to_vec()],
        joint_sets: vec![JointSet {
            joints: [0, 1, 2, 3].map(|n| [n; 4]).to_vec(),
            weights: numbers.map(|n| [n / 4.0, 1.0 - n / 4.0, 0.0, 0.0]).to_vec(),
        }],
        morph_targets: vec![
            MorphTarget {
                // The corner of the first triangle at Y moves to Z.
                positions: vec![Vec3::ZERO, Vec3::ZERO, Vec3::Z - Vec3::Y, Vec3::ZERO],
                tangents: vec![Vec3::ONE; 4],
                colors: numbers.map(|n| Color4::new(0.0, n, 0.0, 0.0)).to_vec(),
                uv_sets: vec![vec![], numbers.map(|n| Vec2::new(0.5, n)).to_vec()],
                ..MorphTarget::default()
            },
            MorphTarget { normals: vec![Vec3::ONE; 4], ..MorphTarget::default() },
        ],
        morph_weights: vec![0.25, 0.5],
        ..Mesh::default()
    }
}

fn assert_valid(mesh: &Mesh) {
    let mut assets = RenderAssets::new();
    assets.add_mesh(mesh.clone());
    assert_eq!(assets.validate(), Ok(()));
}

#[test]
fn flat_normals_give_every_corner_a_vertex_of_its_own_in_every_stream() {
    let mut mesh = folded();
    mesh.compute_flat_normals().unwrap();
    assert_valid(&mesh);
    let order = [0.0_f32, 1.0, 2.0, 0.0, 3.0, 1.0];
    assert_eq!(mesh.indices, None);
    assert_eq!(mesh.positions, [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ZERO, Vec3::Z, Vec3::X]);
    // X x Y is +Z; Z x X is +Y.
    assert_eq!(mesh.normals, [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Y, Vec3::Y, Vec3::Y]);
    assert_eq!(mesh.colors, order.map(|n| Color4::new(n, 0.0, 0.0, 1.0)));
    assert!(mesh.uv_sets[0].is_empty());
    assert_eq!(mesh.uv_sets[1], order.map(|n| Vec2::new(n, 0.5)));
    assert_eq!(mesh.joint_sets[0].joints, order.map(|n| [n as u16; 4]));
    assert_eq!(mesh.joint_sets[0].weights, order.map(|n| [n / 4.0, 1.0 - n / 4.0, 0.0, 0.0]));
    let target = &mesh.morph_targets[0];
    assert_eq!(target.positions[2], Vec3::Z - Vec3::Y);
    assert_eq!(target.colors, order.map(|n| Color4::new(0.0, n, 0.0, 0.0)));
    assert!(target.uv_sets[0].is_empty());
    assert_eq!(target.uv_sets[1], order.map(|n| Vec2::new(0.5, n)));
    assert_eq!((&*mesh.name, &mesh.morph_weights[..]), ("folded", &[0.25, 0.5][..]));
}

#[test]
fn flat_normals_remove_tangents_and_give_each_morph_target_its_own_flat_normals() {
    let mut mesh = folded();
    mesh.compute_flat_normals().unwrap();
    assert!(mesh.tangents.is_empty());
    assert!(mesh.morph_targets.iter().all(|target| target.tangents.is_empty()));
    // The first triangle, moved, is X x Z = -Y; the second stays.
    let turned = Vec3::NEG_Y - Vec3::Z;
    let zero = Vec3::ZERO;
    assert_eq!(mesh.morph_targets[0].normals, [turned, turned, turned, zero, zero, zero]);
    // A target that moves nothing turns nothing.
    assert!(mesh.morph_targets[1].normals.is_empty());
}

#[test]
fn flat_normals_of_vertices_in_order_keep_the_vertices_and_take_degenerate_triangles() {
    let mut mesh = Mesh {
        positions: vec![Vec3::ZERO, Vec3::Y, Vec3::X, Vec3::ONE, Vec3::ONE, Vec3::ZERO],
        ..Mesh::default()
    };
    mesh.compute_flat_normals().unwrap();
    assert_eq!(mesh.positions.len(), 6);
    assert_eq!(mesh.normals[..3], [Vec3::NEG_Z; 3]);
    assert_eq!(mesh.normals[3..], [Vec3::Z; 3]);
}

/// A unit quad facing +Z, over which `uv` lays the picture.
fn quad(uv: impl Fn(Vec3) -> Vec2) -> Mesh {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    Mesh {
        uv_sets: vec![positions.iter().map(|&position| uv(position)).collect()],
        positions,
        normals: vec![Vec3::Z; 4],
        indices: Some(vec![0, 1, 2, 0, 2, 3]),
        ..Mesh::default()
    }
}

fn bitangent(mesh: &Mesh, vertex: usize) -> Vec3 {
    let tangent = mesh.tangents[vertex];
    mesh.normals[vertex].cross(tangent.truncate()) * tangent.w
}

/// glTF 2.0, section 3.7.2.1: the tangent points where u grows, the bitangent is cross(normal, tangent) * w, and normal
/// textures have +Y up in the picture (section 3.9.3), which is where v falls.
#[test]
fn tangents_point_where_u_grows_and_bitangents_up_in_the_picture() {
    let upright = |p: Vec3| Vec2::new(p.x, 1.0 - p.y);
    for (uv, tangent, up) in [
        (&upright as &dyn Fn(Vec3) -> Vec2, Vec4::new(1.0, 0.0, 0.0, 1.0), Vec3::Y),
        // Mirrored left to right.
        (&|p| Vec2::new(1.0 - p.x, 1.0 - p.y), Vec4::new(-1.0, 0.0, 0.0, -1.0), Vec3::Y),
        // Upside down.
        (&|p| Vec2::new(p.x, p.y), Vec4::new(1.0, 0.0, 0.0, -1.0), Vec3::NEG_Y),
        // Turned by a half.
        (&|p| Vec2::new(1.0 - p.x, p.y), Vec4::new(-1.0, 0.0, 0.0, 1.0), Vec3::NEG_Y),
        // Turned by a quarter and stretched: u grows upwards, v to the right.
        (&|p| Vec2::new(p.y * 3.0, p.x), Vec4::new(0.0, 1.0, 0.0, 1.0), Vec3::NEG_X),
    ] {
        let mut mesh = quad(uv);
        mesh.compute_tangents(0).unwrap();
        assert_valid(&mesh);
        assert_eq!(mesh.tangents, [tangent; 4]);
        assert_eq!(bitangent(&mesh, 2), up, "{tangent}");
        assert_eq!((mesh.positions.len(), mesh.indices.as_ref().unwrap().len()), (4, 6));
    }
}

/// Two quads side by side, the right one with the left one's picture mirrored, as characters are mapped.
fn mirrored_halves() -> Mesh {
    let xs = [-1.0_f32, 0.0, 1.0];
    let positions: Vec<Vec3> =
        [0.0, 1.0].into_iter().flat_map(|y| xs.map(|x| Vec3::new(x, y, 0.0))).collect();
    Mesh {
        uv_sets: vec![vec![], positions.iter().map(|p| Vec2::new(p.x.abs(), 1.0 - p.y)).collect()],
        colors: (0..6).map(|n| Color4::new(n as f32, 0.0, 0.0, 1.0)).collect(),
        normals: vec![Vec3::Z; 6],
        positions,
        indices: Some(vec![0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4]),
        ..Mesh::default()
    }
}

/// User report 38: NormalTangentTest and NormalTangentMirrorTest look wrong without MikkTSpace.
#[test]
fn a_mirrored_seam_splits_its_vertices_and_no_others_in_the_order_of_the_indices() {
    let mut mesh = mirrored_halves();
    mesh.compute_tangents(1).unwrap();
    assert_valid(&mesh);
    // The seam is vertices 1 and 4; the left half, listed first, keeps them.
    assert_eq!(mesh.positions.len(), 8);
    assert_eq!(mesh.indices, Some(vec![0, 1, 4, 0, 4, 3, 6, 2, 5, 6, 5, 7]));
    assert_eq!(mesh.positions[6..], [mesh.positions[1], mesh.positions[4]]);
    assert_eq!(mesh.colors[6..], [mesh.colors[1], mesh.colors[4]]);
    assert_eq!(mesh.uv_sets[1][6..], [mesh.uv_sets[1][1], mesh.uv_sets[1][4]]);
    for (vertex, position) in mesh.positions.iter().enumerate() {
        let left = position.x < 0.0 || (position.x == 0.0 && vertex < 6);
        let expected = if left { Vec4::new(-1.0, 0.0, 0.0, -1.0) } else { Vec4::new(1.0, 0.0, 0.0, 1.0) };
        assert_eq!(mesh.tangents[vertex], expected, "{vertex}");
        assert_eq!(bitangent(&mesh, vertex), Vec3::Y);
    }
    let mut again = mirrored_halves();
    again.compute_tangents(1).unwrap();
    assert_eq!(again, mesh);
}

#[test]
fn tangents_of_vertices_in_order_need_no_split_and_agree_with_shared_ones() {
    let shared = {
        let mut mesh = mirrored_halves();
        mesh.compute_tangents(1).unwrap();
        mesh
    };
    let corners = |mesh: &Mesh| -> Vec<(Vec3, Vec4)> {
        let at = |&index: &u32| (mesh.positions[index as usize], mesh.tangents[index as usize]);
        mesh.indices.as_ref().unwrap().iter().map(at).collect()
    };
    let mut apart = mirrored_halves();
    // Unshares; every normal is +Z as before.
    apart.compute_flat_normals().unwrap();
    apart.compute_tangents(1).unwrap();
    assert_eq!((apart.indices.as_ref(), apart.positions.len()), (None, 12));
    let apart: Vec<_> = apart.positions.iter().copied().zip(apart.tangents.iter().copied()).collect();
    assert_eq!(apart, corners(&shared));
}

#[test]
fn degenerate_triangles_unused_vertices_and_uvs_without_direction_get_unit_tangents() {
    let mut mesh = quad(|p| Vec2::new(p.x, 1.0 - p.y));
    // A triangle without area on the quad's edge, one apart from it, and a vertex that nothing uses.
    mesh.positions.extend([Vec3::new(9.0, 0.0, 0.0), Vec3::new(9.0, 1.0, 0.0), Vec3::NEG_X]);
    mesh.normals.extend([Vec3::Y, Vec3::Y, Vec3::X]);
    mesh.uv_sets[0].extend([Vec2::ZERO; 3]);
    mesh.indices.as_mut().unwrap().splice(3..3, [0, 1, 1, 4, 5, 5]);
    let indices = mesh.indices.clone();
    mesh.compute_tangents(0).unwrap();
    assert_valid(&mesh);
    assert_eq!((mesh.positions.len(), &mesh.indices), (7, &indices));
    assert_eq!(mesh.tangents[..4], [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
    for vertex in 4..7 {
        let tangent = mesh.tangents[vertex];
        assert!((tangent.truncate().length() - 1.0).abs() < 1e-6 && tangent.w == 1.0, "{tangent}");
        assert!(tangent.truncate().dot(mesh.normals[vertex]).abs() < 1e-6, "{tangent}");
    }
    // One point of the picture everywhere: no direction at all.
    let mut flat = quad(|_| Vec2::ONE);
    flat.compute_tangents(0).unwrap();
    assert_valid(&flat);
    assert!(flat.tangents.iter().all(|t| t.z == 0.0 && (t.truncate().length() - 1.0).abs() < 1e-6));
}

#[test]
fn huge_tiny_and_not_finite_numbers_give_finite_tangents() {
    for size in [1e-38_f32, 1e-20, 1e18, 1e38, f32::NAN, f32::INFINITY] {
        let mut mesh = quad(|p| Vec2::new(p.x, 1.0 - p.y));
        mesh.positions.iter_mut().for_each(|position| *position *= size);
        mesh.compute_tangents(0).unwrap();
        assert!(mesh.tangents.iter().all(|tangent| tangent.is_finite()), "{size}: {:?}", mesh.tangents);
        let mut mesh = quad(|p| Vec2::new(p.x * size, p.y * size));
        mesh.compute_tangents(0).unwrap();
        assert!(mesh.tangents.iter().all(|tangent| tangent.is_finite()), "{size}: {:?}", mesh.tangents);
        let mut mesh = quad(|p| Vec2::new(p.x, 1.0 - p.y));
        mesh.normals[1] *= size;
        mesh.compute_tangents(0).unwrap();
        assert!(mesh.tangents.iter().all(|tangent| tangent.is_finite()), "{size}: {:?}", mesh.tangents);
    }
}

/// `count` triangles around one vertex.
fn fan(count: u32) -> Mesh {
    let rim = (0..=count).map(|i| {
        let (sin, cos) = (i as f32 / count as f32 * 6.0).sin_cos();
        Vec3::new(cos, sin, 0.0)
    });
    let positions: Vec<Vec3> = std::iter::once(Vec3::ZERO).chain(rim).collect();
    Mesh {
        normals: vec![Vec3::Z; positions.len()],
        uv_sets: vec![positions.iter().map(|p| Vec2::new(p.x, -p.y)).collect()],
        positions,
        indices: Some((0..count).flat_map(|i| [0, i + 1, i + 2]).collect()),
        ..Mesh::default()
    }
}

#[test]
fn crowded_vertices_are_refused_before_they_take_quadratic_time_or_deep_recursion() {
    let tangents = |mut mesh: Mesh| {
        // Little enough stack that a recursion around a larger fan would show.
        let work = move || mesh.compute_tangents(0).map(|()| mesh);
        std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap()
    };
    let mesh = tangents(fan(1024)).unwrap();
    for tangent in mesh.tangents {
        assert!(tangent.abs_diff_eq(Vec4::new(1.0, 0.0, 0.0, 1.0), 1e-5), "{tangent}");
    }
    let error = tangents(fan(1025)).unwrap_err();
    assert_eq!(error, GeometryError::Crowded { most: 1025, limit: 1024 });
    // Welding looks at what a vertex says, not at its index.
    let mut apart = fan(1025);
    apart.compute_flat_normals().unwrap();
    assert_eq!(tangents(apart).unwrap_err(), GeometryError::Crowded { most: 1025, limit: 1024 });
    // Many vertices that are each just below the limit cost too much together.
    let mut many = fan(1000);
    for floor in 1..40_u32 {
        let base = many.positions.len() as u32;
        let mut next = fan(1000);
        next.positions.iter_mut().for_each(|position| position.z = floor as f32);
        many.positions.append(&mut next.positions);
        many.normals.append(&mut next.normals);
        many.uv_sets[0].append(&mut next.uv_sets[0]);
        many.indices.as_mut().unwrap().extend(next.indices.unwrap().into_iter().map(|index| index + base));
    }
    assert!(matches!(tangents(many), Err(GeometryError::Crowded { most: 1000, .. })));
}

/// The crate's time is quadratic in triangles without area, so it is given none.
#[test]
fn many_degenerate_triangles_take_linear_time() {
    let mut mesh = quad(|p| Vec2::new(p.x, 1.0 - p.y));
    mesh.indices.as_mut().unwrap().extend([1, 1, 2].repeat(200_000));
    let start = std::time::Instant::now();
    mesh.compute_tangents(0).unwrap();
    assert!(start.elapsed() < std::time::Duration::from_secs(5));
    assert_eq!((mesh.positions.len(), mesh.tangents[1]), (4, Vec4::new(1.0, 0.0, 0.0, 1.0)));
}

/// Small numbers on purpose: vertices coincide, triangles degenerate and coordinates fold over.
#[test]
fn random_meshes_keep_what_their_corners_say_and_get_unit_tangents() {
    let mut state = 7_u64;
    let mut below = |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(bound)) as u32
    };
    let mut split = 0;
    for round in 0..3000 {
        let vertices = 1 + below(12);
        let mut number = |bound: u32| below(bound) as f32 - (bound / 2) as f32;
        let mut mesh = Mesh {
            positions: (0..vertices).map(|_| Vec3::new(number(3), number(3), number(2))).collect(),
            normals: (0..vertices).map(|_| Vec3::new(number(3), number(3), 1.0).normalize()).collect(),
            uv_sets: vec![(0..vertices).map(|_| Vec2::new(number(4), number(3)) * 0.5).collect()],
            ..Mesh::default()
        };
        if round % 50 == 0 {
            mesh.positions[0].x = f32::NAN;
            mesh.uv_sets[0][0].y = f32::INFINITY;
        }
        mesh.indices = Some((0..3 * (1 + below(24))).map(|_| below(vertices)).collect());
        let corners = |mesh: &Mesh| -> Vec<[u32; 8]> {
            let corner = |vertex: usize| {
                let (p, n, uv) = (mesh.positions[vertex], mesh.normals[vertex], mesh.uv_sets[0][vertex]);
                [p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y].map(f32::to_bits)
            };
            mesh.indices.as_ref().unwrap().iter().map(|&index| corner(index as usize)).collect()
        };
        let mut tangent = mesh.clone();
        tangent.compute_tangents(0).unwrap();
        assert_eq!(corners(&tangent), corners(&mesh), "{round}");
        assert_eq!(tangent.tangents.len(), tangent.positions.len());
        split += usize::from(tangent.positions.len() > mesh.positions.len());
        for (tangent, normal) in tangent.tangents.iter().zip(&tangent.normals) {
            let direction = tangent.truncate();
            assert!((direction.length() - 1.0).abs() < 1e-5 && tangent.w.abs() == 1.0, "{round}: {tangent}");
            assert!(direction.dot(*normal).abs() < 0.05, "{round}: {tangent} on {normal}");
        }
        let mut flat = mesh.clone();
        flat.compute_flat_normals().unwrap();
        assert_eq!((flat.indices.as_ref(), flat.positions.len()), (None, mesh.index_count()));
        assert!(flat.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-5), "{round}");
    }
    assert!(split > 1000, "{split}");
}

type Operation = fn(&mut Mesh) -> Result<(), GeometryError>;

#[test]
fn what_does_not_fit_an_operation_is_named_and_the_mesh_stays() {
    let flat: Operation = Mesh::compute_flat_normals;
    let tangents: Operation = |mesh| mesh.compute_tangents(1);
    let length =
        |stream: &str, actual| GeometryError::StreamLength { stream: stream.into(), actual, vertices: 6 };
    let missing = |stream: &str| GeometryError::MissingStream { stream: stream.into() };
    let lines = GeometryError::NotTriangles { topology: Topology::Lines };
    let range = GeometryError::IndexRange { position: 2, index: 6, vertices: 6 };
    type Spoil = fn(&mut Mesh);
    let cases: [(Operation, Spoil, GeometryError); 11] = [
        (flat, |m| m.topology = Topology::Lines, lines.clone()),
        (tangents, |m| m.topology = Topology::Lines, lines),
        (flat, |m| m.indices = Some(vec![0, 1]), GeometryError::IndexCount { count: 2 }),
        (flat, |m| m.indices = Some(vec![0, 1, 6]), range.clone()),
        (tangents, |m| m.indices = Some(vec![0, 1, 6]), range),
        (flat, |m| m.colors.truncate(5), length("colors", 5)),
        (
            flat,
            |m| m.morph_targets.push(MorphTarget { positions: vec![Vec3::X], ..MorphTarget::default() }),
            length("morph_targets[0].positions", 1),
        ),
        (tangents, |m| m.normals.clear(), missing("normals")),
        (tangents, |m| m.uv_sets.truncate(1), missing("uv_sets[1]")),
        (tangents, |m| m.normals.truncate(4), length("normals", 4)),
        // Noticed where the seam splits.
        (tangents, |m| m.colors.truncate(5), length("colors", 5)),
    ];
    for (operation, spoil, expected) in cases {
        let mut mesh = mirrored_halves();
        spoil(&mut mesh);
        let before = mesh.clone();
        assert_eq!(operation(&mut mesh), Err(expected.clone()));
        assert_eq!(mesh, before, "{expected}");
        assert!(expected.to_string().len() > 20);
    }
}

#[test]
fn the_bytes_of_a_vertex_count_every_stream() {
    // 12 position, 16 tangent, 16 color, 8 UV, 8 + 16 joints; 12 + 12 + 16 + 8 and 12 in the targets.
    assert_eq!(folded().vertex_bytes(), 12 + 16 + 16 + 8 + 24 + 48 + 12);
    assert_eq!(Mesh::default().vertex_bytes(), 0);
}
