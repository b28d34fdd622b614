//! Ranges, strides, sparse data and limits.

use crate::fixtures::{Doc, F32, U8, U16, holds};
use fire_engine::gltf::{LoadError, LoadLimits, LoadOptions, NoFiles, load_from_slice_with};
use fire_engine::math::Vec3;
use serde_json::{Value, json};

fn refusal_with(change: impl Fn(&mut Value)) -> String {
    let mut doc = Doc::triangle();
    doc.json["buffers"] = json!(null);
    change(&mut doc.json);
    doc.refusal()
}

/// User report 28: what counts is the view, not the buffer around it.
#[test]
fn t_load_bounds_an_accessor_past_its_view_is_refused() {
    for (change, path) in [
        (json!({"count": 4}), "accessors[0]"),
        (json!({"count": 3000}), "accessors[0]"),
        (json!({"count": u64::MAX}), "accessors[0]"),
        (json!({"byteOffset": 4}), "accessors[0]"),
        (json!({"byteOffset": u64::MAX}), "accessors[0]"),
        (json!({"type": "VEC4"}), "accessors[0]"),
    ] {
        let message = refusal_with(|json| {
            for (key, value) in change.as_object().unwrap() {
                json["accessors"][0][key] = value.clone();
            }
        });
        holds(&message, &["invalid glTF data", path, "bufferViews[0]"]);
    }
}

#[test]
fn a_view_past_its_buffer_is_refused_even_if_nothing_uses_it() {
    for (offset, length) in [(0, 37), (36, 1), (u64::MAX, 2), (1, u64::MAX)] {
        let message = refusal_with(|json| {
            let views = json["bufferViews"].as_array_mut().unwrap();
            views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": length}));
        });
        holds(&message, &["bufferViews[1]", "buffers[0]"]);
    }
}

#[test]
fn a_stride_below_the_element_is_refused() {
    let message = refusal_with(|json| json["bufferViews"][0]["byteStride"] = json!(8));
    holds(&message, &["bufferViews[0]", "byteStride 8"]);
    let message = refusal_with(|json| json["bufferViews"][0]["byteStride"] = json!(0));
    holds(&message, &["byteStride 0"]);
}

#[test]
fn an_empty_accessor_is_refused() {
    let message = refusal_with(|json| json["accessors"][0]["count"] = json!(0));
    holds(&message, &["accessors[0]", "count is 0"]);
}

