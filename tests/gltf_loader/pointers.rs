//! KHR_animation_pointer: what pointers lead to, and what becomes of those that lead nowhere.

use crate::fixtures::{Doc, U8, U16, U32, holds};
use fire_engine::animation::{
    CameraProperty, Keyframes, LightProperty, MaterialProperty, TargetPath, UvSlot,
};
use fire_engine::assets::MaterialId;
use fire_engine::gltf::{LoadLimits, LoadOptions, NoFiles, NoteKind, load_from_slice_with};
use fire_engine::math::Vec3;
use fire_engine::scene::{Content, Projection};
use serde_json::{Value, json};

/// Five nodes: 0 draws two morph targets and has camera 0; 1 has camera 0 as well, and light 0; 2 has camera 1 and light 1; 3
/// has a matrix and weights of its own; 4 is in no scene. Animation 0 is empty.
pub fn stage() -> Doc {
    let mut doc = Doc::triangle().unlit();
    let targets: Vec<_> = (0..2).map(|_| json!({"POSITION": doc.floats("VEC3", &[0.5; 9])})).collect();
    doc.json["meshes"][0]["primitives"][0]["targets"] = json!(targets);
    doc.json["extensionsUsed"] = json!([
        "KHR_animation_pointer",
        "KHR_materials_unlit",
        "KHR_lights_punctual",
        "KHR_texture_transform",
        "KHR_materials_emissive_strength"
    ]);
    let carries = |light: u32| json!({"KHR_lights_punctual": {"light": light}});
    doc.json["nodes"] = json!([
        {"mesh": 0, "camera": 0},
        {"camera": 0, "extensions": carries(0)},
        {"camera": 1, "extensions": carries(1)},
        {"mesh": 0, "weights": [0.5, 0.25], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]},
        {"camera": 2, "extensions": carries(2)},
    ]);
    doc.json["scenes"] = json!([{"nodes": [0, 1, 2, 3]}]);
    doc.json["cameras"] = json!([
        {"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1, "aspectRatio": 1.5, "zfar": 9.0}},
        {"type": "orthographic", "orthographic": {"xmag": 1.0, "ymag": 2.0, "znear": 0.0, "zfar": 9.0},
         "perspective": {"yfov": 1.0, "znear": 0.1}},
        {"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}},
        {"type": "perspective", "perspective": {"yfov": -1.0, "znear": 0.1}},
    ]);
    doc.json["extensions"]["KHR_lights_punctual"]["lights"] = json!([
        {"type": "spot", "range": 5.0, "spot": {}},
        {"type": "point"},
        {"type": "directional", "range": 3.0},
        {"type": "point", "intensity": -1.0},
    ]);
    doc.json["images"] = json!([{"uri": "data:image/png;base64,AAAA"}]);
    doc.json["textures"] = json!([{}]);
    let slot = || json!({"index": 0, "extensions": {"KHR_texture_transform": {}}});
    let unlit = json!({});
    doc.json["materials"] = json!([
        {
            "pbrMetallicRoughness": {"baseColorTexture": slot(), "metallicRoughnessTexture": slot()},
            "normalTexture": slot(), "occlusionTexture": slot(), "emissiveTexture": slot(),
            "extensions": {"KHR_materials_unlit": unlit, "KHR_materials_emissive_strength": {}},
        },
        {"extensions": {"KHR_materials_unlit": unlit}, "normalTexture": {"index": 0}},
    ]);
    doc.json["animations"] = json!([{"samplers": [], "channels": []}]);
    doc
}

pub fn target(pointer: &str) -> Value {
    json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})
}

/// Adds a channel with a sampler of its own on these keys.
pub fn drive(doc: &mut Doc, target: Value, input: u64, output: u64) {
    let animation = &mut doc.json["animations"][0];
    let samplers = animation["samplers"].as_array_mut().unwrap();
    samplers.push(json!({"input": input, "output": output}));
    let sampler = samplers.len() - 1;
    animation["channels"].as_array_mut().unwrap().push(json!({"sampler": sampler, "target": target}));
}

