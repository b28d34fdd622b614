//! The assets room: what a catalogue accepts and refuses, and what its errors name.

use fire_engine::assets::{
    AlphaMode, AssetError, Color4, ImageData, ImageId, JointSet, MAX_IMAGE_DIMENSION, MagFilter, Material,
    MaterialId, Mesh, MeshId, MinFilter, MorphTarget, RenderAssets, RenderObject, RenderObjectId, Sampler,
    Texture, TextureId, TextureSlot, Topology, UvTransform, WrapMode,
};
use fire_engine::math::{Vec2, Vec3, Vec4};

type Change = fn(&mut Mesh);
type Spoil = fn(&mut Mesh, f32);
type SetSlot = fn(&mut Material, TextureSlot);

fn triangle() -> Mesh {
    Mesh {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        indices: Some(vec![0, 1, 2]),
        uv_sets: vec![vec![Vec2::ZERO; 3]],
        ..Mesh::default()
    }
}

/// One of everything, all valid.
fn complete() -> RenderAssets {
    let mut assets = RenderAssets::new();
    let mesh = assets.add_mesh(triangle());
    let image = assets.add_image(ImageData::rgba8(2, 1, vec![255; 8]));
    let texture = assets.add_texture(Texture::new(image));
    let material = assets.add_material(Material {
        base_color_texture: Some(TextureSlot::new(texture)),
        ..Material::default()
    });
    assets.add_render_object(RenderObject { mesh, material });
    assets
}

fn mesh_error(change: impl FnOnce(&mut Mesh)) -> AssetError {
    let mut mesh = triangle();
    change(&mut mesh);
    let mut assets = RenderAssets::new();
    assets.add_mesh(triangle());
    assets.add_mesh(mesh);
    assets.validate().unwrap_err()
}

fn image_error(image: ImageData) -> AssetError {
    let mut assets = RenderAssets::new();
    assets.add_image(image);
    assets.validate().unwrap_err()
}

fn material_error(change: impl FnOnce(&mut Material)) -> AssetError {
    let mut assets = complete();
    let mut material = Material::default();
    change(&mut material);
    assets.add_material(material);
    assets.validate().unwrap_err()
}

#[test]
fn complete_catalogue_is_accepted() {
    assert_eq!(complete().validate(), Ok(()));
    assert_eq!(RenderAssets::new().validate(), Ok(()));
}

#[test]
fn incomplete_geometry_is_rejected() {
    let mesh = MeshId::new(1);
    let error = mesh_error(|m| *m = Mesh { indices: Some(vec![0, 1, 2]), ..Mesh::default() });
    assert_eq!(error, AssetError::MeshWithoutVertices { mesh });
    let error = mesh_error(|m| m.indices = Some(vec![]));
    assert_eq!(error, AssetError::MeshIndexCount { mesh, count: 0, arity: 3 });
    let error = mesh_error(|m| m.indices = Some(vec![0, 1]));
    assert_eq!(error, AssetError::MeshIndexCount { mesh, count: 2, arity: 3 });
    let error = mesh_error(|m| m.indices = Some(vec![0, 1, 3]));
    assert_eq!(error, AssetError::MeshIndexRange { mesh, position: 2, index: 3, vertices: 3 });
    assert!(error.to_string().contains("mesh 1: index 3 at position 2"), "{error}");
}

#[test]
fn vertices_without_indices_must_form_whole_primitives() {
    let mut assets = RenderAssets::new();
    assets.add_mesh(Mesh { indices: None, ..triangle() });
    assert_eq!(assets.validate(), Ok(()));
    let error = mesh_error(|m| (m.indices, m.topology) = (None, Topology::Lines));
    assert_eq!(error, AssetError::MeshIndexCount { mesh: MeshId::new(1), count: 3, arity: 2 });
    assets.add_mesh(Mesh { indices: None, topology: Topology::Points, ..triangle() });
    assert_eq!(assets.validate(), Ok(()));
}

