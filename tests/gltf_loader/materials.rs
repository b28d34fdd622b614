//! Materials, texture slots and samplers.

use crate::fixtures::{Doc, holds};
use fire_engine::assets::{
    AlphaMode, Color4, ImageData, MagFilter, Material, MinFilter, Sampler, SlotKind, TextureRole,
    TextureSlot, UvTransform, WrapMode,
};
use fire_engine::gltf::NoteKind;
use fire_engine::math::{Vec2, Vec3};
use serde_json::json;

/// A document with `count` textures that name no image, which a white pixel replaces.
fn with_textures(count: usize) -> Doc {
    let mut doc = Doc::triangle();
    doc.json["textures"] = json!(vec![json!({}); count]);
    doc
}

/// T-TEX-ALPHA (#76), with the cutoff, which only MASK has.
#[test]
fn t_tex_alpha_modes_cutoffs_and_sidedness_are_imported() {
    for (json, mode) in [
        (json!({}), AlphaMode::Opaque),
        (json!({"alphaMode": "OPAQUE", "alphaCutoff": 0.25}), AlphaMode::Opaque),
        (json!({"alphaMode": "MASK"}), AlphaMode::Mask { cutoff: 0.5 }),
        (json!({"alphaMode": "MASK", "alphaCutoff": 0.25}), AlphaMode::Mask { cutoff: 0.25 }),
        (json!({"alphaMode": "BLEND", "alphaCutoff": 0.25}), AlphaMode::Blend),
    ] {
        let mut doc = Doc::triangle();
        doc.json["materials"] = json!([json]);
        let content = doc.content();
        assert_eq!(content.assets.materials()[0].alpha_mode, mode);
        assert!(!content.assets.materials()[0].double_sided);
    }
    let mut doc = Doc::triangle();
    doc.json["materials"] = json!([{"alphaMode": "ADD"}]);
    holds(&doc.refusal(), &["materials[0].alphaMode", "ADD"]);
    doc.json["materials"] = json!([{"doubleSided": true}]);
    assert!(doc.content().assets.materials()[0].double_sided);
}

#[test]
fn a_material_that_asks_for_lighting_is_reported_and_an_unlit_one_is_not() {
    let mut doc = Doc::triangle();
    doc.json["extensionsRequired"] = json!(["KHR_materials_unlit"]);
    doc.json["materials"] = json!([
        {"pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 0.4]}},
        {"extensions": {"KHR_materials_unlit": {}}},
    ]);
    doc.json["meshes"][0]["primitives"][0]["material"] = json!(1);
    let (content, report) = doc.load().unwrap();
    let materials = content.assets.materials();
    assert_eq!(materials[0].base_color_factor, Color4::new(0.1, 0.2, 0.3, 0.4));
    assert_eq!((materials[0].unlit, materials[1].unlit), (false, true));
    assert_eq!(report.len(), 1);
    holds(&report.to_string(), &["materials[0]", "approximated", "unlit"]);
}

#[test]
fn all_five_slots_are_imported_and_the_undrawn_ones_reported() {
    let mut doc = with_textures(5);
    doc.json["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 1}},
        "normalTexture": {"index": 2, "scale": 0.5},
        "occlusionTexture": {"index": 3, "strength": 0.5},
        "emissiveTexture": {"index": 4},
    }]);
    let (content, report) = doc.load().unwrap();
    let slots: Vec<_> = content.assets.materials()[0].texture_slots().map(|(_, s)| s.texture.get()).collect();
    assert_eq!(slots, [0, 1, 2, 3, 4]);
    let text = report.to_string();
    holds(
        &text,
        &[
            "materials[0].pbrMetallicRoughness.metallicRoughnessTexture",
            "materials[0].normalTexture",
            "materials[0].occlusionTexture",
            "materials[0].emissiveTexture",
        ],
    );
    assert!(!text.contains("baseColorTexture"));
}

#[test]
fn texture_transforms_and_uv_sets_are_imported_on_every_slot() {
    let mut doc = with_textures(1);
    let info = |tex_coord: u32| {
        json!({"index": 0, "texCoord": tex_coord, "extensions": {"KHR_texture_transform":
            {"offset": [0.5, 0.25], "rotation": 1.5, "scale": [2, 3], "texCoord": tex_coord + 10}}})
    };
    doc.json["extensionsRequired"] = json!(["KHR_texture_transform"]);
    doc.json["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": info(0), "metallicRoughnessTexture": info(1)},
        "normalTexture": info(2), "occlusionTexture": info(3), "emissiveTexture": info(4),
    }, {
        // Without a set of its own, the transform leaves the slot's.
        "normalTexture": {"index": 0, "texCoord": 3, "extensions": {"KHR_texture_transform": {"rotation": 1}}},
        "emissiveTexture": {"index": 0, "texCoord": 4},
    }]);
    let content = doc.content();
    let slots = |material: usize| -> Vec<_> {
        content.assets.materials()[material].texture_slots().map(|(_, slot)| slot).collect()
    };
    let sets = |material| slots(material).iter().map(|slot| slot.uv_set).collect::<Vec<_>>();
    assert_eq!((sets(0), sets(1)), (vec![10, 11, 12, 13, 14], vec![3, 4]));
    let expected = UvTransform { offset: Vec2::new(0.5, 0.25), rotation: 1.5, scale: Vec2::new(2.0, 3.0) };
    assert!(slots(0).iter().all(|slot| slot.transform == expected));
    assert_eq!(slots(1)[0].transform, UvTransform { rotation: 1.0, ..UvTransform::IDENTITY });
    assert_eq!(slots(1)[1].transform, UvTransform::IDENTITY);
    let mut far = doc.clone();
    let place = "extensions.KHR_texture_transform.texCoord";
    far.json["materials"][0]["normalTexture"]["extensions"]["KHR_texture_transform"]["texCoord"] =
        json!(5_000_000_000_u64);
    holds(&far.refusal(), &["materials[0].normalTexture", place, "TEXCOORD_5000000000"]);
}

