//! The arena against a naive tree: random edits must leave the same order, worlds, links and draws in both.

use fire_engine::animation::{
    Animation, AnimationChannel, AnimationId, AnimationSampler, PlaybackId, PlaybackOptions, SlotId,
    TargetPath,
};
use fire_engine::assets::{Material, Mesh, RenderAssets, RenderObject, RenderObjectId};
use fire_engine::math::{Affine3x4, Mat4, Quat, Transform, Vec3};
use fire_engine::preparation::RenderPreparation;
use fire_engine::scene::{
    ClipBinding, DrawList, Light, LightKind, LocalTransform, Projection, Scene, SceneError, SceneNodeId,
    VariantId, VariantObjects, advance_animations,
};
use std::collections::BTreeMap;

const CAMERA: Projection = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.0, far: 1.0 };
const LIGHT: Light = Light { kind: LightKind::Directional, color: Vec3::ONE, intensity: 1.0 };
const OBJECTS: u32 = 5;
const VARIANTS: u32 = 3;

/// SplitMix64 (Steele, Lea, Flood, 2014): small, and the same sequence everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0
    }

    fn transform(&mut self) -> Transform {
        // Often the identity, which is what may be folded.
        if self.below(3) == 0 {
            return Transform::IDENTITY;
        }
        let rotation = Quat::from_rotation_x(self.unit() * 6.0) * Quat::from_rotation_z(self.unit() * 6.0);
        let mut scale = self.vector();
        if self.below(8) == 0 {
            scale.x = 0.0;
        }
        Transform { translation: self.vector(), rotation, scale }
    }
}

#[derive(Clone)]
struct Node {
    id: SceneNodeId,
    name: String,
    parent: Option<usize>,
    children: Vec<usize>,
    local: LocalTransform,
    object: Option<RenderObjectId>,
    variants: BTreeMap<VariantId, RenderObjectId>,
    camera: bool,
    light: bool,
    world: Affine3x4,
    mirrored: bool,
}

/// The obvious implementation: lists of children, recursion, everything recomputed.
#[derive(Default)]
struct Model {
    nodes: Vec<Option<Node>>,
    roots: Vec<usize>,
    removed: Vec<SceneNodeId>,
    playing: Vec<(PlaybackId, usize, Quat)>,
    variant: Option<VariantId>,
}

impl Model {
    fn shown(&self, index: usize) -> Option<RenderObjectId> {
        let node = self.node(index);
        self.variant.and_then(|variant| node.variants.get(&variant).copied()).or(node.object)
    }

    fn alive(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&i| self.nodes[i].is_some()).collect()
    }

    fn node(&self, index: usize) -> &Node {
        self.nodes[index].as_ref().unwrap()
    }

    fn edit(&mut self, index: usize) -> &mut Node {
        self.nodes[index].as_mut().unwrap()
    }

    fn add(&mut self, id: SceneNodeId, name: String, parent: Option<usize>) {
        let index = self.nodes.len();
        self.nodes.push(Some(Node {
            id,
            name,
            parent,
            children: vec![],
            local: LocalTransform::Trs(Transform::IDENTITY),
            object: None,
            variants: BTreeMap::new(),
            camera: false,
            light: false,
            world: Affine3x4::IDENTITY,
            mirrored: false,
        }));
        self.siblings(parent).push(index);
    }

    fn siblings(&mut self, parent: Option<usize>) -> &mut Vec<usize> {
        match parent {
            Some(parent) => &mut self.edit(parent).children,
            None => &mut self.roots,
        }
    }

    fn detach(&mut self, index: usize) {
        let parent = self.node(index).parent;
        self.siblings(parent).retain(|&child| child != index);
    }

    fn remove(&mut self, index: usize) -> usize {
        self.detach(index);
        let mut order = vec![];
        self.collect(index, &mut order);
        for &gone in &order {
            let node = self.nodes[gone].take().unwrap();
            self.removed.push(node.id);
        }
        order.len()
    }

    fn collect(&self, index: usize, order: &mut Vec<usize>) {
        order.push(index);
        for &child in &self.node(index).children {
            self.collect(child, order);
        }
    }

    fn order(&self) -> Vec<usize> {
        let mut order = vec![];
        for &root in &self.roots {
            self.collect(root, &mut order);
        }
        order
    }

    fn is_below(&self, index: usize, ancestor: usize) -> bool {
        index == ancestor || self.node(index).parent.is_some_and(|parent| self.is_below(parent, ancestor))
    }

    /// Resolves everything; returns whether any node's parity changed.
    fn resolve(&mut self) -> bool {
        let mut changed = false;
        for index in self.order() {
            let node = self.node(index);
            let (above, parity) = node.parent.map_or((Affine3x4::IDENTITY, false), |parent| {
                (self.node(parent).world, self.node(parent).mirrored)
            });
            let mirrors = match node.local {
                LocalTransform::Trs(t) => t.scale.to_array().iter().filter(|&&s| s < 0.0).count() % 2 == 1,
                LocalTransform::Matrix(m) => m.determinant() < 0.0,
            };
            let (world, mirrored) = (above * node.local.affine(), parity != mirrors);
            changed |= node.mirrored != mirrored;
            let node = self.edit(index);
            (node.world, node.mirrored) = (world, mirrored);
        }
        changed
    }

    fn driven(&self, index: usize) -> bool {
        self.playing.iter().any(|&(_, node, _)| node == index)
    }
}

