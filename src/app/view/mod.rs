//! `fire-engine view`: a window to look at models in.
//!
//! | file | what it decides |
//! | --- | --- |
//! | `arguments` | what the command line may say |
//! | `order` | what keys, panel and window can ask for |
//! | `keys`, `pointer` | which keys and drags ask for what |
//! | `loader`, `watcher` | models beside the frames; when their files change |
//! | `stage` | the model on show, and what stays when it is loaded again |
//! | `deck` | its clips |
//! | `figures` | how fast frames are shown |
//! | `seen`, `panel` | what the panel shows, and the panel |
//! | `viewer`, `acting` | a frame from events to picture; what orders do |
//! | `run` | all of it, in order |

mod arguments;
mod deck;
mod figures;
mod loader;
mod order;
#[cfg(feature = "egui")]
mod panel;
mod seen;
mod stage;
mod watcher;

pub use arguments::ViewArguments;