#[test]
fn every_factor_is_imported_and_has_gltfs_default() {
    let mut doc = with_textures(1);
    doc.json["extensionsUsed"] = json!(["KHR_materials_emissive_strength"]);
    doc.json["materials"] = json!([
        {"normalTexture": {"index": 0}, "occlusionTexture": {"index": 0}, "emissiveTexture": {"index": 0}},
        {
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.25, "roughnessFactor": 0.75
            },
            "normalTexture": {"index": 0, "scale": -2.5},
            "occlusionTexture": {"index": 0, "strength": 0.5},
            "emissiveFactor": [0.5, 0.25, 1],
            "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 12.5}},
        },
        {"extensions": {"KHR_materials_emissive_strength": {}}},
    ]);
    let (content, report) = doc.load().unwrap();
    let materials = content.assets.materials();
    let plain = Material::default();
    let factors = |m: &Material| {
        let scalars = [m.metallic_factor, m.roughness_factor, m.normal_scale, m.occlusion_strength];
        (m.base_color_factor, scalars, m.emissive_factor, m.emissive_strength)
    };
    assert_eq!(factors(&materials[0]), (Color4::WHITE, [1.0; 4], Vec3::ZERO, 1.0));
    assert_eq!(factors(&materials[0]), factors(&plain));
    assert_eq!(
        factors(&materials[1]),
        (Color4::new(0.1, 0.2, 0.3, 0.4), [0.25, 0.75, -2.5, 0.5], Vec3::new(0.5, 0.25, 1.0), 12.5)
    );
    assert_eq!(materials[2].emissive_strength, 1.0);
    assert!(!report.to_string().contains("repaired"), "{report}");
    assert!(!report.to_string().contains("KHR_materials_emissive_strength"), "{report}");
    doc.json["extensionsRequired"] = json!(["KHR_materials_emissive_strength"]);
    assert!(doc.load().is_ok());
}

#[test]
fn factors_outside_their_ranges_are_bounded_and_reported() {
    let mut doc = with_textures(1);
    doc.json["materials"] = json!([{
        "pbrMetallicRoughness": {
            "baseColorFactor": [2, 0.5, -1, 1], "metallicFactor": -0.5, "roughnessFactor": 1.5
        },
        "occlusionTexture": {"index": 0, "strength": 3},
        "emissiveFactor": [-1, 0, 4],
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": -1}},
    }]);
    let (content, report) = doc.load().unwrap();
    let material = &content.assets.materials()[0];
    assert_eq!(material.base_color_factor, Color4::new(1.0, 0.5, 0.0, 1.0));
    assert_eq!((material.metallic_factor, material.roughness_factor), (0.0, 1.0));
    assert_eq!((material.occlusion_strength, material.emissive_strength), (1.0, 0.0));
    // Brighter than 1 is what KHR_materials_emissive_strength is for; older files write it here.
    assert_eq!(material.emissive_factor, Vec3::new(0.0, 0.0, 4.0));
    let repaired: Vec<_> =
        report.iter().filter(|n| n.kind == NoteKind::Repaired).map(|n| n.json_path.as_str()).collect();
    let fields = [
        "pbrMetallicRoughness.baseColorFactor",
        "pbrMetallicRoughness.metallicFactor",
        "pbrMetallicRoughness.roughnessFactor",
        "occlusionTexture.strength",
        "emissiveFactor",
        "extensions.KHR_materials_emissive_strength.emissiveStrength",
    ];
    for field in fields {
        assert!(repaired.contains(&format!("materials[0].{field}").as_str()), "{field}: {report}");
    }
    // What is too large for a number at all is an error as before.
    doc.json["materials"] = json!([{"pbrMetallicRoughness": {"roughnessFactor": 1e39}}]);
    holds(&doc.refusal(), &["materials[0]", "roughness_factor"]);
}

