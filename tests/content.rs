//! Content as a whole: its validation and starting everything at once.

use fire_engine::animation::{
    Animation, AnimationChannel, AnimationError, AnimationId, AnimationSampler, LoopMode, SlotId, TargetPath,
};
use fire_engine::assets::{AssetError, Material, Mesh, RenderObject, RenderObjectId};
use fire_engine::math::{Quat, Vec3};
use fire_engine::scene::{ClipBinding, Content, ContentError, Scene};

fn clip(name: &str) -> Animation {
    let keys = vec![Quat::IDENTITY, Quat::from_xyzw(0.0, 0.0, 1.0, 0.0)];
    let sampler = AnimationSampler::linear_rotation(vec![0.0, 1.0], keys);
    let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Rotation, sampler: 0 };
    Animation::new(name, vec![sampler], vec![channel]).unwrap()
}

/// A drawn node that two clips can turn.
fn content() -> Content {
    let mut content = Content::default();
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let mesh = content.assets.add_mesh(Mesh { positions, ..Mesh::default() });
    let material = content.assets.add_material(Material::default());
    let object = content.assets.add_render_object(RenderObject { mesh, material });
    let node = content.scene.add_root("drawn").unwrap();
    content.scene.find_mut(node).unwrap().set_render_object(Some(object));
    content.animations = vec![clip("first"), clip("second")];
    content.bindings = (0..2).map(|i| ClipBinding::new(AnimationId::new(i), vec![node])).collect();
    content
}

#[test]
fn complete_content_and_no_content_are_valid() {
    assert_eq!(content().validate(), Ok(()));
    assert_eq!(Content::default().validate(), Ok(()));
    assert_eq!(Content::default().play_all(), Ok(vec![]));
}

#[test]
fn validation_checks_the_assets() {
    let mut content = content();
    content.assets.add_mesh(Mesh::default());
    let error = content.validate().unwrap_err();
    assert!(matches!(error, ContentError::Assets(AssetError::MeshWithoutVertices { .. })), "{error}");
}

#[test]
fn validation_checks_bindings_and_finds_dangling_clips() {
    let mut c = content();
    c.animations.clear();
    let error = c.validate().unwrap_err();
    assert!(
        matches!(error, ContentError::Animation(AnimationError::UnknownClip { count: 0, .. })),
        "{error}"
    );
    let mut c = content();
    c.bindings[1].nodes.clear();
    let error = c.validate().unwrap_err();
    assert!(
        matches!(error, ContentError::Animation(AnimationError::BindingLength { ref clip, .. }) if clip == "second"),
        "{error}"
    );
    let mut c = content();
    c.bindings[0].animation = AnimationId::new(2);
    assert!(matches!(
        c.validate(),
        Err(ContentError::Animation(AnimationError::UnknownClip { count: 2, .. }))
    ));
    let mut c = content();
    c.bindings[0].nodes[0] = Scene::new().add_root("elsewhere").unwrap();
    assert!(matches!(c.validate(), Err(ContentError::Animation(AnimationError::UnknownNode { .. }))));
}

#[test]
fn validation_checks_what_plays_without_its_binding() {
    let mut c = content();
    c.play_all().unwrap();
    c.bindings.clear();
    assert_eq!(c.validate(), Ok(()));
    c.animations.swap(0, 1);
    let error = c.validate().unwrap_err();
    assert!(matches!(error, ContentError::Animation(AnimationError::ClipChanged { .. })), "{error}");
    c.animations.clear();
    assert!(matches!(c.validate(), Err(ContentError::Animation(AnimationError::UnknownClip { .. }))));
}

#[test]
fn validation_checks_the_scenes_render_objects() {
    let mut content = content();
    let node = content.scene.add_root("broken").unwrap();
    content.scene.find_mut(node).unwrap().set_render_object(Some(RenderObjectId::new(1)));
    let error = content.validate().unwrap_err();
    let object = RenderObjectId::new(1);
    assert_eq!(error, ContentError::UnknownRenderObject { node: "broken".into(), object, count: 1 });
    assert!(error.to_string().contains("node \"broken\" draws render object 1"), "{error}");
}

#[test]
fn play_all_starts_every_binding_looping_at_zero() {
    let mut content = content();
    let playbacks = content.play_all().unwrap();
    let found: Vec<_> = content.scene.playbacks().iter().map(|p| (p.id(), p.time(), p.loop_mode())).collect();
    assert_eq!(found, [(playbacks[0], 0.0, LoopMode::Forever), (playbacks[1], 0.0, LoopMode::Forever)]);
    assert_eq!(content.scene.playbacks()[1].animation(), AnimationId::new(1));
    content.advance(0.25).unwrap();
    assert_eq!(content.scene.playback(playbacks[1]).unwrap().time(), 0.25);
}

/// Fox has three clips of one figure, which mixed look like none of them.
#[test]
fn play_first_starts_what_drives_nothing_that_is_driven_already() {
    let mut content = content();
    let other = content.scene.add_root("other").unwrap();
    content.animations.push(clip("of the other"));
    content.bindings.push(ClipBinding::new(AnimationId::new(2), vec![other]));
    let playbacks = content.play_first().unwrap();
    let started: Vec<_> =
        playbacks.iter().map(|&id| content.scene.playback(id).unwrap().animation().get()).collect();
    assert_eq!(started, [0, 2]);
    content.bindings[2].nodes.clear();
    assert!(content.play_first().is_err());
    assert_eq!(content.scene.playbacks().len(), 2);
}

#[test]
fn play_all_starts_nothing_if_one_binding_is_faulty() {
    let mut content = content();
    content.bindings[1].nodes.clear();
    assert!(matches!(content.play_all(), Err(AnimationError::BindingLength { .. })));
    assert!(content.scene.playbacks().is_empty());
    assert!(content.scene.nodes().all(|node| !node.is_animated()));
}