/// Rotations that count alike: the first one alone as it is, else the sum with signs aligned to the first, normalized.
fn mixed(mut keys: impl Iterator<Item = Quat>) -> Option<Quat> {
    let first = keys.next()?;
    let mut sum = first.to_array().map(f64::from);
    let mut count = 1;
    for key in keys {
        let key = if first.dot(key) < 0.0 { -key } else { key };
        sum = std::array::from_fn(|i| sum[i] + f64::from(key.to_array()[i]));
        count += 1;
    }
    if count == 1 {
        return Some(first);
    }
    let length = (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]).sqrt();
    Some(Quat::from_array(sum.map(|c| (c / length) as f32)))
}

struct Pair {
    random: Random,
    scene: Scene,
    model: Model,
    clips: Vec<Animation>,
    assets: RenderAssets,
    list: DrawList,
    preparation: RenderPreparation,
    last_key: Option<Vec<RenderObjectId>>,
    generation: u64,
}

impl Pair {
    fn new(seed: u64) -> Self {
        let mut assets = RenderAssets::new();
        let mesh = assets.add_mesh(Mesh { positions: vec![Vec3::ZERO; 3], ..Mesh::default() });
        let material = assets.add_material(Material::default());
        for _ in 0..OBJECTS {
            assets.add_render_object(RenderObject { mesh, material });
        }
        let clips = (0..4).map(|i| {
            let key = Quat::from_rotation_y(i as f32);
            let sampler = AnimationSampler::linear_rotation(vec![0.0], vec![key]);
            let channel = AnimationChannel { slot: SlotId::new(0), path: TargetPath::Rotation, sampler: 0 };
            Animation::new("pose", vec![sampler], vec![channel]).unwrap()
        });
        let mut scene = Scene::new();
        (0..VARIANTS).for_each(|_| _ = scene.add_variant("variant"));
        Self {
            random: Random(seed),
            scene,
            model: Model::default(),
            clips: clips.collect(),
            assets,
            list: DrawList::new(),
            preparation: RenderPreparation::new(),
            last_key: None,
            generation: 0,
        }
    }

    fn pick(&mut self) -> Option<usize> {
        let alive = self.model.alive();
        (!alive.is_empty()).then(|| alive[self.random.below(alive.len())])
    }

    fn add(&mut self) {
        let parent = if self.random.below(5) == 0 { None } else { self.pick() };
        let name = format!("{:x}", self.random.next() % 1000);
        let id = match parent {
            Some(parent) => self.scene.add_child(self.model.node(parent).id, &name).unwrap(),
            None => self.scene.add_root(&name).unwrap(),
        };
        self.model.add(id, name, parent);
    }

    fn set_parent(&mut self, index: usize) {
        let parent = if self.random.below(6) == 0 { None } else { self.pick() };
        let id = self.model.node(index).id;
        let result = self.scene.set_parent(id, parent.map(|parent| self.model.node(parent).id));
        if parent.is_some_and(|parent| self.model.is_below(parent, index)) {
            assert!(matches!(result, Err(SceneError::Cycle { .. })));
            return;
        }
        assert_eq!(result, Ok(()));
        self.model.detach(index);
        self.model.siblings(parent).push(index);
        self.model.edit(index).parent = parent;
    }

