//! Morph targets and their weights.

use crate::fixtures::{Doc, F32, U8, holds};
use fire_engine::assets::{Color4, MorphTarget};
use fire_engine::gltf::{LoadError, LoadLimits, LoadOptions, NoFiles, NoteKind, load_from_slice_with};
use fire_engine::math::{Vec2, Vec3};
use serde_json::{Value, json};

const MOVES: [f32; 9] = [0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0];

fn moved() -> Vec<Vec3> {
    vec![Vec3::Z, Vec3::Z * 2.0, Vec3::Z * 3.0]
}

/// The triangle, unlit, with these targets.
fn with_targets(mut doc: Doc, targets: Value) -> Doc {
    doc.json["meshes"][0]["primitives"][0]["targets"] = targets;
    doc
}

/// An unlit triangle with everything that a target may displace.
fn rich() -> Doc {
    let mut doc = Doc::triangle().unlit();
    let normal = doc.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let tangent = doc.floats("VEC4", &[1.0, 0.0, 0.0, 1.0].repeat(3));
    let color = doc.floats("VEC4", &[0.5; 12]);
    let uv = doc.floats("VEC2", &[0.5; 6]);
    for (name, accessor) in [("NORMAL", normal), ("TANGENT", tangent), ("COLOR_0", color), ("TEXCOORD_1", uv)]
    {
        doc.attribute(name, accessor);
    }
    doc
}

#[test]
fn every_stream_of_a_target_is_imported_and_a_file_at_rest_has_nothing_to_report() {
    let mut doc = rich();
    let moves = doc.floats("VEC3", &MOVES);
    let colors = doc.floats("VEC3", &MOVES);
    let alphas = doc.floats("VEC4", &[0.25; 12]);
    let uvs = doc.floats("VEC2", &[0.125; 6]);
    let doc = with_targets(
        doc,
        json!([
            {"POSITION": moves, "NORMAL": moves, "TANGENT": moves, "COLOR_0": colors, "TEXCOORD_1": uvs},
            {"COLOR_0": alphas},
            {},
        ]),
    );
    let (content, report) = doc.load().unwrap();
    assert!(report.is_empty(), "{report}");
    let mesh = &content.assets.meshes()[0];
    assert_eq!(mesh.morph_weights, [0.0; 3]);
    // Three components leave alpha where it is.
    let colors = [1.0, 2.0, 3.0].map(|blue| Color4::new(0.0, 0.0, blue, 0.0)).to_vec();
    let full = MorphTarget {
        positions: moved(),
        normals: moved(),
        tangents: moved(),
        colors,
        uv_sets: vec![vec![], vec![Vec2::splat(0.125); 3]],
    };
    let alphas = vec![Color4::new(0.25, 0.25, 0.25, 0.25); 3];
    let faint = MorphTarget { colors: alphas, ..MorphTarget::default() };
    assert_eq!(mesh.morph_targets, [full, faint, MorphTarget::default()]);
}

