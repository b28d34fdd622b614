//! `fire-engine view`: a window to look at models in.
//!
//! | file | what it decides |
//! | --- | --- |
//! | `arguments` | what the command line may say |
//! | `order` | what keys, panel and window can ask for |
//! | `covered` | what the panel leaves free, and how a model is brought into it |
//! | `model_list`, `dropped` | the models; which of the files that are dropped is one |
//! | `keys`, `pointer` | which keys and drags ask for what |
//! | `key_list` | what a user is told of them |
//! | `loader`, `watching` | models beside the frames; when their files change |
//! | `stage` | the model on show, and what stays when it is loaded again |
//! | `deck`, `seeking` | its clips; one time for all of them |
//! | `figures` | how fast frames are shown |
//! | `scenery`, `seen`, `facts` | what the panel shows: the viewer's part, all of it, the renderer's part |
//! | `panel`, `no_panel` | the panel, with the feature `egui`, and without |
//! | `viewer`, `acting`, `loads` | a frame from events to picture; what orders do; models that come, fail and change |
//! | `run` | all of it, in order |

mod acting;
mod arguments;
mod covered;
mod deck;
mod dropped;
#[cfg(feature = "egui")]
mod facts;
#[cfg(feature = "egui")]
mod figures;
mod key_list;
mod keys;
mod loader;
mod loads;
mod model_list;
#[cfg(not(feature = "egui"))]
mod no_panel;
mod order;
#[cfg(feature = "egui")]
mod panel;
mod pointer;
mod run;
mod scenery;
mod seeking;
#[cfg(feature = "egui")]
mod seen;
mod stage;
mod viewer;
mod watching;

pub use arguments::ViewArguments;
pub use run::run;