#[test]
fn every_index_out_of_range_is_refused_where_it_stands() {
    let mut base = Doc::turning();
    base.image(&[0x89]);
    base.json["images"] = json!([{"uri": "data:image/png;base64,"}]);
    base.json["materials"] = json!([{}]);
    base.json["samplers"] = json!([{}]);
    base.json["textures"] = json!([{"source": 0, "sampler": 0}]);
    base.json["skins"] = json!([{"joints": [0], "skeleton": 0}]);
    base.json["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]);
    assert!(base.load().is_ok());
    for (pointer, path, kind) in [
        ("/scene", "scene", "scene"),
        ("/scenes/0/nodes/0", "scenes[0].nodes[0]", "node"),
        ("/nodes/0/children", "nodes[0].children[0]", "node"),
        ("/nodes/0/mesh", "nodes[0].mesh", "mesh"),
        ("/nodes/0/camera", "nodes[0].camera", "camera"),
        ("/nodes/0/skin", "nodes[0].skin", "skin"),
        ("/skins/0/joints/0", "skins[0].joints[0]", "node"),
        ("/skins/0/inverseBindMatrices", "skins[0].inverseBindMatrices", "accessor"),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            "meshes[0].primitives[0].attributes.POSITION",
            "accessor",
        ),
        ("/meshes/0/primitives/0/attributes/NORMAL", "meshes[0].primitives[0].attributes.NORMAL", "accessor"),
        ("/meshes/0/primitives/0/indices", "meshes[0].primitives[0].indices", "accessor"),
        ("/meshes/0/primitives/0/material", "meshes[0].primitives[0].material", "material"),
        ("/materials/0/normalTexture", "materials[0].normalTexture.index", "texture"),
        ("/textures/0/source", "textures[0].source", "image"),
        ("/textures/0/sampler", "textures[0].sampler", "sampler"),
        ("/images/0/bufferView", "images[0].bufferView", "buffer view"),
        ("/skins/0/skeleton", "skins[0].skeleton", "node"),
        ("/accessors/0/bufferView", "accessors[0]", "buffer view"),
        ("/bufferViews/0/buffer", "bufferViews[0]", "buffer"),
        ("/animations/0/channels/0/sampler", "animations[0].channels[0].sampler", "sampler"),
        ("/animations/0/channels/0/target/node", "animations[0].channels[0].target.node", "node"),
        ("/animations/0/samplers/0/input", "animations[0].samplers[0].input", "accessor"),
        ("/animations/0/samplers/0/output", "animations[0].samplers[0].output", "accessor"),
    ] {
        let mut doc = base.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = doc.json.pointer_mut(parent).unwrap();
        let bad = match key {
            "children" => json!([99]),
            "normalTexture" => json!({"index": 99}),
            _ => json!(99),
        };
        match key.parse::<usize>() {
            Ok(index) => parent[index] = bad,
            Err(_) => parent[key] = bad,
        }
        holds(&doc.refusal(), &["invalid glTF data", path, kind, "99 does not exist"]);
    }
}

#[test]
fn unknown_component_types_and_shapes_are_refused() {
    holds(
        &refusal_with(|json| json["accessors"][0]["componentType"] = json!(5124)),
        &["accessors[0]", "5124"],
    );
    holds(&refusal_with(|json| json["accessors"][0]["type"] = json!("VEC5")), &["accessors[0]", "VEC5"]);
    holds(&refusal_with(|json| json["accessors"][0]["count"] = json!(-1)), &["accessors[0].count"]);
    holds(&refusal_with(|json| json["accessors"][0]["count"] = json!(1.5)), &["accessors[0].count"]);
}

#[test]
fn interleaved_attributes_are_read_with_stride_and_offset() {
    let mut doc = Doc::triangle();
    // Three vertices of a float u, a float v and an unused byte group, then a position.
    let vertex = |x: f32| [x, x + 0.5, 9.0, x, 2.0, 3.0].map(f32::to_le_bytes).concat();
    let bytes = [vertex(0.0), vertex(1.0), vertex(2.0)].concat();
    let view = doc.view(&bytes);
    doc.json["bufferViews"][view as usize]["byteStride"] = json!(24);
    let entry = |offset: u32, shape: &str| json!({"bufferView": view, "byteOffset": offset, "componentType": F32, "count": 3, "type": shape});
    let (uv, position) = (doc.push("accessors", entry(0, "VEC2")), doc.push("accessors", entry(12, "VEC3")));
    doc.attribute("TEXCOORD_0", uv);
    doc.attribute("POSITION", position);
    let mesh = doc.content().assets.meshes()[0].clone();
    assert_eq!(mesh.positions[2], Vec3::new(2.0, 2.0, 3.0));
    assert_eq!(mesh.uv_sets[0][1].to_array(), [1.0, 1.5]);
}

#[test]
fn misaligned_data_is_read_and_reported() {
    let mut doc = Doc::triangle();
    let bytes: Vec<u8> = std::iter::once(0xEE).chain([1.0_f32; 9].map(f32::to_le_bytes).concat()).collect();
    let view = doc.view(&bytes);
    let entry =
        json!({"bufferView": view, "byteOffset": 1, "componentType": F32, "count": 3, "type": "VEC3"});
    let position = doc.push("accessors", entry);
    doc.attribute("POSITION", position);
    let (content, report) = doc.load().unwrap();
    assert_eq!(content.assets.meshes()[0].positions, [Vec3::ONE; 3]);
    holds(&report.to_string(), &["accessors[1]", "repaired"]);
}