/// A document whose animation 0 drives this pointer by two keys: 0 and 1 s, and these values, as many as two elements have.
fn driving(pointer: &str, shape: &str, values: &[f32]) -> Doc {
    let mut doc = stage();
    let (input, output) = (doc.floats("SCALAR", &[0.0, 1.0]), doc.floats(shape, values));
    drive(&mut doc, target(pointer), input, output);
    doc
}

/// The rows about animations.
pub fn rows(doc: &Doc) -> Vec<String> {
    let (_, report) = doc.load().unwrap();
    let rows = report.iter().filter(|note| {
        note.json_path.starts_with("animations")
            && !note.message.contains("morph targets are not applied yet")
    });
    rows.map(|note| format!("{}: {}", note.json_path, note.message)).collect()
}

/// What each channel drives, with the document's node or material.
pub fn driven(content: &Content) -> Vec<(TargetPath, usize)> {
    let binding = &content.bindings[0];
    let object = |path: TargetPath, slot: usize| match path {
        TargetPath::Material(_) => binding.materials[slot].index(),
        _ => {
            let node = binding.nodes[slot];
            content.document.nodes.iter().position(|&id| id == Some(node)).unwrap()
        }
    };
    let channels = content.animations[0].channels().iter();
    channels.map(|channel| (channel.path, object(channel.path, channel.slot.index()))).collect()
}

/// Every property that is animated, with the shape of its values, its path here, and the nodes or the material driven.
fn cases() -> Vec<(String, &'static str, TargetPath, Vec<usize>)> {
    use CameraProperty as C;
    use LightProperty as L;
    use MaterialProperty as M;
    let lights = "/extensions/KHR_lights_punctual/lights";
    let metal = "/materials/0/pbrMetallicRoughness";
    let transform = "extensions/KHR_texture_transform";
    let mut cases = vec![
        ("/nodes/1/translation".to_owned(), "VEC3", TargetPath::Translation, vec![1]),
        ("/nodes/1/rotation".into(), "VEC4", TargetPath::Rotation, vec![1]),
        ("/nodes/0/scale".into(), "VEC3", TargetPath::Scale, vec![0]),
        ("/nodes/3/weights/1".into(), "SCALAR", TargetPath::Weight(1), vec![3]),
        ("/meshes/0/weights/0".into(), "SCALAR", TargetPath::Weight(0), vec![0]),
        ("/cameras/0/perspective/yfov".into(), "SCALAR", TargetPath::Camera(C::FovY), vec![0, 1]),
        ("/cameras/0/perspective/aspectRatio".into(), "SCALAR", TargetPath::Camera(C::Aspect), vec![0, 1]),
        ("/cameras/0/perspective/znear".into(), "SCALAR", TargetPath::Camera(C::Near), vec![0, 1]),
        ("/cameras/0/perspective/zfar".into(), "SCALAR", TargetPath::Camera(C::Far), vec![0, 1]),
        ("/cameras/1/orthographic/xmag".into(), "SCALAR", TargetPath::Camera(C::XMag), vec![2]),
        ("/cameras/1/orthographic/ymag".into(), "SCALAR", TargetPath::Camera(C::YMag), vec![2]),
        ("/cameras/1/orthographic/znear".into(), "SCALAR", TargetPath::Camera(C::Near), vec![2]),
        ("/cameras/1/orthographic/zfar".into(), "SCALAR", TargetPath::Camera(C::Far), vec![2]),
        (format!("{lights}/0/color"), "VEC3", TargetPath::Light(L::Color), vec![1]),
        (format!("{lights}/1/intensity"), "SCALAR", TargetPath::Light(L::Intensity), vec![2]),
        (format!("{lights}/0/range"), "SCALAR", TargetPath::Light(L::Range), vec![1]),
        (format!("{lights}/0/spot/innerConeAngle"), "SCALAR", TargetPath::Light(L::InnerConeAngle), vec![1]),
        (format!("{lights}/0/spot/outerConeAngle"), "SCALAR", TargetPath::Light(L::OuterConeAngle), vec![1]),
    ];
    let materials = [
        (format!("{metal}/baseColorFactor"), "VEC4", M::BaseColorFactor),
        (format!("{metal}/metallicFactor"), "SCALAR", M::MetallicFactor),
        (format!("{metal}/roughnessFactor"), "SCALAR", M::RoughnessFactor),
        ("/materials/0/alphaCutoff".into(), "SCALAR", M::AlphaCutoff),
        ("/materials/0/emissiveFactor".into(), "VEC3", M::EmissiveFactor),
        ("/materials/0/normalTexture/scale".into(), "SCALAR", M::NormalScale),
        ("/materials/0/occlusionTexture/strength".into(), "SCALAR", M::OcclusionStrength),
        (
            "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength".into(),
            "SCALAR",
            M::EmissiveStrength,
        ),
    ];
    let slots = [
        (format!("{metal}/baseColorTexture"), UvSlot::BaseColor),
        (format!("{metal}/metallicRoughnessTexture"), UvSlot::MetallicRoughness),
        ("/materials/0/normalTexture".into(), UvSlot::Normal),
        ("/materials/0/occlusionTexture".into(), UvSlot::Occlusion),
        ("/materials/0/emissiveTexture".into(), UvSlot::Emissive),
    ];
    let transforms = slots.iter().flat_map(|(slot, kind)| {
        [
            (format!("{slot}/{transform}/offset"), "VEC2", M::UvOffset(*kind)),
            (format!("{slot}/{transform}/rotation"), "SCALAR", M::UvRotation(*kind)),
            (format!("{slot}/{transform}/scale"), "VEC2", M::UvScale(*kind)),
        ]
    });
    let of_material = materials.into_iter().chain(transforms);
    cases.extend(
        of_material.map(|(pointer, shape, path)| (pointer, shape, TargetPath::Material(path), vec![0])),
    );
    cases
}