#[test]
fn every_stream_is_absent_or_as_long_as_the_positions() {
    let cases: [(&str, Change); 11] = [
        ("normals", |m| m.normals = vec![Vec3::Z; 2]),
        ("tangents", |m| m.tangents = vec![Vec4::X; 4]),
        ("colors", |m| m.colors = vec![Color4::WHITE; 1]),
        ("uv_sets[1]", |m| m.uv_sets.push(vec![Vec2::ZERO; 2])),
        ("joint_sets[0].joints", |m| {
            m.joint_sets.push(JointSet { joints: vec![[0; 4]; 2], weights: vec![[0.25; 4]; 2] });
        }),
        ("joint_sets[0].weights", |m| {
            m.joint_sets.push(JointSet { joints: vec![[0; 4]; 3], weights: vec![] });
        }),
        ("joint_sets[0].weights", |m| {
            m.joint_sets.push(JointSet { joints: vec![], weights: vec![[0.25; 4]; 3] });
        }),
        ("morph_targets[0].positions", |m| {
            m.morph_targets.push(MorphTarget { positions: vec![Vec3::X], ..MorphTarget::default() });
        }),
        ("morph_targets[0].tangents", |m| {
            m.morph_targets.push(MorphTarget { tangents: vec![Vec3::X; 5], ..MorphTarget::default() });
        }),
        ("morph_targets[0].colors", |m| {
            m.morph_targets.push(MorphTarget { colors: vec![Color4::WHITE; 2], ..MorphTarget::default() });
        }),
        ("morph_targets[0].uv_sets[1]", |m| {
            let uv_sets = vec![vec![], vec![Vec2::X; 4]];
            m.morph_targets.push(MorphTarget { uv_sets, ..MorphTarget::default() });
        }),
    ];
    for (expected, change) in cases {
        match mesh_error(change) {
            AssetError::MeshStreamLength { stream, .. } => assert_eq!(stream, expected),
            other => panic!("{expected}: {other}"),
        }
    }
}

#[test]
fn morph_weights_are_absent_or_one_a_target_and_finite() {
    let mesh = MeshId::new(1);
    let error = mesh_error(|m| m.morph_weights = vec![1.0]);
    assert_eq!(error, AssetError::MorphWeightCount { mesh, actual: 1, expected: 0 });
    let with = |weights: &'static [f32]| {
        move |m: &mut Mesh| {
            m.morph_targets = vec![MorphTarget::default(); 2];
            m.morph_weights = weights.to_vec();
        }
    };
    let error = mesh_error(with(&[1.0]));
    assert_eq!(error, AssetError::MorphWeightCount { mesh, actual: 1, expected: 2 });
    let error = mesh_error(with(&[1.0, f32::NAN]));
    assert_eq!(error, AssetError::MorphWeightNotFinite { mesh, target: 1 });
    for weights in [&[][..], &[-1.0, 2.0]] {
        let mut assets = RenderAssets::new();
        let mut mesh = triangle();
        with(weights)(&mut mesh);
        assets.add_mesh(mesh);
        assert_eq!(assets.validate(), Ok(()));
    }
}

#[test]
fn positions_uvs_and_every_other_stream_must_be_finite() {
    let bad = f32::NAN;
    let cases: [(&str, Spoil); 10] = [
        ("positions", |m, bad| m.positions[1].y = bad),
        ("normals", |m, bad| m.normals = vec![Vec3::Z, Vec3::splat(bad), Vec3::Z]),
        ("tangents", |m, bad| m.tangents = vec![Vec4::X, Vec4::splat(bad), Vec4::X]),
        ("uv_sets[0]", |m, bad| m.uv_sets[0][1].x = bad),
        ("joint_sets[0].weights", |m, bad| {
            let weights = vec![[0.25; 4], [0.25, bad, 0.25, 0.25], [0.25; 4]];
            m.joint_sets.push(JointSet { joints: vec![[0; 4]; 3], weights });
        }),
        ("morph_targets[1].normals", |m, bad| {
            m.morph_targets.push(MorphTarget::default());
            let normals = vec![Vec3::X, Vec3::splat(bad), Vec3::X];
            m.morph_targets.push(MorphTarget { normals, ..MorphTarget::default() });
        }),
        ("morph_targets[0].colors", |m, bad| {
            let colors = vec![Color4::WHITE, Color4::new(0.0, 0.0, 0.0, bad), Color4::WHITE];
            m.morph_targets.push(MorphTarget { colors, ..MorphTarget::default() });
        }),
        ("morph_targets[0].uv_sets[0]", |m, bad| {
            let uv_sets = vec![vec![Vec2::ZERO, Vec2::splat(bad), Vec2::ZERO]];
            m.morph_targets.push(MorphTarget { uv_sets, ..MorphTarget::default() });
        }),
        ("uv_sets[1]", |m, bad| m.uv_sets.push(vec![Vec2::ZERO, Vec2::splat(bad), Vec2::ZERO])),
        ("positions", |m, _| m.positions[1].z = f32::INFINITY),
    ];
    for (expected, change) in cases {
        match mesh_error(|m| change(m, bad)) {
            AssetError::MeshNotFinite { stream, vertex, .. } => {
                assert_eq!((stream.as_str(), vertex), (expected, 1));
            }
            other => panic!("{expected}: {other}"),
        }
    }
}

