//! What extensions hang onto nodes and primitives: lights, instances, variants.

use crate::fixtures::{Doc, F32, U8, base64, holds};
use fire_engine::assets::MaterialId;
use fire_engine::gltf::{
    LoadError, LoadLimits, LoadOptions, NoFiles, NoteKind, Severity, load_from_slice_with,
};
use fire_engine::math::{Affine3x4, Quat, Transform, Vec3};
use fire_engine::scene::{Content, DrawList, Light, LightKind};
use serde_json::{Value, json};

const I8: u32 = 5120;
const I16: u32 = 5122;

fn list_of(content: &Content) -> DrawList {
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    list
}

/// One node a light; node i carries light i.
fn lit(lights: Value) -> Doc {
    let mut doc = Doc::new();
    let count = lights.as_array().unwrap().len();
    doc.json["nodes"] =
        (0..count).map(|light| json!({"extensions": {"KHR_lights_punctual": {"light": light}}})).collect();
    doc.json["scenes"] = json!([{"nodes": (0..count).collect::<Vec<_>>()}]);
    doc.json["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    doc.json["extensionsRequired"] = json!(["KHR_lights_punctual"]);
    doc.json["extensions"] = json!({"KHR_lights_punctual": {"lights": lights}});
    doc
}

#[test]
fn lights_come_onto_their_nodes_with_the_extensions_defaults_and_one_row_each() {
    let doc = lit(json!([
        {"type": "directional", "name": "Sun", "color": [1, 0.5, 0], "intensity": 1000, "range": -3},
        {"type": "point", "range": 4},
        {"type": "spot", "spot": {"innerConeAngle": 0.25, "outerConeAngle": 0.5}},
        {"type": "spot", "spot": {}, "intensity": 0},
    ]));
    let (content, report) = doc.load().unwrap();
    let white = |kind, intensity| Light { kind, color: Vec3::ONE, intensity };
    let spot = |inner_cone_angle, outer_cone_angle| LightKind::Spot {
        range: None,
        inner_cone_angle,
        outer_cone_angle,
    };
    let sun = Light { kind: LightKind::Directional, color: Vec3::new(1.0, 0.5, 0.0), intensity: 1000.0 };
    let expected = [
        ("Sun", sun),
        ("", white(LightKind::Point { range: Some(4.0) }, 1.0)),
        ("", white(spot(0.25, 0.5), 1.0)),
        ("", white(spot(0.0, std::f32::consts::FRAC_PI_4), 0.0)),
    ];
    let lights: Vec<_> = content.scene.lights().map(|(node, light)| (node.light_name(), light)).collect();
    assert_eq!(lights, expected);
    let paths: Vec<_> = report.iter().map(|note| note.json_path.clone()).collect();
    assert_eq!(paths, [0, 1, 2, 3].map(|i| format!("extensions.KHR_lights_punctual.lights[{i}]")));
    assert!(report.iter().all(|note| note.severity == Severity::Warning), "{report}");
    holds(&report.to_string(), &["lighting is not drawn yet"]);
}

#[test]
fn lights_out_of_range_or_of_another_type_are_left_out_and_reported() {
    for (light, part) in [
        (json!({"type": "point", "intensity": -1}), "intensity"),
        (json!({"type": "point", "color": [0, -0.5, 0]}), "color"),
        (json!({"type": "point", "range": 0}), "range"),
        (json!({"type": "spot", "range": -1, "spot": {}}), "range"),
        (json!({"type": "spot", "spot": {"innerConeAngle": 0.5, "outerConeAngle": 0.5}}), "cone angles"),
        (json!({"type": "spot", "spot": {"outerConeAngle": 1.6}}), "cone angles"),
        (json!({"type": "spot", "spot": {"innerConeAngle": -0.1}}), "cone angles"),
        (json!({"type": "spot"}), "an object spot"),
        (json!({"type": "area\n"}), "\"area\\n\" is not directional"),
        (json!({"type": "directional", "intensity": 1e39}), "intensity"),
    ] {
        let (content, report) = lit(json!([light])).load().unwrap();
        assert_eq!((content.scene.lights().count(), report.len()), (0, 1), "{light}: {report}");
        holds(&report.to_string(), &["warning", "KHR_lights_punctual.lights[0]", part]);
    }
    let mut doc = lit(json!([{"type": "point"}]));
    doc.json["nodes"][0] = json!({});
    holds(&doc.load().unwrap().1.to_string(), &["info", "no node of the imported scene uses it"]);
}

#[test]
fn faulty_references_to_lights_are_refused() {
    let mut doc = lit(json!([{"type": "point"}]));
    doc.json["nodes"][0]["extensions"]["KHR_lights_punctual"]["light"] = json!(1);
    holds(&doc.refusal(), &["nodes[0].extensions.KHR_lights_punctual.light", "light 1 does not exist"]);
    doc.json["nodes"][0]["extensions"]["KHR_lights_punctual"] = json!({});
    holds(&doc.refusal(), &["could not parse", "nodes[0]", "light"]);
    let mut doc = lit(json!([{"type": "point"}]));
    doc.json["extensions"] = json!({});
    holds(&doc.refusal(), &["light 0 does not exist; the document has 0"]);
}

#[test]
fn one_node_may_carry_mesh_camera_light_and_skin_and_be_animated() {
    let mut doc = Doc::turning().unlit();
    doc.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "point"}]}});
    doc.json["cameras"] =
        json!([{"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0, "zfar": 1}}]);
    doc.json["skins"] = json!([{"joints": [0]}]);
    doc.json["nodes"][0]["camera"] = json!(0);
    doc.json["nodes"][0]["skin"] = json!(0);
    doc.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    let mut content = doc.content();
    content.play_all().unwrap();
    let node = content.scene.find(content.document.nodes[0].unwrap()).unwrap();
    assert!(node.camera().is_some() && node.light().is_some() && node.is_animated());
    assert_eq!(node.children().count(), 1);
}

/// The triangle, drawn once for each instance with these attributes.
fn instanced(doc: &mut Doc, attributes: Value) {
    doc.json["nodes"][0]["extensions"] = json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    let used = doc.json["extensionsUsed"].as_array().cloned().unwrap_or_default();
    doc.json["extensionsUsed"] = used.into_iter().chain([json!("EXT_mesh_gpu_instancing")]).collect();
    doc.json["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
}

#[test]
fn each_instance_is_drawn_at_its_own_transform_below_the_node_and_children_are_not_instanced() {
    let mut doc = Doc::triangle().unlit();
    let translation = doc.floats("VEC3", &[1.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let rotation = doc.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half]);
    let scale = doc.floats("VEC3", &[1.0, 1.0, 1.0, 2.0, 3.0, 4.0]);
    doc.json["nodes"][0]["translation"] = json!([0, 0, 5]);
    doc.json["nodes"][0]["children"] = json!([1]);
    doc.push("nodes", json!({"name": "child", "mesh": 0}));
    instanced(&mut doc, json!({"TRANSLATION": translation, "ROTATION": rotation, "SCALE": scale}));
    let (content, report) = doc.load().unwrap();
    assert!(report.is_empty(), "{report}");
    let list = list_of(&content);
    let node = Transform::from_translation(Vec3::new(0.0, 0.0, 5.0)).affine();
    let second = Transform {
        translation: Vec3::new(0.0, 2.0, 0.0),
        rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
        scale: Vec3::new(2.0, 3.0, 4.0),
    };
    let expected = [node * Transform::from_translation(Vec3::X).affine(), node * second.affine(), node];
    assert_eq!(list.len(), 3);
    for (position, expected) in expected.iter().enumerate() {
        let close = |a: &Affine3x4, b: &Affine3x4| a.to_mat4().abs_diff_eq(b.to_mat4(), 1e-6);
        assert!(close(list.world(position).unwrap(), expected), "draw {position}");
    }
    // The node, two instances with a primitive each, the child with its own.
    let names: Vec<_> = content.scene.nodes().map(|node| node.name()).collect();
    assert_eq!(names, ["N", "N", "N", "N", "N", "child", "child"]);
    // Primitives share their instance's row, so that they cost no matrix of their own.
    assert_eq!(content.scene.world_transforms().len(), 4);
}

#[test]
fn instance_rotations_may_be_normalized_integers_and_single_attributes_are_enough() {
    let mut doc = Doc::triangle().unlit();
    let bytes = doc.accessor(I8, "VEC4", 2, &[0, 0, 127, 0, 0, 0, 0, 127]);
    let shorts: Vec<u8> = [0, 0, 32767, 0, 0, 0, 0, 32767_i16].iter().flat_map(|v| v.to_le_bytes()).collect();
    let shorts = doc.accessor(I16, "VEC4", 2, &shorts);
    for accessor in [bytes, shorts] {
        doc.json["accessors"][accessor as usize]["normalized"] = json!(true);
        let mut doc = doc.clone();
        instanced(&mut doc, json!({"ROTATION": accessor}));
        let content = doc.content();
        let list = list_of(&content);
        assert_eq!(list.len(), 2);
        assert!(list.world(0).unwrap().transform_point(Vec3::X).abs_diff_eq(-Vec3::X, 1e-6));
        assert_eq!(list.world(1), Some(&Affine3x4::IDENTITY));
    }
}

#[test]
fn custom_instance_attributes_count_instances_and_are_reported() {
    let mut doc = Doc::triangle().unlit();
    let id = doc.floats("SCALAR", &[0.0, 1.0, 2.0]);
    instanced(&mut doc, json!({"_ID": id, "_OTHER": id}));
    let (content, report) = doc.load().unwrap();
    assert_eq!((list_of(&content).len(), report.len()), (3, 1), "{report}");
    assert_eq!(report.rows[0].json_path, "nodes[0].extensions.EXT_mesh_gpu_instancing.attributes");
    holds(&report.to_string(), &["_ID, _OTHER not used"]);
}

/// Names of an application's own may hold anything (EXT_mesh_gpu_instancing; glTF 2.0, section 3.7.2.1), as long as there
/// is one of it for each instance.
#[test]
fn custom_instance_attributes_may_be_of_any_type_and_lie_where_nothing_can_be_read() {
    let mut doc = Doc::triangle().unlit();
    let translation = doc.floats("VEC3", &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let matrix = doc.accessor(F32, "MAT4", 2, &[0; 128]);
    let small = doc.accessor(U8, "MAT2", 2, &[0; 16]);
    doc.binary.resize(doc.binary.len().next_multiple_of(4), 0);
    let uri = format!("data:;base64,{}", base64(&doc.binary));
    doc.json["buffers"] = json!([{"byteLength": doc.binary.len(), "uri": uri}, {"byteLength": 8}]);
    let absent = doc.push("bufferViews", json!({"buffer": 1, "byteLength": 8}));
    let absent = doc
        .push("accessors", json!({"bufferView": absent, "componentType": F32, "count": 2, "type": "SCALAR"}));
    instanced(
        &mut doc,
        json!({"TRANSLATION": translation, "_MATRIX": matrix, "_SMALL": small, "_ABSENT": absent, "OTHER": matrix}),
    );
    let (content, report) = doc.load().unwrap();
    assert_eq!(list_of(&content).len(), 2);
    holds(&report.to_string(), &["attributes: ignored: OTHER, _ABSENT, _MATRIX, _SMALL not used"]);
    // Alone they still say how many there are, and have to agree on it.
    instanced(&mut doc, json!({"_MATRIX": matrix}));
    assert_eq!(list_of(&doc.content()).len(), 2);
    doc.json["accessors"][matrix as usize]["count"] = json!(1);
    instanced(&mut doc, json!({"TRANSLATION": translation, "_MATRIX": matrix}));
    holds(&doc.refusal(), &["attributes._MATRIX", "1 elements, but TRANSLATION has 2"]);
    // A transform's attribute is not the application's own.
    instanced(&mut doc, json!({"TRANSLATION": matrix}));
    holds(&doc.refusal(), &["unsupported", "FLOAT MAT4; it must be FLOAT VEC3"]);
}

#[test]
fn faulty_instances_are_refused_with_their_place() {
    let base = Doc::triangle();
    let path = "nodes[0].extensions.EXT_mesh_gpu_instancing.attributes";
    let refusal = |change: &dyn Fn(&mut Doc) -> Value| {
        let mut doc = base.clone();
        let attributes = change(&mut doc);
        instanced(&mut doc, attributes);
        doc.refusal()
    };
    holds(&refusal(&|_| json!({})), &[path, "names no attribute"]);
    holds(&refusal(&|_| json!({"TRANSLATION": 9})), &[&format!("{path}.TRANSLATION"), "accessor 9"]);
    let two_and_one = |doc: &mut Doc| {
        let (two, one) = (doc.floats("VEC3", &[0.0; 6]), doc.floats("VEC3", &[0.0; 3]));
        json!({"TRANSLATION": two, "SCALE": one})
    };
    holds(&refusal(&two_and_one), &[path, "2 elements, but SCALE has 1"]);
    let wrong_shape = |doc: &mut Doc| json!({"TRANSLATION": doc.floats("VEC4", &[0.0; 4])});
    holds(&refusal(&wrong_shape), &["unsupported", "FLOAT VEC4", "must be FLOAT VEC3"]);
    let integers = |doc: &mut Doc| json!({"ROTATION": doc.accessor(I8, "VEC4", 1, &[0, 0, 0, 127])});
    holds(&refusal(&integers), &["BYTE VEC4", "normalized integer VEC4"]);
    let zero =
        |doc: &mut Doc| json!({"ROTATION": doc.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0])});
    holds(&refusal(&zero), &[&format!("{path}.ROTATION"), "instance 1", "length is zero"]);
    let nan = |doc: &mut Doc| json!({"SCALE": doc.floats("VEC3", &[1.0, f32::NAN, 1.0])});
    holds(&refusal(&nan), &[path, "instance 0 is not finite"]);
}

#[test]
fn instances_without_a_mesh_or_of_a_skinned_one_are_reported() {
    let mut doc = Doc::triangle().unlit();
    let translation = doc.floats("VEC3", &[0.0; 6]);
    instanced(&mut doc, json!({"TRANSLATION": translation}));
    doc.json["skins"] = json!([{"joints": [0]}]);
    doc.json["nodes"][0]["skin"] = json!(0);
    let (content, report) = doc.load().unwrap();
    assert_eq!(list_of(&content).len(), 2);
    holds(&report.to_string(), &["nodes[0].extensions.EXT_mesh_gpu_instancing", "skin"]);
    doc.json["nodes"][0]["mesh"] = json!(null);
    doc.json["nodes"][0]["skin"] = json!(null);
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.scene.len(), 1);
    holds(&report.to_string(), &["nodes[0].extensions.EXT_mesh_gpu_instancing", "no mesh"]);
}

/// A few characters of JSON must not become a million nodes, nor the bytes for them.
#[test]
fn instances_count_as_nodes_before_anything_is_allocated_for_them() {
    let mut doc = Doc::triangle().unlit();
    let accessor = json!({"componentType": F32, "count": 5_000_000, "type": "VEC3"});
    let translation = doc.push("accessors", accessor);
    instanced(&mut doc, json!({"TRANSLATION": translation}));
    let error = doc.load().unwrap_err();
    assert!(matches!(error, LoadError::Limit { field: "nodes", actual: 10_000_001, .. }), "{error}");
    doc.json["accessors"][translation as usize]["count"] = json!(4);
    let with = |nodes| {
        let limits = LoadLimits { nodes, ..LoadLimits::default() };
        load_from_slice_with("x", &doc.gltf(), &NoFiles, &LoadOptions { limits, ..LoadOptions::default() })
    };
    assert_eq!(with(9).unwrap().0.scene.len(), 9);
    holds(&with(8).unwrap_err().to_string(), &["nodes[0]", "9", "LoadLimits::nodes"]);
}

/// A triangle with material 0, three materials and two variants.
fn varied(mappings: Value) -> Doc {
    let mut doc = Doc::triangle();
    doc.json["extensionsUsed"] = json!(["KHR_materials_variants", "KHR_materials_unlit"]);
    doc.json["extensionsRequired"] = json!(["KHR_materials_variants"]);
    doc.json["extensions"] =
        json!({"KHR_materials_variants": {"variants": [{"name": "Day"}, {"name": "Night"}]}});
    let unlit = json!({"extensions": {"KHR_materials_unlit": {}}});
    doc.json["materials"] = json!([unlit, unlit, unlit]);
    doc.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    doc.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_materials_variants": {"mappings": mappings}});
    doc
}

fn drawn_materials(content: &Content) -> Vec<u32> {
    let list = list_of(content);
    let object =
        |item: &fire_engine::scene::DrawItem| content.assets.render_object(item.render_object).unwrap();
    list.items().iter().map(|item| object(item).material.get()).collect()
}

#[test]
fn variants_swap_materials_with_one_render_object_for_each_material_used() {
    let mut doc = varied(json!([{"material": 2, "variants": [0]}, {"material": 0, "variants": [1]}]));
    doc.push("nodes", json!({"mesh": 0}));
    doc.json["scenes"][0]["nodes"] = json!([0, 1]);
    let (mut content, report) = doc.load().unwrap();
    assert!(report.is_empty(), "{report}");
    assert_eq!(content.scene.variants().collect::<Vec<_>>(), ["Day", "Night"]);
    // One mesh with materials 0 and 2; the one that is the default's own is not repeated.
    assert_eq!((content.assets.meshes().len(), content.assets.render_objects().len()), (1, 2));
    assert_eq!(drawn_materials(&content), [0, 0]);
    for (name, material) in [("Day", 2), ("Night", 0)] {
        content.scene.set_variant(content.scene.find_variant(name)).unwrap();
        assert_eq!(drawn_materials(&content), [material, material], "{name}");
    }
    content.scene.set_variant(None).unwrap();
    assert_eq!(drawn_materials(&content), [0, 0]);
}

#[test]
fn variants_reach_instances_and_primitives_without_a_material() {
    let mut doc = varied(json!([{"material": 1, "variants": [0, 1]}]));
    doc.json["meshes"][0]["primitives"][0]["material"] = json!(null);
    let translation = doc.floats("VEC3", &[0.0; 6]);
    instanced(&mut doc, json!({"TRANSLATION": translation}));
    let mut content = doc.content();
    let default = content.assets.materials().len() as u32 - 1;
    assert_eq!(drawn_materials(&content), [default, default]);
    content.scene.set_variant(content.scene.find_variant("Night")).unwrap();
    assert_eq!(drawn_materials(&content), [1, 1]);
    assert_eq!(content.assets.render_objects().len(), 2);
    assert_eq!(content.assets.render_objects()[1].material, MaterialId::new(1));
}

#[test]
fn odd_mappings_are_reported_and_faulty_ones_refused() {
    let (mut content, report) =
        varied(json!([{"material": 1, "variants": [0]}, {"material": 2, "variants": [0, 1]}]))
            .load()
            .unwrap();
    let path = "meshes[0].primitives[0].extensions.KHR_materials_variants.mappings";
    let rows: Vec<_> = report.iter().map(|note| (note.json_path.clone(), note.kind)).collect();
    assert_eq!(rows, [(format!("{path}[1]"), NoteKind::Repaired)]);
    content.scene.set_variant(content.scene.find_variant("Day")).unwrap();
    assert_eq!(drawn_materials(&content), [1], "the first mapping counts");
    assert_eq!(varied(json!([])).noted(), [path]);
    assert_eq!(varied(json!([{"material": 1, "variants": []}])).noted(), [format!("{path}[0]")]);
    let faulty = |mapping: Value| varied(json!([mapping])).refusal();
    let message = faulty(json!({"material": 3, "variants": [0]}));
    holds(&message, &[&format!("{path}[0].material"), "material 3 does not exist"]);
    let message = faulty(json!({"material": 1, "variants": [0, 2]}));
    holds(&message, &[&format!("{path}[0].variants[1]"), "variant 2 does not exist"]);
    holds(&faulty(json!({"variants": [0]})), &["could not parse", "material"]);
    let mut doc = varied(json!([]));
    doc.json["extensions"]["KHR_materials_variants"]["variants"][1] = json!({});
    holds(&doc.refusal(), &["could not parse", "KHR_materials_variants", "name"]);
}
