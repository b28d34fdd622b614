//! Single models of the corpus, looked at closely.

use crate::corpus;
use fire_engine::assets::Mesh;
use fire_engine::gltf::load;
#[cfg(feature = "meshopt")]
use fire_engine::gltf::{FolderResolver, load_from_slice};
use fire_engine::math::Vec4;
use fire_engine::scene::{Content, DrawList};
use libtest_mimic::{Failed, Trial};

/// A test of each.
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("AnimatedCube: cube descriptions", animated_cube_descriptions),
        Trial::test("AnimatedCube: cube hierarchy and rotation", animated_cube_hierarchy_and_rotation),
        Trial::test("computed tangents are those that models bring", tangents_agree),
        Trial::test("containers of one model give the same scene", containers_agree),
        #[cfg(feature = "meshopt")]
        Trial::test("a compressed model is what its fallback is", compressed_is_fallback),
    ]
}

fn animated_cube() -> Result<Content, Failed> {
    let (content, _) = load(corpus().join("samples/AnimatedCube/glTF/AnimatedCube.gltf"))?;
    content.validate()?;
    Ok(content)
}

fn animated_cube_descriptions() -> Result<(), Failed> {
    let content = animated_cube()?;
    let assets = &content.assets;
    assert_eq!((assets.meshes().len(), assets.render_objects().len(), assets.materials().len()), (1, 1, 1));
    let mesh = &assets.meshes()[0];
    assert_eq!((mesh.positions.len(), mesh.uv_sets[0].len(), mesh.index_count()), (36, 36, 36));
    assert!(mesh.indices.as_ref().is_some_and(|indices| indices.iter().copied().eq(0..36)));
    assert!(mesh.uv_sets[0].iter().any(|uv| uv.min_element() < 0.0), "it needs wrapping");
    assert_eq!((assets.images().len(), assets.textures().len()), (2, 2));
    let image = &assets.images()[0];
    assert_eq!((image.width, image.height, image.pixels().len()), (512, 512, 512 * 512 * 4));
    assert_eq!(assets.materials()[0].base_color_texture.map(|slot| slot.texture.get()), Some(0));
    Ok(())
}

fn animated_cube_hierarchy_and_rotation() -> Result<(), Failed> {
    let content = animated_cube()?;
    let roots: Vec<_> = content.scene.roots().collect();
    assert_eq!((roots.len(), roots[0].name(), roots[0].render_object()), (1, "AnimatedCube", None));
    let children: Vec<_> = roots[0].children().collect();
    assert_eq!((children.len(), children[0].render_object().map(|id| id.get())), (1, Some(0)));
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    assert_eq!(list.len(), 1);
    let clip = &content.animations[0];
    assert_eq!((content.animations.len(), clip.name()), (1, "animation_AnimatedCube"));
    assert_eq!((clip.channels().len(), clip.samplers().len()), (1, 1));
    assert_eq!(clip.samplers()[0].timestamps, [0.0, 1.0, 2.0]);
    assert_eq!(content.bindings[0].nodes, [roots[0].id()]);
    // The rest rotation differs from the first key, so a stopped cube and one at 0 s can be told apart.
    let rest = roots[0].local().transform().ok_or("a matrix")?.rotation;
    assert_eq!(rest.to_array(), [0.0, -1.0, 0.0, 0.0]);
    Ok(())
}

/// Computes tangents for models that bring them from Blender, glTF-Transform and the Asset Generator, and compares; user
/// report 38.
fn tangents_agree() -> Result<(), Failed> {
    let mut compared = 0;
    for file in [
        "samples/AlphaBlendModeTest/glTF/AlphaBlendModeTest.gltf",
        "samples/AnisotropyStrengthTest/glTF/AnisotropyStrengthTest.gltf",
        "asset-generator/Positive/Node_NegativeScale/Node_NegativeScale_10.gltf",
        "asset-generator/Positive/Material_DoubleSided/Material_DoubleSided_03.gltf",
    ] {
        let (content, _) = load(corpus().join(file))?;
        for mesh in content.assets.meshes().iter().filter(|mesh| !mesh.tangents.is_empty()) {
            let mut computed = Mesh { tangents: Vec::new(), ..mesh.clone() };
            computed.compute_tangents(0)?;
            let corners = |mesh: &Mesh| -> Vec<Vec4> {
                let indices = mesh.indices.iter().flatten();
                indices.map(|&index| mesh.tangents[index as usize]).collect()
            };
            let (brought, computed) = (corners(mesh), corners(&computed));
            for (corner, (a, b)) in brought.iter().zip(&computed).enumerate() {
                if a.w != b.w || a.truncate().dot(b.truncate()) < 0.999 {
                    return Err(format!("{file}: {} at corner {corner}: {a}, but {b}", mesh.name).into());
                }
            }
            compared += brought.len();
        }
    }
    if compared < 100_000 { Err(format!("only {compared} corners found").into()) } else { Ok(()) }
}

