//! Scenes that look random and are the same every time.

use crate::random_numbers::Random;
use crate::support::stage::{nearest, quarters};
use fire_engine::assets::{
    AlphaMode, Color4, JointSet, Material, Mesh, MorphTarget, RenderObject, Texture, TextureSlot, Topology,
};
use fire_engine::math::{Quat, Transform, Vec2, Vec3};
use fire_engine::scene::{Content, SceneNodeId, Skin};
use libtest_mimic::Failed;
use std::sync::Arc;

/// Joints of a skin.
const JOINTS: usize = 8;

/// Meshes with every kind of stream, at nodes with and without skins and weights.
pub struct RandomScene {
    pub content: Content,
    random: Random,
    joints: Vec<SceneNodeId>,
    drawn: Vec<(SceneNodeId, usize)>,
    /// Whether joints with even numbers mirror sometimes, and those with odd ones.
    mirrors: [bool; 2],
}

impl RandomScene {
    pub fn new(seed: u64) -> Result<Self, Failed> {
        let mut random = Random::new(seed + 1);
        let mut content = Content::default();
        let image = content.assets.add_image(quarters());
        let texture = content.assets.add_texture(Texture { sampler: nearest(), ..Texture::new(image) });
        let mut joints = Vec::new();
        for _ in 0..2 * JOINTS {
            joints.push(content.scene.add_root("joint")?);
        }
        let mut skins = Vec::new();
        for joints in joints.chunks(JOINTS) {
            let joints = joints.iter().copied().map(Some).collect();
            skins.push(Arc::new(Skin::new("", joints, Vec::new())?));
        }
        let mut drawn = Vec::new();
        for _ in 0..1 + random.below(3) {
            let mesh = mesh(&mut random);
            let targets = mesh.morph_targets.len();
            let mesh = content.assets.add_mesh(mesh);
            let slot = |uv_set| Some(TextureSlot { uv_set, ..TextureSlot::new(texture) });
            let material = content.assets.add_material(Material {
                base_color_texture: slot(0),
                emissive_texture: slot(random.below(2) as u32),
                emissive_factor: Vec3::ONE,
                double_sided: random.below(2) == 0,
                alpha_mode: *random.pick(&[AlphaMode::Opaque, AlphaMode::Mask { cutoff: 0.5 }]),
                ..Material::default()
            });
            let object = content.assets.add_render_object(RenderObject { mesh, material });
            for place in 0..3 {
                let node = content.scene.add_root("drawn")?;
                let mut edit = content.scene.find_mut(node).ok_or("gone")?;
                edit.set_render_object(Some(object));
                if let Some(skin) = skins.get(place) {
                    edit.set_skin(Some(Arc::clone(skin)));
                }
                drawn.push((node, targets));
            }
        }
        let mirrors = [random.below(2) == 0, random.below(3) == 0];
        Ok(Self { content, random, joints, drawn, mirrors })
    }

    /// Another pose: joints, nodes and weights.
    pub fn pose(&mut self) -> Result<(), Failed> {
        // Joints of one parity mirror together: a blend of mirrored and other matrices has no side to speak of.
        for skin in self.joints.chunks(JOINTS) {
            let mirrored = self.mirrors.map(|may| may && self.random.below(4) > 0);
            for (index, joint) in skin.iter().enumerate() {
                let transform = transform(&mut self.random, mirrored[index % 2]);
                self.content.scene.find_mut(*joint).ok_or("gone")?.set_transform(transform)?;
            }
        }
        for (index, (node, targets)) in self.drawn.iter().enumerate() {
            let mirrors = self.random.below(3) == 0;
            let mut transform = transform(&mut self.random, mirrors);
            transform.translation.x += index as f32;
            // Sometimes none, which leaves it to the mesh, sometimes too few or too many.
            let count = if self.random.below(3) == 0 { 0 } else { targets + self.random.below(3) };
            let weights: Vec<f32> = (0..count.saturating_sub(1)).map(|_| weight(&mut self.random)).collect();
            let mut node = self.content.scene.find_mut(*node).ok_or("gone")?;
            node.set_transform(transform)?;
            node.set_weights(&weights)?;
        }
        Ok(())
    }
}

