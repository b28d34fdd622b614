//! Short names for building a scene and asking it.

use fire_engine::animation::{
    Animation, AnimationChannel, AnimationId, AnimationSampler, SlotId, TargetPath,
};
use fire_engine::assets::RenderObjectId;
use fire_engine::math::{Affine3x4, Quat, Transform, Vec3};
use fire_engine::scene::{ClipBinding, DrawList, Projection, Scene, SceneNodeId};

pub const CAMERA: Projection = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.0, far: 1.0 };

pub fn moved(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, z))
}

pub fn put(scene: &mut Scene, node: SceneNodeId, transform: Transform) {
    scene.find_mut(node).unwrap().set_transform(transform).unwrap();
}

pub fn draw(scene: &mut Scene, node: SceneNodeId, object: u32) {
    scene.find_mut(node).unwrap().set_render_object(Some(RenderObjectId::new(object)));
}

pub fn drawn_child(scene: &mut Scene, parent: SceneNodeId, object: u32) -> SceneNodeId {
    let child = scene.add_child(parent, "primitive").unwrap();
    draw(scene, child, object);
    child
}

pub fn world(scene: &Scene, node: SceneNodeId) -> Affine3x4 {
    scene.find(node).unwrap().world()
}

pub fn at(scene: &Scene, node: SceneNodeId) -> Vec3 {
    world(scene, node).translation()
}

pub fn list_of(scene: &Scene) -> DrawList {
    let mut list = DrawList::new();
    scene.build_draw_list(&mut list);
    list
}

pub fn objects(scene: &Scene) -> Vec<u32> {
    list_of(scene).items().iter().map(|item| item.render_object.get()).collect()
}

/// A clip that puts slot 0 into one pose at any time.
pub fn pose(rotation: Quat) -> Animation {
    let sampler = AnimationSampler::linear_rotation(vec![0.0], vec![rotation]);
    let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Rotation, sampler: 0 };
    Animation::new("pose", vec![sampler], vec![channel]).unwrap()
}

pub fn bind(node: SceneNodeId) -> ClipBinding {
    ClipBinding::new(AnimationId::new(0), vec![node])
}