/// User report 25 (T-LOAD-SPARSE) for displacements: Blender writes them sparse and without a view below.
#[test]
fn t_load_sparse_displacements_lie_over_zeros_or_over_a_view() {
    let mut doc = Doc::triangle().unlit();
    let over = doc.floats("VEC3", &MOVES);
    // The offsets leave out a byte and a value in front.
    let indices = doc.view(&[7, 1]);
    let values: Vec<u8> = [9.0_f32, 9.0, 9.0, 0.0, 5.0, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let values = doc.view(&values);
    let sparse = json!({
        "count": 1,
        "indices": {"bufferView": indices, "byteOffset": 1, "componentType": U8},
        "values": {"bufferView": values, "byteOffset": 12},
    });
    let bare =
        doc.push("accessors", json!({"componentType": F32, "count": 3, "type": "VEC3", "sparse": sparse}));
    doc.json["accessors"][over as usize]["sparse"] = sparse;
    let doc = with_targets(doc, json!([{"POSITION": bare}, {"POSITION": over}]));
    let targets = doc.mesh().morph_targets;
    assert_eq!(targets[0].positions, [Vec3::ZERO, Vec3::Y * 5.0, Vec3::ZERO]);
    assert_eq!(targets[1].positions, [Vec3::Z, Vec3::Y * 5.0, Vec3::Z * 3.0]);
}

/// User report 27: empty shape keys from Blender are accessors without a buffer view.
#[test]
fn displacements_without_a_view_are_none_and_take_no_memory() {
    let mut doc = Doc::triangle().unlit();
    let empty = doc.push("accessors", json!({"componentType": F32, "count": 3, "type": "VEC3"}));
    let doc = with_targets(doc, json!(vec![json!({"POSITION": empty}); 5000]));
    let limits = LoadLimits {
        // One weight a target in the mesh, and one in the node.
        decoded_bytes: 36 + 5000 * (size_of::<MorphTarget>() as u64 + 4 + 4),
        unbacked_bytes: 5000 * size_of::<MorphTarget>() as u64,
        ..LoadLimits::default()
    };
    let mut options = LoadOptions { limits, ..LoadOptions::default() };
    let (content, _) = load_from_slice_with("empty", &doc.gltf(), &NoFiles, &options).unwrap();
    options.limits.unbacked_bytes -= 1;
    let error = load_from_slice_with("empty", &doc.gltf(), &NoFiles, &options).unwrap_err().to_string();
    holds(&error, &["meshes[0].primitives[0].targets: the data", "lists of morph targets", "unbacked_bytes"]);
    let mesh = &content.assets.meshes()[0];
    assert_eq!(mesh.morph_targets, vec![MorphTarget::default(); 5000]);
    // The number of elements is still looked at.
    let mut doc = doc;
    doc.json["accessors"][empty as usize]["count"] = json!(1_u64 << 40);
    holds(&doc.refusal(), &["meshes[0].primitives[0].targets[0].POSITION", "POSITION has 3"]);
}

#[test]
fn thousands_of_sparse_displacements_over_nothing_meet_the_limit() {
    let mut doc = Doc::triangle().unlit();
    let (vertices, targets) = (100_000, 1000);
    // 1.2 GB of displacements from a few bytes each.
    let position = doc.push("accessors", json!({"componentType": F32, "count": vertices, "type": "VEC3"}));
    doc.attribute("POSITION", position);
    let (indices, values) = (doc.view(&[0]), doc.view(&[0; 12]));
    let sparse = json!({"count": 1, "indices": {"bufferView": indices, "componentType": U8},
        "values": {"bufferView": values}});
    let entry = json!({"componentType": F32, "count": vertices, "type": "VEC3", "sparse": sparse});
    let accessor = doc.push("accessors", entry);
    doc.json["meshes"][0]["primitives"][0]["mode"] = json!(0);
    let doc = with_targets(doc, json!(vec![json!({"POSITION": accessor}); targets]));
    let error = doc.load().unwrap_err();
    assert!(matches!(error, LoadError::Limit { field: "unbacked_bytes", .. }), "{error}");
}

#[test]
fn displacements_may_be_quantized_as_the_extension_says() {
    const I8: u32 = 5120;
    const I16: u32 = 5122;
    let doc = |name: &str, component: u32, normalized: bool| {
        let mut doc = rich();
        let size = if component == I16 { 2 } else { 1 };
        let one: Vec<u8> = [127_i16, 0, -127].iter().flat_map(|v| v.to_le_bytes()[..size].to_vec()).collect();
        let accessor = doc.accessor(component, "VEC3", 3, &one.repeat(3));
        doc.json["accessors"][accessor as usize]["normalized"] = json!(normalized);
        with_targets(doc, json!([{name: accessor}]))
    };
    for (name, component, normalized, x) in [
        ("POSITION", I8, true, Some(1.0)),
        ("POSITION", I8, false, Some(127.0)),
        ("POSITION", I16, false, Some(127.0)),
        ("POSITION", U8, true, None),
        ("NORMAL", I8, true, Some(1.0)),
        ("NORMAL", I16, true, Some(127.0 / 32767.0)),
        ("NORMAL", I8, false, None),
        ("TANGENT", I8, true, Some(1.0)),
        ("TANGENT", U8, true, None),
    ] {
        let mut doc = doc(name, component, normalized);
        let path = format!("targets[0].{name}");
        holds(&doc.refusal(), &["unsupported", &path]);
        doc.json["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_mesh_quantization"]);
        match x {
            None => holds(&doc.refusal(), &["unsupported", &path]),
            Some(x) => {
                let target = &doc.mesh().morph_targets[0];
                let all = [&target.positions, &target.normals, &target.tangents];
                let stream = all.into_iter().find(|stream| !stream.is_empty()).unwrap();
                assert_eq!(stream[2], Vec3::new(x, 0.0, -x), "{name} {component}");
            }
        }
    }
}

#[test]
fn colors_and_uvs_are_displaced_by_signed_and_unsigned_fractions() {
    for (component, bytes, value) in [(5120, 0x81_u8, -1.0), (U8, 51, 0.2)] {
        let mut doc = rich();
        let accessor = doc.accessor(component, "VEC2", 3, &[bytes; 6]);
        doc.json["accessors"][accessor as usize]["normalized"] = json!(true);
        let doc = with_targets(doc, json!([{"TEXCOORD_1": accessor}]));
        assert_eq!(doc.mesh().morph_targets[0].uv_sets[1], [Vec2::splat(value); 3]);
    }
}

#[test]
fn what_the_primitive_does_not_have_cannot_be_displaced_and_is_reported_once() {
    let mut doc = Doc::triangle().unlit();
    let moves = doc.floats("VEC3", &MOVES);
    let doc = with_targets(
        doc,
        json!([
            {"POSITION": moves, "NORMAL": moves, "_HEAT": moves},
            {"TEXCOORD_0": moves, "COLOR_0": moves, "TANGENT": moves, "JOINTS_0": moves},
        ]),
    );
    let (content, report) = doc.load().unwrap();
    let targets = &content.assets.meshes()[0].morph_targets;
    assert_eq!(targets[0], MorphTarget { positions: moved(), ..MorphTarget::default() });
    assert_eq!(targets[1], MorphTarget::default());
    let rows: Vec<_> = report.iter().map(|note| (note.json_path.as_str(), note.message.as_str())).collect();
    let path = "meshes[0].primitives[0].targets";
    let expected = [
        (path, "JOINTS_0, _HEAT not used"),
        (path, "COLOR_0, NORMAL, TANGENT, TEXCOORD_0 left out, which the primitive itself does not have"),
    ];
    assert_eq!(rows, expected);
}