/// All of them in one clip, each with two keys of 0.5.
pub fn everything() -> Doc {
    let mut doc = stage();
    let input = doc.floats("SCALAR", &[0.0, 1.0]);
    for (pointer, shape, ..) in cases() {
        let output = doc.floats(shape, &[0.5; 8][..2 * components(shape)]);
        drive(&mut doc, target(&pointer), input, output);
    }
    doc
}

#[test]
fn every_property_of_the_object_model_that_there_is_here_is_driven_wherever_it_is_seen() {
    let cases = cases();
    assert_eq!(cases.len(), 18 + 8 + 15);
    let doc = everything();
    let half_turn_note = "rotations are not of length 1";
    assert!(rows(&doc).iter().all(|row| row.contains(half_turn_note)), "{:?}", rows(&doc));
    let mut content = doc.content();
    let expected: Vec<_> = cases
        .iter()
        .flat_map(|(_, _, path, objects)| objects.iter().map(|&object| (*path, object)))
        .collect();
    assert_eq!(driven(&content), expected);
    // Alone they are driven alike, and the scene shows it.
    for (pointer, shape, path, objects) in &cases {
        let doc = driving(pointer, shape, &[0.5; 8][..2 * components(shape)]);
        let alone: Vec<_> = objects.iter().map(|&object| (*path, object)).collect();
        assert_eq!(driven(&doc.content()), alone, "{pointer}");
    }
    content.play_all().unwrap();
    content.advance(0.5).unwrap();
    let node = |index: usize| content.scene.find(content.document.nodes[index].unwrap()).unwrap();
    // The far plane is not beyond the near one, so it is held just there.
    let Some(Projection::Perspective { fov_y, aspect, near, far: Some(far) }) = node(1).camera() else {
        panic!()
    };
    assert_eq!((fov_y, aspect, near), (0.5, Some(0.5), 0.5));
    assert!(far > 0.5 && far < 0.501 && node(0).camera() == node(1).camera());
    assert_eq!(node(1).light().unwrap().color, Vec3::splat(0.5));
    assert_eq!((node(0).weights(), node(3).weights()), ([0.5, 0.0].as_slice(), [0.5, 0.5].as_slice()));
    let factors = content.scene.material_factors(MaterialId::new(0)).unwrap();
    assert_eq!(factors.base_color_factor.to_array(), [0.5; 4]);
    assert!(factors.uv_transforms.iter().all(|uv| uv.rotation == 0.5 && uv.offset == uv.scale));
    assert_eq!(content.scene.material_overrides().len(), 1);
}

pub fn components(shape: &str) -> usize {
    match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        _ => 4,
    }
}

