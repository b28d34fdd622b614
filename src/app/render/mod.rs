//! `fire-engine render`: pictures of models, without a window.

mod arguments;
mod run;

pub use arguments::RenderArguments;
pub use run::run;
