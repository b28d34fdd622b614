//! Animation as an application meets it: every path and mode, several playbacks, events, and the same bits everywhere.

#[path = "../support/clips.rs"]
mod clips;

mod blending;
mod determinism;
mod edges;
mod events;
mod factors;
mod loops;
mod masks;
mod model;
mod paths;
mod random;
mod rest;
mod single_weights;
