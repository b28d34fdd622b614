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
//! | presentation (swapchain, targets) | [`vulkan`] | the window changes |
//!
//! [`preparation`] is what keeps the third from touching the fourth: its
//! [`generation`](preparation::RenderPreparation::generation) counts how often something had to be compiled, and a cube
//! that turns for an hour leaves it at 1.
//!
//! # From a file to a picture
//!
#![cfg_attr(feature = "gltf", doc = "```no_run")]
#![cfg_attr(not(feature = "gltf"), doc = "```ignore")]
//! use fire_engine::math::Vec3;
//! use fire_engine::scene::{Camera, Projection, advance_animations};
//! use fire_engine::vulkan::{Renderer, RendererOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Load: descriptions, a scene at rest, clips. The report lists what was ignored or approximated.
//! let (mut content, report) = fire_engine::gltf::load("assets/LetterCube/LetterCube.gltf")?;
//! println!("{report}");
//!
//! // Play: every clip from 0 s, looping.
//! content.play_all()?;
//!
//! let projection = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: Some(100.0) };
//! let camera = Camera::look_at(Vec3::new(0.0, 1.5, 4.0), Vec3::ZERO, Vec3::Y, projection)?;
//! let mut renderer = Renderer::headless((640, 480), RendererOptions::default())?;
//!
//! // Prepare: upload what the scene draws. Needed again only when other things are drawn.
//! content.scene.update_world_transforms();
//! renderer.prepare(&content.assets, &content.scene)?;
//!
//! for _ in 0..60 {
//!     // Advance, resolve, draw: the caller owns the clock.
//!     advance_animations(&mut content.scene, &content.animations, 1.0 / 60.0)?;
//!     content.scene.update_world_transforms();
//!     renderer.draw_frame(&content.scene, &camera)?;
//! }
//! assert_eq!(renderer.preparation().generation(), 1);
//!
//! let picture = renderer.render_to_image(&content.scene, &camera)?;
//! assert_eq!((picture.width, picture.height), (640, 480));
//! # Ok(())
//! # }
//! ```
//!
//! [`Renderer::windowed`](vulkan::Renderer::windowed) draws the same way into any window that has raw handles.
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
//! | `winit` (default) | what the examples need to open a window |
//! | `cli` | the program `fire-engine`, with what it needs for arguments, progress bars and animated pictures |
//! | `compile-shaders` | compiling the GLSL with shaderc when building, instead of embedding the committed SPIR-V |
//!
//! Everything but [`vulkan`] works and tests with no driver installed.
#![deny(missing_docs)]
// What a feature leaves out cannot be linked to.
#![cfg_attr(not(all(feature = "gltf", feature = "window")), allow(rustdoc::broken_intra_doc_links))]

#[macro_use]
mod ids;
#[macro_use]
mod trace;

pub mod animation;
pub mod assets;
#[cfg(feature = "gltf")]
pub mod gltf;
pub mod math;
pub mod preparation;
pub mod scene;
pub mod vulkan;

mod error;

pub use error::Error;

/// The README's code compiles.
#[cfg(all(doctest, feature = "gltf"))]
#[doc = include_str!("../README.md")]
struct Readme;