/// T-ANIM-WEIGHTS (23): as many as there are on both sides, with a note where the numbers differ.
#[test]
fn all_weights_of_a_node_or_of_the_nodes_that_have_the_meshs_are_driven_at_once() {
    for (pointer, node) in [("/nodes/3/weights", 3), ("/meshes/0/weights", 0)] {
        let doc = driving(pointer, "SCALAR", &[0.0, 0.25, 0.5, 0.75]);
        assert_eq!(rows(&doc), Vec::<String>::new());
        assert_eq!(driven(&doc.content()), [(TargetPath::Weights, node)]);
        let few = driving(pointer, "SCALAR", &[0.5, 0.5]);
        holds(&rows(&few)[0], &["animations[0].channels[0]", "1 weights a keyframe for the 2 morph targets"]);
    }
}

/// T-ANIM-MATRIX (20), 43, D3: a matrix has no scale, what is not animated is said, and one bad channel silences no other.
#[test]
fn a_pointer_that_leads_nowhere_is_reported_and_the_others_play() {
    let not_animated = "is not among the properties that are animated here";
    let undefined = "the document does not define it";
    let lights = "/extensions/KHR_lights_punctual/lights";
    let transform = "extensions/KHR_texture_transform/offset";
    let cases = [
        ("nodes/0/scale".to_owned(), "no JSON pointer"),
        ("/nodes/0/sca~le".into(), "no JSON pointer"),
        ("/nodes/0/scale~".into(), "no JSON pointer"),
        (String::new(), not_animated),
        ("/".into(), not_animated),
        ("/nodes".into(), not_animated),
        ("/nodes/0".into(), not_animated),
        ("/nodes/0/matrix".into(), not_animated),
        ("/nodes/0/scale/0".into(), not_animated),
        ("/nodes/0/weights/0/0".into(), not_animated),
        ("/nodes/00/scale".into(), "no index of a node"),
        ("/nodes/-/scale".into(), "no index of a node"),
        ("/nodes/ 0/scale".into(), "no index of a node"),
        ("/nodes/5/scale".into(), "there is no node 5; the document has 5"),
        ("/nodes/99999999999999999999999/scale".into(), "there is no node 9999"),
        ("/nodes/4/scale".into(), "node 4 is not in the imported scene"),
        ("/nodes/3/scale".into(), "node 3 has a matrix"),
        ("/nodes/1/weights".into(), "no mesh with morph targets"),
        ("/nodes/0/weights/2".into(), "the mesh of node 0 has 2 morph targets"),
        ("/nodes/0/weights/65535".into(), "the mesh of node 0 has 2 morph targets"),
        ("/nodes/0/weights/x".into(), "no index of a weight"),
        ("/meshes/1/weights".into(), "there is no mesh 1"),
        ("/meshes/0/weights/2".into(), "mesh 0 has 2 morph targets"),
        ("/meshes/0/primitives".into(), not_animated),
        ("/cameras/0/orthographic/xmag".into(), undefined),
        ("/cameras/1/perspective/yfov".into(), undefined),
        ("/cameras/0/perspective/fov".into(), not_animated),
        ("/cameras/2/perspective/zfar".into(), undefined),
        ("/cameras/2/perspective/aspectRatio".into(), undefined),
        ("/cameras/2/perspective/yfov".into(), "no node of the imported scene has camera 2"),
        ("/cameras/3/perspective/yfov".into(), "camera 3 is left out"),
        ("/cameras/4/perspective/yfov".into(), "there is no camera 4"),
        (format!("{lights}/1/range"), undefined),
        (format!("{lights}/1/spot/innerConeAngle"), undefined),
        (format!("{lights}/2/range"), undefined),
        (format!("{lights}/2/color"), "no node of the imported scene has light 2"),
        (format!("{lights}/3/color"), "light 3 is left out"),
        (format!("{lights}/4/color"), "there is no light 4"),
        (format!("{lights}/0/name"), not_animated),
        ("/extensions/KHR_lights_punctual/lights.length".into(), not_animated),
        ("/materials/2/alphaCutoff".into(), "there is no material 2"),
        ("/materials/1/pbrMetallicRoughness/baseColorFactor".into(), undefined),
        ("/materials/1/occlusionTexture/strength".into(), undefined),
        ("/materials/1/extensions/KHR_materials_emissive_strength/emissiveStrength".into(), undefined),
        (format!("/materials/1/normalTexture/{transform}"), undefined),
        (format!("/materials/1/emissiveTexture/{transform}"), undefined),
        (format!("/materials/0/normalTexture/{transform}/0"), not_animated),
        ("/materials/0/normalTexture/extensions/KHR_texture_transform/texCoord".into(), not_animated),
        ("/materials/0/doubleSided".into(), not_animated),
        ("/materials/0/extensions/KHR_materials_ior/ior".into(), not_animated),
        ("/materials/0/extras/glow".into(), not_animated),
        ("/x".repeat(100_000), not_animated),
    ];
    for (pointer, reason) in cases {
        let mut doc = driving(&pointer, "SCALAR", &[0.5, 0.5]);
        drive(&mut doc, target("/materials/0/alphaCutoff"), 0, 0);
        let sampler = doc.json["animations"][0]["samplers"][0].clone();
        doc.json["animations"][0]["samplers"][1] = sampler;
        let rows = rows(&doc);
        assert_eq!(rows.len(), 1, "{rows:?}");
        let path = "animations[0].channels[0].target.extensions.KHR_animation_pointer.pointer: \"";
        assert!(rows[0].starts_with(path), "{rows:?}");
        holds(&rows[0], &[reason]);
        assert!(rows[0].len() < 1000);
        let start: String = pointer.chars().take(100).collect();
        holds(&rows[0], &[&start]);
        let cutoff = TargetPath::Material(MaterialProperty::AlphaCutoff);
        assert_eq!(driven(&doc.content()), [(cutoff, 0)], "{pointer}");
    }
}

