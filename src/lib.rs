//! Loads glTF, animates it and draws it with Vulkan.
//!
//! One idea carries the design: **animation changes a node's transform every frame, while meshes, materials, textures and
//! their GPU allocations stay.** Five kinds of state have a room each, and each its own reason to change:
//!
//! | state | room | changes when |
//! | --- | --- | --- |
//! | source (files) | [`gltf`] | a file is loaded |
//! | description (meshes, images, materials, clips) | [`assets`], [`animation`] | the application adds content |
//! | pose (local transforms, weights, playback time, world matrices) | [`scene`] | every frame |
//! | compiled (GPU buffers, images, pipelines) | [`vulkan`] | the catalogue or the ordered render objects change |
//! | presentation (swapchain, targets) | [`vulkan`], [`winit`] | the window changes |
//!
//! [`preparation`] is what keeps the third from touching the fourth: its
//! [`generation`](preparation::RenderPreparation::generation) counts how often something had to be compiled, and a cube
//! that turns for an hour leaves it at 1. [`controls`] turns input into cameras.
//!
//! # Five minutes to a picture
//!
//! **Install** a Vulkan driver; the software driver of Mesa will do, so no GPU is needed. On Debian and Ubuntu:
//!
//! ```sh
//! sudo apt-get install -y --no-install-recommends gcc libc6-dev libvulkan1 mesa-vulkan-drivers
//! ```
//!
//! **Depend** on a checkout of the library beside your program, and on a crate that writes pictures:
//!
//! ```toml
//! [dependencies]
//! fire-engine = { path = "../fire-engine" }
//! image = { version = "0.25", default-features = false, features = ["png"] }
//! ```
//!
//! **Draw** a file to a PNG file; no window is needed. Name one of yours, or copy the checkout's folder `assets/LetterCube`
//! into your program's `assets/` first (`mkdir -p assets && cp -r ../fire-engine/assets/LetterCube assets/`):
//!
#![cfg_attr(all(feature = "gltf", feature = "png"), doc = "```")]
#![cfg_attr(not(all(feature = "gltf", feature = "png")), doc = "```ignore")]
//! use fire_engine::math::Vec3;
//! use fire_engine::scene::{Camera, Projection};
//! use fire_engine::vulkan::{Renderer, RendererOptions};
//!
//! fn main() {
//!     if let Err(error) = draw() {
//!         eprintln!("{error}"); // what is wrong, and what to do
//!         std::process::exit(1);
//!     }
//! }
//!
//! fn draw() -> Result<(), Box<dyn std::error::Error>> {
//! #   // The block runs where it can.
//! #   if fire_engine::vulkan::devices().is_err() { return Ok(()) }
//!     // Descriptions, a scene at rest, clips; the report lists what was ignored or approximated.
//!     let (mut content, report) = fire_engine::gltf::load("assets/LetterCube/LetterCube.gltf")?;
//!     println!("{report}");
//!     content.play_first()?;
//!     content.advance(0.4)?; // the caller owns the clock: 0.4 s into the clip
//!     content.scene.update_world_transforms();
//!
//!     let projection = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: Some(100.0) };
//!     let camera = Camera::look_at(Vec3::new(0.0, 1.5, 4.0), Vec3::ZERO, Vec3::Y, projection)?;
//!
//!     let mut renderer = Renderer::headless((640, 480), RendererOptions::default())?;
//!     renderer.prepare(&content.assets, &content.scene)?; // uploads what the scene draws, once
//!     let picture = renderer.render_to_image(&content.scene, &camera)?;
//!
//!     let file = std::env::temp_dir().join("letter_cube.png");
//!     image::save_buffer(&file, picture.pixels(), 640, 480, image::ColorType::Rgba8)?;
//!     println!("Wrote {}.", file.display());
//!     Ok(())
//! }
//! ```
//!
//! **Animate** it: advance, resolve and draw are a frame, and none of them touches what is compiled. In a window it is the
//! same with [`Renderer::windowed`](vulkan::Renderer::windowed). The crate winit need not be depended on: it is
//! [`fire_engine::winit::winit`](winit). Under X11, it opens the packages `libxcursor1 libxi6 libxkbcommon-x11-0` when it runs.
//!
#![cfg_attr(all(feature = "gltf", feature = "png", feature = "winit"), doc = "```no_run")]
#![cfg_attr(not(all(feature = "gltf", feature = "png", feature = "winit")), doc = "```ignore")]
//! # use fire_engine::scene::{Camera, Content};
//! # use fire_engine::vulkan::{Renderer, RendererOptions};
//! # use fire_engine::winit::winit;
//! # fn open(window: std::sync::Arc<winit::window::Window>, content: &mut Content, camera: &Camera) -> Result<(), fire_engine::Error> {
//! // `window` is an `Arc<fire_engine::winit::winit::window::Window>`.
//! let size = window.inner_size();
//! let mut renderer = Renderer::windowed(window, (size.width, size.height), RendererOptions::default())?;
//! renderer.prepare(&content.assets, &content.scene)?;
//! // From here on at each redraw, with the seconds since the last one; `renderer.resize` when the window's size changes.
//! content.advance(1.0 / 60.0)?;
//! content.scene.update_world_transforms();
//! renderer.draw_frame(&content.scene, &camera)?;
//! assert_eq!(renderer.preparation().generation(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! [`winit::run`] opens a window for an application that draws this way, and
//! [`Renderer::windowed`](vulkan::Renderer::windowed) draws into any window that has raw handles and is `Send` and `Sync`.
//!
//! # Where to go next
//!
//! - The [`guide`], in the repository `docs/guide.md`: everything from loading to tracing, with a whole program
//!   for a window.
//! - `cargo run --release --example animated_cube` turns the cube in a window, or without a display writes pictures.
//! - [`gltf`] says what becomes of a document, [`scene`] how nodes, poses and playbacks hang together, [`vulkan`] what a
//!   renderer is made of.
//! - The program `fire-engine` views, renders and inspects files. In a checkout, `cargo run --features cli -- devices` is the
//!   first thing to try where nothing is drawn; `cargo install --path . --features cli,egui` installs it.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `gltf` (default) | the loader |
//! | `png`, `jpeg` (default) | decoders for its images |
//! | `webp` | a decoder for WebP images, with EXT_texture_webp |
//! | `basisu` | a transcoder for KTX2 images, with KHR_texture_basisu |
//! | `meshopt` | a decoder for EXT_meshopt_compression and KHR_meshopt_compression; builds C++ |
//! | `window` (default) | drawing into windows (raw-window-handle, ash-window) |
//! | `winit` (default) | [`winit`]: opening a window and driving an application in it, with the crate of that name |
//! | `egui` | drawing egui's interfaces over the scene; with what egui needs in a winit window |
//! | `tracing` | spans and events of the crate `tracing` for loads, devices, what is compiled, swapchains and validation |
//! | `cli` | the program `fire-engine`, with what it needs for arguments, progress bars and animated pictures |
//! | `compile-shaders` | compiling the GLSL with shaderc when building, instead of embedding the committed SPIR-V |
//!
//! (`device-tests` shows the library's own tests to a test target, and is for nothing else.) With
//! `default-features = false` there is the library for content that a program makes itself, drawn without a window.
//!
//! # Platforms
//!
//! Rust 1.88 is the oldest that builds the library with the features that are on by default; clippy's `incompatible_msrv`
//! holds it. A device of Vulkan 1.3 is needed to draw, and nothing but a compiler for everything else: all modules but
//! [`vulkan`] work and test with no driver installed.
//!
//! Tested on Linux: X11 windows and headless on Mesa's software driver, headless on an NVIDIA GPU, Wayland windows by hand.
//! Windows, macOS (where MoltenVK has to be found by the Vulkan loader), AMD and Intel GPUs and aarch64 are untested.
#![deny(missing_docs)]
// Where docs.rs builds it, on a nightly compiler: items say which feature they need.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What a feature leaves out cannot be linked to.
#![cfg_attr(
    not(all(feature = "gltf", feature = "png", feature = "winit")),
    allow(rustdoc::broken_intra_doc_links)
)]

#[macro_use]
mod ids;
#[macro_use]
mod trace;

pub mod animation;
pub mod assets;
pub mod controls;
#[cfg(feature = "egui")]
pub mod egui;
#[cfg(feature = "gltf")]
pub mod gltf;
pub mod math;
pub mod preparation;
pub mod scene;
pub mod vulkan;
#[cfg(feature = "winit")]
pub mod winit;

mod error;

pub use error::Error;

#[cfg(all(any(doc, doctest), feature = "gltf", feature = "png", feature = "winit"))]
#[doc = include_str!("../docs/guide.md")]
pub mod guide {}

/// The README's code compiles.
#[cfg(all(doctest, feature = "gltf"))]
#[doc = include_str!("../README.md")]
struct Readme;
