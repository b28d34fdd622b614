//! `fire-engine inspect`: what is in a file.

mod arguments;
mod run;

pub use arguments::InspectArguments;
pub use run::run;