/// RFC 6901: ~1 is a slash within a name, ~0 a tilde, and ~01 is ~1.
#[test]
fn escapes_of_a_pointer_are_undone_before_names_are_compared() {
    for pointer in ["/materials/0/emissive~0Factor", "/materials~10/emissiveFactor"] {
        let doc = driving(pointer, "VEC3", &[0.5; 6]);
        holds(&rows(&doc)[0], &["not among the properties"]);
    }
    // JSON's own escapes are undone by JSON.
    let doc = driving("/materials/0/emissiveFactor", "VEC3", &[0.5; 6]);
    let text =
        String::from_utf8(doc.gltf()).unwrap().replace("/emissiveFactor", "\\u002femissiveF\\u0061ctor");
    let (content, _) = fire_engine::gltf::load_from_slice(text.as_bytes(), &NoFiles).unwrap();
    assert_eq!(content.animations[0].channels().len(), 1);
}

#[test]
fn the_channel_counts_by_its_path_and_what_contradicts_it_is_reported() {
    // A node besides the pointer.
    let mut doc = driving("/nodes/0/scale", "VEC3", &[0.5; 6]);
    doc.json["animations"][0]["channels"][0]["target"]["node"] = json!(1);
    holds(&rows(&doc)[0], &["animations[0].channels[0]", "names a node besides the pointer, which counts"]);
    assert_eq!(driven(&doc.content()), [(TargetPath::Scale, 0)]);
    // A pointer beside another path.
    doc.json["animations"][0]["channels"][0]["target"]["path"] = json!("translation");
    holds(&rows(&doc)[0], &["animations[0].channels[0]", "beside the path \"translation\", which counts"]);
    assert_eq!(driven(&doc.content()), [(TargetPath::Translation, 1)]);
    // The path alone, with and without a node.
    doc.json["animations"][0]["channels"][0]["target"] = json!({"path": "pointer"});
    holds(&rows(&doc)[0], &["animations[0].channels[0]", "names no node"]);
    doc.json["animations"][0]["channels"][0]["target"] = json!({"path": "pointer", "node": 0});
    holds(&rows(&doc)[0], &["animations[0]", "\"pointer\" is not a property that glTF animates"]);
    // An extension object without a pointer, or with something else.
    for bad in [json!({}), json!({"pointer": 1}), json!({"pointer": null}), json!([])] {
        doc.json["animations"][0]["channels"][0]["target"] =
            json!({"path": "pointer", "extensions": {"KHR_animation_pointer": bad}});
        holds(&doc.refusal(), &["animations[0].channels[0].target.extensions", "pointer"]);
    }
}