/// T-TEX-SRGB (#72): the slot decides, and one image may serve both.
#[test]
fn t_tex_srgb_slots_say_whether_their_texture_holds_colors_or_data() {
    let mut doc = with_textures(1);
    let info = json!({"index": 0});
    doc.json["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": info, "metallicRoughnessTexture": info},
        "normalTexture": info, "occlusionTexture": info, "emissiveTexture": info,
    }]);
    let content = doc.content();
    let roles: Vec<_> =
        content.assets.materials()[0].texture_slots().map(|(slot, used)| (slot, slot.role(), used)).collect();
    let slot = TextureSlot::new(content.assets.materials()[0].base_color_texture.unwrap().texture);
    assert_eq!(
        roles,
        [
            (SlotKind::BaseColor, TextureRole::Color, slot),
            (SlotKind::MetallicRoughness, TextureRole::Data, slot),
            (SlotKind::Normal, TextureRole::Data, slot),
            (SlotKind::Occlusion, TextureRole::Data, slot),
            (SlotKind::Emissive, TextureRole::Color, slot),
        ]
    );
}

/// #42: what lacks a material or a texture is drawn with the defaults.
#[test]
fn m_42_a_primitive_without_material_and_a_texture_without_image_get_defaults() {
    let mut doc = Doc::triangle();
    doc.json["textures"] = json!([{}]);
    doc.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    let primitive = doc.json["meshes"][0]["primitives"][0].clone();
    doc.push("meshes", json!({"primitives": [primitive]}));
    doc.json["meshes"][1]["primitives"][0]["material"] = json!(0);
    doc.push("nodes", json!({"mesh": 1}));
    doc.json["scenes"][0]["nodes"] = json!([0, 1]);
    let (content, report) = doc.load().unwrap();
    let objects = content.assets.render_objects();
    let material = |index: usize| content.assets.material(objects[index].material).unwrap();
    assert_eq!(material(0), &Material::default());
    let texture = content.assets.texture(material(1).base_color_texture.unwrap().texture).unwrap();
    assert_eq!(content.assets.image(texture.image).unwrap(), &ImageData::white());
    holds(&report.to_string(), &["meshes[0].primitives[0]", "no material", "textures[0]", "no image"]);
}

#[test]
fn a_texture_that_reads_an_absent_uv_set_is_reported() {
    let mut doc = with_textures(1);
    doc.json["materials"] =
        json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1}}}]);
    doc.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let (_, report) = doc.load().unwrap();
    holds(&report.to_string(), &["meshes[0].primitives[0]", "TEXCOORD_1"]);
}

#[test]
fn every_filter_and_wrap_mode_is_imported() {
    let minifications = [
        (9728, MinFilter::Nearest),
        (9729, MinFilter::Linear),
        (9984, MinFilter::NearestMipmapNearest),
        (9985, MinFilter::LinearMipmapNearest),
        (9986, MinFilter::NearestMipmapLinear),
        (9987, MinFilter::LinearMipmapLinear),
    ];
    let wraps =
        [(10497, WrapMode::Repeat), (33648, WrapMode::MirroredRepeat), (33071, WrapMode::ClampToEdge)];
    let magnifications = [(9728, MagFilter::Nearest), (9729, MagFilter::Linear)];
    for (index, (min, min_filter)) in minifications.into_iter().enumerate() {
        let (mag, mag_filter) = magnifications[index % 2];
        let ((s, wrap_u), (t, wrap_v)) = (wraps[index % 3], wraps[(index + 1) % 3]);
        let mut doc = with_textures(1);
        doc.json["samplers"] = json!([{"minFilter": min, "magFilter": mag, "wrapS": s, "wrapT": t}]);
        doc.json["textures"][0]["sampler"] = json!(0);
        let sampler = doc.content().assets.textures()[0].sampler;
        assert_eq!(sampler, Sampler { mag_filter, min_filter, wrap_u, wrap_v });
    }
    assert_eq!(with_textures(1).content().assets.textures()[0].sampler, Sampler::default());
}

#[test]
fn unknown_filters_and_wrap_modes_are_refused_by_name() {
    for field in ["minFilter", "magFilter", "wrapS", "wrapT"] {
        let mut doc = with_textures(1);
        doc.json["samplers"] = json!([{field: 1}]);
        doc.json["textures"][0]["sampler"] = json!(0);
        holds(&doc.refusal(), &["unsupported", &format!("samplers[0].{field}")]);
    }
}

#[test]
fn a_texture_whose_image_is_only_in_an_extension_is_refused_if_it_is_used() {
    for (extension, feature) in [("KHR_texture_basisu", "\"basisu\""), ("MSFT_texture_dds", "not supported")]
    {
        if cfg!(feature = "basisu") && extension == "KHR_texture_basisu" {
            continue;
        }
        let mut doc = with_textures(1);
        doc.json["images"] = json!([{"uri": "never-read.ktx2"}]);
        doc.json["textures"] = json!([{"extensions": {extension: {"source": 0}}}]);
        let (_, report) = doc.load().unwrap();
        holds(&report.to_string(), &["textures[0]: approximated", extension, feature, "a white pixel"]);
        doc.textured();
        doc.json["textures"] = json!([{"extensions": {extension: {"source": 0}}}]);
        holds(&doc.refusal(), &["unsupported", "textures[0]", extension, feature]);
    }
}