/// glTF 2.0, section 3.7.2.2: without normals, flat ones are due for each target too.
#[test]
fn t_load_normals_targets_of_a_mesh_without_normals_get_flat_ones() {
    let mut doc = Doc::triangle();
    // The corner at Y moves to -Z, so that the normal X x Y = Z becomes X x -Z = Y.
    let moves = doc.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, -1.0]);
    let mesh = with_targets(doc, json!([{"POSITION": moves}])).mesh();
    assert_eq!(mesh.normals, [Vec3::Z; 3]);
    assert_eq!(mesh.morph_targets[0].normals, [Vec3::Y - Vec3::Z; 3]);
}

#[test]
fn faulty_targets_are_refused_by_their_path() {
    let mut doc = rich();
    let moves = doc.floats("VEC3", &MOVES);
    let short = doc.floats("VEC3", &MOVES[..6]);
    let tangent = doc.floats("VEC4", &[0.0; 12]);
    let nan = doc.floats("VEC3", &[f32::NAN; 9]);
    for (target, parts) in [
        (json!({"POSITION": short}), ["targets[1].POSITION", "2 elements"]),
        // The sign has no place in a displacement.
        (json!({"TANGENT": tangent}), ["targets[1].TANGENT", "FLOAT VEC4"]),
        (json!({"COLOR_0": 0, "POSITION": nan}), ["meshes[0].primitives[0]", "morph_targets[1].positions"]),
        (json!({"POSITION": 99}), ["targets[1].POSITION", "accessor 99 does not exist"]),
    ] {
        holds(&with_targets(doc.clone(), json!([{"POSITION": moves}, target])).refusal(), &parts);
    }
}

/// User report 41: morph files were silently static.
#[test]
fn default_weights_of_the_mesh_are_kept_and_those_of_a_node_take_their_place() {
    let mut doc = Doc::triangle().unlit();
    let moves = doc.floats("VEC3", &MOVES);
    let mut doc = with_targets(doc, json!([{"POSITION": moves}, {"POSITION": moves}]));
    doc.json["meshes"][0]["weights"] = json!([0.0, -0.5]);
    let (content, report) = doc.load().unwrap();
    assert!(report.is_empty(), "{report}");
    assert_eq!(content.assets.meshes()[0].morph_weights, [0.0, -0.5]);
    let drawn = |content: &fire_engine::scene::Content| {
        let item = content.scene.draw_items().next().unwrap();
        item.weights.of(content.scene.morph_weights()).to_vec()
    };
    assert_eq!(drawn(&content), [0.0, -0.5]);
    doc.json["nodes"][0]["weights"] = json!([1, 0]);
    assert_eq!(drawn(&doc.content()), [1.0, 0.0]);
    doc.json["nodes"][0]["weights"] = json!([0]);
    holds(&doc.load().unwrap().1.to_string(), &["nodes[0].weights", "1 weights for the 2 morph targets"]);
}

/// User report 23 (T-ANIM-WEIGHTS), as far as a file at rest goes: meshes with 2 and 1 targets, and weights for neither.
#[test]
fn weights_that_do_not_fit_the_targets_are_padded_or_cut_and_reported() {
    let mut doc = Doc::triangle().unlit();
    let moves = doc.floats("VEC3", &MOVES);
    let mut doc = with_targets(doc, json!([{"POSITION": moves}, {"POSITION": moves}]));
    for (weights, kept) in
        [(json!([0.5]), [0.5, 0.0]), (json!([0.5, 1, 2]), [0.5, 1.0]), (json!([]), [0.0; 2])]
    {
        doc.json["meshes"][0]["weights"] = weights;
        let (content, report) = doc.load().unwrap();
        assert_eq!(content.assets.meshes()[0].morph_weights, kept);
        assert_eq!(
            (report.rows[0].kind, report.rows[0].json_path.as_str()),
            (NoteKind::Repaired, "meshes[0].weights")
        );
    }
    doc.json["meshes"][0]["weights"] = json!([0.5, 0.25]);
    let mut second = doc.json["meshes"][0]["primitives"][0].clone();
    second["targets"].as_array_mut().unwrap().pop();
    doc.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    let (content, report) = doc.load().unwrap();
    let weights: Vec<_> = content.assets.meshes().iter().map(|mesh| mesh.morph_weights.clone()).collect();
    assert_eq!(weights, [vec![0.5, 0.25], vec![0.5]]);
    holds(&report.to_string(), &["meshes[0]: repaired", "1 to 2 morph targets"]);
    for (weight, path) in [(json!(1e300), "meshes[0].weights[0]"), (json!(null), "meshes[0].weights")] {
        doc.json["meshes"][0]["weights"][0] = weight;
        holds(&doc.refusal(), &[path]);
    }
}