    fn set_local(&mut self, index: usize) {
        let mut transform = self.random.transform();
        let matrix = self.random.below(6) == 0;
        if matrix && transform.scale.x == 0.0 {
            // The sign of a flat matrix's determinant is rounding noise.
            transform.scale.x = 1.0;
        }
        let driven = self.model.driven(index);
        let node = self.model.edit(index);
        let mut edit = self.scene.find_mut(node.id).unwrap();
        if matrix {
            let shear = Mat4::from_cols_array(&[
                1.0, 0.3, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
            ]);
            let matrix = transform.matrix() * shear;
            match edit.set_matrix(matrix) {
                Ok(()) => node.local = LocalTransform::Matrix(Affine3x4::from_mat4(&matrix)),
                Err(error) => assert!(driven && matches!(error, SceneError::Animated { .. }), "{error}"),
            }
        } else {
            edit.set_transform(transform).unwrap();
            node.local = LocalTransform::Trs(transform);
        }
    }

    fn play(&mut self, index: usize) {
        let animation = self.random.below(self.clips.len());
        let node = self.model.node(index);
        let binding = ClipBinding::new(AnimationId::new(animation as u32), vec![node.id]);
        let result = self.scene.play(&self.clips[animation], &binding, PlaybackOptions::default());
        match (result, node.local) {
            (Ok(id), LocalTransform::Trs(_)) => {
                let key = match &self.clips[animation].samplers()[0].values {
                    fire_engine::animation::Keyframes::Rotation(keys) => keys[0],
                    other => panic!("{other:?}"),
                };
                self.model.playing.push((id, index, key));
            }
            (Err(_), LocalTransform::Matrix(_)) => {}
            (result, local) => panic!("{result:?} on {local:?}"),
        }
    }

    fn advance(&mut self) {
        advance_animations(&mut self.scene, &self.clips, 0.1).unwrap();
        for index in self.model.alive() {
            let keys =
                self.model.playing.iter().filter(|playing| playing.1 == index).map(|playing| playing.2);
            let Some(rotation) = mixed(keys) else { continue };
            if let Some(Node { local: LocalTransform::Trs(transform), .. }) = &mut self.model.nodes[index] {
                transform.rotation = rotation;
            }
        }
    }

    fn update(&mut self) {
        let (structure, mirrors) = (self.scene.structure_revision(), self.scene.mirror_revision());
        self.scene.update_world_transforms();
        let changed = self.model.resolve();
        if self.scene.structure_revision() == structure {
            assert_eq!(self.scene.mirror_revision() != mirrors, changed);
        }
        // Every world of the list is current now, and its parity is the chain's.
        self.scene.build_draw_list(&mut self.list);
        let drawn = self.model.order().into_iter().filter(|&i| self.model.shown(i).is_some());
        let drawn = drawn.map(|i| self.model.node(i));
        for (position, node) in drawn.enumerate() {
            let world = self.list.items()[position].world as usize;
            assert_eq!(self.list.world(position), Some(&node.world));
            assert_eq!(self.scene.world_transforms()[world], node.world);
            assert_eq!(self.scene.world_mirrored()[world], node.mirrored);
        }
    }

    fn step(&mut self) {
        let target = self.pick();
        match (self.random.below(100), target) {
            (0..25, _) | (_, None) => self.add(),
            (25..30, Some(i)) => {
                let count = self.scene.remove(self.model.node(i).id).unwrap();
                assert_eq!(count, self.model.remove(i));
            }
            (30..42, Some(i)) => self.set_parent(i),
            (42..58, Some(i)) => {
                let object = self.random.below(OBJECTS as usize * 2) as u32;
                let object = (object < OBJECTS).then(|| RenderObjectId::new(object));
                let node = self.model.edit(i);
                node.object = object;
                node.variants.clear();
                self.scene.find_mut(node.id).unwrap().set_render_object(object);
            }
            (58..70, Some(i)) => self.set_local(i),
            (70..73, Some(i)) => {
                let node = self.model.edit(i);
                node.camera = !node.camera;
                self.scene.find_mut(node.id).unwrap().set_camera(node.camera.then_some(CAMERA));
                node.light ^= self.random.below(2) == 0;
                self.scene.find_mut(node.id).unwrap().set_light(node.light.then_some(LIGHT)).unwrap();
            }
            (73..77, Some(i)) => self.play(i),
            (77..80, Some(_)) => {
                if !self.model.playing.is_empty() {
                    let at = self.random.below(self.model.playing.len());
                    let (playback, ..) = self.model.playing.remove(at);
                    assert!(self.scene.stop(playback));
                }
            }
            (80..86, Some(_)) => self.advance(),
            (86..88, Some(i)) => {
                let node = self.model.edit(i);
                node.name.push('\'');
                self.scene.find_mut(node.id).unwrap().set_name(&node.name);
            }
            (88..91, Some(i)) => self.set_variants(i),
            (91..93, Some(_)) => {
                let variant = self.random.below(VARIANTS as usize + 1) as u32;
                let variant = (variant < VARIANTS).then(|| VariantId::new(variant));
                self.model.variant = variant;
                self.scene.set_variant(variant).unwrap();
            }
            _ => self.update(),
        }
    }

