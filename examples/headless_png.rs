//! From a glTF file to a PNG file in the fewest lines: no window, no loop.
//!
//! ```text
//! cargo run --release --example headless_png
//! cargo run --release --example headless_png -- model.glb --frames 30 --output model.png
//! ```

use clap::Parser;
use fire_engine::math::Vec3;
use fire_engine::scene::{Camera, Projection};
use fire_engine::vulkan::{Renderer, RendererOptions, Validation};
use std::error::Error;
use std::path::PathBuf;

#[derive(Parser)]
struct Options {
    /// The glTF or GLB file
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/LetterCube/LetterCube.gltf"))]
    model: PathBuf,
    /// The PNG file to write
    #[arg(long, default_value = "headless_png.png")]
    output: PathBuf,
    /// Which frame of the first clip, thirty a second
    #[arg(long, default_value_t = 15)]
    frames: u32,
    /// Fail if the Vulkan validation layer reports anything
    #[arg(long)]
    validate: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let (mut content, report) = fire_engine::gltf::load(&options.model)?;
    println!("{report}");
    content.play_first()?;
    content.advance(f64::from(options.frames) / 30.0)?;
    content.scene.update_world_transforms();

    // A sphere around everything, and an eye far enough away for all of it to be in view.
    let bounds = content.scene.bounds(&content.assets).ok_or("the model draws nothing")?;
    let radius = bounds.size().length() / 2.0;
    let eye = bounds.center() + Vec3::new(0.5, 0.4, 1.0).normalize() * 3.0 * radius;
    let projection =
        Projection::Perspective { fov_y: 0.75, aspect: None, near: 0.1 * radius, far: Some(9.0 * radius) };
    let camera = Camera::look_at(eye, bounds.center(), Vec3::Y, projection)?;

    let validation = if options.validate { Validation::Required } else { Validation::Off };
    let wanted = RendererOptions { validation, samples: 4, ..RendererOptions::default() };
    let mut renderer = Renderer::headless((800, 600), wanted)?;
    renderer.prepare(&content.assets, &content.scene)?;
    let picture = renderer.render_to_image(&content.scene, &camera)?;
    image::save_buffer(&options.output, picture.pixels(), 800, 600, image::ColorType::Rgba8)?;
    println!("Wrote {}.", options.output.display());

    // What the validation layer says while everything goes counts too.
    let log = renderer.validation_log().clone();
    drop(renderer);
    if log.is_clean() { Ok(()) } else { Err(format!("validation: {:#?}", log.messages()).into()) }
}