#[test]
fn the_extension_may_be_required_and_one_that_is_not_declared_is_reported() {
    let mut doc = driving("/nodes/0/scale", "VEC3", &[0.5; 6]);
    doc.json["extensionsRequired"] = json!(["KHR_animation_pointer"]);
    assert_eq!(driven(&doc.content()).len(), 1);
    doc.json.as_object_mut().unwrap().remove("extensionsRequired");
    doc.json["extensionsUsed"].as_array_mut().unwrap().remove(0);
    holds(
        &rows(&doc)[0],
        &["animations[0]", "KHR_animation_pointer is used and not declared", "read all the same"],
    );
    assert_eq!(driven(&doc.content()).len(), 1);
}

/// A pointer takes whole numbers too, which stand for themselves; a path of glTF's core does not.
#[test]
fn outputs_of_pointers_may_be_integers_of_every_kind() {
    let pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    let cases: [(u32, bool, &[u8], [f32; 2]); 5] = [
        (U8, true, &[0, 51, 102, 255, 255, 204, 0, 0], [0.2, 0.8]),
        (U8, false, &[0, 1, 0, 0, 0, 0, 0, 0], [1.0, 0.0]),
        (5120, false, &[0, 0xff, 0, 0, 0, 1, 0, 0], [-1.0, 1.0]),
        (U16, true, &[0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1.0, 0.0]),
        (
            U32,
            false,
            &[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [1.0, 3.0],
        ),
    ];
    for (component, normalized, bytes, greens) in cases {
        let mut doc = stage();
        let input = doc.floats("SCALAR", &[0.0, 1.0]);
        let output = doc.accessor(component, "VEC4", 2, bytes);
        doc.json["accessors"][output as usize]["normalized"] = json!(normalized);
        drive(&mut doc, target(pointer), input, output);
        let content = doc.content();
        let Keyframes::Numbers(found) = &content.animations[0].samplers()[0].values else { panic!() };
        assert_eq!([found[1], found[5]], greens, "{component}");
        // Out of range is told once, and held when it is played.
        let beyond = greens.iter().any(|green| !(0.0..=1.0).contains(green));
        assert_eq!(rows(&doc).len(), usize::from(beyond), "{:?}", rows(&doc));
        if beyond {
            holds(&rows(&doc)[0], &["animations[0].channels[0]", "base color factor is held 0 to 1"]);
        }
    }
    // The same accessor for the same property, once by a pointer and once by a path.
    let mut doc = stage();
    let input = doc.floats("SCALAR", &[0.0, 1.0]);
    let output = doc.accessor(U8, "VEC3", 2, &[1, 2, 3, 4, 5, 6]);
    drive(&mut doc, target("/nodes/0/scale"), input, output);
    assert_eq!(rows(&doc), Vec::<String>::new());
    doc.json["animations"][0]["channels"][0]["target"] = json!({"node": 0, "path": "scale"});
    holds(&rows(&doc)[0], &["whole clip is left out", "normalized integer VEC3"]);
}

#[test]
fn an_output_that_does_not_fit_the_property_leaves_its_channel_out_alone() {
    let metal = "/materials/0/pbrMetallicRoughness";
    let cases = [
        (format!("{metal}/baseColorFactor"), "VEC3", 6, "it must be VEC4"),
        (format!("{metal}/metallicFactor"), "VEC2", 4, "it must be SCALAR"),
        ("/nodes/0/rotation".into(), "VEC3", 6, "it must be VEC4"),
        ("/materials/0/emissiveFactor".into(), "SCALAR", 6, "it must be VEC3"),
        (format!("{metal}/metallicFactor"), "SCALAR", 3, "has 3 elements; the 2 times need 2"),
        (format!("{metal}/metallicFactor"), "SCALAR", 4, "has 4 elements; the 2 times need 2"),
        ("/nodes/0/weights/0".into(), "SCALAR", 4, "has 4 elements; the 2 times need 2"),
        ("/cameras/0/perspective/yfov".into(), "SCALAR", 1, "has 1 elements; the 2 times need 2"),
    ];
    for (pointer, shape, count, reason) in cases {
        let mut doc = driving(&pointer, shape, &vec![0.5; count]);
        // Twice, so that what is known of the sampler is used, and another channel besides.
        let again = doc.json["animations"][0]["channels"][0].clone();
        doc.json["animations"][0]["channels"].as_array_mut().unwrap().push(again);
        let (input, output) = (doc.floats("SCALAR", &[0.0, 1.0]), doc.floats("SCALAR", &[0.5, 0.5]));
        drive(&mut doc, target("/materials/0/alphaCutoff"), input, output);
        let rows = rows(&doc);
        assert_eq!(rows.len(), 2, "{rows:?}");
        for (number, row) in rows.iter().enumerate() {
            holds(
                row,
                &[&format!("animations[0].channels[{number}]: animations[0].samplers[0].output"), reason],
            );
        }
        assert_eq!(driven(&doc.content()).len(), 1, "{pointer}");
    }
    // What is wrong in the keys is the clip's fault, as ever.
    let doc = driving("/materials/0/alphaCutoff", "SCALAR", &[0.5, f32::NAN]);
    holds(&rows(&doc)[0], &["animations[0]: the whole clip is left out", "sampler 0, keyframe 1"]);
    assert!(doc.content().scene.material_overrides().len() == 0);
}

#[test]
fn one_sampler_serves_properties_of_one_shape_and_is_read_once() {
    let mut doc = driving("/materials/0/emissiveFactor", "VEC3", &[0.25; 6]);
    let lights = "/extensions/KHR_lights_punctual/lights";
    for pointer in [format!("{lights}/0/color"), format!("{lights}/1/color"), "/nodes/0/translation".into()] {
        let channel = json!({"sampler": 0, "target": target(&pointer)});
        doc.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    }
    assert_eq!(rows(&doc), Vec::<String>::new());
    let content = doc.content();
    // Once as numbers, once as vectors.
    assert_eq!((content.animations[0].samplers().len(), content.animations[0].channels().len()), (2, 4));
    assert!(matches!(&content.animations[0].samplers()[1].values, Keyframes::Vec3(_)));
}

#[test]
fn materials_of_pointers_have_factors_in_the_scene_and_stay_as_they_are_in_the_catalogue() {
    let mut doc = driving("/materials/1/normalTexture/scale", "SCALAR", &[1.0, 3.0]);
    doc.json["materials"][1]["normalTexture"]["scale"] = json!(2.0);
    let mut content = doc.content();
    let material = MaterialId::new(1);
    let described = content.assets.material(material).unwrap().factors();
    assert_eq!((described.normal_scale, content.scene.material_factors(material)), (2.0, Some(&described)));
    let before = (content.assets.identity(), content.assets.revision(), content.scene.structure_revision());
    content.play_all().unwrap();
    content.advance(0.25).unwrap();
    assert_eq!(content.scene.material_factors(material).unwrap().normal_scale, 1.5);
    assert_eq!(content.scene.rest_material_factors(material), Some(&described));
    assert_eq!(content.scene.material_factors(MaterialId::new(0)), None);
    let after = (content.assets.identity(), content.assets.revision(), content.scene.structure_revision());
    assert_eq!((before, content.assets.material(material).unwrap().factors()), (after, described));
    content.validate().unwrap();
}

/// Few bytes that drive a camera of many nodes in many clips ask for much memory, which is counted before it is taken.
#[test]
fn a_camera_on_many_nodes_in_many_clips_is_charged() {
    let mut doc = driving("/cameras/0/perspective/yfov", "SCALAR", &[0.5, 0.75]);
    doc.json["nodes"] = json!(vec![json!({"camera": 0}); 2000]);
    doc.json["scenes"] = json!([{"nodes": (0..2000).collect::<Vec<_>>()}]);
    let animation = doc.json["animations"][0].clone();
    doc.json["animations"] = json!(vec![animation; 500]);
    let load = |decoded_bytes| {
        let limits = LoadLimits { decoded_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_from_slice_with("cameras", &doc.gltf(), &NoFiles, &options)
    };
    let error = load(10_000_000).err().map(|error| error.to_string()).unwrap();
    holds(&error, &["decoded", "animations[", "channels[0]"]);
    let (content, report) = load(100_000_000).unwrap();
    assert_eq!(content.animations.iter().map(|clip| clip.channels().len()).sum::<usize>(), 1_000_000);
    assert!(report.iter().all(|note| note.kind != NoteKind::Repaired));
}