/// Models that come as `glTF`, `glTF-Binary` and `glTF-Embedded` must not differ but in how images are stored.
fn containers_agree() -> Result<(), Failed> {
    let mut compared = 0;
    for model in std::fs::read_dir(corpus().join("samples"))? {
        let mut first: Option<Content> = None;
        for container in ["glTF", "glTF-Binary", "glTF-Embedded"] {
            let Ok(files) =
                std::fs::read_dir(model.as_ref().map_err(ToString::to_string)?.path().join(container))
            else {
                continue;
            };
            for file in files {
                let path = file?.path();
                if !path.extension().is_some_and(|extension| extension == "gltf" || extension == "glb") {
                    continue;
                }
                let Ok((content, _)) = load(&path) else { continue };
                let Some(first) = &first else {
                    first = Some(content);
                    continue;
                };
                let names = |c: &Content| c.scene.nodes().map(|n| n.name().to_owned()).collect::<Vec<_>>();
                let worlds = |c: &Content| c.scene.nodes().map(|n| n.world()).collect::<Vec<_>>();
                let positions = |c: &Content| {
                    c.assets.meshes().iter().map(|mesh| mesh.positions.clone()).collect::<Vec<_>>()
                };
                let shown = path.display();
                assert_eq!(names(first).len(), names(&content).len(), "{shown}");
                assert_eq!(worlds(first), worlds(&content), "{shown}");
                assert!(positions(first) == positions(&content), "{shown}");
                assert_eq!(first.assets.textures(), content.assets.textures(), "{shown}");
                compared += 1;
            }
        }
    }
    if compared < 20 { Err(format!("only {compared} pairs found").into()) } else { Ok(()) }
}

/// One file has both forms: with the extension taken out of it, the other is read.
#[cfg(feature = "meshopt")]
fn compressed_is_fallback() -> Result<(), Failed> {
    const NAME: &str = "KHR_meshopt_compression";
    let folder = corpus().join("malformed/gltf-pipeline/2.0/extensions").join(NAME).join("meshopt-fallback");
    let path = folder.join("meshopt-fallback.gltf");
    let mut json = crate::read_json(&path).ok_or("cannot be read")?;
    let compressed = load(&path).map_err(|error| error.to_string())?.0;
    for view in json["bufferViews"].as_array_mut().ok_or("no views")? {
        view.as_object_mut().and_then(|view| view.remove("extensions")).ok_or("not compressed")?;
    }
    let files = FolderResolver::new(&folder);
    let plain = load_from_slice(json.to_string().as_bytes(), &files).map_err(|error| error.to_string())?.0;
    // Not the normals: this fallback has them as they are before the filter. Triangles may begin at another corner.
    let shapes = |content: &Content| {
        let meshes = content.assets.meshes().iter();
        meshes
            .map(|mesh| {
                let mut indices = mesh.indices.clone().unwrap_or_default();
                for triangle in indices.as_chunks_mut::<3>().0 {
                    let least = (0..3).min_by_key(|&corner| triangle[corner]).unwrap_or(0);
                    triangle.rotate_left(least);
                }
                (mesh.positions.clone(), indices)
            })
            .collect::<Vec<_>>()
    };
    if shapes(&compressed).is_empty() || shapes(&compressed) != shapes(&plain) {
        return Err("the meshes differ".into());
    }
    Ok(())
}
