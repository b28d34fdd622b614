//! `fire-engine render`: pictures of models, without a window.
//!
//! | file | what it decides |
//! | --- | --- |
//! | `arguments` | what the command line may say |
//! | `paths` | where pictures go, and in which format |
//! | `loading` | models from files, several at once, in order |
//! | `motion` | the pose at a time |
//! | `view` | the camera of a picture |
//! | `sink` | pictures as files or as raw bytes |
//! | `sheet` | many pictures on one |
//! | `picturing` | one model from its selection to its last picture |
//! | `run` | all of it, in order |

mod arguments;
mod loading;
mod motion;
mod paths;
mod picturing;
mod run;
mod sheet;
mod sink;
mod view;

pub use arguments::RenderArguments;
pub use run::run;
