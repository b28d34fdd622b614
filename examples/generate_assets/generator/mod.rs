//! The two assets and the tools that they are written with.
//!
//! * [`letter_cube`]: a turning cube whose faces show their name and their orientation
//! * [`hierarchy`]: an animated tree that covers the other features of a first loader; its pictures are in
//!   [`hierarchy_pictures`]
//! * [`document`]: buffer, accessors and JSON of a glTF file
//! * [`paint`]: anti-aliased shapes and PNG files
//! * [`solids`]: small meshes out of flat faces
//! * [`files`]: everything into a folder
//!
//! Only operations that IEEE 754 rounds exactly are used (no sine, no power), so that the bytes do
//! not depend on a platform's mathematics library.

mod document;
mod files;
mod hierarchy;
mod hierarchy_pictures;
mod letter_cube;
mod paint;
mod solids;

pub use files::write_assets;