    fn set_variants(&mut self, index: usize) {
        let count = self.random.below(VARIANTS as usize + 1);
        let random = &mut self.random;
        let mut entry = || {
            let object = RenderObjectId::new(random.below(OBJECTS as usize) as u32);
            (VariantId::new(random.below(VARIANTS as usize) as u32), object)
        };
        let entries: Vec<_> = (0..count).map(|_| entry()).collect();
        let node = self.model.edit(index);
        node.variants = entries.iter().copied().collect();
        let objects = self.random.below(4) > 0 || count > 0;
        let objects = objects.then(|| VariantObjects::new(entries));
        self.scene.find_mut(node.id).unwrap().set_variants(objects).unwrap();
    }

    /// What must hold between any two edits, resolved or not.
    fn check(&mut self) {
        let order = self.model.order();
        assert_eq!(self.scene.len(), order.len());
        assert_eq!(self.scene.is_empty(), order.is_empty());
        let ids = |indices: &[usize]| indices.iter().map(|&i| self.model.node(i).id).collect::<Vec<_>>();
        assert_eq!(self.scene.nodes().map(|n| n.id()).collect::<Vec<_>>(), ids(&order));
        assert_eq!(self.scene.roots().map(|n| n.id()).collect::<Vec<_>>(), ids(&self.model.roots));
        for &index in &order {
            let expected = self.model.node(index);
            let found = self.scene.find(expected.id).unwrap();
            assert_eq!((found.id(), found.name()), (expected.id, expected.name.as_str()));
            assert_eq!(found.parent().map(|p| p.id()), expected.parent.map(|p| self.model.node(p).id));
            assert_eq!(found.children().map(|c| c.id()).collect::<Vec<_>>(), ids(&expected.children));
            assert_eq!(found.local(), expected.local);
            assert_eq!(found.render_object(), self.model.shown(index));
            assert_eq!(found.default_object(), expected.object);
            let variants = found.variants().into_iter().flat_map(VariantObjects::iter);
            assert!(variants.eq(expected.variants.iter().map(|(&variant, &object)| (variant, object))));
            assert_eq!(found.camera(), expected.camera.then_some(CAMERA));
            assert_eq!(found.light(), expected.light.then_some(LIGHT));
            assert_eq!(found.world(), expected.world, "the world as of the last resolution");
            assert_eq!(found.is_animated(), self.model.driven(index));
            let drivers = self.model.playing.iter().filter(|p| p.1 == index).map(|p| p.0);
            assert!(found.animators().map(|a| a.playback).eq(drivers));
        }
        assert!(self.model.removed.iter().all(|&id| self.scene.find(id).is_none()));
        self.scene.build_draw_list(&mut self.list);
        let key: Vec<_> = order.iter().filter_map(|&i| self.model.shown(i)).collect();
        assert!(self.list.items().iter().map(|item| &item.render_object).eq(&key));
        let drawn = order.iter().filter(|&&i| self.model.shown(i).is_some()).map(|&i| self.model.node(i));
        for (position, node) in drawn.enumerate() {
            assert_eq!(self.list.world(position), Some(&node.world));
        }
        // The generation counts changes of the ordered ids, and nothing else.
        self.preparation.build(&self.assets, &self.list).unwrap();
        if self.last_key.as_ref() != Some(&key) {
            self.generation += 1;
            self.last_key = Some(key);
        }
        assert_eq!(self.preparation.generation(), self.generation);
    }
}

#[test]
fn random_edits_equal_a_naive_tree() {
    for seed in 0..120 {
        let mut pair = Pair::new(seed);
        for step in 0..400 {
            pair.step();
            // Not after every edit, so that several edits also meet before anything looks.
            if step % 3 == 0 || seed % 2 == 0 {
                pair.check();
            }
        }
        pair.update();
        pair.check();
        assert!(pair.generation > 20 && pair.model.removed.len() > 10, "seed {seed} exercised too little");
    }
}
