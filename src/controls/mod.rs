//! Cameras that input moves: mouse, touchpad and keys of any window system, or none.
//!
//! An [`OrbitCamera`] takes pixels, wheel steps and seconds, and gives the [`Camera`](crate::scene::Camera) that a frame is drawn
//! with. It holds no window, no clock and no key map, so winit, SDL and a test drive it alike. A [`Subject`] is the math
//! below it: how far away an eye has to be to see all of a box.
//!
//! Pixels are counted as windows do, to the right and down; logical and physical ones will do as long as the height is
//! of the same kind. Input that is NaN or infinite, and views without a height, move nothing.
//!
//! ```
//! use fire_engine::controls::OrbitCamera;
//! use fire_engine::math::{Vec2, Vec3};
//! use fire_engine::scene::Content;
//!
//! let content = Content::default(); // such as `gltf::load` gives
//! let (width, height) = (800.0, 600.0);
//! let aspect = width / height;
//!
//! // All of it in view, from the front, a little to the right and above.
//! let mut view = OrbitCamera::new(content.scene.bounds(&content.assets), aspect);
//!
//! // The pointer went 40 pixels to the right with a button down: the model turns with it.
//! view.orbit(Vec2::new(40.0, 0.0), height);
//! // With another button down: what lies at the target's depth stays under the pointer.
//! view.pan(Vec2::new(-12.0, 5.0), height);
//! // Wheels give whole steps, touchpads parts of them; here toward the upper right corner.
//! view.zoom_at(0.3, Vec2::new(1.0, 1.0), aspect);
//! // Keys: forward and to the right, in a frame of 16 ms.
//! view.fly(Vec3::new(1.0, 0.0, 1.0), 0.016);
//!
//! let camera = view.camera()?; // for Renderer::draw_frame
//! # assert!(camera.view_projection(aspect).is_ok());
//! # Ok::<(), fire_engine::math::LookAtError>(())
//! ```

mod adopt;
mod moves;
mod orbit;
mod subject;

pub use orbit::OrbitCamera;
pub use subject::{Subject, toward_eye};
