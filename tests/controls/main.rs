//! Cameras that input moves: what each move keeps, and that no input breaks them.

mod adopt;
mod framing;
mod input;
mod moves;
mod planes;
mod shared;
