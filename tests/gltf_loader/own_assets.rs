//! The assets in this repository, with the numbers that their generator chose.

use fire_engine::assets::AlphaMode;
use fire_engine::gltf::load;
use fire_engine::scene::DrawList;
use std::path::Path;

fn asset(name: &str) -> (fire_engine::scene::Content, fire_engine::gltf::LoadReport) {
    load(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name)).unwrap()
}

#[test]
fn letter_cube_descriptions() {
    let (content, _) = asset("LetterCube/LetterCube.gltf");
    let assets = &content.assets;
    assert_eq!((assets.meshes().len(), assets.render_objects().len(), assets.materials().len()), (1, 1, 1));
    let mesh = &assets.meshes()[0];
    assert_eq!((mesh.positions.len(), mesh.uv_sets[0].len(), mesh.index_count()), (24, 24, 36));
    assert_eq!((assets.images().len(), assets.textures().len()), (2, 2));
    let image = &assets.images()[0];
    assert_eq!((image.width, image.height, image.pixels().len()), (512, 512, 512 * 512 * 4));
    assert_eq!(assets.materials()[0].base_color_texture.map(|slot| slot.texture.get()), Some(0));
    content.validate().unwrap();
}

#[test]
fn letter_cube_hierarchy_and_rotation() {
    let (content, _) = asset("LetterCube/LetterCube.gltf");
    assert_eq!((content.scene.roots().count(), content.scene.len()), (1, 2));
    let root = content.scene.roots().next().unwrap();
    let child = root.children().next().unwrap();
    assert_eq!((root.name(), child.name()), ("LetterCube", "LetterCube"));
    assert_eq!((root.render_object(), child.render_object().map(|id| id.get())), (None, Some(0)));
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    assert_eq!(list.len(), 1);
    let clip = &content.animations[0];
    assert_eq!((content.animations.len(), clip.channels().len(), clip.duration()), (1, 1, 2.0));
    assert_eq!(clip.samplers()[0].timestamps, [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert_eq!(content.bindings[0].nodes, [root.id()]);
}

#[test]
fn letter_cube_reports_the_texture_that_is_not_drawn() {
    let (_, report) = asset("LetterCube/LetterCube.gltf");
    let path = "materials[0].pbrMetallicRoughness.metallicRoughnessTexture";
    assert!(report.iter().any(|note| note.json_path == path), "{report}");
}

#[test]
fn hierarchy_has_an_animated_parent_two_primitives_and_a_masked_double_sided_leaf() {
    let (mut content, _) = asset("Hierarchy/Hierarchy.gltf");
    let clip = &content.animations[0];
    assert_eq!((clip.name(), clip.slot_count(), clip.duration()), ("Spin", 2, 4.0));
    let masked: Vec<_> = content
        .assets
        .materials()
        .iter()
        .filter(|m| m.double_sided && matches!(m.alpha_mode, AlphaMode::Mask { .. }))
        .collect();
    assert_eq!(masked.len(), 1);
    assert!(content.assets.meshes().iter().any(|mesh| mesh.indices.is_none()), "one mesh has no indices");
    assert!(content.assets.meshes().iter().any(|mesh| !mesh.colors.is_empty()));
    let crates = content
        .scene
        .nodes()
        .find(|node| node.children().filter(|c| c.render_object().is_some()).count() == 2);
    assert!(crates.is_some(), "one node has two primitives");
    let before: Vec<_> = content.scene.nodes().map(|node| node.world()).collect();
    content.play_all().unwrap();
    content.advance(1.0).unwrap();
    content.scene.update_world_transforms();
    let moved = content.scene.nodes().zip(&before).filter(|(node, world)| node.world() != **world).count();
    assert!(moved > 2, "{moved}");
    let mut list = DrawList::new();
    content.scene.build_draw_list(&mut list);
    assert!(list.len() >= content.assets.render_objects().len());
}