#[test]
fn non_finite_colors_are_rejected_in_every_component() {
    for component in 0..4 {
        let mut factor = [1.0; 4];
        factor[component] = f32::INFINITY;
        let error = material_error(|m| m.base_color_factor = factor.into());
        let material = MaterialId::new(1);
        assert_eq!(error, AssetError::MaterialNotFinite { material, field: "base_color_factor" });
        let error = mesh_error(|m| m.colors = vec![Color4::WHITE, factor.into(), Color4::WHITE]);
        assert!(matches!(error, AssetError::MeshNotFinite { vertex: 1, .. }), "{error}");
    }
}

#[test]
fn colors_beyond_zero_to_one_are_accepted() {
    let mut assets = RenderAssets::new();
    assets.add_material(Material {
        base_color_factor: Color4::new(8.0, -1.0, 0.0, 2.0),
        ..Material::default()
    });
    assert_eq!(assets.validate(), Ok(()));
}

#[test]
fn cutoff_and_texture_transforms_must_be_finite() {
    let error = material_error(|m| m.alpha_mode = AlphaMode::Mask { cutoff: f32::NAN });
    assert!(matches!(error, AssetError::MaterialNotFinite { field: "alpha cutoff", .. }), "{error}");
    let transform = UvTransform { rotation: f32::INFINITY, ..UvTransform::IDENTITY };
    let slot = TextureSlot { transform, ..TextureSlot::new(TextureId::new(0)) };
    let error = material_error(|m| m.normal_texture = Some(slot));
    assert!(matches!(error, AssetError::MaterialNotFinite { field: "normalTexture", .. }), "{error}");
}

#[test]
fn malformed_images_are_rejected() {
    let image = ImageId::new(0);
    for (width, height) in [(0, 1), (1, 0), (MAX_IMAGE_DIMENSION + 1, 1), (1, u32::MAX)] {
        let error = image_error(ImageData::rgba8(width, height, vec![0; 4]));
        assert_eq!(error, AssetError::ImageDimensions { image, width, height });
    }
    let error = image_error(ImageData::rgba8(1, 1, vec![0; 3]));
    assert_eq!(error, AssetError::ImageBytes { image, level: 0, actual: 3, expected: 4 });
    assert_eq!(error.to_string(), "image 0: level 0 holds 3 bytes; its size and format need 4");
}

#[test]
fn mip_chains_are_one_level_or_complete() {
    let mut data = ImageData::rgba8(2, 2, vec![0; 16]);
    data.mips.push(vec![0; 4]);
    let mut assets = RenderAssets::new();
    assets.add_image(data.clone());
    assert_eq!(assets.validate(), Ok(()));
    data.mips[1].pop();
    let image = ImageId::new(0);
    assert_eq!(image_error(data.clone()), AssetError::ImageBytes { image, level: 1, actual: 3, expected: 4 });
    data.mips.push(vec![]);
    assert_eq!(image_error(data.clone()), AssetError::ImageLevels { image, actual: 3, complete: 2 });
    data.mips.clear();
    assert_eq!(image_error(data), AssetError::ImageLevels { image, actual: 0, complete: 2 });
}

