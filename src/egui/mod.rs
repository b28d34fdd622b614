//! Draws what [egui](https://docs.rs/egui) makes, through the overlay of a renderer.
//!
//! [`EguiPainter`] works with every renderer, also headless. [`EguiWindow`] adds what a winit window needs: input, pointer
//! shapes, the scale of the display. The crates `egui` and `egui_winit` are re-exported here, so that an application uses
//! the same versions without naming them.
//!
//! # What looks as with egui's own painters, and what does not
//!
//! egui blends encoded sRGB values with premultiplied alpha; the overlay blends in linear light with straight alpha.
//!
//! - Opaque colors are exact.
//! - Translucent colors and the edges of glyphs get the alpha that has the same effect in front of the backdrop they
//!   most likely have: the panels' color, or black or white for colors that lie beyond it. Text in the themes' own
//!   grays is right to a few steps of 255 where it lies on panels; pure black text has about 15 % less contrast at its edges.
//! - Colors that add light (alpha below their largest component) cannot be blended so: they become the translucent
//!   color that looks the same in front of black.
//! - Gradients between vertices, and the soft edges of shapes, run in linear light.
//! - Images keep their alpha, blended in linear light.
//! - [`egui::PaintCallback`]s are left out; [`EguiPainter::left_out`] counts them.

mod color;
mod geometry;
mod over;
mod painter;
mod texels;
mod window;

pub use ::egui;
pub use ::egui_winit;
pub use painter::EguiPainter;
pub use window::EguiWindow;
