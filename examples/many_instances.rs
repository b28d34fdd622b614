//! One mesh drawn by thousands of nodes, all of which move every frame. What is on the GPU was made once, so the
//! generation stays 1; and what shares a mesh and a material is one draw command, however many nodes there are.
//!
//! ```text
//! cargo run --release --example many_instances -- --nodes 20000
//! cargo run --release --example many_instances -- --headless --output wave.png
//! ```

mod support;

use clap::Parser;
use fire_engine::math::{Quat, Transform, Vec3};
use fire_engine::scene::{Camera, Content, Projection, Scene, SceneNodeId};
use fire_engine::vulkan::Renderer;
use support::{Example, Failure};

#[derive(Parser)]
struct Arguments {
    /// How many nodes
    #[arg(long, value_name = "N", default_value_t = 900, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    nodes: u32,
    #[command(flatten)]
    common: support::Options,
}

struct Wave {
    content: Content,
    nodes: Vec<SceneNodeId>,
    seconds: f64,
}

impl Wave {
    fn new(count: u32) -> Result<Self, Failure> {
        let (assets, cube) = support::letter_cube()?;
        let mut scene = Scene::new();
        let mut nodes = Vec::new();
        for _ in 0..count {
            let node = scene.add_root("")?;
            scene.find_mut(node).ok_or("the node was just added")?.set_render_object(Some(cube));
            nodes.push(node);
        }
        Ok(Self { content: Content { assets, scene, ..Content::default() }, nodes, seconds: 0.0 })
    }

    /// Nodes along each side of the grid.
    fn side(&self) -> usize {
        (self.nodes.len() as f64).sqrt().ceil() as usize
    }
}

impl Example for Wave {
    const NAME: &str = "many_instances";

    fn content(&mut self) -> &mut Content {
        &mut self.content
    }

    fn camera(&self) -> Camera {
        let extent = 3.0 * self.side() as f32;
        let eye = Vec3::new(0.0, 0.3, 0.55) * extent;
        let projection =
            Projection::Perspective { fov_y: 0.9, aspect: None, near: 0.5, far: Some(3.0 * extent + 10.0) };
        Camera::look_at(eye, Vec3::ZERO, Vec3::Y, projection).expect("the eye is above the grid")
    }

    fn step(&mut self, seconds: f64) -> Result<(), Failure> {
        self.seconds += seconds;
        let (side, now) = (self.side(), self.seconds as f32);
        for (index, &node) in self.nodes.iter().enumerate() {
            let middle = (side - 1) as f32 / 2.0;
            let (x, z) = ((index % side) as f32 - middle, (index / side) as f32 - middle);
            let phase = 2.0 * now - 0.35 * x.hypot(z);
            let pose = Transform {
                translation: Vec3::new(3.0 * x, 2.0 * phase.sin(), 3.0 * z),
                rotation: Quat::from_rotation_y(0.5 * phase),
                scale: Vec3::ONE,
            };
            self.content.scene.find_mut(node).ok_or("no node is ever removed")?.set_transform(pose)?;
        }
        Ok(())
    }

    fn report(&self, renderer: &Renderer) {
        let counts = renderer.command_counts();
        println!("{} instances in {} draw commands", counts.instances, counts.draw_indirect);
        println!("generation {}", renderer.preparation().generation());
    }
}

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse();
    support::show(&arguments.common, Wave::new(arguments.nodes)?)
}