#[test]
fn missing_texture_resources_are_rejected() {
    let mut assets = complete();
    let texture = assets.add_texture(Texture::new(ImageId::new(1)));
    assert_eq!(assets.validate(), Err(AssetError::TextureImage { texture, image: ImageId::new(1) }));
    let missing = TextureSlot::new(TextureId::new(1));
    let slots: [(&str, SetSlot); 5] = [
        ("baseColorTexture", |m, t| m.base_color_texture = Some(t)),
        ("metallicRoughnessTexture", |m, t| m.metallic_roughness_texture = Some(t)),
        ("normalTexture", |m, t| m.normal_texture = Some(t)),
        ("occlusionTexture", |m, t| m.occlusion_texture = Some(t)),
        ("emissiveTexture", |m, t| m.emissive_texture = Some(t)),
    ];
    for (slot, set) in slots {
        let error = material_error(|m| set(m, missing));
        let (material, texture) = (MaterialId::new(1), TextureId::new(1));
        assert_eq!(error, AssetError::MaterialTexture { material, slot, texture });
    }
}

#[test]
fn missing_object_resources_are_rejected() {
    let object = RenderObjectId::new(1);
    for bad in [1, u32::MAX] {
        let mut assets = complete();
        let mesh = MeshId::new(bad);
        assets.add_render_object(RenderObject { mesh, material: MaterialId::new(0) });
        assert_eq!(assets.validate(), Err(AssetError::RenderObjectMesh { object, mesh }));
        let mut assets = complete();
        let material = MaterialId::new(bad);
        assets.add_render_object(RenderObject { mesh: MeshId::new(0), material });
        assert_eq!(assets.validate(), Err(AssetError::RenderObjectMaterial { object, material }));
    }
}

#[test]
fn faults_are_reported_in_the_documented_order() {
    let mut assets = RenderAssets::new();
    assets.add_render_object(RenderObject { mesh: MeshId::new(9), material: MaterialId::new(9) });
    assert!(matches!(assets.validate(), Err(AssetError::RenderObjectMesh { .. })));
    let base_color_texture = Some(TextureSlot::new(TextureId::new(9)));
    assets.add_material(Material { base_color_texture, ..Material::default() });
    assert!(matches!(assets.validate(), Err(AssetError::MaterialTexture { .. })));
    assets.add_mesh(Mesh::default());
    assert!(matches!(assets.validate(), Err(AssetError::MeshWithoutVertices { .. })));
    assets.add_texture(Texture::new(ImageId::new(9)));
    assert!(matches!(assets.validate(), Err(AssetError::TextureImage { .. })));
    assets.add_image(ImageData::rgba8(0, 0, vec![]));
    assert!(matches!(assets.validate(), Err(AssetError::ImageDimensions { .. })));
}

#[test]
fn color4_components_are_named_and_default_to_transparent_black() {
    let color = Color4::new(0.1, 0.2, 0.3, 0.4);
    assert_eq!((color.r, color.g, color.b, color.a), (0.1, 0.2, 0.3, 0.4));
    assert_eq!(Color4::default(), Color4::new(0.0, 0.0, 0.0, 0.0));
    assert_eq!(Material::default().base_color_factor, Color4::WHITE);
    assert_eq!(size_of::<Color4>(), 16);
}

#[test]
fn texture_defaults_are_linear_and_repeat() {
    let sampler = Texture::new(ImageId::new(0)).sampler;
    assert_eq!(sampler, Sampler::default());
    assert_eq!((sampler.mag_filter, sampler.wrap_u), (MagFilter::Linear, WrapMode::Repeat));
    assert!(sampler.min_filter.uses_mips() && !MinFilter::Linear.uses_mips());
}

#[test]
fn catalogue_grows_by_one_revision_per_addition_whatever_its_kind() {
    let assets = complete();
    assert_eq!(assets.revision(), 5);
    assert_ne!(assets.identity(), complete().identity());
    assert!(assets.image(ImageId::new(0)).is_some() && assets.image(ImageId::new(1)).is_none());
}