/// Section 3.6.2.4: attributes lie on multiples of 4 bytes, whatever their components; sparse data on those of its own.
#[test]
fn vertex_data_and_sparse_data_beside_their_places_are_read_and_reported() {
    let bytes = [9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9];
    for (offset, stride, rows) in [(0, Some(4), 0), (1, Some(4), 1), (0, None, 1)] {
        let mut doc = Doc::triangle().unlit();
        let view = doc.view(&bytes);
        if let Some(stride) = stride {
            doc.json["bufferViews"][view as usize]["byteStride"] = json!(stride);
        }
        let entry = json!({"bufferView": view, "byteOffset": offset, "componentType": U8, "count": 3, "type": "VEC3",
            "normalized": true});
        let color = doc.push("accessors", entry);
        // Nobody's vertex data.
        let other = doc
            .push("accessors", json!({"bufferView": view, "componentType": U8, "count": 3, "type": "VEC3"}));
        doc.attribute("COLOR_0", color);
        let (content, report) = doc.load().unwrap();
        let second = offset + stride.unwrap_or(3);
        assert_eq!(content.assets.meshes()[0].colors[1].r, f32::from(bytes[second]) / 255.0);
        let paths: Vec<_> = report.iter().map(|note| note.json_path.clone()).collect();
        assert_eq!(paths, vec![format!("accessors[{color}]"); rows], "{other}: {report}");
    }
    let mut doc = Doc::triangle().unlit();
    let values: Vec<u8> = std::iter::once(0xEE).chain([7.0_f32; 3].map(f32::to_le_bytes).concat()).collect();
    let (indices, values) = (doc.view(&[0xEE, 1, 0]), doc.view(&values));
    doc.json["accessors"][0]["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": indices, "byteOffset": 1, "componentType": U16},
        "values": {"bufferView": values, "byteOffset": 1},
    });
    assert_eq!(doc.mesh().positions, [Vec3::ZERO, Vec3::splat(7.0), Vec3::Y]);
    assert_eq!(doc.noted(), ["accessors[0].sparse.indices", "accessors[0].sparse.values"]);
}

/// User report 25, with offsets in front of the indices and the values.
#[test]
fn t_load_sparse_values_overlay_the_base_or_zeros() {
    for with_base in [true, false] {
        let mut doc = Doc::triangle();
        let indices = doc.view(&[0xEE, 0xEE, 1, 0, 2, 0]);
        let values = doc.view(
            &[[9.0_f32; 3], [7.0; 3], [8.0; 3]]
                .concat()
                .iter()
                .flat_map(|v| v.to_le_bytes())
                .collect::<Vec<_>>(),
        );
        let accessor = &mut doc.json["accessors"][0];
        if !with_base {
            *accessor = json!({"componentType": F32, "count": 3, "type": "VEC3"});
        }
        accessor["sparse"] = json!({
            "count": 2,
            "indices": {"bufferView": indices, "byteOffset": 2, "componentType": U16},
            "values": {"bufferView": values, "byteOffset": 12},
        });
        let positions = doc.content().assets.meshes()[0].positions.clone();
        assert_eq!(positions, [Vec3::ZERO, Vec3::splat(7.0), Vec3::splat(8.0)], "{with_base}");
    }
}

