//! Everything made in code, nothing loaded: mesh, texture, materials, a hierarchy of nodes, and a clip that turns them.
//! Needs no feature of the library; without `winit` it writes a picture.
//!
//! ```text
//! cargo run --release --example procedural_scene
//! cargo run --release --no-default-features --example procedural_scene -- --output orrery.png
//! ```

mod support;

use clap::Parser;
use fire_engine::animation::{
    Animation, AnimationChannel, AnimationId, AnimationSampler, Interpolation, Keyframes, SlotId, TargetPath,
};
use fire_engine::assets::{Color4, ImageData, Material, Mesh, RenderObject, Texture, TextureSlot};
use fire_engine::math::{Quat, Transform, Vec2, Vec3};
use fire_engine::scene::{Camera, ClipBinding, Content, Projection, SceneNodeId};
use std::f32::consts::{PI, TAU};
use support::{Example, Failure};

/// A ball of radius 1: a grid of vertices, wrapped round.
fn ball(columns: u32, rows: u32) -> Mesh {
    let corners = || (0..=rows).flat_map(move |row| (0..=columns).map(move |column| (column, row)));
    let uv = |(column, row)| Vec2::new(column as f32 / columns as f32, row as f32 / rows as f32);
    let position = |uv: Vec2| {
        let (around, down) = (TAU * uv.x, PI * uv.y);
        Vec3::new(down.sin() * around.sin(), down.cos(), down.sin() * around.cos())
    };
    let corner = |column, row| row * (columns + 1) + column;
    let quads = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let triangles = quads.flat_map(|(column, row)| {
        let [a, b] = [corner(column, row), corner(column + 1, row)];
        let [c, d] = [corner(column, row + 1), corner(column + 1, row + 1)];
        [a, c, d, a, d, b]
    });
    Mesh {
        name: "ball".into(),
        positions: corners().map(uv).map(position).collect(),
        uv_sets: vec![corners().map(uv).collect()],
        indices: Some(triangles.collect()),
        ..Mesh::default()
    }
}

/// Eight stripes and two caps, in grays that the materials color.
fn stripes() -> ImageData {
    let gray = |x: usize, y: usize| if y == 0 || y == 15 || x % 4 < 2 { 255 } else { 150 };
    let pixel = |at: usize| [gray(at % 32, at / 32), gray(at % 32, at / 32), gray(at % 32, at / 32), 255];
    ImageData::rgba8(32, 16, (0..32 * 16).flat_map(pixel).collect())
}

/// A sampler of whole turns about +Y within `seconds`. A third of a turn apart, so that the shortest way is the meant one.
fn turns(count: u16, seconds: f32) -> AnimationSampler {
    let keys = 0..=3 * count;
    let times = keys.clone().map(|key| seconds * f32::from(key) / f32::from(3 * count)).collect();
    AnimationSampler::linear_rotation(
        times,
        keys.map(|key| Quat::from_rotation_y(TAU * f32::from(key) / 3.0)).collect(),
    )
}

struct Orrery(Content);

impl Orrery {
    fn new() -> Result<Self, Failure> {
        let mut content = Content::default();
        let mesh = content.assets.add_mesh(ball(48, 24));
        let image = content.assets.add_image(stripes());
        let texture = content.assets.add_texture(Texture::new(image));

        // Each turning arm carries a ball at some distance, and the next arm there.
        let mut arms: Vec<SceneNodeId> = Vec::new();
        let mut parent = None;
        for (name, distance, radius, color) in [
            ("sun", 0.0, 1.0, Color4::new(1.0, 0.6, 0.1, 1.0)),
            ("planet", 3.0, 0.5, Color4::new(0.1, 0.4, 1.0, 1.0)),
            ("moon", 0.9, 0.2, Color4::new(0.7, 0.7, 0.7, 1.0)),
        ] {
            let material = content.assets.add_material(Material {
                name: name.to_owned(),
                base_color_factor: color,
                base_color_texture: Some(TextureSlot::new(texture)),
                ..Material::default()
            });
            let object = content.assets.add_render_object(RenderObject { mesh, material });
            let scene = &mut content.scene;
            let arm = match parent {
                Some(parent) => scene.add_child(parent, &format!("{name}'s arm"))?,
                None => scene.add_root(&format!("{name}'s arm"))?,
            };
            let place = scene.add_child(arm, &format!("{name}'s place"))?;
            let shape = scene.add_child(place, name)?;
            let mut edit = scene.find_mut(place).ok_or("the node was just added")?;
            edit.set_transform(Transform::from_translation(Vec3::X * distance))?;
            let mut edit = scene.find_mut(shape).ok_or("the node was just added")?;
            edit.set_transform(Transform::from_scale(Vec3::splat(radius)))?;
            edit.set_render_object(Some(object));
            arms.push(arm);
            parent = Some(place);
        }

        // One clip of 12 s turns all arms, each about as fast as it likes, and lets the sun pulse.
        let pulse = AnimationSampler {
            interpolation: Interpolation::Linear,
            timestamps: vec![0.0, 6.0, 12.0],
            values: Keyframes::Vec3(vec![Vec3::ONE, Vec3::splat(1.2), Vec3::ONE]),
        };
        let channel = |slot: u32, path, sampler| AnimationChannel { slot: SlotId::new(slot), path, sampler };
        let channels = vec![
            channel(0, TargetPath::Rotation, 0),
            channel(1, TargetPath::Rotation, 1),
            channel(2, TargetPath::Rotation, 2),
            channel(0, TargetPath::Scale, 3),
        ];
        let samplers = vec![turns(1, 12.0), turns(2, 12.0), turns(6, 12.0), pulse];
        content.animations.push(Animation::new("orbits", samplers, channels)?);
        content.bindings.push(ClipBinding::new(AnimationId::new(0), arms));
        content.validate()?;
        content.play_all()?;
        Ok(Self(content))
    }
}

impl Example for Orrery {
    const NAME: &str = "procedural_scene";

    fn content(&mut self) -> &mut Content {
        &mut self.0
    }

    fn camera(&self) -> Camera {
        let projection = Projection::Perspective { fov_y: 0.8, aspect: None, near: 0.1, far: Some(100.0) };
        Camera::look_at(Vec3::new(0.0, 3.5, 8.0), Vec3::ZERO, Vec3::Y, projection)
            .expect("eye and target differ")
    }
}

fn main() -> Result<(), Failure> {
    support::show(&support::Options::parse(), Orrery::new()?)
}