/// Within [-1, 1].
fn part(random: &mut Random) -> f32 {
    random.below(2001) as f32 / 1000.0 - 1.0
}

fn vector(random: &mut Random) -> Vec3 {
    Vec3::new(part(random), part(random), part(random))
}

/// Often 0.
fn weight(random: &mut Random) -> f32 {
    if random.below(2) == 0 { 0.0 } else { part(random) * 1.5 }
}

fn transform(random: &mut Random, mirrors: bool) -> Transform {
    let mut scale = vector(random) * 0.25 + Vec3::ONE;
    scale.x *= if mirrors { -1.0 } else { 1.0 };
    let turn = vector(random) * 0.3;
    Transform {
        translation: vector(random),
        rotation: Quat::from_xyzw(turn.x, turn.y, turn.z, 1.0).normalize(),
        scale,
    }
}

/// Loose triangles, or ones that share vertices, of which some streams are missing.
fn mesh(random: &mut Random) -> Mesh {
    let vertices = 3 * (4 + random.below(12));
    let several = |random: &mut Random| random.below(3) > 0;
    let stream = |random: &mut Random| (0..vertices).map(|_| vector(random)).collect::<Vec<_>>();
    let positions = stream(random);
    let normals = if several(random) { stream(random) } else { vec![] };
    let color = |v: Vec3| Color4::new(v.x * 0.5 + 0.5, v.y * 0.5 + 0.5, v.z * 0.5 + 0.5, 1.0);
    let colors = if several(random) { stream(random).into_iter().map(color).collect() } else { vec![] };
    let uvs = |stream: Vec<Vec3>| stream.iter().map(|v| Vec2::new(v.x, v.y)).collect::<Vec<_>>();
    let uv_sets: Vec<_> = (0..random.below(3)).map(|_| uvs(stream(random))).collect();
    let indices =
        (random.below(2) == 0).then(|| (0..vertices).map(|_| random.below(vertices) as u32).collect());
    let joint_sets = joint_sets(random, vertices);
    let morph_targets: Vec<_> = (0..random.below(5))
        .map(|_| {
            let some = |random: &mut Random| if several(random) { stream(random) } else { vec![] };
            MorphTarget {
                positions: some(random).into_iter().map(|delta| delta * 0.5).collect(),
                normals: some(random),
                colors: some(random)
                    .iter()
                    .map(|delta| Color4::new(delta.x, delta.y, delta.z, 0.0))
                    .collect(),
                uv_sets: (0..random.below(3)).map(|_| uvs(some(random))).collect(),
                ..MorphTarget::default()
            }
        })
        .collect();
    let morph_weights = match random.below(2) {
        0 => vec![],
        _ => morph_targets.iter().map(|_| weight(random)).collect(),
    };
    Mesh {
        topology: Topology::Triangles,
        indices,
        positions,
        normals,
        colors,
        uv_sets,
        joint_sets,
        morph_targets,
        morph_weights,
        ..Mesh::default()
    }
}

/// None, one or two sets; the joints of a vertex are all odd or all even.
fn joint_sets(random: &mut Random, vertices: usize) -> Vec<JointSet> {
    let count = random.below(3);
    let mut sets = vec![JointSet::default(); count];
    for _ in 0..vertices {
        let odd = random.below(2);
        let mut joint = || (2 * random.below(JOINTS / 2) + odd) as u16;
        let joints: Vec<[u16; 4]> = (0..count).map(|_| [joint(), joint(), joint(), joint()]).collect();
        let raw: Vec<[f32; 4]> = (0..count).map(|_| [(); 4].map(|()| random.below(4) as f32)).collect();
        let sum: f32 = raw.iter().flatten().sum();
        for ((set, joints), raw) in sets.iter_mut().zip(joints).zip(raw) {
            set.joints.push(joints);
            let only_first = [1.0 / count as f32, 0.0, 0.0, 0.0];
            set.weights.push(if sum == 0.0 { only_first } else { raw.map(|weight| weight / sum) });
        }
    }
    sets
}