#[test]
fn broken_sparse_data_is_refused() {
    let sparse = |indices: [u8; 2], count: u64, component: u32| {
        let mut doc = Doc::triangle();
        let indices = doc.view(&indices);
        let values = doc.view(&[0; 24]);
        doc.json["accessors"][0]["sparse"] = json!({
            "count": count,
            "indices": {"bufferView": indices, "componentType": component},
            "values": {"bufferView": values},
        });
        doc.load().map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(sparse([0, 2], 2, U8), Ok(()));
    for (indices, count, component, part) in [
        ([2, 0], 2, U8, "increase strictly"),
        ([1, 1], 2, U8, "increase strictly"),
        ([0, 3], 2, U8, "below the accessor's count"),
        ([0, 1], 4, U8, "sparse.count is 4"),
        ([0, 1], 3, U8, "do not fit"),
        ([0, 1], 0, U8, "sparse.count is 0"),
        ([0, 1], 1, F32, "unsigned"),
        ([0, 1], 2, 5120, "unsigned"),
        ([0, 1], u64::MAX, U8, "accessors[0]"),
    ] {
        holds(&sparse(indices, count, component).unwrap_err(), &["accessors[0]", part]);
    }
}

#[test]
fn an_accessor_without_data_is_zeros_up_to_the_limit() {
    let mut doc = Doc::triangle().unlit();
    doc.json["accessors"][0] = json!({"componentType": F32, "count": 3, "type": "VEC3"});
    assert_eq!(doc.content().assets.meshes()[0].positions, [Vec3::ZERO; 3]);
    // 256 MiB of positions, and some more.
    doc.json["accessors"][0]["count"] = json!((256 << 20) / 12 + 3);
    let error = doc.load().unwrap_err();
    assert!(matches!(error, LoadError::Limit { field: "unbacked_bytes", .. }), "{error}");
    holds(
        &error.to_string(),
        &["accessors[0]", "accessors without a bufferView", "LoadLimits::unbacked_bytes"],
    );
    doc.json["accessors"][0]["count"] = json!(u64::MAX);
    assert!(matches!(doc.load(), Err(LoadError::Limit { .. })));
    // Every use counts, since every use takes memory, and decoded_bytes bounds it too.
    doc.json["accessors"][0]["count"] = json!(3);
    let primitive = doc.json["meshes"][0]["primitives"][0].clone();
    doc.json["meshes"][0]["primitives"] = json!([primitive, primitive]);
    let with = |unbacked_bytes, decoded_bytes| {
        let limits = LoadLimits { unbacked_bytes, decoded_bytes, ..LoadLimits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_from_slice_with("zeros", &doc.gltf(), &NoFiles, &options).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(with(72, 72), Ok(()));
    holds(&with(71, 72).unwrap_err(), &["is 72", "unbacked_bytes"]);
    holds(&with(72, 71).unwrap_err(), &["is 72", "decoded_bytes"]);
}

#[test]
fn limits_count_everything_that_is_decoded() {
    let bytes = Doc::turning().unlit().gltf();
    let with = |limits| {
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_from_slice_with("turning", &bytes, &NoFiles, &options).map(|_| ())
    };
    // 36 bytes of positions, 12 of times, 48 of rotations, and 64 for each of two intervals between those.
    assert!(with(LoadLimits { decoded_bytes: 224, ..LoadLimits::default() }).is_ok());
    let error = with(LoadLimits { decoded_bytes: 223, ..LoadLimits::default() }).unwrap_err();
    holds(&error.to_string(), &["turning", "224", "223"]);
    let error = with(LoadLimits { nodes: 1, ..LoadLimits::default() }).unwrap_err();
    holds(&error.to_string(), &["nodes[0]", "LoadLimits::nodes"]);
    let error = with(LoadLimits { file_bytes: 8, ..LoadLimits::default() }).unwrap_err();
    holds(&error.to_string(), &["buffers[0].uri", "limit of 8 bytes"]);
}

/// A document whose every list ends with an object that nothing uses, valid as it stands.
fn with_unused() -> Doc {
    let mut doc = Doc::turning();
    let view = doc.view(&[0; 16]);
    let index = doc.push("accessors", json!({"componentType": U8, "count": 1, "type": "SCALAR", "bufferView": view,
        "sparse": {"count": 1, "indices": {"bufferView": view, "componentType": U8}, "values": {"bufferView": view}}}));
    assert_eq!((view, index), (3, 3));
    let position = doc.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].clone();
    doc.push(
        "meshes",
        json!({"primitives": [{"attributes": {"NORMAL": position}, "indices": 3, "material": 0,
        "targets": [{"POSITION": position}]}]}),
    );
    doc.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}, {"uri": "never-read.png"}]);
    doc.json["samplers"] = json!([{}]);
    doc.json["textures"] = json!([{"source": 0, "sampler": 0}]);
    let info = || json!({"index": 0});
    doc.json["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": info(), "metallicRoughnessTexture": info()},
        "normalTexture": info(), "occlusionTexture": info(), "emissiveTexture": info(),
    }]);
    // The image of the material must not be read: it is no image.
    doc.json["textures"] = json!([{"sampler": 0}, {"source": 0, "sampler": 0}]);
    let identity: Vec<u8> =
        (0..16).flat_map(|i| if i % 5 == 0 { 1.0_f32 } else { 0.0 }.to_le_bytes()).collect();
    let identity = doc.accessor(F32, "MAT4", 1, &identity);
    doc.json["skins"] = json!([{"joints": [0], "skeleton": 0, "inverseBindMatrices": identity}]);
    doc.json["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]);
    doc.push("nodes", json!({"mesh": 1, "camera": 0, "skin": 0, "children": [2]}));
    doc.push("nodes", json!({}));
    doc.push("scenes", json!({"nodes": [1]}));
    let animation = &mut doc.json["animations"][0];
    animation["samplers"]
        .as_array_mut()
        .unwrap()
        .push(json!({"input": 1, "output": 2, "interpolation": "STEP"}));
    let unused = json!({"sampler": 1, "target": {"path": "translation"}});
    animation["channels"].as_array_mut().unwrap().push(unused);
    doc
}

#[test]
fn every_index_and_enum_of_an_object_that_nothing_uses_is_checked_too() {
    let base = with_unused();
    base.load().unwrap();
    let mut pointers = Vec::new();
    collect("", &base.json, &mut pointers);
    // Members that are neither an index nor an enum.
    let plain =
        ["version", "byteLength", "byteOffset", "count", "name", "mimeType", "uri", "path", "yfov", "znear"];
    let checked: Vec<_> = pointers
        .iter()
        .filter(|pointer| !pointer.rsplit('/').next().is_some_and(|key| plain.contains(&key)))
        .collect();
    for pointer in &checked {
        let mut doc = base.clone();
        let value = doc.json.pointer_mut(pointer).unwrap();
        *value = if value.is_string() { json!("NONE") } else { json!(9999) };
        let message = doc.refusal();
        // A camera's message tells what its type must be; all others tell what was found.
        let found = ["NONE", "9999", "perspective"].iter().any(|found| message.contains(found));
        let list = pointer.split('/').nth(1).unwrap();
        assert!(found && message.contains(list), "{pointer}: {message}");
    }
    for field in ["minFilter", "magFilter", "wrapS", "wrapT"] {
        let mut doc = base.clone();
        doc.json["samplers"][0][field] = json!(9999);
        holds(&doc.refusal(), &[&format!("samplers[0].{field}"), "9999"]);
    }
    for (key, value) in [("bufferView", json!(0)), ("uri", json!(null))] {
        let mut doc = base.clone();
        doc.json["images"][1][key] = value;
        holds(&doc.refusal(), &["images[1]", "uri", "bufferView"]);
    }
    assert!(checked.len() > 45, "{checked:?}");
}

/// The JSON pointers of all numbers and strings.
fn collect(at: &str, value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, value)| collect(&format!("{at}/{i}"), value, out));
        }
        Value::Object(map) => map.iter().for_each(|(key, value)| collect(&format!("{at}/{key}"), value, out)),
        Value::Number(_) | Value::String(_) => out.push(at.to_owned()),
        Value::Null | Value::Bool(_) => {}
    }
}
